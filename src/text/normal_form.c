/* normal_form.c - the normal form of a line, and of a source, in which look-alikes are one character. */
#include "text/words.h"

#include "base/mem.h"
#include "text/patterns.h"
#include "text/unicode.h"

#include <string.h>

enum { DELETE = 0x7F, ACUTE = 0xB4, ELLIPSIS = 0x2026, LOWER_BLOCK = 0x2581, BLACK_SQUARE = 0x25A0,
       HALFWIDTH_SQUARE = 0xFFED, BLACK_FLAG = 0x1F3F4, FIRST_TAG = 0xE0020, LAST_TAG = 0xE007F };

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
    if (point == HALFWIDTH_SQUARE) return BLACK_SQUARE;
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

/* ---- Look-alikes ---- */

/* The characters that Unicode's confusables (Technical Standard 39) give the skeleton of the apostrophe, but for quotation
 * marks of ASCII and those of one script alone. */
static int is_apostrophe(int32_t point)
{
    return point == ACUTE || (point >= 0x2B9 && point <= 0x2BD) || point == 0x2C8 || point == 0x2CA || point == 0x2CB
        || (point >= 0x2018 && point <= 0x201B && point != 0x201A) || point == 0x2032 || point == 0x2035;
}

/* A double quotation mark of the shape of U+201C. */
static int is_double_quote(int32_t point)
{
    return (point >= 0x201C && point <= 0x201F) || point == 0x2033 || point == 0x2036;
}

static int is_between_letters(const char *line, const char *at, const char *end)
{
    const char *behind = at + 1;
    return behind < end && unicode_is_letter(unicode_before(line, at)) && unicode_is_letter(unicode_next(&behind));
}

/* Appends a character as what is typed for it. */
static void fold(int32_t point, Buf *out)
{
    if (is_apostrophe(point)) buf_putc(out, '\'');
    else if (is_double_quote(point)) buf_putc(out, '"');
    else if (unicode_is_dash(point)) buf_putc(out, '-');
    else if (point == ELLIPSIS) buf_puts(out, "...");
    else if (!unicode_append_compatible(out, point)) unicode_append(out, point);
}

void words_fold(const char *line, size_t length, int lowercase, Buf *out)
{
    Buf folded = { 0 };
    PatternSpans spans = { 0 };
    size_t k = 0;
    if (unicode_is_ascii(line, length) && !memchr(line, '`', length)) {
        words_normalise(line, length, lowercase, out);
        return;
    }
    patterns_find(line, length, &spans);
    for (const char *at = line, *here, *end = line + length; (here = at) < end;) {
        while (k < spans.count && line + spans.span[k].end <= here)
            k++;
        const int32_t point = unicode_next(&at);
        if (k < spans.count && line + spans.span[k].start <= here) buf_add(&folded, here, (size_t)(at - here));
        else if (point == '`' && is_between_letters(line, here, end)) buf_putc(&folded, '\'');
        else if (point < 0x80) buf_putc(&folded, (char)point);
        else fold(point, &folded);
    }
    words_normalise(folded.text, folded.length, lowercase, out);
    xfree(spans.span);
    buf_free(&folded);
}
