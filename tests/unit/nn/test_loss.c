/* test_loss.c - cross-entropy with label smoothing against plain C, differences, and PyTorch. */
#include "gradient.h"
#include "naive.h"
#include "nn/loss.h"
#include "reference.h"

#include <math.h>
#include <string.h>

enum { N = 5, V = 13 };
static const int right[N] = { 0, 12, 4, 4, 7 };

typedef struct {
    Heap   heap;
    real  *logits, *work;           /* (N, V); work is what the layer turns into p or the
                                     * gradient */
    double epsilon, scale;
} Case;

static Case case_of(double epsilon, double scale)
{
    Case c = { .epsilon = epsilon, .scale = scale };
    c.logits = heap_random(&c.heap, N * V);
    c.work = heap_zeros(&c.heap, N * V);
    for (int i = 0; i < N * V; i++)
        c.work[i] = c.logits[i] *= 4;
    return c;
}

static double twin(const Case *c, double epsilon)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += naive_cross_entropy(c->logits + i * V, right[i], V, epsilon);
    return sum;
}

static double objective(void *context)
{
    const Case *c = context;
    return c->scale * twin(c, c->epsilon);
}

static const double smoothings[] = { 0, 0.1, 1 };
enum { SMOOTHINGS = sizeof smoothings / sizeof *smoothings };
enum { OPERATIONS = V + 40 };        /* a sum over the row; exp and log, which count 16 each */

static void assert_losses(Loss loss, double smoothed, double plain)
{
    assert_near(&(real){ (real)loss.smoothed }, &smoothed, 1, OPERATIONS);
    assert_near(&(real){ (real)loss.plain }, &plain, 1, OPERATIONS);
}

static void losses_should_match_their_formula_and_add_up(void **state)
{
    (void)state;
    for (int i = 0; i < SMOOTHINGS; i++) {
        Case c = case_of(smoothings[i], 1);
        Loss loss = { .smoothed = 1, .plain = 2 };
        loss_forward(&loss, c.work, right, N, V, c.epsilon);
        assert_losses(loss, 1 + twin(&c, c.epsilon), 2 + twin(&c, 0));
        heap_free(&c.heap);
    }
}

static void logits_should_become_probabilities(void **state)
{
    (void)state;
    Case c = case_of(0.1, 1);
    Loss loss = { 0 };
    double *p = heap_widened(&c.heap, c.logits, N * V);
    for (int i = 0; i < N; i++)
        naive_softmax(p + i * V, p + i * V, V);
    loss_forward(&loss, c.work, right, N, V, c.epsilon);
    assert_near(c.work, p, N * V, OPERATIONS);
    heap_free(&c.heap);
}

static void backward_should_be_the_gradient_of_the_smoothed_loss(void **state)
{
    (void)state;
    for (int i = 0; i < SMOOTHINGS; i++) {
        Case c = case_of(smoothings[i], 0.3);
        Loss loss = { 0 };
        loss_forward_backward(&loss, NULL, c.work, right, N, V, c.epsilon, c.scale);
        assert_losses(loss, twin(&c, c.epsilon), twin(&c, 0));
        assert_gradient(c.work, c.logits, N * V, objective, &c, OPERATIONS);
        heap_free(&c.heap);
    }
}

static void certainty_should_cost_nothing_and_error_what_it_is_away(void **state)
{
    (void)state;
    real logits[] = { 2000, 0, 0, 2000, 0, 0 };
    const double gradient[] = { 0, 0, 0, 1, -1, 0 };
    Loss loss = { 0 };
    loss_forward_backward(&loss, NULL, logits, (const int[]){ 0, 1 }, 2, 3, 0, 1);
    assert_true(fabs(loss.plain - 2000) <= 2000 * 1e-6);
    assert_near(logits, gradient, 6, 1);
}

static void both_losses_and_gradients_should_match_pytorch(void **state)
{
    (void)state;
    Heap heap = { 0 };
    cJSON *reference = reference_open("loss");
    const int rows = reference_int(reference, "N"), words = reference_int(reference, "V");
    const size_t size = (size_t)(rows * words);
    const double scale = reference_number(reference, "scale");
    const double plain = reference_number(reference, "plain");
    const double epsilon = reference_number(reference, "smoothing");
    const int *y = reference_ints(&heap, reference, "y", (size_t)rows);

    Loss loss = { 0 };
    real *logits = reference_reals(&heap, reference, "logits", size);
    loss_forward_backward(&loss, NULL, logits, y, rows, words, epsilon, scale);
    assert_losses(loss, reference_number(reference, "smoothed"), plain);
    assert_near(logits, reference_doubles(&heap, reference, "dsmoothed", size), size, OPERATIONS);

    loss = (Loss){ 0 };
    logits = reference_reals(&heap, reference, "logits", size);
    loss_forward_backward(&loss, NULL, logits, y, rows, words, 0, scale);
    assert_losses(loss, plain, plain);
    assert_near(logits, reference_doubles(&heap, reference, "dplain", size), size, OPERATIONS);

    logits = reference_reals(&heap, reference, "logits", size);
    loss_forward(&loss, logits, y, rows, words, 0);
    assert_near(logits, reference_doubles(&heap, reference, "p", size), size, OPERATIONS);
    cJSON_Delete(reference);
    heap_free(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_should_match_their_formula_and_add_up),
        cmocka_unit_test(logits_should_become_probabilities),
        cmocka_unit_test(backward_should_be_the_gradient_of_the_smoothed_loss),
        cmocka_unit_test(certainty_should_cost_nothing_and_error_what_it_is_away),
        cmocka_unit_test(both_losses_and_gradients_should_match_pytorch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
