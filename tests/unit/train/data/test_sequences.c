/* test_sequences.c - corpora of sequences are told from corpora of sentences by their words. */
#include "train/data/sequences.h"

#include "base/buf.h"

#include "scratch.h"

/* Appends line `number` of a side. */
typedef void Writer(int number, Buf *out);

static void spelling(int number, Buf *out)
{
    for (int rest = number + 1; rest; rest /= 7)
        buf_putc(out, (char)('a' + rest % 7));
    buf_putc(out, 'x');
}

static void sounds(int number, Buf *out)
{
    for (int rest = number + 1; rest; rest /= 7)
        buf_printf(out, "%c ", 'a' + rest % 7);
}

static void digits(int number, Buf *out)
{
    buf_printf(out, "%d", number);
}

/* Some of its words are in many lines, some in few, one in this alone. */
static void sentence(int number, Buf *out)
{
    buf_printf(out, "the word%d is %d in w%d", number % 500, number % 40, number);
}

/* The same letters, but their script puts no blanks between words. */
static void unspaced(int number, Buf *out)
{
    for (int rest = number + 1; rest; rest /= 7)
        buf_printf(out, "\u65E5\u672C%c", 'a' + rest % 7);
    buf_puts(out, "\u3042\u3044\u3046\u3048\u304A");
}

static Slice span_of(const Buf *bytes)
{
    return (Slice){ bytes->text, bytes->length };
}

static int are_sequences(Writer *source, Writer *target, int lines)
{
    Buf *side = calloc(2 * (size_t)lines, sizeof *side);
    BitextLine *line = calloc((size_t)lines, sizeof *line);
    for (int i = 0; i < lines; i++) {
        source(i, &side[2 * i]);
        target(i, &side[2 * i + 1]);
        line[i] = (BitextLine){ .source = span_of(&side[2 * i]), .target = span_of(&side[2 * i + 1]),
                                .reason = SKIP_REASONS };
    }
    const int found = sequences_are(line, (size_t)lines);
    for (int i = 0; i < 2 * lines; i++)
        buf_free(&side[i]);
    free(side);
    free(line);
    return found;
}

static void corpora_should_be_told_apart_by_the_words_of_one_side(void **state)
{
    static const struct { Writer *source, *target; int lines, expected; } cases[] = {
        { spelling, sounds, 1000, 1 }, { spelling, sounds, 999, 0 }, { sounds, spelling, 3000, 1 },
        { digits, sentence, 3000, 1 }, { sentence, sentence, 3000, 0 }, { sentence, sounds, 3000, 1 },
        { sentence, unspaced, 3000, 0 }, { unspaced, unspaced, 3000, 0 }, { unspaced, sounds, 3000, 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(are_sequences(cases[i].source, cases[i].target, cases[i].lines), cases[i].expected);
}

static void lines_that_are_no_pairs_or_come_again_should_not_count(void **state)
{
    static BitextLine line[2000];
    static char name[2000][5];
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        snprintf(name[i], sizeof name[i], "%04zu", i);
        line[i] = (BitextLine){ .source = { name[i], 4 }, .target = { "b", 1 }, .reason = SKIP_NO_TAB };
    }
    assert_int_equal(sequences_are(line, 2000), 0);
    for (size_t i = 0; i < sizeof line / sizeof *line; i++)
        line[i].reason = SKIP_REASONS;
    assert_int_equal(sequences_are(line, 2000), 1);
    for (size_t i = 0; i < sizeof line / sizeof *line; i++)
        line[i].source.text = name[i % 900];
    assert_int_equal(sequences_are(line, 2000), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corpora_should_be_told_apart_by_the_words_of_one_side),
        cmocka_unit_test(lines_that_are_no_pairs_or_come_again_should_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
