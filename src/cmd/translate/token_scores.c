/* token_scores.c - tokens in columns. */
#include "cmd/translate/token_scores.h"

#include "picture/heatmap.h"
#include "text/unicode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of a token beside others, of the longest token that is not cut, between columns, and
 * of a probability. */
enum { TOKEN_COLUMNS = 12, WIDEST_TOKEN = 24, GAP = 2, PERCENT_COLUMNS = 8 };

/* The token as in the pictures: with a dot before it where no blank is. */
static char *label_of(const Tokenizer *target, int id)
{
    const char *piece = tokenizer_piece(target, id);
    int marked = !strncmp(piece, WORD_MARK, WORD_MARK_LENGTH);
    int continues = !marked && id >= ID_SPECIALS
        && tokenizer_options(target)->tokens != TOKENS_WORD;
    return heatmap_label(marked ? piece + WORD_MARK_LENGTH : piece, continues);
}

static void add_token(const Tokenizer *target, int id, int columns, Buf *out)
{
    char *label = label_of(target, id);
    size_t start = out->length;
    heatmap_cut(label, columns, out);
    buf_printf(out, "%*s", columns - unicode_columns(out->text + start), "");
    free(label);
}

static int widest_token(const Translation *t, const Tokenizer *target)
{
    int widest = 0;
    for (size_t i = 0; i < t->chunks; i++) {
        const Hypothesis *best = chunk_hypothesis(&t->chunk[i], 0);
        for (int at = 0; at < best->length; at++) {
            char *label = label_of(target, best->ids[at]);
            int columns = unicode_columns(label);
            if (columns > widest) widest = columns;
            free(label);
        }
    }
    return widest < WIDEST_TOKEN ? widest : WIDEST_TOKEN;
}

static void add_percent(double log_probability, Buf *out)
{
    buf_printf(out, "%6.2f %%", 100 * exp(log_probability));
}

void token_scores_probabilities(const Translation *t, const Tokenizer *target, Buf *out)
{
    const int columns = widest_token(t, target);
    double sum = 0;
    int tokens = 0;
    for (size_t i = 0; i < t->chunks; i++) {
        const Hypothesis *best = chunk_hypothesis(&t->chunk[i], 0);
        for (int at = 0; at < best->length; at++) {
            add_token(target, best->ids[at], columns, out);
            buf_printf(out, "%*s%8.4f  ", GAP, "", best->log_probabilities[at]);
            add_percent(best->log_probabilities[at], out);
            buf_putc(out, '\n');
        }
        sum += best->log_probability;
        tokens += best->length;
    }
    buf_printf(out, "%*s%8.4f  log-probability, %.4f a token\n", columns + GAP, "", sum,
               sum / tokens);
}

/* The others that fit into so many columns. */
static void add_others(const Tokenizer *target, const Alternative *others, int count, int chosen,
                       int columns, Buf *out)
{
    const int each = GAP + PERCENT_COLUMNS + 1 + TOKEN_COLUMNS;
    for (int i = 0; i < count && columns >= each; i++) {
        if (others[i].id == chosen || (i > 0 && others[i].id == others[i - 1].id)) continue;
        buf_printf(out, "%*s", GAP, "");
        add_percent(others[i].log_probability, out);
        buf_putc(out, ' ');
        add_token(target, others[i].id, TOKEN_COLUMNS, out);
        columns -= each;
    }
}

void token_scores_alternatives(const Translation *t, const Tokenizer *target, int count, int page,
                               Buf *out)
{
    const int columns = widest_token(t, target), rest = page - PERCENT_COLUMNS - 1 - columns;
    for (size_t i = 0; i < t->chunks; i++) {
        const Hypothesis *best = chunk_hypothesis(&t->chunk[i], 0);
        for (int at = 0; at < best->length; at++) {
            add_percent(best->log_probabilities[at], out);
            buf_putc(out, ' ');
            add_token(target, best->ids[at], columns, out);
            add_others(target, best->alternatives + (size_t)at * (size_t)count, count,
                       best->ids[at], rest, out);
            while (out->text[out->length - 1] == ' ')
                out->text[--out->length] = '\0';
            buf_putc(out, '\n');
        }
    }
}
