/* dot.c - the scores that are a product of the decoder's state and a key:
 *
 *   dot              e = d · m                  Luong, Pham and Manning (2015), section 3.1; H = C
 *   scaled_dot       e = d · m / sqrt(H)        Vaswani et al. (2017), equation 1
 *   general          e = d · W m                Luong et al., section 3.1
 *   scaled_general   e = d · W m / sqrt(H)
 *   local_p, scaled_local_p                     general ones, in a window; below
 *
 * A step of Adam changes all of W at once, and so a score by much: without the scale nearly all of
 * the weight is soon on one position, and the gradient is gone (data/results/systems.md). The
 * prepared query is d (H). The prepared key is m, or W m (H), computed once a sentence.
 */
#include "nn/score/score.h"

#include "linalg/vector.h"

#include <math.h>
#include <string.h>

enum { W, W_P, V };

/* ---- queries: rows of state, Q apart ---- */

static void copy_states(real *query, int Q, const real *state, int ld, int rows, int H)
{
    for (int i = 0; i < rows; i++)
        memcpy(query + (size_t)i * Q, state + (size_t)i * ld, (size_t)H * sizeof *query);
}

static void add_states(real *dstate, int ld, const real *dquery, int Q, int rows, int H)
{
    for (int i = 0; i < rows; i++)
        vector_add(dstate + (size_t)i * ld, dquery + (size_t)i * Q, (size_t)H);
}

static void scale_states(real *query, int Q, int rows, int H)
{
    for (int i = 0; i < rows; i++)
        vector_scale(query + (size_t)i * Q, 1 / (real)sqrt(H), (size_t)H);
}

static void query_forward(const ScoreLayer *l, real *query, const real *state, int ld, int rows)
{
    copy_states(query, l->n.H, state, ld, rows, l->n.H);
}

static void query_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery,
                           const real *query, int rows)
{
    (void)query;
    add_states(dstate, ld, dquery, l->n.H, rows, l->n.H);
}

static void scaled_forward(const ScoreLayer *l, real *query, const real *state, int ld, int rows)
{
    query_forward(l, query, state, ld, rows);
    scale_states(query, l->n.H, rows, l->n.H);
}

static void scaled_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery,
                            const real *query, int rows)
{
    scale_states(dquery, l->n.H, rows, l->n.H);
    query_backward(l, dstate, ld, dquery, query, rows);
}

/* ---- scores ---- */

static void score_forward(const ScoreLayer *l, real *e, const real *query, const real *keys,
                          int length)
{
    const size_t H = (size_t)l->n.H;
    for (int s = 0; s < length; s++)
        e[s] = vector_dot(query, keys + s * H, H);
}

/* dquery (H) += sum of de_s keys_s;  dkeys_s += de_s query */
static void score_backward(const ScoreLayer *l, real *dquery, real *dkeys, const real *de,
                           const real *query, const real *keys, int length)
{
    const size_t H = (size_t)l->n.H;
    for (int s = 0; s < length; s++) {
        vector_axpy(dquery, de[s], keys + s * H, H);
        vector_axpy(dkeys + s * H, de[s], query, H);
    }
}

/* ---- dot ---- */

static ScoreShape shape(const ScoreSizes *n)
{
    return (ScoreShape){ .key = n->C, .query = n->H };
}

static int check(const ScoreSizes *n, Err *e)
{
    if (n->C == n->H) return 0;
    return err(e, "--attention dot and scaled-dot multiply decoder states (%d wide) with encoder "
                  "states (%d wide), which must have the same width; use --attention general, or "
                  "--no-bidirectional", n->H, n->C);
}

#define DOT \
    .shape = shape, .check = check, .score_forward = score_forward, .score_backward = score_backward

const AttentionScore score_dot = {
    DOT, .query_forward = query_forward, .query_backward = query_backward,
};

const AttentionScore score_scaled_dot = {
    DOT, .query_forward = scaled_forward, .query_backward = scaled_backward,
};

/* ---- general ---- */

static ScoreShape general_shape(const ScoreSizes *n)
{
    return (ScoreShape){
        .parameter = { [W] = { "attention.key.weight", n->H, n->C, 0, 0 } },
        .key = n->H, .query = n->H,
    };
}

/* keys (M,H) = memory (M,C) · W' */
static void keys_forward(const ScoreLayer *l, real *keys, const real *memory, int M)
{
    linear_forward(OVERWRITE, keys, l->n.H, memory, l->n.C, &l->w[W], NULL, M);
}

/* dmemory (M,C) += dkeys (M,H) · W;  dW (H,C) += dkeys' (H,M) · memory (M,C) */
static void keys_backward(const ScoreLayer *l, real *dmemory, const real *dkeys,
                          const real *memory, int M)
{
    linear_backward_input(ACCUMULATE, dmemory, l->n.C, dkeys, l->n.H, &l->w[W], M);
    linear_backward_weight(&l->dw[W], dkeys, l->n.H, memory, l->n.C, M);
}

#define GENERAL \
    .keys_forward = keys_forward, .keys_backward = keys_backward, \
    .score_forward = score_forward, .score_backward = score_backward

const AttentionScore score_general = {
    GENERAL, .shape = general_shape,
    .query_forward = query_forward, .query_backward = query_backward,
};

const AttentionScore score_scaled_general = {
    GENERAL, .shape = general_shape,
    .query_forward = scaled_forward, .query_backward = scaled_backward,
};

/* ---- local-p: a window around a predicted centre (Luong et al., equations 9 and 10) ----
 *
 *   p       = S · sigmoid(v · tanh(W_p d))                       S: length of the source
 *   alpha_s = softmax(e)_s · exp(-(s - p)² / (2 σ²)),  σ = D / 2
 *
 * The softmax runs over the positions from p - D to p + D (D: --attention-window); the others weigh
 * 0. As in the paper the weights are not scaled to a sum of 1 again. The prepared query is
 * [d ; y = tanh(W_p d)] (H + A), or, scaled, [d / sqrt(H) ; y].
 */

static ScoreShape local_shape(const ScoreSizes *n)
{
    return (ScoreShape){
        .parameter = {
            [W]   = { "attention.key.weight", n->H, n->C, 0, 0 },
            [W_P] = { "attention.position.weight", n->A, n->H, .query = n->H },
            [V]   = { "attention.centre.weight", 1, n->A, 0, 0 },
        },
        .key = n->H, .query = n->H + n->A,
    };
}

static int local_check(const ScoreSizes *n, Err *e)
{
    if (n->window) return 0;
    return err(e, "this --attention looks at a window and needs --attention-window D, the positions "
                  "on each side of its centre");
}

static void local_forward(const ScoreLayer *l, real *query, const real *state, int ld, int rows)
{
    const int Q = l->n.H + l->n.A;
    copy_states(query, Q, state, ld, rows, l->n.H);
    /* y (rows,A) = tanh(state (rows,H) · W_p') */
    linear_forward(OVERWRITE, query + l->n.H, Q, state, ld, &l->w[W_P], NULL, rows);
    for (int i = 0; i < rows; i++)
        vector_tanh(query + (size_t)i * Q + l->n.H, (size_t)l->n.A);
}

/* The gradient of y becomes that of W_p d. */
static void local_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery,
                           const real *query, int rows)
{
    const int Q = l->n.H + l->n.A;
    for (int i = 0; i < rows; i++) {
        const size_t y = (size_t)i * Q + l->n.H;
        vector_tanh_backward(dquery + y, query + y, (size_t)l->n.A);
    }
    /* dstate (rows,H) += dy (rows,A) · W_p */
    linear_backward_input(ACCUMULATE, dstate, ld, dquery + l->n.H, Q, &l->w[W_P], rows);
    add_states(dstate, ld, dquery, Q, rows, l->n.H);
}

/* dW_p (A,H) += dy' (A,N) · state (N,H) */
static void query_weights_backward(const ScoreLayer *l, const real *dquery, const real *state,
                                   int ld, int N)
{
    linear_backward_weight(&l->dw[W_P], dquery + l->n.H, l->n.H + l->n.A, state, ld, N);
}

static void scaled_local_forward(const ScoreLayer *l, real *query, const real *state, int ld,
                                 int rows)
{
    local_forward(l, query, state, ld, rows);
    scale_states(query, l->n.H + l->n.A, rows, l->n.H);
}

static void scaled_local_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery,
                                  const real *query, int rows)
{
    scale_states(dquery, l->n.H + l->n.A, rows, l->n.H);
    local_backward(l, dstate, ld, dquery, query, rows);
}

typedef struct {
    real p, slope;              /* dp / du, for p = S sigmoid(u) */
    real variance;              /* σ² */
    int  first, count;          /* the window */
} Centre;

static Centre centre_of(const ScoreLayer *l, const real *query, int length)
{
    const int window = l->n.window;
    const real u = vector_dot(l->w[V].weights, query + l->n.H, (size_t)l->n.A);
    const real share = 1 / (1 + (real)exp(-(double)u));
    const real p = length * share, sigma = window / (real)2;
    const double first = fmax(0, ceil((double)p - window));
    const double last = fmin(length - 1, floor((double)p + window));
    return (Centre){ p, p * (1 - share), sigma * sigma, (int)first, (int)last - (int)first + 1 };
}

static real bell(const Centre *c, int s)
{
    const real distance = s - c->p;
    return (real)exp(-(double)(distance * distance / (2 * c->variance)));
}

static void weights_forward(const ScoreLayer *l, real *alpha, const real *query, int length)
{
    const Centre c = centre_of(l, query, length);
    const int end = c.first + c.count;
    vector_softmax(alpha + c.first, c.count);
    for (int s = c.first; s < end; s++)
        alpha[s] *= bell(&c, s);
    memset(alpha, 0, (size_t)c.first * sizeof *alpha);
    memset(alpha + end, 0, (size_t)(length - end) * sizeof *alpha);
}

/* With the softmax a_s and the bell g_s, alpha_s = a_s g_s:
 *   de_s = a_s (dalpha_s g_s - sum of dalpha alpha)
 *   dp   = sum of dalpha_s alpha_s (s - p) / σ² */
static void weights_backward(const ScoreLayer *l, real *de, real *dquery, const real *alpha,
                             const real *query, int length)
{
    const Centre c = centre_of(l, query, length);
    const real mean = vector_dot(de + c.first, alpha + c.first, (size_t)c.count);
    real dp = 0;
    for (int s = 0; s < length; s++) {
        if (s < c.first || s >= c.first + c.count) {
            de[s] = 0;
            continue;
        }
        const real flow = de[s] * alpha[s];
        dp += flow * (s - c.p) / c.variance;
        de[s] = flow - alpha[s] / bell(&c, s) * mean;
    }
    vector_axpy(l->dw[V].weights, dp * c.slope, query + l->n.H, (size_t)l->n.A);
    vector_axpy(dquery + l->n.H, dp * c.slope, l->w[V].weights, (size_t)l->n.A);
}

#define LOCAL \
    GENERAL, .shape = local_shape, .check = local_check, \
    .weights_forward = weights_forward, .weights_backward = weights_backward, \
    .query_weights_backward = query_weights_backward

const AttentionScore score_local_p = {
    LOCAL, .query_forward = local_forward, .query_backward = local_backward,
};

const AttentionScore score_scaled_local_p = {
    LOCAL, .query_forward = scaled_local_forward, .query_backward = scaled_local_backward,
};
