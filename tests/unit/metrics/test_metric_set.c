/* test_metric_set.c - which metrics are wanted, and the options that they get. */
#include "metrics/metric.h"

#include "metrics/chrf.h"
#include "test.h"

#include <string.h>

UNIT_TEST(options_should_be_used_by_their_metric_and_its_variants)
{
    MetricSet set;
    metric_set_init(&set);
    for (int i = 0; i < METRICS; i++) assert_false(metric_set_uses_options(&set, i));
    metric_set_add(&set, METRIC_CHRF_PLUS);
    assert_true(metric_set_has(&set, METRIC_CHRF_PLUS) && !metric_set_has(&set, METRIC_CHRF));
    assert_true(metric_set_uses_options(&set, METRIC_CHRF));
    assert_false(metric_set_uses_options(&set, METRIC_BLEU));
    metric_set_free(&set);
}

UNIT_TEST(a_variant_should_start_from_the_options_it_is_a_variant_of)
{
    Err e;
    MetricSet set;
    metric_set_init(&set);
    ((ChrfOptions *)set.options[METRIC_CHRF])->beta = 3;
    metric_set_add(&set, METRIC_CHRF_PLUS);
    assert_int_equal(metric_set_settle(&set, &(MetricUse){ 0 }, &e), 0);
    const ChrfOptions *plus = set.options[METRIC_CHRF_PLUS];
    assert_int_equal(plus->beta, 3);
    assert_int_equal(plus->word_order, 2);
    metric_set_free(&set);
}

UNIT_TEST(options_that_contradict_each_other_should_be_an_error)
{
    Err e = { "" };
    MetricSet set;
    metric_set_init(&set);
    ((ChrfOptions *)set.options[METRIC_CHRF])->word_order = 1;
    metric_set_add(&set, METRIC_CHRF_PLUS);
    assert_int_equal(metric_set_settle(&set, &(MetricUse){ 0 }, &e), -1);
    assert_non_null(strstr(e.text, "--chrf-word-order"));
    metric_set_free(&set);
}

int main(void) { return run_unit_tests(); }
