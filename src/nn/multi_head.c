/* multi_head.c - attention in several heads, by blocks of queries. */
#include "nn/multi_head.h"

#include "base/real.h"
#include "linalg/matmul.h"
#include "linalg/vector.h"

#include <math.h>
#include <string.h>

enum { QUERIES = 32 };      /* of a block: its weights stay in the cache */

size_t multi_head_scratch(MultiHead n, int queries, int keys)
{
    /* qkv, z and their gradients of one sentence; weights before and after dropout, and their
     * gradient, of a block */
    return (size_t)queries * 8 * (size_t)n.D + (size_t)keys * 3 * QUERIES;
}

static real scale_of(MultiHead n)
{
    return 1 / REAL(sqrt)((real)(n.D / n.heads));
}

/* ---- one sentence out of the packed rows ---- */

static int length_of(const PackedSequence *seq, int sentence)
{
    int t = 0;
    while (t < seq->steps && seq->rows[t] > sentence) t++;
    return t;
}

static void gather(real *to, const real *packed, const PackedSequence *seq, int sentence,
                   int length, int width)
{
    for (int t = 0; t < length; t++)
        memcpy(to + (size_t)t * width, packed + (size_t)(seq->start[t] + sentence) * width,
               (size_t)width * sizeof *to);
}

static void scatter(real *packed, const real *from, const PackedSequence *seq, int sentence,
                    int length, int width)
{
    for (int t = 0; t < length; t++)
        memcpy(packed + (size_t)(seq->start[t] + sentence) * width, from + (size_t)t * width,
               (size_t)width * sizeof *from);
}

/* One sentence: its queries, and the keys and values that they see, by their row distances. */
typedef struct {
    const MultiHeadPass *pass;
    const real          *q, *k, *v;
    int                  ldq, ldk;
    int                  queries, keys;
    int                  index;         /* which of the batch */
} Sentence;

/* The gradients, with the same row distances. */
typedef struct { real *q, *k, *v; } SentenceGradient;

/* ---- one block: some queries of one head, with the keys that any of them sees ---- */

typedef struct {
    int head;
    int at, rows;           /* the queries */
    int keys;
    int d;                  /* width of the head */
} Block;

static Block block_of(const Sentence *s, int head, int at)
{
    const MultiHead *n = &s->pass->n;
    const int rows = min_int(QUERIES, s->queries - at);
    return (Block){ .head = head, .at = at, .rows = rows, .d = n->D / n->heads,
                    .keys = n->causal ? at + rows : s->keys };
}

/* Where the columns of its head begin, and its queries. */
static size_t head_of(const Block *b)
{
    return (size_t)(b->head * b->d);
}

static size_t queries_of(const Sentence *s, const Block *b)
{
    return (size_t)b->at * s->ldq + head_of(b);
}

/* p (rows,keys) = softmax(q (rows,d) · k' (d,keys) / sqrt(d)); what is masked is 0 */
static void block_weights(real *p, const Sentence *s, const Block *b)
{
    const MultiHead n = s->pass->n;
    const Operand q = matrix_of(s->q + queries_of(s, b), s->ldq);
    matmul(n.precision, result_in(OVERWRITE, p, b->keys), q,
           transposed(s->k + head_of(b), s->ldk), b->rows, b->d, b->keys);
    for (int i = 0; i < b->rows; i++) {
        const int seen = n.causal ? b->at + i + 1 : b->keys;
        real *row = p + (size_t)i * b->keys;
        vector_scale(row, scale_of(n), (size_t)seen);
        vector_softmax(row, seen);
        memset(row + seen, 0, (size_t)(b->keys - seen) * sizeof *row);
    }
}

/* Each head of each token has a mask of its own. */
static void block_dropout(real *a, const Block *b, const Sentence *s)
{
    const WeightNoise *noise = s->pass->noise;
    if (!noise || !noise->token) return;
    for (int i = 0; i < b->rows; i++) {
        const uint64_t word = noise->token[s->pass->seq->start[b->at + i] + s->index];
        const uint64_t token = word * MAX_HEADS + (uint64_t)b->head;
        dropout_apply(a + (size_t)i * b->keys, &noise->dropout, noise->place, &token, 1, b->keys);
    }
}

/* z (rows,d) = a (rows,keys) · v (keys,d); z of the sentence has row distance D */
static void block_result(real *z, const real *a, const Sentence *s, const Block *b)
{
    const MultiHead n = s->pass->n;
    matmul(n.precision, result_in(OVERWRITE, z + (size_t)b->at * n.D + head_of(b), n.D),
           matrix_of(a, b->keys), matrix_of(s->v + head_of(b), s->ldk), b->rows, b->keys, b->d);
}

/* ---- forward ---- */

static void sentence_forward(real *z, const Sentence *s, real *a)
{
    for (int head = 0; head < s->pass->n.heads; head++)
        for (int at = 0; at < s->queries; at += QUERIES) {
            const Block b = block_of(s, head, at);
            /* 1. */
            block_weights(a, s, &b);
            /* 2. */
            block_dropout(a, &b, s);
            /* 3. */
            block_result(z, a, s, &b);
        }
}

/* Sentence `index`: its queries q with keys and values of its own, q (queries, 3D), or with the
 * positions of the source that are its own, q (queries, D). */
static Sentence sentence_of(const MultiHeadPass *pass, const real *q, int index, int queries)
{
    const int D = pass->n.D;
    const MultiHeadSource *source = pass->source;
    if (!source)
        return (Sentence){ .pass = pass, .q = q, .k = q + D, .v = q + 2 * D, .ldq = 3 * D,
                           .ldk = 3 * D, .queries = queries, .keys = queries, .index = index };
    const real *k = source->kv + (size_t)source->first[index] * 2 * D;
    return (Sentence){ .pass = pass, .q = q, .k = k, .v = k + D, .ldq = D, .ldk = 2 * D,
                       .queries = queries, .keys = source->length[index], .index = index };
}

/* The width of the rows q. */
static int width_of(const MultiHeadPass *pass)
{
    return pass->source ? pass->n.D : 3 * pass->n.D;
}

void multi_head_forward(const MultiHeadPass *pass, real *z, const real *q)
{
    const PackedSequence *seq = pass->seq;
    const int D = pass->n.D, wide = width_of(pass);
    const size_t steps = (size_t)seq->steps;
    real *one = pass->scratch, *z_one = one + steps * wide, *a = z_one + steps * D;
    for (int i = 0; i < seq->rows[0]; i++) {
        const int length = length_of(seq, i);
        const Sentence sentence = sentence_of(pass, one, i, length);
        gather(one, q, seq, i, length, wide);
        sentence_forward(z_one, &sentence, a);
        scatter(z, z_one, seq, i, length, D);
    }
}

/* ---- what the heads look at ---- */

static void look(const WeightView *view, const real *a, const Block *b)
{
    if (view->head != ALL_HEADS && view->head != b->head) return;
    for (int i = 0; i < b->rows; i++)
        vector_axpy(view->weights + (size_t)(b->at + i) * view->ld, view->share,
                    a + (size_t)i * b->keys, (size_t)b->keys);
}

void multi_head_weights(const MultiHeadPass *pass, const WeightView *view, const real *q)
{
    const Sentence s = sentence_of(pass, q, 0, pass->seq->total);
    for (int head = 0; head < pass->n.heads; head++)
        for (int at = 0; at < s.queries; at += QUERIES) {
            const Block b = block_of(&s, head, at);
            block_weights(pass->scratch, &s, &b);
            look(view, pass->scratch, &b);
        }
}

/* ---- backward ---- */

/* In: da. Out: ds = p * (da - sum of p da) / sqrt(d), the gradient of q · k. */
static void softmax_backward(real *ds, const real *p, const Block *b, MultiHead n)
{
    for (int i = 0; i < b->rows; i++) {
        real *d = ds + (size_t)i * b->keys;
        const real *row = p + (size_t)i * b->keys, mean = vector_dot(row, d, (size_t)b->keys);
        for (int t = 0; t < b->keys; t++)
            d[t] = row[t] * (d[t] - mean) * scale_of(n);
    }
}

static void block_backward(const SentenceGradient *d, const real *dz, const Sentence *s,
                           const Block *b, real *p)
{
    const MultiHead n = s->pass->n;
    real *a = p + (size_t)QUERIES * s->keys, *da = a + (size_t)QUERIES * s->keys;
    const size_t queries = queries_of(s, b), head = head_of(b);
    const Operand dz_block = matrix_of(dz + (size_t)b->at * n.D + head, n.D);
    /* 1. and 2. once more */
    block_weights(p, s, b);
    memcpy(a, p, (size_t)b->rows * b->keys * sizeof *a);
    block_dropout(a, b, s);
    /* 3. da (rows,keys) = dz (rows,d) · v' (d,keys);  dv (keys,d) += a' · dz */
    matmul(n.precision, result_in(OVERWRITE, da, b->keys), dz_block,
           transposed(s->v + head, s->ldk), b->rows, b->d, b->keys);
    matmul(n.precision, result_in(ACCUMULATE, d->v + head, s->ldk), transposed(a, b->keys),
           dz_block, b->keys, b->rows, b->d);
    /* 2. */
    block_dropout(da, b, s);
    /* 1. dq (rows,d) = ds (rows,keys) · k (keys,d);  dk (keys,d) += ds' · q (rows,d) */
    softmax_backward(da, p, b, n);
    matmul(n.precision, result_in(OVERWRITE, d->q + queries, s->ldq), matrix_of(da, b->keys),
           matrix_of(s->k + head, s->ldk), b->rows, b->keys, b->d);
    matmul(n.precision, result_in(ACCUMULATE, d->k + head, s->ldk), transposed(da, b->keys),
           matrix_of(s->q + queries, s->ldq), b->keys, b->rows, b->d);
}

/* The gradients of keys and values start at zero. */
static void sentence_backward(const SentenceGradient *d, const real *dz, const Sentence *s, real *p)
{
    for (int head = 0; head < s->pass->n.heads; head++)
        for (int at = 0; at < s->queries; at += QUERIES) {
            const Block b = block_of(s, head, at);
            block_backward(d, dz, s, &b, p);
        }
}

void multi_head_backward(const MultiHeadPass *pass, real *dq, real *dkv, const real *dz,
                         const real *q)
{
    const PackedSequence *seq = pass->seq;
    const int D = pass->n.D, wide = width_of(pass);
    const size_t steps = (size_t)seq->steps;
    real *one = pass->scratch, *dz_one = one + steps * wide, *d_one = dz_one + steps * D;
    real *p = d_one + steps * wide;
    for (int i = 0; i < seq->rows[0]; i++) {
        const int length = length_of(seq, i);
        const Sentence sentence = sentence_of(pass, one, i, length);
        real *dk = pass->source ? dkv + (size_t)pass->source->first[i] * 2 * D : d_one + D;
        const SentenceGradient d = { d_one, dk, dk + D };
        gather(one, q, seq, i, length, wide);
        gather(dz_one, dz, seq, i, length, D);
        if (pass->source) memset(dk, 0, (size_t)sentence.keys * 2 * D * sizeof *dk);
        else memset(d_one, 0, (size_t)length * wide * sizeof *d_one);
        sentence_backward(&d, dz_one, &sentence, p);
        scatter(dq, d_one, seq, i, length, wide);
    }
}

/* ---- word by word ---- */

/* z (D) of one query, from the rows of its keys and values. */
static void query_step(real *z, const real *q, int keys, MultiHead n, StepScratch scratch)
{
    const VectorHeads by = { n.heads, n.D / n.heads, scale_of(n) };
    vector_scores(scratch.weights, q, scratch.row, keys, by);
    for (int head = 0; head < n.heads; head++)
        vector_softmax(scratch.weights + (size_t)head * keys, keys);
    vector_mix(z, scratch.weights, scratch.row, keys, by);
}

void multi_head_step(real *z, const real *qkv, const MultiHeadCache *cache, int t, int rows,
                     MultiHead n, StepScratch scratch)
{
    const size_t D = (size_t)n.D;
    for (int i = 0; i < rows; i++) {
        const real *q = qkv + i * 3 * D;
        cache->path[t][i] = i;
        memcpy(cache->kv[t] + i * 2 * D, q + D, 2 * D * sizeof *q);
        for (int s = 0; s <= t; s++)
            scratch.row[s] = cache->kv[s] + (size_t)cache->path[s][i] * 2 * D;
        query_step(z + i * D, q, t + 1, n, scratch);
    }
}

static void show(const WeightView *view, const real *weights, int row, int keys, int heads)
{
    for (int head = 0; view && head < heads; head++)
        if (view->head == ALL_HEADS || view->head == head)
            vector_axpy(view->weights + (size_t)row * view->ld, view->share,
                        weights + (size_t)head * keys, (size_t)keys);
}

void multi_head_source_step(real *z, const real *q, const MultiHeadSource *source, int rows,
                            MultiHead n, const WeightView *view, StepScratch scratch)
{
    const size_t D = (size_t)n.D;
    for (int i = 0; i < rows; i++) {
        const int keys = source->length[i];
        for (int s = 0; s < keys; s++)
            scratch.row[s] = source->kv + (size_t)(source->first[i] + s) * 2 * D;
        query_step(z + i * D, q + i * D, keys, n, scratch);
        show(view, scratch.weights, i, keys, n.heads);
    }
}
