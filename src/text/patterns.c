/* patterns.c - the expressions, each compiled once for all threads.
 *
 * Repetitions are possessive wherever they can be, and bounded where a match may begin at each of their parts, so that the
 * time grows with the line. A line without a hint of a span is not matched at all.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "text/patterns.h"

#include "base/error.h"
#include "base/mem.h"
#include "text/unicode.h"

#include <pcre2.h>
#include <stdatomic.h>
#include <string.h>

/* Parts of several expressions: a character inside an address, which does not end in punctuation; an
 * identifier of a program. */
#define PARTS \
    "(?(DEFINE)" \
    "(?<link>[^\\s<>\"'(){}\\[\\]|\\\\^`.,!?;:\\x{201C}\\x{201D}\\x{2019}\\x{3000}-\\x{303F}\\x{FF00}-\\x{FF0F}]" \
    "|[.,!?;:']++(?=[^\\s<>\"'(){}\\[\\]|\\\\^`.,!?;:])|\\([^\\s()]*+\\))" \
    "(?<name>[\\p{L}_$][\\w$]{0,255}+))"

/* Spans. Marks enclose or begin the first ones: letters may stand right before and behind them. No letter, digit or underscore
 * stands right before and behind the others. */
static const char spans_expression[] =
    PARTS "(?:"
    "https?+://(?&link)++|"                                         /* https://example.com/a */
    "`[^`\\s](?:[^`]{0,198}[^`\\s])?`|"                             /* `code` */
    "\\{\\{[^{}]{0,80}+\\}\\}|"                                     /* {{ name }} */
    "<%[^%<>]{0,80}+%>|"                                            /* <%= x %> */
    "\\[\\[[^\\[\\]\\s]{1,80}+\\]\\]|"                              /* [[x]] */
    "\\$?+\\{ ?+[^{}\\s]{1,80}+ ?+\\}|"                             /* {0}  ${x}  { name }  {\an8} */
    "\\{%[^%{}]{0,80}+%\\}|"                                        /* {% if x %} */
    "\\*\\|[^|*\\s]{1,80}+\\|\\*|"                                  /* *|NAME|* */
    "(?:\\\\[nrt])++|"                                              /* \n */
    "%\\([\\w.]++\\)[a-z]|"                                         /* %(name)s */
    "(?:[\\p{Extended_Pictographic}\\x{1F1E6}-\\x{1F1FF}]"         /* emoji, a run of them as one */
    "[\\x{FE0F}\\x{20E3}\\x{200D}\\x{1F3FB}-\\x{1F3FF}\\x{E0020}-\\x{E007F}]*+)++"
    "|(?<![\\p{L}\\p{M}\\p{N}_])(?:"
    "(?:[A-Za-z][A-Za-z0-9+.-]{0,20}+://|[Ww]{3}\\.)(?&link)++|"         /* ftp://example.com  www.example.com */
    "[A-Za-z0-9._%+-]{1,64}+@[A-Za-z0-9-]{1,63}+(?:\\.[A-Za-z0-9-]{1,63}+){1,8}+|"             /* tom@example.com */
    "(?:[A-Za-z0-9-]{1,63}+\\.){1,8}+[a-z]{2,20}+(?::[0-9]{1,5}+)?+/(?&link)*+|"               /* bit.ly/a */
    "[A-Za-z0-9-]{1,63}+(?:\\.[A-Za-z0-9-]{1,63}+){0,8}+:[0-9]{2,5}+(?=/)(?&link)++|"          /* db:5432/x */
    "(?:[A-Za-z0-9_-]{2,63}+\\.){1,8}[a-z][a-z0-9]{1,4}+|"         /* example.com  report.pdf */
    "(?:[A-Za-z]:)?+\\\\{1,2}+(?:[\\w.$-]{1,255}+\\\\){0,32}+[\\w.$-]{0,255}(?<=\\w)|"            /* C:\x\y  \\x\y */
    "[\\w.-]{1,255}+(?:\\\\[\\w$-]{1,255}+){1,32}+\\.[a-z][a-z0-9]{0,4}+|"      /* a\b\c.txt */
    "(?:~|\\.{1,2}+)?+/(?:[\\w.@+~-]{1,255}+/){1,32}+[\\w.@+~-]{0,255}(?<!\\.)|"                 /* /usr/bin/  ./a/b */
    "(?:~|\\.{1,2}+)/[\\w.@+~-]{0,255}(?<=\\w)|"                     /* ~/x */
    "(?:[\\w.@+~-]{1,255}+/){1,32}+(?:[\\w~-]{1,63}+\\.){1,8}[a-z][a-z0-9]{0,4}+|"             /* a/b.c */
    "%[0-9]++\\$[a-z]|%[-+0-9.]{0,8}+(?:l{1,2}+|h|z)?+[sdiufgnxXc@]|"    /* %1$s  %d */
    "%[A-Za-z_]\\w*+%|"                                             /* %name% */
    "\\$[A-Za-z_]\\w*+|"                                            /* $HOME */
    ":[a-z][a-z0-9_]{0,63}+:?+(?=$|[\\s,.;!?)])|"                        /* :count  :smile: */
    "(?&name)(?:(?:\\.|::|->)(?&name)){0,8}+\\((?:[\\w.,=\"'-]{0,80}+)\\)|"                         /* foo.bar(x) */
    "(?&name)(?:(?:::|->)(?&name)){1,8}+|"                              /* std::string  p->x */
    "[\\p{L}_][\\w.]{0,79}+(?:[=!<>+-]=|=)[\\w.\"'+*/-]{0,80}(?<=[\\w\"'])|"                         /* a=5  x!=y */
    "(?<!\\S)--[a-z][a-z0-9]*+(?:-[a-z0-9]++)*+(?:=[^\\s,;]{1,255}(?<![.,!?;:]))?|"     /* --option=x */
    "_*+[\\p{L}\\p{N}]++_[\\w]++|__\\w++|"                          /* snake_case */
    "\\p{L}*?\\p{Ll}\\p{Lu}[\\p{L}\\p{N}]*+|"                       /* camelCase */
    "[A-Z](?:\\+\\+|#)|(?<!\\S)\\.[A-Z]{2,}+|"                      /* C++  .NET */
    "\\p{Lu}++&\\p{Lu}++|"                                          /* AT&T */
    "[@#][\\p{L}_][\\w]*+(?:-[\\w]++)*+|"                           /* @tom  #topic */
    "(?=[^\\s0-9]{0,64}+[0-9])(?=[^\\s\\p{L&}]{0,64}+\\p{L&})[\\p{L&}0-9]{0,64}+(?:[$!#%&*+=@^~?]{1,8}+[\\p{L&}0-9]{1,64}+){2,16}+|"   /* x9$kLm!2p */
    "\\p{Lu}{2,}+[0-9]*+:[A-Za-z0-9+/]{16,}+=*+|"                   /* SHA256:2jmj7l5rSw0yVb/vlWAYkK */
    "(?:[0-9A-Fa-f]{2}[:-]){4,64}+[0-9A-Fa-f]{2}|"                    /* 00:1A:2b:3C:4d:5E */
    "(?:[0-9A-Fa-f]{1,4}+:){7}[0-9A-Fa-f]{1,4}+"                   /* 2001:db8:85a3:0:0:8a2e:370:7334 */
    "|(?:[0-9A-Fa-f]{1,4}+:){0,7}+:(?:[0-9A-Fa-f]{1,4}+:){0,7}+[0-9A-Fa-f]{1,4}+(?:/[0-9]++)?+|"       /* fe80::1 */
    "[0-9]{1,3}+(?:\\.[0-9]{1,3}+){3}(?::[0-9]++|/[0-9]++)?+|"      /* 192.168.0.1 */
    "[0-9A-Fa-f]{4,64}+(?:-[0-9A-Fa-f]{4,64}+){3,8}+|"                 /* UUIDs */
    "#[0-9A-Fa-f]{3,8}+|"                                           /* #ff00aa */
    "v[0-9]++(?:\\.[0-9]++)*+(?:-\\w++)?+|"                         /* v1.2.3-rc1 */
    "[0-9]{1,9}+(?:\\.[0-9]{1,9}+){2,5}+-\\w++|"                      /* 1.2.3-rc1 */
    "\\p{L&}++-?+[0-9][\\p{L&}0-9]*+(?:[-./][\\p{L&}0-9]++){0,8}+|"      /* B52  XJ-900  ISO9001 */
    "[0-9]++\\p{L&}++[0-9]++\\p{L&}[\\p{L&}0-9]*+|"                      /* 9f86d081 */
    "(?<![\"'(])(?:[:;=]|8(?=[-o*']))[-o*']?+[)(\\]\\[dDpP/\\\\|@3<>]++(?=$|[\\s.,!?)])"                      /* :-) */
    ")(?![\\p{L}\\p{M}\\p{N}_]))";

/* A comment; an end; a start, or both in one. */
static const char tag_expression[] =
    "<!--(?s:.)*?-->"
    "|</([A-Za-z][A-Za-z0-9_:.-]*+)\\s*+>"
    "|<([A-Za-z][A-Za-z0-9_:.-]*+)"
    "(?:\\s*+[A-Za-z0-9_:.-]++=(?:\"[^\"]*+\"|'[^']*+'|[^\\x00-\\x20<>\"'=&]++)"
    "|\\s*+(?:selected|checked|disabled|readonly|required|multiple|hidden|open|autofocus|controls|async|defer)"
    "(?![A-Za-z0-9_:.-]))*+\\s*+(/?+)>";

/* What stands before a sentence: its indentation, and words of at most three digits and a stop, or of marks and symbols
 * that enclose nothing. */
static const char marks_expression[] =
    "\\s*+(?:(?:[0-9]{1,3}+[.)]|(?:(?![\\p{Ps}\\p{Pi}\\p{Pe}\\p{Pf}\"'\\x{201C}\\xAB])[\\p{P}\\p{S}\\p{M}\\p{Cf}])++)\\s++(?=\\S))*+";

typedef enum { SPANS, TAG, MARKS, CLUSTER, EXPRESSIONS } Expression;

static const char *const expressions[EXPRESSIONS] = { spans_expression, tag_expression, marks_expression, "\\X" };

/* Of all threads; NULL: no line has needed it yet. They are compiled without a lock, which a fork could leave closed: of
 * two threads that do so, the first is followed. */
static _Atomic(pcre2_code *) codes[EXPRESSIONS];

static const pcre2_code *code_of(Expression which)
{
    pcre2_code *made = codes[which], *none = NULL;
    int error;
    PCRE2_SIZE at;
    if (made) return made;
    made = pcre2_compile((PCRE2_SPTR)expressions[which], PCRE2_ZERO_TERMINATED, PCRE2_UTF | PCRE2_UCP | PCRE2_NO_UTF_CHECK,
                         &error, &at, NULL);
    if (!made && error == PCRE2_ERROR_HEAP_FAILED) die("out of memory");
    if (!made) die("text/patterns.c: error %d of PCRE2 at \"%.40s\"", error, expressions[which] + at);
    pcre2_jit_compile(made, PCRE2_JIT_COMPLETE);        /* a system may refuse it: then code is interpreted */
    if (atomic_compare_exchange_strong(&codes[which], &none, made)) return made;
    pcre2_code_free(made);
    return none;
}

/* ---- Matching ---- */

typedef enum { BLANK, SMALL, CAPITAL, DIGIT, SIGN, STOP, DASH, CALL, OTHER } Byte;

static Byte byte_of(const char *line, size_t length, size_t i)
{
    const char c = i < length ? line[i] : ' ';
    if (c >= 'a' && c <= 'z') return SMALL;
    if (c >= 'A' && c <= 'Z') return CAPITAL;
    if (c >= '0' && c <= '9') return DIGIT;
    if (strchr("@#$%_/\\=`{[<>~+&^*", c)) return SIGN;
    if (strchr(".:;", c)) return STOP;
    return c == ' ' ? BLANK : c == '-' ? DASH : c == '(' ? CALL : OTHER;
}

/* Whether two neighbours hint at a span: signs that sentences seldom have, a letter beside a digit, a capital behind a small
 * letter, a stop inside a word, a bracket behind one. */
static int is_hint(Byte one, Byte next)
{
    switch (one) {
    case SIGN:    return 1;
    case SMALL:   return next == DIGIT || next == CAPITAL || next == CALL;
    case CAPITAL: return next == DIGIT || next == CALL;
    case DIGIT:   return next == SMALL || next == CAPITAL;
    case STOP:    return next != BLANK && next != STOP;
    case DASH:    return next == DIGIT || next == DASH;
    case OTHER:   return next == CAPITAL || next == DIGIT || next == CALL;
    default:      return 0;
    }
}

/* The first bytes of emoji in UTF-8; U+2000 to U+203F are marks of sentences. */
static int begins_emoji(unsigned char first, unsigned char second)
{
    switch (first) {
    case 0xC2: return second == 0xA9 || second == 0xAE;
    case 0xE2: return second != 0x80;
    case 0xE3: return second == 0x80 || second == 0x8A;
    default:   return first >= 0xF0;
    }
}

/* Whether a character beyond ASCII begins at `i` that is an emoji, or a capital behind a small letter. */
static int is_hint_beyond_ascii(const char *line, size_t length, size_t i)
{
    const char *at = line + i;
    if ((unsigned char)*at < 0xC0) return 0;
    if (begins_emoji((unsigned char)at[0], i + 1 < length ? (unsigned char)at[1] : 0)) return 1;
    if (!i || (byte_of(line, length, i - 1) != SMALL && (unsigned char)at[-1] < 0x80)) return 0;
    const int32_t point = unicode_next(&at);
    return unicode_lower(point) != point;
}

static int has_hint(const char *line, size_t length)
{
    Byte byte = byte_of(line, length, 0);
    for (size_t i = 0; i < length; i++) {
        const Byte next = byte_of(line, length, i + 1);
        if (is_hint(byte, next) || is_hint_beyond_ascii(line, length, i)) return 1;
        byte = next;
    }
    return 0;
}

/* Matches from `at` on; negative: there is no match, or below PCRE2_ERROR_NOMATCH a limit was met. */
static int match(Expression which, const char *text, size_t length, size_t at, uint32_t options, pcre2_match_data *data)
{
    return pcre2_match(code_of(which), (PCRE2_SPTR)text, length, at, options | PCRE2_NO_UTF_CHECK, data, NULL);
}

/* Whether a span is short enough, and has a hint of its own: so it is one in every line. */
static int is_span(Slice text)
{
    return text.length <= PATTERN_BYTES && has_hint(text.text, text.length);
}

static void release(void *data)
{
    pcre2_match_data_free(data);
}

static pcre2_match_data *match_data_new(void)
{
    enum { GROUPS = 4 };            /* the match as a whole, and those of tag_expression */
    pcre2_match_data *data = pcre2_match_data_create(GROUPS, NULL);
    if (!data) die("out of memory");
    mem_keep(data, release);
    return data;
}

static void match_data_free(pcre2_match_data **data)
{
    mem_forget(*data);
    release(*data);
}

void spans_free(PatternSpans *spans)
{
    xfree(spans->span);
}

void patterns_find(const char *line, size_t length, PatternSpans *spans)
{
    spans->count = 0;
    if (!has_hint(line, length)) return;
    SCOPED(match_data_free) pcre2_match_data *data = match_data_new();
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(data);
    for (size_t from = 0; from < length;) {
        const int result = match(SPANS, line, length, from, PCRE2_NOTEMPTY, data);
        if (result == PCRE2_ERROR_NOMATCH) break;
        if (result < 0) {
            const char *blank = memchr(line + from, ' ', length - from);
            from = blank ? (size_t)(blank - line) + 1 : length;
            continue;
        }
        from = at[1];
        if (!is_span((Slice){ line + at[0], at[1] - at[0] })) continue;
        spans->span = grow(spans->span, &spans->capacity, spans->count + 1, sizeof *spans->span);
        spans->span[spans->count++] = (PatternSpan){ at[0], at[1] };
    }
}

int patterns_match(Slice text)
{
    if (!is_span(text)) return 0;
    SCOPED(match_data_free) pcre2_match_data *data = match_data_new();
    return match(SPANS, text.text, text.length, 0, PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_NOTEMPTY, data) >= 0;
}

const char *grapheme_end(const char *at, const char *end)
{
    const char *next = at;
    unicode_next(&next);
    if (next >= end || (unsigned char)*next < 0x80) return next;
    SCOPED(match_data_free) pcre2_match_data *data = match_data_new();
    if (match(CLUSTER, at, (size_t)(end - at), 0, PCRE2_ANCHORED, data) >= 0)
        for (end = at + pcre2_get_ovector_pointer(data)[1]; next < end && (unsigned char)*next >= 0x80;)
            next++;
    return next;
}

int patterns_tag(const char *at, const char *end, XmlTag *tag)
{
    enum { MOST = 2000 };
    if (end - at > MOST)
        for (end = at + MOST; (*end & 0xC0) == 0x80;) end--;
    SCOPED(match_data_free) pcre2_match_data *data = match_data_new();
    const PCRE2_SIZE *group = pcre2_get_ovector_pointer(data);
    const int groups = match(TAG, at, (size_t)(end - at), 0, PCRE2_ANCHORED, data);
    if (groups > 0) {
        *tag = (XmlTag){ .at = at, .end = at + group[1], .closes = groups == 2, .opens = groups == 4 && group[6] == group[7] };
        if (groups > 1) tag->name = slice_between(at + group[tag->closes ? 2 : 4], at + group[tag->closes ? 3 : 5]);
    }
    return groups > 0;
}

size_t patterns_marks(const char *line, size_t length)
{
    SCOPED(match_data_free) pcre2_match_data *data = match_data_new();
    const int is_found = match(MARKS, line, length, 0, PCRE2_ANCHORED, data) >= 0;
    const size_t end = is_found ? pcre2_get_ovector_pointer(data)[1] : 0;
    return end < length ? end : 0;
}
