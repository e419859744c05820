/* unicode.c - the door to ICU; sole file that includes it. It takes of libicuuc what is in constant tables: no iterator,
 * no converter, nothing of a locale but the mappings of case.
 */
#include "text/unicode.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/strings.h"

#include <stdlib.h>
#include <string.h>
#include <unicode/ucasemap.h>
#include <unicode/uchar.h>
#include <unicode/uloc.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

enum { SOFT_HYPHEN = 0xAD, ZERO_WIDTH_NON_JOINER = 0x200C, ZERO_WIDTH_JOINER = 0x200D, REPLACEMENT = 0xFFFD };

/* Only a lack of memory makes a call of ICU fail here. */
static void check(UErrorCode code)
{
    if (U_FAILURE(code)) die("out of memory: ICU reports %s", u_errorName(code));
}

/* ---- Bytes ---- */

void unicode_append(Buf *out, int32_t point)
{
    char bytes[U8_MAX_LENGTH];
    size_t length = 0;
    U8_APPEND_UNSAFE(bytes, length, point);
    buf_add(out, bytes, length);
}

int unicode_valid(const char *bytes, size_t length)
{
    const uint64_t high = 0x8080808080808080u, ones = 0x0101010101010101u;
    for (const char *end = bytes + length; bytes < end;) {
        int32_t point;
        uint64_t run = high;        /* eight bytes, which are ASCII in most text; a byte minus one has the high bit where
                                     * the byte was 0 */
        if (end - bytes >= (long)sizeof run) memcpy(&run, bytes, sizeof run);
        if (!((run | (run - ones)) & high)) {
            bytes += sizeof run;
            continue;
        }
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

int32_t unicode_next_long(const char **at)
{
    int32_t point = REPLACEMENT;
    const size_t length = utf8_decode(*at, SIZE_MAX, &point);
    *at += length ? length : 1;
    return point;
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

/* ---- Properties ---- */

static int is_of(int32_t point, uint32_t categories)
{
    return (U_GET_GC_MASK(point) & categories) != 0;
}

int unicode_is_letter(int32_t point)         { return is_of(point, U_GC_L_MASK); }
int unicode_is_lower(int32_t point)          { return is_of(point, U_GC_LL_MASK); }
int unicode_is_mark(int32_t point)           { return is_of(point, U_GC_M_MASK); }
int unicode_is_number(int32_t point)         { return is_of(point, U_GC_N_MASK); }
int unicode_is_word_character(int32_t point) { return is_of(point, U_GC_L_MASK | U_GC_N_MASK); }
int unicode_is_punctuation(int32_t point)    { return is_of(point, U_GC_P_MASK); }
int unicode_closes(int32_t point)            { return is_of(point, U_GC_PE_MASK | U_GC_PF_MASK); }
int unicode_is_symbol(int32_t point)         { return is_of(point, U_GC_S_MASK); }
int unicode_is_control(int32_t point)        { return point < 0x20 || (point >= 0x7F && point < 0xA0); }
int unicode_is_other(int32_t point)          { return is_of(point, U_GC_C_MASK); }
int unicode_is_case_ignorable(int32_t point) { return u_hasBinaryProperty(point, UCHAR_CASE_IGNORABLE); }
int unicode_is_cased(int32_t point)          { return u_hasBinaryProperty(point, UCHAR_CASED); }
int unicode_is_dash(int32_t point)           { return u_hasBinaryProperty(point, UCHAR_DASH); }
int unicode_digit(int32_t point)             { return u_charDigitValue(point); }
int32_t unicode_lower(int32_t point)         { return u_tolower(point); }
int unicode_has_script(int32_t point, int script) { return uscript_hasScript(point, script); }
int unicode_script_has_blanks(int script)    { return !uscript_breaksBetweenLetters(script); }

int unicode_is_space(int32_t point)
{
    if (point < 0x80)
        return point == ' ' || (point >= 0x09 && point <= 0x0D) || (point >= 0x1C && point <= 0x1F);
    return point == 0x85 || is_of(point, U_GC_Z_MASK);
}

int unicode_is_ignorable(int32_t point)
{
    return is_of(point, U_GC_CF_MASK) && u_hasBinaryProperty(point, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

int unicode_is_joiner(int32_t point)
{
    return point == ZERO_WIDTH_NON_JOINER || point == ZERO_WIDTH_JOINER;
}

int unicode_is_final_mark(int32_t point)
{
    enum { ELLIPSIS = 0x2026, GREEK_QUESTION_MARK = 0x37E };
    return u_hasBinaryProperty(point, UCHAR_S_TERM) || point == ELLIPSIS || point == GREEK_QUESTION_MARK;
}

int unicode_is_mid_letter(int32_t point)
{
    const int class = u_getIntPropertyValue(point, UCHAR_WORD_BREAK);
    return class == U_WB_MIDLETTER || class == U_WB_MIDNUMLET;
}

static UScriptCode script_of(int32_t point)
{
    UErrorCode code = U_ZERO_ERROR;
    return uscript_getScript(point, &code);
}

int unicode_script(int32_t point)
{
    enum { COLUMN = 16 };
    const int script = script_of(point);
    if (script > USCRIPT_INHERITED || !unicode_is_letter(point)) return script;
    for (int32_t near = point - 1; near > point - COLUMN; near--)
        if (uscript_hasScript(point, script_of(near))) return script_of(near);
    return script;
}

int unicode_width(int32_t point)
{
    const uint32_t without = U_GC_M_MASK | U_GC_CC_MASK | U_GC_CF_MASK | U_GC_ZL_MASK | U_GC_ZP_MASK;
    if (is_of(point, without) && point != SOFT_HYPHEN) return 0;
    const int width = u_getIntPropertyValue(point, UCHAR_EAST_ASIAN_WIDTH);
    return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

/* ---- Properties of a text ---- */

void unicode_count_words(WordCount *count, const char *text, const char *end)
{
    while (text < end) {
        const int is_blank = unicode_is_space(unicode_next(&text));
        count->words += !is_blank && !count->inside;
        count->inside = !is_blank;
    }
}

int unicode_words(const char *text, size_t length)
{
    WordCount count = { 0 };
    unicode_count_words(&count, text, text + length);
    return count.words;
}

int unicode_shows(const char *text)
{
    while (*text) {
        const int32_t point = unicode_next(&text);
        if (!unicode_is_space(point) && !unicode_is_control(point) && !unicode_is_ignorable(point)) return 1;
    }
    return 0;
}

const char *unicode_skip_blanks(const char *at, const char *end)
{
    while (at < end && unicode_is_space(unicode_at(at)))
        unicode_next(&at);
    return at;
}

size_t unicode_trimmed(const char *text, size_t length)
{
    while (length && unicode_is_space(unicode_before(text, text + length)))
        do length--; while (length && (text[length] & 0xC0) == 0x80);
    return length;
}

int unicode_columns(const char *text)
{
    int columns = 0;
    while (*text)
        columns += unicode_width(unicode_next(&text));
    return columns;
}

/* ---- Normal forms ---- */

/* The rule of Annex 15, section 9.1: a text of which each character may stand in the normal form, whatever is
 * around it, and whose marks are in order, is in it. Those below U+0300 may, and combine with nothing before them. */
static int is_nfc(Slice text)
{
    for (const char *at = text.text, *end = at + text.length, *start = at; at < end; start = at) {
        const int32_t point = unicode_next(&at);
        if (point < 0x300) continue;
        if (u_getIntPropertyValue(point, UCHAR_NFC_QUICK_CHECK) != UNORM_YES) return 0;
        const int class = u_getCombiningClass(point);
        if (class && u_getCombiningClass(unicode_before(text.text, start)) > class) return 0;
    }
    return 1;
}

/* Whether a word has so many marks in a row that ICU would sort them in the square of their number. */
static int is_stacked(Slice word)
{
    enum { MOST = 30, MOST_BYTES = 1 << 24 };       /* Annex 15, section 13: Stream-Safe Text Format */
    int marks = 0;
    for (const char *at = word.text, *end = at + word.length; at < end && marks <= MOST;)
        marks = u_getCombiningClass(unicode_next(&at)) ? marks + 1 : 0;
    return marks > MOST || word.length > MOST_BYTES;
}

static void add_normal(const UNormalizer2 *form, Slice word, Buf *out)
{
    enum { GROWTH = 4, UNIT_BYTES = 3 };        /* units for one, bytes for a unit: no character needs more */
    UErrorCode code = U_ZERO_ERROR;
    int32_t units, bytes;
    SCOPED(xfree_at) UChar *from = xmalloc((1 + GROWTH) * word.length, sizeof *from);
    UChar *to = from + word.length;
    u_strFromUTF8WithSub(from, (int32_t)word.length, &units, word.text, (int32_t)word.length, REPLACEMENT, NULL, &code);
    const int32_t made = unorm2_normalize(form, from, units, to, GROWTH * units, &code), room = UNIT_BYTES * made;
    u_strToUTF8(buf_room(out, (size_t)room), room, &bytes, to, made, &code);
    check(code);
    out->length += (size_t)bytes;
    out->text[out->length] = '\0';
}

/* The words between blanks, each by itself: no character composes with a blank. */
static void add_all_normal(const UNormalizer2 *form, Slice text, Buf *out)
{
    const char *at = text.text, *end = at + text.length;
    for (const char *stop; at < end; at = stop) {
        const char *blank = memchr(at, ' ', (size_t)(end - at));
        stop = blank ? blank + 1 : end;
        const Slice word = slice_between(at, stop);
        if (is_stacked(word)) buf_add(out, at, word.length);
        else add_normal(form, word, out);
    }
}

void unicode_nfc(Slice text, Buf *out)
{
    UErrorCode code = U_ZERO_ERROR;
    const UNormalizer2 *form = unorm2_getNFCInstance(&code);
    check(code);
    if (is_nfc(text)) buf_add(out, text.text, text.length);
    else add_all_normal(form, text, out);
}

void unicode_nfd(Slice text, Buf *out)
{
    UErrorCode code = U_ZERO_ERROR;
    const UNormalizer2 *form = unorm2_getNFDInstance(&code);
    check(code);
    if (unicode_is_ascii(text.text, text.length)) buf_add(out, text.text, text.length);
    else add_all_normal(form, text, out);
}

int32_t unicode_base(int32_t point)
{
    enum { LONGEST = 4 };       /* code points: no canonical decomposition has more */
    UChar units[LONGEST * U16_MAX_LENGTH];
    UErrorCode code = U_ZERO_ERROR;
    if (point < 0x80) return point;
    const int count = unorm2_getDecomposition(unorm2_getNFCInstance(&code), point, units, LONGEST * U16_MAX_LENGTH, &code);
    check(code);
    if (count > 0) U16_GET(units, 0, 0, count, point);
    return point;
}

int unicode_append_compatible(Buf *out, int32_t point)
{
    enum { MOST = 18 };         /* code points: no decomposition has more */
    const int type = u_getIntPropertyValue(point, UCHAR_DECOMPOSITION_TYPE);
    const int has_width = type == U_DT_WIDE || type == U_DT_NARROW;
    UChar units[MOST * U16_MAX_LENGTH];
    UErrorCode code = U_ZERO_ERROR;
    int parts = 0, letters = 0;
    if (!has_width && (type != U_DT_COMPAT || !unicode_is_letter(point))) return 0;
    const size_t before = out->length;
    const int count = unorm2_getRawDecomposition(unorm2_getNFKCInstance(&code), point, units, MOST * U16_MAX_LENGTH, &code);
    check(code);
    for (int i = 0; i < count; parts++) {
        int32_t part;
        U16_NEXT(units, i, count, part);
        letters += unicode_is_letter(part);
        unicode_append(out, part);
    }
    if (has_width || (parts > 1 && letters == parts)) return 1;
    out->length = before;       /* a letter with a sign is no ligature */
    return 0;
}

/* ---- Languages ---- */

int unicode_language(const char *tag, char usual[LANGUAGE_BYTES])
{
    UErrorCode code = U_ZERO_ERROR;
    char locale[ULOC_FULLNAME_CAPACITY], language[ULOC_LANG_CAPACITY];
    int32_t parsed = 0;
    uloc_forLanguageTag(tag, locale, sizeof locale, &parsed, &code);
    if (code == U_MEMORY_ALLOCATION_ERROR) check(code);
    if (U_FAILURE(code) || tag[parsed]) return -1;
    const int32_t letters = uloc_getLanguage(locale, language, sizeof language, &code);
    const int32_t length = uloc_toLanguageTag(locale, usual, LANGUAGE_BYTES, 1, &code);
    if (code == U_MEMORY_ALLOCATION_ERROR) check(code);
    if (U_FAILURE(code) || length >= LANGUAGE_BYTES) return -1;
    return letters == 3 || (letters == 2 && *uloc_getISO3Language(language)) ? 0 : -1;
}

/* ---- Case of a text ---- */

typedef int32_t CaseMapping(const UCaseMap *, char *, int32_t, const char *, int32_t, UErrorCode *);

static int32_t to_title(const UCaseMap *map, char *out, int32_t room, const char *text, int32_t length, UErrorCode *code)
{
    return ucasemap_utf8ToTitle((UCaseMap *)map, out, room, text, length, code);
}

void unicode_case(UnicodeCase kind, Slice text, const char *locale, Buf *out)
{
    enum { MOST_GROWTH = 3 };   /* bytes for one: none of Unicode's mappings makes more */
    static CaseMapping *const mappings[] = { ucasemap_utf8ToLower, ucasemap_utf8ToUpper, to_title };
    const size_t room = MOST_GROWTH * text.length;
    UErrorCode code = U_ZERO_ERROR;
    if (room > INT32_MAX) die("a text of %zu bytes is too long for its letters to be changed", text.length);
    char *to = buf_room(out, room);
    UCaseMap *map = ucasemap_open(locale ? locale : "", U_TITLECASE_WHOLE_STRING | U_TITLECASE_NO_LOWERCASE, &code);
    check(code);
    const int32_t made = mappings[kind](map, to, (int32_t)room, text.text, (int32_t)text.length, &code);
    ucasemap_close(map);
    check(code);
    out->length += (size_t)made;
    out->text[out->length] = '\0';
}
