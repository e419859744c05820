/* test_chunks.c - how lines are cut into sentences and parts of them, each translated by itself, and
 * joined again: nothing is left out, and parts come back as one sentence.
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
    Translation out[LINES];
    translate(&c, &options, 2, out);
    for (int i = 0; i < LINES; i++) {
        assert_int_equal(out[i].chunks, i % 4);
        assert_int_equal(out[i].count, i % 4 ? 2 : 0);
        for (int k = 0; k < i % 4; k++)
            assert_source(&out[i].chunk[k], c.toy->model.source,
                          toy_sources[(3 * i + 5 * k) % TOY_PAIRS]);
    }
    translations_free(out);
    translator_case_free(&c);
}

static void without_split_a_line_should_be_cut_only_where_it_is_too_long(void **state)
{
    Case c = translator_case_new(*state);
    SearchOptions options = beam_of(1, 1, 64);
    options.split = 0;
    Translation out = translate_one(&c, &options, "He is here. She is here.");
    assert_int_equal(out.chunks, 1);
    assert_source(&out.chunk[0], c.toy->model.source, "He is here. She is here.");
    translation_free(&out);
    translator_case_free(&c);
}

static void hypotheses_of_a_line_should_join_the_last_of_a_chunk_that_has_fewer(void **state)
{
    Case c = translator_case_new(*state);
    const SearchOptions options = beam_of(4, 4, 64);
    Translation out = translate_one(&c, &options, "Thank you. Good night!");
    Chunk *first = &out.chunk[0];
    assert_int_equal(out.count, 4);
    assert_ptr_equal(chunk_hypothesis(first, 3), &first->hypothesis[3]);
    first->count = 2;
    assert_ptr_equal(chunk_hypothesis(first, 3), &first->hypothesis[1]);
    first->count = 4;
    translation_free(&out);
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
            Translation out = translate_one(&c, &options, *blank);
            assert_int_equal(out.count, 0);
            translation_free(&out);
        }
        toy_free(c.toy);
    }
}

/* ---- long lines ---- */

/* The text of a part of a sentence that was made a sentence. */
static void undo_sentence(const Chunk *chunk, Buf *text)
{
    if (chunk->small) text->text[0] = (char)(text->text[0] | 0x20);
    if (!chunk->tail) return;
    assert_int_equal(text->text[text->length - 1], '.');
    text->text[--text->length] = '\0';
    buf_puts(text, chunk->tail);
}

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
        undo_sentence(s, &text);
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
        Translation out = translate_one(c, &options, line.text);
        assert_int_equal(out.count, 1);
        assert_true(out.chunks >= line.length / CHUNK_TOKENS);
        assert_nothing_is_left_out(c, &out, line.text);
        translation_free(&out);
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

/* ---- parts of sentences ---- */

static void assert_chunk(const Case *c, const Chunk *chunk, const char *mark, const char *source,
                         int small, const char *tail)
{
    assert_source(chunk, c->toy->model.source, source);
    assert_string_equal(chunk->mark ? chunk->mark : "", mark);
    assert_int_equal(chunk->small, small);
    assert_true(!chunk->tail == !tail);
    if (tail) assert_string_equal(chunk->tail, tail);
}

/* Each token is a letter, so that all of these are long. */
static void parts_of_sentences_should_be_translated_as_sentences(void **state)
{
    Case c = translator_case_new(*state);
    const SearchOptions options = beam_of(1, 1, 64);
    Translation out = translate_one(&c, &options,
                                    "- He is here; she is calm, but the cat sleeps. — Is.");
    assert_int_equal(out.chunks, 4);
    assert_chunk(&c, &out.chunk[0], "- ", "He is here.", 0, ";");
    assert_chunk(&c, &out.chunk[1], "", "She is calm.", 1, ",");
    assert_chunk(&c, &out.chunk[2], "", "but the cat sleeps. ", 0, NULL);   /* B is unknown */
    assert_chunk(&c, &out.chunk[3], "— ", "Is.", 0, NULL);
    translation_free(&out);
    out = translate_one(&c, &options, "Tom: Good night! 1. Yes");
    assert_int_equal(out.chunks, 3);
    assert_chunk(&c, &out.chunk[0], "", "Tom.", 0, ":");
    assert_chunk(&c, &out.chunk[1], "", "Good night! ", 0, NULL);
    assert_chunk(&c, &out.chunk[2], "", "1. Yes", 0, NULL);
    translation_free(&out);
    translator_case_free(&c);
}

/* ---- joining ---- */

static Chunk chunk_of(const char *mark, Joint joint, const char *text, int small, const char *tail)
{
    Chunk chunk = { .joint = joint, .small = small, .count = 1 };
    chunk.mark = mark ? xstrdup(mark) : NULL;
    chunk.tail = tail ? xstrdup(tail) : NULL;
    chunk.text = xmalloc(1, sizeof *chunk.text);
    chunk.text[0] = xstrdup(text);
    chunk.hypothesis = xcalloc(1, sizeof *chunk.hypothesis);
    return chunk;
}

static void assert_joined(const Chunk *chunks, size_t count, const char *expected)
{
    Translation t = { .chunks = count };
    t.chunk = xmalloc(count, sizeof *t.chunk);
    memcpy(t.chunk, chunks, count * sizeof *chunks);
    translation_join(&t);
    assert_string_equal(t.hypothesis[0].text, expected);
    translation_free(&t);
}

static void parts_should_join_to_one_sentence_again(void **state)
{
    (void)state;
    const Chunk clauses[] = { chunk_of("  - ", JOINT_NONE, "Il est ici.", 0, " ;"),
                              chunk_of(NULL, JOINT_BLANK, "Mais elle dort !", 1, ","),
                              chunk_of(NULL, JOINT_BLANK, "Et il part...", 1, ""),
                              chunk_of(NULL, JOINT_BLANK, "Car il pleut.", 1, NULL),
                              chunk_of("— ", JOINT_BLANK, "Oui.", 0, NULL) };
    assert_joined(clauses, 5,
                  "  - Il est ici ; mais elle dort, et il part car il pleut. — Oui.");
    const Chunk kept[] = { chunk_of(NULL, JOINT_NONE, "Yes", 0, ","),
                           chunk_of(NULL, JOINT_BLANK, "I am.", 1, ","),
                           chunk_of(NULL, JOINT_BLANK, "USA.", 1, ","),
                           chunk_of(NULL, JOINT_BLANK, "Été.", 1, NULL) };
    assert_joined(kept, 4, "Yes, I am, USA, été.");
    const Chunk empty[] = { chunk_of(NULL, JOINT_NONE, "", 1, NULL),
                            chunk_of(NULL, JOINT_BLANK, ".", 1, NULL) };
    assert_joined(empty, 2, ".");
}

static void a_prefix_should_stand_behind_the_mark(void **state)
{
    Case c = translator_case_new(*state);
    static const SourceLine lines[] = { { .text = "- He is here.", .prefix = "Le" },
                                        { .text = "- He is here.", .prefix = "- Le" },
                                        { .text = "```he is", .prefix = "" } };
    const SearchOptions options = beam_of(1, 1, 64);
    Translation out[3];
    Pool *pool = pool_new(1);
    Translator *t = translator_new(&c.toy->model, &options, pool);
    translator_translate(t, lines, 3, out);
    assert_memory_equal(out[0].hypothesis[0].text, "- Le", 4);
    assert_string_equal(out[1].hypothesis[0].text, out[0].hypothesis[0].text);
    assert_string_equal(out[2].hypothesis[0].text, "```he is");
    for (int i = 0; i < 3; i++)
        translation_free(&out[i]);
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
        in_scratch(parts_of_sentences_should_be_translated_as_sentences),
        cmocka_unit_test(parts_should_join_to_one_sentence_again),
        in_scratch(a_prefix_should_stand_behind_the_mark),
        in_scratch(hypotheses_of_a_line_should_join_the_last_of_a_chunk_that_has_fewer),
        in_scratch(lines_that_show_nothing_should_have_no_translation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
