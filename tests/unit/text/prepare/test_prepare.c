/* test_prepare.c - lines as the network sees them, and translations as people read them. */
#include "text/prepare/prepare.h"

#include "base/mem.h"
#include "learn_lines.h"
#include "lexicon_case.h"
#include "random_text.h"
#include "scratch.h"
#include "text/unicode.h"

typedef struct { Tokenizer *tokenizer; Lexicon *lexicon; Language language; } World;

static const char *const lines[] = {
    "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ", "é 0123456789 .,!?'\"-«»",
};
static const char lexicon_text[] =
    "['rome . , ! ? - \\u00AB \\u00BB \\u0027','','Tom Rome may May','','second','third',"
    "'the cat is on here saw I m at &']";

static World world_new(int truecase, int placeholders)
{
    TextOptions options = text_defaults();
    options.tokens = TOKENS_CHAR;
    options.truecase = truecase;
    options.placeholders = placeholders;
    World w = { .tokenizer = learn_lines(&options, lines, 2), .lexicon = lexicon_of(lexicon_text) };
    w.language = (Language){ .tokenizer = w.tokenizer, .lexicon = w.lexicon };
    return w;
}

static void world_free(World *w)
{
    tokenizer_free(w->tokenizer);
    lexicon_free(w->lexicon);
}

/* Words with _ for the mark and | between two, a placeholder as #1 or $1 (numbers). */
static void show(const Words *words, Buf *out)
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

/* The words of a source, its copies joined by |, and its case: a letter of "wFC". */
static void assert_source(const World *w, const char *line, const char *words, const char *copies,
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

static void words_should_be_in_their_usual_case(void **state)
{
    (void)state;
    World w = world_new(1, 1);
    assert_source(&w, "The cat saw Tom.", "_the|_cat|_saw|_Tom|.", "", 'F');
    assert_source(&w, "the cat saw tom.", "_the|_cat|_saw|_Tom|.", "", 'w');
    assert_source(&w, "THE CAT SAW TOM!", "_the|_cat|_saw|_Tom|!", "", 'C');
    assert_source(&w, "The Cat Saw Tom Here", "_the|_cat|_saw|_Tom|_here", "", 'F');
    assert_source(&w, "« The cat »", "_«|_the|_cat|_»", "", 'F');
    assert_source(&w, "", "", "", 'F');
    world_free(&w);
}

static void typographic_marks_should_be_plain(void **state)
{
    (void)state;
    World w = world_new(1, 1);
    assert_source(&w, "Tom ‘is’ – here", "_Tom|_'|is|'|_-|_here", "", 'F');
    world_free(&w);
}

static void a_sentence_with_many_names_should_be_no_title(void **state)
{
    (void)state;
    World w = world_new(1, 1);
    assert_source(&w, "The cat saw May Tom Rome Zorb Yak", "_the|_cat|_saw|_May|_Tom|_Rome|_#1", "Zorb Yak",
                  'F');
    assert_source(&w, "The Cat Is On Tom", "_the|_cat|_is|_on|_Tom", "", 'F');
    assert_source(&w, "The Cat Is Zorb Yak", "_the|_cat|_is|_#1", "Zorb Yak", 'F');
    world_free(&w);
}

static void what_the_lexicon_lacks_should_be_copied(void **state)
{
    (void)state;
    World w = world_new(1, 1);
    assert_source(&w, "Tom saw 241 and Zorb.", "_Tom|_saw|_$1|_and|_#2|.", "241|Zorb", 'F');
    assert_source(&w, "the cat is on https://a.b/C", "_the|_cat|_is|_on|_#1", "https://a.b/C", 'w');
    assert_source(&w, "the zorb is", "_the|_zorb|_is", "", 'w');
    assert_source(&w, "saw ¿, cat", "_saw|_#1|,|_cat", "¿", 'w');
    assert_source(&w, "Zorb Mc-Ally saw Tom.", "_#1|_saw|_Tom|.", "Zorb Mc-Ally", 'F');
    assert_source(&w, "saw O'Zorb, Zorb Tom Yorb", "_saw|_#1|,|_#2|_Tom|_#3", "O'Zorb|Zorb|Yorb", 'w');
    assert_source(&w, "on 10 000 and 3 kg", "_on|_$1|_$2|_and|_$3|_kg", "10|000|3", 'w');
    assert_source(&w, "the 寿司, 寿 司 is", "_the|_#1|,|_#2|_#3|_is", "寿司|寿|司", 'w');
    assert_source(&w, "Zorb, Yorb saw 3", "_#1|,|_#2|_saw|_$3", "Zorb|Yorb|3", 'F');
    assert_source(&w, "ZORB SAW TOM AND FOO_BAR().", "_#1|_saw|_Tom|_#2|.", "ZORB|AND FOO_BAR()",
                  'C');
    world_free(&w);
}

/* Names beside each other are one copy, but not where a tag was taken out. */
static void copies_should_end_at_tags(void **state)
{
    (void)state;
    World w = world_new(1, 1);
    const char *line = "the Zorb Yorb is 3kg";
    const size_t at[] = { 4, 9, 16, 18 };       /* the <b>Zorb</b> Yorb is<i> 3</i>kg */
    size_t word[4];
    Prepared p = { 0 };
    Buf shown = { 0 };
    assert_source(&w, line, "_the|_#1|_is|_$2|kg", "Zorb Yorb|3", 'w');
    prepare_source_around(&p, w.language, line, strlen(line), at, word, 4);
    show(&p.words, &shown);
    assert_string_equal(shown.text, "_the|_#1|_#2|_is|_$3|kg");
    assert_int_equal(word[0], 1);
    assert_int_equal(word[1], 2);
    assert_int_equal(word[2], 4);
    assert_int_equal(word[3], 5);
    buf_free(&shown);
    prepared_free(&p);
    world_free(&w);
}

static void no_more_than_fit_should_be_copied(void **state)
{
    (void)state;
    World w = world_new(1, 1);
    assert_source(&w, "on 11, 12, 13, 14, 15, 16, 17, 18, 19, 20",
                  "_on|_$1|,|_$2|,|_$3|,|_$4|,|_$5|,|_$6|,|_$7|,|_$8|,|_19|,|_20",
                  "11|12|13|14|15|16|17|18", 'w');
    world_free(&w);
}

static void what_the_lexicon_knows_should_be_a_word(void **state)
{
    (void)state;
    World w = world_new(1, 1);
    lexicon_free(w.lexicon);
    w.language.lexicon = w.lexicon = lexicon_of("['Cuba','','2 2:30 is here . :) 😀']");
    assert_source(&w, "2 is here 2:30", "_2|_is|_here|_2:30", "", 'w');
    assert_source(&w, "here is :) 😀 Cuba.", "_here|_is|_:)|_😀|_Cuba|.", "", 'w');
    world_free(&w);
}

/* In its usual case a small text may have no capital at all. */
static void a_known_word_should_stay_whatever_capitals_the_vocabulary_has(void **state)
{
    (void)state;
    World w = world_new(1, 1);
    tokenizer_free(w.tokenizer);
    TextOptions options = text_defaults();
    options.tokens = TOKENS_CHAR;
    options.truecase = options.placeholders = 1;
    w.tokenizer = learn_lines(&options, (const char *const[]){ "the cat is on here saw ." }, 1);
    w.language.tokenizer = w.tokenizer;
    assert_source(&w, "The cat is here.", "_the|_cat|_is|_here|.", "", 'F');
    assert_source(&w, "The zorb", "_the|_#1", "zorb", 'F');
    world_free(&w);
}

static void each_part_should_work_by_itself(void **state)
{
    (void)state;
    World cased = world_new(1, 0), copied = world_new(0, 1), none = world_new(0, 0);
    assert_source(&cased, "The cat saw 241", "_the|_cat|_saw|_241", "", 'F');
    assert_source(&copied, "THE cat saw 241", "_#1|_cat|_saw|_$2", "THE|241", 'w');
    none.language.lexicon = NULL;
    assert_source(&none, "The ‘cat’ saw 241", "_The|_‘|cat|’|_saw|_241", "", 'w');
    world_free(&cased);
    world_free(&copied);
    world_free(&none);
}

static void assert_target(const World *w, const char *source, const char *target,
                          const char *expected)
{
    Prepared p = { 0 };
    Words words = { 0 };
    Buf shown = { 0 };
    prepare_source(&p, w->language, source, strlen(source));
    prepare_target(&words, w->language, target, strlen(target), &p.copies);
    show(&words, &shown);
    assert_string_equal(shown.text, expected);
    buf_free(&shown);
    words_free(&words);
    prepared_free(&p);
}

static void a_target_should_have_the_placeholders_of_its_source_each_once(void **state)
{
    (void)state;
    World w = world_new(1, 1);
    assert_target(&w, "Tom saw 241 and Zorb.", "Zorb is on 241 Zorb 7", "_#2|_is|_on|_$1|_Zorb|_7");
    assert_target(&w, "the Zorb Yorb", "THE Zorb Yorb Zorb", "_the|_#1|_Zorb");
    assert_target(&w, "on 7 and 7", "on 7, 7, 7", "_on|_$1|,|_$2|,|_7");
    assert_target(&w, "the cat", "The Rome 7", "_the|_Rome|_7");
    world_free(&w);
}

static void assert_output(const char *text, OutputCase output, const char *expected)
{
    static const char *const copies[] = { "iZorb", "241 and x" };
    Buf out = { 0 };
    buf_clear(&out);
    prepare_output(text, output, NULL, copies, 2, &out);
    assert_string_equal(out.text, expected);
    buf_free(&out);
}

static void a_translation_should_get_its_case_but_copies_keep_theirs(void **state)
{
    (void)state;
    assert_output("le chat \x1A dort \x1A.", CASE_AS_WRITTEN, "le chat iZorb dort 241 and x.");
    assert_output("le chat \x1A dort.", CASE_FIRST_CAPITAL, "Le chat iZorb dort.");
    assert_output("\x1A dort, le \x1A", CASE_FIRST_CAPITAL, "iZorb dort, le 241 and x");
    assert_output("« été \x1A", CASE_FIRST_CAPITAL, "« Été iZorb");
    assert_output("l'été \x1A dort", CASE_ALL_CAPITALS, "L'ÉTÉ iZorb DORT");
    assert_output("12 ans", CASE_FIRST_CAPITAL, "12 ans");
    assert_output("", CASE_FIRST_CAPITAL, "");
}

/* Writes a prepared source out again, as if it were its own translation. */
static void unchanged(const World *w, const Prepared *p, Buf *out)
{
    Ids ids = { 0 };
    Words unknown = { 0 };
    Buf text = { 0 };
    tokenizer_encode_words(w->tokenizer, &p->words, &ids, &unknown);
    char **list = xcalloc(ids.count + 1, sizeof *list);
    for (size_t i = 0, k = 0, length; i < ids.count; i++) {
        const int number = placeholder_copy(ids.id[i] - ID_SPECIALS);
        if (ids.id[i] == ID_UNK) {
            const char *word = words_at(&unknown, k++, &length);
            list[i] = xstrndup(word, length);
        } else if (placeholder_bit(ids.id[i])) {
            assert_true(number < (int)p->copies.text.count);
            const char *copy = copies_at(&p->copies, number);
            list[i] = xstrndup(copy, strlen(copy));
        }
    }
    tokenizer_decode(w->tokenizer, ids.id, ids.count, (const char *const *)list, &text);
    buf_clear(out);
    prepare_output(text.text, p->output, NULL, NULL, 0, out);
    for (size_t i = 0; i < ids.count; i++)
        free(list[i]);
    free(list);
    buf_free(&text);
    words_free(&unknown);
    ids_free(&ids);
}

static void a_usual_sentence_should_come_back_from_its_ids(void **state)
{
    (void)state;
    static const char *const same[] = { "The cat saw Tom, 241 and Zorb Yorb.", "the cat is here",
                                        "« The cat. » is on https://a.b/C 😀!", "Rome, May?", "" };
    World w = world_new(1, 1);
    Buf out = { 0 };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        Prepared p = { 0 };
        prepare_source(&p, w.language, same[i], strlen(same[i]));
        unchanged(&w, &p, &out);
        assert_string_equal(out.text, same[i]);
        prepared_free(&p);
    }
    buf_free(&out);
    world_free(&w);
}

static void any_line_should_give_a_valid_line(void **state)
{
    (void)state;
    World w = world_new(1, 1);
    Prepared p = { 0 };
    Words target = { 0 };
    Buf line = { 0 }, out = { 0 };
    for (uint64_t i = 0; i < 3000; i++) {
        random_line(i, &line);
        prepare_source(&p, w.language, line.text, line.length);
        assert_true(p.copies.text.count <= COPIES_MOST);
        for (int k = 0; k < (int)p.copies.text.count; k++)
            assert_true(*copies_at(&p.copies, k));
        unchanged(&w, &p, &out);
        assert_true(unicode_valid(out.text, out.length));
        prepare_target(&target, w.language, line.text, line.length, &p.copies);
        assert_true(!p.words.count == !target.count);
    }
    words_free(&target);
    buf_free(&line);
    buf_free(&out);
    prepared_free(&p);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_should_be_in_their_usual_case),
        cmocka_unit_test(typographic_marks_should_be_plain),
        cmocka_unit_test(a_sentence_with_many_names_should_be_no_title),
        cmocka_unit_test(what_the_lexicon_lacks_should_be_copied),
        cmocka_unit_test(copies_should_end_at_tags),
        cmocka_unit_test(no_more_than_fit_should_be_copied),
        cmocka_unit_test(what_the_lexicon_knows_should_be_a_word),
        cmocka_unit_test(a_known_word_should_stay_whatever_capitals_the_vocabulary_has),
        cmocka_unit_test(each_part_should_work_by_itself),
        cmocka_unit_test(a_target_should_have_the_placeholders_of_its_source_each_once),
        cmocka_unit_test(a_translation_should_get_its_case_but_copies_keep_theirs),
        cmocka_unit_test(a_usual_sentence_should_come_back_from_its_ids),
        cmocka_unit_test(any_line_should_give_a_valid_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
