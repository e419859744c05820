/* number.c - numbers, and codes that begin with digits. */
#include "text/ascii.h"
#include "text/unicode.h"
#include "text/verbatim/shapes.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

enum { GROUP = 3 };             /* digits between the apostrophes of 1'000'000 */

static int is_number(const char *at)
{
    if ((unsigned char)*at < 0x80) return ascii_is_digit(*at);
    return unicode_is_number(unicode_next(&at));
}

static const char *skip_number(const char *at, const char *end)
{
    while (at < end && is_number(at))
        unicode_next(&at);
    return at;
}

/* Whether digits at..end behind feet and an apostrophe are inches: 6'2. */
static int are_inches(const char *at, const char *end)
{
    return end - at == 1 || (end - at == 2 && *at == '1' && (at[1] == '0' || at[1] == '1'));
}

/* The bytes of the separator at `at` if a digit is behind it; 0: none is there. */
static size_t separator_length(const char *at, const char *end)
{
    static const char en_dash[] = "\u2013";
    const size_t dash = sizeof en_dash - 1;
    if (end - at < 2) return 0;
    if (strchr(".,:/-hH", *at)) return *at && is_number(at + 1);
    if (*at == '\'') {
        const char *group = skip_number(at + 1, end);
        if (group - at <= GROUP) return are_inches(at + 1, group);
        return group - at == 1 + GROUP && (group == end || *group != '\'' || end - group > GROUP);
    }
    if ((size_t)(end - at) <= dash || memcmp(at, en_dash, dash) != 0) return 0;
    return is_number(at + dash) ? dash : 0;
}

const char *shape_number(const char *at, const char *end)
{
    const char *after = skip_number(at, end), *last = at;
    for (size_t length; (length = separator_length(after, end));) {
        last = after;
        after = skip_number(after + length, end);
    }
    const int has_inches = *last == '\'' && after - last <= GROUP && after < end && *after == '"';
    return after > at ? after + has_inches : NULL;
}

/* Whether at..end, which follows a number, is an ending that is translated: letters that are small,
 * or one of these in capitals. */
static int is_ending(const char *at, const char *end)
{
    static const char *const endings[] = { "st", "nd", "rd", "th", "er", "re", "am", "pm", "s",
                                           NULL };
    const char *lower = at;
    for (const char *const *ending = endings; *ending; ending++)
        if (strlen(*ending) == (size_t)(end - at) && strncasecmp(*ending, at, strlen(*ending)) == 0)
            return 1;
    for (const char *next = at; lower < end; lower = next) {
        int32_t point = unicode_next(&next);
        if (!unicode_is_letter(point) || unicode_lower(point) != point) return 0;
    }
    return 1;
}

/* Whether at..end is a long hexadecimal number, such as an object's name in git. */
static int is_hash(const char *at, const char *end)
{
    enum { SHORTEST = 7 };
    if (end - at < SHORTEST) return 0;
    while (at < end && ascii_is_hex(*at) && !ascii_is_upper(*at))
        at++;
    return at == end;
}

const char *shape_digits(const char *at, const char *end, VerbatimKind *kind)
{
    const char *number = shape_number(at, end), *word = shape_word(number, end);
    const char *code = shape_code(at, end, shape_hints(at, end));
    const char *mixed = code ? NULL : shape_mixed(at, end);
    if (!code && mixed && (mixed > word || is_hash(at, mixed))) code = mixed;
    if (!code && word > number && !is_ending(number, word)) code = word;
    if (code && code > number) return code;
    *kind = VERBATIM_NUMBER;
    return number;
}
