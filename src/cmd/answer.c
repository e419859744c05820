/* answer.c - a translation in each of its styles. */
#include "cmd/answer.h"

#include "base/mem.h"
#include "cmd/alignment.h"
#include "cmd/heatmap.h"
#include "text/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Attention over pieces ---- */

/* The pieces of `count` ids; words are told apart by the mark of a blank, or each piece is one (`marked` is 0). */
static Piece *named_pieces(const Tokenizer *tokenizer, int marked, const int *ids, int count)
{
    Piece *pieces = xmalloc((size_t)count, sizeof *pieces);
    int word = -1;
    for (int i = 0; i < count; i++) {
        const char *text = tokenizer_piece(tokenizer, ids[i]);
        if (ids[i] == ID_END) {
            pieces[i] = (Piece){ text, -1 };
            continue;
        }
        int mark = !strncmp(text, BLANK_MARK, BLANK_MARK_LENGTH);
        if (!marked || mark || i == 0) word++;
        pieces[i] = (Piece){ marked && mark ? text + BLANK_MARK_LENGTH : text, word };
    }
    return pieces;
}

/* The attention of hypothesis h, for alignment_free. */
static Alignment alignment_of(const Translation *t, const Hypothesis *h, const Model *model)
{
    int marked = model->text.tokens != TOKENS_WORD;
    return (Alignment){
        .source = named_pieces(model->source, marked, t->source_ids, t->source_length),
        .target = named_pieces(model->target, marked, h->ids, h->length),
        .source_count = t->source_length, .target_count = h->length, .weight = h->attention
    };
}

static void alignment_free(Alignment *a)
{
    free(a->source);
    free(a->target);
}

void answer_heatmap(const Translation *t, const AnswerStyle *style, const Model *model, Buf *out)
{
    if (!t->count) return;
    Alignment a = alignment_of(t, &t->hypothesis[0], model);
    heatmap_draw(&a, style->colours, style->columns, out);
    alignment_free(&a);
}

static void add_links(const Translation *t, const Hypothesis *h, const Model *model, Buf *out)
{
    Alignment a = alignment_of(t, h, model);
    alignment_links(&a, out);
    alignment_free(&a);
}

/* ---- Lines of text ---- */

static void add_plain(const Answer *answer, const AnswerStyle *style, const Model *model, Buf *out)
{
    const Translation *t = answer->translation;
    if (t->count) buf_puts(out, t->hypothesis[0].text);
    if (style->alignment) buf_putc(out, '\t');
    if (style->alignment && t->count) add_links(t, &t->hypothesis[0], model, out);
    buf_putc(out, '\n');
}

static void add_nbest(const Answer *answer, const AnswerStyle *style, const Model *model, Buf *out)
{
    const Translation *t = answer->translation;
    if (!t->count) buf_printf(out, "%ld |||  ||| 0%s\n", answer->number, style->alignment ? " ||| " : "");
    for (int i = 0; i < t->count; i++) {
        const Hypothesis *h = &t->hypothesis[i];
        buf_printf(out, "%ld ||| %s ||| %.4f", answer->number, h->text, h->score);
        if (style->alignment) buf_puts(out, " ||| ");
        if (style->alignment) add_links(t, h, model, out);
        buf_putc(out, '\n');
    }
}

/* ---- JSON ---- */

/* Four decimals: enough for a picture, and a third of the bytes. */
static cJSON *rounded(double x)
{
    return cJSON_CreateNumber(round(x * 1e4) / 1e4);
}

static cJSON *tokens_to_json(const Tokenizer *tokenizer, const int *ids, int count)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < count; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(tokenizer_piece(tokenizer, ids[i])));
    return list;
}

static cJSON *attention_to_json(const Translation *t, const Hypothesis *h)
{
    cJSON *rows = cJSON_CreateArray();
    const float *weight = h->attention;
    for (int i = 0; i < h->length; i++) {
        cJSON *row = cJSON_CreateArray();
        for (int j = 0; j < t->source_length; j++)
            cJSON_AddItemToArray(row, rounded(*weight++));
        cJSON_AddItemToArray(rows, row);
    }
    return rows;
}

/* The members "translation", "score", "log_probability". */
static void add_hypothesis(cJSON *object, const Hypothesis *h)
{
    cJSON_AddStringToObject(object, "translation", h->text);
    cJSON_AddNumberToObject(object, "score", h->score);
    cJSON_AddNumberToObject(object, "log_probability", h->log_probability);
}

static cJSON *hypotheses_to_json(const Translation *t)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < t->count; i++) {
        cJSON *object = cJSON_CreateObject();
        add_hypothesis(object, &t->hypothesis[i]);
        cJSON_AddItemToArray(list, object);
    }
    return list;
}

static void add_json(const Answer *answer, const Model *model, Buf *out)
{
    static const Hypothesis nothing = { .text = "" };
    const Translation *t = answer->translation;
    const Hypothesis *best = t->count ? &t->hypothesis[0] : &nothing;

    cJSON *line = cJSON_CreateObject();
    cJSON_AddStringToObject(line, "source", answer->source);
    add_hypothesis(line, best);
    cJSON_AddItemToObject(line, "nbest", hypotheses_to_json(t));
    cJSON_AddItemToObject(line, "source_tokens", tokens_to_json(model->source, t->source_ids, t->source_length));
    cJSON_AddItemToObject(line, "target_tokens", tokens_to_json(model->target, best->ids, best->length));
    cJSON_AddItemToObject(line, "attention", attention_to_json(t, best));
    cJSON_AddItemToObject(line, "seconds", cJSON_CreateNumber(round(answer->seconds * 1e6) / 1e6));
    char *text = json_text(line, 0);
    buf_puts(out, text);
    buf_putc(out, '\n');
    free(text);
    cJSON_Delete(line);
}

void answer_add(const Answer *answer, const AnswerStyle *style, const Model *model, Buf *out)
{
    if (style->json) add_json(answer, model, out);
    else if (style->nbest > 1) add_nbest(answer, style, model, out);
    else add_plain(answer, style, model, out);
    if (style->heatmap) answer_heatmap(answer->translation, style, model, out);
}
