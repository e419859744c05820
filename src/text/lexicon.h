/* lexicon.h - distinct byte strings, numbered 0, 1, 2 ... in the order they came; and how often each came.
 *
 * The one hash table of this layer: it holds the words of a text, the entries of a vocabulary, and pairs of ids (eight
 * bytes are a string as well). Zero-initialise it; lexicon_free releases.
 */
#ifndef ATTN_TEXT_LEXICON_H
#define ATTN_TEXT_LEXICON_H

#include "base/buf.h"

#include <stddef.h>

typedef struct {
    size_t  count;
    Buf     bytes;                  /* all strings one after another, each with a NUL behind it */
    size_t *end;                    /* (count) where each string ends in `bytes`: its NUL */
    long   *tally;                  /* (count) sum of what lexicon_count added */
    size_t  end_capacity, tally_capacity;
    int    *slot;                   /* (slots) id + 1, 0: free; open addressing, at most half full */
    size_t  slots;                  /* a power of two */
} Lexicon;

int lexicon_add(Lexicon *s, const void *bytes, size_t length);          /* its id, new or old */
int lexicon_find(const Lexicon *s, const void *bytes, size_t length);   /* its id, or -1 */
int lexicon_count(Lexicon *s, const void *bytes, size_t length, long times);   /* adds to its tally too; its id */

/* lexicon_text - NUL-terminated; valid until the next lexicon_add. */
const char *lexicon_text(const Lexicon *s, int id);
size_t      lexicon_length(const Lexicon *s, int id);

/* lexicon_compare - below 0, 0 or above 0: the first string's bytes stand before, with or behind the second's. */
int lexicon_compare(const Lexicon *s, int one, int other);

/* lexicon_most_common - a new array of all ids, the highest tally first, ties by bytes: the order of arrival doesn't
 * matter. */
int *lexicon_most_common(const Lexicon *s);

void lexicon_free(Lexicon *s);

#endif
