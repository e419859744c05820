/* patterns.h - text that no translation may alter, recognised by its form: addresses, paths, code, placeholders of programs,
 * handles, codes of letters and digits, emoticons, emoji; and tags of HTML. One table of regular expressions (PCRE2).
 *
 * A span holds no blank, except that of {{ name }} and <%= x %>. The punctuation of the sentence around it is no part of
 * a span. Numbers are none: their groups of digits are words, and their separators are marks (text/words.h). Nor is a number
 * with an ending or a unit in letters (21st, 5kg, 1990s), which is translated.
 *
 * Whether a whole text is a span depends on that text alone, so that a word is the same in a corpus and in a line.
 */
#ifndef ATTN_TEXT_PATTERNS_H
#define ATTN_TEXT_PATTERNS_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

/* The longest span in bytes. What is longer is none. */
enum { PATTERN_BYTES = 2048 };

typedef struct { size_t start, end; } PatternSpan;

/* The spans of a line, in its order. Zero-initialise; spans_free releases. */
typedef struct {
    PatternSpan *span;                  /* (count) bytes of the line */
    size_t       count, capacity;
} PatternSpans;

/* patterns_find - replaces `spans` by those of a line of valid UTF-8.
 * patterns_match - whether the whole text is one span. */
void patterns_find(const char *line, size_t length, PatternSpans *spans);
int  patterns_match(Slice text);
void spans_free(PatternSpans *spans);

/* spans_next - the first span that ends behind byte `at`, from number *k on, which becomes its number; at the end one behind
 * all text. */
static inline PatternSpan spans_next(const PatternSpans *spans, size_t *k, size_t at)
{
    while (*k < spans->count && spans->span[*k].end <= at)
        ++*k;
    return *k < spans->count ? spans->span[*k] : (PatternSpan){ SIZE_MAX, SIZE_MAX };
}

/* patterns_tag - whether a tag or a comment of HTML or XML, of at most 2,000 bytes, begins at `at`, a '<'. Without a value an
 * attribute is one of those that HTML has so: <b and c> is text. */
typedef struct {
    const char *at, *end;
    Slice       name;               /* empty: a comment */
    int         opens, closes;      /* neither: <br/> and comments */
} XmlTag;
int patterns_tag(const char *at, const char *end, XmlTag *tag);

/* patterns_marks - the bytes before a sentence that are no part of it, with the blanks around
 * them; 0 if there are none, or nothing else is there: its indentation, and words of at most three
 * digits and a stop, or of marks and symbols without letters, but no quotes and brackets:
 *     - item    1. item    2) item    ## heading    > - quoted    — Oui.    ☑ done */
size_t patterns_marks(const char *line, size_t length);

/* grapheme_end - the end of the extended grapheme cluster that starts at `at` < `end` (Unicode Annex 29); none goes on in a
 * character of ASCII. */
const char *grapheme_end(const char *at, const char *end);

#endif
