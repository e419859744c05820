/* aligner.c - the sample, the table of word pairs, and expectation maximisation. */
#include "train/data/phrases.h"

#include "base/mem.h"
#include "base/system/pool.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE, TARGET, SIDES };
enum { ROUNDS = 5 };
static const double p_none = 0.08, lambda = 4;

/* Word pairs whose probability is lower in both directions are forgotten. */
static const float least_probability = 0.001f;

/* ---- The sample ---- */

enum { HEADER = 2 };            /* ints before the words of a record */

int aligner_takes(const Record *pair)
{
    return pair->source_count > 0 && pair->source_count <= ALIGNER_LONGEST
           && pair->target_count > 0 && pair->target_count <= ALIGNER_LONGEST;
}

static size_t record_size(const Record *pair)
{
    return HEADER + (size_t)pair->source_count + (size_t)pair->target_count;
}

static size_t word_pairs(const Record *pair)
{
    return (size_t)pair->source_count * (size_t)pair->target_count;
}

static void append(PairSample *s, const Record *pair)
{
    Shard *all = &s->pairs;
    const size_t sources = (size_t)pair->source_count, targets = (size_t)pair->target_count;
    all->data = grow(all->data, &s->capacity, s->used + record_size(pair), sizeof *all->data);
    all->start = grow(all->start, &s->start_capacity, all->count + 1, sizeof *all->start);
    all->start[all->count++] = s->used;
    int *to = all->data + s->used;
    to[0] = pair->source_count;
    to[1] = pair->target_count;
    memcpy(to + HEADER, pair->source, sources * sizeof *to);
    memcpy(to + HEADER + sources, pair->target, targets * sizeof *to);
    s->used += record_size(pair);
    s->word_pairs += word_pairs(pair);
}

/* Keeps numbers 0, 2, 4 and so on. */
static void halve(PairSample *s)
{
    Shard *all = &s->pairs;
    size_t kept = 0, used = 0;
    s->word_pairs = 0;
    for (size_t i = 0; i < all->count; i += 2) {
        const Record pair = shard_record(all, i);
        const size_t size = record_size(&pair);
        memmove(all->data + used, all->data + all->start[i], size * sizeof *all->data);
        all->start[kept++] = used;
        used += size;
        s->word_pairs += word_pairs(&pair);
    }
    all->count = kept;
    s->used = used;
    s->step *= 2;
}

void pair_sample_add(PairSample *s, const Record *pair, size_t most)
{
    if (!aligner_takes(pair)) return;
    if (!s->step) s->step = 1;
    if (s->seen++ % s->step) return;
    append(s, pair);
    while (s->word_pairs > most && s->pairs.count > 1)
        halve(s);
}

void pair_sample_free(PairSample *s)
{
    free(s->pairs.data);
    free(s->pairs.start);
    *s = (PairSample){ 0 };
}

/* ---- Word pairs ---- */

/* A source word and a target word that stand in one sentence pair, each such pair once. */
typedef struct {
    uint64_t *key;              /* (slots) source and target; no_key: free */
    int      *number;           /* (slots) of the pair, in the order of their appearance */
    size_t    slots, count;     /* slots: a power of two, at least half of them free */
} WordPairs;

static const uint64_t no_key = UINT64_MAX;

static uint64_t key_of(int source, int target)
{
    return (uint64_t)source << 32 | (uint32_t)target;
}

/* The slot of a key, or where it would be. */
static size_t find_slot(const WordPairs *p, uint64_t key)
{
    uint64_t hash = key * 0x9E3779B97F4A7C15u;
    size_t slot = (size_t)(hash ^ hash >> 32) & (p->slots - 1);
    while (p->key[slot] != key && p->key[slot] != no_key)
        slot = (slot + 1) & (p->slots - 1);
    return slot;
}

static void pairs_resize(WordPairs *p, size_t slots)
{
    const WordPairs old = *p;
    *p = (WordPairs){ xmalloc(slots, sizeof *p->key), xmalloc(slots, sizeof *p->number), slots,
                      old.count };
    memset(p->key, 0xFF, slots * sizeof *p->key);
    for (size_t i = 0; i < old.slots; i++) {
        if (old.key[i] == no_key) continue;
        const size_t slot = find_slot(p, old.key[i]);
        p->key[slot] = old.key[i];
        p->number[slot] = old.number[i];
    }
    free(old.key);
    free(old.number);
}

/* The number of a word pair, which is added if it is new. */
static int pairs_add(WordPairs *p, uint64_t key)
{
    enum { FIRST_SLOTS = 1024 };
    if (2 * p->count >= p->slots) pairs_resize(p, p->slots ? 2 * p->slots : FIRST_SLOTS);
    const size_t slot = find_slot(p, key);
    if (p->key[slot] == no_key) {
        p->key[slot] = key;
        p->number[slot] = (int)p->count++;
    }
    return p->number[slot];
}

static void pairs_free(WordPairs *p)
{
    free(p->key);
    free(p->number);
    *p = (WordPairs){ 0 };
}

/* ---- The prior ---- */

/* exp(-lambda d) of distances d in steps of 1 / PRIOR_STEPS. */
enum { PRIOR_STEPS = 256 };
typedef struct { double of[PRIOR_STEPS + 1]; } Prior;

/* Sets p[i] for word j of m on one side and the n words of the other. */
static void set_prior(const Prior *prior, int j, int m, int n, double *p)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        const int distance = abs((2 * i + 1) * m - (2 * j + 1) * n) * PRIOR_STEPS / (2 * n * m);
        sum += p[i] = prior->of[distance];
    }
    for (int i = 0; i < n; i++)
        p[i] *= (1 - p_none) / sum;
}

/* ---- The aligner ---- */

struct Aligner {
    int       words[SIDES];     /* numbers of words are below */
    WordPairs pairs;
    Prior     prior;
    /* t of the words of a side, given the other's words and given none: */
    float    *t[SIDES];         /* (pairs.count) */
    float    *alone[SIDES];     /* (words) */
};

void aligner_free(Aligner *a)
{
    if (!a) return;
    pairs_free(&a->pairs);
    for (int side = 0; side < SIDES; side++) {
        free(a->t[side]);
        free(a->alone[side]);
    }
    free(a);
}

/* ---- Expectation maximisation ---- */

/* One direction: words of `side` come from words of the other. */
typedef struct {
    const Aligner *aligner;
    const Shard   *sample;
    int            side;
    const int     *entry;       /* of each pair numbers of word pairs (sources, targets) */
    float         *t, *alone;   /* as in Aligner */
    double        *count, *count_alone, *total;     /* expected; total: of the other side's words */
    double         total_alone;
} Direction;

/* A pair as one direction sees it. */
typedef struct {
    const int *word, *other;            /* (m) and (n) */
    int        m, n, step_word, step_other;     /* in `entry` */
    const int *entry;
} Directed;

static Directed directed(const Record *pair, int side, const int *entry)
{
    if (side == TARGET)
        return (Directed){ pair->target, pair->source, pair->target_count, pair->source_count, 1,
                           pair->target_count, entry };
    return (Directed){ pair->source, pair->target, pair->source_count, pair->target_count,
                       pair->target_count, 1, entry };
}

static int entry_at(const Directed *d, int j, int i)
{
    return d->entry[j * d->step_word + i * d->step_other];
}

/* Adds what is expected of word j. */
static void expect(Direction *model, const Directed *d, int j)
{
    double p[ALIGNER_LONGEST];
    const int word = d->word[j];
    set_prior(&model->aligner->prior, j, d->m, d->n, p);
    const double none = p_none * (double)model->alone[word];
    double sum = none;
    for (int i = 0; i < d->n; i++)
        sum += p[i] *= (double)model->t[entry_at(d, j, i)];
    for (int i = 0; i < d->n; i++) {
        model->count[entry_at(d, j, i)] += p[i] / sum;
        model->total[d->other[i]] += p[i] / sum;
    }
    model->count_alone[word] += none / sum;
    model->total_alone += none / sum;
}

static void expect_all(Direction *model)
{
    const int *entry = model->entry;
    for (size_t i = 0; i < model->sample->count; i++) {
        const Record pair = shard_record(model->sample, i);
        const Directed d = directed(&pair, model->side, entry);
        for (int j = 0; j < d.m; j++)
            expect(model, &d, j);
        entry += d.m * d.n;
    }
}

/* Makes the expected counts probabilities, and clears them. */
static void maximise(Direction *model)
{
    const WordPairs *pairs = &model->aligner->pairs;
    const int words = model->aligner->words[model->side];
    for (size_t slot = 0; slot < pairs->slots; slot++) {
        if (pairs->key[slot] == no_key) continue;
        const int k = pairs->number[slot], source = (int)(pairs->key[slot] >> 32);
        const int other = model->side == TARGET ? source : (int)(uint32_t)pairs->key[slot];
        model->t[k] = (float)(model->count[k] / model->total[other]);
        model->count[k] = 0;
    }
    for (int i = 0; i < words; i++) {
        model->alone[i] = (float)(model->count_alone[i] / model->total_alone);
        model->count_alone[i] = 0;
    }
    memset(model->total, 0, (size_t)model->aligner->words[!model->side] * sizeof *model->total);
    model->total_alone = 0;
}

/* At first all translations are alike. */
static void learn_direction(Direction *model)
{
    const Aligner *a = model->aligner;
    const size_t words = (size_t)a->words[model->side];
    model->count = xcalloc(a->pairs.count, sizeof *model->count);
    model->count_alone = xcalloc(words, sizeof *model->count_alone);
    model->total = xcalloc((size_t)a->words[!model->side], sizeof *model->total);
    for (size_t k = 0; k < a->pairs.count; k++)
        model->t[k] = 1.0f / (float)words;
    for (size_t i = 0; i < words; i++)
        model->alone[i] = 1.0f / (float)words;
    for (int round = 0; round < ROUNDS; round++) {
        expect_all(model);
        maximise(model);
    }
    free(model->count);
    free(model->count_alone);
    free(model->total);
}

static void learn_of_worker(void *context, int worker)
{
    Direction *directions = context;
    learn_direction(&directions[worker]);
}

/* ---- Learning ---- */

/* The numbers of the word pairs of each pair, which the table gets; counts the words, too. */
static int *number_pairs(Aligner *a, const Shard *sample)
{
    int *entry = NULL;
    size_t capacity = 0, used = 0;
    for (size_t k = 0; k < sample->count; k++) {
        const Record pair = shard_record(sample, k);
        const size_t need = (size_t)pair.source_count * (size_t)pair.target_count;
        entry = grow(entry, &capacity, used + need, sizeof *entry);
        for (int i = 0; i < pair.source_count; i++)
            for (int j = 0; j < pair.target_count; j++) {
                entry[used++] = pairs_add(&a->pairs, key_of(pair.source[i], pair.target[j]));
                if (a->words[SOURCE] <= pair.source[i]) a->words[SOURCE] = pair.source[i] + 1;
                if (a->words[TARGET] <= pair.target[j]) a->words[TARGET] = pair.target[j] + 1;
            }
    }
    return entry;
}

/* Forgets the word pairs that are improbable in both directions. */
static void forget_improbable(Aligner *a)
{
    WordPairs kept = { 0 };
    float *t[SIDES];
    for (int side = 0; side < SIDES; side++)
        t[side] = xmalloc(a->pairs.count, sizeof *t[side]);
    for (size_t slot = 0; slot < a->pairs.slots; slot++) {
        if (a->pairs.key[slot] == no_key) continue;
        const int old = a->pairs.number[slot];
        if (fmaxf(a->t[SOURCE][old], a->t[TARGET][old]) < least_probability) continue;
        const int number = pairs_add(&kept, a->pairs.key[slot]);
        for (int side = 0; side < SIDES; side++)
            t[side][number] = a->t[side][old];
    }
    pairs_free(&a->pairs);
    a->pairs = kept;
    for (int side = 0; side < SIDES; side++) {
        free(a->t[side]);
        a->t[side] = xrealloc(t[side], kept.count, sizeof *t[side]);
    }
}

Aligner *aligner_learn(const Shard *sample, int workers)
{
    Direction direction[SIDES];
    Aligner *a = xcalloc(1, sizeof *a);
    for (int i = 0; i <= PRIOR_STEPS; i++)
        a->prior.of[i] = exp(-lambda * i / PRIOR_STEPS);
    if (!sample->count) return a;
    SCOPED(xfree_at) int *entry = number_pairs(a, sample);
    for (int side = 0; side < SIDES; side++) {
        a->t[side] = xmalloc(a->pairs.count, sizeof *a->t[side]);
        a->alone[side] = xmalloc((size_t)a->words[side], sizeof *a->alone[side]);
        direction[side] = (Direction){ .aligner = a, .sample = sample, .side = side,
                                       .entry = entry, .t = a->t[side], .alone = a->alone[side] };
    }
    Pool *pool = pool_new(workers == 1 ? 1 : SIDES);
    for (int side = 0; side < SIDES; side += pool_workers(pool))
        pool_run(pool, learn_of_worker, direction + side);
    pool_free(pool);
    forget_improbable(a);
    return a;
}

/* ---- Aligning ---- */

/* Where word j most probably comes from: -1: from none. */
static int best_of(const Aligner *a, const Directed *d, int side, const double *prior, int j)
{
    int best = -1;
    if (d->word[j] >= a->words[side]) return best;
    double most = p_none * (double)a->alone[side][d->word[j]];
    for (int i = 0; i < d->n; i++) {
        const int number = entry_at(d, j, i);
        const double p = number < 0 ? 0 : prior[i] * (double)a->t[side][number];
        if (p <= most) continue;
        most = p;
        best = i;
    }
    return best;
}

int aligner_align(const Aligner *a, const Record *pair, WordAlignment *alignment)
{
    int entry[ALIGNER_LONGEST * ALIGNER_LONGEST], used = 0;     /* -1: an unknown word pair */
    double p[ALIGNER_LONGEST];
    if (!aligner_takes(pair) || !a->pairs.count) return 0;
    for (int i = 0; i < pair->source_count; i++)
        for (int j = 0; j < pair->target_count; j++) {
            const uint64_t key = key_of(pair->source[i], pair->target[j]);
            const size_t slot = find_slot(&a->pairs, key);
            entry[used++] = a->pairs.key[slot] == key ? a->pairs.number[slot] : -1;
        }
    for (int side = 0; side < SIDES; side++) {
        const Directed d = directed(pair, side, entry);
        int *from = side == SOURCE ? alignment->source : alignment->target;
        for (int j = 0; j < d.m; j++) {
            set_prior(&a->prior, j, d.m, d.n, p);
            from[j] = best_of(a, &d, side, p, j);
        }
    }
    return 1;
}
