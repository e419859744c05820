/* hash.c - a set by open addressing, at most half full. 0 is a free slot: what hashes to it is never
 * found. */
#include "base/hash.h"

#include "base/mem.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 1 << 10 };

static size_t find_slot(const HashSet *set, uint64_t hash)
{
    size_t at = (size_t)(hash ^ hash >> 32) & (set->slots - 1);
    while (set->slot[at] && set->slot[at] != hash)
        at = (at + 1) & (set->slots - 1);
    return at;
}

static void enlarge(HashSet *set)
{
    HashSet larger = { .slots = set->slots ? 2 * set->slots : FIRST_SLOTS, .count = set->count };
    larger.slot = xcalloc(larger.slots, sizeof *larger.slot);
    for (size_t i = 0; i < set->slots; i++)
        if (set->slot[i]) larger.slot[find_slot(&larger, set->slot[i])] = set->slot[i];
    xfree(set->slot);
    *set = larger;
}

int hash_set_add(HashSet *set, uint64_t hash, size_t most)
{
    if (2 * (set->count + 1) > set->slots && set->count < most) enlarge(set);
    size_t at = find_slot(set, hash);
    if (set->slot[at]) return 1;
    if (set->count < most && hash) {
        set->slot[at] = hash;
        set->count++;
    }
    return 0;
}

void hash_set_free(HashSet *set)
{
    xfree(set->slot);
    *set = (HashSet){ 0 };
}
