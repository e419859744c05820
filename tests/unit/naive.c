/* naive.c - slow twins. */
#include "naive.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void naive_product(double *c, View a, View b, int m, int k, int n)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += (double)a.x[i * a.row + l * a.column]
                       * (double)b.x[l * b.row + j * b.column];
            c[i * n + j] = sum;
        }
}

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* row `i` of w (.., n) times x, plus bias[i] */
static double linear(const real *w, const real *x, const real *bias, int i, int n)
{
    double sum = (double)bias[i];
    for (int j = 0; j < n; j++)
        sum += (double)w[i * n + j] * (double)x[j];
    return sum;
}

/* the same with an x in double */
static double recurrent(const real *u, const double *h, const real *bias, int i, int n)
{
    double sum = (double)bias[i];
    for (int j = 0; j < n; j++)
        sum += (double)u[i * n + j] * h[j];
    return sum;
}

/* Both parts of a cell's gates (G), normalised where there are gains. */
static void gate_parts(double *input, double *state, const real *x, const double *before,
                       const CellWeights *w, int G, int I, int H)
{
    for (int i = 0; i < G; i++) {
        input[i] = linear(w->W.weights, x, w->b, i, I);
        state[i] = recurrent(w->U.weights, before, w->c, i, H);
    }
    if (w->state_norm.gain) {
        naive_layer_norm(input, input, &w->input_norm, 1e-5, G);
        naive_layer_norm(state, state, &w->state_norm, 1e-5, G);
    }
}

static void gru_step(double *h, const real *x, const double *before, const CellWeights *w, int I,
                     int H)
{
    double *a = xcalloc(6 * (size_t)H, sizeof *a), *u = a + 3 * H;
    gate_parts(a, u, x, before, w, 3 * H, I, H);
    for (int j = 0; j < H; j++) {
        double r = sigmoid(a[j] + u[j]), z = sigmoid(a[H + j] + u[H + j]);
        double n = tanh(a[2 * H + j] + r * u[2 * H + j]);
        h[j] = (1 - z) * n + z * before[j];
    }
    free(a);
}

/* state [h ; m] after, from `before` */
static void lstm_step(double *state, const real *x, const double *before, const CellWeights *w,
                      int I, int H)
{
    double *a = xcalloc(8 * (size_t)H, sizeof *a), *u = a + 4 * H;
    gate_parts(a, u, x, before, w, 4 * H, I, H);
    for (int j = 0; j < H; j++) {
        double gate[4];
        for (int k = 0; k < 4; k++)
            gate[k] = a[k * H + j] + u[k * H + j];
        state[H + j] = sigmoid(gate[1]) * before[H + j] + sigmoid(gate[0]) * tanh(gate[2]);
        state[j] = sigmoid(gate[3]) * tanh(state[H + j]);
    }
    free(a);
}

typedef void (*Step)(double *state, const real *x, const double *before, const CellWeights *w,
                     int I, int H);

/* The steps of one sentence; a state is Z wide. */
static void run(Step step, double *states, const real *x, const CellWeights *w, int length,
                int reverse, int I, int H, int Z)
{
    double *before = xcalloc((size_t)Z, sizeof *before);
    for (int k = 0; k < length; k++) {
        int t = reverse ? length - 1 - k : k;
        step(states + t * Z, x + t * I, before, w, I, H);
        memcpy(before, states + t * Z, (size_t)Z * sizeof *before);
    }
    free(before);
}

void naive_gru(double *h, const real *x, const CellWeights *w, int length, int reverse, int I,
               int H)
{
    run(gru_step, h, x, w, length, reverse, I, H, H);
}

void naive_lstm(double *states, const real *x, const CellWeights *w, int length, int reverse,
                int I, int H)
{
    run(lstm_step, states, x, w, length, reverse, I, H, 2 * H);
}

void naive_softmax(double *p, const double *x, int n)
{
    double largest = -INFINITY, sum = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, x[i]);
    for (int i = 0; i < n; i++) {
        p[i] = exp(x[i] - largest);
        sum += p[i];
    }
    for (int i = 0; i < n; i++)
        p[i] /= sum;
}

static double product(const real *x, const real *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

/* v · tanh(W_q state + W_k key) */
static double hidden_score(const real *state, const real *key, const Linear *w, const ScoreSizes *n)
{
    double score = 0;
    for (int a = 0; a < n->A; a++)
        score += (double)w[2].weights[a] * tanh(product(w[0].weights + a * w[0].ld, state, n->H)
                                                + product(w[1].weights + a * w[1].ld, key, n->C));
    return score;
}

/* state · W key */
static double general_score(const char *name, const real *state, const real *key, const real *w,
                            const ScoreSizes *n)
{
    double score = 0;
    for (int j = 0; j < n->H; j++)
        score += (double)state[j] * product(w + j * n->C, key, n->C);
    return strncmp(name, "scaled", 6) ? score : score / sqrt(n->H);
}

static double score_of(const char *name, const real *state, const real *key, int position,
                       const Linear *w, const ScoreSizes *n)
{
    if (!strcmp(name, "additive") || !strcmp(name, "concat")) return hidden_score(state, key, w, n);
    if (!strcmp(name, "dot")) return product(state, key, n->H);
    if (!strcmp(name, "scaled-dot")) return product(state, key, n->H) / sqrt(n->H);
    if (!strcmp(name, "concat-linear"))
        return product(w[0].weights, state, n->H) + product(w[1].weights, key, n->C);
    if (!strcmp(name, "location"))
        return position < n->positions ? product(w[0].weights + position * n->H, state, n->H)
            : -INFINITY;
    if (!strcmp(name, "linear"))        /* the state and the word are side by side, and so is W */
        return position < n->positions
                   ? product(w[0].weights + position * w[0].ld, state, n->H + n->E) : -INFINITY;
    return general_score(name, state, key, w[0].weights, n);
}

/* S sigmoid(v · tanh(W_p state)) */
static double centre_of(const real *state, const Linear *w, int length, const ScoreSizes *n)
{
    double u = 0;
    for (int a = 0; a < n->A; a++)
        u += (double)w[2].weights[a] * tanh(product(w[1].weights + a * n->H, state, n->H));
    return length * sigmoid(u);
}

static void local_weights(double *alpha, const char *name, const real *state, const real *memory,
                          const Linear *w, int length, int S, const ScoreSizes *n)
{
    const double p = centre_of(state, w, length, n), deviation = n->window / 2.0;
    for (int s = 0; s < S; s++)
        alpha[s] = s < length && fabs(s - p) <= n->window
                   ? general_score(name, state, memory + s * n->C, w[0].weights, n) : -INFINITY;
    naive_softmax(alpha, alpha, S);
    for (int s = 0; s < S; s++)
        alpha[s] *= exp(-(s - p) * (s - p) / (2 * deviation * deviation));
}

static void weights_of(double *alpha, const char *name, const real *state, const real *memory,
                       const Linear *w, int length, int S, const ScoreSizes *n)
{
    if (strstr(name, "local-p")) {
        local_weights(alpha, name, state, memory, w, length, S, n);
        return;
    }
    for (int s = 0; s < S; s++)
        alpha[s] = s < length ? score_of(name, state, memory + s * n->C, s, w, n) : -INFINITY;
    naive_softmax(alpha, alpha, S);
}

/* The last state of each direction. */
static void fixed_context(double *context, double *alpha, const real *memory, int length, int S,
                          const ScoreSizes *n)
{
    for (int s = 0; s < S; s++)
        alpha[s] = 0;
    for (int j = 0; j < n->C; j++)
        context[j] = (double)memory[(j < n->H ? length - 1 : 0) * n->C + j];
}

void naive_attention(double *context, double *alpha, const char *score, const real *state,
                     const real *memory, const Linear *w, int length, int S, const ScoreSizes *n)
{
    if (!strcmp(score, "none")) {
        fixed_context(context, alpha, memory, length, S, n);
        return;
    }
    weights_of(alpha, score, state, memory, w, length, S, n);
    for (int j = 0; j < n->C; j++) {
        context[j] = 0;
        for (int s = 0; s < S; s++)
            context[j] += alpha[s] * (double)memory[s * n->C + j];
    }
}

void naive_layer_norm(double *y, const double *x, const NormWeights *w, double epsilon, int n)
{
    double mean = 0, variance = 0;
    for (int j = 0; j < n; j++)
        mean += x[j] / n;
    for (int j = 0; j < n; j++)
        variance += (x[j] - mean) * (x[j] - mean) / n;
    for (int j = 0; j < n; j++)
        y[j] = (double)w->gain[j] * (x[j] - mean) / sqrt(variance + epsilon) + (double)w->bias[j];
}

/* z (D) of one query q (D) with keys and values (count,D); `seen` of them are not masked */
static void heads_of(double *z, const double *q, const double *k, const double *v, int seen,
                     MultiHead n)
{
    const int d = n.D / n.heads;
    double *p = xcalloc((size_t)seen, sizeof *p);
    for (int h = 0; h < n.heads; h++) {
        for (int t = 0; t < seen; t++) {
            p[t] = 0;
            for (int j = h * d; j < (h + 1) * d; j++)
                p[t] += q[j] * k[t * n.D + j] / sqrt(d);
        }
        naive_softmax(p, p, seen);
        for (int j = h * d; j < (h + 1) * d; j++) {
            z[j] = 0;
            for (int t = 0; t < seen; t++)
                z[j] += p[t] * v[t * n.D + j];
        }
    }
    free(p);
}

/* y (rows,n) = x (rows,k) · w' + b, in new memory; w (n,k) from row `first` on */
static double *affine(const double *x, const real *w, const real *b, int rows, int n, int k)
{
    double *y = xcalloc((size_t)(rows * n), sizeof *y);
    for (int i = 0; i < rows * n; i++)
        y[i] = recurrent(w, x + i / n * k, b, i % n, k);
    return y;
}

/* What queries of u (length,D) see in u itself or in the memory (count, width), through W_out. */
static double *attended(const double *u, const double *seen, int length, int count, int width,
                        const real *const in[3], const real *bias, const real *out,
                        const real *out_bias, MultiHead n)
{
    const int D = n.D;
    double *q = affine(u, in[0], bias, length, D, D);
    double *k = affine(seen, in[1], bias + D, count, D, width);
    double *v = affine(seen, in[2], bias + 2 * D, count, D, width);
    double *z = xcalloc((size_t)(length * D), sizeof *z);
    for (int s = 0; s < length; s++)
        heads_of(z + s * D, q + s * D, k, v, n.causal ? s + 1 : count, n);
    double *y = affine(z, out, out_bias, length, D, D);
    free(q);
    free(k);
    free(v);
    free(z);
    return y;
}

static double *self_part(const double *u, const SelfAttentionWeights *w, int length, MultiHead n)
{
    const real *W = w->in.weights, *const in[] = { W, W + n.D * n.D, W + 2 * n.D * n.D };
    return attended(u, u, length, length, n.D, in, w->in_bias, w->out.weights, w->out_bias, n);
}

static double *source_part(const double *u, const real *memory, int S,
                           const SelfAttentionWeights *w, int length, const SelfAttentionSizes *n)
{
    const real *const in[] = { w->source.query.weights, w->source.key.weights,
                               w->source.value.weights };
    MultiHead heads = n->attention;
    heads.causal = 0;
    double *wide = xcalloc((size_t)(S * n->M), sizeof *wide);
    for (int i = 0; i < S * n->M; i++)
        wide[i] = (double)memory[i];
    double *y = attended(u, wide, length, S, n->M, in, w->source.in_bias, w->source.out.weights,
                         w->source.out_bias, heads);
    free(wide);
    return y;
}

/* max(0, c_t) of the equations of nn/ssru.h */
static double *ssru_part(const double *u, const SsruWeights *w, int length, int D)
{
    real *none = xcalloc((size_t)D, sizeof *none);
    double *y = affine(u, w->weight.weights, none, length, D, D);
    double *f = affine(u, w->weight.weights + D * D, w->bias, length, D, D);
    double *c = xcalloc((size_t)D, sizeof *c);
    for (int i = 0; i < length * D; i++) {
        const double kept = 1 / (1 + exp(-f[i]));
        c[i % D] = kept * c[i % D] + (1 - kept) * y[i];
        y[i] = fmax(c[i % D], 0);
    }
    free(none);
    free(f);
    free(c);
    return y;
}

static double activated(double x, int activation)
{
    switch (activation) {
    case ACTIVATION_SWISH:        return x / (1 + exp(-x));
    case ACTIVATION_GELU:         return x * (1 + erf(x / sqrt(2))) / 2;
    case ACTIVATION_GELU_SIGMOID: return x / (1 + exp(-1.702 * x));
    case ACTIVATION_GELU_TANH:    return x * (1 + tanh(sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x))) / 2;
    default:                      return fmax(x, 0);
    }
}

/* W_2 f(W_1 u + b_1) + b_2 */
static double *feed_forward(const double *u, const SelfAttentionWeights *w, int length,
                            const SelfAttentionSizes *n)
{
    const int D = n->attention.D, F = n->F;
    double *hidden = affine(u, w->linear1.weights, w->bias1, length, F, D);
    for (int i = 0; i < length * F; i++)
        hidden[i] = activated(hidden[i], n->activation);
    double *y = affine(hidden, w->linear2.weights, w->bias2, length, D, F);
    free(hidden);
    return y;
}

void naive_self_attention(double *y, const real *x, const real *memory, int S,
                          const SelfAttentionWeights *w, int length, const SelfAttentionSizes *n)
{
    const int D = n->attention.D, exists[] = { 1, n->M, n->F };
    const NormWeights *const norms[] = { &w->norm1, &w->source.norm, &w->norm2 };
    double *u = xcalloc((size_t)(length * D), sizeof *u);
    for (int i = 0; i < length * D; i++)
        y[i] = (double)x[i];
    for (int part = 0; part < 3; part++) {
        if (!exists[part]) continue;
        for (int s = 0; s < length; s++) {
            if (n->pre) naive_layer_norm(u + s * D, y + s * D, norms[part], (double)n->epsilon, D);
            else memcpy(u + s * D, y + s * D, (size_t)D * sizeof *u);
        }
        double *out = part == 0 && n->recurrence ? ssru_part(u, &w->ssru, length, D)
                    : part == 0 ? self_part(u, w, length, n->attention)
                    : part == 1 ? source_part(u, memory, S, w, length, n)
                                : feed_forward(u, w, length, n);
        for (int i = 0; i < length * D; i++)
            y[i] += out[i];
        for (int s = 0; !n->pre && s < length; s++)
            naive_layer_norm(y + s * D, y + s * D, norms[part], (double)n->epsilon, D);
        free(out);
    }
    free(u);
}

double naive_cross_entropy(const real *logits, int y, int V, double epsilon)
{
    double *p = xcalloc((size_t)V, sizeof *p), loss = 0;
    for (int j = 0; j < V; j++)
        p[j] = (double)logits[j];
    naive_softmax(p, p, V);
    for (int j = 0; j < V; j++)
        loss -= ((1 - epsilon) * (j == y) + epsilon / V) * log(p[j]);
    free(p);
    return loss;
}

void naive_adam(double *w, double *m, double *v, double g, const AdamOptions *options, long t)
{
    double beta1 = options->beta1, beta2 = options->beta2;
    *m = beta1 * *m + (1 - beta1) * g;
    *v = beta2 * *v + (1 - beta2) * g * g;
    double m_hat = *m / (1 - pow(beta1, (double)t)), v_hat = *v / (1 - pow(beta2, (double)t));
    *w -= options->rate * (m_hat / (sqrt(v_hat) + options->epsilon) + options->decay * *w);
}
