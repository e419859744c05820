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

static void widen_all(WordUses *u, size_t after)
{
    const size_t before = u->capacity;
    for (int side = 0; side < LANGUAGES; side++) {
        u->times[side] = widen(u->times[side], before, after);
        u->first[side] = widen(u->first[side], before, after);
        u->shared[side] = widen(u->shared[side], before, after);
    }
    u->capacity = after;
}

void word_uses_reserve(WordUses *u, size_t words)
{
    if (words > u->capacity) widen_all(u, 2 * words);
}

void word_uses_clear(WordUses *u, size_t words)
{
    word_uses_reserve(u, words);
    for (int side = 0; side < LANGUAGES && words; side++) {
        memset(u->times[side], 0, words * sizeof(long));
        memset(u->first[side], 0, words * sizeof(long));
        memset(u->shared[side], 0, words * sizeof(long));
    }
}

static void count_side(WordUses *u, const WordKinds *kinds, int side, const int *words, int count)
{
    int first = 0;
    while (first < count && word_shape(kinds, words[first]) == SHAPE_NONE)
        first++;
    for (int i = 0; i < count; i++)
        u->times[side][words[i]]++;
    if (first < count) u->first[side][words[first]]++;
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
        if (word_copy(kinds, pair->source[i]) != COPY_NEVER)
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
    for (int side = 0; side < LANGUAGES; side++) {
        merge_counts(u->times[side], from->times[side], number, words);
        merge_counts(u->first[side], from->first[side], number, words);
        merge_counts(u->shared[side], from->shared[side], number, words);
    }
}

WordUse word_uses_of(const WordUses *u, const StringTable *words, int side)
{
    return (WordUse){ words, u->times[side], u->first[side], u->shared[side], NULL };
}

void word_uses_free(WordUses *u)
{
    for (int side = 0; side < LANGUAGES; side++) {
        free(u->times[side]);
        free(u->first[side]);
        free(u->shared[side]);
    }
    *u = (WordUses){ 0 };
}
