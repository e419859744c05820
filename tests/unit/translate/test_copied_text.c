/* test_copied_text.c - what a translation has of its source as it is: numbers, which placeholders stand for, each once and
 * apart, however many there are; and what a vocabulary does not know, which models of subwords and letters copy once,
 * and models of words write as <unk>, or as what that stands for.
 */
#include "base/mem.h"
#include "text/copies.h"
#include "text/unicode.h"
#include "translate/alignment.h"
#include "translate/chunks.h"
#include "translator_case.h"

/* ---- numbers, by a network that writes none of them, or all ---- */

/* How many numbers a text has that are this one; -1: how many there are. The network may go on with letters
 * behind them, as behind the 1990s. */
static int numbers_in(const char *text, int number)
{
    static const char digits[] = "0123456789";
    int count = 0;
    for (const char *at = text; *(at += strcspn(at, digits)); at += strspn(at, digits))
        count += number < 0 || atoi(at) == number;
    return count;
}

/* A list of numbers from 11 on. */
static void assert_all_there(const Case *c, int beam, int numbers)
{
    const SearchOptions options = beam_of(beam, 1, 64);
    Buf line = { 0 };
    buf_puts(&line, "The cat is ");
    for (int i = 0; i < numbers; i++)
        buf_printf(&line, "%d%s", 11 + i, i + 2 < numbers ? ", " : i + 1 < numbers ? " and " : ".");
    Translations out = translate_one(c, &options, line.text);
    for (int i = 0; i < numbers; i++)
        assert_int_equal(numbers_in(out.line->hypothesis[0].text, 11 + i), 1);
    assert_int_equal(numbers_in(out.line->hypothesis[0].text, -1), numbers);
    for (size_t i = 0; i < out.line->chunks; i++)
        assert_true(out.line->chunk[i].is_all_copied || out.line->chunk[i].copies.text.count <= CHUNK_COPIES);
    translations_free(&out);
    buf_free(&line);
}

TEST_IN_SCRATCH(each_copy_should_be_in_the_translation_once_and_apart)
{
    static const int numbers[] = { 1, 2, 4, 8, 9, 17, 64 };
    for (real bias = -100; bias <= 100; bias += 200) {
        Case c = translator_case_of_copies(*state, bias);
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            for (int beam = 1; beam <= 5; beam += 4)
                assert_all_there(&c, beam, numbers[i]);
        translator_case_free(&c);
    }
}

/* And the words behind it are counted from there. */
TEST_IN_SCRATCH(what_is_missing_should_stand_behind_the_sentence)
{
    Case c = translator_case_of_copies(*state, -100);
    const SearchOptions options = beam_of(3, 3, 64);
    Translations out = translate_one(&c, &options, "The cat 7 is 8. I am calm.");
    const Chunk *chunk = out.line->chunk;
    const char *line = out.line->hypothesis[0].text;
    Region region = { 0 };
    assert_int_equal(out.line->chunks, 2);
    for (int k = 0; k < chunk->count; k++) {
        const Hypothesis *h = &chunk->hypothesis[k];
        const char *words = chunk_text_before(chunk, h, h->length, &c.toy->model, &region);
        const size_t length = strlen(words);
        assert_true(chunk_lacks_copy(chunk, h, 0) && chunk_lacks_copy(chunk, h, 1));
        assert_memory_equal(chunk->text[k], words, length);
        assert_string_equal(chunk->text[k] + length, length ? " 7 8" : "7 8");
    }
    const Alignment *last = line_alignments(out.line, 0, &c.toy->model, &region) + 1;
    assert_true(*out.line->chunk[1].text[0]);
    assert_int_equal(last->target[last->target_count - 1].word, -1);
    assert_int_equal(last->target[last->target_count - 2].word, unicode_words(line, strlen(line)) - 1);
    region_free(&region);
    translations_free(&out);
    translator_case_free(&c);
}

/* ---- what is unknown, by a network that writes <unk> wherever it may ---- */

static int occurrences(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

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
        const Chunk *chunk = out.line->chunk;
        const char *const first = chunk->text[0], *const whole = out.line->hypothesis[0].text;
        assert_int_equal(out.line->chunks, 3);
        assert_true(occurrences(first, "Жж") == 1 && occurrences(first, "\xE2\x98\x83") == 1);
        assert_true(occurrences(whole, "Жж") == 1 && occurrences(whole, "Ψ") == 1);
        assert_int_equal(occurrences(whole, "<unk>"), 0);
        for (size_t s = 0; s < out.line->chunks; s++)
            for (int i = 0; i < chunk[s].unknowns; i++)
                assert_non_null(strstr(chunk[s].text[0], chunk[s].unknown[i]));
        assert_int_equal(chunk[1].unknowns, 0);
        assert_true(!chunk->hypothesis[0].attention == !options.attention);
        translations_free(&out);
    }
    translator_case_free(&c);
}

TEST_IN_SCRATCH(what_is_unknown_should_be_copied_once_and_never_be_written_otherwise)
{
    check_copies(*state, TOKENS_BPE);
    check_copies(*state, TOKENS_CHAR);
}

TEST_IN_SCRATCH(what_is_not_copied_should_be_reported)
{
    Case c = case_of_unknowns(*state, TOKENS_CHAR);
    const SearchOptions options = beam_of(1, 1, 64);
    weights_at(c.toy->model.table, c.toy->model.weights).output_bias[ID_EOS] = 200;
    Translations out = translate_one(&c, &options, "I am Жж.");
    const Chunk *chunk = out.line->chunk;
    assert_int_equal(chunk->unknowns, 1);
    assert_string_equal(chunk->unknown[0], "Жж");
    assert_null(strstr(chunk->text[0], chunk->unknown[0]));
    translations_free(&out);
    translator_case_free(&c);
}

TEST_IN_SCRATCH(a_line_should_stay_one_whatever_is_copied)
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

/* The k-th <unk> of a hypothesis and its replacement are what a heatmap shows; decoded with them,
 * the ids are the text. Line 0 has no unknown word, but what is written may still be one. */
TEST_IN_SCRATCH(models_of_words_should_keep_unk_but_where_words_of_the_source_are_wanted)
{
    static const char *const lines[] = { "I am calm", "I am Жж" };
    Case c = case_of_unknowns(*state, TOKENS_WORD);
    for (int i = 0; i < 8; i++) {
        const char *line = lines[i & 1];
        SearchOptions options = beam_of(2, 2, 64);
        options.replace_unknown = i >> 1 & 1;
        options.attention = !options.replace_unknown || i >> 2;
        Translations out = translate_one(&c, &options, line);
        const Chunk *chunk = out.line->chunk;
        const Hypothesis *h = chunk->hypothesis;
        Buf text = { 0 };
        Region region = { 0 };
        if (options.attention) {
            const char **list = chunk_replacements(chunk, h, c.toy->model.source, &region);
            assert_true(!list == !options.replace_unknown);
            tokenizer_decode(c.toy->model.target, h->ids, (size_t)h->length, list, NULL, &text);
            assert_string_equal(text.text, chunk->text[0]);
        }
        const int written = h->length - hypothesis_is_finished(h);
        char *words = xstrdup(out.line->hypothesis[0].text);
        int count = 0;
        for (char *at = strtok(words, " "); at; at = strtok(NULL, " "), count++)
            if (options.replace_unknown) assert_non_null(strstr(line, at));
            else assert_string_equal(at, "<unk>");
        assert_int_equal(count, written);
        assert_true(!h->attention == !options.attention);
        free(words);
        region_free(&region);
        buf_free(&text);
        translations_free(&out);
    }
    translator_case_free(&c);
}

int main(void) { return run_unit_tests(); }
