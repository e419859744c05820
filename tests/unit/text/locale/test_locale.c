/* test_locale.c - dates, times and ordinals among other words, and as the other language writes them. */
#include "text/locale/locale.h"

#include "scratch.h"

typedef struct { const Locale *from, *into; } Way;

static const Way to_french = { &locale_english, &locale_french };
static const Way to_english = { &locale_french, &locale_english };

/* Appends what is found: its words, as the other language writes it, and marks: + for a prefix, what is
 * read before and behind it in brackets, . for the stop of the sentence, an ordinal's word in square
 * brackets. */
static void add_found(Buf *out, const Way *way, const Words *words, size_t i, size_t end,
                      const LocaleItem *item)
{
    buf_puts(out, out->length ? "; " : "");
    for (size_t k = i, length; k < end; k++) {
        const char *word = words_at(words, k, &length);
        const size_t mark = words_mark_length(word, length);
        if (mark && k > i) buf_putc(out, ' ');
        buf_add(out, word + mark, length - mark);
    }
    buf_puts(out, " = ");
    if (item->before) buf_printf(out, "(%s) ", item->before);
    if (item->kind != LOCALE_HOURS) locale_write_item(way->into, item, out);
    if (item->behind) buf_printf(out, " (%s)", item->behind);
    if (item->has_prefix) buf_puts(out, " +");
    if (item->has_stop) buf_puts(out, " .");
    if (item->word) buf_printf(out, " [%s]", item->word);
}

static void assert_items(const Way *way, const char *line, const char *expected)
{
    Words words = { 0 };
    Buf out = { 0 };
    LocaleItem item;
    buf_clear(&out);
    words_split(line, strlen(line), 1, &words);
    for (size_t i = 0, end; i < words.count; i = end > i ? end : i + 1) {
        end = locale_item_end(way->from, &words, i, &item);
        if (end > i) add_found(&out, way, &words, i, end, &item);
    }
    assert_string_equal(out.text, expected);
    buf_free(&out);
    words_free(&words);
}

static void dates_in_english_should_be_french(void **state)
{
    (void)state;
    assert_items(&to_french, "She left on July 4th, 1976.", "on July 4th, 1976 = 4 juillet 1976 +");
    assert_items(&to_french, "On 1 March 2020 we left", "On 1 March 2020 = 1er mars 2020 (,) +");
    assert_items(&to_french, "Monday, June 3, is free", "Monday, June 3 = lundi 3 juin");
    assert_items(&to_french, "Tue, 5 Nov or Wed., Nov 6, 2024",
                 "Tue, 5 Nov = mardi 5 novembre; Wed., Nov 6, 2024 = mercredi 6 novembre 2024");
    assert_items(&to_french, "Thurs 3 June, FRI 6 DEC, Sun the 3rd",
                 "Thurs 3 June = jeudi 3 juin; FRI 6 DEC = vendredi 6 décembre; Sun the 3rd = dimanche 3");
    assert_items(&to_french, "we sat 6 Dec, the Sun is", "6 Dec = 6 décembre");
    assert_items(&to_french, "on Sunday 4th June, 1989", "on Sunday 4th June, 1989 = dimanche 4 juin 1989 +");
    assert_items(&to_french, "the 25th of December.", "the 25th of December = 25 décembre");
    assert_items(&to_french, "It was on Dec. 25, 2001.", "on Dec. 25, 2001 = 25 décembre 2001 +");
    assert_items(&to_french, "Sept 5 or Oct 31", "Sept 5 = 5 septembre; Oct 31 = 31 octobre");
    assert_items(&to_french, "May 5, Tom left", "May 5 = 5 mai");
    assert_items(&to_french, "from July 4 to July 8", "July 4 = 4 juillet; July 8 = 8 juillet");
}

static void dates_in_french_should_be_english(void **state)
{
    (void)state;
    assert_items(&to_english, "Née le 4 juillet 1976.", "le 4 juillet 1976 = July 4, 1976 +");
    assert_items(&to_english, "Lundi 3 juin", "Lundi 3 juin = Monday, June 3");
    assert_items(&to_english, "le mardi 1er août", "le mardi 1er août = Tuesday, August 1 +");
    assert_items(&to_english, "jusqu'au 8 mai 1945", "au 8 mai 1945 = (à) May 8, 1945 +");
    assert_items(&to_english, "du 4 au 8 février", "du 4 = (de) February 4 +; au 8 février = (à) February 8 +");
    assert_items(&to_english, "le 1er et le 2 mai", "le 1er = May 1 +; le 2 mai = May 2 +");
    assert_items(&to_english, "3 et le 8 mai, le 4 et mon 8 mai", "le 8 mai = May 8 +; 8 mai = May 8");
    assert_items(&to_english, "le 8 aout, le 8 FEVRIER", "le 8 aout = August 8 +; le 8 FEVRIER = February 8 +");
    assert_items(&to_english, "la fête du 14 juillet", "du 14 juillet = (de) July 14 +");
}

/* The network reads a comma where the date is not the subject. */
static void a_date_that_begins_a_sentence_should_be_parted_from_it(void **state)
{
    (void)state;
    assert_items(&to_french, "On May 5, we left", "On May 5 = 5 mai +");
    assert_items(&to_french, "On May 5.", "On May 5 = 5 mai +");
    assert_items(&to_french, "May 5 is late", "May 5 = 5 mai");
    assert_items(&to_french, "We left on May 5 in Rome", "on May 5 = 5 mai +");
    assert_items(&to_english, "Le 5 mai je pars", "Le 5 mai = May 5 (,) +");
    assert_items(&to_english, "Le 5 mai j'arrive", "Le 5 mai = May 5 (,) +");
    assert_items(&to_english, "Le 5 mai tombe bien", "Le 5 mai = May 5 +");
    assert_items(&to_english, "Depuis le 5 mai je dors", "le 5 mai = May 5 +");
}

static void other_numbers_and_months_should_be_no_dates(void **state)
{
    (void)state;
    assert_items(&to_french, "in May 5 of us left", "");
    assert_items(&to_french, "We may 3 times march 5 miles", "");
    assert_items(&to_french, "in June 2015, July 32, May 0, July 4th5, 4 of July, the dec 5", "");
    assert_items(&to_french, "July 4, 976", "July 4 = 4 juillet");
    assert_items(&to_french, "the 4 July, the 5 of us", "4 July = 4 juillet");
    assert_items(&to_french, "we march 3 miles on july 4", "on july 4 = 4 juillet +");
    assert_items(&to_french, "I met June 20 years ago, and April 3 times", "");
    assert_items(&to_french, "July 4, 1000 people", "July 4 = 4 juillet");
    assert_items(&to_french, "in July 4, 1976", "July 4, 1976 = 4 juillet 1976");
    assert_items(&to_english, "en juin 2015, 32 mai, le 5, les 3 chats, mai 68, le 4x mai", "");
}

static void times_in_english_should_be_french(void **state)
{
    (void)state;
    assert_items(&to_french, "at 3:30 or 12:05", "3:30 = 3 h 30 (o'clock); 12:05 = 12 h 05 (o'clock)");
    assert_items(&to_french, "at 3:30 p.m. or 11 PM",
                 "3:30 p.m. = 15 h 30 (o'clock); 11 PM = 23 h (o'clock)");
    assert_items(&to_french, "at 3:30pm", "3:30pm = 15 h 30 (o'clock)");
    assert_items(&to_french, "at 6 p.m.", "6 p.m. = 18 h (o'clock) .");
    assert_items(&to_french, "12 a.m. is 12:00 am, 12 p.m. noon",
                 "12 a.m. = 0 h (o'clock); 12:00 am = 0 h (o'clock); 12 p.m. = 12 h (o'clock)");
    assert_items(&to_french, "from 2 and 4 p.m. or 11:30 and 1 pm",
                 "2 = 14 h (o'clock); 4 p.m. = 16 h (o'clock); 11:30 = 11 h 30 (o'clock); "
                 "1 pm = 13 h (o'clock)");
    assert_items(&to_french, "9:00 - 17:00", "9:00 - 17:00 = 9 h-17 h");
    assert_items(&to_french, "at 3.30 pm, of 3.30", "3.30 pm = 15 h 30 (o'clock)");
    assert_items(&to_french, "at 3.30 tomorrow, until 14.05.",
                 "3.30 = 3 h 30 (o'clock); 14.05 = 14 h 05 (o'clock)");
    assert_items(&to_french, "we meet at 9.30 Monday. The train is at 7.05", "9.30 = 9 h 30 (o'clock); 7.05 = 7 h 05 (o'clock)");
    assert_items(&to_french, "the rate is at 4.25. leaves at 4.26, meet at 0.30, is 3.30, closed at 10.50, at 24.75", "");
    assert_items(&to_french, "from 9.30 until 17.30", "");
    assert_items(&to_french, "from 12 to 2 pm", "from 12 to 2 pm = de 12 h à 14 h +");
    assert_items(&to_french, "2 of 4 p.m. trains", "4 p.m. = 16 h (o'clock)");
    assert_items(&to_french, "at 7:00 o'clock", "7:00 o'clock = 7 h (o'clock)");
    assert_items(&to_french, "It is 15:30", "15:30 = 15 h 30 (o'clock)");
    assert_items(&to_french, "At 3:30 we left", "3:30 = 3 h 30 (o'clock)");
}

static void times_in_french_should_be_english(void **state)
{
    (void)state;
    assert_items(&to_english, "à 15 h 30, 15h30 ou 15:30",
                 "15 h 30 = 3:30 pm (heures); 15h30 = 3:30 pm (heures); 15:30 = 3:30 pm (heures)");
    assert_items(&to_english, "à 8h15 et 12 h 00", "8h15 = 8:15 (heures); 12 h 00 = 12:00 (heures)");
    assert_items(&to_english, "Il est 0 h 05 ou 3 heures 30.",
                 "0 h 05 = 12:05 am (heures); 3 heures 30 = 3:30 (heures)");
    assert_items(&to_english, "avant 18 h, à 20 heures et 13h",
                 "18 h = 6 pm (heures); 20 heures = 8 pm (heures); 13h = 1 pm (heures)");
    assert_items(&to_english, "9:00 - 17:00", "9:00 - 17:00 = 9:00-5:00 pm");
    assert_items(&to_english, "9:00, 17:00", "9:00 = 9:00 (heures); 17:00 = 5:00 pm (heures)");
    assert_items(&to_english, "0h et 24 h", "0h = 12 am (heures); 24 h = 12 am (heures)");
    assert_items(&to_english, "le train de 18 h du matin", "18 h = 6 pm (heures)");
}

/* What may take so long has the sign of hours spelt, and is no time. */
static void hours_that_may_be_long_should_stay_hours(void **state)
{
    (void)state;
    assert_items(&to_english, "en 18 h, à 8 h ou 8h", "18 h =  (heures); 8 h =  (heures); 8h =  (heures)");
    assert_items(&to_english, "en 18 h 75, 8 h 5", "18 h =  (heures); 8 h =  (heures)");
    assert_items(&to_english, "pendant 18 heures, à 8 heures, après 24 heures", "");
    assert_items(&to_english, "il dure 15 h 30, en 13h20, 18 heures d'attente", "");
    assert_items(&to_english, "après 18 heures d'attente, 18 h de route", "18 h =  (heures)");
    assert_items(&to_english, "24h/24", "");
    assert_items(&to_english, "en 3 heures 20 personnes sont venues", "");
}

static void other_numbers_should_be_no_times(void **state)
{
    (void)state;
    assert_items(&to_french, "I read John 3:16 at 3:1, 2:05:30, 25:10, 3:60, 13 pm, 0 am, 3", "");
    assert_items(&to_french, "I saw John 3:16 pm", "3:16 pm = 15 h 16 (o'clock)");
    assert_items(&to_french, "On Monday 3:30", "3:30 = 3 h 30 (o'clock)");
    assert_items(&to_french, "Tom, 21:19", "");
    assert_items(&to_french, "We won 21:19, the ratio is 1:10, at 3:30 minutes", "");
    assert_items(&to_french, "it is 1:10, the time was 1:10",
                 "1:10 = 1 h 10 (o'clock); 1:10 = 1 h 10 (o'clock)");
    assert_items(&to_english, "25 h, 3 h60, h 30, 3h5, Jean 14:16", "");
    assert_items(&to_english, "Le score est 3:1, il était 21:19", "");
}

static void hours_should_be_written_by_half_days_in_english(void **state)
{
    (void)state;
    static const char *const written[] = { "12 am", "11 am", "12 pm", "11 pm", "12 am" };
    static const int hour[] = { 0, 11, 12, 23, 24 };
    for (size_t i = 0; i < sizeof hour / sizeof *hour; i++) {
        const LocaleItem item = { .kind = LOCALE_TIME, .time = { hour[i], -1 } };
        Buf out = { 0 };
        locale_write_item(&locale_english, &item, &out);
        assert_string_equal(out.text, written[i]);
        buf_free(&out);
    }
}

static void ordinals_in_english_should_be_french(void **state)
{
    (void)state;
    assert_items(&to_french, "The 44th of 101st, 1000th", "44th = 44e (th); 101st = 101e (st); 1000th = 1000e (th)");
    assert_items(&to_french, "the 1st, 2ND or 3rd",
                 "1st = 1er (st) [first]; 2ND = 2e (nd) [second]; 3rd = 3e (rd) [third]");
    assert_items(&to_french, "the 20th century, the 21st", "20th = 20e (th) [twentieth]; 21st = 21e (st)");
    assert_items(&to_french, "the 112th and 113th", "112th = 112e (th); 113th = 113e (th)");
    assert_items(&to_french, "44, th, 0th, 12345th, 44 th, 44k, 4.5th, 19th-century", "");
    assert_items(&to_french, "on July 22nd, the 22nd", "on July 22nd = 22 juillet +; 22nd = 22e (nd)");
}

static void ordinals_in_french_should_be_english(void **state)
{
    (void)state;
    assert_items(&to_english, "Le 44e, la 44ème, 101ieme", "44e = 44th; 44ème = 44th; 101ieme = 101st");
    assert_items(&to_english, "Un 1er, la 1re, la 1ère",
                 "1er = 1st [premier]; 1re = 1st [première]; 1ère = 1st [première]");
    assert_items(&to_english, "le 2e, le 2nd, le 2d, la 2nde",
                 "2e = 2nd [deuxième]; 2nd = 2nd [second]; 2d = 2nd [second]; 2nde = 2nd [seconde]");
    assert_items(&to_english, "Au XXIe siècle et au XXe", "XXIe = 21st; XXe = 20th [vingtième]");
    assert_items(&to_english, "la Ve République, le XIIème, Ier",
                 "Ve = 5th [cinquième]; XIIème = 12th [douzième]");
    assert_items(&to_english, "De Le Me Ce, IIXe, xxie, XXI, 44, e, 0e, 44 e, 44h", "");
    assert_items(&to_english, "le 1er mai, le 1er", "le 1er mai = May 1 +; le 1er = the 1st +");
}

static void days_without_a_month_should_be_dates(void **state)
{
    (void)state;
    assert_items(&to_french, "See you on the 22nd.", "on the 22nd = 22 +");
    assert_items(&to_french, "for the 1st, Monday the 3rd", "the 1st = 1er; Monday the 3rd = lundi 3");
    assert_items(&to_french, "The 31st is late", "The 31st = 31");
    assert_items(&to_french, "on the 3rd floor", "3rd = 3e (rd) [third]");
    assert_items(&to_french, "on the 22nd, 1976 was far", "on the 22nd = 22 +");
    assert_items(&to_french, "the 3rd, on the 32nd, on 3rd, so the 31st is late",
                 "3rd = 3e (rd) [third]; 32nd = 32e (nd); 3rd = 3e (rd) [third]; 31st = 31e (st)");
    assert_items(&to_english, "Je paie le 1er.", "le 1er = the 1st +");
    assert_items(&to_english, "jusqu'au 1er", "au 1er = (à) the 1st +");
    assert_items(&to_english, "il est le 1er, le 2e", "1er = 1st [premier]; 2e = 2nd [deuxième]");
    assert_items(&to_english, "le 1er homme", "1er = 1st [premier]");
    assert_items(&to_english, "Je paie le 3er.", "");
}

static void what_only_looks_like_an_ordinal_should_be_none(void **state)
{
    (void)state;
    assert_items(&to_english, "le 22nd, la 3nd, 1e, 2er, 101ère", "");
    assert_items(&to_english, "Vere, Xere, MMe Dupont, CIe, DIre, LIre, Ie, XLe, IIIIe", "");
    assert_items(&to_english, "La VIe est belle, au VIe siècle", "VIe = 6th [sixième]");
    assert_items(&to_english, "ça coûte 25e, 20e ?", "");
    assert_items(&to_english, "le 25e, la 25ème, 25ème", "25e = 25th; 25ème = 25th; 25ème = 25th");
}

static void words_beside_a_date_should_change_it(void **state)
{
    (void)state;
    assert_string_equal(locale_prefix(&locale_english), "on");
    assert_true(locale_takes_date(&locale_english, "since", 5));
    assert_false(locale_takes_date(&locale_english, "sinc", 4));
    assert_string_equal(locale_merged(&locale_french, "de", 2), "du");
    assert_null(locale_merged(&locale_french, "depuis", 6));
    assert_true(locale_is_hour(&locale_french, "heures", 6));
    assert_false(locale_is_hour(&locale_english, "hours", 5));
    assert_true(locale_follows_date(&locale_english, "is", 2));
    assert_true(locale_joins(&locale_english, "and", 3));
    assert_false(locale_joins(&locale_french, "et", 2));
    assert_true(locale_is_ending(&locale_french, "e", 1));
    assert_false(locale_is_ending(&locale_english, "e", 1));
}

static void ranges_should_be_found_as_a_whole(void **state)
{
    (void)state;
    assert_items(&to_french, "It is open from 9 am to 7:30 pm, Monday to Saturday.",
                 "from 9 am to 7:30 pm = de 9 h à 19 h 30 +; Monday to Saturday = du lundi au samedi");
    assert_items(&to_french, "we work 9am-5pm, or 10 a.m. - 6 p.m.",
                 "9am-5pm = 9 h-17 h; 10 a.m. - 6 p.m. = 10 h-18 h .");
    assert_items(&to_french, "closed 12:00-13:30.", "12:00-13:30 = 12 h-13 h 30");
    assert_items(&to_french, "From 8 p.m. to 10 p.m. we slept", "From 8 p.m. to 10 p.m. = de 20 h à 22 h (,) +");
    assert_items(&to_french, "From 8 p.m. to 10 p.m.", "From 8 p.m. to 10 p.m. = de 20 h à 22 h + .");
    assert_items(&to_french, "free Tuesday through Friday", "Tuesday through Friday = du mardi au vendredi");
    assert_items(&to_french, "from Monday to Friday, 6 to 9 pm, 9 to 5",
                 "from Monday to Friday = du lundi au vendredi +; 6 to 9 pm = de 18 h à 21 h");
    assert_items(&to_english, "de 9 h à 19 h, du lundi au samedi",
                 "de 9 h à 19 h = from 9 am to 7 pm +; du lundi au samedi = from Monday to Saturday +");
    assert_items(&to_english, "9h-12h et 14h30-18h", "9h-12h = 9 am-12 pm; 14h30-18h = 2:30 pm-6 pm");
    assert_items(&to_english, "lundi-vendredi", "");
    assert_items(&to_english, "lundi - vendredi", "lundi - vendredi = Monday-Friday");
    assert_items(&to_english, "du lundi au vendredi 5 mai", "au vendredi 5 mai = (à) Friday, May 5 +");
    assert_items(&to_french, "[9:00-17:30], \"9am-5pm\"", "9:00-17:30 = 9 h-17 h 30; 9am-5pm = 9 h-17 h");
    assert_items(&to_french, "2020-2021, 555-1234, 3:16-18, 3-2", "");
    assert_items(&to_french, "Mark 1:20-2:10, was 10:12-14:16, John 3:16-4:10", "");
    assert_items(&to_english, "2h-3h par jour, 9h-10h par jour, de marche", "");
}

static void decades_should_be_found(void **state)
{
    (void)state;
    assert_items(&to_french, "the 1990s, the '80s, the 70s",
                 "1990s = années 1990; '80s = années 80; 70s = années 70");
    assert_items(&to_french, "in his 80s, the 1985s, 3000s, the 85s, 1990's, '1990s", "1990s = années 1990");
    assert_items(&to_french, "the early 1970s, mid-1990s, a 1960s computer", "");
    assert_items(&to_english, "les années 1990 et fin années 80", "années 1990 = 1990s; années 80 = 80s");
    assert_items(&to_english, "années 30", "années 30 = 30s");
    assert_items(&to_english, "les années 85, année 80, années 3000, 5 années 30 cm", "");
}

static const char *before(const Locale *locale, const char *word, const char *name)
{
    const char *form = locale_before_vowel(locale, word, strlen(word), name);
    return form ? form : word;
}

static void words_should_have_another_form_before_names_that_begin_with_a_vowel(void **state)
{
    (void)state;
    assert_string_equal(before(&locale_french, "que", "Anouk"), "qu'");
    assert_string_equal(before(&locale_french, "de", "École"), "d'");
    assert_string_equal(before(&locale_french, "la", "AC"), "l'");
    assert_string_equal(before(&locale_french, "de", "Ouagadougou"), "de");
    assert_string_equal(before(&locale_french, "de", "Yves"), "de");
    assert_string_equal(before(&locale_french, "de", "A"), "de");
    assert_string_equal(before(&locale_french, "de", "A4"), "de");
    assert_string_equal(before(&locale_french, "de", "info.txt"), "de");
    assert_string_equal(before(&locale_french, "de", "O'Brien 2"), "d'");
    assert_string_equal(before(&locale_french, "de", ""), "de");
    assert_string_equal(before(&locale_french, "par", "Anouk"), "par");
    assert_string_equal(before(&locale_english, "a", "Ibiza"), "an");
    assert_string_equal(before(&locale_english, "a", "Eurostar"), "a");
    assert_string_equal(before(&locale_english, "a", "Uber"), "a");
    assert_string_equal(before(&locale_english, "the", "Opel"), "the");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_in_english_should_be_french),
        cmocka_unit_test(dates_in_french_should_be_english),
        cmocka_unit_test(a_date_that_begins_a_sentence_should_be_parted_from_it),
        cmocka_unit_test(other_numbers_and_months_should_be_no_dates),
        cmocka_unit_test(times_in_english_should_be_french),
        cmocka_unit_test(times_in_french_should_be_english),
        cmocka_unit_test(hours_that_may_be_long_should_stay_hours),
        cmocka_unit_test(other_numbers_should_be_no_times),
        cmocka_unit_test(hours_should_be_written_by_half_days_in_english),
        cmocka_unit_test(ordinals_in_english_should_be_french),
        cmocka_unit_test(ordinals_in_french_should_be_english),
        cmocka_unit_test(days_without_a_month_should_be_dates),
        cmocka_unit_test(what_only_looks_like_an_ordinal_should_be_none),
        cmocka_unit_test(words_beside_a_date_should_change_it),
        cmocka_unit_test(ranges_should_be_found_as_a_whole),
        cmocka_unit_test(decades_should_be_found),
        cmocka_unit_test(words_should_have_another_form_before_names_that_begin_with_a_vowel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
