/* shapes.h - the shapes of text that verbatim.c looks for. Each function returns the end of the
 * shape that starts at `at` < `end`, or NULL; the caller has seen that a word may start there.
 */
#ifndef ATTN_TEXT_VERBATIM_SHAPES_H
#define ATTN_TEXT_VERBATIM_SHAPES_H

#include "text/verbatim/verbatim.h"

/* What a run of characters holds that words hardly ever do. */
enum {
    HINT_DIGIT = 1, HINT_UNDERSCORE = 2, HINT_SLASH = 4, HINT_DOT = 8, HINT_AT = 16,
    HINT_CALL = 32,             /* ()  ::  ->  = */
    HINT_HUMP = 64,             /* a capital behind a small letter */
    HINT_LANGUAGE = 128         /* ++ or # behind a letter */
};

/* shape_hints - the hints of the run up to a blank, a quote or other punctuation. */
unsigned shape_hints(const char *at, const char *end);

/* shape_word - the end of the letters, digits and underscores from `at` on; `at` itself if there
 * are none. Letters are those of scripts that write blanks. */
const char *shape_word(const char *at, const char *end);

/* shape_digits      a number, or a code that begins with digits
 * shape_number      a number alone
 * shape_code        an address, file, identifier or code that starts with a letter, a digit or _
 * shape_mixed       a code of letters and digits: B52, XJ-900, v1.2.3, 2.0-rc1
 * shape_path        a path of files
 * shape_sign        a shape that starts with a sign of ASCII behind the character `before`
 * shape_emoticon    :-)
 * shape_symbols     a run of symbols and emoji */
const char *shape_digits(const char *at, const char *end, VerbatimKind *kind);
const char *shape_number(const char *at, const char *end);
const char *shape_code(const char *at, const char *end, unsigned hints);
const char *shape_mixed(const char *at, const char *end);
const char *shape_path(const char *at, const char *end);
const char *shape_sign(const char *at, const char *end, char before, VerbatimKind *kind);
const char *shape_emoticon(const char *at, const char *end);
const char *shape_symbols(const char *at, const char *end);

#endif
