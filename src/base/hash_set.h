/* hash_set.h - a set of 64-bit hashes. Of 10^8 things two have the same hash with a probability of
 * 10^8^2 / 2^65 = 0.0003.
 */
#ifndef ATTN_BASE_HASH_SET_H
#define ATTN_BASE_HASH_SET_H

#include <stddef.h>
#include <stdint.h>

/* Zero-initialise. 16 to 32 bytes a hash, 48 while it grows. */
typedef struct { uint64_t *slot; size_t slots, count; } HashSet;

/* hash_set_add - whether the hash was known; if not it is now, as long as there are fewer than
 * `most`. hash_set_free leaves it empty. */
int  hash_set_add(HashSet *set, uint64_t hash, size_t most);
void hash_set_free(HashSet *set);

#endif
