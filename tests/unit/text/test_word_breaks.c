/* test_word_breaks.c - behind which entries a placeholder may stand. */
#include "learn_lines.h"
#include "numbers.h"
#include "text/word_breaks.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 4 };

typedef struct {
    const char *lines[MOST];
    int         count, tokens;
    const char *breaks, *others;        /* entries, each between blanks */
} BreaksCase;

static int is_among(const char *list, const char *piece)
{
    const char *at = strstr(list, piece);
    return at && *piece && (at == list || at[-1] == ' ') && strchr(" ", at[strlen(piece)]);
}

static const BreaksCase cases[] = {
    { { "l'arbre (12), 3e. Non !", "- à $5" }, 2, TOKENS_CHAR, "\u2581 ' ( - $ l a \u00E0 1 3 ,", ". !" },
    { { "\u6211\u7231\u4F60\u3002", "\u4F60\u7231 Tom \u6211" }, 2, TOKENS_CHAR, "\u2581 \u7231 \u6211 T o m",
      "\u3002" },
    { { "le chat dort .", "le chat" }, 2, TOKENS_WORD, "le chat dort", "." },
};

static void placeholders_should_stand_behind_all_but_final_marks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const TextOptions options = { .tokens = cases[i].tokens };
        Tokenizer *t = learn_lines(&options, cases[i].lines, (size_t)cases[i].count);
        unsigned char *breaks = word_breaks(t);
        int found = 0;
        for (int id = 0; id < tokenizer_size(t); id++) {
            const char *piece = tokenizer_piece(t, id);
            if (id < ID_SPECIALS) assert_true(breaks[id]);
            if (is_among(cases[i].breaks, piece) && !breaks[id]) fail_msg("no word begins behind %s", piece);
            if (is_among(cases[i].others, piece) && breaks[id]) fail_msg("a word begins behind %s", piece);
            found += is_among(cases[i].breaks, piece) || is_among(cases[i].others, piece);
        }
        assert_true(found > 2);
        free(breaks);
        tokenizer_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placeholders_should_stand_behind_all_but_final_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
