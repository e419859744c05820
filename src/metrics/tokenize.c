/* tokenize.c - tokenizers as sequences of rewriting rules.
 *
 * Sources: NIST's mteval-v13a.pl and mteval-v14.pl in sacreBLEU's version, its zh tokenizer, and
 * its version of tercom's Normalizer.java.
 */
#include "metrics/tokenize.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <string.h>

const char *const tokenize_names[] = { "13a", "intl", "zh", "char", "none", NULL };

int tokenize_for(const char *language, const char **absent)
{
    static const struct { const char *language, *absent; int kind; } rows[] = {
        { "zh", NULL, TOKENIZE_ZH }, { "ja", "ja-mecab", TOKENIZE_CHAR }, { "ko", "ko-mecab", TOKENIZE_CHAR },
    };
    const size_t length = strcspn(language, "-");
    *absent = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (length != strlen(rows[i].language) || memcmp(language, rows[i].language, length)) continue;
        *absent = rows[i].absent;
        return rows[i].kind;
    }
    return TOKENIZE_13A;
}

void script_count_add(ScriptCount *count, const char *text)
{
    while (*text) {
        const int32_t point = unicode_next(&text);
        if (!unicode_is_letter(point)) continue;
        count->letters++;
        count->unspaced += !unicode_script_has_blanks(unicode_script(point));
    }
}

int script_count_lacks_blanks(const ScriptCount *count)
{
    return 2 * count->unspaced > count->letters;
}

static int is_any(int32_t c)        { (void)c; return 1; }
static int is_digit(int32_t c)      { return c >= '0' && c <= '9'; }
static int is_not_digit(int32_t c)  { return !is_digit(c); }
static int is_dash(int32_t c)       { return c == '-'; }
static int is_dot_comma(int32_t c)  { return c == '.' || c == ','; }
static int is_not_number(int32_t c) { return !unicode_is_number(c); }

/* ASCII punctuation and the blank, without ' , - and the dot. */
static int is_mteval_symbol(int32_t c)
{
    return c >= ' ' && c <= '~' && !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z')
        && !(c >= 'a' && c <= 'z') && c != '\'' && c != ',' && c != '-' && c != '.';
}

typedef struct { int32_t low, high; } Range;

/* The ranges ascend; high 0 ends them. */
static int is_within(int32_t c, const Range *range)
{
    while (range->high && range->high < c) range++;
    return range->high && range->low <= c;
}

/* The reference implementation has U+2001-2A6D and 2F81-2FA1 where it means U+20000-2A6D6 and
 * 2F800-2FA1D: a slip in every published zh score, by which dashes, curly quotes and arrows count
 * as Chinese. */
static int is_chinese(int32_t c)
{
    static const Range ranges[] = {
        { 0x2001, 0x2a6d }, { 0x2e80, 0x2eff }, { 0x2f00, 0x2fdf }, { 0x2ff0, 0x2fff },
        { 0x3000, 0x303f }, { 0x3100, 0x312f }, { 0x31a0, 0x31bf }, { 0x31c0, 0x31ef },
        { 0x3200, 0x33ff }, { 0x3400, 0x4db5 }, { 0x4e00, 0x9fbb }, { 0xf900, 0xfa2d },
        { 0xfa30, 0xfa6a }, { 0xfa70, 0xfad9 }, { 0xfe10, 0xfe1f }, { 0xfe30, 0xfe4f },
        { 0xff00, 0xffef }, { 0, 0 }
    };
    return is_within(c, ranges);
}

/* The reference implementation has U+3200-3F22 where it means U+3200-32FF. */
static int is_tercom_asian(int32_t c)
{
    static const Range ranges[] = {
        { 0x2e80, 0x2eff }, { 0x31c0, 0x31ef }, { 0x3200, 0x3f22 }, { 0x3f23, 0x4dbf },
        { 0x4e00, 0x9fff }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe4f }, { 0, 0 }
    };
    return is_within(c, ranges);
}

static int is_tercom_asian_punctuation(int32_t c)
{
    static const Range ranges[] = {
        { 0x3001, 0x3002 }, { 0x3008, 0x3011 }, { 0x3014, 0x301f }, { 0x30fb, 0x30fb },
        { 0xff01, 0xff02 }, { 0xff08, 0xff09 }, { 0xff0c, 0xff0c }, { 0xff0e, 0xff0e },
        { 0xff1a, 0xff1b }, { 0xff1f, 0xff1f }, { 0xff61, 0xff65 }, { 0, 0 }
    };
    return is_within(c, ranges);
}

static int is_tercom_punctuation(int32_t c)
{
    return c > 0 && c < 0x80 && strchr(".,?:;!\"()", c) != NULL;
}

static void swap(Symbols *a, Symbols *b)
{
    Symbols other = *a;
    *a = *b;
    *b = other;
}

/* Where a rule inserts blanks. */
enum { BEFORE = 1, BEHIND = 2 };

/* A rule: one pass over the line, from left to right without overlaps. With one class of characters
 * it inserts blanks before or behind each of them; with two (second is not NULL) it inserts a blank
 * between two neighbours of these classes, and one before or behind them. It is inlined at every
 * use, so that the tests of each character are inlined too. */
static inline __attribute__((always_inline))
void rule(Symbols *line, Symbols *spare, int (*first)(int32_t), int (*second)(int32_t), int blanks)
{
    const int32_t *in = line->at;
    /* One symbol becomes three at most, or two become four. */
    int32_t *to = symbols_reserve(spare, 3 * line->count);
    for (size_t i = 0; i < line->count; i++) {
        int hit = first(in[i]) && (!second || (i + 1 < line->count && second(in[i + 1])));
        if (hit && blanks & BEFORE) *to++ = ' ';
        *to++ = in[i];
        if (hit && second) {
            *to++ = ' ';
            *to++ = in[++i];
        }
        if (hit && blanks & BEHIND) *to++ = ' ';
    }
    spare->count = (size_t)(to - spare->at);
    swap(line, spare);
}

static int starts_with(const Symbols *line, size_t i, const char *ascii, size_t length)
{
    if (length > line->count - i) return 0;
    for (size_t k = 0; k < length; k++)
        if (line->at[i + k] != ascii[k]) return 0;
    return 1;
}

/* Replaces every occurrence of `ascii` by one character; with 0, removes it. */
static void replace(Symbols *line, const char *ascii, char with)
{
    size_t length = strlen(ascii), kept = 0;
    for (size_t i = 0; i < line->count;) {
        int hit = starts_with(line, i, ascii, length);
        if (!hit) line->at[kept++] = line->at[i];
        else if (with) line->at[kept++] = with;
        i += hit ? length : 1;
    }
    line->count = kept;
}

static int contains(const Symbols *line, int32_t c)
{
    int found = 0;
    for (size_t i = 0; i < line->count; i++) found |= line->at[i] == c;
    return found;
}

/* The order matters: "&amp;lt;" becomes "<". */
static void unescape(Symbols *line)
{
    if (!contains(line, '&')) return;
    replace(line, "&quot;", '"');
    replace(line, "&amp;", '&');
    replace(line, "&lt;", '<');
    replace(line, "&gt;", '>');
}

/* Adds a blank at both ends, so that a full stop there has a neighbour that is not a digit. */
static void pad(Symbols *line)
{
    symbols_add(line, ' ');
    symbols_add(line, ' ');
    memmove(line->at + 1, line->at, (line->count - 2) * sizeof *line->at);
    line->at[0] = ' ';
}

static void split_symbols(Symbols *line, Symbols *spare)
{
    rule(line, spare, is_mteval_symbol, NULL, BEFORE | BEHIND);
}

/* Splits off dots, commas and dashes outside of numbers. */
static void split_numbers(Symbols *line, Symbols *spare)
{
    if (contains(line, '.') || contains(line, ',')) {
        rule(line, spare, is_not_digit, is_dot_comma, BEHIND);
        rule(line, spare, is_dot_comma, is_not_digit, BEFORE);
    }
    if (contains(line, '-')) rule(line, spare, is_digit, is_dash, BEHIND);
}

static void split_international(Symbols *line, Symbols *spare)
{
    rule(line, spare, is_not_number, unicode_is_punctuation, BEHIND);
    rule(line, spare, unicode_is_punctuation, is_not_number, BEFORE);
    rule(line, spare, unicode_is_symbol, NULL, BEFORE | BEHIND);
}

void tokenize(int kind, Symbols *line)
{
    SCOPED(symbols_free) Symbols spare = { 0 };
    switch (kind) {
    case TOKENIZE_13A:
        if (contains(line, '<')) replace(line, "<skipped>", 0);
        unescape(line);
        pad(line);
        split_symbols(line, &spare);
        split_numbers(line, &spare);
        break;
    case TOKENIZE_ZH:
        line_strip_left(line);
        rule(line, &spare, is_chinese, NULL, BEFORE | BEHIND);
        split_symbols(line, &spare);
        split_numbers(line, &spare);
        break;
    case TOKENIZE_INTL:
        split_international(line, &spare);
        break;
    case TOKENIZE_CHAR:
        rule(line, &spare, is_any, NULL, BEFORE | BEHIND);
        break;
    default:            /* TOKENIZE_NONE */
        break;
    }
}

/* "it's " becomes "it 's ". */
static void split_possessives(Symbols *line, Symbols *spare)
{
    int32_t *to = symbols_reserve(spare, 2 * line->count);
    for (size_t i = 0; i < line->count; i++) {
        if (starts_with(line, i, "'s ", 3)) *to++ = ' ';
        *to++ = line->at[i];
    }
    spare->count = (size_t)(to - spare->at);
    swap(line, spare);
}

/* tercom's rules for Hiragana and Katakana are left out: they never change the words. */
static void tercom_normalize(Symbols *line, int asian)
{
    SCOPED(symbols_free) Symbols spare = { 0 };
    unescape(line);
    pad(line);
    split_symbols(line, &spare);
    split_possessives(line, &spare);
    split_numbers(line, &spare);
    if (asian) {
        rule(line, &spare, is_tercom_asian, NULL, BEFORE | BEHIND);
        rule(line, &spare, is_tercom_asian_punctuation, NULL, BEFORE | BEHIND);
    }
}

static void remove_class(Symbols *line, int (*is_in)(int32_t))
{
    size_t kept = 0;
    for (size_t i = 0; i < line->count; i++)
        if (!is_in(line->at[i])) line->at[kept++] = line->at[i];
    line->count = kept;
}

void tokenize_tercom(const TercomOptions *tercom, Symbols *line)
{
    if (line->count == 0) return;
    if (tercom->normalized) tercom_normalize(line, tercom->asian);
    if (!tercom->no_punct) return;
    remove_class(line, is_tercom_punctuation);
    if (tercom->asian) remove_class(line, is_tercom_asian_punctuation);
}
