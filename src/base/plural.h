/* plural.h - "1 line", "2 lines": for messages that count. */
#ifndef ATTN_BASE_PLURAL_H
#define ATTN_BASE_PLURAL_H

/* plural - the end of a noun behind this number: printf("%ld line%s", n, plural(n)). */
static inline const char *plural(double count)
{
    return count == 1 ? "" : "s";
}

#endif
