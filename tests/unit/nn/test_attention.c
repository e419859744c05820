/* test_attention.c - every score of the table through softmax and weighted sum: against its twin
 * with an explicit padded mask, differences of that twin (and, where real is double, of the layer
 * itself), and PyTorch.
 */
#include "gradient.h"
#include "naive.h"
#include "nn/attention.h"
#include "reference.h"

#include <stdio.h>
#include <math.h>
#include <string.h>

/* Rows 2 and 3 look at the same sentence, as in beam search. */
enum { ROWS = 4, SENTENCES = 3, LONGEST = 4, M = 8 };
static const int lengths[SENTENCES] = { 3, 1, 4 }, starts[SENTENCES] = { 0, 3, 4 };
static const int sentence_of[ROWS] = { 0, 1, 2, 2 };
/* A state has more than what the attention sees of it, as an LSTM's. */
enum { H = 3, LDS = H + 2, E = 2 };

/* Fewer positions than the longest sentence has, and a window that doesn't reach from end to end.
 * Scores that want the same width on both sides get it. */
static ScoreSizes sizes_for(const AttentionScore *score)
{
    Err e;
    ScoreSizes n = { .H = H, .C = 2 * H, .E = E, .A = 5, .positions = LONGEST - 1, .window = 1 };
    if (score->check && score->check(&n, &e)) n.C = H;
    return n;
}

/* alpha has a wider row than the longest sentence: nothing may be written there. */
enum { LD = LONGEST + 1 };

typedef struct {
    Heap         heap;
    const char  *name;
    Attention    attention;
    real        *parameter[SCORE_PARAMETERS], *dparameter[SCORE_PARAMETERS];
    Linear       w[SCORE_WEIGHTS], dw[SCORE_WEIGHTS];
    int          first[ROWS], length[ROWS];
    real        *memory, *prepared;                 /* (M, C) (M, K) */
    const real  *keys;                              /* (M, K) */
    real        *state, *query;                     /* (ROWS, LDS) (ROWS, Q) */
    real        *word, *dword;                      /* (ROWS, E) */
    real        *context, *alpha, *dcontext;        /* (ROWS, C) (ROWS, LD) (ROWS, C) */
    real        *dmemory, *dkeys, *dstate, *dquery;
    const AttentionNoise *change;
    double      *p, *h;                 /* (ROWS, LD) weights at the start, and those chosen */
} Case;

static size_t parameter_size(const Attention *a, int i)
{
    const ScoreParameter *p = &a->shape.parameter[i];
    return (size_t)p->rows * (size_t)p->columns;
}

/* The weights that are these parameters, or parts of them. */
static void weights_of(Linear *w, real *const *parameter, const Attention *a)
{
    for (const ScoreParameter *p = a->shape.parameter; p->name; p++) {
        real *x = *parameter++;
        if (p->query) *w++ = linear_of(x, p->columns, p->rows, p->query, PRECISION_FLOAT);
        if (p->word) *w++ = linear_of(x + p->query, p->columns, p->rows, p->word, PRECISION_FLOAT);
        const int before = p->query + p->word;
        if (before == p->columns) continue;
        *w++ = linear_of(x + before, p->columns, p->rows, p->columns - before, PRECISION_FLOAT);
    }
}

static const AttentionNoise none;

static Case case_of(int score)
{
    const AttentionScore *row = attention_scores[score];
    Case c = { .name = attention_score_names[score], .change = &none,
               .attention = attention_of(row, sizes_for(row)) };
    const size_t C = (size_t)c.attention.n.C, Q = (size_t)c.attention.shape.query;
    const size_t keys = attention_keys_size(&c.attention, M);
    for (int i = 0; c.attention.shape.parameter[i].name; i++) {
        c.parameter[i] = heap_random(&c.heap, parameter_size(&c.attention, i));
        c.dparameter[i] = heap_zeros(&c.heap, parameter_size(&c.attention, i));
    }
    weights_of(c.w, c.parameter, &c.attention);
    weights_of(c.dw, c.dparameter, &c.attention);
    for (int i = 0; i < ROWS; i++) {
        c.first[i] = starts[sentence_of[i]];
        c.length[i] = lengths[sentence_of[i]];
    }
    c.memory = heap_random(&c.heap, M * C);
    c.prepared = heap_zeros(&c.heap, keys);
    c.state = heap_random(&c.heap, ROWS * LDS);
    c.query = heap_zeros(&c.heap, ROWS * Q);
    c.word = heap_random(&c.heap, ROWS * E);
    c.dword = heap_zeros(&c.heap, ROWS * E);
    c.context = heap_zeros(&c.heap, ROWS * C);
    c.alpha = heap_zeros(&c.heap, ROWS * LD);
    c.dcontext = heap_random(&c.heap, ROWS * C);
    c.dmemory = heap_zeros(&c.heap, M * C);
    c.dkeys = keys ? heap_zeros(&c.heap, keys) : c.dmemory;
    c.dstate = heap_zeros(&c.heap, ROWS * LDS);
    c.dquery = heap_random(&c.heap, ROWS * Q);
    return c;
}

static AttentionSource source_of(const Case *c)
{
    return (AttentionSource){ c->memory, c->keys, c->first, c->length, NULL, 0 };
}

static ScoreLayer layer_of(const Case *c)
{
    return (ScoreLayer){ c->attention.n, c->w, c->dw };
}

static AttentionStep step_of(const Case *c, real *de)
{
    return (AttentionStep){ ROWS, c->context, c->alpha, LD, c->query, c->word, c->dcontext,
                            c->dquery, de, c->dword };
}

static void forward(Case *c)
{
    c->keys = attention_keys_forward(&c->attention, c->w, c->prepared, c->memory, M);
    const AttentionSource source = source_of(c);
    const ScoreLayer layer = layer_of(c);
    const AttentionStep step = step_of(c, NULL);
    attention_forward(&c->attention, &layer, &step, c->state, LDS, &source, c->change);
}

static void step_backward(Case *c)
{
    real *de = heap_random(&c->heap, LONGEST);
    const AttentionSource source = source_of(c);
    const AttentionGradient d = { c->dmemory, c->dkeys };
    const ScoreLayer layer = layer_of(c);
    const AttentionStep step = step_of(c, de);
    attention_backward(&c->attention, &layer, &step, c->dstate, LDS, &d, &source, c->change);
    attention_weights_backward(&c->attention, &layer, c->dquery, c->state, LDS, c->word, ROWS);
}

static void keys_backward(Case *c)
{
    const ScoreLayer layer = layer_of(c);
    attention_keys_backward(&c->attention, &layer, c->dmemory, c->dkeys, c->memory, M);
}

static void forward_and_backward(Case *c)
{
    forward(c);
    step_backward(c);
    keys_backward(c);
}

static size_t width(const Case *c)
{
    return (size_t)c->attention.n.C;
}

static double own_objective(void *context)
{
    Case *c = context;
    forward(c);
    return dot(c->dcontext, c->context, ROWS * width(c));
}

/* A score's products are H + C + A long, the softmax adds up a sentence, tanh and exp count 16
 * each. */
static const double operations = 50;

static void assert_gradients(Case *c, Objective objective)
{
    assert_gradient(c->dmemory, c->memory, M * width(c), objective, c, operations);
    assert_gradient(c->dstate, c->state, ROWS * LDS, objective, c, operations);
    assert_gradient(c->dword, c->word, ROWS * E, objective, c, operations);
    for (int i = 0; c->attention.shape.parameter[i].name; i++)
        assert_gradient(c->dparameter[i], c->parameter[i], parameter_size(&c->attention, i),
                        objective, c, operations);
}

typedef void (*Check)(Case *c);

static void for_every_score(Check check)
{
    for (int i = 0; attention_scores[i]; i++) {
        Case c = case_of(i);
        check(&c);
        heap_free(&c.heap);
    }
}

static void check_own_gradient(Case *c)
{
    forward_and_backward(c);
    assert_gradients(c, own_objective);
}

/* ---- changed weights ---- */

static const uint64_t names[ROWS] = { 3, 14, 15, 92 };
static const real advantages[ROWS] = { (real)0.5, (real)-0.25, (real)0.75, (real)0.125 };

static int has_weights(const Case *c)
{
    return !c->attention.score->context_forward;
}

static void check_gradient_under_dropout(Case *c)
{
    const AttentionNoise change = { .dropout = { 0.4, 0x9e3779b97f4a7c15u, 0 }, .place = 5,
                                    .token = names, .used = heap_random(&c->heap, LD) };
    c->change = &change;
    check_own_gradient(c);
}

UNIT_TEST(backward_of_every_score_should_be_its_gradient_under_dropout)
{
    if (!REAL_IS_DOUBLE) skip();
    for_every_score(check_gradient_under_dropout);
}

static void check_all_masked(Case *c)
{
    const AttentionNoise change = { .dropout = { 0.99999, 0x9e3779b97f4a7c15u, 0 }, .token = names,
                                    .shown = 1, .used = heap_random(&c->heap, LD) };
    if (!has_weights(c)) return;
    c->change = &change;
    forward_and_backward(c);
    for (size_t j = 0; j < ROWS * width(c); j++)
        assert_true(c->context[j] == 0);
    for (int r = 0; r < ROWS; r++)
        for (int s = 0; s < c->length[r]; s++)
            assert_true(c->alpha[r * LD + s] == 0);
    for (size_t j = 0; j < M * width(c); j++)
        assert_true(c->dmemory[j] == 0);
}

UNIT_TEST(a_row_whose_weights_are_all_masked_should_be_zero_and_give_no_gradient)
{
    for_every_score(check_all_masked);
}

/* The log-probability of what a row has drawn. */
static double log_probability(const Case *c, int r, int k)
{
    const real *p = c->alpha + r * LD;
    double sum = 0, result = 0;
    for (int s = 0; s < c->length[r]; s++)
        sum += (double)p[s];
    for (int s = 0; s < c->length[r]; s++)
        if (c->h[r * LD + s] > 0) result += k * c->h[r * LD + s] * log((double)p[s] / sum);
    return result;
}

/* The function whose gradient an estimator is: contexts of the weights that were chosen at the
 * start, which straight-through moves as alpha moves, and reinforce leaves. */
static double surrogate(void *context)
{
    Case *c = context;
    const AttentionNoise *change = c->change;
    const int moves = change->hard.estimator == HARD_STRAIGHT_THROUGH;
    double sum = 0;
    c->change = &none;
    forward(c);
    c->change = change;
    for (int r = 0; r < ROWS; r++) {
        const real *memory = c->memory + (size_t)c->first[r] * width(c);
        const real *dcontext = c->dcontext + r * width(c);
        for (int s = 0; s < c->length[r]; s++) {
            const int at = r * LD + s;
            const double weight = c->h[at] + (moves ? (double)c->alpha[at] - c->p[at] : 0);
            sum += weight * dot(dcontext, memory + s * width(c), width(c));
        }
        if (!moves) sum += (double)advantages[r] * log_probability(c, r, change->hard.k);
    }
    return sum;
}

static void check_hard(Case *c, HardAttention hard)
{
    AttentionNoise change = { .hard = hard, .key = 0x9e3779b97f4a7c15u, .name = names,
                              .used = heap_random(&c->heap, LD), .shown = 1,
                              .advantage = advantages };
    if (!has_weights(c)) return;
    c->change = &change;
    forward(c);
    c->h = heap_widened(&c->heap, c->alpha, ROWS * LD);
    change.shown = 0;
    forward_and_backward(c);
    c->p = heap_widened(&c->heap, c->alpha, ROWS * LD);
    assert_gradients(c, surrogate);
}

static void check_straight_through(Case *c)
{
    check_hard(c, (HardAttention){ HARD_TOP, 2, HARD_STRAIGHT_THROUGH });
}

static void check_straight_through_draws(Case *c)
{
    check_hard(c, (HardAttention){ HARD_SAMPLED, 3, HARD_STRAIGHT_THROUGH });
}

static void check_reinforce(Case *c)
{
    check_hard(c, (HardAttention){ HARD_SAMPLED, 2, HARD_REINFORCE });
}

UNIT_TEST(both_estimators_should_be_the_gradient_that_they_promise)
{
    if (!REAL_IS_DOUBLE) skip();
    for_every_score(check_straight_through);
    for_every_score(check_straight_through_draws);
    for_every_score(check_reinforce);
}

/* ---- the twins ---- */

/* One row; the padded memory is full of a number that would be seen. */
static void twin_row(double *context, double *alpha, const Case *c, int row)
{
    Heap heap = { 0 };
    real *memory = heap_zeros(&heap, LONGEST * width(c));
    for (size_t j = 0; j < LONGEST * width(c); j++)
        memory[j] = 100;
    memcpy(memory, c->memory + (size_t)c->first[row] * width(c),
           (size_t)c->length[row] * width(c) * sizeof *memory);
    real query[H + E];
    memcpy(query, c->state + row * LDS, H * sizeof *query);
    memcpy(query + H, c->word + row * E, E * sizeof *query);
    naive_attention(context, alpha, c->name, query, memory, c->w, c->length[row], LONGEST,
                    &c->attention.n);
    heap_free(&heap);
}

static double twin_objective(void *context)
{
    const Case *c = context;
    double context_row[2 * H], alpha[LONGEST], sum = 0;
    for (int r = 0; r < ROWS; r++) {
        twin_row(context_row, alpha, c, r);
        for (size_t j = 0; j < width(c); j++)
            sum += (double)c->dcontext[r * width(c) + j] * context_row[j];
    }
    return sum;
}

static void check_twin(Case *c)
{
    double context[2 * H], alpha[LONGEST];
    for (int j = 0; j < ROWS * LD; j++)
        c->alpha[j] = -7;
    forward(c);
    for (int r = 0; r < ROWS; r++) {
        for (int j = c->length[r]; j < LD; j++)
            assert_true(c->alpha[r * LD + j] == -7);
        twin_row(context, alpha, c, r);
        assert_near(c->context + r * width(c), context, width(c), operations);
        assert_near(c->alpha + r * LD, alpha, (size_t)c->length[r], operations);
    }
}

UNIT_TEST(weights_and_contexts_should_match_those_of_a_padded_mask)
{
    for_every_score(check_twin);
}

static void check_gradient_of_twin(Case *c)
{
    forward_and_backward(c);
    assert_gradients(c, twin_objective);
}

UNIT_TEST(backward_should_be_the_gradient_of_the_twin)
{
    for_every_score(check_gradient_of_twin);
}

/* ---- what is refused ---- */

/* tests/cli/systems.bats has the others. */
UNIT_TEST(dot_products_of_different_widths_should_be_refused)
{
    const ScoreSizes wide = { .H = 3, .C = 6 }, equal = { .H = 3, .C = 3 };
    Err e = { "" };
    assert_int_equal(score_dot.check(&equal, &e), 0);
    assert_int_equal(score_dot.check(&wide, &e), -1);
    assert_non_null(strstr(e.text, "--no-bidirectional"));
}

/* ---- PyTorch ---- */

static const double *torch_doubles(Case *c, const cJSON *reference, const char *prefix,
                                   const char *name, size_t count)
{
    char key[80];
    snprintf(key, sizeof key, "%s%s", prefix, name);
    return reference_doubles(&c->heap, reference, key, count);
}

static void assert_torch(Case *c, const cJSON *reference)
{
    const size_t C = width(c);
    const double *alpha = torch_doubles(c, reference, "", "alpha", ROWS * LONGEST);
    const double *dstate = torch_doubles(c, reference, "", "dstate", ROWS * H);
    for (int r = 0; r < ROWS; r++) {
        assert_near(c->alpha + r * LD, alpha + r * LONGEST, (size_t)c->length[r], operations);
        assert_near(c->dstate + r * LDS, dstate + r * H, H, operations);
    }
    assert_near(c->context, torch_doubles(c, reference, "", "context", ROWS * C), ROWS * C,
                operations);
    assert_near(c->dmemory, torch_doubles(c, reference, "", "dmemory", M * C), M * C, operations);
    if (c->attention.score->word_forward)
        assert_near(c->dword, torch_doubles(c, reference, "", "dword", ROWS * E), ROWS * E,
                    operations);
    for (int i = 0; c->attention.shape.parameter[i].name; i++) {
        const size_t count = parameter_size(&c->attention, i);
        assert_near(c->dparameter[i],
                    torch_doubles(c, reference, "d", c->attention.shape.parameter[i].name, count),
                    count, operations);
    }
}

static void check_torch(Case *c)
{
    char file[80];
    snprintf(file, sizeof file, "attention-%s", c->name);
    cJSON *reference = reference_open(file);
    assert_memory_equal(reference_ints(&c->heap, reference, "lengths", SENTENCES), lengths,
                        sizeof lengths);
    assert_memory_equal(reference_ints(&c->heap, reference, "sentence", ROWS), sentence_of,
                        sizeof sentence_of);
    assert_int_equal(reference_int(reference, "A"), c->attention.n.A);
    assert_int_equal(reference_int(reference, "positions"), c->attention.n.positions);
    assert_int_equal(reference_int(reference, "window"), c->attention.n.window);
    for (int i = 0; c->attention.shape.parameter[i].name; i++)
        c->parameter[i] = reference_reals(&c->heap, reference, c->attention.shape.parameter[i].name,
                                          parameter_size(&c->attention, i));
    weights_of(c->w, c->parameter, &c->attention);
    c->memory = reference_reals(&c->heap, reference, "memory", M * width(c));
    const real *states = reference_reals(&c->heap, reference, "state", ROWS * H);
    for (int r = 0; r < ROWS; r++)
        memcpy(c->state + r * LDS, states + r * H, H * sizeof *states);
    if (c->attention.score->word_forward)
        c->word = reference_reals(&c->heap, reference, "word", ROWS * E);
    c->dcontext = reference_reals(&c->heap, reference, "dcontext", ROWS * width(c));
    forward_and_backward(c);
    assert_torch(c, reference);
    cJSON_Delete(reference);
}

UNIT_TEST(every_score_should_match_pytorch)
{
    for_every_score(check_torch);
}

int main(void) { return run_unit_tests(); }
