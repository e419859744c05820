/* wrapping.c - see wrapping.h. */
#include "text/sentences/wrapping.h"

#include "text/sentences/scan.h"
#include "text/sentences/sentences.h"
#include "text/unicode.h"

#include <string.h>

static size_t characters(const char *at, const char *end)
{
    size_t count = 0;
    for (; at < end; count++)
        unicode_next(&at);
    return count;
}

size_t wrapping_width(const char *line)
{
    return characters(line, line + strlen(line));
}

static const char *word_end_of(const char *at, const char *end)
{
    while (at < end && !unicode_is_space(peek(at)))
        unicode_next(&at);
    return at;
}

/* Whether a line begins with the mark of an item, a heading, a speaker or a cell. */
static int begins_anew(const char *line, const char *text, const char *end)
{
    return *text == '|' || sentence_mark_length(line, (size_t)(end - line), 1) > (size_t)(text - line);
}

int wrapping_goes_on(const char *line, const char *next, size_t width)
{
    /* The least width that people wrap a text to; and how much earlier programs break a line to make all
     * about as long (fmt). */
    enum { NARROWEST = 60, EVEN = 8 };
    const char *end = next + strlen(next), *text = skip_blanks(next, end);
    if (width < NARROWEST) width = NARROWEST;
    if (text == end || !unicode_shows(line) || begins_anew(next, text, end)) return 0;
    return wrapping_width(line) + 1 + characters(text, word_end_of(text, end)) > width - width / EVEN;
}
