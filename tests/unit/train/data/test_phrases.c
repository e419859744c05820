/* test_phrases.c - phrase pairs of alignments that are written down. */
#include "train/data/phrases.h"

#include "base/buf.h"
#include "base/random/rng.h"
#include "scratch.h"

enum { DRAWS = 400 };

/* A pair of words 0, 1, 2 ...; a digit in `source` is the number of the target's word that a word is
 * aligned with, '-' none; `target` likewise. Where words may stand: '.' PHRASE_FINAL, '+'
 * PHRASE_NOT_FIRST. */
typedef struct {
    int           source[ALIGNER_LONGEST], target[ALIGNER_LONGEST];
    unsigned char places[2][ALIGNER_LONGEST];
    WordAlignment alignment;
    Record        pair;
} Case;

static int set_side(const char *from, const char *place, int *word, int *aligned,
                    unsigned char *places)
{
    const int count = (int)strlen(from);
    for (int i = 0; i < count; i++) {
        word[i] = i;
        aligned[i] = from[i] == '-' ? -1 : from[i] - '0';
        places[i] = place[i] == '.' ? PHRASE_FINAL
                  : place[i] == '+' ? PHRASE_NOT_FIRST : PHRASE_ANYWHERE;
    }
    return count;
}

static void case_new(Case *c, const char *source, const char *source_place, const char *target,
                     const char *target_place)
{
    const int n = set_side(source, source_place, c->source, c->alignment.source, c->places[0]);
    const int m = set_side(target, target_place, c->target, c->alignment.target, c->places[1]);
    c->pair = (Record){ c->source, c->target, n, m };
}

/* All phrases that are ever drawn, as first last:first last, in the order of the source. */
static void assert_phrases(const Case *c, const char *expected)
{
    static char seen[10][10][10][10];
    memset(seen, 0, sizeof seen);
    Buf out = { 0 };
    for (uint64_t k = 0; k < DRAWS; k++) {
        Record p;
        if (!phrase_draw(&c->pair, &c->alignment, c->places[0], c->places[1],
                         rng_key(1, k, RNG_WORDS), &p)) continue;
        seen[p.source[0]][p.source[p.source_count - 1]][p.target[0]]
            [p.target[p.target_count - 1]] = 1;
    }
    for (int i = 0; i < 10000; i++) {
        char text[64];
        if (!((char *)seen)[i]) continue;
        snprintf(text, sizeof text, "%s%d%d:%d%d", out.length ? " " : "", i / 1000, i / 100 % 10,
                 i / 10 % 10, i % 10);
        buf_puts(&out, text);
    }
    buf_putc(&out, '\0');
    assert_string_equal(out.text, expected);
    buf_free(&out);
}

UNIT_TEST(phrases_should_be_those_of_the_alignment)
{
    static const struct { const char *source, *source_place, *target, *target_place, *expected; } cases[] = {
        /* not the whole; words that change places */
        { "012", "   ", "012", "   ", "00:00 01:01 11:11 12:12 22:22" },
        { "0213", "    ", "0213", "    ", "00:00 02:02 11:22 12:12 13:13 22:11 33:33" },
        /* words that are not aligned are in none */
        { "0-23", "    ", "0-23", "    ", "00:00 22:22 23:23 33:33" },
        { "0-2345", "      ", "0-2345", "      ",
          "00:00 22:22 23:23 24:24 25:25 33:33 34:34 35:35 44:44 45:45 55:55" },
        { "--", "  ", "--", "  ", "" },
        /* marks end phrases where both sentences end; the last is aligned with a word */
        { "0123", "   .", "0123", "   .", "00:00 01:01 11:11 12:12 13:13 22:22 23:23" },
        { "0123", " .  ", "0123", " .  ", "00:00 22:22 23:23 33:33" },
        { "0123", "   .", "0132", "   .", "00:00 01:01 11:11" },
        /* what is written on to a word is not parted from it */
        { "0123", " +  ", "0123", "  + ", "02:02 33:33" },
    };
    Case c;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        case_new(&c, cases[i].source, cases[i].source_place, cases[i].target, cases[i].target_place);
        assert_phrases(&c, cases[i].expected);
    }
    case_new(&c, "0113", "    ", "013", "   ");         /* the third word is aligned one way only */
    c.alignment.target[2] = 3;
    c.alignment.source[3] = 2;
    assert_phrases(&c, "00:00 13:12 33:22");
}

UNIT_TEST(long_phrases_should_be_preferred_up_to_seven_words)
{
    static Case c;
    Record p;
    int longest = 0, shortest = ALIGNER_LONGEST, words = 0;
    for (int i = 0; i < ALIGNER_LONGEST; i++)
        c.source[i] = c.target[i] = c.alignment.source[i] = c.alignment.target[i] = i;
    c.pair = (Record){ c.source, c.target, ALIGNER_LONGEST, ALIGNER_LONGEST };
    for (uint64_t k = 0; k < DRAWS; k++) {
        assert_true(phrase_draw(&c.pair, &c.alignment, c.places[0], c.places[1],
                                rng_key(2, k, RNG_WORDS), &p));
        assert_int_equal(p.source_count, p.target_count);
        assert_int_equal(p.source[0], p.target[0]);
        words += p.source_count;
        if (p.source_count > longest) longest = p.source_count;
        if (p.source_count < shortest) shortest = p.source_count;
    }
    assert_int_equal(longest, 7);
    assert_int_equal(shortest, 1);
    assert_true(words > DRAWS * 4.7);       /* one draw: 4 in the mean, the longer of two: 5.1 */
}

int main(void) { return run_unit_tests(); }
