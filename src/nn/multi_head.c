/* multi_head.c - self-attention by blocks of queries. */
#include "nn/multi_head.h"

#include "base/min.h"
#include "linalg/matmul.h"
#include "linalg/vector.h"

#include <math.h>
#include <string.h>

enum { QUERIES = 32 };      /* of a block: its weights stay in the cache */

size_t multi_head_scratch(MultiHead n, int steps)
{
    /* qkv, z and their gradients of one sentence; weights before and after dropout, and their
     * gradient, of a block */
    return (size_t)steps * (8 * (size_t)n.D + 3 * QUERIES);
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

/* One sentence, and what all its blocks share. */
typedef struct {
    MultiHead             n;
    const PackedSequence *seq;
    const WeightNoise    *noise;
    int                   index, length;    /* which of the batch; its steps */
} Sentence;

/* ---- one block: some queries of one head, with the keys that any of them sees ---- */

typedef struct {
    int head;
    int at, rows;           /* the queries */
    int keys;
    int d;                  /* width of the head */
} Block;

static Block block_of(const Sentence *s, int head, int at)
{
    const int rows = min_int(QUERIES, s->length - at);
    return (Block){ .head = head, .at = at, .rows = rows, .d = s->n.D / s->n.heads,
                    .keys = s->n.causal ? at + rows : s->length };
}

/* p (rows,keys) = softmax(q (rows,d) · k' (d,keys) / sqrt(d)); what is masked is 0 */
static void block_weights(real *p, const real *q, const real *k, const Block *b, MultiHead n)
{
    const int ld = 3 * n.D;
    matmul(n.precision, result_in(OVERWRITE, p, b->keys), matrix_of(q, ld), transposed(k, ld),
           b->rows, b->d, b->keys);
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
    const WeightNoise *noise = s->noise;
    if (!noise->token) return;
    for (int i = 0; i < b->rows; i++) {
        const uint64_t word = noise->token[s->seq->start[b->at + i] + s->index];
        const uint64_t token = word * MAX_HEADS + (uint64_t)b->head;
        dropout_apply(a + (size_t)i * b->keys, &noise->dropout, noise->place, &token, 1, b->keys);
    }
}

/* ---- forward ---- */

static void sentence_forward(real *z, const real *qkv, const Sentence *s, real *a)
{
    const MultiHead n = s->n;
    for (int head = 0; head < n.heads; head++)
        for (int at = 0; at < s->length; at += QUERIES) {
            const Block b = block_of(s, head, at);
            const real *q = qkv + (size_t)at * 3 * n.D + head * b.d;
            const real *k = qkv + n.D + head * b.d, *v = k + n.D;
            /* 1. */
            block_weights(a, q, k, &b, n);
            /* 2. */
            block_dropout(a, &b, s);
            /* 3. z (rows,d) = a (rows,keys) · v (keys,d) */
            matmul(n.precision, result_in(OVERWRITE, z + (size_t)at * n.D + head * b.d, n.D),
                   matrix_of(a, b.keys), matrix_of(v, 3 * n.D), b.rows, b.keys, b.d);
        }
}

void multi_head_forward(real *z, const real *qkv, const PackedSequence *seq, MultiHead n,
                        const WeightNoise *noise, real *scratch)
{
    const size_t values = (size_t)seq->steps * n.D;
    real *one = scratch, *z_one = one + 3 * values, *a = z_one + values;
    for (int i = 0; i < seq->rows[0]; i++) {
        const int length = length_of(seq, i);
        const Sentence sentence = { n, seq, noise, i, length };
        gather(one, qkv, seq, i, length, 3 * n.D);
        sentence_forward(z_one, one, &sentence, a);
        scatter(z, z_one, seq, i, length, n.D);
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

/* dqkv starts at zero. */
static void sentence_backward(real *dqkv, const real *dz, const real *qkv, const Sentence *s,
                              real *p)
{
    const MultiHead n = s->n;
    const int ld = 3 * n.D;
    real *a = p + (size_t)QUERIES * s->length, *da = a + (size_t)QUERIES * s->length;
    for (int head = 0; head < n.heads; head++)
        for (int at = 0; at < s->length; at += QUERIES) {
            const Block b = block_of(s, head, at);
            const size_t queries = (size_t)at * ld + head * b.d, keys = (size_t)(n.D + head * b.d);
            const size_t values = keys + n.D;
            const Operand dz_block = matrix_of(dz + (size_t)at * n.D + head * b.d, n.D);
            /* 1. and 2. once more */
            block_weights(p, qkv + queries, qkv + keys, &b, n);
            memcpy(a, p, (size_t)b.rows * b.keys * sizeof *a);
            block_dropout(a, &b, s);
            /* 3. da (rows,keys) = dz (rows,d) · v' (d,keys);  dv (keys,d) += a' · dz */
            matmul(n.precision, result_in(OVERWRITE, da, b.keys), dz_block,
                   transposed(qkv + values, ld), b.rows, b.d, b.keys);
            matmul(n.precision, result_in(ACCUMULATE, dqkv + values, ld), transposed(a, b.keys),
                   dz_block, b.keys, b.rows, b.d);
            /* 2. */
            block_dropout(da, &b, s);
            /* 1. dq (rows,d) = ds (rows,keys) · k (keys,d);  dk (keys,d) += ds' · q (rows,d) */
            softmax_backward(da, p, &b, n);
            matmul(n.precision, result_in(OVERWRITE, dqkv + queries, ld), matrix_of(da, b.keys),
                   matrix_of(qkv + keys, ld), b.rows, b.keys, b.d);
            matmul(n.precision, result_in(ACCUMULATE, dqkv + keys, ld), transposed(da, b.keys),
                   matrix_of(qkv + queries, ld), b.keys, b.rows, b.d);
        }
}

void multi_head_backward(real *dqkv, const real *dz, const real *qkv, const PackedSequence *seq,
                         MultiHead n, const WeightNoise *noise, real *scratch)
{
    const size_t values = (size_t)seq->steps * n.D;
    real *one = scratch, *dz_one = one + 3 * values, *d_one = dz_one + values;
    real *p = d_one + 3 * values;
    for (int i = 0; i < seq->rows[0]; i++) {
        const int length = length_of(seq, i);
        const Sentence sentence = { n, seq, noise, i, length };
        gather(one, qkv, seq, i, length, 3 * n.D);
        gather(dz_one, dz, seq, i, length, n.D);
        memset(d_one, 0, (size_t)length * 3 * n.D * sizeof *d_one);
        sentence_backward(d_one, dz_one, one, &sentence, p);
        scatter(dqkv, d_one, seq, i, length, 3 * n.D);
    }
}

/* ---- word by word ---- */

static const real *cached(const MultiHeadCache *cache, int sequence, int s, MultiHead n)
{
    const int row = cache->path[(size_t)s * cache->rows + sequence];
    return cache->kv + ((size_t)s * cache->rows + row) * 2 * n.D;
}

static void head_step(real *z, const real *q, const MultiHeadCache *cache, int sequence, int t,
                      int head, MultiHead n, real *a)
{
    const int d = n.D / n.heads;
    for (int s = 0; s <= t; s++)
        a[s] = scale_of(n) * vector_dot(q, cached(cache, sequence, s, n) + head * d, (size_t)d);
    vector_softmax(a, t + 1);
    memset(z, 0, (size_t)d * sizeof *z);
    for (int s = 0; s <= t; s++)
        vector_axpy(z, a[s], cached(cache, sequence, s, n) + n.D + head * d, (size_t)d);
}

void multi_head_step(real *z, const real *qkv, const MultiHeadCache *cache, int t, int rows,
                     MultiHead n, real *scratch)
{
    const int d = n.D / n.heads;
    for (int i = 0; i < rows; i++) {
        const real *q = qkv + (size_t)i * 3 * n.D;
        cache->path[(size_t)t * cache->rows + i] = i;
        memcpy(cache->kv + ((size_t)t * cache->rows + i) * 2 * n.D, q + n.D,
               2 * (size_t)n.D * sizeof *q);
        for (int head = 0; head < n.heads; head++)
            head_step(z + (size_t)i * n.D + head * d, q + head * d, cache, i, t, head, n, scratch);
    }
}
