/* address.c - web and mail addresses in running text. */
#include "text/address.h"

#include "text/unicode.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static int is_ascii_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int is_ascii_word(char c)
{
    return is_ascii_letter(c) || (c >= '0' && c <= '9');
}

/* ---- Web ---- */

/* The end of the "https://" or "www." at `at`, or NULL. */
static const char *web_prefix_end(const char *at, const char *end)
{
    static const char *const prefixes[] = { "http://", "https://", "ftp://", "www.", NULL };
    char first = (char)(*at | 0x20);                /* lower case; saves comparing at nearly every
                                                       word */
    if (first != 'h' && first != 'f' && first != 'w') return NULL;
    for (const char *const *prefix = prefixes; *prefix; prefix++) {
        size_t length = strlen(*prefix);
        if ((size_t)(end - at) > length && strncasecmp(at, *prefix, length) == 0)
            return at + length;
    }
    return NULL;
}

static int is_web_character(int32_t point)
{
    if (point < 0x80) return point > ' ' && point < 0x7F && !strchr("<>\"{}|\\^`", point);
    return unicode_is_letter(point) || unicode_is_number(point) || unicode_is_mark(point);
}

static long count_of(const char *at, const char *end, char wanted)
{
    long count = 0;
    for (; at < end; at++)
        count += *at == wanted;
    return count;
}

/* Whether the last character of start..end is punctuation of the sentence around the address. */
static int ends_in_punctuation(const char *start, const char *end)
{
    char last = end[-1];
    if (last == ')') return count_of(start, end, ')') > count_of(start, end, '(');
    if (last == ']') return count_of(start, end, ']') > count_of(start, end, '[');
    return strchr(".,!?;:'", last) != NULL;
}

static const char *web_end(const char *at, const char *end)
{
    const char *rest = web_prefix_end(at, end), *after = rest;
    if (!rest) return NULL;
    for (const char *next = after; next < end && is_web_character(unicode_next(&next));)
        after = next;
    while (after > rest && ends_in_punctuation(rest, after))
        after--;
    return after > rest ? after : NULL;
}

/* ---- Mail ---- */

static int is_mail_name(char c)
{
    return is_ascii_word(c) || c == '.' || c == '_' || c == '%' || c == '+' || c == '-';
}

static const char *mail_name_end(const char *at, const char *end)
{
    while (at < end && is_mail_name(*at))
        at++;
    return at;
}

static const char *label_end(const char *at, const char *end)
{
    while (at < end && (is_ascii_word(*at) || *at == '-'))
        at++;
    return at;
}

/* A top-level domain is two letters or more. */
static int is_top_level(const char *at, const char *end)
{
    if (end - at < 2) return 0;
    while (at < end && is_ascii_letter(*at))
        at++;
    return at == end;
}

/* The end of a host name with a top-level domain, or NULL. */
static const char *host_end(const char *at, const char *end)
{
    const char *after = NULL, *label = at, *stop = label_end(at, end);
    while (stop > label && stop < end && *stop == '.') {
        label = stop + 1;
        stop = label_end(label, end);
        if (is_top_level(label, stop)) after = stop;
    }
    return after;
}

static const char *mail_end(const char *at, const char *end)
{
    if (!is_ascii_word(*at)) return NULL;
    const char *name_end = mail_name_end(at, end);
    return name_end < end && *name_end == '@' ? host_end(name_end + 1, end) : NULL;
}

const char *address_end(const char *at, const char *end)
{
    const char *after = web_end(at, end);
    return after ? after : mail_end(at, end);
}
