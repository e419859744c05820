/* unicode.c - the door to utf8proc; sole file of this layer that includes it. */
#include "text/unicode.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

enum { REPLACEMENT = 0xFFFD, ZERO_WIDTH_NON_JOINER = 0x200C, ZERO_WIDTH_JOINER = 0x200D };

static const utf8proc_option_t nfc = UTF8PROC_STABLE | UTF8PROC_COMPOSE;

enum { RUN = 8 };

/* Whether so many bytes are ASCII, as most text is, and none is NUL: a byte minus one has the high
 * bit where the byte was 0. */
static int begins_with_ascii(const char *bytes)
{
    const uint64_t high = 0x8080808080808080u, ones = 0x0101010101010101u;
    uint64_t run;
    memcpy(&run, bytes, sizeof run);
    return !((run | (run - ones)) & high);
}

int unicode_valid(const char *bytes, size_t length)
{
    const char *end = bytes + length;
    while (bytes < end) {
        if (end - bytes >= RUN && begins_with_ascii(bytes)) {
            bytes += RUN;
            continue;
        }
        int32_t point;
        const size_t step = utf8_decode(bytes, (size_t)(end - bytes), &point);
        if (!step || point == 0) return 0;
        bytes += step;
    }
    return 1;
}

int unicode_is_ascii(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)bytes[i] >= 0x80) return 0;
    return 1;
}

int unicode_is_windows(const char *bytes, size_t length)
{
    for (const char *end = bytes + length; bytes < end;) {
        int32_t point;
        const size_t step = utf8_decode(bytes, (size_t)(end - bytes), &point);
        if (!step && (*bytes & 0xE0) == 0x80) return 1;
        bytes += step ? step : 1;
    }
    return 0;
}

const char *unicode_advice(int is_windows)
{
    return is_windows ? "; if it is Windows-1252, 'iconv -f WINDOWS-1252 -t UTF-8' converts it"
                      : "; if it is Latin-1, 'iconv -f ISO-8859-1 -t UTF-8' converts it";
}

int32_t unicode_next_long(const char **at)
{
    int32_t point = REPLACEMENT;
    const size_t length = utf8_decode(*at, SIZE_MAX, &point);
    *at += length ? length : 1;
    return point;
}

void unicode_append(Buf *out, int32_t point)
{
    char bytes[4];
    buf_add(out, bytes, (size_t)utf8proc_encode_char(point, (utf8proc_uint8_t *)bytes));
}

/* Whether the general category lies in a block of utf8proc's enumeration, which keeps each major
 * class together. */
static int category_within(int32_t point, utf8proc_category_t first, utf8proc_category_t last)
{
    utf8proc_category_t category = utf8proc_category(point);
    return category >= first && category <= last;
}

int unicode_is_letter(int32_t point)
{
    return category_within(point, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO);
}

int unicode_is_lower(int32_t point)
{
    return utf8proc_category(point) == UTF8PROC_CATEGORY_LL;
}

int unicode_is_mark(int32_t point)
{
    return category_within(point, UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME);
}

int unicode_is_number(int32_t point)
{
    return category_within(point, UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO);
}

int unicode_is_punctuation(int32_t point)
{
    return category_within(point, UTF8PROC_CATEGORY_PC, UTF8PROC_CATEGORY_PO);
}

int unicode_is_symbol(int32_t point)
{
    return category_within(point, UTF8PROC_CATEGORY_SM, UTF8PROC_CATEGORY_SO);
}

int unicode_is_currency(int32_t point)
{
    return category_within(point, UTF8PROC_CATEGORY_SC, UTF8PROC_CATEGORY_SC);
}

int unicode_is_pictorial(int32_t point)
{
    utf8proc_category_t category = utf8proc_category(point);
    return category == UTF8PROC_CATEGORY_SM || category == UTF8PROC_CATEGORY_SO;
}

int unicode_is_space(int32_t point)
{
    if (point < 0x80)
        return point == ' ' || (point >= 0x09 && point <= 0x0D) || (point >= 0x1C && point <= 0x1F);
    return point == 0x85 || category_within(point, UTF8PROC_CATEGORY_ZS, UTF8PROC_CATEGORY_ZP);
}

int unicode_words(const char *text, size_t length)
{
    int words = 0, inside = 0;
    for (const char *end = text + length; text < end;) {
        const int is_blank = unicode_is_space(unicode_next(&text));
        words += !is_blank && !inside;
        inside = !is_blank;
    }
    return words;
}

int unicode_is_control(int32_t point)
{
    return point < 0x20 || (point >= 0x7F && point < 0xA0);      /* Unicode 4.8: these for ever */
}

int unicode_is_ignorable(int32_t point)
{
    const utf8proc_property_t *property = utf8proc_get_property(point);
    return property->category == UTF8PROC_CATEGORY_CF && property->ignorable;
}

int unicode_is_joiner(int32_t point)
{
    return point == ZERO_WIDTH_NON_JOINER || point == ZERO_WIDTH_JOINER;
}

int32_t unicode_lower(int32_t point)
{
    return utf8proc_tolower(point);
}

int32_t unicode_upper(int32_t point)
{
    return utf8proc_toupper(point);
}

const char *unicode_grapheme_end(const char *at, const char *end)
{
    utf8proc_int32_t state = 0;
    int32_t last = unicode_next(&at), point;
    for (const char *next = at; next < end && *next != ' '; at = next, last = point) {
        point = unicode_next(&next);
        if (utf8proc_grapheme_break_stateful(last, point, &state)) break;
    }
    return at;
}

/* The Unicode Standard, section 3.13: marks, format characters, modifiers, and punctuation inside
 * words (Word_Break is MidLetter, MidNumLet or Single_Quote). */
int unicode_is_case_ignorable(int32_t point)
{
    switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
        return 1;
    default:
        break;
    }
    switch (point) {
    case '\'': case '.': case ':': case 0xB7: case 0x387: case 0x55F: case 0x5F4: case 0x2018:
    case 0x2019: case 0x2024: case 0x2027: case 0xFE13: case 0xFE52: case 0xFE55: case 0xFF07:
    case 0xFF0E: case 0xFF1A:
        return 1;
    default:
        return 0;
    }
}

/* Letters with a case, and ordinal indicators, Roman numerals and enclosed letters, which no
 * category names. */
int unicode_is_cased(int32_t point)
{
    return category_within(point, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LT) || point == 0xAA
        || point == 0xBA || (point >= 0x2160 && point <= 0x217F)
        || (point >= 0x24B6 && point <= 0x24E9)
        || (point >= 0x1F130 && point <= 0x1F149) || (point >= 0x1F150 && point <= 0x1F169)
        || (point >= 0x1F170 && point <= 0x1F189);
}

int unicode_shows(const char *text)
{
    while (*text) {
        const int32_t point = unicode_next(&text);
        if (unicode_is_space(point) || unicode_is_control(point)) continue;
        if (!unicode_is_ignorable(point)) return 1;
    }
    return 0;
}

size_t unicode_trimmed(const char *text, size_t length)
{
    while (length) {
        size_t start = length - 1;
        while (start && (text[start] & 0xC0) == 0x80) start--;
        const char *at = text + start;
        if (!unicode_is_space(unicode_next(&at))) break;
        length = start;
    }
    return length;
}

int unicode_width(int32_t point)
{
    return utf8proc_charwidth(point);
}

int unicode_columns(const char *text)
{
    int columns = 0;
    while (*text)
        columns += unicode_width(unicode_next(&text));
    return columns;
}

/* Every code point below U+0300 (first byte 0xCC) is in NFC and combines with nothing before it. */
static int surely_nfc(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] >= 0xCC) return 0;
    return 1;
}

static int class_of(int32_t point)
{
    return utf8proc_get_property(point)->combining_class;
}

/* Code points. */
typedef struct { int32_t *point; size_t count, capacity; } Points;

/* Appends the canonical decomposition of a character, not yet in order. */
static void decompose(Points *points, int32_t point)
{
    enum { LONGEST = 4 };       /* code points: no canonical decomposition has more */
    points->point = grow(points->point, &points->capacity, points->count + LONGEST,
                         sizeof *points->point);
    ptrdiff_t got = utf8proc_decompose_char(point, points->point + points->count, LONGEST, nfc,
                                            NULL);
    if (got < 0 || got > LONGEST) die("Unicode normalisation of U+%04X failed", (unsigned)point);
    points->count += (size_t)got;
}

int32_t unicode_base(int32_t point)
{
    Points points = { 0 };
    if (point < 0x80) return point;
    decompose(&points, point);
    point = points.point[0];
    free(points.point);
    return point;
}

static int in_order(const int32_t *mark, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (class_of(mark[i - 1]) > class_of(mark[i])) return 0;
    return 1;
}

/* The Canonical Ordering Algorithm (The Unicode Standard, definition D109) for the marks behind one
 * starter: by their classes, equal ones in their order. utf8proc_decompose does it too, in time
 * that grows with the square of their number. */
static void order(int32_t *mark, size_t count)
{
    enum { CLASSES = 256 };
    if (in_order(mark, count)) return;
    size_t place[CLASSES + 1] = { 0 };
    int32_t *given = xmalloc(count, sizeof *given);
    memcpy(given, mark, count * sizeof *given);
    for (size_t i = 0; i < count; i++)
        place[class_of(given[i]) + 1]++;
    for (int class = 0; class < CLASSES; class++)
        place[class + 1] += place[class];
    for (size_t i = 0; i < count; i++)
        mark[place[class_of(given[i])]++] = given[i];
    free(given);
}

static void order_all(Points *points)
{
    for (size_t i = 0, first; i < points->count; i++) {
        for (first = i; i < points->count && class_of(points->point[i]);)
            i++;
        order(points->point + first, i - first);
    }
}

void unicode_nfc(const char *text, size_t length, Buf *out)
{
    if (surely_nfc(text, length)) {
        buf_add(out, text, length);
        return;
    }
    Points points = { 0 };
    for (const char *at = text, *end = text + length; at < end;)
        decompose(&points, unicode_next(&at));
    order_all(&points);
    ptrdiff_t composed = utf8proc_normalize_utf32(points.point, (ptrdiff_t)points.count, nfc);
    for (ptrdiff_t i = 0; i < composed; i++)
        unicode_append(out, points.point[i]);
    free(points.point);
}

int unicode_repair(const char *bytes, size_t length, Buf *out)
{
    const char *end = bytes + length;
    int repaired = 0;
    while (bytes < end) {
        int32_t point;
        const size_t step = utf8_decode(bytes, (size_t)(end - bytes), &point);
        if (step && point != 0) {
            buf_add(out, bytes, step);
            bytes += step;
            continue;
        }
        repaired++;
        unicode_append(out, REPLACEMENT);
        do bytes++; while (bytes < end && (*bytes & 0xC0) == 0x80);
    }
    return repaired;
}
