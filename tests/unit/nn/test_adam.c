/* test_adam.c - Adam and clipping against PyTorch. test_vector.c compares with the paper's update of
 * one value. */
#include "linalg/vector.h"
#include "nn/adam.h"
#include "reference.h"

#include <math.h>
#include <string.h>

UNIT_TEST(clipping_should_bring_long_gradients_down_to_the_limit_and_leave_others)
{
    assert_true(clip_scale(8, 2) == 0.25);
    assert_true(clip_scale(2, 2) == 1);
    assert_true(clip_scale(0.5, 2) == 1);
    assert_true(clip_scale(0, 2) == 1);
    assert_true(clip_scale(1e9, 0) == 1);
}

/* PyTorch's clip_grad_norm_ adds this to the norm that it divides by; clip_scale divides by the
 * norm itself. */
static const double torch_margin = 1e-6;

static void assert_matches_torch(const char *name)
{
    Heap heap = { 0 };
    cJSON *reference = reference_open(name);
    const size_t n = (size_t)reference_int(reference, "values");
    const size_t steps = (size_t)reference_int(reference, "steps");
    AdamOptions options = { reference_number(reference, "rate"),
                            reference_number(reference, "beta1"),
                            reference_number(reference, "beta2"),
                            reference_number(reference, "epsilon"), 0 };
    if (!strcmp(name, "adamw")) options.decay = reference_number(reference, "weight_decay");
    const double limit = reference_number(reference, "limit");
    const real *gradients = reference_reals(&heap, reference, "gradients", steps * n);
    const double *norms = reference_doubles(&heap, reference, "norms", steps);
    const double *after = reference_doubles(&heap, reference, "after", steps * n);
    real *w = reference_reals(&heap, reference, "start", n), *m = heap_zeros(&heap, n);
    real *v = heap_zeros(&heap, n);
    for (size_t t = 0; t < steps; t++) {
        const real *g = gradients + t * n;
        const double norm = sqrt(vector_square_sum(g, n));
        const double clipped = limit / (norms[t] + torch_margin);
        const double scale = clip_scale(norm, limit), torch_scale = fmin(clipped, 1);
        assert_true(fabs(norm - norms[t]) <= 1e-14 * norms[t] * (double)n);
        assert_true(fabs(scale - torch_scale) <= torch_margin);
        adam_step(w, m, v, g, torch_scale, &options, (long)t + 1, n);
        assert_near(w, after + t * n, n, 12 * (double)(t + 1));
    }
    cJSON_Delete(reference);
    heap_free(&heap);
}

UNIT_TEST(clipped_steps_should_match_pytorch)
{
    assert_matches_torch("adam");
}

UNIT_TEST(clipped_steps_with_weight_decay_should_match_pytorch)
{
    assert_matches_torch("adamw");
}

int main(void) { return run_unit_tests(); }
