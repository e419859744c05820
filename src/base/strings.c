/* strings.c - what a terminal obeys, which word is near, how a bar is drawn. */
#include "base/strings.h"

#include "base/mem.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* ---- text made safe to show ---- */

typedef struct { int32_t first, last; } Range;

/* The categories Cc, Zl and Zp, and of Cf what shows nothing: it turns the direction of a line, or
 * hides between its letters. The joiners U+200C and U+200D belong to words and emoji. */
static const Range hidden[] = {
    { 0x01, 0x1F },       { 0x7F, 0x9F },       { 0xAD, 0xAD },       { 0x61C, 0x61C },
    { 0x180E, 0x180E },   { 0x200B, 0x200B },   { 0x200E, 0x200F },   { 0x2028, 0x202E },
    { 0x2060, 0x2064 },   { 0x2066, 0x206F },   { 0xFEFF, 0xFEFF },   { 0x1BCA0, 0x1BCA3 },
    { 0x1D173, 0x1D17A }, { 0xE0001, 0xE0001 }, { 0xE0020, 0xE007F },
};

size_t unprintable(const char *at)
{
    int32_t point;
    const size_t length = utf8_decode(at, SIZE_MAX, &point);
    for (size_t i = 0; length && i < sizeof hidden / sizeof *hidden; i++)
        if (point >= hidden[i].first && point <= hidden[i].last) return length;
    return 0;
}

void make_printable(char *text)
{
    char *to = text;
    for (const char *at = text; *at;) {
        const size_t length = unprintable(at);
        *to++ = length ? '?' : *at;
        at += length ? length : 1;
    }
    *to = '\0';
}

void printable_line(FILE *out, const char *format, ...)
{
    SCOPED(buf_free) Buf line = { 0 };
    va_list args;
    va_start(args, format);
    buf_vprintf(&line, format, args);
    va_end(args);
    make_printable(line.text);
    fprintf(out, "%s\n", line.text);
}

/* ---- the nearest word: the recurrence of Damerau (1964) and Levenshtein (1966), for swaps of neighbours alone ---- */

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

void suggestion_offer(Suggestion *n, const char *candidate)
{
    size_t typed = strlen(n->word), length = strlen(candidate);
    if (length > LONGEST) return;
    const int begins_alike = !strncasecmp(n->word, candidate, min(typed, length));
    size_t d = distance(n->word, typed, candidate, length);
    if (d > length / 3) d = SIZE_MAX;
    if (begins_alike && typed >= SHORTEST_PREFIX && typed < length) d = OF_ABBREVIATION;
    if (begins_alike && typed > length && typed <= 2 * length) d = min(d, OF_EXTENSION);
    if (d == SIZE_MAX || (n->best && d >= n->distance)) return;
    n->best = candidate;
    n->distance = d;
}

/* ---- bars ---- */

enum { EIGHTHS = 8 };

int bar_draw(double fraction, int width, Buf *out)
{
    static const char *const part[EIGHTHS] = {
        "", "▏", "▎", "▍", "▌", "▋", "▊", "▉"
    };
    fraction = fmin(fmax(0, fraction), 1);      /* NaN is 0: fmax prefers the number */
    int eighths = (int)(fraction * width * EIGHTHS);
    for (int i = 0; i < eighths / EIGHTHS; i++) buf_puts(out, "█");
    buf_puts(out, part[eighths % EIGHTHS]);
    return (eighths + EIGHTHS - 1) / EIGHTHS;
}
