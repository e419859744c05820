/* suffix.h - how a name ends. */
#ifndef ATTN_BASE_SUFFIX_H
#define ATTN_BASE_SUFFIX_H

#include <string.h>
#include <strings.h>

/* ends_with - whether the text ends in these bytes. */
static inline int ends_with(const char *text, const char *suffix)
{
    const size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && !strcmp(text + length - tail, suffix);
}

/* has_extension - whether the name of a file ends in the extension (".svg"), in capital or small
 * letters, with something before it. */
static inline int has_extension(const char *name, const char *extension)
{
    const size_t length = strlen(name), tail = strlen(extension);
    return length > tail && !strcasecmp(name + length - tail, extension);
}

#endif
