/* hash.h - FNV-1a, a hash that anyone can compute again
 * (http://www.isthe.com/chongo/tech/comp/fnv/), and sets of 64-bit hashes. With 10^8 things, two have
 * the same hash with probability 10^8^2 / 2^65 = 0.0003. */
#ifndef ATTN_BASE_HASH_H
#define ATTN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define FNV1A64_START 0xcbf29ce484222325u

/* fnv1a64 - goes on from `hash`; the first call starts with FNV1A64_START. */
static inline uint64_t fnv1a64(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash;
}

/* Zero-initialise. 16 to 32 bytes a hash, 48 while it grows. */
typedef struct { uint64_t *slot; size_t slots, count; } HashSet;

/* hash_set_add - adds the hash if the set has fewer than `most`; returns whether it was there
 * before.
 * hash_set_free - leaves the set empty. */
int  hash_set_add(HashSet *set, uint64_t hash, size_t most);
void hash_set_free(HashSet *set);

#endif
