/* phone_numbers.c - see phone_numbers.h. */
#include "text/prepare/phone_numbers.h"

#include "text/ascii.h"

/* The groups of digits of a number. */
typedef struct {
    int groups, digits;
    int of_last;                /* digits of the last group */
    int are_thousands;          /* all groups but the first have three digits, between blanks */
    int are_years;              /* all groups have four */
} Groups;

static void begin_group(Groups *g, int behind_blank)
{
    if (g->groups) g->are_years &= g->of_last == 4;
    if (g->groups > 1) g->are_thousands &= g->of_last == 3;
    if (g->groups) g->are_thousands &= behind_blank;
    g->groups++;
    g->of_last = 0;
}

/* Adds the digits of a word; returns 0 where it has another character. is_first: it may have a +. */
static int add_word(Groups *g, PlainWord word, int is_first)
{
    begin_group(g, 1);
    for (size_t k = 0; k < word.length; k++) {
        const char c = word.text[k];
        if (c == '-' && g->of_last) begin_group(g, 0);
        else if (!ascii_is_digit(c) && !(is_first && c == '+')) return 0;
        g->of_last += ascii_is_digit(c);
        g->digits += ascii_is_digit(c);
    }
    return 1;
}

int phone_number_is(const Words *words, size_t i, size_t end)
{
    enum { LEAST = 7 };
    Groups g = { .are_thousands = 1, .are_years = 1 };
    const PlainWord first = words_plain(words, i);
    for (size_t k = i; k < end; k++)
        if (!add_word(&g, words_plain(words, k), k == i)) return 0;
    begin_group(&g, 1);
    const int begins_so = first.length && (*first.text == '+' || *first.text == '0');
    return g.digits >= LEAST && !g.are_years && (begins_so || !g.are_thousands);
}
