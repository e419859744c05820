/* test_replacements.c - dates, times, ordinals and names in translations, among words that the
 * network wrote. */
#include "translate/locale_replacements.h"

#include "base/mem.h"
#include "learn_lines.h"
#include "scratch.h"
#include "translate/replacements.h"

#include <stdlib.h>

static const char *const lines[] = {
    "abcdefghijklmnopqrstuvwxyz àé '\".,!«» du de à jusqu'à heures est le depuis en il il il",
    "is since and was it's it's it's it's o'clock o'clock on before party hours at at at",
};

static Tokenizer *pieces_of(int kind)
{
    TextOptions options = text_defaults();
    options.tokens = kind;
    options.vocabulary = 300;
    options.truecase = options.placeholders = 1;
    return learn_lines(&options, lines, 2);
}

static const LocaleItem fourth = { .kind = LOCALE_DATE, .date = { 4, 7, 1976, 0 } };
static const LocaleItem with_prefix = { .kind = LOCALE_DATE, .date = { 4, 7, 0, 0 }, .has_prefix = 1 };
static const LocaleItem afternoon = { .kind = LOCALE_TIME, .time = { 15, 30 } };
static const LocaleItem evening = { .kind = LOCALE_TIME, .time = { 18, -1 } };
static const LocaleItem ordinal = { .kind = LOCALE_ORDINAL, .ordinal = 44 };
static const LocaleItem shift = { .kind = LOCALE_TIMES, .time = { 9, -1 }, .until = { 17, -1 },
                                  .has_prefix = 1 };
static const LocaleItem nineties = { .kind = LOCALE_DECADE, .decade = 1990 };
static const LocaleItem hours = { .kind = LOCALE_HOURS, .time = { 8, -1 } };

static int placeholder_id(const Chunk *chunk, int number)
{
    return ID_SPECIALS + placeholder_number(number, (CopyKind)chunk->copies.kind[number]);
}

/* Appends the pieces of a text, where # is the next copy, and & the next without a blank before it. */
static void add_ids(const Tokenizer *t, const Chunk *chunk, const char *text, Ids *ids)
{
    int number = 0;
    for (const char *sign; (sign = strpbrk(text, "#&")) != NULL; text = sign + 1) {
        tokenizer_encode(t, text, (size_t)(sign - text), ids, NULL);
        if (*sign == '#') tokenizer_encode_word(t, BLANK_MARK, BLANK_MARK_LENGTH, NULL, ids);
        ids_add(ids, placeholder_id(chunk, number++));
    }
    const size_t glued = strcspn(text, " ");
    if (glued) tokenizer_encode_word(t, text, glued, NULL, ids);
    tokenizer_encode(t, text + glued, strlen(text + glued), ids, NULL);
    ids_add(ids, ID_EOS);
}

/* The text of a translation of this chunk, whose copies are set, by pieces of a kind. */
static void assert_written(int kind, Chunk *chunk, const char *written, const char *expected)
{
    Tokenizer *t = pieces_of(kind);
    Ids ids = { 0 };
    add_ids(t, chunk, written, &ids);
    const Hypothesis h = { .length = (int)ids.count, .ids = ids.id };
    char *text = chunk_text_before(chunk, &h, h.length, t, t);
    assert_string_equal(text, expected);
    free(text);
    copies_free(&chunk->copies);
    ids_free(&ids);
    tokenizer_free(t);
}

/* Each # of `written` is that item. */
static void assert_text_of(int kind, Chunk chunk, const LocaleItem *item, const char *written,
                           const char *expected)
{
    const CopyKind copied_as = item->kind == LOCALE_DATE ? COPY_OTHER : COPY_NUMBER;
    copies_add_item(&chunk.copies, "8", 1, copied_as, item);
    copies_add_item(&chunk.copies, "9", 1, copied_as, item);
    assert_written(kind, &chunk, written, expected);
}

/* By subwords, and by characters, of which a word has several. */
static void assert_text(const Locale *into, const LocaleItem *item, OutputCase output,
                        const char *written, const char *expected)
{
    const Chunk chunk = { .output = output, .copies.into = into };
    assert_text_of(TOKENS_BPE, chunk, item, written, expected);
    assert_text_of(TOKENS_CHAR, chunk, item, written, expected);
}

/* The same where all of it is given: by the user, or by a source that is nothing but copies. */
static void assert_given(int is_all_copied, const LocaleItem *item, const char *written,
                         const char *expected)
{
    const Chunk chunk = { .copies.into = &locale_french, .is_all_copied = is_all_copied,
                          .prefix_length = (int)strlen(written) };
    assert_text_of(TOKENS_BPE, chunk, item, written, expected);
}

static void a_date_in_french_should_have_its_article(void **state)
{
    (void)state;
    const Locale *french = &locale_french;
    assert_text(french, &fourth, CASE_AS_WRITTEN, "il est né #.", "il est né le 4 juillet 1976.");
    assert_text(french, &fourth, CASE_FIRST_CAPITAL, "# il est", "Le 4 juillet 1976 il est");
    assert_text(french, &fourth, CASE_FIRST_CAPITAL, "« # il est", "« Le 4 juillet 1976 il est");
    assert_text(french, &fourth, CASE_FIRST_CAPITAL, "il est #", "Il est le 4 juillet 1976");
    assert_text(french, &fourth, CASE_ALL_CAPITALS, "il #", "IL LE 4 JUILLET 1976");
    assert_text(french, &fourth, CASE_AS_WRITTEN, "jusqu'à #", "jusqu'au 4 juillet 1976");
    assert_text(french, &fourth, CASE_FIRST_CAPITAL, "de # à #", "Du 4 juillet 1976 au 4 juillet 1976");
    assert_text(french, &fourth, CASE_AS_WRITTEN, "depuis #", "depuis le 4 juillet 1976");
    assert_text(french, &fourth, CASE_AS_WRITTEN, "il est le #", "il est le 4 juillet 1976");
    assert_text(french, &fourth, CASE_AS_WRITTEN, "en #", "le 4 juillet 1976");
}

/* A line that is nothing but a date has no more than the source. */
static void a_date_alone_should_be_what_the_source_has(void **state)
{
    (void)state;
    assert_text(&locale_french, &fourth, CASE_AS_WRITTEN, "#!", "4 juillet 1976!");
    assert_text(&locale_english, &with_prefix, CASE_FIRST_CAPITAL, "#", "On July 4");
}

static void a_date_in_english_should_have_its_preposition(void **state)
{
    (void)state;
    const Locale *english = &locale_english;
    assert_text(english, &with_prefix, CASE_AS_WRITTEN, "it was before #.", "it was before July 4.");
    assert_text(english, &with_prefix, CASE_AS_WRITTEN, "it's #", "it's July 4");
    assert_text(english, &with_prefix, CASE_AS_WRITTEN, "party #", "party on July 4");
    assert_text(english, &with_prefix, CASE_AS_WRITTEN, "party at #", "party on July 4");
    assert_text(english, &with_prefix, CASE_AS_WRITTEN, "party, #", "party, July 4");
    assert_text(english, &with_prefix, CASE_FIRST_CAPITAL, "# it was", "On July 4 it was");
    assert_text(english, &with_prefix, CASE_FIRST_CAPITAL, "#, it was", "On July 4, it was");
    assert_text(english, &fourth, CASE_AS_WRITTEN, "party #", "party July 4, 1976");
    assert_text(english, &with_prefix, CASE_AS_WRITTEN, "# is it", "July 4 is it");
    assert_text(english, &with_prefix, CASE_AS_WRITTEN, "#'s party", "July 4's party");
    assert_text(english, &with_prefix, CASE_AS_WRITTEN, "party #'s party", "party July 4's party");
    assert_text(english, &with_prefix, CASE_AS_WRITTEN, "since # and #", "since July 4 and July 4");
    assert_text(english, &with_prefix, CASE_AS_WRITTEN, "party # and #", "party on July 4 and on July 4");
}

static void what_is_given_should_stay_as_it_is(void **state)
{
    (void)state;
    assert_given(0, &fourth, "il #", "il 4 juillet 1976");
    assert_given(0, &fourth, "de #", "de 4 juillet 1976");
    assert_given(0, &afternoon, "# heures", "15 h 30 heures");
}

static void copies_alone_should_have_what_the_source_has(void **state)
{
    (void)state;
    assert_given(1, &fourth, "# , #", "4 juillet 1976 , 4 juillet 1976");
    assert_given(1, &with_prefix, "# , #", "le 4 juillet , le 4 juillet");
    assert_given(1, &with_prefix, "de #", "de le 4 juillet");
    assert_given(1, &afternoon, "# heures", "15 h 30");
}

static void a_time_should_stand_for_its_word(void **state)
{
    (void)state;
    assert_text(&locale_french, &afternoon, CASE_AS_WRITTEN, "il est # heures.", "il est 15 h 30.");
    assert_text(&locale_french, &afternoon, CASE_AS_WRITTEN, "il est # à", "il est 15 h 30 à");
    assert_text(&locale_english, &afternoon, CASE_AS_WRITTEN, "it's # o'clock", "it's 3:30 pm");
    assert_text(&locale_english, &afternoon, CASE_AS_WRITTEN, "it's # hours", "it's 3:30 pm hours");
    assert_text(&locale_english, &evening, CASE_AS_WRITTEN, "it's # o'clock.", "it's 6 pm.");
    assert_text(&locale_english, &evening, CASE_AS_WRITTEN, "it's # o'clock!", "it's 6 pm!");
    assert_text(&locale_english, &evening, CASE_AS_WRITTEN, "at # o'clock. it is", "at 6 pm. it is");
    assert_text(&locale_english, &evening, CASE_ALL_CAPITALS, "it's # o'clock.", "IT'S 6 PM.");
    assert_text(&locale_english, &hours, CASE_AS_WRITTEN, "it's # o'clock.", "it's 8 o'clock.");
}

/* With the ending that the network wrote, or without, and parted from a word that it is glued to. */
static void an_ordinal_should_have_its_own_ending(void **state)
{
    (void)state;
    assert_text(&locale_french, &ordinal, CASE_AS_WRITTEN, "la # est", "la 44e est");
    assert_text(&locale_french, &ordinal, CASE_AS_WRITTEN, "la #e est", "la 44e est");
    assert_text(&locale_french, &ordinal, CASE_AS_WRITTEN, "la #re.", "la 44e.");
    assert_text(&locale_french, &ordinal, CASE_AS_WRITTEN, "la #est née", "la 44e est née");
    assert_text(&locale_english, &ordinal, CASE_AS_WRITTEN, "the #thyard", "the 44th yard");
    assert_text(&locale_french, &ordinal, CASE_AS_WRITTEN, "la #, la", "la 44e, la");
    assert_text(&locale_english, &ordinal, CASE_FIRST_CAPITAL, "#th party", "44th party");
    assert_text(&locale_english, &ordinal, CASE_ALL_CAPITALS, "the # party", "THE 44TH PARTY");
    assert_given(0, &ordinal, "la #abc", "la 44abc");
    assert_given(1, &ordinal, "# , #", "44e , 44e");
}

static void a_decade_should_have_its_article(void **state)
{
    (void)state;
    const Locale *french = &locale_french, *english = &locale_english;
    assert_text(french, &nineties, CASE_AS_WRITTEN, "il est le #", "il est les années 1990");
    assert_text(french, &nineties, CASE_FIRST_CAPITAL, "# est", "Les années 1990 est");
    assert_text(french, &nineties, CASE_AS_WRITTEN, "depuis #", "depuis les années 1990");
    assert_text(french, &nineties, CASE_AS_WRITTEN, "de # en #", "des années 1990 dans les années 1990");
    assert_text(english, &nineties, CASE_FIRST_CAPITAL, "is #", "Is the 1990s");
    assert_given(0, &nineties, "de #", "de années 1990");
    assert_given(0, &nineties, "depuis #", "depuis années 1990");
    assert_given(1, &nineties, "#", "années 1990");
}

static void a_range_should_have_its_preposition_once(void **state)
{
    (void)state;
    assert_text(&locale_french, &shift, CASE_AS_WRITTEN, "il est #", "il est de 9 h à 17 h");
    assert_text(&locale_french, &shift, CASE_AS_WRITTEN, "le d #", "le d de 9 h à 17 h");
    assert_text(&locale_french, &shift, CASE_AS_WRITTEN, "le # de #", "le de 9 h à 17 h de 9 h à 17 h");
    assert_text(&locale_french, &shift, CASE_FIRST_CAPITAL, "# il", "De 9 h à 17 h il");
    assert_text(&locale_english, &shift, CASE_AS_WRITTEN, "is since #", "is since from 9 am to 5 pm");
}

/* A word before a name that is copied, in place of #. */
static void assert_named(const Locale *into, int prefix, const char *name, const char *written,
                         const char *expected)
{
    static const int kinds[] = { TOKENS_BPE, TOKENS_CHAR };
    for (int i = 0; i < 2; i++) {
        Chunk chunk = { .copies.into = into, .output = CASE_FIRST_CAPITAL, .prefix_length = prefix };
        copies_add(&chunk.copies, name, strlen(name), COPY_OTHER);
        assert_written(kinds[i], &chunk, written, expected);
    }
}

static void quotations_should_begin_with_the_mark_that_closes_them(void **state)
{
    (void)state;
    const Locale *french = &locale_french;
    assert_named(french, 0, "Zoé", "il est \"# ».", "Il est « Zoé ».");
    assert_named(french, 0, "Zoé", "# \"est ».", "Zoé « est ».");
    assert_named(french, 0, "Zoé", "# «est ».", "Zoé « est ».");
    assert_named(french, 0, "Zoé", "# «est».", "Zoé «est».");
    assert_named(french, 0, "Zoé", "# \"est\" il »", "Zoé \"est\" il »");
    assert_named(french, 0, "Zoé", "# « est \"il »", "Zoé « est \"il »");
    assert_named(french, 0, "Zoé", "# \"est » \"il »", "Zoé « est » « il »");
    assert_named(french, 99, "Zoé", "# \"est »", "Zoé \"est »");
}

static void words_before_a_vowel_should_have_their_form_there(void **state)
{
    (void)state;
    const Locale *french = &locale_french, *english = &locale_english;
    assert_named(french, 0, "Ophélie", "il est de #.", "Il est d'Ophélie.");
    assert_named(french, 0, "Émile Roux", "de # et le", "D'Émile Roux et le");
    assert_named(french, 0, "iPhone 15", "le # est", "L'iPhone 15 est");
    assert_named(french, 0, "Zoé", "de #", "De Zoé");
    assert_named(french, 0, "Ophélie", "depuis #", "Depuis Ophélie");
    assert_named(french, 0, "Ophélie", "du #", "Du Ophélie");
    assert_named(french, 3, "Ophélie", "de #", "De Ophélie");
    assert_named(english, 0, "Opel", "is a #", "Is an Opel");
    assert_named(english, 0, "Fiat", "is a #", "Is a Fiat");
    assert_named(NULL, 0, "Opel", "is a #", "Is a Opel");
}

static void a_name_should_be_parted_from_the_word_before_it(void **state)
{
    (void)state;
    const Locale *english = &locale_english;
    assert_named(english, 0, "Olga", "it was&.", "It was Olga.");
    assert_named(english, 0, "Émile", "was&'s party", "Was Émile's party");
    assert_named(english, 0, "Olga", "is a&", "Is an Olga");
    assert_named(english, 0, "Olga", "& is", "Olga is");
    assert_named(english, 0, "Olga", "it's '&'.", "It's 'Olga'.");
    assert_named(&locale_french, 0, "Olga", "il d'&", "Il d'Olga");
    assert_named(english, 99, "Olga", "was&", "WasOlga");
    assert_named(english, 0, "3", "was&", "Was 3");
    assert_named(english, 0, "-", "was&", "Was-");
    assert_named(english, 0, "²", "was&", "Was²");
}

static void numbers_should_be_parted_from_each_other(void **state)
{
    (void)state;
    Chunk chunk = { 0 };
    copies_add(&chunk.copies, "17", 2, COPY_NUMBER);
    copies_add(&chunk.copies, "23", 2, COPY_NUMBER);
    assert_written(TOKENS_BPE, &chunk, "it is #&.", "it is 17 23.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_date_in_french_should_have_its_article),
        cmocka_unit_test(a_date_alone_should_be_what_the_source_has),
        cmocka_unit_test(a_date_in_english_should_have_its_preposition),
        cmocka_unit_test(what_is_given_should_stay_as_it_is),
        cmocka_unit_test(copies_alone_should_have_what_the_source_has),
        cmocka_unit_test(a_time_should_stand_for_its_word),
        cmocka_unit_test(an_ordinal_should_have_its_own_ending),
        cmocka_unit_test(a_decade_should_have_its_article),
        cmocka_unit_test(a_range_should_have_its_preposition_once),
        cmocka_unit_test(words_before_a_vowel_should_have_their_form_there),
        cmocka_unit_test(a_name_should_be_parted_from_the_word_before_it),
        cmocka_unit_test(numbers_should_be_parted_from_each_other),
        cmocka_unit_test(quotations_should_begin_with_the_mark_that_closes_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
