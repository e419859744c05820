/* local_p.c - a window around a predicted centre (Luong, Pham and Manning 2015, equations 9 and
 * 10):
 *
 *   p       = S · sigmoid(v · tanh(W_p d))                       S: length of the source
 *   e_s     = d · W m_s                                          as in general, or, scaled,
 *             d · W m_s / sqrt(H)                                  as in scaled_general
 *   alpha_s = softmax(e)_s · exp(-(s - p)² / (2 σ²)),  σ = D / 2
 *
 * The softmax runs over the positions from p - D to p + D (D: --attention-window); the others weigh
 * 0. As in the paper the weights are not scaled to a sum of 1 again. The prepared query is [d ;
 * tanh(W_p d)] (H + A).
 */
#include "nn/score/score.h"

#include "linalg/vector.h"

#include <math.h>
#include <string.h>

enum { W, W_P, V };

static ScoreShape shape(const ScoreSizes *n)
{
    return (ScoreShape){
        .parameter = {
            [W]   = { "attention.key.weight", n->H, n->C, 0, 0 },
            [W_P] = { "attention.position.weight", n->A, n->H, .query = n->H },
            [V]   = { "attention.centre.weight", 1, n->A, 0, 0 },
        },
        .key = n->H, .query = n->H + n->A,
        .key_products = n->H * (double)n->C, .query_products = n->A * (double)n->H,
    };
}

static int check(const ScoreSizes *n, Err *e)
{
    if (n->window) return 0;
    return err(e, "this --attention looks at a window and needs --attention-window D, the positions "
                  "on each side of its centre");
}

/* ---- queries: [d ; y = tanh(W_p d)] ---- */

static void query_forward(const ScoreLayer *l, real *query, const real *state, int ld, int rows)
{
    const int Q = l->n.H + l->n.A;
    state_copy(query, Q, state, ld, rows, l->n.H);
    /* y (rows,A) = tanh(state (rows,H) · W_p') */
    linear_forward(OVERWRITE, query + l->n.H, Q, state, ld, &l->w[W_P], NULL, rows);
    for (int i = 0; i < rows; i++)
        vector_tanh(query + (size_t)i * Q + l->n.H, (size_t)l->n.A);
}

/* The gradient of y becomes that of W_p d. */
static void query_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery,
                           const real *query, int rows)
{
    const int Q = l->n.H + l->n.A;
    for (int i = 0; i < rows; i++) {
        const size_t y = (size_t)i * Q + l->n.H;
        vector_tanh_backward(dquery + y, query + y, (size_t)l->n.A);
    }
    /* dstate (rows,H) += dy (rows,A) · W_p */
    linear_backward_input(ACCUMULATE, dstate, ld, dquery + l->n.H, Q, &l->w[W_P], rows);
    state_add(dstate, ld, dquery, Q, rows, l->n.H);
}

/* dW_p (A,H) += dy' (A,N) · state (N,H) */
static void query_weights_backward(const ScoreLayer *l, const real *dquery, const real *state,
                                   int ld, int N)
{
    linear_backward_weight(&l->dw[W_P], dquery + l->n.H, l->n.H + l->n.A, state, ld, N);
}

/* ---- scaled: [d / sqrt(H) ; y] ---- */

static void scale_states(const ScoreLayer *l, real *query, int rows)
{
    const real scale = 1 / (real)sqrt(l->n.H);
    for (int i = 0; i < rows; i++)
        vector_scale(query + (size_t)i * (l->n.H + l->n.A), scale, (size_t)l->n.H);
}

static void scaled_forward(const ScoreLayer *l, real *query, const real *state, int ld, int rows)
{
    query_forward(l, query, state, ld, rows);
    scale_states(l, query, rows);
}

static void scaled_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery,
                            const real *query, int rows)
{
    scale_states(l, dquery, rows);
    query_backward(l, dstate, ld, dquery, query, rows);
}

/* ---- weights ---- */

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

const AttentionScore score_local_p = {
    .shape = shape, .check = check,
    .keys_forward = general_keys_forward, .query_forward = query_forward,
    .score_forward = dot_score_forward, .score_backward = dot_score_backward,
    .weights_forward = weights_forward, .weights_backward = weights_backward,
    .query_backward = query_backward, .query_weights_backward = query_weights_backward,
    .keys_backward = general_keys_backward,
};

const AttentionScore score_scaled_local_p = {
    .shape = shape, .check = check,
    .keys_forward = general_keys_forward, .query_forward = scaled_forward,
    .score_forward = dot_score_forward, .score_backward = dot_score_backward,
    .weights_forward = weights_forward, .weights_backward = weights_backward,
    .query_backward = scaled_backward, .query_weights_backward = query_weights_backward,
    .keys_backward = general_keys_backward,
};
