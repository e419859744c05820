/* output_format.c - a translation in each of its forms. */
#include "cmd/translate/output_format.h"

#include "base/mem.h"
#include "text/letter_case.h"
#include "translate/alignment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Attention over pieces ---- */

/* Whether the text is no piece of the vocabulary. */
static int is_copied(const Chunk *s, int id)
{
    return id == ID_UNK || (s->copies.text.count && placeholder_bit(id));
}

/* A text without the mark of a word. */
static const char *unmarked(const char *text)
{
    return text + words_mark_length(text, strlen(text));
}

/* The <unk> and placeholders of the source become the texts that they are in the line. */
static void name_source_copies(Piece *source, const Chunk *s, const Model *model)
{
    for (int i = 0; i < s->source_length; i++)
        if (is_copied(s, s->source_ids[i]))
            source[i].text = unmarked(chunk_source_text(s, i, model->source));
}

/* Those of the target become what replaces them in the translation. */
static void name_target_copies(Piece *target, const Chunk *s, const Model *model, Region *region)
{
    const Hypothesis *h = chunk_hypothesis(s, 0);
    const char **list = chunk_replacements(s, h, model->source, region);
    for (int i = 0; list && i < h->length; i++)
        if (list[i]) target[i].text = unmarked(list[i]);
}

static void name_labels(char **labels, const Piece *pieces, int count)
{
    for (int i = 0; i < count; i++)
        labels[i] = heatmap_label(pieces[i].text, i > 0 && pieces[i].word == pieces[i - 1].word);
}

/* The text of the pieces. */
static char *join_pieces(const Piece *pieces, int count)
{
    Buf text = { 0 };
    buf_clear(&text);
    for (int i = 0; i < count && pieces[i].word >= 0; i++) {
        if (i && pieces[i].word != pieces[i - 1].word) buf_putc(&text, ' ');
        buf_puts(&text, pieces[i].text);
    }
    char *shown = heatmap_label(text.text, 0);
    buf_free(&text);
    return shown;
}

/* The weights that the pictures show of a chunk, for free(): those of the chosen heads, or of the
 * search. */
static float *weights_of(const Chunk *s, const Hypothesis *found, const Model *model,
                         MapChoice choice)
{
    const Architecture net = model_architecture(model);
    const Weights w = weights_at(model->table, model->weights);
    const size_t count = (size_t)s->source_length * (size_t)found->length;
    const Sentence pair = { s->source_ids, found->ids, s->source_length, found->length, 0 };
    if (!attention_map_is_usual(choice)) return attention_map(&net, &w, &pair, ID_BOS, choice);
    return memcpy(xmalloc(count, sizeof(float)), found->attention, count * sizeof(float));
}

/* The columns of a target that looks at itself: the words that it reads. */
static void name_words_read(char **labels, const Alignment *a, const Model *model)
{
    labels[0] = heatmap_label(tokenizer_piece(model->target, ID_BOS), 0);
    name_labels(labels + 1, a->target, a->target_count - 1);
}

/* A picture, and the weights in it; pictures_free releases them. */
typedef struct {
    Heatmap *heatmap;           /* (count) */
    float  **weight;            /* (count) */
    size_t   count;
} Pictures;

static Heatmap picture_of(const Alignment *a, const float *weight, const Model *model, MapKind of)
{
    Heatmap h;
    const int columns = of == MAP_TARGET ? a->target_count : a->source_count;
    const int rows = of == MAP_SOURCE ? a->source_count : a->target_count;
    heatmap_init(&h, columns, rows, weight);
    if (of == MAP_TARGET) name_words_read(h.source, a, model);
    else name_labels(h.source, a->source, columns);
    name_labels(h.target, of == MAP_SOURCE ? a->source : a->target, rows);
    h.source_text = join_pieces(a->source, a->source_count);
    h.target_text = join_pieces(a->target, a->target_count);
    return h;
}

/* Puts a label into the case of the chunk; returns whether it has a letter. */
static int restore_case(char **label, OutputCase output, const char *language)
{
    Buf cased = { 0 };
    if (**label == '<') return 0;           /* <bos>, <eos> */
    buf_clear(&cased);
    mask_output(*label, strlen(*label), output, language, NULL, 0, &cased);
    const int has_letter = letter_case_shape(*label, strlen(*label)) > SHAPE_UNCASED;
    free(*label);
    *label = cased.text;
    return has_letter;
}

/* The network sees words in their usual case; a picture has them as they were written, as far as
 * the chunk as a whole says so. */
static void restore_labels(char **labels, int count, OutputCase output, const char *language)
{
    for (int i = 0; i < count && output != CASE_AS_WRITTEN; i++)
        if (restore_case(&labels[i], output, language) && output == CASE_FIRST_CAPITAL) return;
}

static void restore_picture(Heatmap *h, const Chunk *chunk, const Model *model)
{
    const char *source = lexicon_language(model->source_lexicon);
    restore_labels(h->source, h->source_count, chunk->output, source);
    restore_labels(h->target, h->target_count, chunk->output, chunk->language);
    restore_case(&h->source_text, chunk->output, source);
    restore_case(&h->target_text, chunk->output, chunk->language);
}

/* The pictures of the best hypothesis, one a chunk. */
static Pictures pictures_of(const Translation *t, const Model *model, MapChoice choice)
{
    Region region = { 0 };
    const Alignment *alignments = line_alignments(t, 0, model, &region);
    Pictures p = { xmalloc(t->chunks, sizeof *p.heatmap), xmalloc(t->chunks, sizeof *p.weight),
                   t->chunks };
    for (size_t i = 0; i < t->chunks; i++) {
        const Chunk *s = &t->chunk[i];
        const Alignment *a = &alignments[i];
        name_target_copies(a->target, s, model, &region);
        name_source_copies(a->source, s, model);
        p.weight[i] = weights_of(s, chunk_hypothesis(s, 0), model, choice);
        p.heatmap[i] = picture_of(a, p.weight[i], model, choice.of);
        restore_picture(&p.heatmap[i], s, model);
    }
    region_free(&region);
    return p;
}

static void pictures_free(Pictures *p)
{
    for (size_t i = 0; i < p->count; i++) {
        heatmap_free(&p->heatmap[i]);
        free(p->weight[i]);
    }
    free(p->heatmap);
    free(p->weight);
}

void format_heatmap(const Translation *t, const OutputFormat *format, const Model *model, Buf *out)
{
    if (!t->count) return;
    Pictures p = pictures_of(t, model, format->map);
    for (size_t i = 0; i < p.count; i++)
        heatmap_as_text(&p.heatmap[i], format->colours, format->columns, out);
    pictures_free(&p);
}

void format_picture(const char *source, const Translation *t, const OutputFormat *format,
                    const Model *model, Gallery *gallery)
{
    if (!t->count) return;
    Pictures p = pictures_of(t, model, format->map);
    gallery_add(gallery, source, t->hypothesis[0].text, p.heatmap, p.count);
    pictures_free(&p);
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

/* Appends a text whose bars can't be taken for those between fields: where three or more follow one another, they are
 * written as Moses writes them. */
static void add_field(const char *text, Buf *out)
{
    enum { BARS = 3 };
    while (*text) {
        const size_t plain = strcspn(text, "|"), bars = strspn(text + plain, "|");
        buf_add(out, text, bars < BARS ? plain + bars : plain);
        for (size_t i = 0; i < bars && bars >= BARS; i++)
            buf_puts(out, "&#124;");
        text += plain + bars;
    }
}

static void add_nbest(const TranslatedLine *line, const OutputFormat *format, const Model *model,
                      Buf *out)
{
    const Translation *t = line->translation;
    if (!t->count)
        buf_printf(out, "%ld |||  ||| 0%s\n", line->number, format->alignment ? " ||| " : "");
    for (int i = 0; i < t->count; i++) {
        const LineHypothesis *h = &t->hypothesis[i];
        buf_printf(out, "%ld ||| ", line->number);
        add_field(h->text, out);
        buf_printf(out, " ||| %.4f", h->score);
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
    Buf row = { 0 };
    for (int i = 0; i < count; i++)
        buf_printf(&row, "%c%g", i ? ',' : '[', round((double)weight[i] * 1e4) / 1e4);
    buf_putc(&row, ']');
    cJSON_AddItemToArray(rows, cJSON_CreateRaw(row.text));
    buf_free(&row);
}

static void add_log_probabilities(cJSON *list, const Hypothesis *found)
{
    for (int i = 0; i < found->length; i++)
        cJSON_AddItemToArray(list, json_rounded(found->log_probabilities[i], DIGITS));
}

/* [[token, log-probability], ...] */
static cJSON *choices_to_json(const Alternative *choice, int count, const Tokenizer *tokenizer)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < count; i++) {
        cJSON *pair = cJSON_CreateArray();
        cJSON_AddItemToArray(pair, cJSON_CreateString(tokenizer_piece(tokenizer, choice[i].id)));
        cJSON_AddItemToArray(pair, json_rounded(choice[i].log_probability, DIGITS));
        cJSON_AddItemToArray(list, pair);
    }
    return list;
}

/* The alternatives of every position. */
static void add_alternatives(cJSON *object, const Translation *t, int count, const Model *model)
{
    cJSON *list = cJSON_AddArrayToObject(object, "alternatives");
    if (count > tokenizer_size(model->target)) count = tokenizer_size(model->target);
    for (size_t i = 0; i < t->chunks; i++) {
        const Hypothesis *found = chunk_hypothesis(&t->chunk[i], 0);
        for (int at = 0; at < found->length; at++)
            cJSON_AddItemToArray(list,
                                 choices_to_json(found->alternatives + (size_t)at * (size_t)count,
                                                 count, model->target));
    }
}

/* The members with a value for each token; in each of them the chunks of the line follow one
 * another. */
static void add_tokens_of_chunks(cJSON *object, const Translation *t, const Model *model)
{
    cJSON *source = cJSON_AddArrayToObject(object, "source_tokens");
    cJSON *target = cJSON_AddArrayToObject(object, "target_tokens");
    cJSON *log_probabilities = cJSON_AddArrayToObject(object, "log_probabilities");
    cJSON *rows = cJSON_AddArrayToObject(object, "attention"),
        *chunks = cJSON_AddArrayToObject(object, "stretches");
    for (size_t i = 0; i < t->chunks; i++) {
        const Chunk *s = &t->chunk[i];
        const Hypothesis *found = chunk_hypothesis(s, 0);
        add_tokens(source, model->source, s->source_ids, s->source_length);
        add_tokens(target, model->target, found->ids, found->length);
        add_log_probabilities(log_probabilities, found);
        for (int row = 0; row < found->length; row++)
            add_row(rows, found->attention + (size_t)row * (size_t)s->source_length,
                    s->source_length);
        cJSON_AddItemToArray(chunks, cJSON_CreateIntArray((int[]){ s->source_length,
                                                                   found->length }, 2));
    }
}

/* The members "translation", "score", "log_probability". */
static void add_hypothesis(cJSON *object, const LineHypothesis *h)
{
    cJSON_AddStringToObject(object, "translation", h->text);
    cJSON_AddItemToObject(object, "score", json_rounded(h->score, DIGITS));
    cJSON_AddItemToObject(object, "log_probability", json_rounded(h->log_probability, DIGITS));
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

static void add_json(const TranslatedLine *line, const OutputFormat *format, const Model *model,
                     Buf *out)
{
    static const LineHypothesis nothing = { .text = "" };
    const Translation *t = line->translation;

    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "source", line->source);
    add_hypothesis(object, t->count ? &t->hypothesis[0] : &nothing);
    cJSON_AddItemToObject(object, "nbest", hypotheses_to_json(t));
    add_tokens_of_chunks(object, t, model);
    if (format->alternatives) add_alternatives(object, t, format->alternatives, model);
    cJSON_AddItemToObject(object, "seconds", json_rounded(line->seconds, DIGITS));
    char *text = json_text(object, 0);
    buf_puts(out, text);
    buf_putc(out, '\n');
    free(text);
    cJSON_Delete(object);
}

void format_add(const TranslatedLine *line, const OutputFormat *format, const Model *model,
                Buf *out)
{
    if (format->json) add_json(line, format, model, out);
    else if (format->nbest > 1) add_nbest(line, format, model, out);
    else add_plain(line, format, model, out);
    if (format->heatmap) format_heatmap(line->translation, format, model, out);
}
