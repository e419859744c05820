/* single_quotes.c - looks at what is before and behind each mark. */
#include "text/markup/single_quotes.h"

#include "text/ascii.h"
#include "text/sentences/scan.h"
#include "text/verbatim/verbatim.h"
#include "text/word_list.h"

#include <string.h>

enum { LEFT = 0x2018, RIGHT = 0x2019 };

static int is_mark(int32_t point)
{
    return point == '\'' || point == LEFT || point == RIGHT;
}

/* Whether a word begins with an apostrophe. */
static int is_clipped(const char *at, const char *end)
{
    static const char *const words[] = { "tis", "twas", "twere", "twill", "em", "cause", "n", "til",
                                         "till", "bout", "round", NULL };
    const char *stop = at;
    while (stop < end && ascii_is_letter(*stop)) stop++;
    char small[8] = "";
    for (size_t i = 0; at + i < stop && i < sizeof small - 1; i++) small[i] = ascii_lower(at[i]);
    return stop - at < (long)sizeof small && word_list_has(words, small, small + (stop - at));
}

/* Whether the mark at `at` stands before a word and behind a blank or the like: no '90s, no 'tis. */
static int opens(const char *line, const char *at, const char *end)
{
    const char *next = at;
    const int32_t point = unicode_next(&next), before = at > line ? unicode_before(line, at) : ' ';
    if (point == RIGHT || next == end || !unicode_is_letter(peek(next))) return 0;
    if (is_clipped(next, end)) return 0;
    return unicode_is_space(before) || (before < 128 && strchr("([-", (int)before))
           || before == 0x2014;
}

/* Behind the character at `at`, or the code, address or the like. */
static const char *next_of(const char *line, const char *at, const char *end)
{
    VerbatimKind kind;
    const char *behind = is_mark(peek(at)) ? NULL : verbatim_end(line, at, end, &kind);
    if (!behind) unicode_next(&at);
    return behind ? behind : at;
}

/* Whether the mark at `at` may close a quotation: behind a word or its last mark, and before a blank
 * or a mark. */
static int may_close(const char *line, const char *at, const char *end)
{
    const char *next = at;
    const int32_t point = unicode_next(&next), before = unicode_before(line, at);
    const int is_behind = is_word_character(before) || (before < 128 && strchr(",.!?)]", (int)before))
                          || before == 0x2026;
    if (point == LEFT || !is_behind) return 0;
    const int32_t behind = next < end ? peek(next) : ' ';
    return unicode_is_space(behind) || (unicode_is_punctuation(behind) && !is_mark(behind));
}

/* Whether more than a letter is from the mark at `open` to that at `close`: no rock 'n' roll. */
static int encloses_words(const char *open, const char *close)
{
    unicode_next(&open);
    unicode_next(&open);
    return open < close;
}

/* The mark that closes what the mark at `open` opens: the first behind a mark such as a comma, else
 * the first that is no plural's (the students' books), else that; NULL: none before the next that
 * opens. */
static const char *closing_of(const char *line, const char *open, const char *end)
{
    const char *plain = NULL, *plural = NULL;
    const int32_t closing = peek(open) == '\'' ? '\'' : RIGHT;
    for (const char *at = next_of(line, open, end); at < end; at = next_of(line, at, end)) {
        if (!is_mark(peek(at))) continue;
        if (opens(line, at, end)) break;
        if (peek(at) != closing || !may_close(line, at, end) || !encloses_words(open, at)) continue;
        const int32_t before = unicode_before(line, at);
        if (!is_word_character(before)) return at;
        if (before != 's' && !plain) plain = at;
        if (before == 's' && !plural) plural = at;
    }
    return plain ? plain : plural;
}

/* Replaces a mark by a double one. */
static void make_double(char *at, const char *curly)
{
    if (*at == '\'') *at = '"';
    else memcpy(at, curly, strlen(curly));
}

void single_quotes_double(char *line)
{
    const char *end = line + strlen(line), *at = line;
    if (strchr(line, '"') || strstr(line, "\u201C") || strstr(line, "\u00AB")) return;
    while (at < end) {
        const int is_open = is_mark(peek(at)) && opens(line, at, end);
        const char *close = is_open ? closing_of(line, at, end) : NULL;
        if (close) {
            make_double(line + (at - line), "\u201C");
            make_double(line + (close - line), "\u201D");
            at = close;
        }
        at = next_of(line, at, end);
    }
}
