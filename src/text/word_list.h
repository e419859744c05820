/* word_list.h - short lists of words, such as abbreviations and conjunctions. */
#ifndef ATTN_TEXT_WORD_LIST_H
#define ATTN_TEXT_WORD_LIST_H

#include <stddef.h>
#include <string.h>

/* word_list_has - whether at..end is one of `words` (NULL-terminated), byte for byte. */
static inline int word_list_has(const char *const *words, const char *at, const char *end)
{
    const size_t length = (size_t)(end - at);
    for (; *words; words++)
        if (strlen(*words) == length && !memcmp(*words, at, length)) return 1;
    return 0;
}

#endif
