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
                c[i * n + j] += (double)a.x[i * a.row + l * a.column] * (double)b.x[l * b.row + j * b.column];
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

static double recurrent(const real *u, const double *h, const real *bias, int i, int n)
{
    double sum = (double)bias[i];
    for (int j = 0; j < n; j++)
        sum += (double)u[i * n + j] * h[j];
    return sum;
}

/* Both parts of a cell's gates (G), normalised where there are gains. */
static void gate_parts(double *input, double *state, const real *x, const double *before, const CellWeights *w, int G,
                       int I, int H)
{
    for (int i = 0; i < G; i++) {
        input[i] = linear(w->W, x, w->b, i, I);
        state[i] = recurrent(w->U, before, w->c, i, H);
    }
    if (w->state_norm.gain) {
        naive_layer_norm(input, input, &w->input_norm, G);
        naive_layer_norm(state, state, &w->state_norm, G);
    }
}

static void gru_step(double *h, const real *x, const double *before, const CellWeights *w, int I, int H)
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

void naive_gru(double *h, const real *x, const real *start, const CellWeights *w, int length, int reverse, int I,
               int H)
{
    double *before = xcalloc((size_t)H, sizeof *before);
    for (int j = 0; start && j < H; j++)
        before[j] = (double)start[j];
    for (int step = 0; step < length; step++) {
        int t = reverse ? length - 1 - step : step;
        gru_step(h + t * H, x + t * I, before, w, I, H);
        memcpy(before, h + t * H, (size_t)H * sizeof *before);
    }
    free(before);
}

/* v · tanh(W_q state + W_k key) */
static double additive_score(const real *state, const real *key, real *const *w, const ScoreSizes *n)
{
    const real *w_q = w[0], *w_k = w[1], *v = w[2];
    double score = 0;
    for (int a = 0; a < n->A; a++) {
        double sum = 0;
        for (int j = 0; j < n->H; j++)
            sum += (double)w_q[a * n->H + j] * (double)state[j];
        for (int j = 0; j < n->C; j++)
            sum += (double)w_k[a * n->C + j] * (double)key[j];
        score += (double)v[a] * tanh(sum);
    }
    return score;
}

void naive_attention(double *context, double *alpha, const real *state, const real *memory, real *const *w,
                     int length, int S, const ScoreSizes *n)
{
    for (int s = 0; s < S; s++)
        alpha[s] = s < length ? additive_score(state, memory + s * n->C, w, n) : -INFINITY;
    naive_softmax(alpha, alpha, S);
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
    *w -= options->rate * m_hat / (sqrt(v_hat) + options->epsilon) + options->rate * options->decay * *w;
}
