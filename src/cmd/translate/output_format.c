/* output_format.c - a translation in each of its forms, and in warnings. */
#include "cmd/translate/translate.h"

#include "base/mem.h"
#include "text/lexicon.h"
#include "text/unicode.h"
#include "translate/alignment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Pictures of attention ---- */

/* A text without the mark of a word. */
static const char *unmarked(const char *text)
{
    return text + words_mark_length(slice_of(text));
}

/* <unk> and placeholders become the texts that they are in the line, and in its translation. */
static void name_copies(const Alignment *a, const Chunk *s, const Model *model,
                        Region *region)
{
    const Hypothesis *h = chunk_hypothesis(s, 0);
    for (int i = 0; i < s->source_length; i++) {
        const int id = s->source_ids[i];
        if (id == ID_UNK || (s->copies.text.count && placeholder_bit(id)))
            a->source[i].text = unmarked(chunk_source_text(s, i, model->source));
    }
    const char **list = chunk_replacements(s, h, model->source, region);
    for (int i = 0; list && i < h->length; i++)
        if (list[i]) a->target[i].text = unmarked(list[i]);
}

static void add_labels(char **labels, const Piece *pieces, int count)
{
    for (int i = 0; i < count; i++)
        labels[i] = heatmap_label(pieces[i].text, i > 0 && pieces[i].word == pieces[i - 1].word);
}

/* The weights of chosen heads, for free(); NULL: those of the search. */
static float *weights_of(const Chunk *s, const Hypothesis *found, const Model *model,
                         MapChoice choice)
{
    const Architecture net = model_architecture(model);
    const Weights w = weights_at(model->table, model->weights);
    const Sentence pair = { s->source_ids, found->ids, s->source_length, found->length, 0, 0 };
    return attention_map_is_usual(choice) ? NULL
                                          : attention_map(&net, &w, &pair, ID_BOS, choice);
}

static Heatmap picture_of(const Alignment *a, const float *weight, const Model *model, MapKind of)
{
    Heatmap h;
    const int columns = of == MAP_TARGET ? a->target_count : a->source_count;
    const int rows = of == MAP_SOURCE ? a->source_count : a->target_count;
    heatmap_init(&h, columns, rows, weight);
    if (of == MAP_TARGET) {                 /* which looks at the words that it has read */
        h.source[0] = heatmap_label(tokenizer_piece(model->target, ID_BOS), 0);
        add_labels(h.source + 1, a->target, a->target_count - 1);
    } else {
        add_labels(h.source, a->source, columns);
    }
    add_labels(h.target, of == MAP_SOURCE ? a->source : a->target, rows);
    return h;
}

void format_pictures(const char *source, const Translation *t, const OutputFormat *format,
                     const Model *model, Buf *out)
{
    SCOPED(region_free) Region region = { 0 };
    if (!t->count || (!format->heatmap && !format->gallery)) return;
    const Alignment *alignments = line_alignments(t, 0, model, &region);
    SCOPED(xfree_at) Heatmap *heatmap = xmalloc(t->chunks, sizeof *heatmap);
    SCOPED(xfree_at) float **weight = xmalloc(t->chunks, sizeof *weight);
    for (size_t i = 0; i < t->chunks; i++) {
        const Chunk *s = &t->chunk[i];
        name_copies(&alignments[i], s, model, &region);
        weight[i] = weights_of(s, chunk_hypothesis(s, 0), model, format->map);
        heatmap[i] = picture_of(&alignments[i],
                                weight[i] ? weight[i] : chunk_hypothesis(s, 0)->attention, model,
                                format->map.of);
        if (format->heatmap) heatmap_as_text(&heatmap[i], format->colours, format->columns, out);
    }
    if (format->gallery)
        gallery_add(format->gallery, source, t->hypothesis[0].text, heatmap, t->chunks);
    for (size_t i = 0; i < t->chunks; i++) {
        heatmap_free(&heatmap[i]);
        free(weight[i]);
    }
}

/* ---- Lines of text ---- */

static void add_plain(const TranslatedLine *line, const OutputFormat *format, const Model *model,
                      Buf *out)
{
    const Translation *t = line->translation;
    if (t->count && format->score) buf_printf(out, "%.4f", t->hypothesis[0].log_probability);
    else if (t->count) buf_puts(out, t->hypothesis[0].text);
    if (format->alignment) buf_putc(out, '\t');
    if (format->alignment && t->count) line_links(t, 0, model, out);
    buf_putc(out, '\n');
}

static void add_nbest(const TranslatedLine *line, const OutputFormat *format, const Model *model,
                      Buf *out)
{
    const Translation *t = line->translation;
    if (!t->count)
        buf_printf(out, "%ld |||  ||| 0%s\n", line->number, format->alignment ? " ||| " : "");
    for (int i = 0; i < t->count; i++) {
        const LineHypothesis *h = &t->hypothesis[i];
        buf_printf(out, "%ld ||| %s ||| %.4f", line->number, h->text, h->score);
        if (format->alignment) buf_puts(out, " ||| ");
        if (format->alignment) line_links(t, i, model, out);
        buf_putc(out, '\n');
    }
}

/* ---- JSON ---- */

/* Decimals of seconds, and of values computed in float. */
enum { DIGITS = 6 };

static void add_tokens(cJSON *list, const Tokenizer *tokenizer, const int *ids, int count)
{
    for (int i = 0; i < count; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(tokenizer_piece(tokenizer, ids[i])));
}

/* Four decimals: enough for a picture, and a third of the bytes. The row is one item, as text:
 * an item for each number would take ten times the memory. */
static void add_row(cJSON *rows, const float *weight, int count)
{
    SCOPED(buf_free) Buf row = { 0 };
    for (int i = 0; i < count; i++)
        buf_printf(&row, "%c%g", i ? ',' : '[', round((double)weight[i] * 1e4) / 1e4);
    buf_putc(&row, ']');
    cJSON_AddItemToArray(rows, cJSON_CreateRaw(row.text));
}

/* The alternatives of a chunk: [[token, log-probability], ...] for each token. */
static void add_alternatives(cJSON *list, const Hypothesis *found, int count,
                             const Tokenizer *tokenizer)
{
    for (int at = 0; at < found->length; at++) {
        const Alternative *choice = found->alternatives + (size_t)at * (size_t)count;
        cJSON *choices = cJSON_CreateArray();
        for (int i = 0; i < count; i++) {
            cJSON *pair = cJSON_CreateArray();
            const char *token = tokenizer_piece(tokenizer, choice[i].id);
            cJSON_AddItemToArray(pair, cJSON_CreateString(token));
            cJSON_AddItemToArray(pair, json_rounded(choice[i].log_probability, DIGITS));
            cJSON_AddItemToArray(choices, pair);
        }
        cJSON_AddItemToArray(list, choices);
    }
}

/* The members with a value for each token; in each of them the chunks of the line follow one
 * another. */
static void add_chunks(cJSON *object, const Translation *t, int alternatives, const Model *model)
{
    const int size = tokenizer_size(model->target);
    cJSON *source = cJSON_AddArrayToObject(object, "source_tokens");
    cJSON *target = cJSON_AddArrayToObject(object, "target_tokens");
    cJSON *log_probabilities = cJSON_AddArrayToObject(object, "log_probabilities");
    cJSON *rows = cJSON_AddArrayToObject(object, "attention");
    cJSON *chunks = cJSON_AddArrayToObject(object, "stretches");
    cJSON *others = alternatives ? cJSON_AddArrayToObject(object, "alternatives") : NULL;
    for (size_t i = 0; i < t->chunks; i++) {
        const Chunk *s = &t->chunk[i];
        const Hypothesis *found = chunk_hypothesis(s, 0);
        add_tokens(source, model->source, s->source_ids, s->source_length);
        add_tokens(target, model->target, found->ids, found->length);
        for (int at = 0; at < found->length; at++) {
            cJSON *value = json_rounded(found->log_probabilities[at], DIGITS);
            cJSON_AddItemToArray(log_probabilities, value);
            add_row(rows, found->attention + (size_t)at * (size_t)s->source_length,
                    s->source_length);
        }
        const int lengths[] = { s->source_length, found->length };
        cJSON_AddItemToArray(chunks, cJSON_CreateIntArray(lengths, 2));
        if (others)
            add_alternatives(others, found, alternatives < size ? alternatives : size,
                             model->target);
    }
}

/* The members "translation", "score", "log_probability". */
static void add_hypothesis(cJSON *object, const LineHypothesis *h)
{
    cJSON_AddStringToObject(object, "translation", h->text);
    cJSON_AddItemToObject(object, "score", json_rounded(h->score, DIGITS));
    cJSON_AddItemToObject(object, "log_probability", json_rounded(h->log_probability, DIGITS));
}

static void add_json(const TranslatedLine *line, const OutputFormat *format, const Model *model,
                     Buf *out)
{
    static const LineHypothesis nothing = { .text = "" };
    const Translation *t = line->translation;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "source", line->source);
    add_hypothesis(object, t->count ? &t->hypothesis[0] : &nothing);
    cJSON *list = cJSON_AddArrayToObject(object, "nbest");
    for (int i = 0; i < t->count; i++) {
        cJSON *hypothesis = cJSON_CreateObject();
        add_hypothesis(hypothesis, &t->hypothesis[i]);
        cJSON_AddItemToArray(list, hypothesis);
    }
    add_chunks(object, t, format->alternatives, model);
    cJSON_AddItemToObject(object, "seconds", json_rounded(line->seconds, DIGITS));
    SCOPED(xfree_at) char *text = json_text(object, 0);
    buf_printf(out, "%s\n", text);
    cJSON_Delete(object);
}

void format_add(const TranslatedLine *line, const OutputFormat *format, const Model *model,
                Buf *out)
{
    if (format->json) add_json(line, format, model, out);
    else if (format->nbest > 1) add_nbest(line, format, model, out);
    else add_plain(line, format, model, out);
    format_pictures(line->source, line->translation, format, model, out);
}

/* ---- Warnings ---- */

enum { MOST_NAMED = 3, MOST_CHARACTERS = 40 };

const char *const untranslated_text[UNTRANSLATED_KINDS] = {
    [UNTRANSLATED_LOST] = "not in the model's vocabulary, and lost in translation",
    [UNTRANSLATED_BEHIND] = "left out by the network, and written behind the sentence"
};

/* Whether the text is U+FFFD only, which replaced invalid bytes with a warning. */
static int is_repair(const char *text)
{
    while (*text)
        if (unicode_next(&text) != 0xFFFD) return 0;
    return 1;
}

/* Text i of a chunk that is to be copied: of its placeholders first, then of its <unk>. */
static const char *copied_text(const Chunk *chunk, int i)
{
    const int copies = (int)chunk->copies.text.count;
    return i < copies ? copies_at(&chunk->copies, i) : chunk->unknown[i - copies];
}

static Untranslated fate_of(const Chunk *chunk, int i)
{
    const char *text = copied_text(chunk, i);
    if (i < (int)chunk->copies.text.count
        && chunk_lacks_copy(chunk, chunk_hypothesis(chunk, 0), i)) return UNTRANSLATED_BEHIND;
    return strstr(chunk->text[0], text) || is_repair(text) ? UNTRANSLATED_KINDS : UNTRANSLATED_LOST;
}

static void add_quoted(const char *text, Buf *out)
{
    const char *end = text;
    for (int i = 0; *end && i < MOST_CHARACTERS; i++)
        unicode_next(&end);
    buf_putc(out, '\'');
    buf_add(out, text, (size_t)(end - text));
    buf_puts(out, *end ? "…'" : "'");
}

int untranslated_add(const Translation *t, Untranslated kind, Buf *out)
{
    int count = 0;
    for (size_t i = 0; i < t->chunks; i++)
        for (int k = 0; k < (int)t->chunk[i].copies.text.count + t->chunk[i].unknowns; k++) {
            if (fate_of(&t->chunk[i], k) != kind || ++count > MOST_NAMED) continue;
            if (count > 1) buf_puts(out, ", ");
            add_quoted(copied_text(&t->chunk[i], k), out);
        }
    if (count > MOST_NAMED) buf_printf(out, " and %d more", count - MOST_NAMED);
    return count;
}

const char *unfamiliar_text(Unfamiliar kind)
{
    return kind == UNFAMILIAR_TARGET
        ? "most words so far are of the language that the model translates into; is it the right "
          "model?"
        : "the model knows few of the words so far; is this the language that it translates from?";
}
