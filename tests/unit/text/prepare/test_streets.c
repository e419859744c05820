/* test_streets.c - addresses of houses among other words. */
#include "text/prepare/streets.h"

#include "base/buf.h"
#include "scratch.h"

/* The addresses of a line, each in brackets. */
static void assert_streets(SentenceCase line_case, const char *line, const char *expected)
{
    Words words = { 0 };
    Buf out = { 0 };
    words_split(line, strlen(line), 1, &words);
    for (size_t i = 0, end; i < words.count; i = end > i ? end : i + 1) {
        end = street_end(&words, i, line_case);
        if (end == i) continue;
        buf_putc(&out, '[');
        for (size_t k = i, length; k < end; k++) {
            const char *word = words_at(&words, k, &length);
            const size_t mark = words_mark_length(word, length);
            if (mark && k > i) buf_putc(&out, ' ');
            buf_add(&out, word + mark, length - mark);
        }
        buf_putc(&out, ']');
    }
    buf_putc(&out, '\0');
    assert_string_equal(out.text, expected);
    buf_free(&out);
    words_free(&words);
}

static void a_number_and_names_before_a_kind_of_street_should_be_an_address(void **state)
{
    (void)state;
    assert_streets(CASE_USUAL, "I live at 12 Baker Street, London.", "[12 Baker Street]");
    assert_streets(CASE_USUAL, "12b St. James Street is here", "[12b St. James Street]");
    assert_streets(CASE_USUAL, "at 350 5th Ave", "[350 5th Ave]");
    assert_streets(CASE_USUAL, "at 12 Baker street.", "[12 Baker street]");
    assert_streets(CASE_USUAL, "at 7 Mill Place, and 9 J. F. Kennedy Drive",
                   "[7 Mill Place][9 J. F. Kennedy Drive]");
    assert_streets(CASE_USUAL, "at 10 King's Road", "[10 King's Road]");
    assert_streets(CASE_CAPITALS, "I LIVE AT 12 BAKER STREET.", "[12 BAKER STREET]");
    assert_streets(CASE_TITLE, "He Lives At 12 Baker Street", "[12 Baker Street]");
}

static void a_street_without_a_number_should_be_known_by_its_capitals(void **state)
{
    (void)state;
    assert_streets(CASE_USUAL, "from Oak Street to Fifth Avenue", "[Oak Street][Fifth Avenue]");
    assert_streets(CASE_USUAL, "On Oak Street, at 40th Street", "[Oak Street][40th Street]");
    assert_streets(CASE_USUAL, "On Monday Wall Street fell", "[Wall Street]");
    assert_streets(CASE_USUAL, "The Street is long, and I see a Street.", "");
    assert_streets(CASE_USUAL, "to Oak street, Oak Hill, Red Square or the street", "");
    assert_streets(CASE_USUAL, "New York Street is long, I saw Mr. Oak Street", "");
    assert_streets(CASE_TITLE, "The Man From Elm Street", "");
}

static void numbers_of_other_things_should_be_no_addresses(void **state)
{
    (void)state;
    assert_streets(CASE_USUAL, "We saw 3 streets, and 2 Tom Browns.", "");
    assert_streets(CASE_USUAL, "At 5 Tom will close the place.", "");
    assert_streets(CASE_USUAL, "In 3 Street. Then 4 drive", "");
    assert_streets(CASE_USUAL, "Take the 2nd street, the 1st Road", "");
    assert_streets(CASE_USUAL, "On May 5th Dr. Smith came on 12 June Dr. Jones on the 17th St. Patrick", "");
    assert_streets(CASE_USUAL, "In 1980 Mount St. Helens, at 3 PM Dr. Smith", "");
    assert_streets(CASE_USUAL, "the 9 Supreme Court justices, a 500 GB Drive", "");
    assert_streets(CASE_USUAL, "2 One Way tickets, 5 Front Row seats, 10 British road signs", "");
    assert_streets(CASE_CAPITALS, "I SAW 3 DOGS ON THE STREET", "");
    assert_streets(CASE_CAPITALS, "AT 5 TOM WILL CLOSE THE PLACE", "");
    assert_streets(CASE_TITLE, "He Lived For 3 Years On The Street", "");
}

static void french_addresses_should_have_the_kind_before_the_name(void **state)
{
    (void)state;
    assert_streets(CASE_USUAL, "au 12, rue de la Paix, à Paris", "[12, rue de la Paix]");
    assert_streets(CASE_USUAL, "3 bis, avenue Victor-Hugo", "[3 bis, avenue Victor-Hugo]");
    assert_streets(CASE_USUAL, "8b rue du 8 Mai 1945", "[8b rue du 8 Mai 1945]");
    assert_streets(CASE_USUAL, "8 b rue du Lac", "[rue du Lac]");
    assert_streets(CASE_USUAL, "au 5 place du Général de Gaulle.", "[5 place du Général de Gaulle]");
    assert_streets(CASE_USUAL, "le boulevard Voltaire et l'avenue de l'Opéra",
                   "[boulevard Voltaire][avenue de l'Opéra]");
    assert_streets(CASE_USUAL, "au 12 rue Pasteur à Paris, 5, route de Lyon",
                   "[12 rue Pasteur][5, route de Lyon]");
    assert_streets(CASE_USUAL, "au 5 rue Pasteur et Marie au 7", "[5 rue Pasteur]");
    assert_streets(CASE_CAPITALS, "AU 12 RUE DE LA PAIX", "[12 RUE DE LA PAIX]");
    assert_streets(CASE_CAPITALS, "12 RUE HUGO À PARIS", "[12 RUE HUGO]");
}

static void french_words_for_streets_should_be_words_elsewhere(void **state)
{
    (void)state;
    assert_streets(CASE_USUAL, "la rue de Tom, la place Rouge, allée à Rome, le quai 3", "");
    assert_streets(CASE_USUAL, "Il a traversé la rue et Tom le suit, dans la rue le 14 juillet", "");
    assert_streets(CASE_USUAL, "dans la rue à 3 heures, une rue à Boston, la rue en 2019", "");
    assert_streets(CASE_USUAL, "Voici 3 places de Tom, et 2 rues.", "");
    assert_streets(CASE_USUAL, "à 5 cours de maths, 3 cours de Tom, 5 cours d'Anglais", "");
    assert_streets(CASE_USUAL, "1 place à Paris, 1 route de Paris à Lyon, 12, rue de la", "");
    assert_streets(CASE_USUAL, "Rendez-vous à 8h rue Pasteur", "[rue Pasteur]");
    assert_streets(CASE_USUAL, "I know the avenue Tom lives on", "");
    assert_streets(CASE_CAPITALS, "J'AI 3 COURS LE LUNDI", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_and_names_before_a_kind_of_street_should_be_an_address),
        cmocka_unit_test(a_street_without_a_number_should_be_known_by_its_capitals),
        cmocka_unit_test(numbers_of_other_things_should_be_no_addresses),
        cmocka_unit_test(french_addresses_should_have_the_kind_before_the_name),
        cmocka_unit_test(french_words_for_streets_should_be_words_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
