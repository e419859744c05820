/* string_table.h - distinct byte strings, numbered 0, 1, 2 ... in the order in which they were
 * added, each with a count.
 *
 * The one hash table of this layer. It holds the words of a text, the entries of a vocabulary, and
 * pairs of ids (eight bytes are a string as well). Zero-initialise it; string_table_free releases.
 */
#ifndef ATTN_TEXT_STRING_TABLE_H
#define ATTN_TEXT_STRING_TABLE_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
    size_t  count;
    Buf     bytes;              /* all strings one after another, each with a NUL behind it */
    size_t *end;                /* (count) where each string ends in `bytes`: its NUL */
    long   *tally;              /* (count) sum of what string_table_count added */
    uint32_t *hash;             /* (count) so that more slots need no look at the strings */
    size_t  end_capacity, tally_capacity, hash_capacity;
    int    *slot;               /* (slots) id + 1, 0: free; open addressing, at most half full */
    size_t  slots;              /* a power of two */
} StringTable;

/* string_table_add - adds the string unless it is there; returns its id.
 * string_table_find - its id, or -1.
 * string_table_count - adds it, and `times` to its tally; returns its id. */
int string_table_add(StringTable *s, Slice bytes);
int string_table_find(const StringTable *s, Slice bytes);
int string_table_count(StringTable *s, Slice bytes, long times);

/* string_table_at, string_table_text - a string, NUL-terminated; valid until the next one is added. */
Slice       string_table_at(const StringTable *s, int id);
const char *string_table_text(const StringTable *s, int id);

/* string_table_compare - by bytes: below 0, 0 or above 0 if the first string comes before, equals
 * or comes after the second. */
int string_table_compare(const StringTable *s, int one, int other);

/* string_table_most_common - a new array of all ids by falling tally, ties by bytes; so the order
 * in which they were added does not matter. The caller frees it. */
int *string_table_most_common(const StringTable *s);

void string_table_clear(StringTable *s);        /* empty, keeps its memory */
void string_table_free(StringTable *s);

#endif
