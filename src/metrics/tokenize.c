/* tokenize.c - tokenizers as tables of rewriting rules.
 *
 * Sources: NIST's mteval-v13a.pl and mteval-v14.pl as sacreBLEU renders them, and its zh tokenizer.
 */
#include "metrics/tokenize.h"

#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

const char *const tokenize_names[] = { "13a", "intl", "zh", "char", "none", NULL };

/* One pass over the line, left to right without overlaps. A rule of one class puts blanks around a character of it; a
 * rule of two classes puts a blank between two neighbours, and one before or behind them. */
typedef struct {
    int (*first)(int32_t);          /* NULL ends a table */
    int (*second)(int32_t);         /* NULL: a rule of one class */
    int before, behind;             /* whether a blank goes there */
} Rule;

static int is_any(int32_t c)        { (void)c; return 1; }
static int is_digit(int32_t c)      { return c >= '0' && c <= '9'; }
static int is_not_digit(int32_t c)  { return !is_digit(c); }
static int is_dash(int32_t c)       { return c == '-'; }
static int is_dot_comma(int32_t c)  { return c == '.' || c == ','; }
static int is_not_number(int32_t c) { return !unicode_is_number(c); }

/* ASCII punctuation and the blank, without ' , - and the dot. */
static int is_mteval_symbol(int32_t c)
{
    return c >= ' ' && c <= '~' && !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z')
        && c != '\'' && c != ',' && c != '-' && c != '.';
}

/* U+2001-2A6D and 2F81-2FA1 were meant to be U+20000-2A6D6 and 2F800-2FA1D: a slip of the reference implementation
 * that every published zh score contains, so that dashes, curly quotes and arrows count as Chinese. */
static int is_chinese(int32_t c)
{
    static const struct { int32_t low, high; } ranges[] = {
        { 0x2001, 0x2a6d }, { 0x2e80, 0x2eff }, { 0x2f00, 0x2fdf }, { 0x2ff0, 0x2fff }, { 0x3000, 0x303f },
        { 0x3100, 0x312f }, { 0x31a0, 0x31bf }, { 0x31c0, 0x31ef }, { 0x3200, 0x33ff }, { 0x3400, 0x4db5 },
        { 0x4e00, 0x9fbb }, { 0xf900, 0xfa2d }, { 0xfa30, 0xfa6a }, { 0xfa70, 0xfad9 }, { 0xfe10, 0xfe1f },
        { 0xfe30, 0xfe4f }, { 0xff00, 0xffef },
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges && c >= ranges[i].low; i++)
        if (c <= ranges[i].high) return 1;
    return 0;
}

static const Rule mteval_rules[] = {
    { is_mteval_symbol, NULL, 1, 1 },
    { is_not_digit, is_dot_comma, 0, 1 },
    { is_dot_comma, is_not_digit, 1, 0 },
    { is_digit, is_dash, 0, 1 },
    { NULL, NULL, 0, 0 }
};

static const Rule intl_rules[] = {
    { is_not_number, unicode_is_punctuation, 0, 1 },
    { unicode_is_punctuation, is_not_number, 1, 0 },
    { unicode_is_symbol, NULL, 1, 1 },
    { NULL, NULL, 0, 0 }
};

static const Rule chinese_rules[] = { { is_chinese, NULL, 1, 1 }, { NULL, NULL, 0, 0 } };
static const Rule char_rules[]    = { { is_any, NULL, 1, 1 }, { NULL, NULL, 0, 0 } };

static int applies(const Rule *rule, const Symbols *line, size_t i)
{
    if (!rule->first(line->at[i])) return 0;
    return !rule->second || (i + 1 < line->count && rule->second(line->at[i + 1]));
}

static void apply(const Rule *rule, const Symbols *in, Symbols *out)
{
    int32_t *to = symbols_room(out, 3 * in->count);     /* at most: one character becomes three, or two become four */
    for (size_t i = 0; i < in->count; i++) {
        int hit = applies(rule, in, i);
        if (hit && rule->before) *to++ = ' ';
        *to++ = in->at[i];
        if (hit && rule->second) {
            *to++ = ' ';
            *to++ = in->at[++i];
        }
        if (hit && rule->behind) *to++ = ' ';
    }
    out->count = (size_t)(to - out->at);
}

static void rewrite(Symbols *line, const Rule *rules)
{
    Symbols next = { 0 };
    for (const Rule *rule = rules; rule->first; rule++) {
        apply(rule, line, &next);
        Symbols done = *line;
        *line = next;
        next = done;
    }
    symbols_free(&next);
}

static int starts_with(const Symbols *line, size_t i, const char *ascii, size_t length)
{
    if (length > line->count - i) return 0;
    for (size_t k = 0; k < length; k++)
        if (line->at[i + k] != ascii[k]) return 0;
    return 1;
}

/* Replaces every `ascii` by one character, or by nothing for 0. */
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

/* In this order, so that "&amp;lt;" becomes "<". */
static void mteval_unescape(Symbols *line)
{
    replace(line, "<skipped>", 0);
    replace(line, "&quot;", '"');
    replace(line, "&amp;", '&');
    replace(line, "&lt;", '<');
    replace(line, "&gt;", '>');
}

/* A blank at both ends, so that a full stop there has a neighbour that is no digit. */
static void pad(Symbols *line)
{
    symbols_add(line, ' ');
    symbols_add(line, ' ');
    memmove(line->at + 1, line->at, (line->count - 2) * sizeof *line->at);
    line->at[0] = ' ';
}

void tokenize(int kind, Symbols *line)
{
    switch (kind) {
    case TOKENIZE_13A:
        mteval_unescape(line);
        pad(line);
        rewrite(line, mteval_rules);
        break;
    case TOKENIZE_ZH:
        line_strip_left(line);
        rewrite(line, chinese_rules);
        rewrite(line, mteval_rules);
        break;
    case TOKENIZE_INTL:
        rewrite(line, intl_rules);
        break;
    case TOKENIZE_CHAR:
        rewrite(line, char_rules);
        break;
    default:            /* TOKENIZE_NONE */
        break;
    }
}
