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
            c[i * n + j] = 0;
            for (int l = 0; l < k; l++)
                c[i * n + j] += (double)a.x[i * a.row + l * a.column]
                                * (double)b.x[l * b.row + j * b.column];
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
        naive_layer_norm(input, input, &w->input_norm, G);
        naive_layer_norm(state, state, &w->state_norm, G);
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
static void run(Step step, double *states, const real *x, const real *start, const CellWeights *w,
                int length, int reverse, int I, int H, int Z)
{
    double *before = xcalloc((size_t)Z, sizeof *before);
    for (int j = 0; start && j < Z; j++)
        before[j] = (double)start[j];
    for (int k = 0; k < length; k++) {
        int t = reverse ? length - 1 - k : k;
        step(states + t * Z, x + t * I, before, w, I, H);
        memcpy(before, states + t * Z, (size_t)Z * sizeof *before);
    }
    free(before);
}

void naive_gru(double *h, const real *x, const real *start, const CellWeights *w, int length,
               int reverse, int I, int H)
{
    run(gru_step, h, x, start, w, length, reverse, I, H, H);
}

void naive_lstm(double *states, const real *x, const real *start, const CellWeights *w, int length,
                int reverse, int I, int H)
{
    run(lstm_step, states, x, start, w, length, reverse, I, H, 2 * H);
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
static double general_score(const real *state, const real *key, const real *w, const ScoreSizes *n)
{
    double score = 0;
    for (int j = 0; j < n->H; j++)
        score += (double)state[j] * product(w + j * n->C, key, n->C);
    return score;
}

static double score_of(const char *name, const real *state, const real *key, int position,
                       const Linear *w, const ScoreSizes *n)
{
    if (!strcmp(name, "additive") || !strcmp(name, "concat")) return hidden_score(state, key, w, n);
    if (!strcmp(name, "dot")) return product(state, key, n->H);
    if (!strcmp(name, "scaled-dot")) return product(state, key, n->H) / sqrt(n->H);
    if (!strcmp(name, "location"))
        return position < n->positions ? product(w[0].weights + position * n->H, state, n->H)
            : -INFINITY;
    return general_score(state, key, w[0].weights, n);
}

/* S sigmoid(v · tanh(W_p state)) */
static double centre_of(const real *state, const Linear *w, int length, const ScoreSizes *n)
{
    double u = 0;
    for (int a = 0; a < n->A; a++)
        u += (double)w[2].weights[a] * tanh(product(w[1].weights + a * n->H, state, n->H));
    return length * sigmoid(u);
}

static void local_weights(double *alpha, const real *state, const real *memory, const Linear *w,
                          int length, int S, const ScoreSizes *n)
{
    const double p = centre_of(state, w, length, n), deviation = n->window / 2.0;
    for (int s = 0; s < S; s++)
        alpha[s] = s < length && fabs(s - p) <= n->window
                   ? general_score(state, memory + s * n->C, w[0].weights, n)
                                                          : -INFINITY;
    naive_softmax(alpha, alpha, S);
    for (int s = 0; s < S; s++)
        alpha[s] *= exp(-(s - p) * (s - p) / (2 * deviation * deviation));
}

static void weights_of(double *alpha, const char *name, const real *state, const real *memory,
                       const Linear *w, int length, int S, const ScoreSizes *n)
{
    if (!strcmp(name, "local-p")) {
        local_weights(alpha, state, memory, w, length, S, n);
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

void naive_layer_norm(double *y, const double *x, const NormWeights *w, int n)
{
    double mean = 0, variance = 0;
    for (int j = 0; j < n; j++)
        mean += x[j] / n;
    for (int j = 0; j < n; j++)
        variance += (x[j] - mean) * (x[j] - mean) / n;
    for (int j = 0; j < n; j++)
        y[j] = (double)w->gain[j] * (x[j] - mean) / sqrt(variance + 1e-5) + (double)w->bias[j];
}

/* z (D) of position s, from the queries, keys and values (length,3D) */
static void heads_of(double *z, const double *qkv, int s, int length, MultiHead n)
{
    const int d = n.D / n.heads;
    double *p = xcalloc((size_t)length, sizeof *p);
    for (int h = 0; h < n.heads; h++) {
        const double *q = qkv + s * 3 * n.D + h * d;
        for (int t = 0; t < length; t++) {
            double sum = 0;
            for (int j = 0; j < d; j++)
                sum += q[j] * qkv[t * 3 * n.D + n.D + h * d + j];
            p[t] = n.causal && t > s ? -INFINITY : sum / sqrt(d);
        }
        naive_softmax(p, p, length);
        for (int j = h * d; j < (h + 1) * d; j++) {
            z[j] = 0;
            for (int t = 0; t < length; t++)
                z[j] += p[t] * qkv[t * 3 * n.D + 2 * n.D + j];
        }
    }
    free(p);
}

/* y (D) = norm_2(m + W_2 relu(W_1 m + b_1) + b_2) */
static void feed_forward(double *y, const double *m, const SelfAttentionWeights *w,
                         const SelfAttentionSizes *n)
{
    const int D = n->attention.D;
    double *hidden = xcalloc((size_t)n->F, sizeof *hidden), *sum = xcalloc((size_t)D, sizeof *sum);
    for (int i = 0; i < n->F; i++)
        hidden[i] = fmax(recurrent(w->linear1.weights, m, w->bias1, i, D), 0);
    for (int i = 0; i < D; i++)
        sum[i] = m[i] + recurrent(w->linear2.weights, hidden, w->bias2, i, n->F);
    naive_layer_norm(y, sum, &w->norm2, D);
    free(hidden);
    free(sum);
}

void naive_self_attention(double *y, const real *x, const SelfAttentionWeights *w, int length,
                          const SelfAttentionSizes *n)
{
    const int D = n->attention.D;
    double *qkv = xcalloc((size_t)(length * 3 * D), sizeof *qkv);
    double *z = xcalloc((size_t)D, sizeof *z), *m = xcalloc((size_t)D, sizeof *m);
    for (int s = 0; s < length; s++)
        for (int i = 0; i < 3 * D; i++)
            qkv[s * 3 * D + i] = linear(w->in.weights, x + s * D, w->in_bias, i, D);
    for (int s = 0; s < length; s++) {
        heads_of(z, qkv, s, length, n->attention);
        for (int i = 0; i < D; i++)
            m[i] = (double)x[s * D + i] + recurrent(w->out.weights, z, w->out_bias, i, D);
        naive_layer_norm(y + s * D, m, &w->norm1, D);
        if (n->F) {
            memcpy(m, y + s * D, (size_t)D * sizeof *m);
            feed_forward(y + s * D, m, w, n);
        }
    }
    free(qkv);
    free(z);
    free(m);
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
