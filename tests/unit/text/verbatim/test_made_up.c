/* test_made_up.c - what is made up has its form, is valid, and differs from key to key. */
#include "text/verbatim/made_up.h"

#include "base/random/rng.h"
#include "text/string_table.h"
#include "text/unicode.h"
#include "text/verbatim/address.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { DRAWS = 5000 };

static void make_up(MadeUp kind, uint64_t step, Buf *out)
{
    buf_clear(out);
    made_up_add(kind, rng_key(1, step, RNG_NOISE), out);
}

static void make_up_number(uint64_t step, const char *group, const char *point, Buf *out)
{
    const MadeUpNumber number = made_up_number(rng_key(1, step, RNG_NOISE));
    buf_clear(out);
    made_up_number_add(&number, group, point, out);
}

static int ends_sentence(char last)
{
    return strchr(" .!?", last) != NULL;
}

static void what_is_made_up_should_be_seeded_and_valid(void **state)
{
    (void)state;
    Buf once = { 0 }, again = { 0 };
    for (MadeUp kind = 0; kind < MADE_UPS; kind++)
        for (uint64_t step = 0; step < DRAWS; step++) {
            make_up(kind, step, &once);
            make_up(kind, step, &again);
            assert_string_equal(once.text, again.text);
            assert_true(once.length && unicode_valid(once.text, once.length));
            assert_false(*once.text == ' ' || ends_sentence(once.text[once.length - 1]));
            assert_true(kind == MADE_UP_NAME || !strchr(once.text, ' '));
        }
    buf_free(&once);
    buf_free(&again);
}

static size_t count_different(MadeUp kind)
{
    StringTable seen = { 0 };
    Buf text = { 0 };
    for (uint64_t step = 0; step < DRAWS; step++) {
        make_up(kind, step, &text);
        string_table_add(&seen, text.text, text.length);
    }
    const size_t count = seen.count;
    buf_free(&text);
    string_table_free(&seen);
    return count;
}

/* Two syllables alone are 26 · 8 · 4 times 26 · 8 · 9 words: of 5,000 names few are equal. */
static void names_should_hardly_ever_be_equal(void **state)
{
    (void)state;
    assert_true(count_different(MADE_UP_NAME) > DRAWS * 99 / 100);
    assert_true(count_different(MADE_UP_ADDRESS) > DRAWS * 99 / 100);
    assert_true(count_different(MADE_UP_EMOJI) == 10);
}

static int has_capital(const char *text)
{
    const int32_t first = unicode_next(&text);
    return unicode_lower(first) != first;
}

static void names_should_have_their_forms(void **state)
{
    (void)state;
    Buf name = { 0 };
    int scottish = 0, irish = 0, hyphen = 0, words = 0, foreign = 0;
    for (uint64_t step = 0; step < DRAWS; step++) {
        make_up(MADE_UP_NAME, step, &name);
        const char *second = strpbrk(name.text, " -");
        assert_true(has_capital(name.text));
        assert_true(!second || has_capital(second + 1));
        scottish += !strncmp(name.text, "Mc", 2);
        irish += !strncmp(name.text, "O'", 2);
        hyphen += second && *second == '-';
        words += second && *second == ' ';
        foreign += !unicode_is_ascii(name.text, name.length);
    }
    /* Five standard deviations of a share p of 5,000 draws: 5 · sqrt(5000 p (1 - p)). */
    assert_in_range(scottish, 500 - 107, 500 + 107);
    assert_in_range(irish, 500 - 107, 500 + 107);
    assert_in_range(hyphen, 500 - 107, 500 + 107);
    assert_in_range(words, 500 - 107, 500 + 107);
    assert_in_range(foreign, 750 - 127, 750 + 127);
    buf_free(&name);
}

static void addresses_should_be_recognised_whole(void **state)
{
    (void)state;
    Buf text = { 0 };
    for (uint64_t step = 0; step < DRAWS; step++) {
        make_up(step % 2 ? MADE_UP_ADDRESS : MADE_UP_MAIL, step, &text);
        const char *end = text.text + text.length;
        assert_ptr_equal(address_end(text.text, end), end);
    }
    buf_free(&text);
}

static void numbers_should_have_one_to_five_digits_and_no_leading_zero(void **state)
{
    (void)state;
    Buf text = { 0 }, plain = { 0 };
    int grouped = 0, fractions = 0, of_length[6] = { 0 };
    for (uint64_t step = 0; step < DRAWS; step++) {
        make_up_number(step, "", ".", &plain);
        make_up_number(step, ",", ".", &text);
        const size_t digits = strspn(plain.text, "0123456789");
        assert_in_range(digits, 1, 5);
        assert_in_range(atoi(plain.text), 2, 99999);
        assert_true(*plain.text != '0' && strlen(plain.text + digits) <= 3);
        of_length[digits]++;
        grouped += strchr(text.text, ',') != NULL;
        fractions += strchr(text.text, '.') != NULL;
    }
    for (int digits = 1; digits <= 5; digits++)
        assert_in_range(of_length[digits], 1000 - 142, 1000 + 142);
    assert_in_range(grouped, 800 - 130, 800 + 130);
    assert_in_range(fractions, 500 - 107, 500 + 107);
    buf_free(&text);
    buf_free(&plain);
}

static void separators_should_be_those_asked_for(void **state)
{
    (void)state;
    const MadeUpNumber number = { .whole = 12034, .fraction = 5, .fraction_digits = 2,
                                  .grouped = 1 };
    Buf text = { 0 };
    made_up_number_add(&number, ",", ".", &text);
    buf_puts(&text, " = ");
    made_up_number_add(&number, "\u202F", ",", &text);
    assert_string_equal(text.text, "12,034.05 = 12\u202F034,05");
    buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_made_up_should_be_seeded_and_valid),
        cmocka_unit_test(names_should_hardly_ever_be_equal),
        cmocka_unit_test(names_should_have_their_forms),
        cmocka_unit_test(addresses_should_be_recognised_whole),
        cmocka_unit_test(numbers_should_have_one_to_five_digits_and_no_leading_zero),
        cmocka_unit_test(separators_should_be_those_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
