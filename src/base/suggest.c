/* suggest.c - the optimal string alignment distance over three rolling rows.
 *
 * Source: the recurrence of Damerau (1964) and Levenshtein (1966), restricted to swaps of
 * neighbours.
 */
#include "base/suggest.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 63, SHORTEST_PREFIX = 3 };   /* a longer candidate is never near */
enum { OF_ABBREVIATION = 1, OF_EXTENSION = 2 };

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int differ(char a, char b)
{
    return tolower((unsigned char)a) != tolower((unsigned char)b);
}

/* row[i][j] = distance of the first i letters of a to the first j of b, for the last three i. */
static size_t distance(const char *a, size_t la, const char *b, size_t lb)
{
    size_t row[3][LONGEST + 1];
    for (size_t j = 0; j <= lb; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= la; i++) {
        size_t *now = row[i % 3], *before = row[(i + 2) % 3], *before_that = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            const size_t replaced = before[j - 1] + (size_t)differ(a[i - 1], b[j - 1]);
            now[j] = min(min(now[j - 1], before[j]) + 1, replaced);
            if (i > 1 && j > 1 && !differ(a[i - 1], b[j - 2]) && !differ(a[i - 2], b[j - 1]))
                now[j] = min(now[j], before_that[j - 2] + 1);
        }
    }
    return row[la % 3][lb];
}

/* The distance, or SIZE_MAX beyond a third of the candidate's length. */
static size_t distance_near(const char *word, size_t typed, const char *candidate, size_t length)
{
    const size_t d = distance(word, typed, candidate, length);
    return d > length / 3 ? SIZE_MAX : d;
}

void suggestion_offer(Suggestion *n, const char *candidate)
{
    size_t typed = strlen(n->word), length = strlen(candidate);
    if (length > LONGEST) return;
    const int begins_alike = !strncasecmp(n->word, candidate, min(typed, length));
    size_t d = distance_near(n->word, typed, candidate, length);
    if (begins_alike && typed >= SHORTEST_PREFIX && typed < length) d = OF_ABBREVIATION;
    if (begins_alike && typed > length && typed <= 2 * length) d = min(d, OF_EXTENSION);
    if (d == SIZE_MAX) return;
    if (n->best && d >= n->distance) return;
    n->best = candidate;
    n->distance = d;
}
