/* tokenizer_learn.c - from word counts to merges and a vocabulary, in time proportional to what a merge changes.
 *
 * For each pair of neighbours there is its count and the words that hold it, and there is a heap of
 * pairs by count. A merge changes the words of its pair only, and in them the counts of the pairs
 * beside it. Both lists are lazy: a word may no longer hold the pair (then nothing happens in it),
 * and a heap entry may hold an old count (then it is put back with the new one when it comes up).
 */
#include "text/tokenizer/tokenizer.h"

#include "base/mem.h"
#include "text/copies.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* ---- Merges ---- */

enum { LEAST_COUNT = 2 };

typedef struct {
    long count;
    Pair pair;
    int  id;                    /* of the pair in Learner.pairs */
} Candidate;

typedef struct {
    BpeText    *text;
    Merges     *merges;
    StringTable pairs;          /* every pair that the text ever had; its tally is its count now */
    Ids       *holders;        /* (pairs.count) words that hold the pair, or once did */
    size_t      holders_capacity;
    Ids        raised;         /* pairs whose count rose, perhaps several times, since the last
                                   offer_raised */
    Candidate  *heap;           /* the best on top */
    size_t      heap_count, heap_capacity;
} Learner;

static void list_add(Ids *list, int id)
{
    if (!list->count || list->id[list->count - 1] != id) ids_add(list, id);
}

static int goes_first(const Learner *l, const Candidate *a, const Candidate *b)
{
    const StringTable *symbols = &l->merges->symbols;
    if (a->count != b->count) return a->count > b->count;
    if (a->pair.left != b->pair.left)
        return string_table_compare(symbols, a->pair.left, b->pair.left) < 0;
    return string_table_compare(symbols, a->pair.right, b->pair.right) < 0;
}

static void heap_push(Learner *l, Candidate candidate)
{
    l->heap = grow(l->heap, &l->heap_capacity, l->heap_count + 1, sizeof *l->heap);
    size_t at = l->heap_count++;
    for (; at && goes_first(l, &candidate, &l->heap[(at - 1) / 2]); at = (at - 1) / 2)
        l->heap[at] = l->heap[(at - 1) / 2];
    l->heap[at] = candidate;
}

static Candidate heap_pop(Learner *l)
{
    Candidate top = l->heap[0], last = l->heap[--l->heap_count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < l->heap_count; at = child) {
        if (child + 1 < l->heap_count && goes_first(l, &l->heap[child + 1], &l->heap[child]))
            child++;
        if (!goes_first(l, &l->heap[child], &last)) break;
        l->heap[at] = l->heap[child];
    }
    l->heap[at] = last;
    return top;
}

static void offer(Learner *l, int id)
{
    if (l->pairs.tally[id] < LEAST_COUNT) return;
    Candidate candidate = { .count = l->pairs.tally[id], .id = id };
    memcpy(&candidate.pair, string_table_text(&l->pairs, id), sizeof candidate.pair);
    heap_push(l, candidate);
}

static void offer_raised(Learner *l)
{
    for (size_t i = 0; i < l->raised.count; i++)
        offer(l, l->raised.id[i]);
    l->raised.count = 0;
}

/* The most frequent pair, or 0 when none is left. */
static int best_pair(Learner *l, Candidate *best)
{
    while (l->heap_count) {
        *best = heap_pop(l);
        long count = l->pairs.tally[best->id];
        if (count == best->count) return 1;
        if (count < best->count) offer(l, best->id);
    }
    return 0;
}

/* Counts the pair once more, or (sign -1) once less, in this word. */
static void change(Learner *l, int left, int right, int word, int sign)
{
    if (left < 0 || right < 0) return;
    Pair pair = { left, right };
    size_t known = l->pairs.count;
    int id = string_table_count(&l->pairs, (Slice){ (const char *)&pair, sizeof pair }, sign * l->text->frequency[word]);
    if (l->pairs.count > known) {
        l->holders = grow(l->holders, &l->holders_capacity, l->pairs.count, sizeof *l->holders);
        l->holders[id] = (Ids){ 0 };
    }
    if (sign < 0) return;
    list_add(&l->holders[id], word);
    list_add(&l->raised, id);
}

/* Merges the pair in one word, and counts how its neighbours change:  x left right y  ->  x product
 * y. */
static void merge_in_word(Learner *l, int word, Pair pair, int product)
{
    int *symbol = l->text->symbol + l->text->start[word], length = l->text->length[word], to = 0;
    for (int from = 0; from < length; to++) {
        if (from + 1 == length || symbol[from] != pair.left || symbol[from + 1] != pair.right) {
            symbol[to] = symbol[from++];
            continue;
        }
        if (to) {
            change(l, symbol[to - 1], pair.left, word, -1);
            change(l, symbol[to - 1], product, word, +1);
        }
        from += 2;
        if (from < length) {
            change(l, pair.right, symbol[from], word, -1);
            change(l, product, symbol[from], word, +1);
        }
        symbol[to] = product;
    }
    l->text->length[word] = to;
}

/* The pair is gone from the text afterwards, for good: no symbol is ever made in two ways. Merges
 * that led to one lie inside it, wherever it occurs, so they ran alike everywhere, and the last of
 * them at all places at once. */
static void merge(Learner *l, const Candidate *best)
{
    Ids words = l->holders[best->id];
    l->holders[best->id] = (Ids){ 0 };
    merges_add(l->merges, best->pair);
    int product = l->merges->product[l->merges->pairs.count - 1];
    for (size_t i = 0; i < words.count; i++)
        merge_in_word(l, words.id[i], best->pair, product);
    l->pairs.tally[best->id] = 0;
    xfree(words.id);
}

static void learner_free(Learner *l)
{
    for (size_t i = 0; i < l->pairs.count; i++)
        xfree(l->holders[i].id);
    xfree(l->holders);
    xfree(l->raised.id);
    xfree(l->heap);
    string_table_free(&l->pairs);
}

void bpe_learn(Merges *merges, size_t most, BpeText *text)
{
    Learner l = { .text = text, .merges = merges };
    for (size_t word = 0; word < text->count; word++)
        for (int i = 0; i + 1 < text->length[word]; i++) {
            const int *symbol = text->symbol + text->start[word] + i;
            change(&l, symbol[0], symbol[1], (int)word, +1);
        }
    l.raised.count = 0;
    for (size_t id = 0; id < l.pairs.count; id++)
        offer(&l, (int)id);
    for (Candidate best; most && best_pair(&l, &best); most--) {
        merge(&l, &best);
        offer_raised(&l);
    }
    learner_free(&l);
}

/* ---- Vocabularies ---- */

/* The words of all sides, each with its tally. */
static StringTable sum(const WordCounts *counts, size_t sides)
{
    StringTable words = { 0 };
    for (size_t side = 0; side < sides; side++) {
        const StringTable *from = counts[side].words;
        for (int i = 0; i < (int)from->count; i++)
            if (counts[side].times[i]) string_table_count(&words, string_table_at(from, i), counts[side].times[i]);
    }
    return words;
}

static void count_characters(const StringTable *words, StringTable *seen)
{
    for (int word = 0; word < (int)words->count; word++) {
        const Slice text = string_table_at(words, word);
        for (const char *at = text.text, *end = at + text.length; at < end;)
            string_table_count(seen, unicode_character(&at), words->tally[word]);
    }
}

/* Fills the vocabulary with the most frequent of what was seen. */
static void add_most_common(StringTable *vocabulary, size_t limit, const StringTable *seen,
                            long least)
{
    int *order = string_table_most_common(seen);
    for (size_t i = 0; i < seen->count && seen->tally[order[i]] >= least && vocabulary->count < limit; i++)
        string_table_add(vocabulary, string_table_at(seen, order[i]));
    xfree(order);
}

/* Learns merges; what they make are new entries. Characters that are not in the vocabulary are no symbols. */
static void learn_merges(Merges *merges, StringTable *vocabulary, size_t limit, const StringTable *words)
{
    Ids ids = { 0 };
    size_t *start = xmalloc(words->count, sizeof *start);
    int *length = xmalloc(words->count, sizeof *length);
    for (int i = 0; i < (int)words->count; i++) {
        const Slice word = string_table_at(words, i);
        start[i] = ids.count;
        for (const char *at = word.text; at < word.text + word.length;) {
            const Slice character = unicode_character(&at);
            const int known = string_table_find(vocabulary, character) >= 0;
            ids_add(&ids, known ? string_table_add(&merges->symbols, character) : -1);
        }
        length[i] = (int)(ids.count - start[i]);
    }
    BpeText text = { ids.id, start, length, words->tally, words->count };
    bpe_learn(merges, limit > vocabulary->count ? limit - vocabulary->count : 0, &text);
    for (size_t rank = 0; rank < merges->pairs.count; rank++)
        string_table_add(vocabulary, string_table_at(&merges->symbols, merges->product[rank]));
    xfree(length);
    xfree(start);
    ids_free(&ids);
}

/* The mark and the joiner first: a vocabulary without them could not tell where words begin. */
static void add_characters(StringTable *vocabulary, size_t limit, const StringTable *words)
{
    StringTable characters = { 0 };
    count_characters(words, &characters);
    string_table_add(vocabulary, slice_of(WORD_MARK));
    string_table_add(vocabulary, slice_of(JOINER));
    add_most_common(vocabulary, limit, &characters, 1);
    string_table_free(&characters);
}

/* The frequent words of kind symbol. */
static void add_symbol_words(StringTable *vocabulary, size_t limit, const StringTable *words)
{
    long running = 0;
    for (size_t word = 0; word < words->count; word++)
        running += words->tally[word];
    const long least = running / SYMBOL_RUNNING_WORDS;
    add_most_common(vocabulary, limit, words, least > SYMBOL_TIMES ? least : SYMBOL_TIMES);
}

Tokenizer *tokenizer_learn(const TextOptions *options, const WordCounts *counts, size_t sides)
{
    StringTable words = sum(counts, sides), vocabulary = { 0 };
    Merges merges = { 0 };
    size_t limit = options->vocabulary ? (size_t)options->vocabulary : VOCABULARY_MOST;
    for (int id = 0; id < ID_SPECIALS; id++)
        string_table_add(&vocabulary, slice_of(special_pieces[id]));
    for (int k = 0; options->placeholders && k < PLACEHOLDERS; k++)
        string_table_add(&vocabulary, slice_of(placeholder_piece(k)));
    if (options->tokens == TOKENS_WORD)
        add_most_common(&vocabulary, limit, &words, options->min_frequency);
    else add_characters(&vocabulary, limit, &words);
    if (options->tokens == TOKENS_SYMBOL) add_symbol_words(&vocabulary, limit, &words);
    if (options->tokens == TOKENS_BPE) learn_merges(&merges, &vocabulary, limit, &words);
    string_table_free(&words);
    return tokenizer_new(options, &vocabulary, &merges);
}

Tokenizer *tokenizer_extend(const Tokenizer *base, const WordCounts *counts, size_t sides)
{
    const TextOptions *options = tokenizer_options(base);
    StringTable words = sum(counts, sides), characters = { 0 }, vocabulary = { 0 };
    Merges merges = { 0 };
    for (int id = 0; id < tokenizer_size(base); id++)
        string_table_add(&vocabulary, slice_of(tokenizer_piece(base, id)));
    merges_copy(&merges, tokenizer_merges(base));
    if (options->tokens == TOKENS_WORD) {
        add_most_common(&vocabulary, VOCABULARY_MOST, &words, options->min_frequency);
    } else {
        count_characters(&words, &characters);
        add_most_common(&vocabulary, VOCABULARY_MOST, &characters, 1);
    }
    string_table_free(&characters);
    string_table_free(&words);
    return tokenizer_new(options, &vocabulary, &merges);
}
