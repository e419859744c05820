/* test_noise.c - what each kind of noise does to known text, and laws on generated text. */
#include "text/noise.h"

#include "base/mem.h"
#include "base/random/rng.h"
#include "random_text.h"
#include "test.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

enum { DRAWS = 200, GENERATED_LINES = 3000 };

/* Replaces `out` by the altered text; returns whether it was altered. */
static int alter(TextNoise kind, const char *text, uint64_t key, Buf *out)
{
    buf_clear(out);
    return noise_add(kind, text, strlen(text), key, out);
}

static void assert_altered(TextNoise kind, const char *text, const char *expected)
{
    SCOPED(buf_free) Buf found = { 0 };
    assert_int_equal(alter(kind, text, 1, &found), strcmp(text, expected) != 0);
    assert_string_equal(found.text, expected);
}

static void assert_untouched(TextNoise kind, const char *text)
{
    assert_altered(kind, text, text);
}

/* ---- Rules without a choice ---- */

UNIT_TEST(accents_should_go_from_latin_letters_only)
{
    assert_altered(NOISE_ACCENTS, "Où êtes-vous, Œdipe ?", "Ou etes-vous, OEdipe ?");
    assert_altered(NOISE_ACCENTS, "Łódź, Ørsted, straße", "Lodz, Orsted, strasse");
    assert_altered(NOISE_ACCENTS, "e\u0301te\u0301 \u1ED9", "ete o");
    assert_untouched(NOISE_ACCENTS, "Йод, \u0438\u0306, 한국, क\u093F, plain");
}

/* ---- Typing errors ---- */

/* Checks that each of `expected` (NULL-terminated), and nothing else, is drawn. */
static void assert_draws(TextNoise kind, const char *text, const char *const *expected)
{
    SCOPED(buf_free) Buf found = { 0 };
    unsigned seen = 0, all = 0;
    for (uint64_t step = 0; step < DRAWS; step++) {
        assert_true(alter(kind, text, rng_key(1, step, RNG_NOISE), &found));
        int i = 0;
        while (expected[i] && strcmp(expected[i], found.text)) i++;
        if (!expected[i]) fail_msg("'%s' became '%s'", text, found.text);
        seen |= 1u << i;
    }
    for (int i = 0; expected[i]; i++) all |= 1u << i;
    assert_int_equal(seen, all);
}

UNIT_TEST(each_place_for_a_typing_error_should_be_drawn)
{
    assert_draws(NOISE_SWAP, "A store, 12", (const char *[]){
        "A sotre, 12", "A stroe, 12", "A stoer, 12", NULL });
    assert_draws(NOISE_DROP, "A cat, 12", (const char *[]){ "A ct, 12", "A ca, 12", NULL });
    assert_draws(NOISE_DOUBLE, "A cat, 12", (const char *[]){ "A caat, 12", "A catt, 12", NULL });
    assert_draws(NOISE_NEIGHBOUR, "Up", (const char *[]){ "Uo", "Ul", NULL });
    assert_draws(NOISE_NEIGHBOUR, "ÉQ", (const char *[]){ "ÉW", "ÉA", NULL });
}

UNIT_TEST(marks_should_stay_on_their_letters)
{
    assert_draws(NOISE_SWAP, "ae\u0301i", (const char *[]){ "aie\u0301", NULL });
    assert_draws(NOISE_DROP, "ae\u0301", (const char *[]){ "a", NULL });
    assert_draws(NOISE_DOUBLE, "ae\u0301", (const char *[]){ "ae\u0301e\u0301", NULL });
}

UNIT_TEST(text_without_a_place_should_stay)
{
    static const char *const none[] = { "", " ", "a", "1234", "a b c", "¿?", "🙂🙂" };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        for (TextNoise kind = NOISE_SWAP; kind <= NOISE_NEIGHBOUR; kind++)
            assert_untouched(kind, none[i]);
    assert_untouched(NOISE_SWAP, "to add egg");        /* equal letters, or the first of a word */
    assert_untouched(NOISE_NEIGHBOUR, "день");
}

/* ---- Laws ---- */

UNIT_TEST(noise_should_be_seeded_and_valid)
{
    SCOPED(buf_free) Buf line = { 0 }, once = { 0 }, again = { 0 };
    long altered = 0;
    for (uint64_t number = 0; number < GENERATED_LINES; number++) {
        random_line(number, &line);
        for (TextNoise kind = 0; kind < TEXT_NOISES; kind++) {
            const uint64_t key = rng_key(number, kind, RNG_NOISE);
            const int changed = alter(kind, line.text, key, &once);
            alter(kind, line.text, key, &again);
            assert_string_equal(once.text, again.text);
            assert_true(unicode_valid(once.text, once.length));
            assert_int_equal(changed, strcmp(line.text, once.text) != 0);
            altered += changed;
        }
    }
    assert_true(altered > GENERATED_LINES);
}

UNIT_TEST(noise_should_be_appended)
{
    SCOPED(buf_free) Buf out = { 0 };
    buf_puts(&out, "kept ");
    assert_true(noise_add(NOISE_ACCENTS, "éàc", 4, 1, &out));
    assert_false(noise_add(NOISE_DROP, "..", 2, 1, &out));
    assert_string_equal(out.text, "kept ea..");
}

int main(void) { return run_unit_tests(); }
