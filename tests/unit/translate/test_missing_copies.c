/* test_missing_copies.c - translations by a network that writes none, or all, of the numbers of its source: each
 * number is in the text, once and apart, however many there are.
 */
#include "text/copies.h"
#include "translate/chunks.h"
#include "translate/alignment.h"
#include "translator_case.h"

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

static void each_copy_should_be_in_the_translation_once_and_apart(void **state)
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

static void what_is_missing_should_stand_behind_the_sentence(void **state)
{
    Case c = translator_case_of_copies(*state, -100);
    const SearchOptions options = beam_of(3, 3, 64);
    Translations out = translate_one(&c, &options, "The cat 7 is 8. I am calm.");
    const Chunk *chunk = out.line->chunk;
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
    region_free(&region);
    translations_free(&out);
    translator_case_free(&c);
}

static int words_of(const char *text)
{
    int words = *text != '\0';
    for (; *text; text++)
        words += *text == ' ';
    return words;
}

/* Its number counts the copies behind the sentence before it. */
static void the_last_word_should_have_its_place_in_the_line(void **state)
{
    Case c = translator_case_of_copies(*state, -100);
    const SearchOptions options = beam_of(3, 1, 64);
    Translations out = translate_one(&c, &options, "The cat 7 is 8. I am calm.");
    Region region = { 0 };
    const Alignment *list = line_alignments(out.line, 0, &c.toy->model, &region);
    const Alignment *last = &list[1];
    assert_true(*out.line->chunk[1].text[0]);
    assert_int_equal(last->target[last->target_count - 1].word, -1);
    assert_int_equal(last->target[last->target_count - 2].word, words_of(out.line->hypothesis[0].text) - 1);
    region_free(&region);
    translations_free(&out);
    translator_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(each_copy_should_be_in_the_translation_once_and_apart),
        in_scratch(what_is_missing_should_stand_behind_the_sentence),
        in_scratch(the_last_word_should_have_its_place_in_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
