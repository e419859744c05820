/* tokenizer_case.c - lines to learn from, and what every tokenizer must do with a line. */
#include "tokenizer_case.h"

#include "base/mem.h"
#include "learn_lines.h"
#include "random_text.h"
#include "scratch.h"

const char *const french_lines[FRENCH_LINES] = {
    "Le chat dort sur la chaise.", "Le chien dort sous la table.",
    "Où est la chaise ? Où est le chien ?",
    "L'homme n'est pas là.", "Aujourd'hui, le chat n'est pas sous la chaise !",
    "Ça coûte 3,50 €.",
};

Tokenizer *learned_french(int tokens, int vocabulary)
{
    TextOptions options = text_defaults();
    options.tokens = tokens;
    options.vocabulary = vocabulary;
    return learn_lines(&options, french_lines, FRENCH_LINES);
}

Ids encoded(const Tokenizer *t, const char *line)
{
    Ids ids = { 0 };
    tokenizer_encode(t, line, strlen(line), &ids, NULL);
    return ids;
}

void assert_round_trip(const Tokenizer *t, const char *line, const char *expected)
{
    Ids ids = encoded(t, line);
    Buf out = { 0 };
    buf_clear(&out);
    tokenizer_decode(t, ids.id, ids.count, NULL, NULL, &out);
    assert_string_equal(out.text, expected);
    ids_free(&ids);
    buf_free(&out);
}

/* The decoded line, with each <unk> replaced by its source text. */
void assert_comes_back(const Tokenizer *t, const char *line, const char *expected)
{
    Ids ids = { 0 };
    Words unknown = { 0 };
    Buf out = { 0 };
    buf_clear(&out);
    tokenizer_encode(t, line, strlen(line), &ids, &unknown);
    char **copies = xcalloc(ids.count + 1, sizeof *copies);
    size_t unknowns = 0;
    for (size_t i = 0; i < ids.count; i++) {
        if (ids.id[i] != ID_UNK) continue;
        assert_true(unknowns < unknown.count);
        const Slice text = words_at(&unknown, unknowns++);
        copies[i] = xstrndup(text.text, text.length);
    }
    assert_int_equal(unknowns, unknown.count);
    tokenizer_decode(t, ids.id, ids.count, (const char *const *)copies, NULL, &out);
    assert_string_equal(out.text, expected);
    for (size_t i = 0; i < ids.count; i++)
        free(copies[i]);
    free(copies);
    ids_free(&ids);
    words_free(&unknown);
    buf_free(&out);
}

/* The pieces of a line joined by '|', '_' for the mark. */
void pieces_of(const Tokenizer *t, const char *line, Buf *out)
{
    Ids ids = encoded(t, line);
    buf_clear(out);
    for (size_t i = 0; i < ids.count; i++) {
        const char *piece = tokenizer_piece(t, ids.id[i]);
        int marked = strncmp(piece, WORD_MARK, WORD_MARK_LENGTH) == 0;
        buf_printf(out, "%s%s%s", i ? "|" : "", marked ? "_" : "",
                   piece + marked * WORD_MARK_LENGTH);
    }
    ids_free(&ids);
}

void assert_pieces(const Tokenizer *t, const char *line, const char *expected)
{
    Buf out = { 0 };
    pieces_of(t, line, &out);
    assert_string_equal(out.text, expected);
    buf_free(&out);
}

/* A tokenizer learned from any text can be saved and loaded. */
Tokenizer *through_json(Tokenizer *t)
{
    Err e = { "" };
    cJSON *json = tokenizer_to_json(t);
    Tokenizer *back = tokenizer_from_json(json, &e);
    if (!back) fail_msg("%s", e.text);
    cJSON_Delete(json);
    tokenizer_free(t);
    return back;
}

Generated *generated_new(void)
{
    Generated *g = xmalloc(1, sizeof *g);
    Buf line = { 0 };
    for (uint64_t i = 0; i < GENERATED_LINES; i++) {
        random_line(i, &line);
        g->line[i] = xstrdup(line.text);
    }
    buf_free(&line);
    return g;
}

void generated_free(Generated *g)
{
    for (int i = 0; i < GENERATED_LINES; i++)
        free(g->line[i]);
    free(g);
}

void assert_all_come_back(const Tokenizer *t, const Generated *g)
{
    Buf normal = { 0 };
    for (int i = 0; i < GENERATED_LINES; i++) {
        buf_clear(&normal);
        words_normalise(g->line[i], strlen(g->line[i]), t->options.lowercase, &normal);
        assert_comes_back(t, g->line[i], normal.text);
    }
    buf_free(&normal);
}
