/* test_translator.c - lines in, translations out, in order, however they were shared out. The network has learned
 * nothing: its answers are long and strange, and so differ wherever anything goes wrong.
 */
#include "base/mem.h"
#include "numbers.h"
#include "toy.h"
#include "translate/translator.h"

#include <math.h>

enum { LINES = 21 };

/* Sources of the toy, joined in other orders, and lines without words among them. */
static void make_lines(Buf *line, const char **lines)
{
    for (size_t i = 0; i < LINES; i++) {
        buf_clear(&line[i]);
        for (size_t k = 0; k < i % 4; k++)
            buf_printf(&line[i], "%s ", toy_sources[(3 * i + 5 * k) % TOY_PAIRS]);
        lines[i] = line[i].text;
    }
}

typedef struct {
    Toy        *toy;
    Buf         line[LINES];
    const char *lines[LINES];
} Case;

static Case case_new(Scratch *scratch)
{
    Case c = { .toy = toy_new(scratch, TOKENS_CHAR, 1) };
    make_lines(c.line, c.lines);
    return c;
}

static void case_free(Case *c)
{
    for (size_t i = 0; i < LINES; i++)
        buf_free(&c->line[i]);
    toy_free(c->toy);
}

static void translate(const Case *c, const SearchOptions *options, int workers, Translation *out)
{
    long cut = 0;
    Pool *pool = pool_new(workers);
    Translator *t = translator_new(&c->toy->model, options, pool);
    translator_run(t, c->lines, LINES, out, &cut);
    translator_free(t);
    pool_free(pool);
    assert_int_equal(cut, 0);
}

static void translations_free(Translation *out)
{
    for (int i = 0; i < LINES; i++)
        translation_free(&out[i]);
}

static SearchOptions beam_of(int beam, int nbest, int batch)
{
    SearchOptions options = search_defaults();
    options.beam = beam;
    options.nbest = nbest;
    options.batch = batch;
    return options;
}

/* ---- what a translation holds ---- */

static void each_line_should_get_the_translation_of_its_own_words(void **state)
{
    Case c = case_new(*state);
    const SearchOptions options = beam_of(3, 2, 4);
    Translation out[LINES];
    translate(&c, &options, 2, out);
    for (int i = 0; i < LINES; i++) {
        Ids ids = { 0 };
        tokenizer_encode(c.toy->model.source, c.lines[i], strlen(c.lines[i]), &ids, NULL);
        if (ids.count) ids_add(&ids, ID_END);
        assert_int_equal(out[i].source_length, ids.count);
        if (ids.count) assert_memory_equal(out[i].source_ids, ids.id, ids.count * sizeof *ids.id);
        assert_int_equal(out[i].count, ids.count ? 2 : 0);
        ids_free(&ids);
    }
    translations_free(out);
    case_free(&c);
}

static void text_should_be_what_the_ids_say(void **state)
{
    Case c = case_new(*state);
    const SearchOptions options = beam_of(3, 3, 4);
    Translation out[LINES];
    Buf text = { 0 };
    translate(&c, &options, 1, out);
    for (int i = 0; i < LINES; i++)
        for (int k = 0; k < out[i].count; k++) {
            const Hypothesis *h = &out[i].hypothesis[k];
            buf_clear(&text);
            tokenizer_decode(c.toy->model.target, h->ids, (size_t)h->length, NULL, &text);
            assert_string_equal(h->text, text.text);
            assert_true(h->score == h->log_probability / h->length);
            assert_true(!k || h->score <= out[i].hypothesis[k - 1].score);
        }
    buf_free(&text);
    translations_free(out);
    case_free(&c);
}

static void no_more_translations_should_be_given_than_the_beam_keeps(void **state)
{
    Case c = case_new(*state);
    const SearchOptions options = beam_of(2, 7, 64);
    Translation out[LINES];
    translate(&c, &options, 1, out);
    assert_int_equal(out[1].count, 2);
    translations_free(out);
    case_free(&c);
}

static void an_end_alone_should_be_an_empty_text(void **state)
{
    Case c = case_new(*state);
    const SearchOptions options = beam_of(1, 1, 64);
    Translation out[LINES];
    weights_at(c.toy->model.table, c.toy->model.weights).output_bias[ID_END] = 100;
    translate(&c, &options, 1, out);
    assert_int_equal(out[1].count, 1);
    assert_string_equal(out[1].hypothesis[0].text, "");
    assert_int_equal(out[1].hypothesis[0].length, 1);
    translations_free(out);
    case_free(&c);
}

/* ---- how the lines were shared out ---- */

static void assert_same_bytes(const Hypothesis *a, const Hypothesis *b, int width)
{
    assert_string_equal(a->text, b->text);
    assert_int_equal(a->length, b->length);
    assert_true(a->log_probability == b->log_probability && a->score == b->score);
    assert_memory_equal(a->ids, b->ids, (size_t)a->length * sizeof *a->ids);
    assert_memory_equal(a->attention, b->attention, (size_t)(a->length * width) * sizeof *a->attention);
}

/* Products of other sizes may round otherwise: log P is a sum of up to some 150 words, each out of some ten layers
 * and steps with sums up to 48 long. */
static void assert_same_translation(const Hypothesis *a, const Hypothesis *b, int width)
{
    (void)width;
    assert_string_equal(a->text, b->text);
    assert_near(&(real){ (real)a->log_probability }, &b->log_probability, 1, 150 * 480);
}

typedef void (*Compare)(const Hypothesis *a, const Hypothesis *b, int width);

static void check_shared(Case *c, int batch, int workers, Compare compare)
{
    const SearchOptions options = beam_of(3, 2, 4), others = beam_of(3, 2, batch);
    Translation expected[LINES], out[LINES];
    translate(c, &options, 1, expected);
    translate(c, &others, workers, out);
    for (int i = 0; i < LINES; i++) {
        assert_int_equal(out[i].count, expected[i].count);
        for (int k = 0; k < out[i].count; k++)
            compare(&out[i].hypothesis[k], &expected[i].hypothesis[k], out[i].source_length);
    }
    translations_free(expected);
    translations_free(out);
}

static void threads_and_batches_should_not_show(void **state)
{
    Case c = case_new(*state);
    check_shared(&c, 4, 3, assert_same_bytes);
    check_shared(&c, 4, 8, assert_same_bytes);
    check_shared(&c, 1, 1, assert_same_translation);
    check_shared(&c, 64, 2, assert_same_translation);
    case_free(&c);
}

static void a_translator_should_serve_many_runs(void **state)
{
    Case c = case_new(*state);
    const SearchOptions options = beam_of(2, 1, 3);
    Translation first[LINES], second[LINES];
    long cut = 0;
    Pool *pool = pool_new(2);
    Translator *t = translator_new(&c.toy->model, &options, pool);
    translator_run(t, c.lines, LINES, first, &cut);
    translator_run(t, c.lines, 0, second, &cut);
    translator_run(t, c.lines, LINES, second, &cut);
    for (int i = 0; i < LINES; i++)
        if (first[i].count)
            assert_same_bytes(&first[i].hypothesis[0], &second[i].hypothesis[0], first[i].source_length);
    translations_free(first);
    translations_free(second);
    translator_free(t);
    pool_free(pool);
    case_free(&c);
}

/* ---- long lines ---- */

/* Two lines of so many characters: their length in tokens, and how many are cut. */
static void check_long_line(Case *c, int characters, int length, long expected_cut)
{
    const SearchOptions options = beam_of(1, 1, 64);
    char *line = xcalloc((size_t)characters + 1, 1);
    const char *lines[] = { "I", memset(line, 'a', (size_t)characters), "I", line };
    enum { COUNT = sizeof lines / sizeof *lines };
    Translation out[COUNT];
    long cut = 0;
    Translator *t = translator_new(&c->toy->model, &options, c->toy->training.pool);
    translator_run(t, lines, COUNT, out, &cut);
    assert_int_equal(cut, expected_cut);
    assert_int_equal(out[1].source_length, length);
    assert_int_equal(out[1].source_ids[length - 1], ID_END);
    assert_string_equal(out[0].hypothesis[0].text, out[2].hypothesis[0].text);
    for (int i = 0; i < COUNT; i++)
        translation_free(&out[i]);
    translator_free(t);
    free(line);
}

static void a_line_beyond_the_limit_should_be_cut_and_counted(void **state)
{
    Case c = case_new(*state);
    weights_at(c.toy->model.table, c.toy->model.weights).output_bias[ID_END] = 100;     /* saves time */
    Ids ids = { 0 };
    tokenizer_encode(c.toy->model.source, "aaa", 3, &ids, NULL);
    const int mark = (int)ids.count - 3;
    check_long_line(&c, TRANSLATE_MAX_SOURCE - mark, TRANSLATE_MAX_SOURCE + 1, 0);
    check_long_line(&c, TRANSLATE_MAX_SOURCE - mark + 1, TRANSLATE_MAX_SOURCE + 1, 2);
    check_long_line(&c, 5 * TRANSLATE_MAX_SOURCE, TRANSLATE_MAX_SOURCE + 1, 2);
    ids_free(&ids);
    case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(each_line_should_get_the_translation_of_its_own_words),
        in_scratch(text_should_be_what_the_ids_say),
        in_scratch(no_more_translations_should_be_given_than_the_beam_keeps),
        in_scratch(an_end_alone_should_be_an_empty_text),
        in_scratch(threads_and_batches_should_not_show),
        in_scratch(a_translator_should_serve_many_runs),
        in_scratch(a_line_beyond_the_limit_should_be_cut_and_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
