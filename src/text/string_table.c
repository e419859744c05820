/* string_table.c - a hash table from strings to dense ids, and back. */
#include "text/string_table.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

const char *string_table_text(const StringTable *s, int id)
{
    return s->bytes.text + (id ? s->end[id - 1] + 1 : 0);
}

Slice string_table_at(const StringTable *s, int id)
{
    return slice_between(string_table_text(s, id), s->bytes.text + s->end[id]);
}

static uint32_t hash_of(Slice bytes)
{
    const uint64_t hash = fnv1a64(FNV1A64_START, bytes.text, bytes.length);
    return (uint32_t)(hash ^ hash >> 32);
}

/* The slot that holds the string, or the free one where it belongs. There is always a free one. */
static size_t find_slot(const StringTable *s, uint32_t hash, Slice bytes)
{
    size_t at = hash & (s->slots - 1);
    for (int id; (id = s->slot[at] - 1) >= 0; at = (at + 1) & (s->slots - 1))
        if (s->hash[id] == hash && slices_equal(string_table_at(s, id), bytes)) break;
    return at;
}

static void enlarge(StringTable *s)
{
    s->slots = s->slots ? 2 * s->slots : FIRST_SLOTS;
    xfree(s->slot);
    s->slot = xcalloc(s->slots, sizeof *s->slot);
    for (int id = 0; id < (int)s->count; id++) {
        size_t at = s->hash[id] & (s->slots - 1);
        while (s->slot[at])
            at = (at + 1) & (s->slots - 1);
        s->slot[at] = id + 1;
    }
}

int string_table_find(const StringTable *s, Slice bytes)
{
    return s->slots ? s->slot[find_slot(s, hash_of(bytes), bytes)] - 1 : -1;
}

int string_table_add(StringTable *s, Slice bytes)
{
    const uint32_t hash = hash_of(bytes);
    if (2 * s->count >= s->slots) enlarge(s);
    int *slot = &s->slot[find_slot(s, hash, bytes)];
    if (*slot) return *slot - 1;
    const size_t id = s->count++;
    s->end = grow(s->end, &s->end_capacity, s->count, sizeof *s->end);
    s->tally = grow(s->tally, &s->tally_capacity, s->count, sizeof *s->tally);
    s->hash = grow(s->hash, &s->hash_capacity, s->count, sizeof *s->hash);
    buf_add(&s->bytes, bytes.text, bytes.length);
    s->end[id] = s->bytes.length;
    s->tally[id] = 0;
    s->hash[id] = hash;
    buf_putc(&s->bytes, '\0');
    *slot = (int)id + 1;
    return (int)id;
}

int string_table_count(StringTable *s, Slice bytes, long times)
{
    const int id = string_table_add(s, bytes);
    s->tally[id] += times;
    return id;
}

int string_table_compare(const StringTable *s, int one, int other)
{
    const Slice a = string_table_at(s, one), b = string_table_at(s, other);
    const int order = memcmp(a.text, b.text, a.length < b.length ? a.length : b.length);
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

typedef struct { long tally; int id; const StringTable *table; } Ranked;

static int by_falling_tally(const void *one, const void *other)
{
    const Ranked *a = one, *b = other;
    if (a->tally != b->tally) return a->tally > b->tally ? -1 : 1;
    return string_table_compare(a->table, a->id, b->id);
}

int *string_table_most_common(const StringTable *s)
{
    SCOPED(xfree_at) Ranked *ranked = xmalloc(s->count, sizeof *ranked);
    int *ids = xmalloc(s->count, sizeof *ids);
    for (size_t i = 0; i < s->count; i++)
        ranked[i] = (Ranked){ s->tally[i], (int)i, s };
    qsort(ranked, s->count, sizeof *ranked, by_falling_tally);
    for (size_t i = 0; i < s->count; i++)
        ids[i] = ranked[i].id;
    return ids;
}

void string_table_clear(StringTable *s)
{
    buf_clear(&s->bytes);
    if (s->slots) memset(s->slot, 0, s->slots * sizeof *s->slot);
    s->count = 0;
}

void string_table_free(StringTable *s)
{
    buf_free(&s->bytes);
    xfree(s->end);
    xfree(s->tally);
    xfree(s->hash);
    xfree(s->slot);
    *s = (StringTable){ 0 };
}
