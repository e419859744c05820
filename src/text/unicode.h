/* unicode.h - the door to ICU: validity, normal forms, properties of characters. Bytes in,
 * code points out.
 */
#ifndef ATTN_TEXT_UNICODE_H
#define ATTN_TEXT_UNICODE_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

/* unicode_valid - whether the bytes are valid UTF-8 without surrogates, overlong forms and NUL.
 * unicode_repair - appends them with every invalid sequence, and NUL, replaced by U+FFFD; returns how many were. */
int unicode_valid(const char *bytes, size_t length);
int unicode_repair(const char *bytes, size_t length, Buf *out);

int unicode_is_ascii(const char *bytes, size_t length);

/* For the end of a message: invalid UTF-8 is text in Latin-1 or Windows-1252 most often, and the latter has all letters
 * of the former. */
#define UNICODE_ADVICE "; if it is Latin-1 or Windows-1252, 'iconv -f WINDOWS-1252 -t UTF-8' converts it"

/* unicode_next - returns the code point at *at, and moves *at behind it. A byte that begins none is
 * U+FFFD: a loop over any text comes to its end.
 * unicode_next_long - the same for several bytes; keeps the usual case inline.
 * unicode_character - the same as unicode_next; the character as bytes.
 * unicode_at - the code point at `at`.
 * unicode_before - the one before `at`; U+0020 at the start of the text. */
int32_t unicode_next_long(const char **at);

static inline int32_t unicode_next(const char **at)
{
    return (unsigned char)**at < 0x80 ? *(*at)++ : unicode_next_long(at);
}

static inline Slice unicode_character(const char **at)
{
    const char *from = *at;
    unicode_next(at);
    return slice_between(from, *at);
}

static inline int32_t unicode_at(const char *at)
{
    return unicode_next(&at);
}

static inline int32_t unicode_before(const char *text, const char *at)
{
    if (at == text) return ' ';
    do at--; while (at > text && (*at & 0xC0) == 0x80);
    return unicode_next(&at);
}

/* unicode_append - appends a code point as UTF-8. */
void unicode_append(Buf *out, int32_t point);

/* Properties of a code point; general categories are those of the Unicode Character Database. */
int     unicode_is_letter(int32_t point);           /* L* */
int     unicode_is_word_character(int32_t point);   /* L*, N* */
int     unicode_is_lower(int32_t point);            /* Ll */
int     unicode_is_mark(int32_t point);             /* M* */
int     unicode_is_number(int32_t point);           /* N* */
int     unicode_is_punctuation(int32_t point);      /* P* */
int     unicode_closes(int32_t point);              /* Pe, Pf: brackets and quotes */
int     unicode_is_symbol(int32_t point);           /* S* */
int     unicode_is_control(int32_t point);          /* Cc */
int     unicode_is_other(int32_t point);            /* C*: controls, formats, private, unassigned */
int     unicode_is_space(int32_t point);            /* str.isspace() of Python: U+0009-000D, U+001C-0020, U+0085, Z* */
int     unicode_is_ignorable(int32_t point);        /* Default_Ignorable_Code_Point of Cf, which shows nothing: soft
                                                     * hyphen, joiners, byte-order mark */
int     unicode_is_joiner(int32_t point);           /* ZWJ and ZWNJ, which change how their neighbours look */
int     unicode_is_case_ignorable(int32_t point);   /* Case_Ignorable: signs inside a word that have no case */
int     unicode_is_cased(int32_t point);            /* Cased, for what is not Case_Ignorable */
int     unicode_is_final_mark(int32_t point);       /* a sentence may end in it: Sentence_Terminal, the
                                                     * ellipsis U+2026, the Greek question mark U+037E */
int     unicode_is_dash(int32_t point);             /* Dash */
int     unicode_is_mid_letter(int32_t point);       /* Word_Break is MidLetter or MidNumLet: inside a word, between letters */
int     unicode_digit(int32_t point);               /* the value of a decimal digit of any script; -1: it is none */
int32_t unicode_lower(int32_t point);               /* its simple mapping */
int32_t unicode_base(int32_t point);                /* the first of its canonical decomposition: e for é */

/* Scripts: ICU's UScriptCode, in which 0 is Common and 1 Inherited.
 *
 * unicode_script            the property Script; of a letter that several scripts share, that of its neighbour in
 *                           Unicode's charts: Katakana of the sign that lengthens vowels, U+30FC
 * unicode_has_script        whether the script is among its Script_Extensions
 * unicode_script_has_blanks whether blanks stand between words: not in Chinese, Japanese, Thai
 */
enum { UNICODE_LATIN = 25 };
int unicode_script(int32_t point);
int unicode_has_script(int32_t point, int script);
int unicode_script_has_blanks(int script);

/* The words of a text that is read in parts: what unicode_is_space separates, as str.split() of
 * Python. Zero-initialise. */
typedef struct { int words, inside; } WordCount;

/* unicode_count_words - adds those of the next part.
 * unicode_words - the words of a whole text.
 * unicode_shows - whether a reader of the text would see anything.
 * unicode_skip_blanks - behind the blanks (unicode_is_space) at `at`.
 * unicode_trimmed - the length of valid UTF-8 without the blanks at its end.
 * unicode_width, unicode_columns - the columns of a code point in a terminal, 0, 1 or 2; of a whole valid string. */
void        unicode_count_words(WordCount *count, const char *text, const char *end);
int         unicode_words(const char *text, size_t length);
int         unicode_shows(const char *text);
const char *unicode_skip_blanks(const char *at, const char *end);
size_t      unicode_trimmed(const char *text, size_t length);
int         unicode_width(int32_t point);
int         unicode_columns(const char *text);

/* unicode_nfc - appends the NFC form of valid UTF-8, unicode_nfd its NFD form. What stands between two blanks and has more
 * than 30 marks in a row, as no language has, stays as it is: to put so many in order takes time.
 * unicode_append_compatible - appends the letters of a ligature (ffi of U+FB03), or a fullwidth or halfwidth character in
 * its usual width; else 0, and nothing. */
void unicode_nfc(Slice text, Buf *out);
void unicode_nfd(Slice text, Buf *out);
int  unicode_append_compatible(Buf *out, int32_t point);

/* unicode_language - the usual form of a language tag of BCP 47 (en, pt-BR, zh-Hant), at most LANGUAGE_BYTES with the
 * NUL: -1 if it is none, or its language has two letters and no meaning in ISO 639-1. */
enum { LANGUAGE_BYTES = 36 };
int unicode_language(const char *tag, char usual[LANGUAGE_BYTES]);

/* unicode_case - appends valid UTF-8 in small letters, in capitals, or with its first character as that of a title. They
 * are those of a locale, such as "tr" or "nl-BE"; NULL and "" are that of no language. */
typedef enum { UNICODE_LOWER, UNICODE_UPPER, UNICODE_TITLE } UnicodeCase;

void unicode_case(UnicodeCase kind, Slice text, const char *locale, Buf *out);

#endif
