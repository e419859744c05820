/* test_odd_lines.c - what holds for the translation of any line, however odd.
 */
#include "base/random/rng.h"
#include "numbers.h"
#include "random_text.h"
#include "text/unicode.h"
#include "translate/alignment.h"
#include "translator_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ODD_LINES = CASES(300) };

/* Generated Unicode, or words of the toy, with and without blanks, between whatever lines are cut at. */
static void odd_line(uint64_t number, Buf *out)
{
    static const char *const parts[] = {
        "I am calm.", "the cat", "is here", "241", "Zorbax", "1,299.99", "%s", "https://a.b/c", "a@b.c", "x", "Mr. Olga",
        "(", ")", "[", "]", "\"", "'", "\u00AB", "\u00BB", "\u201C", "\u201D", "\u2014", " - ", "-", "...", "\u2026", ":", ";",
        ",", "?!", "!", "- ", "* ", "1. ", "\t", "  ", "\u00A0", "\u3000", "<b>", "</b>", "<br/>", "&amp;", "**", "`x = 1`",
        "\U0001F600", "\u548C", "\u3002", "e\u0301",
    };
    const uint64_t key = rng_key(number, 3, RNG_INIT), count = 1 + rng_below(key, 0, 14);
    buf_clear(out);
    if (number % 4 == 0) random_line(number, out);
    for (uint64_t i = 0; number % 4 && i < count; i++) {
        buf_puts(out, parts[rng_below(key, 2 * i + 1, sizeof parts / sizeof *parts)]);
        if (rng_below(key, 2 * i + 2, 3)) buf_putc(out, ' ');
    }
}

/* Translations of all odd lines by a network that writes copies, or none. */
typedef struct { Buf text[ODD_LINES]; Translations out; Case c; } Odd;

static Odd *translate_odd(Scratch *scratch, int nbest, real bias)
{
    Odd *odd = xcalloc(1, sizeof *odd);
    const SearchOptions options = beam_of(5, nbest, 64);
    const char **line = xmalloc(ODD_LINES, sizeof *line);
    odd->c = translator_case_of_copies(scratch, bias);
    for (int i = 0; i < ODD_LINES; i++) {
        odd_line((uint64_t)i, &odd->text[i]);
        line[i] = odd->text[i].text;
    }
    Translator *t = translator_new(&odd->c.toy->model, 1, &options, odd->c.toy->training.pool);
    odd->out = translator_run(t, line, NULL, ODD_LINES);
    translator_free(t);
    free(line);
    return odd;
}

static void odd_free(Odd *odd)
{
    for (int i = 0; i < ODD_LINES; i++) {
        buf_free(&odd->text[i]);
    }
    translations_free(&odd->out);
    translator_case_free(&odd->c);
    free(odd);
}

static const real biases[] = { -100, 0, 100 };
enum { BIASES = sizeof biases / sizeof *biases };

TEST_IN_SCRATCH(the_first_of_several_should_be_the_translation_of_one)
{
    for (int b = 0; b < BIASES; b++) {
        Odd *one = translate_odd(*state, 1, biases[b]), *several = translate_odd(*state, 4, biases[b]);
        for (int i = 0; i < ODD_LINES; i++) {
            assert_int_equal(!one->out.line[i].count, !several->out.line[i].count);
            if (one->out.line[i].count)
                assert_string_equal(one->out.line[i].hypothesis[0].text, several->out.line[i].hypothesis[0].text);
        }
        odd_free(one);
        odd_free(several);
    }
}

static void assert_within(const char *links, int source, int target, const char *line, const char *text)
{
    int from, to, length;
    for (; sscanf(links, "%d-%d %n", &from, &to, &length) == 2; links += length)
        if (from < 0 || from >= source || to < 0 || to >= target)
            fail_msg("link %d-%d of %d and %d words: '%s' '%s'", from, to, source, target, line, text);
    assert_string_equal(links, "");
}

TEST_IN_SCRATCH(links_should_be_within_the_words_of_both_sides)
{
    for (int b = 0; b < BIASES; b++) {
        Odd *odd = translate_odd(*state, 3, biases[b]);
        Buf links = { 0 };
        for (int i = 0; i < ODD_LINES; i++)
            for (int k = 0; k < odd->out.line[i].count; k++) {
                const char *text = odd->out.line[i].hypothesis[k].text;
                buf_clear(&links);
                line_links(&odd->out.line[i], k, &odd->c.toy->model, &links);
                assert_within(links.text, unicode_words(odd->text[i].text, odd->text[i].length),
                             unicode_words(text, strlen(text)), odd->text[i].text, text);
            }
        buf_free(&links);
        odd_free(odd);
    }
}

int main(void) { return run_unit_tests(); }
