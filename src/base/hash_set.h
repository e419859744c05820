/* hash_set.h - a set of 64-bit hashes. With 10^8 things, two have the same hash with
 * probability 10^8^2 / 2^65 = 0.0003.
 */
#ifndef ATTN_BASE_HASH_SET_H
#define ATTN_BASE_HASH_SET_H

#include <stddef.h>
#include <stdint.h>

/* Zero-initialise. 16 to 32 bytes a hash, 48 while it grows. */
typedef struct { uint64_t *slot; size_t slots, count; } HashSet;

/* hash_set_add - adds the hash if the set has fewer than `most`; returns whether it was there
 * before.
 * hash_set_free - leaves the set empty. */
int  hash_set_add(HashSet *set, uint64_t hash, size_t most);
void hash_set_free(HashSet *set);

#endif
