/* hash.h - FNV-1a, a hash that anyone can compute again:
 * http://www.isthe.com/chongo/tech/comp/fnv/ */
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

#endif
