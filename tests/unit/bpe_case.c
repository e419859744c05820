/* bpe_case.c - see bpe_case.h. */
#include "bpe_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

Merges merges_of(WordEnd end, const char *const (*pair)[2], int count)
{
    Merges merges = { .end = end };
    for (int i = 0; i < count; i++)
        assert_int_equal(merges_add_text(&merges, pair[i][0], strlen(pair[i][0]), pair[i][1],
                                         strlen(pair[i][1])), 0);
    return merges;
}

void assert_parts(const Merges *merges, const char *word, const BpeNoise *noise,
                         const char *expected)
{
    BpeWord parts = { 0 };
    Buf out = { 0 };
    bpe_segment(merges, word, strlen(word), noise, &parts);
    for (size_t i = 0, start = 0; i < parts.count; start = parts.part[i++].end)
        buf_printf(&out, "%s%.*s", i ? "|" : "", (int)(parts.part[i].end - start), word + start);
    assert_string_equal(out.text, expected);
    buf_free(&out);
    bpe_word_free(&parts);
}
