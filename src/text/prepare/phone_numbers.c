/* phone_numbers.c - see phone_numbers.h. */
#include "text/prepare/phone_numbers.h"

#include "text/ascii.h"

enum { MOST_GROUPS = 16 };

/* The groups of digits of a number. */
typedef struct {
    size_t digits[MOST_GROUPS]; /* of each group */
    char   before[MOST_GROUPS]; /* what is before it: a hyphen or a blank */
    size_t count;
    size_t all;                 /* digits */
} Groups;

static int begin_group(Groups *g, char before)
{
    if (g->count == MOST_GROUPS) return 0;
    g->digits[g->count] = 0;
    g->before[g->count++] = before;
    return 1;
}

/* Adds the groups of a word; returns 0 where it has another character, or there are too many. is_first:
 * it may have a +. */
static int add_word(Groups *g, PlainWord word, int is_first)
{
    if (!begin_group(g, ' ')) return 0;
    for (size_t k = 0; k < word.length; k++) {
        const char c = word.text[k];
        if (c == '-' && k) {
            if (!begin_group(g, '-')) return 0;
        } else if (ascii_is_digit(c)) {
            g->digits[g->count - 1]++;
            g->all++;
        } else if (!(is_first && !k && c == '+')) {
            return 0;
        }
    }
    return 1;
}

/* Whether each group behind the first has three digits and a blank before it. */
static int are_thousands(const Groups *g)
{
    for (size_t k = 1; k < g->count; k++)
        if (g->digits[k] != 3 || g->before[k] != ' ') return 0;
    return 1;
}

/* Whether two numbers, the first of four digits or more, are a span, or a year before a number. */
static int are_two_numbers(const Groups *g)
{
    enum { YEAR = 4 };
    return g->count == 2 && g->digits[0] >= YEAR;
}

static int is_date(const Groups *g)
{
    return g->count == 3 && g->digits[0] == 4 && g->digits[1] == 2 && g->digits[2] == 2;
}

int phone_number_is(const Words *words, size_t i, size_t end)
{
    enum { LEAST = 7 };
    Groups g = { 0 };
    const PlainWord first = words_plain(words, i);
    for (size_t k = i; k < end; k++)
        if (!add_word(&g, words_plain(words, k), k == i)) return 0;
    if (g.all < LEAST || is_date(&g)) return 0;
    return *first.text == '+' || *first.text == '0' || !(are_thousands(&g) || are_two_numbers(&g));
}
