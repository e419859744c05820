/* symbols.h - a sequence of symbols: the code points of a line, or the ids of its words.
 *
 * sacreBLEU, a Python program, defines the published scores. So a line is lower-cased, stripped and
 * split as Python's str.lower(), str.rstrip() and str.split() do it: by the rules of Unicode, where
 * U+00A0 is a blank, U+200B and U+FEFF are not. Zero-initialise a Symbols; symbols_free releases
 * it.
 */
#ifndef ATTN_METRICS_SYMBOLS_H
#define ATTN_METRICS_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    int32_t *at;            /* (count) owned */
    size_t   count, capacity;
} Symbols;

void symbols_add(Symbols *s, int32_t symbol);
void symbols_free(Symbols *s);

/* symbols_reserve - empties the sequence, allocates memory for `count` symbols and returns it; the
 * caller writes the symbols and sets s->count. */
int32_t *symbols_reserve(Symbols *s, size_t count);

/* line_read - replaces the sequence by the code points of a NUL-terminated line of valid UTF-8. The
 * other functions change the line in place. */
void line_read(Symbols *line, const char *text);
void line_lower(Symbols *line);
void line_strip_left(Symbols *line);
void line_strip_right(Symbols *line);
void line_remove_blanks(Symbols *line);

/* line_join_words - ' '.join(line.split()): one ' ' between words, none at the ends. */
void line_join_words(Symbols *line);

/* One word of a line; it points into the line's array. */
typedef struct {
    const int32_t *at;
    size_t         count;
} Word;

/* line_next_word - finds the next word at or after *from and moves *from behind it; returns 0 at
 * the end. */
int line_next_word(const Symbols *line, size_t *from, Word *word);

#endif
