/* word_end.c - where a word ends. All rules look ahead from the start of a word, or of a part of
 * it, and return where that ends; those that may not apply return NULL.
 */
#include "text/word_end.h"

#include "text/unicode.h"
#include "text/verbatim/address.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

enum { MIDDLE_DOT = 0xB7, GERESH = 0x5F3, GERSHAYIM = 0x5F4, HYPHEN_SIGN = 0x2010,
       NO_BREAK_HYPHEN = 0x2011, RIGHT_QUOTE = 0x2019, FIRST_GREEK = 0x370,
       FIRST_LATIN_ADDITION = 0x1E00, LAST_LATIN_ADDITION = 0x1EFF };

/* ---- Characters ---- */

/* Joiners count as marks: both cling to the character before them. */
typedef enum { LETTER, MARK, NUMBER, IDEOGRAPH, APOSTROPHE, HYPHEN, OTHER } Class;

static int is_ideograph(int32_t point)
{
    return (point >= 0x3005 && point <= 0x3007) || (point >= 0x3400 && point <= 0x4DBF) ||
           (point >= 0x4E00 && point <= 0x9FFF) || (point >= 0xF900 && point <= 0xFAFF) ||
           (point >= 0x20000 && point <= 0x3FFFF);
}

static Class ascii_class(int32_t point)
{
    if ((point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z')) return LETTER;
    if (point >= '0' && point <= '9') return NUMBER;
    return point == '\'' ? APOSTROPHE : point == '-' ? HYPHEN : OTHER;
}

static Class class_of(int32_t point)
{
    if (point < 0x80) return ascii_class(point);
    if (point == RIGHT_QUOTE) return APOSTROPHE;
    if (point == HYPHEN_SIGN || point == NO_BREAK_HYPHEN) return HYPHEN;
    if (is_ideograph(point)) return IDEOGRAPH;
    if (unicode_is_letter(point)) return LETTER;
    if (unicode_is_number(point)) return NUMBER;
    return unicode_is_mark(point) || unicode_is_joiner(point) ? MARK : OTHER;
}

/* The class of the character at `at`; the end counts as a blank. */
static Class class_at(const char *at, const char *end)
{
    return at < end ? class_of(unicode_next(&at)) : OTHER;
}

static const char *skip_one(const char *at)
{
    unicode_next(&at);
    return at;
}

/* The end of the run of characters of this class, and of the marks on them. */
static const char *skip_run(const char *at, const char *end, Class class)
{
    for (const char *next = at; next < end; at = next) {
        Class found = class_of(unicode_next(&next));
        if (found != class && found != MARK) break;
    }
    return at;
}

static int equal_ignoring_case(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - at) == length && strncasecmp(at, word, length) == 0;
}

static int is_one_of(const char *at, const char *end, const char *const *words)
{
    for (; *words; words++)
        if (equal_ignoring_case(at, end, *words)) return 1;
    return 0;
}

/* ---- Apostrophes ---- */

/* The end of "'s", "'ll" ... whose apostrophe is at `at`. */
static const char *contraction_end(const char *at, const char *end)
{
    static const char *const endings[] = { "s", "t", "re", "ve", "m", "ll", "d", NULL };
    const char *letters = skip_one(at), *after = skip_run(letters, end, LETTER);
    return is_one_of(letters, after, endings) ? after : NULL;
}

/* The end of a word that keeps its apostrophe inside: its first part is start..at. */
static const char *whole_word_end(const char *start, const char *at, const char *end)
{
    static const char *const first[] = { "aujourd", "o", "ma", NULL };
    static const char *const second[] = { "hui", "clock", "am", NULL };
    const char *rest = skip_one(at), *after = skip_run(rest, end, LETTER);
    for (int i = 0; first[i]; i++)
        if (equal_ignoring_case(start, at, first[i]) && equal_ignoring_case(rest, after, second[i]))
            return after;
    return NULL;
}

/* ---- Abbreviations ---- */

/* Whether at..end is one letter, marks not counted. */
static int is_one_letter(const char *at, const char *end)
{
    return at < end && class_at(at, end) == LETTER && skip_run(skip_one(at), end, MARK) == end;
}

/* The end of the rest of "U.S.A." or "p.ex." behind its first dot, at which `at` is: parts of
 * one letter, or of two with a dot. */
static const char *dotted_end(const char *at, const char *end)
{
    const char *after = NULL;
    for (;;) {
        const char *letters = at + 1, *next = skip_run(letters, end, LETTER);
        int one = is_one_letter(letters, next), dot = next < end && *next == '.';
        if (!one && !(dot && next > letters && is_one_letter(skip_one(letters), next)))
            return after;
        after = next + dot;
        if (!dot) return after;
        at = next;
    }
}

/* Whether the dot at `at` is followed by a name: a blank and a capital letter. */
static int is_before_name(const char *at, const char *end)
{
    if (end - at < 3 || at[1] != ' ' || class_at(at + 2, end) != LETTER) return 0;
    at += 2;
    int32_t point = unicode_next(&at);
    return unicode_lower(point) != point;
}

/* The end of the abbreviation whose letters are start..at, where a dot is. */
static const char *abbreviation_end(const char *start, const char *at, const char *end)
{
    static const char *const known[] = { "mr", "mrs", "ms", "dr", "mt", "jr", "sr", "mme", "mlle",
                                         "mgr", "etc", "vs", "cf", NULL };
    if (is_one_of(start, at, known)) return at + 1;
    if (at - start == 2 && memcmp(start, "St", 2) == 0) return at + 1;
    if (!is_one_letter(start, at)) return NULL;
    const char *after = dotted_end(at, end);
    if (after) return after;
    const char *letter = start;
    int32_t point = unicode_next(&letter);
    return unicode_lower(point) != point && point != 'I' && is_before_name(at, end) ? at + 1 : NULL;
}

/* ---- Words ---- */

/* Latin writing ends below the Greek, but for additions for Vietnamese and others. */
static int is_latin(int32_t point)
{
    return point < FIRST_GREEK || (point >= FIRST_LATIN_ADDITION && point <= LAST_LATIN_ADDITION);
}

/* Whether the character at `at` binds the letters around it into one word. */
static int binds(const char *at, const char *end)
{
    int32_t point = unicode_next(&at);
    if (class_at(at, end) != LETTER) return 0;
    Class class = class_of(point);
    if (class == APOSTROPHE) return !is_latin(unicode_next(&at));
    return class == HYPHEN || point == MIDDLE_DOT || point == GERESH || point == GERSHAYIM;
}

/* The end of runs of letters that are bound to each other. */
static const char *compound_end(const char *at, const char *end)
{
    while ((at = skip_run(at, end, LETTER)) < end && binds(at, end))
        at = skip_one(at);
    return at;
}

static const char *letters_end(const char *start, const char *end)
{
    const char *at = compound_end(start, end), *whole;
    if (at == end) return at;
    if (*at == '.') return (whole = abbreviation_end(start, at, end)) ? whole : at;
    if (class_at(at, end) != APOSTROPHE) return at;
    if ((whole = whole_word_end(start, at, end))) return whole;
    if (contraction_end(at, end)) return at;
    Class next = class_at(skip_one(at), end);
    return next == LETTER || next == NUMBER ? skip_one(at) : at;
}

static const char *number_end(const char *at, const char *end)
{
    for (;;) {
        at = skip_run(at, end, NUMBER);
        if (at == end || !*at || !strchr(".,:h", *at) || class_at(at + 1, end) != NUMBER) return at;
        at++;
    }
}

/* The end of the grapheme cluster at `at`, or of a run of it. */
static const char *cluster_run_end(const char *at, const char *end)
{
    const char *after = unicode_grapheme_end(at, end);
    size_t length = (size_t)(after - at);
    while ((size_t)(end - after) >= length && memcmp(after, at, length) == 0 &&
           unicode_grapheme_end(after, end) == after + length)
        after += length;
    return after;
}

const char *word_end(const char *at, const char *end)
{
    if (at == end || *at == ' ') return at;
    const char *address = address_end(at, end), *after = NULL;
    switch (class_at(at, end)) {
    case LETTER:
    case MARK:       after = address ? address : letters_end(at, end); break;
    case NUMBER:     after = address ? address : number_end(at, end); break;
    case IDEOGRAPH:  after = skip_one(at); break;
    case APOSTROPHE: after = contraction_end(at, end); break;
    case HYPHEN:
    case OTHER:      break;
    }
    return skip_run(after ? after : cluster_run_end(at, end), end, MARK);
}
