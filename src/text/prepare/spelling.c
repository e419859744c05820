/* spelling.c - tries each place of a word. */
#include "text/prepare/spelling.h"

#include "text/unicode.h"

enum { LONGEST = 32 };

/* The letters of a word; returns how many, or 0 for a word with other characters, too short or too
 * long. */
static int letters_of(const char *word, size_t length, int32_t letter[LONGEST])
{
    enum { SHORTEST = 3 };
    int count = 0;
    for (const char *at = word; at < word + length; count++) {
        if (count == LONGEST) return 0;
        letter[count] = unicode_next(&at);
        if (!unicode_is_letter(letter[count])) return 0;
    }
    return count >= SHORTEST ? count : 0;
}

/* The best candidate so far. */
typedef struct {
    const Lexicon *lexicon;
    long           count;           /* occurrences; a candidate needs more */
    Buf            word, scratch;
} Best;

static void offer(Best *best, const int32_t *letter, int count)
{
    buf_clear(&best->scratch);
    for (int i = 0; i < count; i++)
        unicode_append(&best->scratch, letter[i]);
    const long seen = lexicon_count(best->lexicon, best->scratch.text, best->scratch.length);
    if (seen <= best->count) return;
    best->count = seen;
    buf_clear(&best->word);
    buf_add(&best->word, best->scratch.text, best->scratch.length);
}

static void offer_swap(Best *best, int32_t *letter, int count, int i)
{
    const int32_t first = letter[i];
    letter[i] = letter[i + 1];
    letter[i + 1] = first;
    offer(best, letter, count);
    letter[i + 1] = letter[i];
    letter[i] = first;
}

static void offer_without(Best *best, const int32_t *letter, int count, int i)
{
    int32_t shorter[LONGEST];
    for (int from = 0, to = 0; from < count; from++)
        if (from != i) shorter[to++] = letter[from];
    offer(best, shorter, count - 1);
}

int spelling_correct(const Lexicon *lexicon, const char *word, size_t length, long least, Buf *out)
{
    int32_t letter[LONGEST];
    const int count = letters_of(word, length, letter);
    Best best = { .lexicon = lexicon, .count = least - 1 };
    for (int i = 0; i + 1 < count; i++) {
        if (letter[i] == letter[i + 1]) offer_without(&best, letter, count, i);
        else offer_swap(&best, letter, count, i);
    }
    const int is_found = best.word.length > 0;
    if (is_found) buf_add(out, best.word.text, best.word.length);
    buf_free(&best.word);
    buf_free(&best.scratch);
    return is_found;
}
