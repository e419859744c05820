/* bpe.c - the table of merges; merges learned from words; a word into parts, step by step, with noise or without. */
#include "text/tokenizer/bpe.h"

#include "base/mem.h"
#include "base/random/rng.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* ---- Ids ---- */

void ids_reserve(Ids *ids, size_t count)
{
    ids->id = grow(ids->id, &ids->capacity, count, sizeof *ids->id);
}

void ids_add(Ids *ids, int id)
{
    ids_reserve(ids, ids->count + 1);
    ids->id[ids->count++] = id;
}

void ids_free(Ids *ids)
{
    xfree(ids->id);
    *ids = (Ids){ 0 };
}

/* ---- Merges ---- */

int merges_add(Merges *m, Pair pair)
{
    size_t rank = m->pairs.count;
    if ((size_t)string_table_add(&m->pairs, (Slice){ (const char *)&pair, sizeof pair }) < rank) return -1;
    m->product = grow(m->product, &m->capacity, rank + 1, sizeof *m->product);
    const Slice left = string_table_at(&m->symbols, pair.left), right = string_table_at(&m->symbols, pair.right);
    SCOPED(buf_free) Buf text = { 0 };
    buf_add(&text, left.text, left.length);
    buf_add(&text, right.text, right.length);
    m->product[rank] = string_table_add(&m->symbols, buf_slice(&text));
    return 0;
}

int merges_add_text(Merges *m, Slice left, Slice right)
{
    const int first = string_table_add(&m->symbols, left);
    return merges_add(m, (Pair){ first, string_table_add(&m->symbols, right) });
}

Pair merges_pair(const Merges *m, size_t rank)
{
    Pair pair;
    memcpy(&pair, string_table_text(&m->pairs, (int)rank), sizeof pair);
    return pair;
}

void merges_copy(Merges *to, const Merges *from)
{
    for (size_t rank = 0; rank < from->pairs.count; rank++) {
        const Pair pair = merges_pair(from, rank);
        merges_add_text(to, string_table_at(&from->symbols, pair.left), string_table_at(&from->symbols, pair.right));
    }
}

void merges_free(Merges *m)
{
    string_table_free(&m->symbols);
    string_table_free(&m->pairs);
    xfree(m->product);
    *m = (Merges){ 0 };
}

int symbol_valid(Slice text)
{
    if (!text.length || !unicode_valid(text.text, text.length)) return 0;
    for (const char *at = text.text, *end = at + text.length; at < end;) {
        const int32_t point = unicode_next(&at);
        if (point == ' ' || unicode_is_control(point)) return 0;
    }
    return 1;
}

/* ---- Learning ----
 *
 * The time is proportional to what a merge changes. For each pair of neighbours there is its count and the words that hold it,
 * and there is a heap of pairs by count. A merge changes the words of its pair only, and in them the counts of the pairs
 * beside it. Both lists are lazy: a word may no longer hold the pair (then nothing happens in it),
 * and a heap entry may hold an old count (then it is put back with the new one when it comes up). */

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

/* ---- A word into parts ---- */

enum { NONE = -1, STALE = -2 };     /* ranks: doesn't merge; to be looked up */

/* The numbers that noise draws for one word: four values share one 64-bit random number, and 2^20
 * numbers serve each word. */
enum { LANE_BITS = 16, LANES = 4, WORD_SHIFT = 20 };

typedef struct {
    uint64_t key, counter, bits;
    int      left;              /* lanes of `bits` that were not drawn */
    unsigned dropped;           /* a value below it drops */
} Draws;

static Draws draws_of(const BpeNoise *noise)
{
    if (!noise) return (Draws){ .dropped = 0 };
    return (Draws){ .key = noise->key, .counter = noise->word << WORD_SHIFT,
                    .dropped = (unsigned)(noise->p * (1 << LANE_BITS) + 0.5) };
}

static int drops(Draws *d)
{
    if (!d->left) {
        d->bits = rng_bits(d->key, d->counter++);
        d->left = LANES;
    }
    unsigned value = d->bits & 0xffff;
    d->bits >>= LANE_BITS;
    d->left--;
    return value < d->dropped;
}

/* The rank of a pair; NONE: it doesn't merge. */
static int rank_of(const Merges *m, int left, int right)
{
    const Pair pair = { left, right };
    return left < 0 || right < 0 ? NONE : string_table_find(&m->pairs, (Slice){ (const char *)&pair, sizeof pair });
}

static void refresh_ranks(const Merges *merges, BpeWord *word)
{
    BpePart *part = word->part;
    for (size_t i = 0; i + 1 < word->count; i++)
        if (part[i].rank == STALE)
            part[i].rank = rank_of(merges, part[i].symbol, part[i + 1].symbol);
    part[word->count - 1].rank = NONE;
}

/* The lowest rank of the merges that are possible at this step, or NONE. */
static int choose(BpeWord *word, Draws *draws)
{
    int best = NONE;
    for (size_t i = 0; i < word->count; i++) {
        BpePart *p = &word->part[i];
        p->chosen = p->rank != NONE && draws->dropped && drops(draws) ? NONE : p->rank;
        if (p->chosen != NONE && (best == NONE || p->chosen < best)) best = p->chosen;
    }
    return best;
}

/* Merges at all places where this rank was chosen, from left to right. */
static void apply(const Merges *merges, BpeWord *word, int rank)
{
    BpePart *part = word->part;
    size_t to = 0;
    for (size_t from = 0; from < word->count; to++) {
        int found = part[from].chosen == rank;
        if (found && to) part[to - 1].rank = STALE;
        part[to] = part[from + (size_t)found];
        if (found) part[to].symbol = merges->product[rank], part[to].rank = STALE;
        from += found ? 2 : 1;
    }
    word->count = to;
}

void bpe_segment(const Merges *merges, Slice text, const BpeNoise *noise, BpeWord *word)
{
    Draws draws = draws_of(noise);
    word->count = 0;
    for (const char *at = text.text, *end = at + text.length; at < end;) {
        const int symbol = string_table_find(&merges->symbols, unicode_character(&at));
        word->part = grow(word->part, &word->capacity, word->count + 1, sizeof *word->part);
        word->part[word->count++] = (BpePart){ .symbol = symbol, .rank = STALE, .end = (size_t)(at - text.text) };
    }
    refresh_ranks(merges, word);
    for (int rank; (rank = choose(word, &draws)) != NONE; refresh_ranks(merges, word))
        apply(merges, word, rank);
}

void bpe_word_free(BpeWord *word)
{
    xfree(word->part);
    *word = (BpeWord){ 0 };
}
