/* word_use.c - see word_use.h. */
#include "train/word_use.h"

#include "base/mem.h"
#include "text/copies.h"
#include "text/letter_case.h"
#include "text/words.h"

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
    u->core = xrealloc(u->core, after, sizeof *u->core);
    u->shape = xrealloc(u->shape, after, sizeof *u->shape);
    u->copy = xrealloc(u->copy, after, sizeof *u->copy);
    u->capacity = after;
}

void word_uses_reserve(WordUses *u, const StringTable *words)
{
    if (words->count > u->capacity) widen_all(u, 2 * words->count);
    for (; u->known < words->count; u->known++) {
        const int id = (int)u->known;
        const char *word = string_table_text(words, id);
        const size_t length = string_table_length(words, id);
        const size_t mark = words_mark_length(word, length);
        u->core[id] = string_table_add(&u->cores, word + mark, length - mark);
        u->shape[id] = (unsigned char)letter_case_shape(word + mark, length - mark);
        u->copy[id] = (unsigned char)copy_kind(word + mark, length - mark);
    }
}

static void count_side(WordUses *u, int side, const int *words, int count)
{
    int first = 0;
    while (first < count && u->shape[words[first]] == SHAPE_NONE)
        first++;
    for (int i = 0; i < count; i++)
        u->times[side][words[i]]++;
    if (first < count) u->first[side][words[first]]++;
}

static void count_shared(WordUses *u, int word, const Record *pair)
{
    for (int i = 0; i < pair->target_count; i++) {
        if (u->core[pair->target[i]] != u->core[word]) continue;
        u->shared[LANGUAGE_SOURCE][word]++;
        u->shared[LANGUAGE_TARGET][pair->target[i]]++;
        return;
    }
}

void word_uses_add(WordUses *u, const StringTable *words, const Record *pair)
{
    word_uses_reserve(u, words);
    count_side(u, LANGUAGE_SOURCE, pair->source, pair->source_count);
    count_side(u, LANGUAGE_TARGET, pair->target, pair->target_count);
    for (int i = 0; i < pair->source_count; i++)
        if (u->copy[pair->source[i]] != COPY_NEVER) count_shared(u, pair->source[i], pair);
}

WordUse word_uses_of(const WordUses *u, const StringTable *words, int side)
{
    return (WordUse){ words, u->times[side], u->first[side], u->shared[side] };
}

void word_uses_free(WordUses *u)
{
    for (int side = 0; side < LANGUAGES; side++) {
        free(u->times[side]);
        free(u->first[side]);
        free(u->shared[side]);
    }
    free(u->core);
    free(u->shape);
    free(u->copy);
    string_table_free(&u->cores);
    *u = (WordUses){ 0 };
}
