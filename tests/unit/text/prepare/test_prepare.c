/* test_prepare.c - lines as the network sees them, and translations as people read them. */
#include "text/prepare/prepare.h"

#include "base/mem.h"
#include "learn_lines.h"
#include "prepare_case.h"
#include "random_text.h"
#include "scratch.h"
#include "text/unicode.h"

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
    prepare_output(text, output, copies, 2, &out);
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
    prepare_output(text.text, p->output, NULL, 0, out);
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
        cmocka_unit_test(a_known_word_should_stay_whatever_capitals_the_vocabulary_has),
        cmocka_unit_test(each_part_should_work_by_itself),
        cmocka_unit_test(a_target_should_have_the_placeholders_of_its_source_each_once),
        cmocka_unit_test(a_translation_should_get_its_case_but_copies_keep_theirs),
        cmocka_unit_test(a_usual_sentence_should_come_back_from_its_ids),
        cmocka_unit_test(any_line_should_give_a_valid_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
