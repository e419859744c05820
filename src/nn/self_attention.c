/* self_attention.c - projections, residuals, layer normalisation and feed-forward around the
 * heads. */
#include "nn/self_attention.h"

#include "linalg/vector.h"

#include <string.h>

static int widest(const SelfAttentionSizes *n)
{
    const int D = n->attention.D;
    return n->F > 3 * D ? n->F : 3 * D;
}

size_t self_attention_scratch(const SelfAttentionSizes *n, int N, int steps, int source_steps)
{
    const int keys = n->M && source_steps > steps ? source_steps : steps;
    return (size_t)N * (size_t)(2 * n->attention.D + widest(n))
           + multi_head_scratch(n->attention, steps, keys);
}

/* y (N,n) = b + x (N,k) · w' */
static void affine_forward(real *y, const real *x, const Linear *w, const real *b, int N)
{
    linear_forward(OVERWRITE, y, w->rows, x, w->columns, w, b, N);
}

/* dw (n,k) += dy' (n,N) · x (N,k);  db += rows of dy;  dx (N,k) = dy · w, or += */
static void affine_backward(Store store, real *dx, const Linear *dw, real *db, const real *dy,
                            const real *x, const Linear *w, int N)
{
    bias_backward(db, dy, N, w->rows);
    linear_backward_weight(dw, dy, w->rows, x, w->columns, N);
    linear_backward_input(store, dx, w->columns, dy, w->rows, w, N);
}

/* ---- the function of the feed-forward part ---- */

/* Those that are x sigmoid(a x + b x³): (1 + tanh y) / 2 is sigmoid(2y). */
static const struct { real a, b; } gates[] = {
    [ACTIVATION_SWISH] = { 1, 0 },
    [ACTIVATION_GELU_SIGMOID] = { (real)1.702, 0 },
    [ACTIVATION_GELU_TANH] = { (real)1.5957691216057308, (real)(1.5957691216057308 * 0.044715) },
};

static void activate(const SelfAttentionLayer *l, size_t n)
{
    real *x = l->save->hidden;
    const int f = l->n->activation;
    if (l->save->inner) memcpy(l->save->inner, x, n * sizeof *x);
    if (f == ACTIVATION_RELU) vector_relu(x, n);
    else if (f == ACTIVATION_GELU) vector_gelu(x, n);
    else vector_gate(x, gates[f].a, gates[f].b, n);
}

static void activate_backward(const SelfAttentionLayer *l, real *dx, size_t n)
{
    const int f = l->n->activation;
    const real *x = l->save->inner;
    if (f == ACTIVATION_RELU) vector_relu_backward(dx, l->save->hidden, n);
    else if (f == ACTIVATION_GELU) vector_gelu_backward(dx, x, n);
    else vector_gate_backward(dx, x, gates[f].a, gates[f].b, n);
}

/* ---- what is around a part: normalisation, dropout, residual ---- */

static int has_part(const SelfAttentionSizes *n, int part)
{
    return part == PART_SELF || (part == PART_SOURCE ? n->M : n->F);
}

/* The layer has a part after this one. */
static int has_next(const SelfAttentionSizes *n, int part)
{
    while (++part < SELF_ATTENTION_PARTS)
        if (has_part(n, part)) return 1;
    return 0;
}

static const NormWeights *norm_weights(const SelfAttentionWeights *w, int part)
{
    return part == PART_SELF ? &w->norm1 : part == PART_SOURCE ? &w->source.norm : &w->norm2;
}

static NormLayer norm_of(const SelfAttentionLayer *l, int part)
{
    return (NormLayer){ norm_weights(l->w, part), l->dw ? norm_weights(l->dw, part) : NULL,
                        &l->save->part[part].norm, l->n->attention.D, l->n->epsilon };
}

/* What the part reads: x, or norm(x). */
static const real *input_of(const SelfAttentionLayer *l, int part, const real *x)
{
    return l->n->pre ? l->save->part[part].normed : x;
}

static void part_dropout(const SelfAttentionLayer *l, real *x, int part, int N)
{
    const SelfAttentionNoise *noise = &l->noise;
    if (noise->weights.token)
        dropout_apply(x, &noise->residual, noise->place[part], noise->weights.token, N,
                      l->n->attention.D);
}

/* ---- forward ---- */

void self_attention_read(const SelfAttentionLayer *l, real *kv, const real *memory, int rows)
{
    const int D = l->n->attention.D, M = l->n->M;
    const real *bias = l->w->source.in_bias;
    linear_forward(OVERWRITE, kv, 2 * D, memory, M, &l->w->source.key, bias + D, rows);
    linear_forward(OVERWRITE, kv + D, 2 * D, memory, M, &l->w->source.value, bias + 2 * D, rows);
}

/* The whole batch, or those of a step t. */
typedef struct {
    const PackedSequence *seq;          /* NULL: those of a step */
    const MultiHeadCache *cache;
    int                   t, rows;
} Rows;

/* The heads of self-attention, or of attention to the source. */
static MultiHeadPass heads_of(const SelfAttentionLayer *l, int part, const PackedSequence *seq,
                              real *scratch)
{
    MultiHeadPass pass = { l->n->attention, seq, NULL, &l->noise.weights, scratch };
    if (part == PART_SELF) return pass;
    pass.n.causal = 0;
    pass.source = &l->source;
    pass.noise = &l->noise.source_weights;
    return pass;
}

static void attend(const SelfAttentionLayer *l, int part, real *z, const real *q, const Rows *r)
{
    const MultiHeadPass pass = heads_of(l, part, r->seq, l->scratch);
    if (r->seq) multi_head_forward(&pass, z, q);
    else if (part == PART_SELF)
        multi_head_step(z, q, r->cache, r->t, r->rows, pass.n, l->step);
    else multi_head_source_step(z, q, &l->source, r->rows, pass.n, l->view, l->step);
}

/* y (N,D) = part(u) */
static void part_forward(const SelfAttentionLayer *l, int part, real *y, const real *u,
                         const Rows *r)
{
    const SelfAttentionSave *save = l->save;
    const SelfAttentionWeights *w = l->w;
    const int N = r->rows;
    if (part == PART_SELF && l->n->recurrence) {
        if (r->seq) ssru_forward(&w->ssru, &save->ssru, y, u, r->seq);
        else ssru_step(&w->ssru, y, l->state, save->ssru.gates, u, N);
    } else if (part == PART_SELF) {
        affine_forward(save->qkv, u, &w->in, w->in_bias, N);
        attend(l, part, save->z, save->qkv, r);
        affine_forward(y, save->z, &w->out, w->out_bias, N);
    } else if (part == PART_SOURCE) {
        affine_forward(save->source_q, u, &w->source.query, w->source.in_bias, N);
        attend(l, part, save->source_z, save->source_q, r);
        affine_forward(y, save->source_z, &w->source.out, w->source.out_bias, N);
    } else {
        affine_forward(save->hidden, u, &w->linear1, w->bias1, N);
        activate(l, (size_t)N * l->n->F);
        affine_forward(y, save->hidden, &w->linear2, w->bias2, N);
    }
}

static void layer_forward(const SelfAttentionLayer *l, real *y, const real *x, const Rows *r)
{
    const int D = l->n->attention.D, N = r->rows;
    for (int part = 0; part < SELF_ATTENTION_PARTS; part++) {
        if (!has_part(l->n, part)) continue;
        const NormLayer norm = norm_of(l, part);
        real *result = has_next(l->n, part) ? l->save->part[part].y : y;
        if (l->n->pre) layer_norm_forward(&norm, l->save->part[part].normed, x, 0, N);
        part_forward(l, part, result, input_of(l, part, x), r);
        part_dropout(l, result, part, N);
        vector_add(result, x, (size_t)N * D);
        if (!l->n->pre) layer_norm_forward(&norm, result, result, 0, N);
        x = result;
    }
}

void self_attention_forward(const SelfAttentionLayer *l, real *y, const real *x,
                            const PackedSequence *seq)
{
    const Rows rows = { .seq = seq, .rows = seq->total };
    layer_forward(l, y, x, &rows);
}

void self_attention_step(const SelfAttentionLayer *l, real *y, const real *x,
                         const MultiHeadCache *cache, int t, int rows)
{
    const Rows step = { .cache = cache, .t = t, .rows = rows };
    layer_forward(l, y, x, &step);
}

void self_attention_weights(const SelfAttentionLayer *l, int part, const PackedSequence *seq,
                            const WeightView *view)
{
    const MultiHeadPass pass = heads_of(l, part, seq, l->scratch);
    multi_head_weights(&pass, view, part == PART_SELF ? l->save->qkv : l->save->source_q);
}

/* ---- backward ---- */

/* The parts of the scratch. */
typedef struct { real *branch, *dz, *wide, *rest; } Scratch;

static Scratch scratch_of(const SelfAttentionLayer *l, int N)
{
    const size_t values = (size_t)N * l->n->attention.D;
    Scratch s = { .branch = l->scratch };
    s.dz = s.branch + values;
    s.wide = s.dz + values;
    s.rest = s.wide + (size_t)N * (size_t)widest(l->n);
    return s;
}

/* du (N,D) = the gradient of u, or +=; s->branch holds that of part(u), and may be du. */
static void part_backward(const SelfAttentionLayer *l, int part, Store store, real *du,
                          const real *u, const PackedSequence *seq)
{
    const SelfAttentionSave *save = l->save;
    const SelfAttentionWeights *w = l->w, *dw = l->dw;
    const int N = seq->total;
    const Scratch s = scratch_of(l, N);
    const MultiHeadPass pass = heads_of(l, part, seq, s.rest);
    if (part == PART_SELF && l->n->recurrence) {
        ssru_backward(&w->ssru, &dw->ssru, &save->ssru, store, du, s.branch, u, seq, s.dz);
    } else if (part == PART_SELF) {
        affine_backward(OVERWRITE, s.dz, &dw->out, dw->out_bias, s.branch, save->z, &w->out, N);
        multi_head_backward(&pass, s.wide, NULL, s.dz, save->qkv);
        affine_backward(store, du, &dw->in, dw->in_bias, s.wide, u, &w->in, N);
    } else if (part == PART_SOURCE) {
        affine_backward(OVERWRITE, s.dz, &dw->source.out, dw->source.out_bias, s.branch,
                        save->source_z, &w->source.out, N);
        multi_head_backward(&pass, s.wide, l->dkv, s.dz, save->source_q);
        affine_backward(store, du, &dw->source.query, dw->source.in_bias, s.wide, u,
                        &w->source.query, N);
    } else {
        affine_backward(OVERWRITE, s.wide, &dw->linear2, dw->bias2, s.branch, save->hidden,
                        &w->linear2, N);
        activate_backward(l, s.wide, (size_t)N * l->n->F);
        affine_backward(store, du, &dw->linear1, dw->bias1, s.wide, u, &w->linear1, N);
    }
}

/* d (N,D) holds the gradient of the part's result and becomes that of x. */
static void around_backward(const SelfAttentionLayer *l, int part, real *d, const real *x,
                            const PackedSequence *seq)
{
    const int D = l->n->attention.D, N = seq->total;
    const size_t values = (size_t)N * D;
    const NormLayer norm = norm_of(l, part);
    real *branch = scratch_of(l, N).branch;
    if (!l->n->pre) layer_norm_backward(&norm, d, d, 0, N);
    memcpy(branch, d, values * sizeof *d);
    part_dropout(l, branch, part, N);
    if (!l->n->pre) {
        part_backward(l, part, ACCUMULATE, d, x, seq);
        return;
    }
    part_backward(l, part, OVERWRITE, branch, input_of(l, part, x), seq);
    layer_norm_backward(&norm, branch, branch, 0, N);
    vector_add(d, branch, values);
}

/* The input of a part: the result of the part before it, or the layer's. */
static const real *before(const SelfAttentionLayer *l, int part, const real *x)
{
    while (--part >= 0)
        if (has_part(l->n, part)) return l->save->part[part].y;
    return x;
}

void self_attention_backward(const SelfAttentionLayer *l, real *dx, const real *dy, const real *x,
                             const PackedSequence *seq)
{
    if (dx != dy) memcpy(dx, dy, (size_t)seq->total * l->n->attention.D * sizeof *dx);
    for (int part = SELF_ATTENTION_PARTS - 1; part >= 0; part--)
        if (has_part(l->n, part)) around_backward(l, part, dx, before(l, part, x), seq);
}

/* dmemory (rows,M) += dk (rows,D) · W_k + dv · W_v, and the gradients of these weights */
void self_attention_read_backward(const SelfAttentionLayer *l, real *dmemory, const real *memory,
                                  int rows)
{
    const int D = l->n->attention.D, M = l->n->M, ld = 2 * D;
    const SelfAttentionWeights *w = l->w, *dw = l->dw;
    const Linear *const both[] = { &w->source.key, &w->source.value };
    const Linear *const dboth[] = { &dw->source.key, &dw->source.value };
    for (int i = 0; i < rows; i++)
        vector_add(dw->source.in_bias + D, l->dkv + (size_t)i * ld, (size_t)ld);
    for (int k = 0; k < 2; k++) {
        linear_backward_weight(dboth[k], l->dkv + k * D, ld, memory, M, rows);
        linear_backward_input(ACCUMULATE, dmemory, M, l->dkv + k * D, ld, both[k], rows);
    }
}
