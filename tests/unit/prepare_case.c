/* prepare_case.c - see prepare_case.h. */
#include "prepare_case.h"

#include "learn_lines.h"
#include "lexicon_case.h"
#include "scratch.h"

static const char *const lines[] = {
    "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ", "é 0123456789 .,!?'\"-«»",
};
static const char lexicon_text[] =
    "['rome . , ! ? - \\u00AB \\u00BB \\u0027','','Tom Rome may May','','second','third',"
    "'the cat is on here saw I m at &']";

World world_new(int truecase, int placeholders)
{
    TextOptions options = text_defaults();
    options.tokens = TOKENS_CHAR;
    options.truecase = truecase;
    options.placeholders = placeholders;
    World w = { .tokenizer = learn_lines(&options, lines, 2), .lexicon = lexicon_of(lexicon_text) };
    w.language = (Language){ .tokenizer = w.tokenizer, .lexicon = w.lexicon };
    return w;
}

void world_free(World *w)
{
    tokenizer_free(w->tokenizer);
    lexicon_free(w->lexicon);
}

void show(const Words *words, Buf *out)
{
    buf_clear(out);
    for (size_t i = 0, length; i < words->count; i++) {
        const char *word = words_at(words, i, &length);
        const size_t mark = words_mark_length(word, length);
        buf_printf(out, "%s%s", i ? "|" : "", mark ? "_" : "");
        for (int k = 0; k < PLACEHOLDERS; k++) {
            const char *piece = placeholder_piece(k);
            if (strlen(piece) != length - mark) continue;
            if (memcmp(piece, word + mark, length - mark)) continue;
            buf_printf(out, "%s%d", k < COPIES_MOST ? "$" : "#", placeholder_copy(k) + 1);
            length = mark;
        }
        buf_add(out, word + mark, length - mark);
    }
}

void assert_source(const World *w, const char *line, const char *words, const char *copies,
                          char output)
{
    Prepared p = { 0 };
    Buf shown = { 0 };
    prepare_source(&p, w->language, line, strlen(line));
    show(&p.words, &shown);
    assert_string_equal(shown.text, words);
    buf_clear(&shown);
    for (int k = 0; k < (int)p.copies.text.count; k++)
        buf_printf(&shown, "%s%s", k ? "|" : "", copies_at(&p.copies, k));
    assert_string_equal(shown.text, copies);
    assert_int_equal("wFC"[p.output], output);
    buf_free(&shown);
    prepared_free(&p);
}
