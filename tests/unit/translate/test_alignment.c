/* test_alignment.c - attention over pieces to links between words. */
#include "translate/alignment.h"

#include "test.h"

#include <string.h>

enum { MOST = 3 };

/* A chunk: a digit for each piece, the word that it is part of; a stop: <eos>. */
typedef struct {
    const char *source, *target;
    float       weight[MOST * MOST];
} Part;

static Piece *pieces_of(const char *words, Piece *pieces)
{
    for (size_t i = 0; words[i]; i++)
        pieces[i] = (Piece){ "a", words[i] == '.' ? -1 : words[i] - '0' };
    return pieces;
}

UNIT_TEST(each_target_word_should_be_linked_to_what_its_pieces_attend_to_most)
{
    static const struct { const char *links; size_t parts; Part part[2]; } cases[] = {
        { "0-0 2-1 1-2", 1, { { "012", "012", { .8f, .1f, .1f,   .1f, .2f, .7f,   .1f, .6f, .3f } } } },
        { "0-0", 1, { { "001", "00", { .1f, .1f, .8f,   .45f, .45f, .1f } } } },        /* 1.1 of 2 together */
        { "1-0 1-1", 1, { { "001", "01", { .1f, .1f, .8f,   .2f, .1f, .7f } } } },
        { "0-0", 1, { { "0.", "0.", { .1f, .9f,   0, 1 } } } },                         /* but for <eos> */
        { "0-0", 1, { { "01", "0", { .5f, .5f } } } },                                  /* the first of equals */
        { "", 1, { { ".", "0", { 1 } } } },
        { "", 1, { { "0", ".", { 1 } } } },
        { "", 1, { { "0", "", { 0 } } } },
        { "0-0 2-1 1-2", 2, { { "00.", "0.", { .3f, .3f, .4f,   0, 0, 1 } }, { "12", "12", { .2f, .8f,   .9f, .1f } } } },
        { "0-0 1-1", 2, { { "0", "0", { 1 } }, { "01", "01", { .2f, .8f,   .3f, .7f } } } },    /* a word in two chunks */
        { "0-0 1-2 3-3", 2, { { "03", "03", { .9f, .1f,   .3f, .7f } }, { "1", "2", { 1 } } } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Piece source[2][MOST], target[2][MOST];
        Alignment chunk[2];
        Region region = { 0 };
        Buf out = { 0 };
        for (size_t k = 0; k < cases[i].parts; k++) {
            const Part *part = &cases[i].part[k];
            chunk[k] = (Alignment){ pieces_of(part->source, source[k]), pieces_of(part->target, target[k]),
                                    (int)strlen(part->source), (int)strlen(part->target), part->weight };
        }
        buf_puts(&out, "text\t");
        alignment_links(chunk, cases[i].parts, &out, &region);
        assert_string_equal(out.text + strlen("text\t"), cases[i].links);
        buf_free(&out);
        region_free(&region);
    }
}

int main(void) { return run_unit_tests(); }
