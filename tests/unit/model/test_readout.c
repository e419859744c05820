/* test_readout.c - the readout alone: its logits against a naive twin, and its chunks. test_network.c
 * checks its gradients. */
#include "model/readout.h"
#include "naive.h"
#include "network_case.h"

#include <math.h>

enum { ROWS = 5 };

static const int output[ROWS] = { 3, 0, 6, 2, 2 };
static const int input[ROWS] = { 1, 2, 3, 4, 5 };
static const uint64_t token[ROWS] = { 0, 1, 2, 3, 4 };

typedef struct {
    Case        *c;
    TargetBatch  target;
    DecoderState decoder;
    ReadoutState readout;
    Arena        arena;
    Pass         pass;
} Run;

static Run run_new(Case *c)
{
    const Sizes *n = &c->net.n;
    Run r = { .c = c, .target = { .packed = { .total = ROWS }, .input = input, .output = output,
                                  .token = token } };
    r.decoder.output = heap_random(&c->heap, (size_t)ROWS * n->H);
    r.decoder.context = heap_random(&c->heap, (size_t)ROWS * n->C);
    r.decoder.embedded = heap_random(&c->heap, (size_t)ROWS * n->E);
    for (int measured = 0; measured < 2; measured++) {
        readout_layout(&r.readout, &r.arena, &c->net, ROWS, 1);
        if (!measured) arena_reserve(&r.arena, r.arena.used);
    }
    return r;
}

static void forward(Run *r)
{
    r->pass = (Pass){ .architecture = &r->c->net, .weights = &r->c->w, .gradients = &r->c->dw,
                      .target = &r->target, .noise = &no_noise };
    readout_forward(&r->readout, &r->pass, &r->decoder);
}

static const NetworkOptions kinds[] = {
    { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1 },
    { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1, .layer_norm = 1 },
    { .embedding = 4, .hidden = 3, .layers = 1, .readout = READOUT_SIMPLE },
};

/* o (E) = tanh(W_o [d ; c ; E y] + b_o) of one row, normalised before the tanh if there are
 * gains. */
static void naive_hidden(double *o, const Run *r, int row)
{
    const Sizes *n = &r->c->net.n;
    const Weights *w = &r->c->w;
    const real *x[] = { r->decoder.output + row * n->H, r->decoder.context + row * n->C,
                        r->decoder.embedded + row * n->E };
    for (int j = 0; j < n->E; j++) {
        o[j] = (double)w->hidden_bias[j];
        for (int b = 0; b < HIDDEN_BLOCKS; b++)
            for (int k = 0; k < w->hidden[b].columns; k++)
                o[j] += (double)w->hidden[b].weights[j * w->hidden[b].ld + k] * (double)x[b][k];
    }
    if (w->hidden_norm.gain) naive_layer_norm(o, o, &w->hidden_norm, n->E);
    for (int j = 0; j < n->E; j++) o[j] = tanh(o[j]);
}

static void check_logits(Case *c)
{
    const Sizes *n = &c->net.n;
    Run r = run_new(c);
    double *o = heap_doubles(&c->heap, n->O), *logits = heap_doubles(&c->heap, n->Vt);
    forward(&r);
    const real *all = readout_logits(&r.readout, &r.pass, 0, ROWS);
    for (int row = 0; row < ROWS; row++) {
        if (c->net.options.readout == READOUT_DEEP) naive_hidden(o, &r, row);
        for (int k = 0; k < n->O && c->net.options.readout == READOUT_SIMPLE; k++)
            o[k] = (double)r.decoder.output[row * n->H + k];
        for (int j = 0; j < n->Vt; j++) {
            logits[j] = (double)c->w.output_bias[j];
            for (int k = 0; k < n->O; k++)
                logits[j] += (double)c->w.output.weights[j * n->O + k] * o[k];
        }
        assert_near(all + (size_t)row * n->Vt, logits, n->Vt, operations);
    }
    arena_free(&r.arena);
}

static void logits_should_be_those_of_the_equations(void **state)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        check_kind(check_logits, &kinds[i]);
}

/* Up to so many words that 5, 3 and 1 rows of logits, of floats, would fill a chunk. */
static void chunks_should_be_of_pairs_of_rows_and_have_room(void **state)
{
    static const int words[] = { 1 << 10, 800000, 1400000, 3000000 };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const Architecture net = architecture_of(&kinds[0], SOURCE_WORDS, words[i]);
        for (int rows = 1; rows <= 9; rows++) {
            ReadoutState r = { 0 };
            Arena measure = { 0 };
            readout_layout(&r, &measure, &net, rows, 1);
            assert_true(r.chunk == rows || (r.chunk > 0 && r.chunk < rows && r.chunk % 2 == 0));
            assert_true(measure.used >= (size_t)r.chunk * (size_t)words[i] * sizeof(real));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logits_should_be_those_of_the_equations),
        cmocka_unit_test(chunks_should_be_of_pairs_of_rows_and_have_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
