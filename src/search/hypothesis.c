/* hypothesis.c - hypotheses, read backwards from their last word, and what their <unk> stand
 * for. */
#include "search/hypothesis.h"

#include "text/tokenizer/tokenizer.h"

#include <string.h>

int hypothesis_is_finished(const Hypothesis *h)
{
    return h->length && h->ids[h->length - 1] == ID_EOS;
}

int hypothesis_same_ids(const Hypothesis *a, const Hypothesis *b)
{
    return a->length == b->length && !memcmp(a->ids, b->ids, (size_t)a->length * sizeof *a->ids);
}

/* Reverses `count` rows of `size` bytes; NULL: there are none. */
static void reverse_rows(void *rows, int count, size_t size)
{
    if (!rows || !count) return;
    char *row = rows, *other = row + ((size_t)count - 1) * size;
    for (; row < other; row += size, other -= size)
        for (size_t i = 0; i < size; i++) {
            const char byte = row[i];
            row[i] = other[i];
            other[i] = byte;
        }
}

void hypothesis_reverse(Hypothesis *h, int source_length, int alternatives)
{
    const int words = h->length - hypothesis_is_finished(h);
    ids_reverse(h->ids, (size_t)h->length);
    reverse_rows(h->log_probabilities, words, sizeof *h->log_probabilities);
    reverse_rows(h->attention, words, (size_t)source_length * sizeof *h->attention);
    reverse_rows(h->alternatives, words, (size_t)alternatives * sizeof *h->alternatives);
}

/* Room for what is kept of each word. */
static Hypothesis hypothesis_new(int length, int source_length, int alternatives, Region *region)
{
    const size_t words = (size_t)length, weights = words * (size_t)source_length;
    const size_t others = words * (size_t)alternatives;
    Hypothesis h = { .length = length };
    h.ids = region_take(region, words, sizeof *h.ids);
    h.log_probabilities = region_take(region, words, sizeof *h.log_probabilities);
    if (weights) h.attention = region_take(region, weights, sizeof *h.attention);
    if (others) h.alternatives = region_take(region, others, sizeof *h.alternatives);
    return h;
}

Hypothesis hypothesis_copy(const Hypothesis *h, int source_length, int alternatives, Region *region)
{
    const size_t words = (size_t)h->length;
    Hypothesis copy = hypothesis_new(h->length, h->attention ? source_length : 0, alternatives,
                                     region);
    copy.log_probability = h->log_probability;
    copy.score = h->score;
    memcpy(copy.ids, h->ids, words * sizeof *copy.ids);
    memcpy(copy.log_probabilities, h->log_probabilities, words * sizeof *copy.log_probabilities);
    if (copy.attention)
        memcpy(copy.attention, h->attention,
               words * (size_t)source_length * sizeof *copy.attention);
    if (copy.alternatives)
        memcpy(copy.alternatives, h->alternatives,
               words * (size_t)alternatives * sizeof *copy.alternatives);
    return copy;
}

Hypothesis hypothesis_of(const Node *node, int length, int source_length, int alternatives,
                         Region *region)
{
    const size_t columns = (size_t)source_length, others = (size_t)alternatives;
    Hypothesis h = hypothesis_new(length, source_length, alternatives, region);
    h.log_probability = node->log_probability;
    for (size_t at = (size_t)length; at-- > 0; node = node->parent) {
        h.ids[at] = node->id;
        const double before = node->parent ? node->parent->log_probability : 0;
        h.log_probabilities[at] = node->log_probability - before;
        for (size_t s = 0; s < columns; s++)
            h.attention[at * columns + s] = (float)node->attention[s];
        if (others)
            memcpy(h.alternatives + at * others, node->alternatives,
                   others * sizeof *h.alternatives);
    }
    return h;
}

const int *unknown_replacements(const Hypothesis *h, const int *source, int source_length,
                                CopyFrom from, Region *region)
{
    const int words = source_length - 1;
    int *place = region_take(region, (size_t)h->length, sizeof *place), count = 0;
    char *is_free = region_take(region, (size_t)source_length, 1);
    for (int s = 0; s < words; s++)
        is_free[s] = from == COPY_ANY || source[s] == ID_UNK;
    for (int t = 0; t < h->length; t++) {
        if (h->ids[t] != ID_UNK) continue;
        const float *weight = h->attention + (size_t)t * (size_t)source_length;
        int best = -1;
        for (int s = 0; s < words; s++)
            if (is_free[s] && (best < 0 || weight[s] > weight[best])) best = s;
        if (best >= 0) is_free[best] = from == COPY_ANY;
        place[count++] = best;
    }
    return place;
}
