/* unicode.c - the door to ICU; sole file that includes it. It takes of libicuuc what is in constant tables: no iterator,
 * no converter, nothing of a locale but the mappings of case.
 */
#include "text/unicode.h"

#include "base/error.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <unicode/ucasemap.h>
#include <unicode/uchar.h>
#include <unicode/uloc.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

enum { SOFT_HYPHEN = 0xAD, ZERO_WIDTH_NON_JOINER = 0x200C, ZERO_WIDTH_JOINER = 0x200D };

/* Only a lack of memory makes a call of ICU fail here. */
static void check(UErrorCode code)
{
    if (U_FAILURE(code)) die("out of memory: ICU reports %s", u_errorName(code));
}

void unicode_append(Buf *out, int32_t point)
{
    char bytes[U8_MAX_LENGTH];
    size_t length = 0;
    U8_APPEND_UNSAFE(bytes, length, point);
    buf_add(out, bytes, length);
}

/* ---- Properties ---- */

static int is_of(int32_t point, uint32_t categories)
{
    return (U_GET_GC_MASK(point) & categories) != 0;
}

int unicode_is_letter(int32_t point)
{
    return is_of(point, U_GC_L_MASK);
}

int unicode_is_lower(int32_t point)
{
    return is_of(point, U_GC_LL_MASK);
}

int unicode_is_mark(int32_t point)
{
    return is_of(point, U_GC_M_MASK);
}

int unicode_is_number(int32_t point)
{
    return is_of(point, U_GC_N_MASK);
}

int unicode_is_punctuation(int32_t point)
{
    return is_of(point, U_GC_P_MASK);
}

int unicode_opens(int32_t point)
{
    return is_of(point, U_GC_PS_MASK | U_GC_PI_MASK);
}

int unicode_closes(int32_t point)
{
    return is_of(point, U_GC_PE_MASK | U_GC_PF_MASK);
}

int unicode_is_symbol(int32_t point)
{
    return is_of(point, U_GC_S_MASK);
}

int unicode_is_space(int32_t point)
{
    if (point < 0x80)
        return point == ' ' || (point >= 0x09 && point <= 0x0D) || (point >= 0x1C && point <= 0x1F);
    return point == 0x85 || is_of(point, U_GC_Z_MASK);
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
    return is_of(point, U_GC_CF_MASK) && u_hasBinaryProperty(point, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

int unicode_is_joiner(int32_t point)
{
    return point == ZERO_WIDTH_NON_JOINER || point == ZERO_WIDTH_JOINER;
}

int unicode_is_case_ignorable(int32_t point)
{
    return u_hasBinaryProperty(point, UCHAR_CASE_IGNORABLE);
}

int unicode_is_cased(int32_t point)
{
    return u_hasBinaryProperty(point, UCHAR_CASED);
}

int unicode_is_final_mark(int32_t point)
{
    return u_hasBinaryProperty(point, UCHAR_S_TERM);
}

int unicode_is_dash(int32_t point)
{
    return u_hasBinaryProperty(point, UCHAR_DASH);
}

/* ICU loads its table of emoji at the first question, and where it can't, no character is one. */
static int is_pictograph(int32_t point)
{
    enum { GRINNING_FACE = 0x1F600 };
    if (u_hasBinaryProperty(point, UCHAR_EXTENDED_PICTOGRAPHIC)) return 1;
    if (point >= 0x80 && !u_hasBinaryProperty(GRINNING_FACE, UCHAR_EXTENDED_PICTOGRAPHIC))
        die("ICU could not load its table of emoji: it is out of memory, or its data are not installed");
    return 0;
}

int unicode_is_mid_letter(int32_t point)
{
    const int class = u_getIntPropertyValue(point, UCHAR_WORD_BREAK);
    return class == U_WB_MIDLETTER || class == U_WB_MIDNUMLET;
}

int unicode_digit(int32_t point)
{
    return u_charDigitValue(point);
}

int32_t unicode_lower(int32_t point)
{
    return u_tolower(point);
}

int32_t unicode_upper(int32_t point)
{
    return u_toupper(point);
}

/* ---- Scripts ---- */

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

int unicode_has_script(int32_t point, int script)
{
    return uscript_hasScript(point, script);
}

int unicode_script_has_blanks(int script)
{
    return !uscript_breaksBetweenLetters(script);
}

/* ---- Grapheme clusters ---- */

/* What Annex 29 asks of the characters before a possible end: how many regional indicators stand there, and whether they
 * are a pictograph with its extensions, or such and a joiner. */
typedef struct { int indicators; enum { NOT_PICTORIAL, PICTOGRAPH, JOINED_PICTOGRAPH } kind; } Before;

static int break_class(int32_t point)
{
    return u_getIntPropertyValue(point, UCHAR_GRAPHEME_CLUSTER_BREAK);
}

static int is_control_class(int class)
{
    return class == U_GCB_CONTROL || class == U_GCB_CR || class == U_GCB_LF;
}

/* Rules GB6 to GB8: the letters of one Hangul syllable. */
static int is_syllable(int class, int next)
{
    switch (class) {
    case U_GCB_L:                return next == U_GCB_L || next == U_GCB_V || next == U_GCB_LV || next == U_GCB_LVT;
    case U_GCB_V: case U_GCB_LV: return next == U_GCB_V || next == U_GCB_T;
    case U_GCB_T: case U_GCB_LVT: return next == U_GCB_T;
    default:                     return 0;
    }
}

/* Rules GB3 to GB13: whether a cluster goes on between two characters. */
static int goes_on(const Before *before, int class, int next, int next_is_pictorial)
{
    if (is_control_class(class) || is_control_class(next)) return class == U_GCB_CR && next == U_GCB_LF;
    if (next == U_GCB_EXTEND || next == U_GCB_ZWJ || next == U_GCB_SPACING_MARK) return 1;
    if (class == U_GCB_PREPEND || is_syllable(class, next)) return 1;
    if (before->kind == JOINED_PICTOGRAPH && next_is_pictorial) return 1;
    return next == U_GCB_REGIONAL_INDICATOR && before->indicators % 2;
}

static void pass(Before *before, int class, int is_pictorial)
{
    before->indicators = class == U_GCB_REGIONAL_INDICATOR ? before->indicators + 1 : 0;
    const int is_open = before->kind == PICTOGRAPH;
    if (is_pictorial || (is_open && class == U_GCB_EXTEND)) before->kind = PICTOGRAPH;
    else before->kind = is_open && class == U_GCB_ZWJ ? JOINED_PICTOGRAPH : NOT_PICTORIAL;
}

const char *unicode_grapheme_end(const char *at, const char *end)
{
    Before before = { 0 };
    int32_t point = unicode_next(&at);
    int class = break_class(point), is_pictorial = is_pictograph(point);
    for (const char *next = at; next < end && *next != ' '; at = next) {
        pass(&before, class, is_pictorial);
        point = unicode_next(&next);
        const int next_class = break_class(point);
        is_pictorial = is_pictograph(point);
        if (!goes_on(&before, class, next_class, is_pictorial)) break;
        class = next_class;
    }
    return at;
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
    const uint32_t without = U_GC_M_MASK | U_GC_CC_MASK | U_GC_CF_MASK | U_GC_ZL_MASK | U_GC_ZP_MASK;
    if (is_of(point, without) && point != SOFT_HYPHEN) return 0;
    const int width = u_getIntPropertyValue(point, UCHAR_EAST_ASIAN_WIDTH);
    return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
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
    return u_getCombiningClass(point);
}

/* The rule of Annex 15, section 9.1: a text of which each character may stand in the normal form, whatever is
 * around it, and whose marks are in order, is in it. */
static int is_nfc(const char *text, size_t length)
{
    for (const char *at = text, *end = text + length, *start = text; at < end; start = at) {
        const int32_t point = unicode_next(&at);
        if (u_getIntPropertyValue(point, UCHAR_NFC_QUICK_CHECK) != UNORM_YES) return 0;
        const int class = class_of(point);
        if (class && class_of(unicode_before(text, start)) > class) return 0;
    }
    return 1;
}

static const UNormalizer2 *nfc(void)
{
    UErrorCode code = U_ZERO_ERROR;
    const UNormalizer2 *form = unorm2_getNFCInstance(&code);
    check(code);
    return form;
}

/* Code points. */
typedef struct { int32_t *point; size_t count, capacity; } Points;

/* Appends the canonical decomposition of a character, not yet in order. */
static void decompose(Points *points, int32_t point)
{
    enum { LONGEST = 4 };       /* code points: no canonical decomposition has more */
    UChar units[LONGEST * U16_MAX_LENGTH];
    UErrorCode code = U_ZERO_ERROR;
    const int count = unorm2_getDecomposition(nfc(), point, units, LONGEST * U16_MAX_LENGTH, &code);
    check(code);
    points->point = grow(points->point, &points->capacity, points->count + LONGEST,
                         sizeof *points->point);
    if (count < 0) points->point[points->count++] = point;
    for (int i = 0; i < count; points->count++)
        U16_NEXT(units, i, count, points->point[points->count]);
}

int32_t unicode_base(int32_t point)
{
    Points points = { 0 };
    if (point < 0x80) return point;
    decompose(&points, point);
    point = points.point[0];
    xfree(points.point);
    return point;
}

static int in_order(const int32_t *mark, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (class_of(mark[i - 1]) > class_of(mark[i])) return 0;
    return 1;
}

/* The Canonical Ordering Algorithm (The Unicode Standard, definition D109) for the marks behind one
 * starter: by their classes, equal ones in their order. ICU's normaliser does it too, in time
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
    xfree(given);
}

static void order_all(Points *points)
{
    for (size_t i = 0, first; i < points->count; i++) {
        for (first = i; i < points->count && class_of(points->point[i]);)
            i++;
        order(points->point + first, i - first);
    }
}

/* The Canonical Composition Algorithm (definition D117): a character joins the last starter unless one between them
 * has its class or a higher one. */
static void compose(Points *points)
{
    const UNormalizer2 *form = nfc();
    int32_t *starter = NULL;
    int last = -1;              /* the class of the character before; none behind the starter */
    size_t kept = 0;
    for (size_t i = 0; i < points->count; i++) {
        const int32_t point = points->point[i];
        const int class = class_of(point);
        const int32_t composite = starter && last < class ? unorm2_composePair(form, *starter, point) : -1;
        if (composite >= 0) {
            *starter = composite;
            continue;
        }
        if (!class) starter = &points->point[kept];
        last = class ? class : -1;
        points->point[kept++] = point;
    }
    points->count = kept;
}

static Points decompose_all(const char *text, size_t length)
{
    Points points = { 0 };
    for (const char *at = text, *end = text + length; at < end;)
        decompose(&points, unicode_next(&at));
    order_all(&points);
    return points;
}

static void append_all(Points points, Buf *out)
{
    for (size_t i = 0; i < points.count; i++)
        unicode_append(out, points.point[i]);
    xfree(points.point);
}

void unicode_nfc(const char *text, size_t length, Buf *out)
{
    if (surely_nfc(text, length) || is_nfc(text, length)) {
        buf_add(out, text, length);
        return;
    }
    Points points = decompose_all(text, length);
    compose(&points);
    append_all(points, out);
}

void unicode_nfd(const char *text, size_t length, Buf *out)
{
    append_all(decompose_all(text, length), out);
}

/* Whether the parts of a ligature are letters: not those of a letter with a sign. */
static int are_letters(const int32_t *part, int count)
{
    for (int i = 0; i < count; i++)
        if (!unicode_is_letter(part[i])) return 0;
    return count > 1;
}

int unicode_append_compatible(Buf *out, int32_t point)
{
    enum { LONGEST = 18 };      /* code points: no decomposition has more */
    const int type = u_getIntPropertyValue(point, UCHAR_DECOMPOSITION_TYPE);
    const int has_width = type == U_DT_WIDE || type == U_DT_NARROW;
    UChar units[LONGEST * U16_MAX_LENGTH];
    int32_t part[LONGEST * U16_MAX_LENGTH];
    UErrorCode code = U_ZERO_ERROR;
    int parts = 0;
    if (!has_width && (type != U_DT_COMPAT || !unicode_is_letter(point))) return 0;
    const UNormalizer2 *form = unorm2_getNFKCInstance(&code);
    const int count = unorm2_getRawDecomposition(form, point, units, LONGEST * U16_MAX_LENGTH, &code);
    check(code);
    for (int i = 0; i < count; parts++)
        U16_NEXT(units, i, count, part[parts]);
    if (!has_width && !are_letters(part, parts)) return 0;
    for (int i = 0; i < parts; i++)
        unicode_append(out, part[i]);
    return 1;
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

void unicode_case(UnicodeCase kind, const char *text, size_t length, const char *locale, Buf *out)
{
    enum { MOST_GROWTH = 3 };   /* bytes for one: none of Unicode's mappings makes more */
    static CaseMapping *const mappings[] = { ucasemap_utf8ToLower, ucasemap_utf8ToUpper, to_title };
    const size_t room = MOST_GROWTH * length;
    UErrorCode code = U_ZERO_ERROR;
    if (room > INT32_MAX) die("a text of %zu bytes is too long for its letters to be changed", length);
    char *to = buf_room(out, room);
    UCaseMap *map = ucasemap_open(locale ? locale : "", U_TITLECASE_WHOLE_STRING | U_TITLECASE_NO_LOWERCASE, &code);
    check(code);
    const int32_t made = mappings[kind](map, to, (int32_t)room, text, (int32_t)length, &code);
    ucasemap_close(map);
    check(code);
    out->length += (size_t)made;
    out->text[out->length] = '\0';
}
