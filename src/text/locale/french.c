/* french.c - le 4 juillet 1976; lundi 1er mars. 15 h 30; 15h30; 15:30; 18 h; 18 heures. 44e; 3ème; XXIe. */
#include "text/locale/language.h"

#include "text/roman.h"
#include "text/word_match.h"

#include <string.h>

static const char *const months[] = {
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre",
    "octobre", "novembre", "décembre", NULL
};
static const char *const weekdays[] = {
    "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche", NULL
};

/* ---- Dates ---- */

/* Behind the day at word i: 4, 1er, which is two words; i: there is none. */
static size_t day_end(const Words *words, size_t i, Date *date)
{
    date->day = locale_day(words, i);
    if (!date->day) return i;
    return i + 1 + (size_t)(word_is_glued(words, i + 1) && word_is(words, i + 1, "er"));
}

/* What the network reads for an article together with a preposition, which are one word; NULL: the
 * word is none. */
static const char *preposition_of(const Words *words, size_t i)
{
    return word_is(words, i, "du") ? "de" : word_is(words, i, "au") ? "à" : NULL;
}

/* The month of a day that ends before word i, which is said behind a later day: du 4 au 8 juillet,
 * le 4 et le 8 juillet; 0: none is. */
static int month_behind(const Words *words, size_t i)
{
    Date later;
    const int joins = word_is(words, i, "et") && word_is(words, i + 1, "le");
    if (!word_is(words, i, "au") && !joins) return 0;
    const size_t day = i + 1 + (size_t)joins, end = day_end(words, day, &later);
    return end > day ? locale_listed(words, end, months) : 0;
}

/* Whether word i is a subject, so that the date before it is none: le 5 mai je pars. */
static int is_subject(const Words *words, size_t i)
{
    static const char *const subjects[] = { "je", "j'", "j’", "tu", "il", "elle", "on", "nous", "vous",
                                            "ils", "elles", NULL };
    return word_is_one_of(words, i, subjects);
}

/* Whether the day behind the article at word i is the first of a month that is not said: je paie le 1er;
 * but il est le 1er. */
static int is_first_alone(const Words *words, size_t i, size_t end, int day)
{
    static const char *const be[] = { "est", "es", "suis", "était", "sera", NULL };
    return day == 1 && word_is(words, end - 1, "er") && word_is_end(words, end)
           && !word_is_one_of(words, i - 1, be);
}

static size_t date_end(const Words *words, size_t i, LocaleItem *item)
{
    Date *date = &item->date;
    item->before = preposition_of(words, i);
    item->has_prefix = item->before || word_is(words, i, "le");
    const size_t from = i + (size_t)item->has_prefix;
    date->weekday = locale_listed(words, from, weekdays);
    const size_t day = from + (size_t)(date->weekday > 0), month = day_end(words, day, date);
    if (month == day) return i;
    item->kind = LOCALE_DATE;
    date->month = item->has_prefix ? month_behind(words, month) : 0;
    if (date->month) return month;
    if (item->has_prefix && is_first_alone(words, i, month, date->day)) return month;
    date->month = locale_listed(words, month, months);
    if (!date->month) return i;
    date->year = locale_year(words, month + 1);
    const size_t end = month + 1 + (size_t)(date->year > 0);
    if (!i && is_subject(words, end)) item->behind = ",";
    return end;
}

static void write_date(const Date *date, Buf *out)
{
    if (date->weekday) buf_printf(out, "%s ", weekdays[date->weekday - 1]);
    buf_printf(out, "%d%s", date->day, date->day == 1 ? "er" : "");
    if (date->month) buf_printf(out, " %s", months[date->month - 1]);
    if (date->year) buf_printf(out, " %d", date->year);
}

/* ---- Times ---- */

static int hour_at(const Words *words, size_t i)
{
    const int hour = word_number(words, i, 2);
    return hour <= MIDNIGHT ? hour : -1;
}

/* The minutes that word i writes with two digits; -1: it is none. */
static int minute_at(const Words *words, size_t i)
{
    const int minute = word_number(words, i, 2);
    return words_plain(words, i).length == 2 && minute >= 0 && minute < 60 ? minute : -1;
}

/* Whether a number behind "heures" is what people say for minutes: il est 3 heures 30. Elsewhere it
 * counts something: en 3 heures 20 personnes. */
static int ends_time(const Words *words, size_t i)
{
    static const char *const of[] = { "du", "de", NULL };
    return word_is_end(words, i) || word_is_one_of(words, i, of);
}

/* Whether the word before word i says that hours are a time: à 18 heures. */
static int says_time(const Words *words, size_t i)
{
    static const char *const before[] = { "à", "vers", "dès", "est", "avant", "après", "déjà",
                                          "entre", NULL };
    return word_is_one_of(words, i - 1, before);
}

/* Whether it says that they are how long something takes: le trajet dure 15 h 30. */
static int says_duration(const Words *words, size_t i)
{
    static const char *const before[] = { "dure", "duré", "durent", "durera", "met", "mis", "prend",
                                          "pris", "pendant", "durant", "en", "dans", "environ", NULL };
    return word_is_one_of(words, i - 1, before);
}

/* Whether what the hours are of follows at word i: 24 heures d'attente. */
static int has_noun(const Words *words, size_t i)
{
    static const char *const of[] = { "de", "d'", "d’", NULL };
    return word_is_one_of(words, i, of);
}

/* Whether hours with a sign, or with their word, are a time. Up to noon they are the same number in
 * all languages. */
static int is_time(const Words *words, size_t i, int hour, int has_sign)
{
    if ((hour >= 1 && hour <= NOON) || has_noun(words, i + 2)) return 0;
    return has_sign || (hour < MIDNIGHT && says_time(words, i));
}

/* An hour with its sign or word: 18 h, 18h, 18 heures; with minutes: 18 h 30. */
static size_t hour_end(const Words *words, size_t i, LocaleItem *item)
{
    static const char *const hours[] = { "h", "heures", "heure", NULL };
    const int has_sign = word_is(words, i + 1, "h"), hour = hour_at(words, i);
    int minute = minute_at(words, i + 2);
    if (hour < 0 || !word_is_one_of(words, i + 1, hours)) return i;
    if (!has_sign && !ends_time(words, i + 3)) minute = -1;
    const int is_clock = minute >= 0 || is_time(words, i, hour, has_sign);
    if (!is_clock && !has_sign) return i;
    item->kind = is_clock && !says_duration(words, i) ? LOCALE_TIME : LOCALE_HOURS;
    item->time = (ClockTime){ hour, minute };
    if (item->kind == LOCALE_HOURS && minute >= 0) return i;
    return minute < 0 ? i + 2 : i + 3;
}

/* Whether the words before word i say that two numbers are a time, and no score. */
static int may_be_time(const Words *words, size_t i)
{
    static const char *const joins[] = { "et", "ou", "de", NULL };
    return !i || says_time(words, i) || word_is_one_of(words, i - 1, joins)
           || locale_goes_on(words, i)
           || locale_listed(words, i - 1, weekdays);
}

static size_t time_end(const Words *words, size_t i, LocaleItem *item)
{
    const ClockTime colon = locale_clock(words, i, ":"), sign = locale_clock(words, i, "hH");
    item->behind = "heures";
    item->kind = LOCALE_TIME;
    item->time = colon.hour >= 0 ? colon : sign;
    if (colon.hour >= 0) return may_be_time(words, i) ? i + 1 : i;
    if (sign.hour >= 0) return says_duration(words, i) ? i : i + 1;
    const size_t end = hour_end(words, i, item);
    return word_is_glued(words, end) && word_is(words, end, "/") ? i : end;
}

static void write_time(ClockTime time, Buf *out)
{
    buf_printf(out, "%d h", time.hour);
    if (time.minute > 0) buf_printf(out, " %02d", time.minute);
}

/* ---- Ordinals ---- */

static const char *const first_endings[] = { "er", "re", "ère", "ere", NULL };
static const char *const second_endings[] = { "nd", "nde", "d", "de", NULL };
static const char *const later_endings[] = { "e", "ème", "eme", "ième", "ieme", "è", NULL };
enum { FIRST = 1, SECOND = 2 };

/* The word for an ordinal that is written with the ending at word i, or in one word. */
static const char *name_of(int number, const Words *words, size_t ending)
{
    enum { NAMED = 20 };
    static const char *const masculine[] = { "er", NULL }, *const second[] = { "nd", "d", NULL };
    static const char *const names[NAMED] = {
        "première", "deuxième", "troisième", "quatrième", "cinquième", "sixième", "septième",
        "huitième", "neuvième", "dixième", "onzième", "douzième", "treizième", "quatorzième",
        "quinzième", "seizième", "dix-septième", "dix-huitième", "dix-neuvième", "vingtième"
    };
    if (number == FIRST && word_is_one_of(words, ending, masculine)) return "premier";
    if (number == SECOND && word_is_one_of(words, ending, second_endings))
        return word_is_one_of(words, ending, second) ? "second" : "seconde";
    return number <= NAMED ? names[number - 1] : NULL;
}

/* Whether a number at word i with e, without article and noun, is a price: ça coûte 25e. */
static int is_price(const Words *words, size_t i)
{
    static const char *const articles[] = { "le", "la", "au", "du", NULL };
    return word_is_end(words, i + 2) && word_is(words, i + 1, "e")
           && !word_is_one_of(words, i - 1, articles);
}

/* Whether word i is an ending of this number. */
static int is_ending_of(int number, const Words *words, size_t i)
{
    if (number == FIRST) return word_is_one_of(words, i, first_endings);
    return word_is_one_of(words, i, later_endings)
           || (number == SECOND && word_is_one_of(words, i, second_endings));
}

/* The ordinal that words i and i + 1 write: 44e; 0: they write none. */
static int digits_at(const Words *words, size_t i)
{
    const int number = word_number(words, i, ORDINAL_DIGITS);
    if (number < FIRST || !word_is_glued(words, i + 1) || !is_ending_of(number, words, i + 1)) return 0;
    return is_price(words, i) ? 0 : number;
}

/* The letters of a word before its ending; 0: it has another. */
static size_t letters_before(const char *ending, PlainWord word)
{
    const size_t length = strlen(ending);
    if (word.length < length || memcmp(word.text + word.length - length, ending, length) != 0) return 0;
    return word.length - length;
}

/* The ordinal that word i writes in Roman letters: XXIe; 0: it writes none. VIe is a typing error for
 * vie, but before what is counted so. */
static int roman_at(const Words *words, size_t i)
{
    enum { MOST = 39 };
    static const char *const counted[] = { "siècle", "siècles", "arrondissement", "République", NULL };
    const PlainWord word = words_plain(words, i);
    const size_t short_one = letters_before("e", word), long_one = letters_before("ème", word);
    const int number = roman_number(word.text, long_one ? long_one : short_one);
    if (number <= FIRST || number > MOST) return 0;
    return word_is(words, i, "VIe") && !word_is_one_of(words, i + 1, counted) ? 0 : number;
}

/* The network reads no ending: of 16e it made 16ths, of 16 the 16th. */
static size_t ordinal_end(const Words *words, size_t i, LocaleItem *item)
{
    const int in_digits = digits_at(words, i), number = in_digits ? in_digits : roman_at(words, i);
    const size_t end = in_digits ? i + 2 : i + 1;
    if (!number) return i;
    *item = (LocaleItem){ .kind = LOCALE_ORDINAL, .ordinal = number,
                          .word = name_of(number, words, end - 1) };
    return end;
}

static const char *ending_of(int number)
{
    return number == FIRST ? "er" : "e";
}

static void write_ordinal(int number, Buf *out)
{
    buf_printf(out, "%d%s", number, ending_of(number));
}

/* ---- Decades ---- */

static size_t decade_end(const Words *words, size_t i, LocaleItem *item)
{
    static const char *const before[] = { "les", "des", "aux", "ces", "nos", "d'", "d’", "début", "fin",
                                          NULL };
    const int decade = word_is_unaccented(words, i, "annees") ? locale_decade(words, i + 1) : 0;
    if (!decade || word_is_glued(words, i + 1)) return i;
    if (i && !word_is_one_of(words, i - 1, before)) return i;
    *item = (LocaleItem){ .kind = LOCALE_DECADE, .decade = decade };
    return i + 2;
}

static void write_decade(int decade, Buf *out)
{
    buf_printf(out, "années %d", decade);
}

/* ---- Around them ---- */

const Locale locale_french = {
    .months = months, .weekdays = weekdays, .numbers = { " .", ',', 0 },
    .number_words = {
        .labels = (const char *const[]){
            "version", "versions", "section", "sections", "chapitre", "chapitres", "figure", "figures",
            "tableau", "tableaux", "page", "pages", "étape", "étapes", "article", "articles", "paragraphe",
            "paragraphes", "exercice", "exercices", "question", "questions", "règle", "règles", "niveau",
            "leçon", "partie", "ligne", "annexe", "modèle", "chambre", "salle", "code", "numéro",
            "numéros", "passe", "postal", "port", "vol", "appelez", "appelle", "composez", "tél", NULL },
        .between = (const char *const[]){ "est", "sont", "était", "le", "la", "les", "au", "de", "moi", ":",
                                          "-", NULL },
        .joins = (const char *const[]){ ",", "et", "ou", "à", "-", "–", "&", NULL },
        .clock = (const char *const[]){ NULL },
        .ages = (const char *const[]){ "a", "ai", "as", "ont", "avait", "avais", NULL } },
    .spelled = {
        .words = (const SpelledNumber[]){
            { "un", 1 }, { "une", 1 }, { "deux", 2 }, { "trois", 3 }, { "quatre", 4 }, { "cinq", 5 }, { "six", 6 },
            { "sept", 7 }, { "huit", 8 }, { "neuf", 9 }, { "dix", 10 }, { "onze", 11 }, { "douze", 12 },
            { "treize", 13 }, { "quatorze", 14 }, { "quinze", 15 }, { "seize", 16 }, { "vingt", 20 },
            { "vingts", 20 }, { "trente", 30 }, { "quarante", 40 }, { "cinquante", 50 }, { "soixante", 60 },
            { "septante", 70 }, { "huitante", 80 }, { "nonante", 90 }, { NULL, 0 } },
        .by_twenties = 1, .and = "et",
        .larger = (const char *const[]){ "cent", "cents", "mille", "million", "millions", "milliard", "milliards",
                                         "virgule", NULL },
        .before = (const char *const[]){ "cent", "cents", "mille", "million", "millions", "milliard", "milliards",
                                         "virgule", "heure", "heures", "moins", "midi", "minuit", NULL } },
    .factors = { { "million", "millions", (const char *const[]){ "M", NULL } },
                 { "milliard", "milliards", (const char *const[]){ "Md", "Mds", "Mrd", NULL } },
                 { "billion", "billions", (const char *const[]){ NULL } },
                 { "k", "k", (const char *const[]){ "K", NULL } } },
    .currencies = (const Currency[]){ { "$", "de dollars" }, { "€", "d'euros" }, { "£", "de livres" },
                                      { "¥", "de yens" }, { "US$", "de dollars américains" },
                                      { "C$", "de dollars canadiens" }, { "CA$", "de dollars canadiens" },
                                      { "A$", "de dollars australiens" },
                                      { "AU$", "de dollars australiens" }, { NULL, NULL } },
    .prefix = "le",
    .times = { "de", (const char *const[]){ "à", NULL }, 1 },
    .days = { "du", (const char *const[]){ "au", "à", NULL }, 1 },
    .takes_date = (const char *const[]){ "le", "au", "du", "ce", "cet", "un", "une", "chaque", "mon",
                                         "son", "notre", "leur", NULL },
    .follows_date = (const char *const[]){ NULL },
    .joins = (const char *const[]){ NULL },
    .merged = (const MergedPrefix[]){ { "à", "au" }, { "de", "du" }, { "en", "le" }, { "sur", "le" },
                                      { "dans", "le" }, { NULL, NULL } },
    .vowels = "aeiou", .glides = (const char *const[]){ "oua", "oue", "oui", NULL },
    .vowel_forms = (const WordForm[]){ { "de", "d'" }, { "le", "l'" }, { "la", "l'" },
                                        { "que", "qu'" }, { "jusque", "jusqu'" },
                                        { "lorsque", "lorsqu'" }, { "puisque", "puisqu'" },
                                        { "quoique", "quoiqu'" }, { NULL, NULL } },
    .decade_article = "les",
    .decade_articles = (const char *const[]){ "les", "des", "aux", "ces", NULL },
    .decade_forms = (const WordForm[]){ { "le", "les" }, { "la", "les" }, { "du", "des" },
                                        { "de", "des" }, { "au", "dans les" }, { "en", "dans les" },
                                        { "à", "dans les" }, { NULL, NULL } },
    .hours = (const char *const[]){ "heures", "heure", "h", NULL },
    .endings = (const char *const[]){ "e", "er", "re", "ère", "ème", "ième", "è", "nd", "nde", NULL },
    .date_end = date_end, .time_end = time_end, .ordinal_end = ordinal_end,
    .decade_end = decade_end, .write_decade = write_decade,
    .write_date = write_date, .write_time = write_time, .write_ordinal = write_ordinal
};
