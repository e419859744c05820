/* test_lexicon.c - the case of words and sentences, what of a text a lexicon keeps, in which case, and its JSON. */
#include "text/lexicon.h"

#include "base/mem.h"
#include "lexicon_case.h"
#include "scratch.h"
#include "text/words.h"

/* ---- Small letters and capitals ---- */

UNIT_TEST(a_word_should_have_the_shape_of_its_letters)
{
    static const struct { const char *word; Shape shape; } rows[] = {
        { "", SHAPE_NONE }, { ".", SHAPE_NONE }, { "«", SHAPE_NONE }, { "😀", SHAPE_NONE },
        { "12", SHAPE_UNCASED }, { "你好", SHAPE_UNCASED }, { "½", SHAPE_UNCASED },
        { "calm", SHAPE_SMALL }, { "été", SHAPE_SMALL }, { "2nd", SHAPE_SMALL },
        { "it's", SHAPE_SMALL }, { "I", SHAPE_CAPITAL }, { "É", SHAPE_CAPITAL },
        { "A1", SHAPE_CAPITAL }, { "Tom", SHAPE_CAPITALISED }, { "Été", SHAPE_CAPITALISED },
        { "'Tis", SHAPE_CAPITALISED }, { "3D", SHAPE_CAPITAL }, { "NATO", SHAPE_CAPITALS },
        { "U.S.", SHAPE_CAPITALS }, { "ПРИВЕТ", SHAPE_CAPITALS }, { "McAllister", SHAPE_MIXED },
        { "iPhone", SHAPE_MIXED }, { "TVs", SHAPE_MIXED }, { "eBay", SHAPE_MIXED },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(letter_case_shape(slice_of(rows[i].word)), rows[i].shape);
}

/* The shapes of a sentence, a letter each: . punctuation, 1 uncased, a small, I capital, T
 * capitalised, N capitals, m mixed. */
static SentenceCase case_of(const char *shapes)
{
    static const char letters[] = ".1aITNm";
    unsigned char shape[32];
    const size_t count = strlen(shapes);
    for (size_t i = 0; i < count; i++)
        shape[i] = (unsigned char)(strchr(letters, shapes[i]) - letters);
    unsigned char place[32];
    return sentence_case(shape, count, place);
}

UNIT_TEST(a_sentence_should_have_the_case_of_its_words)
{
    static const struct { const char *shapes; SentenceCase expected; } rows[] = {
        { "", CASE_USUAL }, { ".", CASE_USUAL }, { "1.", CASE_USUAL }, { "11", CASE_USUAL },
        { "Taa.", CASE_USUAL }, { "TaTa.", CASE_USUAL }, { "Iaa.", CASE_USUAL },
        { "aaa.", CASE_SMALL }, { ".a1.", CASE_SMALL }, { "a", CASE_SMALL }, { "aIa", CASE_USUAL },
        { "am", CASE_USUAL }, { "NNN.", CASE_CAPITALS }, { "INI.", CASE_CAPITALS },
        { "1N.", CASE_CAPITALS }, { "II.", CASE_USUAL }, { "I", CASE_USUAL },
        { "NaN", CASE_USUAL }, { "NT", CASE_USUAL }, { "Nm", CASE_USUAL },
        { "TTTT.", CASE_TITLE }, { "TaTTT", CASE_TITLE }, { "aTTT", CASE_TITLE },
        { "TTT", CASE_USUAL }, { "TaaaTTT", CASE_USUAL }, { "TaaTTT", CASE_TITLE },
        { ".1TTTT", CASE_TITLE }, { ".1TTT", CASE_USUAL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (case_of(rows[i].shapes) != rows[i].expected)
            fail_msg("%s: case %d", rows[i].shapes, case_of(rows[i].shapes));
}

/* Each word at its place, a letter each: F first, i inside, s small, C capitals. */
static void assert_places(const char *line, const char *expected)
{
    SCOPED(words_free) Words words = { 0 };
    unsigned char shape[32], place[32];
    char seen[33] = "";
    words_split(line, strlen(line), 0, NULL, NULL, 0, &words);
    for (size_t i = 0; i < words.count; i++)
        shape[i] = (unsigned char)letter_case_shape(words_core_at(&words, i));
    sentence_case(shape, words.count, place);
    for (size_t i = 0; i < words.count; i++)
        seen[i] = "FisC"[place[i]];
    assert_string_equal(seen, expected);
}

UNIT_TEST(a_word_should_have_the_place_that_its_sentence_gives)
{
    assert_places("", "");
    assert_places("!", "i");
    assert_places("The cat sleeps.", "Fiii");
    assert_places("« The cat »", "iFii");
    assert_places("3 Cats", "Fi");
    assert_places("the cat sleeps.", "ssss");
    assert_places("THE CAT!", "CCC");
    assert_places("The Big Cat Sleeps", "FFFF");
    assert_places("iPhone is Tom's", "Fiii");
}

/* ---- Learning ---- */

typedef struct { const char *word; long times, first, shared; } Row;

enum { ROWS = 16 };

/* The lexicon of a text whose words are used so. */
static Lexicon *learned(const Row *rows, size_t count)
{
    SCOPED(string_table_free) StringTable words = { 0 };
    long times[ROWS], first[ROWS], shared[ROWS];
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(string_table_add(&words, slice_of(rows[i].word)), i);
        times[i] = rows[i].times;
        first[i] = rows[i].first;
        shared[i] = rows[i].shared;
    }
    Lexicon *lexicon = lexicon_learn(&(WordUse){ .words = &words, .times = times, .first = first, .shared = shared });
    return lexicon;
}

/* What the lexicon of these words is as JSON, with ' for ". Names that only begin sentences keep their capital if the other
 * side has them in half of their pairs. */
UNIT_TEST(a_text_should_leave_its_words_in_their_usual_case_with_their_counts)
{
    static const struct { const char *words; Row rows[4]; } cases[] = {
        { "['a','c b','d']", { { "a", 1, 0, 0 }, { "b", 2, 0, 0 }, { "c", 3, 0, 0 }, { "d", 4, 0, 0 } } },
        { "['','','','','','','','','','a']", { { "a", 1023, 0, 0 } } }, { "[]", { { "a", 0, 0, 0 } } },
        { "['','','a']", { { "a", 1, 0, 0 }, { WORD_MARK "a", 3, 0, 0 }, { WORD_MARK, 9, 0, 0 } } },
        { "['a','«','','.']", { { ".", 10, 0, 10 }, { "#", 9, 0, 9 }, { "«", 3, 0, 0 }, { "a", 1, 0, 0 } } },
        { "['','','','the']", { { "The", 8, 8, 0 } } }, { "['','','','','the']", { { "The", 8, 8, 0 }, { "the", 8, 0, 0 } } },
        { "['','','','été']", { { "Été", 8, 8, 0 } } }, { "['','','','i']", { { "I", 8, 8, 0 } } }, { "[]", { { "NATO", 8, 8, 0 } } },
        { "['','','','Tom']", { { "Tom", 10, 10, 5 } } }, { "['','','','tom']", { { "Tom", 10, 10, 4 } } },
        { "['tom','','','tam']", { { "Tam", 10, 10, 4 }, { "tom", 1, 0, 0 } } },
        { "['','','','','','Tom']", { { "Tom", 32, 31, 0 } } }, { "['The','the']", { { "The", 32, 31, 0 }, { "the", 2, 0, 0 } } },
        { "['','may','','','','May']", { { "May", 32, 29, 0 }, { "may", 2, 0, 0 } } },
        { "['','May may']", { { "May", 32, 30, 0 }, { "may", 2, 0, 0 } } },
        { "['The','','the']", { { "The", 20, 19, 20 }, { "the", 5, 1, 0 } } },
        { "[]", { { "Zorb", 9, 0, 5 } } }, { "[]", { { "Zorb", 9, 9, 9 } } }, { "['','','','Zorb']", { { "Zorb", 9, 0, 0 } } },
        { "['','','','Zorb']", { { "Zorb", 10, 0, 10 } } }, { "[]", { { "foo_bar()", 9, 0, 9 } } }, { "['calm']", { { "calm", 1, 0, 0 } } },
        { "['7','','','','','','','','','1999']", { { "7", 1, 0, 0 }, { "1999", 1000, 0, 900 } } },
        { "[]", { { "245", 299, 0, 299 } } }, { "['','','','','','','','','245']", { { "245", 300, 0, 300 } } },
        { "['','','','','245']", { { "245", 20, 0, 0 } } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count = 0;
        while (count < 4 && cases[i].rows[count].word)
            count++;
        Lexicon *lexicon = learned(cases[i].rows, count);
        cJSON *json = lexicon_to_json(lexicon);
        char *text = json_text(cJSON_GetObjectItem(json, "words"), 0);
        for (char *at = text; (at = strchr(at, '"')); at++)
            *at = '\'';
        assert_string_equal(text, cases[i].words);
        free(text);
        cJSON_Delete(json);
        lexicon_free(lexicon);
    }
}

/* "Mr." is inside lines, "cat." at their ends, "so." now and then. */
UNIT_TEST(a_word_whose_stop_ends_no_sentence_should_be_an_abbreviation)
{
    static const struct { const char *word; long times, stopped, ended; int expected; } rows[] = {
        { "Mr", 10, 9, 0, 1 }, { "cat", 10, 1, 9, 0 }, { "so", 100, 3, 0, 0 }, { "U.S", 4, 2, 1, 1 }, { "p.m", 9, 4, 5, 0 },
        { "x", 1, 1, 0, 0 },
    };
    enum { COUNT = sizeof rows / sizeof *rows };
    SCOPED(string_table_free) StringTable words = { 0 };
    long times[COUNT], stopped[COUNT], ended[COUNT], none[COUNT] = { 0 };
    for (int i = 0; i < COUNT; i++) {
        string_table_add(&words, slice_of(rows[i].word));
        times[i] = rows[i].times;
        stopped[i] = rows[i].stopped;
        ended[i] = rows[i].ended;
    }
    Lexicon *lexicon = lexicon_learn(&(WordUse){ .words = &words, .times = times, .first = none, .shared = none,
                                                 .stopped = stopped, .ended = ended });
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(lexicon_is_abbreviation(lexicon, slice_of(rows[i].word)), rows[i].expected);
    assert_false(lexicon_is_abbreviation(NULL, slice_of("Mr")));
    lexicon_free(lexicon);
}

/* The lexicon of a text of many words in small letters, most of them so many times, as many with
 * capitals, once, and of two names that both sides have, 18 and 20 times. */
static void assert_repeated(long times, int words, int first_is_known, int second_is_known)
{
    SCOPED(string_table_free) StringTable table = { 0 };
    const size_t count = 2 * (size_t)words + 2;
    long *times_of = xmalloc(count, sizeof *times_of);
    long *none = xcalloc(count, sizeof *none), *shared = xcalloc(count, sizeof *shared);
    char word[16];
    string_table_add(&table, slice_of("Zorb"));
    string_table_add(&table, slice_of("Yak"));
    for (int i = 0; i < words; i++) {
        snprintf(word, sizeof word, "w%c%c%c", 'a' + i % 26, 'a' + i / 26 % 26, 'a' + i / 676);
        string_table_add(&table, slice_of(word));
        times_of[i + 2] = i % 3 ? times : 20;
    }
    for (int i = 0; i < words; i++) {
        snprintf(word, sizeof word, "N%c%c%c", 'a' + i % 26, 'a' + i / 26 % 26, 'a' + i / 676);
        string_table_add(&table, slice_of(word));
        times_of[words + i + 2] = shared[words + i + 2] = 1;
    }
    times_of[0] = shared[0] = 18;
    times_of[1] = shared[1] = 20;
    Lexicon *lexicon = lexicon_learn(&(WordUse){ .words = &table, .times = times_of, .first = none, .shared = shared });
    assert_int_equal(lexicon_count(lexicon, slice_of("Zorb")) > 0, first_is_known);
    assert_int_equal(lexicon_count(lexicon, slice_of("Yak")) > 0, second_is_known);
    lexicon_free(lexicon);
    free(times_of);
    free(none);
    free(shared);
}

UNIT_TEST(names_of_a_text_that_is_repeated_should_be_rare_more_often)
{
    assert_repeated(1, 2000, 1, 1);
    assert_repeated(2, 2000, 0, 1);
    assert_repeated(3, 2000, 0, 0);
    assert_repeated(2, 500, 1, 1);
}

UNIT_TEST(a_larger_text_should_lose_its_rarest_words)
{
    enum { WORDS = LEXICON_MOST + 10 };
    SCOPED(string_table_free) StringTable words = { 0 };
    long *times = xmalloc(WORDS, sizeof *times), *none = xcalloc(WORDS, sizeof *none);
    char word[16] = "";
    for (int i = 0; i < WORDS; i++) {
        for (int k = 0, rest = i; k < 5; k++, rest /= 26)
            word[k] = (char)('a' + rest % 26);
        string_table_add(&words, (Slice){ word, 5 });
        times[i] = i < 10 ? 1 : 2;
    }
    Lexicon *lexicon = lexicon_learn(&(WordUse){ .words = &words, .times = times, .first = none, .shared = none });
    assert_int_equal(lexicon_count(lexicon, string_table_at(&words, 9)), 0);
    assert_int_equal(lexicon_count(lexicon, string_table_at(&words, 10)), 2);
    assert_int_equal(lexicon_count(lexicon, string_table_at(&words, WORDS - 1)), 2);
    lexicon_free(lexicon);
    free(times);
    free(none);
}

/* ---- Looking up ---- */

static void assert_form(const char *form, const char *expected)
{
    if (expected) assert_string_equal(form, expected);
    else assert_null(form);
}

UNIT_TEST(a_word_should_have_a_usual_form)
{
    static const struct { const char *word, *usual; long count; } rows[] = {
        { "may", "May", 2 }, { "May", "May", 8 }, { "MAY", "May", 0 },
        { "tom", "TOM", 0 }, { "Tom", "TOM", 4 }, { "TOM", "TOM", 8 },
        { "the", "the", 4 }, { "The", "the", 4 }, { "ÉTÉ", "été", 0 },
        { "zorb", NULL, 0 }, { "ZORB", NULL, 0 }, { "", NULL, 0 },
    };
    Lexicon *lexicon = lexicon_of("['été','may','Tom the The','TOM May']");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_form(lexicon_usual(lexicon, slice_of(rows[i].word)), rows[i].usual);
        assert_int_equal(lexicon_count(lexicon, slice_of(rows[i].word)), rows[i].count);
    }
    lexicon_free(lexicon);
}

UNIT_TEST(punctuation_should_be_known_if_each_of_its_characters_is)
{
    static const struct { const char *word; int known; } rows[] = {
        { "?", 1 }, { "?!", 1 }, { "!!!", 1 }, { "?!#", 0 }, { "#", 0 }, { "", 0 }, { "ab", 1 },
        { "ba", 0 }, { "aa", 0 }, { "a?", 0 },
    };
    Lexicon *lexicon = lexicon_of("['a b ab ? !']");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(lexicon_knows(lexicon, slice_of(rows[i].word)), rows[i].known);
    lexicon_free(lexicon);
}

/* May: the month, seen 4 times; may: 8 times. */
UNIT_TEST(a_word_should_have_the_form_that_its_place_asks_for)
{
    static const char the[] = "['','','the']", tom[] = "['','','Tom']", i[] = "['','','','','I']", title[] = "['','Tom Mary','big cat']",
        both[] = "['','','May','may']", equal[] = "['','','May may']", month[] = "['may','','May']", rare[] = "['may','May']";
    static const struct { const char *lexicon, *word, *form[WORD_PLACES]; } rows[] = {
        { "[]", "Zorb", { "Zorb", "Zorb", "Zorb", "Zorb" } }, { "['tom']", "ZORB", { "ZORB", "ZORB", "ZORB", "ZORB" } },
        { "['Tom']", "zorb", { "zorb", "zorb", "zorb", "zorb" } }, { the, "The", { "the", "The", "the", "the" } },
        { the, "the", { "the", "the", "the", "the" } }, { the, "THE", { "the", "the", "the", "the" } },
        { "['','','été']", "Été", { "été", "Été", "été", "été" } }, { tom, "Tom", { "Tom", "Tom", "Tom", "Tom" } },
        { tom, "tom", { "Tom", "Tom", "Tom", "Tom" } }, { tom, "TOM", { "Tom", "Tom", "Tom", "Tom" } },
        { "['','McAl']", "MCAL", { "McAl", "McAl", "McAl", "McAl" } }, { "['NATO']", "nato", { "NATO", "NATO", "NATO", "NATO" } },
        { i, "I", { "I", "I", "I", "I" } }, { i, "i", { "I", "I", "I", "I" } }, { title, "Cat", { "cat", "Cat", "cat", "cat" } },
        { title, "Mary", { "Mary", "Mary", "Mary", "Mary" } }, { both, "May", { "may", "May", "May", "may" } },
        { both, "may", { "may", "may", "may", "may" } }, { both, "MAY", { "may", "may", "may", "may" } },
        { equal, "May", { "may", "May", "May", "may" } }, { month, "May", { "May", "May", "May", "May" } },
        { month, "may", { "may", "may", "May", "May" } }, { rare, "may", { "may", "may", "may", "May" } },
        { rare, "May", { "May", "May", "May", "May" } },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Lexicon *lexicon = lexicon_of(rows[k].lexicon);
        for (WordPlace place = 0; place < WORD_PLACES; place++) {
            const char *form = lexicon_form(lexicon, slice_of(rows[k].word), place);
            assert_string_equal(form ? form : rows[k].word, rows[k].form[place]);
        }
        lexicon_free(lexicon);
    }
}

/* ---- JSON ---- */

UNIT_TEST(sound_json_should_come_back)
{
    static const char *const sound[] = { "[]", "[\"a\"]", "[\"a b\",\"\",\"É 12 a@b.c\"]",
                                         "[\"\",\"x\"]" };
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) {
        Lexicon *lexicon = lexicon_of(sound[i]);
        cJSON *json = lexicon_to_json(lexicon);
        char *text = json_text(cJSON_GetObjectItem(json, "words"), 0);
        assert_string_equal(text, sound[i]);
        free(text);
        cJSON_Delete(json);
        lexicon_free(lexicon);
    }
}

UNIT_TEST(other_json_should_be_refused_with_its_reason)
{
    static const struct { const char *json, *message; } rows[] = {
        { "['a',7]", "entry 1 is no list of words" }, { "[['a']]", "entry 0 is no list of words" },
        { "[null]", "entry 0 is no list of words" },
        { "['a','b  c']", "entry 1 is no list of words with one blank between two" },
        { "[' a']", "entry 0 is no list of words with one blank between two" },
        { "['a ']", "entry 0 is no list of words with one blank between two" },
        { "[' ']", "entry 0 is no list of words with one blank between two" },
        { "['a\\u0007']", "entry 0 is no list of words with one blank between two" },
        { "['a\\nb']", "entry 0 is no list of words with one blank between two" },
        { "['a b a']", "entry 0: 'a' occurs twice" },
        { "['a','b','a']", "entry 2: 'a' occurs twice" },
    };
    Err e;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lexicon_refused(rows[i].json, &e);
        assert_string_equal(e.text, rows[i].message);
    }
}

UNIT_TEST(too_much_json_should_be_refused)
{
    Err e;
    SCOPED(buf_free) Buf text = { 0 };
    buf_puts(&text, "['a'");
    for (int i = 1; i < 62; i++)
        buf_puts(&text, ",''");
    buf_puts(&text, "]");
    lexicon_free(lexicon_of(text.text));
    text.text[text.length - 1] = ',';
    buf_puts(&text, "'']");
    lexicon_refused(text.text, &e);
    assert_string_equal(e.text, "entry 62 is no list of words");
    buf_clear(&text);
    buf_puts(&text, "['x");
    for (int i = 0; i < LEXICON_MOST; i++)
        buf_printf(&text, " w%d", i);
    buf_puts(&text, "']");
    lexicon_refused(text.text, &e);
    assert_string_equal(e.text, "more than 200000 words");
}

/* I is the capital of the dotless i there. */
UNIT_TEST(a_small_form_should_be_that_of_the_language)
{
    Err e = { "" };
    static const char text[] = "{\"words\":[\"ışık iyi\"],\"copied\":[]}";
    cJSON *json = json_parse(text, strlen(text), &e);
    Lexicon *turkish = lexicon_from_json(json, "tr", &e), *unnamed = lexicon_from_json(json, NULL, &e);
    Lexicon *sum = lexicon_sum(unnamed, turkish);
    assert_string_equal(lexicon_language(sum), "tr");
    assert_string_equal(lexicon_language(NULL), "");
    assert_string_equal(lexicon_usual(sum, slice_of("IŞIK")), "ışık");
    assert_string_equal(lexicon_usual(turkish, slice_of("İYİ")), "iyi");
    assert_null(lexicon_usual(unnamed, slice_of("IŞIK")));
    lexicon_free(sum);
    lexicon_free(turkish);
    lexicon_free(unnamed);
    cJSON_Delete(json);
}

/* "Cat" is the usual form in one text, "cat" in both together. */
UNIT_TEST(a_sum_should_know_what_either_knows_with_the_sum_of_its_counts)
{
    Lexicon *one = lexicon_of("['a','Cat','dog']"), *other = lexicon_of("['b','','cat','dog']");
    Lexicon *sum = lexicon_sum(one, other);
    assert_int_equal(lexicon_count(sum, slice_of("a")), 1);
    assert_int_equal(lexicon_count(sum, slice_of("b")), 1);
    assert_int_equal(lexicon_count(sum, slice_of("dog")), 8);
    assert_string_equal(lexicon_usual(one, slice_of("cat")), "Cat");
    assert_string_equal(lexicon_usual(sum, slice_of("Cat")), "cat");
    lexicon_free(one);
    lexicon_free(other);
    lexicon_free(sum);
}

int main(void) { return run_unit_tests(); }
