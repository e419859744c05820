/* symbols.c - Python's string methods on code points. */
#include "metrics/symbols.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* Nearly all characters are printable ASCII, which needs no look-up in the tables of Unicode. */
static inline int is_blank(int32_t c)
{
    return c == ' ' || ((c < ' ' || c >= 0x7f) && unicode_is_space(c));
}

void symbols_add(Symbols *s, int32_t symbol)
{
    s->at = grow(s->at, &s->capacity, s->count + 1, sizeof *s->at);
    s->at[s->count++] = symbol;
}

void symbols_free(Symbols *s)
{
    free(s->at);
    *s = (Symbols){ 0 };
}

int32_t *symbols_reserve(Symbols *s, size_t count)
{
    s->at = grow(s->at, &s->capacity, count, sizeof *s->at);
    s->count = 0;
    return s->at;
}

void line_read(Symbols *line, const char *text)
{
    int32_t *to = symbols_reserve(line, strlen(text) + 1);
    while (*text) *to++ = unicode_next(&text);
    line->count = (size_t)(to - line->at);
}

/* Whether the sigma at i ends a word: the condition Final_Sigma of The Unicode Standard, section
 * 3.13. With case-ignorable characters skipped, a cased character precedes it and none follows
 * it. */
static int is_final(const Symbols *line, size_t i)
{
    size_t before = i, after = i + 1;
    while (before > 0 && unicode_is_case_ignorable(line->at[before - 1])) before--;
    while (after < line->count && unicode_is_case_ignorable(line->at[after])) after++;
    int cased_after = after < line->count && unicode_is_cased(line->at[after]);
    return before > 0 && unicode_is_cased(line->at[before - 1]) && !cased_after;
}

void line_lower(Symbols *line)
{
    enum { CAPITAL_SIGMA = 0x3a3, FINAL_SIGMA = 0x3c2 };
    enum { CAPITAL_I_WITH_DOT = 0x130, DOT_ABOVE = 0x307 };
    Symbols lower = { 0 };
    int32_t *to = symbols_reserve(&lower, 2 * line->count);
    for (size_t i = 0; i < line->count; i++) {
        int32_t c = line->at[i];
        if (c == CAPITAL_I_WITH_DOT) {              /* the one character whose lower case is two */
            *to++ = 'i';
            *to++ = DOT_ABOVE;
        } else {
            *to++ = c == CAPITAL_SIGMA && is_final(line, i) ? FINAL_SIGMA : unicode_lower(c);
        }
    }
    lower.count = (size_t)(to - lower.at);
    symbols_free(line);
    *line = lower;
}

void line_strip_left(Symbols *line)
{
    size_t blanks = 0;
    while (blanks < line->count && is_blank(line->at[blanks])) blanks++;
    line->count -= blanks;
    if (blanks) memmove(line->at, line->at + blanks, line->count * sizeof *line->at);
}

void line_strip_right(Symbols *line)
{
    while (line->count > 0 && is_blank(line->at[line->count - 1])) line->count--;
}

void line_remove_blanks(Symbols *line)
{
    size_t kept = 0;
    for (size_t i = 0; i < line->count; i++)
        if (!is_blank(line->at[i])) line->at[kept++] = line->at[i];
    line->count = kept;
}

void line_join_words(Symbols *line)
{
    size_t kept = 0;
    Word word;
    for (size_t from = 0; line_next_word(line, &from, &word); kept += word.count) {
        if (kept) line->at[kept++] = ' ';       /* there was at least one blank between the words */
        memmove(line->at + kept, word.at, word.count * sizeof *line->at);
    }
    line->count = kept;
}

int line_next_word(const Symbols *line, size_t *from, Word *word)
{
    size_t start = *from;
    if (start >= line->count) return 0;     /* an empty line has no array to point into */
    while (start < line->count && is_blank(line->at[start])) start++;
    size_t end = start;
    while (end < line->count && !is_blank(line->at[end])) end++;
    *from = end;
    *word = (Word){ line->at + start, end - start };
    return end > start;
}
