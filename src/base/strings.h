/* strings.h - text that users type, and text that is shown to them. */
#ifndef ATTN_BASE_STRINGS_H
#define ATTN_BASE_STRINGS_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- code points ---- */

/* utf8_decode - the bytes of the code point that begins at `at`, 1 to 4, and *point; 0 where its
 * bytes, at most `most` of them, are no UTF-8: surrogates, overlong forms, what is beyond U+10FFFF.
 * A text that ends in NUL needs no limit (SIZE_MAX). */
static inline size_t utf8_decode(const char *at, size_t most, int32_t *point)
{
    static const int32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char *byte = (const unsigned char *)at;
    if (!most) return 0;
    const size_t length = byte[0] < 0x80 ? 1 : byte[0] < 0xC2 ? 0 : byte[0] < 0xE0 ? 2
                          : byte[0] < 0xF0 ? 3 : byte[0] < 0xF5 ? 4 : 0;
    if (!length || length > most) return 0;
    int32_t found = byte[0] & (length > 1 ? 0x7F >> length : 0x7F);
    for (size_t i = 1; i < length; i++) {
        if ((byte[i] & 0xC0) != 0x80) return 0;
        found = found << 6 | (byte[i] & 0x3F);
    }
    if (found < least[length] || (found >= 0xD800 && found < 0xE000) || found > 0x10FFFF) return 0;
    *point = found;
    return length;
}

/* ---- text from a file, made safe to show ----
 *
 * A file may come from anywhere, and a terminal obeys the control characters in it: they
 * could rename the window, hide a line or forge one. So do characters that turn the direction of a
 * line, and those that show nothing let two names look like one. */

/* unprintable - the bytes of the character at `at` if it is such a one: a control character, tabs
 * and line ends among them, or one of format that shows nothing, but no joiner. 0: it is another, or
 * no UTF-8. */
size_t unprintable(const char *at);

/* make_printable - replaces each of them by '?'. Bytes that are no UTF-8 stay. */
void make_printable(char *text);

/* printable_line - prints what is formatted, made printable, and a line end. */
void printable_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- "did you mean ...?": the known word closest to a mistyped one ----
 *
 *     Suggestion n = { .word = "transalte" };
 *     suggestion_offer(&n, "train");
 *     suggestion_offer(&n, "translate");
 *     n.best                               "translate"; NULL when nothing offered was close enough */

typedef struct {
    const char *word;       /* what was typed */
    const char *best;       /* the closest candidate so far, or NULL; not copied */
    size_t      distance;   /* of `best` */
} Suggestion;

/* suggestion_offer - keeps the candidate if it is closer than all before and its distance
 * (insertions, deletions, substitutions and swaps of neighbours, whatever the case) is at most a
 * third of its length. A candidate that `word` abbreviates to three letters or more is close too,
 * and one that begins it and is half of it: "evaluate" finds "eval". */
void suggestion_offer(Suggestion *n, const char *candidate);

/* ---- names and messages ---- */

/* ends_with - whether the text ends in these bytes. */
static inline int ends_with(const char *text, const char *suffix)
{
    const size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && !strcmp(text + length - tail, suffix);
}

/* has_extension - whether the name of a file ends in the extension (".svg"), in capital or small
 * letters, with something before it. */
static inline int has_extension(const char *name, const char *extension)
{
    const size_t length = strlen(name), tail = strlen(extension);
    return length > tail && !strcasecmp(name + length - tail, extension);
}

/* plural - the end of a noun behind this number: printf("%ld line%s", n, plural(n)). */
static inline const char *plural(double count)
{
    return count == 1 ? "" : "s";
}

/* bar_draw - appends the bar of a fraction (0 to 1; the rest is clamped) of `width` columns, drawn
 * to an eighth of a column: 0.7 of 5 is "███▌". Returns its columns. */
int bar_draw(double fraction, int width, Buf *out);

#endif
