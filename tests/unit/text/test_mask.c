/* test_mask.c - the case of a translation, and behind which entries a placeholder may stand. */
#include "text/mask.h"

#include "base/mem.h"
#include "learn_lines.h"
#include "numbers.h"

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

UNIT_TEST(placeholders_should_stand_behind_all_but_final_marks)
{
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

UNIT_TEST(a_translation_should_have_the_case_of_its_source_in_its_language)
{
    static const struct { const char *language; OutputCase output; const char *text, *expected; } rows[] = {
        { "tr", CASE_ALL_CAPITALS, "iyi ışık", "İYİ IŞIK" }, { "tr", CASE_FIRST_CAPITAL, "« iyi ışık", "« İyi ışık" },
        { "nl", CASE_FIRST_CAPITAL, "ijs", "IJs" }, { "el", CASE_ALL_CAPITALS, "άνθρωπος", "ΑΝΘΡΩΠΟΣ" },
        { "de", CASE_ALL_CAPITALS, "straße", "STRASSE" }, { NULL, CASE_FIRST_CAPITAL, "iyi ijs", "Iyi ijs" },
        { NULL, CASE_ALL_CAPITALS, "à l'été, ça 3 œuf", "À L'ÉTÉ, ÇA 3 ŒUF" }, { NULL, CASE_AS_WRITTEN, "été", "été" },
        { NULL, CASE_FIRST_CAPITAL, "...iPhone", "...IPhone" }, { NULL, CASE_FIRST_CAPITAL, "!?", "!?" },
        { NULL, CASE_FIRST_CAPITAL, "", "" }, { NULL, CASE_FIRST_CAPITAL, "你 a", "你 a" },
        { NULL, CASE_FIRST_CAPITAL, "3 chats", "3 chats" }, { NULL, CASE_FIRST_CAPITAL, "« 12 ans »", "« 12 ans »" },
        { NULL, CASE_FIRST_CAPITAL, "2e", "2e" },
    };
    SCOPED(buf_free) Buf out = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        buf_clear(&out);
        buf_puts(&out, "+");
        mask_output(rows[i].text, strlen(rows[i].text), rows[i].output, rows[i].language, NULL, 0, &out);
        assert_string_equal(out.text + 1, rows[i].expected);
    }
}

/* What is copied stays as it is, and takes the capital where it has the first letter. */
UNIT_TEST(copied_bytes_should_keep_their_case)
{
    static const char text[] = "«ab» cd ef";
    static const struct { CopiedBytes copied; OutputCase output; const char *expected; } rows[] = {
        { { 2, 4 }, CASE_FIRST_CAPITAL, text }, { { 7, 9 }, CASE_FIRST_CAPITAL, "«Ab» cd ef" },
        { { 7, 9 }, CASE_ALL_CAPITALS, "«AB» cd EF" }, { { 0, 2 }, CASE_FIRST_CAPITAL, "«Ab» cd ef" },
    };
    SCOPED(buf_free) Buf out = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        buf_clear(&out);
        mask_output(text, strlen(text), rows[i].output, NULL, &rows[i].copied, 1, &out);
        assert_string_equal(out.text, rows[i].expected);
    }
}

int main(void) { return run_unit_tests(); }
