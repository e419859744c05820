/* test_unknown_words.c - what a vocabulary does not know: models of subwords and letters copy it,
 * once, and those of words write <unk> or what that stands for.
 */
#include "base/mem.h"
#include "text/unicode.h"
#include "translator_case.h"

/* ---- copies ---- */

static int occurrences(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

/* A toy that writes <unk> wherever it may. */
static Case case_of_unknowns(Scratch *scratch, int tokens)
{
    Case c = { .toy = toy_new(scratch, tokens, 1) };
    weights_at(c.toy->model.table, c.toy->model.weights).output_bias[ID_UNK] = 100;
    return c;
}

static void check_copies(Scratch *scratch, int tokens)
{
    Case c = case_of_unknowns(scratch, tokens);
    SearchOptions options = beam_of(3, 2, 64);
    for (options.attention = 0; options.attention <= 1; options.attention++) {
        Translations out = translate_one(&c, &options,
                                        "I am Жж, she is \xE2\x98\x83. The cat. Good Ψ!");
        const char *const first = out.line->chunk[0].text[0], *const whole = out.line->hypothesis[0].text;
        assert_int_equal(out.line->chunks, 3);
        assert_true(occurrences(first, "Жж") == 1 && occurrences(first, "\xE2\x98\x83") == 1);
        assert_true(occurrences(whole, "Жж") == 1 && occurrences(whole, "Ψ") == 1);
        assert_int_equal(occurrences(whole, "<unk>"), 0);
        for (size_t s = 0; s < out.line->chunks; s++)
            for (int i = 0; i < out.line->chunk[s].unknowns; i++)
                assert_non_null(strstr(out.line->chunk[s].text[0], out.line->chunk[s].unknown[i]));
        assert_int_equal(out.line->chunk[1].unknowns, 0);
        assert_true(!out.line->chunk[0].hypothesis[0].attention == !options.attention);
        translations_free(&out);
    }
    translator_case_free(&c);
}

static void what_is_unknown_should_be_copied_once_and_never_be_written_otherwise(void **state)
{
    check_copies(*state, TOKENS_BPE);
    check_copies(*state, TOKENS_CHAR);
}

static void what_is_not_copied_should_be_reported(void **state)
{
    Case c = case_of_unknowns(*state, TOKENS_CHAR);
    const SearchOptions options = beam_of(1, 1, 64);
    weights_at(c.toy->model.table, c.toy->model.weights).output_bias[ID_EOS] = 200;
    Translations out = translate_one(&c, &options, "I am Жж.");
    assert_int_equal(out.line->chunk[0].unknowns, 1);
    assert_string_equal(out.line->chunk[0].unknown[0], "Жж");
    assert_null(strstr(out.line->chunk[0].text[0], out.line->chunk[0].unknown[0]));
    translations_free(&out);
    translator_case_free(&c);
}

static void models_of_words_should_keep_unk(void **state)
{
    Case c = case_of_unknowns(*state, TOKENS_WORD);
    const SearchOptions options = beam_of(1, 1, 64);
    Translations out = translate_one(&c, &options, "I am calm.");
    assert_int_equal(out.line->chunk[0].unknowns, 0);
    assert_int_equal(occurrences(out.line->hypothesis[0].text, "<unk>"),
                     out.line->chunk[0].hypothesis[0].length);
    translations_free(&out);
    translator_case_free(&c);
}

static void a_line_should_stay_one_whatever_is_copied(void **state)
{
    Case c = case_of_unknowns(*state, TOKENS_CHAR);
    const SearchOptions options = beam_of(1, 1, 64);
    Translations out = translate_one(&c, &options, "I am \xE2\x98\x83\xE2\x80\xA8\xE2\x98\x83\r"
                                                  "\xE2\x98\x83\xC2\x85.");
    for (const char *at = out.line->hypothesis[0].text; *at;) {
        int32_t point = unicode_next(&at);
        assert_false(point == 0x2028 || unicode_is_control(point));
    }
    translations_free(&out);
    translator_case_free(&c);
}

/* ---- replaced unknown words ---- */

static void unknown_words_should_be_replaced_where_that_is_wanted(void **state)
{
    Case c = case_of_unknowns(*state, TOKENS_WORD);
    SearchOptions options = beam_of(2, 2, 64);
    options.replace_unknown = 1;
    for (options.attention = 0; options.attention <= 1; options.attention++) {
        Translations out = translate_one(&c, &options, "I am Жж");
        const Hypothesis *h = out.line->chunk[0].hypothesis;
        char *text = xstrdup(out.line->hypothesis[0].text);
        int words = 0;
        for (char *at = strtok(text, " "); at; at = strtok(NULL, " "), words++)
            assert_true(!strcmp(at, "I") || !strcmp(at, "am") || !strcmp(at, "Жж"));
        assert_int_equal(words, h->length - (h->ids[h->length - 1] == ID_EOS));
        assert_true(!h->attention == !options.attention);
        free(text);
        translations_free(&out);
    }
    translator_case_free(&c);
}

/* The k-th <unk> of a hypothesis and its replacement are what a heatmap shows; decoded with them,
 * the ids are the text. Line 0 has no unknown word, but what is written may still be one. */
static void replacements_should_be_those_of_the_text(void **state)
{
    static const char *const lines[] = { "I am calm", "I am Жж" };
    for (int replace = 0; replace <= 1; replace++)
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            Case c = case_of_unknowns(*state, TOKENS_WORD);
            SearchOptions options = beam_of(2, 1, 64);
            options.replace_unknown = replace;
            Translations out = translate_one(&c, &options, lines[i]);
            const Chunk *chunk = out.line->chunk;
            const Hypothesis *h = chunk_hypothesis(chunk, 0);
            Region region = { 0 };
            const char **list = chunk_replacements(chunk, h, c.toy->model.source, &region);
            Buf text = { 0 };
            assert_true(!list == !replace);
            tokenizer_decode(c.toy->model.target, h->ids, (size_t)h->length, list, &text);
            assert_string_equal(text.text, chunk->text[0]);
            region_free(&region);
            buf_free(&text);
            translations_free(&out);
            translator_case_free(&c);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(what_is_unknown_should_be_copied_once_and_never_be_written_otherwise),
        in_scratch(what_is_not_copied_should_be_reported),
        in_scratch(models_of_words_should_keep_unk),
        in_scratch(a_line_should_stay_one_whatever_is_copied),
        in_scratch(unknown_words_should_be_replaced_where_that_is_wanted),
        in_scratch(replacements_should_be_those_of_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
