/* words.c - the normal form of a line, its words, and the line again.
 *
 * A word is always a chunk of the line as it is, so cutting at any place is reversible; the rules
 * of word_end.h only decide which places are good.
 */
#include "text/words.h"

#include "base/mem.h"
#include "text/unicode.h"
#include "text/word_end.h"

#include <stdlib.h>
#include <string.h>

enum { DELETE = 0x7F, NO_BREAK_SPACE = 0xA0, NARROW_NO_BREAK_SPACE = 0x202F, LOWER_BLOCK = 0x2581,
       BLACK_FLAG = 0x1F3F4, FIRST_TAG = 0xE0020, LAST_TAG = 0xE007F };

/* ---- Normal form ---- */

/* Tags spell the region of a flag behind a black flag (England's); elsewhere they hide text. */
static int is_tag(int32_t point)
{
    return point >= FIRST_TAG && point <= LAST_TAG;
}

static int is_removed(int32_t point, int32_t before)
{
    if (is_tag(point)) return before != BLACK_FLAG && !is_tag(before);
    return unicode_is_control(point) || (unicode_is_ignorable(point) && !unicode_is_joiner(point));
}

/* What becomes of a character behind `before`, a blank at the start of a line; 0: nothing. */
static int32_t normal_point(int32_t point, int32_t before, int lowercase)
{
    if (point > ' ' && point < DELETE) return lowercase ? unicode_lower(point) : point;
    if (unicode_is_space(point)) return before == ' ' ? 0 : ' ';
    if (is_removed(point, before)) return 0;
    if (point == LOWER_BLOCK) return '_';
    return lowercase ? unicode_lower(point) : point;
}

void words_normalise(const char *line, size_t length, int lowercase, Buf *out)
{
    Buf mapped = { 0 };
    const char *kept = line;                    /* where the chunk began that stays as it is */
    int32_t before = ' ';
    for (const char *at = line, *here, *end = line + length; (here = at) < end;) {
        int32_t point = unicode_next(&at), normal = normal_point(point, before, lowercase);
        if (normal) before = normal;
        if (normal == point) continue;
        buf_add(&mapped, kept, (size_t)(here - kept));
        if (normal) unicode_append(&mapped, normal);
        kept = at;
    }
    if (kept > line) {
        buf_add(&mapped, kept, (size_t)(line + length - kept));
        line = mapped.text;
        length = mapped.length;
    }
    if (length && before == ' ') length--;
    if (length) unicode_nfc(line, length, out);
    buf_free(&mapped);
}

/* ---- Splitting ---- */

/* As far as a word that starts at `at` may reach: WORD_BYTES, down to the start of a character. */
static const char *word_limit(const char *at, const char *end)
{
    if (end - at <= WORD_BYTES) return end;
    for (end = at + WORD_BYTES; (*end & 0xC0) == 0x80;)
        end--;
    return end;
}

void words_clear(Words *words)
{
    buf_clear(&words->text);
    words->count = 0;
}

static void end_word(Words *words, VerbatimKind kind)
{
    words->end = grow(words->end, &words->capacity, words->count + 1, sizeof *words->end);
    words->kind = grow(words->kind, &words->kind_capacity, words->count + 1, sizeof *words->kind);
    words->kind[words->count] = (unsigned char)kind;
    words->end[words->count++] = words->text.length;
}

/* The end of the word that starts at `at`. */
static const char *next_word_end(const char *line, const char *at, const char *end, int verbatim,
                                 VerbatimKind *kind)
{
    const char *after = verbatim && at < end ? verbatim_end(line, at, end, kind) : NULL;
    if (after) return after;
    *kind = VERBATIM_NONE;
    return word_end(at, word_limit(at, end));
}

void words_split(const char *line, size_t length, int verbatim, Words *words)
{
    words_clear(words);
    for (const char *at = line, *end = line + length; at < end;) {
        int first = words->count == 0, blank = *at == ' ';
        if (first || blank) buf_add(&words->text, BLANK_MARK, BLANK_MARK_LENGTH);
        if (!first && blank) at++;
        VerbatimKind kind;
        const char *after = next_word_end(line, at, end, verbatim, &kind);
        buf_add(&words->text, at, (size_t)(after - at));
        end_word(words, kind);
        at = after;
    }
}

size_t words_mark_length(const char *word, size_t length)
{
    const size_t mark = BLANK_MARK_LENGTH;
    return length >= mark && !memcmp(word, BLANK_MARK, mark) ? mark : 0;
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
    words_clear(words);
    size_t start = 0;
    for (const char *at = line, *end = line + length; at < end;) {
        int32_t point = unicode_next(&at);
        int blank = point == ' ' || point == NO_BREAK_SPACE || point == NARROW_NO_BREAK_SPACE ||
                    unicode_is_control(point);
        int mark = point == ',' || point == '.' || point == '!' || point == '?';
        if ((blank || mark) && words->text.length > start) {
            end_word(words, VERBATIM_NONE);
            start = words->text.length;
        }
        if (!blank) unicode_append(&words->text, lowercase ? unicode_lower(point) : point);
    }
    if (words->text.length > start) end_word(words, VERBATIM_NONE);
}

void words_add(Words *words, const char *bytes, size_t length)
{
    buf_add(&words->text, bytes, length);
    end_word(words, VERBATIM_NONE);
}

const char *words_at(const Words *words, size_t i, size_t *length)
{
    size_t start = i ? words->end[i - 1] : 0;
    *length = words->end[i] - start;
    return words->text.text + start;
}

PlainWord words_plain(const Words *words, size_t i)
{
    size_t length;
    if (i >= words->count) return (PlainWord){ "", 0 };
    const char *word = words_at(words, i, &length);
    const size_t mark = words_mark_length(word, length);
    return (PlainWord){ word + mark, length - mark };
}

VerbatimKind words_kind(const Words *words, size_t i)
{
    return (VerbatimKind)words->kind[i];
}

void words_free(Words *words)
{
    buf_free(&words->text);
    free(words->end);
    free(words->kind);
    *words = (Words){ 0 };
}
