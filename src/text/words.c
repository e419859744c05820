/* words.c - where words begin and end.
 *
 * A word is always a stretch of the line as it is, so cutting at any place is reversible; the rules below only decide
 * which places are good. All of them look ahead from the start of a word and return its end.
 */
#include "text/words.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

enum { ZERO_WIDTH_NON_JOINER = 0x200C, ZERO_WIDTH_JOINER = 0x200D, RIGHT_QUOTE = 0x2019, LOWER_BLOCK = 0x2581,
       NO_BREAK_SPACE = 0xA0, NARROW_NO_BREAK_SPACE = 0x202F };

/* ---- Normal form ---- */

static int is_joiner(int32_t point)
{
    return point == ZERO_WIDTH_NON_JOINER || point == ZERO_WIDTH_JOINER;
}

static int is_removed(int32_t point)
{
    return unicode_is_control(point) || (unicode_is_invisible(point) && !is_joiner(point));
}

void words_normalise(const char *line, size_t length, int lowercase, Buf *out)
{
    Buf mapped = { 0 };
    int blank = 0;
    for (const char *at = line, *end = line + length; at < end;) {
        int32_t point = unicode_next(&at);
        if (unicode_is_space(point)) {
            blank = mapped.length > 0;
        } else if (!is_removed(point)) {
            if (blank) buf_putc(&mapped, ' ');
            blank = 0;
            unicode_put(&mapped, point == LOWER_BLOCK ? '_' : lowercase ? unicode_lower(point) : point);
        }
    }
    if (mapped.length) unicode_nfc(mapped.text, mapped.length, out);
    buf_free(&mapped);
}

/* ---- Splitting ---- */

/* Joiners count as marks: both cling to the character before them. */
typedef enum { LETTER, MARK, NUMBER, IDEOGRAPH, APOSTROPHE, OTHER } Class;

static int is_ideograph(int32_t point)
{
    return (point >= 0x3005 && point <= 0x3007) || (point >= 0x3400 && point <= 0x4DBF) ||
           (point >= 0x4E00 && point <= 0x9FFF) || (point >= 0xF900 && point <= 0xFAFF) ||
           (point >= 0x20000 && point <= 0x3FFFF);
}

static Class class_of(int32_t point)
{
    if (point == '\'' || point == RIGHT_QUOTE) return APOSTROPHE;
    if (is_ideograph(point)) return IDEOGRAPH;
    if (unicode_is_letter(point)) return LETTER;
    if (unicode_is_number(point)) return NUMBER;
    return unicode_is_mark(point) || is_joiner(point) ? MARK : OTHER;
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
    for (Class next; at < end && ((next = class_at(at, end)) == class || next == MARK);)
        at = skip_one(at);
    return at;
}

/* The end of a run of one and the same character ("...", "--"), and of the marks on it. */
static const char *skip_same(const char *at, const char *end)
{
    const char *after = skip_one(at);
    size_t length = (size_t)(after - at);
    while ((size_t)(end - after) >= length && memcmp(after, at, length) == 0)
        after += length;
    return skip_run(after, end, MARK);
}

static int equal_ignoring_case(const char *at, const char *end, const char *word)
{
    for (; at < end && *word; at++, word++)
        if ((*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at) != *word) return 0;
    return at == end && !*word;
}

static int is_one_of(const char *at, const char *end, const char *const *words)
{
    for (; *words; words++)
        if (equal_ignoring_case(at, end, *words)) return 1;
    return 0;
}

/* The end of "'s", "'ll" ... whose apostrophe stands at `at`; NULL if there is none. */
static const char *contraction_end(const char *at, const char *end)
{
    static const char *const endings[] = { "s", "t", "re", "ve", "m", "ll", "d", NULL };
    const char *letters = skip_one(at), *after = skip_run(letters, end, LETTER);
    return is_one_of(letters, after, endings) ? after : NULL;
}

/* The end of a word that keeps its apostrophe inside: its first part is start..at. NULL if it is none. */
static const char *whole_word_end(const char *start, const char *at, const char *end)
{
    static const char *const first[] = { "aujourd", "o", "ma", NULL }, *const second[] = { "hui", "clock", "am", NULL };
    const char *rest = skip_one(at), *after = skip_run(rest, end, LETTER);
    for (int i = 0; first[i]; i++)
        if (equal_ignoring_case(start, at, first[i]) && equal_ignoring_case(rest, after, second[i])) return after;
    return NULL;
}

static const char *letters_end(const char *start, const char *end)
{
    const char *at = skip_run(start, end, LETTER);
    if (class_at(at, end) != APOSTROPHE) return at;
    const char *whole = whole_word_end(start, at, end);
    if (whole) return whole;
    if (contraction_end(at, end)) return at;
    Class next = class_at(skip_one(at), end);
    return next == LETTER || next == NUMBER ? skip_one(at) : at;
}

static const char *number_end(const char *at, const char *end)
{
    for (;;) {
        at = skip_run(at, end, NUMBER);
        int separator = at < end && (*at == '.' || *at == ',' || *at == ':');
        if (!separator || class_at(at + 1, end) != NUMBER) return at;
        at++;
    }
}

/* The end of the word that starts at `at`; at a blank that is `at` itself. */
static const char *word_end(const char *at, const char *end)
{
    const char *contraction;
    if (at == end || *at == ' ') return at;
    switch (class_at(at, end)) {
    case LETTER:
    case MARK:       return letters_end(at, end);
    case NUMBER:     return number_end(at, end);
    case IDEOGRAPH:  return skip_run(skip_one(at), end, MARK);
    case APOSTROPHE: return (contraction = contraction_end(at, end)) ? contraction : skip_same(at, end);
    case OTHER:      break;
    }
    return skip_same(at, end);
}

/* As far as a word that starts at `at` may reach: WORD_BYTES, down to the start of a character. */
static const char *word_limit(const char *at, const char *end)
{
    if (end - at <= WORD_BYTES) return end;
    for (end = at + WORD_BYTES; (*end & 0xC0) == 0x80;)
        end--;
    return end;
}

static void clear(Words *words)
{
    buf_clear(&words->text);
    words->count = 0;
}

static void end_word(Words *words)
{
    words->end = grow(words->end, &words->capacity, words->count + 1, sizeof *words->end);
    words->end[words->count++] = words->text.length;
}

void words_split(const char *line, size_t length, Words *words)
{
    clear(words);
    for (const char *at = line, *end = line + length; at < end;) {
        int first = words->count == 0, blank = *at == ' ';
        if (first || blank) buf_add(&words->text, BLANK_MARK, BLANK_MARK_LENGTH);
        if (!first && blank) at++;
        const char *after = word_end(at, word_limit(at, end));
        buf_add(&words->text, at, (size_t)(after - at));
        end_word(words);
        at = after;
    }
}

void words_join(const char *marked, size_t length, Buf *out)
{
    const char *end = marked + length;
    for (const char *at = marked; at < end;) {
        const char *after = at;
        int mark = unicode_next(&after) == LOWER_BLOCK;
        if (!mark) buf_add(out, at, (size_t)(after - at));
        else if (at != marked) buf_putc(out, ' ');
        at = after;
    }
}

void words_split_textbook(const char *line, size_t length, int lowercase, Words *words)
{
    clear(words);
    size_t start = 0;
    for (const char *at = line, *end = line + length; at < end;) {
        int32_t point = unicode_next(&at);
        int blank = point == ' ' || point == NO_BREAK_SPACE || point == NARROW_NO_BREAK_SPACE ||
                    unicode_is_control(point);
        int mark = point == ',' || point == '.' || point == '!' || point == '?';
        if ((blank || mark) && words->text.length > start) {
            end_word(words);
            start = words->text.length;
        }
        if (!blank) unicode_put(&words->text, lowercase ? unicode_lower(point) : point);
    }
    if (words->text.length > start) end_word(words);
}

void words_add(Words *words, const char *bytes, size_t length)
{
    buf_add(&words->text, bytes, length);
    end_word(words);
}

const char *words_at(const Words *words, size_t i, size_t *length)
{
    size_t start = i ? words->end[i - 1] : 0;
    *length = words->end[i] - start;
    return words->text.text + start;
}

void words_free(Words *words)
{
    buf_free(&words->text);
    free(words->end);
    *words = (Words){ 0 };
}
