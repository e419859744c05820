/* test_chunks.c - how lines are cut into sentences and parts of them, each translated by itself, and
 * translated: nothing is left out. Joining is in test_chunk_line.c.
 */
#include "base/mem.h"
#include "translate/chunks.h"
#include "translator_case.h"

/* ---- sentences ---- */

static void assert_source(const Chunk *chunk, const Tokenizer *tokenizer, const char *text)
{
    Ids ids = { 0 };
    tokenizer_encode(tokenizer, text, strlen(text), &ids, NULL);
    ids_add(&ids, ID_EOS);
    assert_int_equal(chunk->source_length, ids.count);
    assert_memory_equal(chunk->source_ids, ids.id, ids.count * sizeof *ids.id);
    ids_free(&ids);
}

static void each_sentence_of_a_line_should_be_translated_by_itself(void **state)
{
    Case c = translator_case_new(*state);
    const SearchOptions options = beam_of(3, 2, 4);
    Translations out = translate(&c, &options, 2);
    for (int i = 0; i < LINES; i++) {
        assert_int_equal(out.line[i].chunks, i % 4);
        assert_int_equal(out.line[i].count, i % 4 ? 2 : 0);
        for (int k = 0; k < i % 4; k++)
            assert_source(&out.line[i].chunk[k], c.toy->model.source,
                          toy_sources[(3 * i + 5 * k) % TOY_PAIRS]);
    }
    translations_free(&out);
    translator_case_free(&c);
}

static void without_split_a_line_should_be_cut_only_where_it_is_too_long(void **state)
{
    Case c = translator_case_new(*state);
    SearchOptions options = beam_of(1, 1, 64);
    options.split = 0;
    Translations out = translate_one(&c, &options, "He is here. She is here.");
    assert_int_equal(out.line->chunks, 1);
    assert_source(&out.line->chunk[0], c.toy->model.source, "He is here. She is here.");
    translations_free(&out);
    translator_case_free(&c);
}

/* Of several models the one with the shortest examples decides. */
static void a_sentence_should_be_whole_as_far_as_all_models_learned_such(void **state)
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
        Translator *t = translator_new_ensemble(models, 2, &options, pool);
        Translations out = translator_run(t, &line, 1);
        assert_int_equal(out.line->chunks, longest[i][2]);
        translations_free(&out);
        translator_free(t);
    }
    pool_free(pool);
    translator_case_free(&c);
}

static void lines_that_show_nothing_should_have_no_translation(void **state)
{
    static const char *const blanks[] = { "", " ", "\t \r", "\xC2\xA0", "\xE3\x80\x80",
                                          "\xE2\x80\x8B\xE2\x80\x8D", "\xEF\xBB\xBF",
                                          "\xE2\x80\xA8\xC2\x85", "\x1B\x07", NULL };
    const int kinds[] = { TOKENS_BPE, TOKENS_CHAR, TOKENS_WORD };
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        Case c = { .toy = toy_new(*state, kinds[kind], 1) };
        const SearchOptions options = beam_of(2, 1, 64);
        for (const char *const *blank = blanks; *blank; blank++) {
            Translations out = translate_one(&c, &options, *blank);
            assert_int_equal(out.line->count, 0);
            translations_free(&out);
        }
        toy_free(c.toy);
    }
}

/* ---- long lines ---- */

/* The source of all chunks, joined; none is longer than some 80 tokens. */
static void assert_nothing_is_left_out(const Case *c, const Translation *t, const char *line)
{
    Buf text = { 0 }, all = { 0 };
    for (size_t i = 0; i < t->chunks; i++) {
        const Chunk *s = &t->chunk[i];
        assert_in_range(s->source_length, 2, CHUNK_TOKENS + 5);
        assert_int_equal(s->source_ids[s->source_length - 1], ID_EOS);
        buf_clear(&text);
        tokenizer_decode(c->toy->model.source, s->source_ids, (size_t)s->source_length, NULL,
                         &text);
        joint_add(&all, s->joint, text.text);
    }
    assert_string_equal(all.text, line);
    buf_free(&text);
    buf_free(&all);
}

static void check_long_line(const Case *c, const char *unit, int times)
{
    SearchOptions options = beam_of(1, 1, 64);
    Buf line = { 0 };
    for (int i = 0; i < times; i++)
        buf_puts(&line, unit);
    if (line.text[line.length - 1] == ' ') line.text[--line.length] = '\0';
    for (options.split = 0; options.split <= 1; options.split++) {
        Translations out = translate_one(c, &options, line.text);
        assert_int_equal(out.line->count, 1);
        assert_true(out.line->chunks >= line.length / CHUNK_TOKENS);
        assert_nothing_is_left_out(c, out.line, line.text);
        translations_free(&out);
    }
    buf_free(&line);
}

static void no_part_of_a_long_line_should_be_left_out(void **state)
{
    Case c = translator_case_new(*state);
    /* saves time */
    weights_at(c.toy->model.table, c.toy->model.weights).output_bias[ID_EOS] = 100;
    check_long_line(&c, "a", 5000);
    check_long_line(&c, "ma ", 2000);
    check_long_line(&c, "He is here. ", 500);
    check_long_line(&c, "the cat is here ", 500);
    translator_case_free(&c);
}

static void a_prefix_should_stand_behind_the_mark(void **state)
{
    Case c = translator_case_new(*state);
    static const SourceLine lines[] = { { .text = "- He is here.", .prefix = "Le" },
                                        { .text = "- He is here.", .prefix = "- Le" } };
    const SearchOptions options = beam_of(1, 1, 64);
    Pool *pool = pool_new(1);
    Translator *t = translator_new(&c.toy->model, &options, pool);
    Translations out = translator_translate(t, lines, 2);
    assert_memory_equal(out.line[0].hypothesis[0].text, "- Le", 4);
    assert_string_equal(out.line[1].hypothesis[0].text, out.line[0].hypothesis[0].text);
    translations_free(&out);
    translator_free(t);
    pool_free(pool);
    translator_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(each_sentence_of_a_line_should_be_translated_by_itself),
        in_scratch(no_part_of_a_long_line_should_be_left_out),
        in_scratch(without_split_a_line_should_be_cut_only_where_it_is_too_long),
        in_scratch(a_prefix_should_stand_behind_the_mark),
        in_scratch(a_sentence_should_be_whole_as_far_as_all_models_learned_such),
        in_scratch(lines_that_show_nothing_should_have_no_translation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
