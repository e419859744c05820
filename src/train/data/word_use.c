/* word_use.c - see word_use.h. */
#include "train/data/word_use.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static long *widen(long *times, size_t before, size_t after)
{
    times = xrealloc(times, after, sizeof *times);
    memset(times + before, 0, (after - before) * sizeof *times);
    return times;
}

enum { COUNTS = 5 };

/* The arrays of one side. */
static void counts_of(WordUses *u, int side, long **count[COUNTS])
{
    long **const all[COUNTS] = { &u->times[side], &u->first[side], &u->shared[side], &u->stopped[side], &u->ended[side] };
    memcpy(count, all, sizeof all);
}

static void widen_all(WordUses *u, size_t after)
{
    long **count[COUNTS];
    for (int side = 0; side < LANGUAGES; side++) {
        counts_of(u, side, count);
        for (int i = 0; i < COUNTS; i++)
            *count[i] = widen(*count[i], u->capacity, after);
    }
    u->capacity = after;
}

void word_uses_reserve(WordUses *u, size_t words)
{
    if (words > u->capacity) widen_all(u, 2 * words);
}

void word_uses_clear(WordUses *u, size_t words)
{
    long **count[COUNTS];
    word_uses_reserve(u, words);
    for (int side = 0; side < LANGUAGES && words; side++) {
        counts_of(u, side, count);
        for (int i = 0; i < COUNTS; i++)
            memset(*count[i], 0, words * sizeof **count[i]);
    }
}

/* That of 3.5 is none. */
static int is_full_stop(const WordKinds *kinds, int word)
{
    return !kinds->is_joined[word] && !strcmp(string_table_text(&kinds->cores, kinds->core[word]), ".");
}

static void count_side(WordUses *u, const WordKinds *kinds, int side, const int *words, int count)
{
    int first = 0;
    while (first < count && word_shape(kinds, words[first]) == SHAPE_NONE)
        first++;
    for (int i = 0; i < count; i++)
        u->times[side][words[i]]++;
    if (first < count) u->first[side][words[first]]++;
    for (int i = 1; i < count; i++)
        if (is_full_stop(kinds, words[i])) (i + 1 < count ? u->stopped : u->ended)[side][words[i - 1]]++;
}

/* Counts a word of the source, and the first such word of the target, as shared. */
static void count_shared(WordUses *u, const WordKinds *kinds, int word, const Record *pair)
{
    for (int i = 0; i < pair->target_count; i++) {
        if (kinds->core[pair->target[i]] != kinds->core[word]) continue;
        u->shared[LANGUAGE_SOURCE][word]++;
        u->shared[LANGUAGE_TARGET][pair->target[i]]++;
        return;
    }
}

void word_uses_add(WordUses *u, const WordKinds *kinds, const Record *pair)
{
    word_uses_reserve(u, kinds->count);
    count_side(u, kinds, LANGUAGE_SOURCE, pair->source, pair->source_count);
    count_side(u, kinds, LANGUAGE_TARGET, pair->target, pair->target_count);
    for (int i = 0; i < pair->source_count; i++)
        count_shared(u, kinds, pair->source[i], pair);
}

/* What is 0 needs no look at where it would go. */
static void merge_counts(long *to, const long *from, const int *number, size_t words)
{
    for (size_t word = 0; word < words; word++)
        if (from[word]) to[number[word]] += from[word];
}

void word_uses_merge(WordUses *u, const WordUses *from, const int *number, size_t words)
{
    long **to[COUNTS], **one[COUNTS];
    for (int side = 0; side < LANGUAGES; side++) {
        counts_of(u, side, to);
        counts_of((WordUses *)from, side, one);
        for (int i = 0; i < COUNTS; i++)
            merge_counts(*to[i], *one[i], number, words);
    }
}

WordUse word_uses_of(const WordUses *u, const StringTable *words, int side)
{
    return (WordUse){ words, u->times[side], u->first[side], u->shared[side], u->stopped[side], u->ended[side], NULL };
}

void word_uses_free(WordUses *u)
{
    long **count[COUNTS];
    for (int side = 0; side < LANGUAGES; side++) {
        counts_of(u, side, count);
        for (int i = 0; i < COUNTS; i++)
            free(*count[i]);
    }
    *u = (WordUses){ 0 };
}
