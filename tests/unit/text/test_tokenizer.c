/* test_tokenizer.c - each kind there and back, what is unknown, the JSON form and what is refused
 * of it. */
#include "text/tokenizer.h"

#include "base/mem.h"
#include "base/rng.h"
#include "learn_lines.h"
#include "random_text.h"
#include "scratch.h"
#include "text/corpus.h"

enum { GENERATED_LINES = 3000, LONGEST = 20000 };

static const char *const lines[] = {
    "Le chat dort sur la chaise.", "Le chien dort sous la table.",
    "Où est la chaise ? Où est le chien ?",
    "L'homme n'est pas là.", "Aujourd'hui, le chat n'est pas sous la chaise !",
    "Ça coûte 3,50 €.",
};
enum { LINES = sizeof lines / sizeof *lines };

static Tokenizer *learned(int tokens, int vocabulary)
{
    TextOptions options = text_defaults();
    options.tokens = tokens;
    options.vocabulary = vocabulary;
    return learn_lines(&options, lines, LINES);
}

static Ids encoded(const Tokenizer *t, const char *line)
{
    Ids ids = { 0 };
    tokenizer_encode(t, line, strlen(line), &ids, NULL);
    return ids;
}

static void assert_round_trip(const Tokenizer *t, const char *line, const char *expected)
{
    Ids ids = encoded(t, line);
    Buf out = { 0 };
    buf_clear(&out);
    tokenizer_decode(t, ids.id, ids.count, NULL, &out);
    assert_string_equal(out.text, expected);
    ids_free(&ids);
    buf_free(&out);
}

/* The line that comes back when each <unk> is replaced by what it stood for. */
static void assert_comes_back(const Tokenizer *t, const char *line, const char *expected)
{
    Ids ids = { 0 };
    Words unknown = { 0 };
    Buf out = { 0 };
    buf_clear(&out);
    tokenizer_encode(t, line, strlen(line), &ids, &unknown);
    char **copies = xmalloc(unknown.count + 1, sizeof *copies);
    for (size_t i = 0, length; i < unknown.count; i++) {
        const char *text = words_at(&unknown, i, &length);
        copies[i] = xstrndup(text, length);
    }
    size_t unknowns = 0;
    for (size_t i = 0; i < ids.count; i++)
        unknowns += ids.id[i] == ID_UNK;
    assert_int_equal(unknowns, unknown.count);
    tokenizer_decode(t, ids.id, ids.count, (const char *const *)copies, &out);
    assert_string_equal(out.text, expected);
    for (size_t i = 0; i < unknown.count; i++)
        free(copies[i]);
    free(copies);
    ids_free(&ids);
    words_free(&unknown);
    buf_free(&out);
}

/* The pieces of a line joined by '|', '_' for the mark. */
static void pieces_of(const Tokenizer *t, const char *line, Buf *out)
{
    Ids ids = encoded(t, line);
    buf_clear(out);
    for (size_t i = 0; i < ids.count; i++) {
        const char *piece = tokenizer_piece(t, ids.id[i]);
        int marked = strncmp(piece, BLANK_MARK, BLANK_MARK_LENGTH) == 0;
        buf_printf(out, "%s%s%s", i ? "|" : "", marked ? "_" : "",
                   piece + marked * BLANK_MARK_LENGTH);
    }
    ids_free(&ids);
}

static void assert_pieces(const Tokenizer *t, const char *line, const char *expected)
{
    Buf out = { 0 };
    pieces_of(t, line, &out);
    assert_string_equal(out.text, expected);
    buf_free(&out);
}

/* ---- bpe and char ---- */

static void learned_lines_should_come_back(void **state)
{
    (void)state;
    static const int sizes[] = { 40, 60, 8000, 0 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = 0; kind < 2; kind++) {
            Tokenizer *t = learned(kind ? TOKENS_CHAR : TOKENS_BPE, sizes[i] == 40 ? 60 : sizes[i]);
            for (int k = 0; k < LINES; k++)
                assert_round_trip(t, lines[k], lines[k]);
            tokenizer_free(t);
        }
}

static void subwords_should_grow_with_the_vocabulary(void **state)
{
    (void)state;
    Tokenizer *t = learned(TOKENS_BPE, 8000);
    assert_pieces(t, "Le chien dort.", "_Le|_chien|_dort|.");
    assert_pieces(t, "le chi", "_le|_ch|i");
    tokenizer_free(t);
    t = learned(TOKENS_CHAR, 8000);
    assert_pieces(t, "le chi", "_|l|e|_|c|h|i");
    tokenizer_free(t);
}

static void vocabulary_should_keep_its_limit_and_the_most_frequent_characters(void **state)
{
    (void)state;
    Tokenizer *t = learned(TOKENS_BPE, 12);
    assert_int_equal(tokenizer_size(t), 12);
    assert_string_equal(tokenizer_piece(t, ID_UNK), "<unk>");
    assert_string_equal(tokenizer_piece(t, ID_PAD), "<pad>");
    assert_string_equal(tokenizer_piece(t, ID_BOS), "<bos>");
    assert_string_equal(tokenizer_piece(t, ID_EOS), "<eos>");
    assert_string_equal(tokenizer_piece(t, ID_SPECIALS), BLANK_MARK);
    assert_pieces(t, "e", "_|e");
    assert_pieces(t, "3", "_|<unk>");
    tokenizer_free(t);
    t = learned(TOKENS_BPE, 50);
    assert_int_equal(tokenizer_size(t), 50);
    tokenizer_free(t);
}

/* By words x is rarer than y, by occurrences it is not; and each line counts once. */
static void learning_should_weigh_words_by_how_often_they_occur(void **state)
{
    (void)state;
    static const char *const text[] = { "x x x x", "yz yw yv" };
    static const char *const pairs[] = { "ab ab ab", "cd cd cd cd" };
    TextOptions options = text_defaults();
    options.vocabulary = ID_SPECIALS + 2;
    Tokenizer *t = learn_lines(&options, text, 2);
    assert_string_equal(tokenizer_piece(t, ID_SPECIALS + 1), "x");
    tokenizer_free(t);
    options.vocabulary = ID_SPECIALS + 6;
    t = learn_lines(&options, pairs, 2);
    assert_string_equal(tokenizer_piece(t, ID_SPECIALS + 5), "cd");
    tokenizer_free(t);
}

static void decoded_should_be_the_normal_line(void **state)
{
    (void)state;
    Tokenizer *t = learned(TOKENS_BPE, 100);
    assert_round_trip(t, "  Le\u00A0chat  n\u2019est pas ... \t", "Le chat n<unk>est pas ...");
    assert_round_trip(t, "Ou\u0300 ?", "Où ?");
    assert_round_trip(t, "", "");
    assert_round_trip(t, " \u00A0 ", "");
    tokenizer_free(t);
}

static void each_run_of_unknown_characters_should_be_one_unknown_token(void **state)
{
    (void)state;
    Tokenizer *t = learned(TOKENS_BPE, 8000);
    assert_round_trip(t, "Le ЖЖ dort.", "Le <unk> dort.");
    assert_pieces(t, "Ж", "_|<unk>");
    /* An ideograph is a word; there is no blank between words. */
    assert_pieces(t, "寿司 寿司", "_|<unk>|_|<unk>");
    tokenizer_free(t);
}

static void unknown_text_should_be_told_for_each_unknown_token_of_a_line(void **state)
{
    (void)state;
    Tokenizer *t = learned(TOKENS_BPE, 8000);
    Ids ids = { 0 };
    Words unknown = { 0 };
    words_add(&unknown, "before", 6);
    const char *line = "Le ЖЩ\u00A0chatЖ, ж!";
    assert_pieces(t, line, "_Le|_|<unk>|_|<unk>|,|_|<unk>|!");
    tokenizer_encode(t, line, strlen(line), &ids, &unknown);
    static const char *const expected[] = { "before", "ЖЩ", "chatЖ", "ж" };
    assert_int_equal(unknown.count, 4);
    for (size_t i = 0, length; i < 4; i++) {
        const char *text = words_at(&unknown, i, &length);
        assert_int_equal(length, strlen(expected[i]));
        assert_memory_equal(text, expected[i], length);
    }
    assert_comes_back(t, line, "Le ЖЩ chatЖ, ж!");
    ids_free(&ids);
    words_free(&unknown);
    tokenizer_free(t);
}

static void copies_should_be_written_where_there_are_some(void **state)
{
    (void)state;
    static const char *const copies[] = { "ЖЩ", NULL, "" };
    const int ids[] = { ID_BOS, ID_SPECIALS, ID_UNK, ID_SPECIALS, ID_UNK, ID_UNK, ID_EOS };
    Buf out = { 0 };
    for (int kind = TOKENS_BPE; kind <= TOKENS_CHAR; kind++) {
        Tokenizer *t = learned(kind, 8000);
        buf_clear(&out);
        tokenizer_decode(t, ids, sizeof ids / sizeof *ids, copies, &out);
        assert_string_equal(out.text, kind == TOKENS_WORD ? ". ЖЩ . <unk>" : "ЖЩ <unk>");
        tokenizer_free(t);
    }
    buf_free(&out);
}

static void names_of_specials_in_a_text_should_be_no_specials(void **state)
{
    (void)state;
    static const char *const text[] = { "<eos> <pad> a", "<eos> <eos> <unk> b <bos>" };
    for (int kind = TOKENS_BPE; kind <= TOKENS_CHAR; kind++) {
        TextOptions options = text_defaults();
        options.tokens = kind;
        Tokenizer *t = learn_lines(&options, text, 2);
        Ids ids = encoded(t, "<eos> <bos> <pad>");
        for (size_t i = 0; i < ids.count; i++)
            assert_true(ids.id[i] == ID_UNK || ids.id[i] >= ID_SPECIALS);
        for (int id = ID_SPECIALS; id < tokenizer_size(t); id++)
            assert_string_not_equal(tokenizer_piece(t, id), "<eos>");
        ids_free(&ids);
        tokenizer_free(t);
    }
}

/* A network may write the mark of a blank anywhere. */
static void a_text_should_have_single_blanks_between_its_words_alone(void **state)
{
    (void)state;
    static const char *const copies[] = { "ЖЩ", "Щ" };
    for (int kind = TOKENS_BPE; kind <= TOKENS_CHAR; kind += TOKENS_CHAR - TOKENS_BPE) {
        Tokenizer *t = learned(kind, 8000);
        Ids mark = { 0 };
        tokenizer_encode_word(t, BLANK_MARK, BLANK_MARK_LENGTH, NULL, &mark);
        const int blank = mark.id[0];
        const int alone[] = { ID_UNK, blank, ID_EOS };
        const int many[] = { blank, blank, ID_UNK, blank, blank, blank, ID_UNK, blank, blank };
        Buf out = { 0 };
        assert_true(mark.count == 1 && blank >= ID_SPECIALS);
        tokenizer_decode(t, alone, 3, copies, &out);
        assert_string_equal(out.text, "ЖЩ");
        buf_puts(&out, " > ");
        tokenizer_decode(t, many, 9, copies, &out);
        assert_string_equal(out.text, "ЖЩ > ЖЩ Щ");
        buf_clear(&out);
        tokenizer_decode(t, &blank, 1, NULL, &out);
        assert_string_equal(out.text, "");
        ids_free(&mark);
        buf_free(&out);
        tokenizer_free(t);
    }
}

static void decoding_should_leave_out_what_is_no_word(void **state)
{
    (void)state;
    Tokenizer *t = learned(TOKENS_BPE, 8000);
    Ids ids = { 0 };
    Buf out = { 0 };
    buf_puts(&out, "> ");
    ids_add(&ids, ID_BOS);
    tokenizer_encode(t, "Le chat", 7, &ids, NULL);
    ids_add(&ids, ID_UNK);
    ids_add(&ids, ID_EOS);
    ids_add(&ids, ID_PAD);
    tokenizer_decode(t, ids.id, ids.count, NULL, &out);
    assert_string_equal(out.text, "> Le chat<unk>");
    ids_free(&ids);
    buf_free(&out);
    tokenizer_free(t);
}

static void empty_text_should_give_the_specials_and_the_mark(void **state)
{
    (void)state;
    for (int kind = TOKENS_BPE; kind <= TOKENS_CHAR; kind++) {
        TextOptions options = text_defaults();
        options.tokens = kind;
        Tokenizer *t = learn_lines(&options, NULL, 0);
        assert_int_equal(tokenizer_size(t), ID_SPECIALS + (kind != TOKENS_WORD));
        Ids ids = encoded(t, "a");
        assert_int_equal(ids.id[ids.count - 1], ID_UNK);
        ids_free(&ids);
        tokenizer_free(t);
    }
}

/* Whatever a text holds, what was learned from it can be saved and loaded. */
static Tokenizer *through_json(Tokenizer *t)
{
    Err e = { "" };
    cJSON *json = tokenizer_to_json(t);
    Tokenizer *back = tokenizer_from_json(json, &e);
    if (!back) fail_msg("%s", e.text);
    cJSON_Delete(json);
    tokenizer_free(t);
    return back;
}

typedef struct { char *line[GENERATED_LINES]; } Generated;

static Generated *generated_new(void)
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

static void generated_free(Generated *g)
{
    for (int i = 0; i < GENERATED_LINES; i++)
        free(g->line[i]);
    free(g);
}

static void assert_all_come_back(const Tokenizer *t, const Generated *g)
{
    Buf normal = { 0 };
    for (int i = 0; i < GENERATED_LINES; i++) {
        buf_clear(&normal);
        words_normalise(g->line[i], strlen(g->line[i]), tokenizer_options(t)->lowercase, &normal);
        assert_comes_back(t, g->line[i], normal.text);
    }
    buf_free(&normal);
}

static void generated_lines_should_come_back_where_nothing_is_unknown(void **state)
{
    (void)state;
    Generated *g = generated_new();
    Buf normal = { 0 };
    for (int kind = TOKENS_BPE; kind <= TOKENS_CHAR; kind++) {
        TextOptions options = { .tokens = kind, .min_frequency = 1, .lowercase = 1 };
        Tokenizer *t = through_json(learn_lines(&options, (const char *const *)g->line,
                                                GENERATED_LINES));
        for (int i = 0; i < GENERATED_LINES && kind != TOKENS_WORD; i++) {
            buf_clear(&normal);
            words_normalise(g->line[i], strlen(g->line[i]), 1, &normal);
            assert_round_trip(t, g->line[i], normal.text);
        }
        tokenizer_free(t);
    }
    buf_free(&normal);
    generated_free(g);
}

/* Vocabularies that hold all characters of a tenth of the lines, some of them, the mark alone; and
 * none that was learned. */
static void generated_lines_should_come_back_when_unknown_text_is_copied(void **state)
{
    (void)state;
    static const int sizes[] = { 0, 300, ID_SPECIALS + 20, ID_SPECIALS + 1, 1 };
    Generated *g = generated_new();
    for (int kind = TOKENS_BPE; kind <= TOKENS_CHAR; kind++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes && kind != TOKENS_WORD; i++) {
            TextOptions options = { .tokens = kind, .vocabulary = sizes[i], .min_frequency = 1 };
            size_t count = i + 1 < sizeof sizes / sizeof *sizes ? GENERATED_LINES / 10 : 0;
            Tokenizer *t = through_json(learn_lines(&options, (const char *const *)g->line, count));
            assert_all_come_back(t, g);
            tokenizer_free(t);
        }
    generated_free(g);
}

/* ---- Words and noise ---- */

static void words_should_be_encoded_as_their_line_is(void **state)
{
    (void)state;
    for (int kind = TOKENS_BPE; kind <= TOKENS_CHAR; kind++) {
        Tokenizer *t = learned(kind, 90);
        Words words = { 0 };
        for (int i = 0; i < LINES; i++) {
            Ids whole = encoded(t, lines[i]), parts = { 0 };
            tokenizer_split(tokenizer_options(t), lines[i], strlen(lines[i]), &words);
            for (size_t k = 0, length; k < words.count; k++) {
                const char *word = words_at(&words, k, &length);
                tokenizer_encode_word(t, word, length, NULL, &parts);
            }
            assert_int_equal(parts.count, whole.count);
            assert_memory_equal(parts.id, whole.id, whole.count * sizeof *whole.id);
            ids_free(&whole);
            ids_free(&parts);
        }
        words_free(&words);
        tokenizer_free(t);
    }
}

static void noise_should_cut_a_word_in_other_ways_and_lose_nothing(void **state)
{
    (void)state;
    static const char word[] = BLANK_MARK "chaise";
    Tokenizer *t = learned(TOKENS_BPE, 8000);
    int cut = 0;
    for (uint64_t i = 0; i < 200; i++) {
        Ids ids = { 0 };
        Buf out = { 0 };
        tokenizer_encode_word(t, word, strlen(word),
                              &(BpeNoise){ rng_key(1, 0, RNG_DROPOUT), i, 0.3 }, &ids);
        tokenizer_decode(t, ids.id, ids.count, NULL, &out);
        assert_string_equal(out.text, "chaise");
        cut += ids.count > 1;
        ids_free(&ids);
        buf_free(&out);
    }
    assert_true(cut > 50 && cut < 200);
    tokenizer_free(t);
}

/* ---- Counts ---- */

static void assert_equal_tokenizers(Tokenizer *one, Tokenizer *other)
{
    cJSON *a = tokenizer_to_json(one), *b = tokenizer_to_json(other);
    char *first = json_text(a, 0), *second = json_text(b, 0);
    assert_string_equal(first, second);
    free(first);
    free(second);
    cJSON_Delete(a);
    cJSON_Delete(b);
    tokenizer_free(one);
    tokenizer_free(other);
}

static void order_of_the_lines_should_not_matter(void **state)
{
    (void)state;
    Generated *g = generated_new();
    static char *backward[GENERATED_LINES];
    for (int i = 0; i < GENERATED_LINES; i++)
        backward[i] = g->line[GENERATED_LINES - 1 - i];
    for (int kind = TOKENS_BPE; kind <= TOKENS_CHAR; kind++) {
        TextOptions options = { .tokens = kind, .vocabulary = 900, .min_frequency = 1 };
        assert_equal_tokenizers(
            learn_lines(&options, (const char *const *)g->line, GENERATED_LINES),
            learn_lines(&options, (const char *const *)backward, GENERATED_LINES));
    }
    generated_free(g);
}

/* Words of both sides in one lexicon; the last one is in neither. */
static void two_sides_should_count_as_their_sum(void **state)
{
    (void)state;
    StringTable words = { 0 };
    static const char *const text[] = { "\u2581chat", "\u2581cat", "\u2581the", "\u2581zz" };
    static const long left[] = { 0, 3, 5, 0 }, right[] = { 4, 1, 0, 0 }, both[] = { 4, 4, 5, 0 };
    for (size_t i = 0; i < 4; i++)
        string_table_add(&words, text[i], strlen(text[i]));
    for (int kind = TOKENS_BPE; kind <= TOKENS_CHAR; kind++) {
        TextOptions options = { .tokens = kind, .vocabulary = ID_SPECIALS + 9, .min_frequency = 4 };
        const WordCounts sides[] = { { &words, left }, { &words, right } };
        Tokenizer *t = tokenizer_learn(&options, sides, 2, NULL);
        for (int id = 0; id < tokenizer_size(t); id++)
            assert_null(strchr(tokenizer_piece(t, id), 'z'));
        assert_equal_tokenizers(t, tokenizer_learn(&options, &(WordCounts){ &words, both }, 1,
                                                   NULL));
    }
    string_table_free(&words);
}

/* ---- Merges from a file ---- */

static Merges imported(Scratch *scratch, const char *codes)
{
    Merges merges = { 0 };
    Err e = { "" };
    if (merges_read(&merges, scratch_puts(scratch, "codes", codes), &e)) fail_msg("%s", e.text);
    return merges;
}

static Tokenizer *learned_with(const Merges *merges, int vocabulary, const char *const *text,
                               size_t count)
{
    TextOptions options = text_defaults();
    StringTable words = { 0 };
    options.vocabulary = vocabulary;
    count_lines(&options, text, count, &words);
    Tokenizer *t = tokenizer_learn(&options, &(WordCounts){ &words, words.tally }, 1, merges);
    string_table_free(&words);
    return t;
}

/* No line has a word with "en" inside, or with "b" at its head. */
static void pieces_should_be_entries_and_what_is_none_fall_back_to_characters(void **state)
{
    Merges merges = imported(*state, "#version: 0.2\nc h\ne s\nes t</w>\no u\nou s</w>\ne n\n");
    Tokenizer *t = through_json(learned_with(&merges, 8000, lines, LINES));
    Tokenizer *characters = learned(TOKENS_CHAR, 8000);
    assert_pieces(t, "est sous l'est", "_est|_s|ous|_l|'|est");
    assert_pieces(t, "chien chou", "_ch|i|e|n|_ch|o|u");
    assert_pieces(t, "ende best", "_|e|n|d|e|_|b|est");
    assert_comes_back(t, "Жest wouЖ", "Жest wouЖ");
    tokenizer_free(t);
    t = learned_with(&merges, tokenizer_size(characters) + 3, lines, LINES);
    assert_int_equal(tokenizer_size(t), tokenizer_size(characters) + 3);
    assert_pieces(t, "le chien est", "_l|e|_ch|i|e|n|_|e|s|t");
    tokenizer_free(t);
    tokenizer_free(characters);
    merges_free(&merges);
}

/* By words "cd" is more frequent than the mark with "ab", by occurrences it is not. */
static void pieces_should_be_weighed_by_how_often_they_occur(void **state)
{
    static const char *const text[] = { "ab ab ab xcd ycd" };
    Merges merges = imported(*state, "a b\nc d\n");
    Tokenizer *t = learned_with(&merges, ID_SPECIALS + 8, text, 1);
    assert_int_equal(tokenizer_size(t), ID_SPECIALS + 8);
    assert_string_equal(tokenizer_piece(t, ID_SPECIALS + 7), BLANK_MARK "ab");
    tokenizer_free(t);
    merges_free(&merges);
}

/* Ends of words in both ways; and as many characters as there are entries. */
static void generated_lines_should_come_back_from_imported_merges(void **state)
{
    static const char *const codes[] = { "a e\nae n\nn </w>\naen n</w>\n",
                                         "#version: 0.2\na e\nae n</w>\n\u0301 t\n",
                                         "\u2581 a\na e</w>\n" };
    Generated *g = generated_new();
    for (size_t i = 0; i < 3; i++)
        for (int size = 0; size <= 300; size += 300) {
            Merges merges = imported(*state, codes[i]);
            Tokenizer *t = learned_with(&merges, size, (const char *const *)g->line,
                                        GENERATED_LINES / 10);
            assert_all_come_back(t, g);
            tokenizer_free(t);
            merges_free(&merges);
        }
    generated_free(g);
}

static void assert_same_pieces(const Tokenizer *one, const Tokenizer *other,
                               const char *const *text, size_t count)
{
    Buf expected = { 0 };
    for (size_t i = 0; i < count; i++) {
        pieces_of(one, text[i], &expected);
        assert_pieces(other, text[i], expected.text);
    }
    buf_free(&expected);
}

/* Written, read, and used again, the merges cut the text as before. */
static void check_export(Scratch *scratch, const Tokenizer *t, const char *const *text,
                         size_t count)
{
    Buf codes = { 0 };
    merges_write(tokenizer_merges(t), &codes);
    Merges merges = imported(scratch, codes.text);
    Tokenizer *again = learned_with(&merges, 0, text, count);
    assert_same_pieces(t, again, text, count);
    tokenizer_free(again);
    merges_free(&merges);
    buf_free(&codes);
}

static void exported_and_imported_merges_should_give_the_same_pieces(void **state)
{
    Tokenizer *t = learned(TOKENS_BPE, 80);
    check_export(*state, t, lines, LINES);
    tokenizer_free(t);
}

/* ---- word ---- */

static void word_kind_should_keep_frequent_words_in_falling_order(void **state)
{
    (void)state;
    static const char *const text[] = { "B b a.", "a c\u202F! b", "C d" };
    TextOptions options = { .tokens = TOKENS_WORD, .min_frequency = 2, .lowercase = 1 };
    Tokenizer *t = learn_lines(&options, text, 3);
    assert_int_equal(tokenizer_size(t), ID_SPECIALS + 3);
    assert_string_equal(tokenizer_piece(t, ID_SPECIALS), "b");
    assert_string_equal(tokenizer_piece(t, ID_SPECIALS + 1), "a");
    assert_string_equal(tokenizer_piece(t, ID_SPECIALS + 2), "c");
    assert_round_trip(t, "A b, C!", "a b <unk> c <unk>");
    tokenizer_free(t);
    options.vocabulary = ID_SPECIALS + 1;
    options.lowercase = 0;
    t = learn_lines(&options, text, 3);
    assert_int_equal(tokenizer_size(t), ID_SPECIALS + 1);
    assert_round_trip(t, "B b a", "<unk> <unk> a");
    tokenizer_free(t);
}

/* ---- JSON ---- */

static void tokenizer_should_come_back_from_json(void **state)
{
    (void)state;
    for (int kind = TOKENS_BPE; kind <= TOKENS_CHAR; kind++) {
        Err e = { "" };
        Tokenizer *t = learned(kind, 70);
        cJSON *json = tokenizer_to_json(t), *again;
        Tokenizer *back = tokenizer_from_json(json, &e);
        if (!back) fail_msg("%s", e.text);
        assert_true(cJSON_Compare(json, again = tokenizer_to_json(back), 1));
        assert_int_equal(tokenizer_size(back), tokenizer_size(t));
        assert_int_equal(tokenizer_options(back)->tokens, kind);
        assert_int_equal(tokenizer_options(back)->vocabulary, 70);
        for (int i = 0; i < LINES; i++) {
            Ids one = encoded(t, lines[i]), two = encoded(back, lines[i]);
            assert_int_equal(one.count, two.count);
            assert_memory_equal(one.id, two.id, one.count * sizeof *one.id);
            ids_free(&one);
            ids_free(&two);
        }
        cJSON_Delete(json);
        cJSON_Delete(again);
        tokenizer_free(t);
        tokenizer_free(back);
    }
}

/* Arguments: the pieces after the specials, and the merges. */
#define TOKENIZER(pieces, merges) \
    "{\"options\":{\"tokens\":\"bpe\"}," \
    "\"pieces\":[\"<unk>\",\"<pad>\",\"<bos>\",\"<eos>\"" pieces "]," \
    "\"merges\":[" merges "]}"

static Tokenizer *from_text(const char *text, Err *e)
{
    cJSON *json = json_parse(text, strlen(text), e);
    if (!json) fail_msg("%s", e->text);
    Tokenizer *t = tokenizer_from_json(json, e);
    cJSON_Delete(json);
    return t;
}

static void sound_json_should_be_accepted(void **state)
{
    (void)state;
    Err e = { "" };
    Tokenizer *t = from_text(TOKENIZER(",\"a\",\"b\",\"ab\"", "\"a b\""), &e);
    if (!t) fail_msg("%s", e.text);
    assert_pieces(t, "abba", "<unk>|ab|b|a");
    tokenizer_free(t);
}

static void damaged_json_should_be_refused_with_what_is_wrong(void **state)
{
    (void)state;
    static const struct { const char *json, *message; } cases[] = {
        { "[]", "options" },
        { "{\"options\":{},\"merges\":[]}", "pieces" },
        { "{\"options\":{},\"pieces\":[]}", "merges" },
        { "{\"options\":{},\"pieces\":[],\"merges\":[]}", "pieces: only 0 of them" },
        { "{\"options\":{\"tokens\":\"syllable\"},\"pieces\":[],\"merges\":[]}", "tokens" },
        { "{\"options\":{\"colour\":1},\"pieces\":[],\"merges\":[]}", "colour" },
        { "{\"options\":{},\"pieces\":[\"<unk>\",\"<pad>\",\"<eos>\",\"<bos>\"],\"merges\":[]}",
          "entry 2 is '<eos>', not the special token '<bos>'" },
        { "{\"options\":{},\"pieces\":[\"<unk>\",\"<pad>\",\"<bos>\"],\"merges\":[]}",
          "pieces: only 3 of them" },
        { TOKENIZER(",7", ""), "pieces: entry 4 is not" },
        { TOKENIZER(",\"\"", ""), "pieces: entry 4 is not" },
        { TOKENIZER(",\"a b\"", ""), "pieces: entry 4 is not" },
        { TOKENIZER(",\"a\\n\"", ""), "pieces: entry 4 is not" },
        { TOKENIZER(",\"\\u0007\"", ""), "pieces: entry 4 is not" },
        { TOKENIZER(",\"\xFF\"", ""), "pieces: entry 4 is not" },
        { TOKENIZER(",\"a\",\"b\",\"a\"", ""), "pieces: entry 6, 'a', occurs twice" },
        { TOKENIZER(",\"<eos>\"", ""), "pieces: entry 4, '<eos>', occurs twice" },
        { TOKENIZER(",\"a\"", "7"), "merges: entry 0 is not of the form" },
        { TOKENIZER(",\"a\"", "\"a\""), "merges: entry 0 is not of the form" },
        { TOKENIZER(",\"a\",\"b\"", "\"a b\""),
          "merges: 'a b' has a part that is not among the pieces" },
        { TOKENIZER(",\"a\",\"ab\"", "\"a b\""),
          "merges: 'a b' has a part that is not among the pieces" },
        { TOKENIZER(",\"<\",\"eos>\"", "\"< eos>\""),
          "merges: '< eos>' has a part that is not among the pieces" },
        { TOKENIZER(",\"a\",\"aa\"", "\"a a\",\"a a\""), "merges: 'a a' occurs twice" },
        { TOKENIZER(",\"a\"", "\" a\""), "merges: entry 0 is not of the form" },
        { TOKENIZER(",\"a\"", "\"a a a\""), "merges: entry 0 is not of the form" },
        { TOKENIZER(",\"a\"", "\"a \xFF\""), "merges: entry 0 is not of the form" },
        { TOKENIZER(",\"a\"", "],\"word_end\":[\"none\""), "word_end" },
        { TOKENIZER(",\"a\"", "],\"word_end\":\"left\",\"x\":["), "word_end: 'left' is none of" },
        { "{\"options\":{\"tokens\":\"char\"},\"pieces\":[\"<unk>\",\"<pad>\",\"<bos>\",\"<eos>\","
          "\"a\",\"aa\"],\"merges\":[\"a a\"]}",
          "merges: only a tokenizer of kind bpe has some" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err e = { "" };
        if (from_text(cases[i].json, &e)) fail_msg("accepted: %s", cases[i].json);
        if (!strstr(e.text, cases[i].message))
            fail_msg("%s: '%s' does not say '%s'", cases[i].json, e.text, cases[i].message);
    }
}

/* ---- The real corpus ---- */

static void assert_textbook_size(const char *const *side, int expected)
{
    TextOptions options = { .tokens = TOKENS_WORD, .min_frequency = 2, .lowercase = 1 };
    Tokenizer *t = learn_lines(&options, side, 600);
    assert_int_equal(tokenizer_size(t), expected);
    tokenizer_free(t);
}

static int read_corpus(Corpus *corpus, const char *path, long most, Err *e)
{
    BitextReport report;
    const BitextFiles files = { .name = &path, .count = 1 };
    return corpus_read(corpus, &files, &(BitextOptions){ .max_pairs = most }, -1, &report, e);
}

static void first_600_pairs_should_give_the_textbooks_vocabularies(void **state)
{
    (void)state;
    Err e = { "" };
    Corpus corpus;
    const char *path = getenv("ATTN_CORPUS");
    if (!path) skip();
    if (read_corpus(&corpus, path, 600, &e)) fail_msg("%s", e.text);
    assert_int_equal(corpus.count, 600);
    assert_textbook_size(corpus.source, 184);
    assert_textbook_size(corpus.target, 201);
    corpus_free(&corpus);
}

static void size_of_the_vocabulary_should_follow_the_corpus_unless_it_is_given(void **state)
{
    (void)state;
    TextOptions options = text_defaults();
    assert_int_equal(text_vocabulary(&options, 10), 1000);
    assert_int_equal(text_vocabulary(&options, 1e4), 3500);
    assert_int_equal(text_vocabulary(&options, 114489), 12000);
    assert_int_equal(text_vocabulary(&options, 4e5), 22000);
    assert_int_equal(text_vocabulary(&options, 1e9), 32000);
    options.vocabulary = 77;
    assert_int_equal(text_vocabulary(&options, 1e6), 77);
    options.vocabulary = 0;
    options.tokens = TOKENS_WORD;
    assert_int_equal(text_vocabulary(&options, 1e6), 0);
}

static void whole_corpus_should_come_back_from_subwords(void **state)
{
    Err e = { "" };
    Corpus corpus;
    Buf normal = { 0 };
    const char *path = getenv("ATTN_CORPUS");
    if (!path) skip();
    if (read_corpus(&corpus, path, 0, &e)) fail_msg("%s", e.text);
    TextOptions options = text_defaults();
    options.vocabulary = 8000;
    Tokenizer *t = learn_lines(&options, corpus.target, corpus.count);
    assert_int_equal(tokenizer_size(t), 8000);
    for (size_t i = 0; i < corpus.count; i++) {
        buf_clear(&normal);
        words_normalise(corpus.target[i], strlen(corpus.target[i]), 0, &normal);
        assert_round_trip(t, corpus.target[i], normal.text);
    }
    check_export(*state, t, corpus.target + corpus.count - LONGEST, LONGEST);
    tokenizer_free(t);
    buf_free(&normal);
    corpus_free(&corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learned_lines_should_come_back),
        cmocka_unit_test(subwords_should_grow_with_the_vocabulary),
        cmocka_unit_test(vocabulary_should_keep_its_limit_and_the_most_frequent_characters),
        cmocka_unit_test(learning_should_weigh_words_by_how_often_they_occur),
        cmocka_unit_test(decoded_should_be_the_normal_line),
        cmocka_unit_test(each_run_of_unknown_characters_should_be_one_unknown_token),
        cmocka_unit_test(names_of_specials_in_a_text_should_be_no_specials),
        cmocka_unit_test(a_text_should_have_single_blanks_between_its_words_alone),
        cmocka_unit_test(decoding_should_leave_out_what_is_no_word),
        cmocka_unit_test(empty_text_should_give_the_specials_and_the_mark),
        cmocka_unit_test(unknown_text_should_be_told_for_each_unknown_token_of_a_line),
        cmocka_unit_test(copies_should_be_written_where_there_are_some),
        cmocka_unit_test(generated_lines_should_come_back_where_nothing_is_unknown),
        cmocka_unit_test(generated_lines_should_come_back_when_unknown_text_is_copied),
        cmocka_unit_test(words_should_be_encoded_as_their_line_is),
        cmocka_unit_test(noise_should_cut_a_word_in_other_ways_and_lose_nothing),
        cmocka_unit_test(order_of_the_lines_should_not_matter),
        cmocka_unit_test(two_sides_should_count_as_their_sum),
        in_scratch(pieces_should_be_entries_and_what_is_none_fall_back_to_characters),
        in_scratch(pieces_should_be_weighed_by_how_often_they_occur),
        in_scratch(generated_lines_should_come_back_from_imported_merges),
        in_scratch(exported_and_imported_merges_should_give_the_same_pieces),
        cmocka_unit_test(word_kind_should_keep_frequent_words_in_falling_order),
        cmocka_unit_test(tokenizer_should_come_back_from_json),
        cmocka_unit_test(sound_json_should_be_accepted),
        cmocka_unit_test(damaged_json_should_be_refused_with_what_is_wrong),
        cmocka_unit_test(first_600_pairs_should_give_the_textbooks_vocabularies),
        cmocka_unit_test(size_of_the_vocabulary_should_follow_the_corpus_unless_it_is_given),
        in_scratch(whole_corpus_should_come_back_from_subwords),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
