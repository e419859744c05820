/* robust_score.c - counts items, and adds up the statistics of BLEU. */
#include "analysis/robust_score.h"

#include "base/mem.h"
#include "text/noise.h"

#include <stdlib.h>
#include <string.h>

/* ---- Items ---- */

static void score_items(const RobustLines *lines, RobustRow row, const char *const *output,
                        RobustScore *score)
{
    for (size_t i = 0; i < lines->items.count; i++) {
        const KeptItem *item = &lines->items.item[i];
        if (item->line < lines->first[row] || item->line >= lines->first[row + 1]) continue;
        score->measured++;
        score->kept += kept_item_times(item, output[item->line]) == item->times;
    }
}

/* ---- BLEU ---- */

typedef struct {
    const RobustLines  *lines;
    RobustRow           row;
    const char *const  *output;
    BleuOptions         options;
    BleuStats           altered, plain;
} Scoring;

/* How many plain lines are one sentence of the row. */
static size_t members(RobustRow row)
{
    return row == ROBUST_JOINED ? JOINED : 1;
}

/* Appends a translation or a reference as the row compares it. */
static void add_compared(RobustRow row, const char *text, Buf *out)
{
    if (row == ROBUST_SMALL_NO_FINAL) noise_add(NOISE_FINAL, text, strlen(text), 0, out);
    else buf_puts(out, text);
}

/* Appends the translation of a word in tags without these; nothing if it doesn't have each once. */
static void add_untagged(const char *text, Buf *out)
{
    const char *tag = strstr(text, ROBUST_TAG), *end = tag ? strstr(tag, ROBUST_END_TAG) : NULL;
    if (!end || strstr(tag + 1, ROBUST_TAG) || strstr(end + 1, ROBUST_END_TAG)) return;
    const char *word = tag + strlen(ROBUST_TAG);
    buf_add(out, text, (size_t)(tag - text));
    buf_add(out, word, (size_t)(end - word));
    buf_puts(out, end + strlen(ROBUST_END_TAG));
}

/* Appends the translation of plain line `number` with an aside without it; nothing if it doesn't have
 * that once. */
static void add_without_aside(const RobustLines *lines, size_t number, const char *text, Buf *out)
{
    Buf aside = { 0 };
    robust_add_aside(lines, number, &aside);
    const char *place = strstr(text, aside.text);
    if (place && !strstr(place + 1, aside.text)) {
        buf_add(out, text, (size_t)(place - text));
        buf_puts(out, place + aside.length);
    }
    buf_free(&aside);
}

/* Appends the translation of plain line `number` as the row alters it, as the row compares it. */
static void add_altered(const Scoring *s, size_t number, const char *text, Buf *out)
{
    if (s->row == ROBUST_TAGS) add_untagged(text, out);
    else if (s->row == ROBUST_ASIDE) add_without_aside(s->lines, number, text, out);
    else add_compared(s->row, text, out);
}

/* Appends the texts of successive plain lines, as one; reference: its number, or -1 for the
 * translation. */
static void add_plain(const Scoring *s, size_t number, int reference, Buf *out)
{
    const Segments *segments = s->lines->segments;
    Buf text = { 0 };
    for (size_t i = number; i < number + members(s->row); i++) {
        const size_t segment = s->lines->origin[i];
        const int last = segments->references[segment] - 1;
        if (i > number) buf_putc(&text, ' ');
        add_compared(s->row, reference < 0 ? s->output[i]
                             : segments->reference[segment][reference < last ? reference : last],
                     &text);
    }
    robust_add_around(s->lines, s->row, number, text.text, out);
    buf_free(&text);
}

static int most_references(const Scoring *s, size_t number)
{
    const RobustLines *lines = s->lines;
    int most = 0;
    for (size_t i = number; i < number + members(s->row); i++) {
        const int references = lines->segments->references[lines->origin[i]];
        if (references > most) most = references;
    }
    return most;
}

/* Adds a sentence of the row: from plain line `number` on; altered: its translation, or NULL for
 * the plain one. */
static void add_sentence(Scoring *s, size_t number, const char *altered)
{
    const int count = most_references(s, number);
    Buf hypothesis = { 0 }, plain = { 0 }, *texts = xcalloc((size_t)count, sizeof *texts);
    const char **references = xmalloc((size_t)count, sizeof *references);
    for (int r = 0; r < count; r++) {
        add_plain(s, number, r, &texts[r]);
        references[r] = texts[r].text;
    }
    add_plain(s, number, -1, &plain);
    buf_clear(&hypothesis);
    if (altered) add_altered(s, number, altered, &hypothesis);
    else buf_puts(&hypothesis, plain.text);
    bleu_add(&s->altered, &s->options, hypothesis.text, references, count);
    bleu_add(&s->plain, &s->options, plain.text, references, count);
    for (int r = 0; r < count; r++) buf_free(&texts[r]);
    buf_free(&hypothesis);
    buf_free(&plain);
    free(texts);
    free(references);
}

/* Adds all sentences: those of joined lines only where the line is complete. */
static void add_sentences(Scoring *s)
{
    const RobustLines *lines = s->lines;
    const size_t end = lines->first[s->row + 1];
    size_t line = lines->first[s->row];
    for (size_t i = 0; i < lines->first[ROBUST_NAMES]; i++) {
        const int altered = line < end && lines->origin[line] == i;
        if (altered || s->row != ROBUST_JOINED)
            add_sentence(s, i, altered ? s->output[line] : NULL);
        line += (size_t)altered;
    }
}

static int is_about_case(RobustRow row)
{
    return row == ROBUST_CAPITALS || row == ROBUST_SMALL || row == ROBUST_SMALL_NO_FINAL;
}

static void score_bleu(const RobustLines *lines, RobustRow row, const char *const *output,
                       const BleuOptions *options, RobustScore *score)
{
    Scoring s = { .lines = lines, .row = row, .output = output, .options = *options };
    score->measured = score->lines;
    if (!score->measured) return;
    if (is_about_case(row)) s.options.lowercase = 1;
    add_sentences(&s);
    score->bleu = bleu_score(&s.altered, &s.options).score;
    score->plain = bleu_score(&s.plain, &s.options).score;
}

RobustScore robust_score(const RobustLines *lines, RobustRow row, const char *const *output,
                         const BleuOptions *options)
{
    RobustScore score = { .lines = lines->first[row + 1] - lines->first[row] };
    if (robust_row_is_kept(row)) {
        score_items(lines, row, output, &score);
        if (score.measured) score.share = 100.0 * (double)score.kept / (double)score.measured;
    } else {
        score_bleu(lines, row, output, options, &score);
        if (score.plain > 0) score.share = 100.0 * score.bleu / score.plain;
    }
    return score;
}
