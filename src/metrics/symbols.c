/* symbols.c - lines as code points, with Python's string methods. */
#include "metrics/symbols.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* Nearly all characters are printable ASCII: they are not asked one by one. */
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

int32_t *symbols_room(Symbols *s, size_t count)
{
    s->at = grow(s->at, &s->capacity, count, sizeof *s->at);
    s->count = 0;
    return s->at;
}

void line_read(Symbols *line, const char *text)
{
    int32_t *to = symbols_room(line, strlen(text) + 1);
    while (*text) *to++ = unicode_next(&text);
    line->count = (size_t)(to - line->at);
}

/* Final_Sigma (The Unicode Standard, section 3.13), whether the sigma at i ends a word: what case doesn't ignore is
 * cased before it, and not behind it. */
static int is_final(const Symbols *line, size_t i)
{
    size_t before = i, behind = i + 1;
    while (before > 0 && unicode_is_case_ignorable(line->at[before - 1])) before--;
    while (behind < line->count && unicode_is_case_ignorable(line->at[behind])) behind++;
    int cased_behind = behind < line->count && unicode_is_cased(line->at[behind]);
    return before > 0 && unicode_is_cased(line->at[before - 1]) && !cased_behind;
}

void line_lower(Symbols *line)
{
    enum { CAPITAL_SIGMA = 0x3a3, FINAL_SIGMA = 0x3c2, CAPITAL_I_WITH_DOT = 0x130, DOT_ABOVE = 0x307 };
    Symbols lower = { 0 };
    int32_t *to = symbols_room(&lower, 2 * line->count);
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
        if (kept) line->at[kept++] = ' ';               /* a blank at least stood between the two words */
        memmove(line->at + kept, word.at, word.count * sizeof *line->at);
    }
    line->count = kept;
}

int line_next_word(const Symbols *line, size_t *from, Word *word)
{
    size_t begin = *from;
    if (begin >= line->count) return 0;                 /* an empty line has no array to point into */
    while (begin < line->count && is_blank(line->at[begin])) begin++;
    size_t end = begin;
    while (end < line->count && !is_blank(line->at[end])) end++;
    *from = end;
    *word = (Word){ line->at + begin, end - begin };
    return end > begin;
}
