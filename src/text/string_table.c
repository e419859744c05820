/* string_table.c - a hash table from strings to dense ids, and back. */
#include "text/string_table.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

static size_t start_of(const StringTable *s, int id)
{
    return id ? s->end[id - 1] + 1 : 0;
}

Slice string_table_at(const StringTable *s, int id)
{
    const size_t start = start_of(s, id);
    return (Slice){ s->bytes.text + start, s->end[id] - start };
}

size_t string_table_length(const StringTable *s, int id)
{
    return s->end[id] - start_of(s, id);
}

const char *string_table_text(const StringTable *s, int id)
{
    return s->bytes.text + start_of(s, id);
}

static uint32_t hash_of(const void *bytes, size_t length)
{
    const uint64_t hash = fnv1a64(FNV1A64_START, bytes, length);
    return (uint32_t)(hash ^ hash >> 32);
}

/* The slot that holds the string, or the free one where it belongs. There is always a free one. */
static size_t find_slot(const StringTable *s, uint32_t hash, const void *bytes, size_t length)
{
    size_t at = hash & (s->slots - 1);
    while (s->slot[at]) {
        const int id = s->slot[at] - 1;
        const Slice found = string_table_at(s, id);
        if (s->hash[id] == hash && found.length == length && !memcmp(found.text, bytes, length)) break;
        at = (at + 1) & (s->slots - 1);
    }
    return at;
}

static size_t find_free_slot(const StringTable *s, uint32_t hash)
{
    size_t at = hash & (s->slots - 1);
    while (s->slot[at])
        at = (at + 1) & (s->slots - 1);
    return at;
}

static void enlarge(StringTable *s)
{
    s->slots = s->slots ? 2 * s->slots : FIRST_SLOTS;
    xfree(s->slot);
    s->slot = xcalloc(s->slots, sizeof *s->slot);
    for (int id = 0; id < (int)s->count; id++)
        s->slot[find_free_slot(s, s->hash[id])] = id + 1;
}

int string_table_find(const StringTable *s, const void *bytes, size_t length)
{
    return s->slots ? s->slot[find_slot(s, hash_of(bytes, length), bytes, length)] - 1 : -1;
}

/* Behind all others, in that slot. */
static int append(StringTable *s, size_t slot, const void *bytes, size_t length)
{
    const size_t id = s->count++;
    s->end = grow(s->end, &s->end_capacity, s->count, sizeof *s->end);
    s->tally = grow(s->tally, &s->tally_capacity, s->count, sizeof *s->tally);
    s->hash = grow(s->hash, &s->hash_capacity, s->count, sizeof *s->hash);
    buf_add(&s->bytes, bytes, length);
    s->end[id] = s->bytes.length;
    s->tally[id] = 0;
    buf_putc(&s->bytes, '\0');
    s->slot[slot] = (int)id + 1;
    return (int)id;
}

int string_table_add(StringTable *s, const void *bytes, size_t length)
{
    const uint32_t hash = hash_of(bytes, length);
    if (2 * s->count >= s->slots) enlarge(s);
    const size_t at = find_slot(s, hash, bytes, length);
    if (s->slot[at]) return s->slot[at] - 1;
    const int id = append(s, at, bytes, length);
    s->hash[id] = hash;
    return id;
}

int string_table_count(StringTable *s, const void *bytes, size_t length, long times)
{
    int id = string_table_add(s, bytes, length);
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
    Ranked *ranked = xmalloc(s->count, sizeof *ranked);
    int *ids = xmalloc(s->count, sizeof *ids);
    for (size_t i = 0; i < s->count; i++)
        ranked[i] = (Ranked){ s->tally[i], (int)i, s };
    qsort(ranked, s->count, sizeof *ranked, by_falling_tally);
    for (size_t i = 0; i < s->count; i++)
        ids[i] = ranked[i].id;
    xfree(ranked);
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
