/* address.c - web and mail addresses in running text. */
#include "text/verbatim/address.h"

#include "text/ascii.h"
#include "text/unicode.h"
#include "text/word_list.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

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

/* Whether the last character of start..end is punctuation of the sentence around the address. */
static int ends_in_punctuation(const char *start, const char *end)
{
    char last = end[-1];
    if (last == ')') return ascii_count(start, end, ')') > ascii_count(start, end, '(');
    if (last == ']') return ascii_count(start, end, ']') > ascii_count(start, end, '[');
    return strchr(".,!?;:'", last) != NULL;
}

/* The end of the characters of an address from `rest` on; `rest` itself if there are none. */
static const char *web_rest_end(const char *rest, const char *end)
{
    const char *after = rest;
    for (const char *next = after; next < end && is_web_character(unicode_next(&next));)
        after = next;
    while (after > rest && ends_in_punctuation(rest, after))
        after--;
    return after;
}

const char *address_web_end(const char *at, const char *end)
{
    const char *rest = web_prefix_end(at, end);
    const char *after = rest ? web_rest_end(rest, end) : NULL;
    return after > rest ? after : NULL;
}

/* ---- Mail ---- */

static int is_mail_name(char c)
{
    return ascii_is_alphanumeric(c) || c == '.' || c == '_' || c == '%' || c == '+' || c == '-';
}

static const char *mail_name_end(const char *at, const char *end)
{
    while (at < end && is_mail_name(*at))
        at++;
    return at;
}

static const char *label_end(const char *at, const char *end)
{
    while (at < end && (ascii_is_alphanumeric(*at) || *at == '-'))
        at++;
    return at;
}

/* A top-level domain is two letters or more. */
static int is_top_level(const char *at, const char *end)
{
    if (end - at < 2) return 0;
    while (at < end && ascii_is_letter(*at))
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
    if (!ascii_is_alphanumeric(*at)) return NULL;
    const char *name_end = mail_name_end(at, end);
    return name_end < end && *name_end == '@' ? host_end(name_end + 1, end) : NULL;
}

const char *address_end(const char *at, const char *end)
{
    const char *after = address_web_end(at, end);
    return after ? after : mail_end(at, end);
}

/* ---- Hosts ---- */

/* Top-level domains that are no words of a text from which a blank is missing. */
static int is_common_domain(const char *at, const char *end)
{
    static const char *const domains[] = {
        "com", "org", "net", "edu", "gov", "int", "info", "io", "dev", "app", "ai", "fr", "de",
        "it", "es", "uk", "eu", "ch", "be", "at", "nl", "ca", "us", "tv", "co", "jp", "cn", "ru",
        "pl", "br", "pt", "se", "dk", "fi", "gr", "ie", "cz", "au", "nz", "cloud", "online", "xyz",
        NULL
    };
    return word_list_has(domains, at, end);
}

/* Whether what follows a host says that it is one: a path, a port or a query. */
static int is_host_continued(const char *at, const char *end)
{
    if (end - at < 2) return 0;
    if (*at == ':') return ascii_is_digit(at[1]);
    return *at == '/' && at[1] > ' ';
}

/* Whether a host that starts at `start`, whose last label is label..stop, is one. */
static int is_host(const char *start, const char *label, const char *stop, const char *end)
{
    if (!is_top_level(label, stop) || !ascii_is_letter(*start)) return 0;
    for (const char *at = label; at < stop; at++)
        if (!ascii_is_lower(*at)) return 0;
    if (stop < end && (*stop == '@' || *stop == '_' || *stop == '(')) return 0;
    if (label - start > 2) return is_common_domain(label, stop) || is_host_continued(stop, end);
    return is_common_domain(label, stop) && (stop - label > 2 || is_host_continued(stop, end));
}

const char *address_host_end(const char *at, const char *end)
{
    const char *label = at, *stop = label_end(at, end), *next;
    while (stop < end && *stop == '.' && (next = label_end(stop + 1, end)) > stop + 1) {
        label = stop + 1;
        stop = next;
    }
    if (label == at || !is_host(at, label, stop, end)) return NULL;
    return is_host_continued(stop, end) ? web_rest_end(stop, end) : stop;
}
