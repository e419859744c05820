/* test_translator.c - lines in, translations out, in order, however they were shared out: what a
 * translation holds, scores, both directions, chance, and giving up.
 */
#include "base/mem.h"
#include "linalg/matmul.h"
#include "linalg/precision.h"
#include "numbers.h"
#include "translator_case.h"

#include <pthread.h>

enum { NETWORKS = 3 };

/* Three networks that have learned nothing; the last `right_left` write from right to left. */
static Case directed_case(Scratch *scratch, int right_left)
{
    Case c = translator_case_new(scratch);
    Model *m = &c.toy->model;
    for (int k = 1; k < NETWORKS; k++) {
        m->further[k - 1] = xaligned(m->table->size, sizeof(real));
        parameters_init(m->table, m->further[k - 1], (uint64_t)(100 + k));
    }
    m->right_left = right_left;
    return c;
}

/* ---- what a translation holds ---- */

TEST_IN_SCRATCH(text_should_be_what_the_ids_say)
{
    Case c = translator_case_new(*state);
    const SearchOptions options = beam_of(3, 3, 4);
    Buf text = { 0 };
    Translations out = translate(&c, &options, 1);
    for (int i = 0; i < LINES; i++)
        for (int k = 0; k < out.line[i].count; k++) {
            const LineHypothesis *h = &out.line[i].hypothesis[k];
            double log_probability = 0, score = 0;
            buf_clear(&text);
            for (size_t s = 0; s < out.line[i].chunks; s++) {
                const Hypothesis *f = &out.line[i].chunk[s].hypothesis[k];
                if (s) buf_putc(&text, ' ');
                tokenizer_decode(c.toy->model.target, f->ids, (size_t)f->length, NULL, NULL, &text);
                log_probability += f->log_probability;
                score += f->log_probability / f->length / (double)out.line[i].chunks;
            }
            assert_string_equal(h->text, text.text);
            assert_true(h->log_probability == log_probability && h->score == score);
            assert_true(!k || h->score <= out.line[i].hypothesis[k - 1].score);
        }
    buf_free(&text);
    translations_free(&out);
    translator_case_free(&c);
}

TEST_IN_SCRATCH(no_more_translations_should_be_given_than_the_beam_keeps)
{
    Case c = translator_case_new(*state);
    const SearchOptions options = beam_of(2, 7, 64);
    Translations out = translate(&c, &options, 1);
    assert_int_equal(out.line[1].count, 2);
    translations_free(&out);
    translator_case_free(&c);
}

/* "auto" is what the first model says, and what a user says is kept. */
TEST_IN_SCRATCH(a_model_should_say_what_suits_its_search)
{
    Case c = translator_case_new(*state);
    Model *m = &c.toy->model;
    SearchOptions asked = search_defaults();
    fields_automate(search_fields, &asked);
    SearchOptions o = translator_options(m, 1, &asked);
    assert_true(o.beam == 5 && o.repeats == 3 && o.beam_threshold == 2 && o.normalize == 1);
    m->search = (ModelSearch){ .is_known = 1, .beam = 4, .repeats = 0, .beam_threshold = 0.5 };
    m->normalize = 0.6;
    o = translator_options(m, 1, &asked);
    assert_true(o.beam == 4 && o.repeats == 0 && o.beam_threshold == 0.5 && o.normalize == 0.6);
    asked.nbest = 6;
    assert_int_equal(translator_options(m, 1, &asked).beam, 6);
    asked.beam = 2;
    asked.repeats = 7;
    o = translator_options(m, 1, &asked);
    assert_true(o.beam == 2 && o.repeats == 7 && o.beam_threshold == 0.5);
    asked.sample = 1;
    assert_int_equal(translator_options(m, 1, &asked).beam, 6);
    translator_case_free(&c);
}

/* Nor is it longer than the model says, or has a word that is forbidden. */
TEST_IN_SCRATCH(a_translation_should_be_what_the_model_allows)
{
    Case c = translator_case_new(*state);
    Model *m = &c.toy->model;
    const SearchOptions options = search_defaults();
    Translations usual = translate_one(&c, &options, c.lines[1]);
    int never = usual.line->chunk->hypothesis[0].ids[0];
    m->search = (ModelSearch){ .is_known = 1, .length_factor = 0.5, .forbidden = &never,
                               .forbidden_count = 1 };
    Translations other = translate_one(&c, &options, c.lines[1]);
    const Chunk *chunk = other.line->chunk;
    const Hypothesis *h = chunk->hypothesis;
    for (int t = 0; t < h->length; t++)
        assert_int_not_equal(h->ids[t], never);
    assert_true(h->length <= (chunk->source_length + 1) / 2);
    m->search = (ModelSearch){ 0 };
    translations_free(&usual);
    translations_free(&other);
    translator_case_free(&c);
}

TEST_IN_SCRATCH(an_end_alone_should_be_an_empty_text)
{
    Case c = translator_case_new(*state);
    const SearchOptions options = beam_of(1, 1, 64);
    weights_at(c.toy->model.table, c.toy->model.weights).output_bias[ID_EOS] = 100;
    Translations out = translate(&c, &options, 1);
    assert_int_equal(out.line[1].count, 1);
    assert_string_equal(out.line[1].hypothesis[0].text, "");
    assert_int_equal(out.line[1].chunk[0].hypothesis[0].length, 1);
    assert_string_equal(out.line[3].hypothesis[0].text, "");
    translations_free(&out);
    translator_case_free(&c);
}

/* ---- how the lines were shared out ---- */

static void assert_same_bytes(const Hypothesis *a, const Hypothesis *b, int width)
{
    assert_int_equal(a->length, b->length);
    assert_true(a->log_probability == b->log_probability && a->score == b->score);
    assert_memory_equal(a->ids, b->ids, (size_t)a->length * sizeof *a->ids);
    assert_memory_equal(a->attention, b->attention,
                        (size_t)(a->length * width) * sizeof *a->attention);
}

/* OpenBLAS's products of other sizes may round otherwise: log P is a sum of up to some 150 words,
 * each out of some ten layers and steps with sums up to 48 long. */
static void assert_same_translation(const Hypothesis *a, const Hypothesis *b, int width)
{
    (void)width;
    assert_int_equal(a->length, b->length);
    assert_memory_equal(a->ids, b->ids, (size_t)a->length * sizeof *a->ids);
    assert_near(&(real){ (real)a->log_probability }, &b->log_probability, 1, 150 * 480);
}

typedef void (*Compare)(const Hypothesis *a, const Hypothesis *b, int width);

static void compare_lines(const Translation *a, const Translation *b, Compare compare)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->chunks, b->chunks);
    for (int k = 0; k < a->count; k++) {
        assert_string_equal(a->hypothesis[k].text, b->hypothesis[k].text);
        for (size_t s = 0; s < a->chunks; s++)
            compare(&a->chunk[s].hypothesis[k], &b->chunk[s].hypothesis[k],
                    a->chunk[s].source_length);
    }
}

static void check_shared(Case *c, Precision precision, int batch, int workers, Compare compare)
{
    SearchOptions options = beam_of(3, 2, 4), others = beam_of(3, 2, batch);
    options.precision = others.precision = (int)precision;
    Translations expected = translate(c, &options, 1);
    Translations out = translate(c, &others, workers);
    for (int i = 0; i < LINES; i++)
        compare_lines(&out.line[i], &expected.line[i], compare);
    translations_free(&expected);
    translations_free(&out);
}

TEST_IN_SCRATCH(threads_and_batches_should_not_show)
{
    const Compare others = gemm_is_fastest() ? assert_same_bytes : assert_same_translation;
    for (int right_left = 0; right_left < 2; right_left++) {
        Case c = directed_case(*state, right_left);
        check_shared(&c, PRECISION_FLOAT, 4, 3, assert_same_bytes);
        check_shared(&c, PRECISION_FLOAT, 4, 8, assert_same_bytes);
        check_shared(&c, PRECISION_FLOAT, 1, 1, others);
        check_shared(&c, PRECISION_FLOAT, 64, 2, others);
        translator_case_free(&c);
    }
}

/* In 8 bits small weights stay in float. Where OpenBLAS multiplies by them, what its products round
 * otherwise can be another integer after that. */
TEST_IN_SCRATCH(rounded_products_should_not_show_batches_and_threads_either)
{
    Case c = translator_case_new(*state);
    for (Precision precision = PRECISION_BF16; precision <= PRECISION_INT8; precision++) {
        if (!precision_works(precision)) continue;
        if (precision == PRECISION_INT8 && !gemm_is_fastest()) continue;
        check_shared(&c, precision, 1, 1, assert_same_bytes);
        check_shared(&c, precision, 64, 3, assert_same_bytes);
    }
    translator_case_free(&c);
}

/* ---- scores ---- */

TEST_IN_SCRATCH(what_is_too_long_should_not_be_scored)
{
    Case c = translator_case_new(*state);
    const SearchOptions options = beam_of(1, 1, 64);
    Buf line = { 0 };
    for (int i = 0; i < SCORE_TOKENS - 7; i++)
        buf_putc(&line, 'a');
    char *longest = xstrdup(line.text + 1);      /* with the marks of its four parts, the joiners between them, and <eos> */
    const char *const lines[] = { "a", longest, "a", line.text };
    const char *const target[] = { longest, "a", line.text, "a" };
    Translator *t = translator_new(&c.toy->model, 1, &options, c.toy->training.pool);
    Translations out = translator_score(t, lines, target, 4);
    assert_int_equal(out.count, 2);
    assert_int_equal(out.line[0].chunk->hypothesis->length, SCORE_TOKENS);
    assert_int_equal(out.line[1].chunk->source_length, SCORE_TOKENS);
    translations_free(&out);
    out = translator_score(t, lines + 3, target + 3, 1);
    assert_int_equal(out.count, 0);
    translations_free(&out);
    translator_free(t);
    free(longest);
    buf_free(&line);
    translator_case_free(&c);
}

/* ---- both directions ---- */

static void assert_same_texts(const Translations *all, const Translations *others)
{
    const Translation *one = all->line, *other = others->line;
    for (int i = 0; i < LINES; i++) {
        assert_int_equal(one[i].count, other[i].count);
        for (int k = 0; k < one[i].count; k++)
            assert_string_equal(one[i].hypothesis[k].text, other[i].hypothesis[k].text);
    }
}

static int count_differences(const Translations *all, const Translations *others)
{
    const Translation *one = all->line, *other = others->line;
    int count = 0;
    for (int i = 0; i < LINES; i++)
        if (one[i].count) count += !!strcmp(one[i].hypothesis->text, other[i].hypothesis->text);
    return count;
}

TEST_IN_SCRATCH(networks_from_right_to_left_should_take_part_in_beams_alone)
{
    const SearchOptions greedy = beam_of(1, 1, 64), beam = beam_of(5, 1, 64);
    SearchOptions drawn = beam_of(5, 2, 64);
    drawn.sample = 1;
    const SearchOptions *const options[] = { &greedy, &drawn, &beam };
    Case c = directed_case(*state, 1);
    for (int i = 0; i < 3; i++) {
        Model *m = &c.toy->model;
        real *last = m->further[NETWORKS - 2];
        Translations all = translate(&c, options[i], 1);
        m->further[NETWORKS - 2] = NULL;
        m->right_left = 0;
        Translations without = translate(&c, options[i], 1);
        m->further[NETWORKS - 2] = last;
        m->right_left = 1;
        if (options[i] != &beam) assert_same_texts(&all, &without);
        else assert_true(count_differences(&all, &without) > 0);
        translations_free(&all);
        translations_free(&without);
    }
    translator_case_free(&c);
}

/* The words of the same networks that write from left to right, in the other order. */
TEST_IN_SCRATCH(networks_that_all_write_from_right_to_left_should_be_read_backwards)
{
    Case c = directed_case(*state, 0);
    SearchOptions options = beam_of(3, 1, 64);
    options.attention = 1;
    Translations left = translate(&c, &options, 1);
    c.toy->model.right_left = NETWORKS;
    Translations right = translate(&c, &options, 1);
    int words = 0;
    for (int i = 0; i < LINES; i++)
        for (size_t s = 0; s < left.line[i].chunks; s++) {
            const Hypothesis *one = left.line[i].chunk[s].hypothesis, *other = right.line[i].chunk[s].hypothesis;
            const int source = left.line[i].chunk[s].source_length;
            const int end = one->length - (one->ids[one->length - 1] == ID_EOS);
            assert_int_equal(one->length, other->length);
            for (int t = 0; t < end; t++, words++) {
                assert_int_equal(one->ids[t], other->ids[end - 1 - t]);
                assert_true(one->log_probabilities[t] == other->log_probabilities[end - 1 - t]);
                assert_memory_equal(one->attention + t * source,
                                    other->attention + (end - 1 - t) * source,
                                    (size_t)source * sizeof *one->attention);
            }
        }
    assert_true(words > 0);
    translations_free(&left);
    translations_free(&right);
    translator_case_free(&c);
}

/* ---- chance ---- */

TEST_IN_SCRATCH(what_is_drawn_should_not_depend_on_how_the_lines_came)
{
    Case c = translator_case_new(*state);
    SearchOptions options = search_defaults();
    options.sample = 1;
    options.nbest = 3;
    options.sampling.temperature = 2;
    Translations once = translate(&c, &options, 2);
    options.batch = 3;
    Translator *t = translator_new(&c.toy->model, 1, &options, c.toy->training.pool);
    Translations parts = translator_run(t, c.lines, NULL, 5);
    Translations others = translator_run(t, c.lines + 5, NULL, LINES - 5);
    options.seed++;
    Translations chance = translate(&c, &options, 2);
    assert_true(count_differences(&once, &chance) > 0);
    for (int i = 0; i < LINES; i++) {
        assert_int_equal(once.line[i].count, i % 4 ? 3 : 0);
        compare_lines(i < 5 ? &parts.line[i] : &others.line[i - 5], &once.line[i], assert_same_translation);
    }
    translator_free(t);
    translations_free(&once);
    translations_free(&parts);
    translations_free(&others);
    translations_free(&chance);
    translator_case_free(&c);
}

/* ---- giving up ---- */

/* Lines of which those with words have a translation each; returns how many have. */
static int count_translated(Translations out)
{
    int count = 0;
    assert_int_equal(out.count, LINES);
    for (int i = 0; i < LINES; i++)
        count += out.line[i].count > 0;
    translations_free(&out);
    return count;
}

/* In each part of a search, and of one in both directions. */
TEST_IN_SCRATCH(a_run_that_is_stopped_should_give_nothing_and_the_next_all)
{
    enum { WITH_WORDS = LINES - (LINES + 3) / 4, TIMES = 24 };
    for (int right_left = 0; right_left < 2; right_left++) {
        Case c = directed_case(*state, right_left);
        Pool *pool = pool_new(2);
        Stopper stopper = { 0 };
        SearchOptions options = beam_of(5, 2, 3);
        options.stop = &stopper.stop;
        Translator *t = translator_new(&c.toy->model, 1, &options, pool);
        for (int i = 0; i < TIMES; i++) {
            pthread_t thread;
            stopper.microseconds = i * (right_left ? 300 : 100);
            assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stopper), 0);
            const int translated = count_translated(translator_run(t, c.lines, NULL, LINES));
            pthread_join(thread, NULL);
            assert_true(translated == 0 || translated == WITH_WORDS);
            assert_int_equal(count_translated(translator_run(t, c.lines, NULL, LINES)), 0);
            assert_int_equal(count_translated(translator_score(t, c.lines, c.lines, LINES)), 0);
            atomic_store(&stopper.stop, 0);
            if (i % 8 == 0) assert_int_equal(count_translated(translator_run(t, c.lines, NULL, LINES)), WITH_WORDS);
        }
        translator_free(t);
        pool_free(pool);
        translator_case_free(&c);
    }
}

/* ---- ensembles ---- */

/* Of several models the one with the shortest examples decides. */
TEST_IN_SCRATCH(a_sentence_should_be_whole_as_far_as_all_models_learned_such)
{
    static const int longest[][3] = { { 0, 0, 1 }, { 100, 100, 1 }, { 100, 20, 4 }, { 20, 100, 4 } };
    Case c = translator_case_new(*state);
    const SearchOptions options = beam_of(1, 1, 64);
    Pool *pool = pool_new(1);
    const char *const line = "He is here, she is here, and he is here, she is here.";
    for (size_t i = 0; i < sizeof longest / sizeof *longest; i++) {
        Model models[2] = { c.toy->model, c.toy->model };
        models[0].longest = longest[i][0];
        models[1].longest = longest[i][1];
        Translator *t = translator_new(models, 2, &options, pool);
        Translations out = translator_run(t, &line, NULL, 1);
        assert_int_equal(out.line->chunks, longest[i][2]);
        translations_free(&out);
        translator_free(t);
    }
    pool_free(pool);
    translator_case_free(&c);
}

TEST_IN_SCRATCH(models_should_translate_together_only_if_they_name_words_alike)
{
    static const char *const names[] = { "one", "two" };
    Toy *chars = toy_new(*state, TOKENS_CHAR, 1), *again = toy_new(*state, TOKENS_CHAR, 1);
    Toy *words = toy_new(*state, TOKENS_WORD, 1), *bpe = toy_new(*state, TOKENS_BPE, 1);
    Err e;
    assert_int_equal(ensemble_check((Model[]){ chars->model, again->model }, names, 2, &e), 0);
    assert_int_equal(ensemble_check((Model[]){ bpe->model, bpe->model }, names, 2, &e), 0);
    assert_int_equal(ensemble_check((Model[]){ chars->model, words->model }, names, 2, &e), -1);
    assert_non_null(strstr(e.text, "one and two can't translate together: their source "
                                   "vocabularies differ: --tokens is char in one, word in the other; "));
    Model mixed = again->model;
    mixed.target = again->model.source;
    assert_int_equal(ensemble_check((Model[]){ chars->model, mixed }, names, 2, &e), -1);
    assert_non_null(strstr(e.text, "target vocabularies differ: they have learned from different pairs, "));
    mixed.text.min_frequency = 3;
    assert_int_equal(ensemble_check((Model[]){ chars->model, mixed }, names, 2, &e), -1);
    assert_non_null(strstr(e.text, "target vocabularies differ: --min-frequency is 1 in one, 3 in the other; "));
    toy_free(chars);
    toy_free(again);
    toy_free(words);
    toy_free(bpe);
}

int main(void) { return run_unit_tests(); }
