/* hypothesis.c - see hypothesis.h. */
#include "search/hypothesis.h"

#include "base/mem.h"
#include "text/tokenizer/tokenizer.h"

#include <stdlib.h>

void hypothesis_free(Hypothesis *h)
{
    xfree(h->ids);
    xfree(h->log_probabilities);
    xfree(h->attention);
    xfree(h->alternatives);
}

int hypothesis_is_finished(const Hypothesis *h)
{
    return h->length && h->ids[h->length - 1] == ID_EOS;
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
