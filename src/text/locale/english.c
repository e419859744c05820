/* english.c - July 4, 1976; the 4th of July; 4 July. 3:30; 3:30 p.m.; 6 pm. 44th. */
#include "text/locale/language.h"

#include "text/word_match.h"

#include <string.h>

static const char *const months[] = {
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December", NULL
};
static const char *const weekdays[] = {
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", NULL
};

static const char *const endings[] = { "st", "nd", "rd", "th", NULL };

/* Behind the ending of a number, which is a word that is glued to it: 4 th. */
static size_t ending_end(const Words *words, size_t i)
{
    return i + (size_t)(word_is_glued(words, i) && word_is_one_of(words, i, endings));
}

/* ---- Dates ---- */

/* The month that word i is: December, Dec. Small letters are a verb's: may, march. */
static int month_at(const Words *words, size_t i)
{
    static const char *const cut[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep",
                                       "Oct", "Nov", "Dec", "Sept", NULL };
    enum { MARCH = 3, MAY = 5, SEPTEMBER = 9, SEPT = 13 };
    const int month = locale_listed(words, i, months), short_one = locale_listed(words, i, cut);
    const int found = month ? month : short_one == SEPT ? SEPTEMBER : short_one;
    const int is_small = word_shape_at(words, i) == SHAPE_SMALL;
    return is_small && (!month || found == MARCH || found == MAY) ? 0 : found;
}

/* Whether word i is what the number before it counts: I met June 20 years ago. */
static int is_counted(const Words *words, size_t i)
{
    static const char *const counted[] = { "years", "months", "weeks", "days", "hours", "minutes",
                                           "times", "people", "men", "women", "children", NULL };
    return word_is_one_of(words, i, counted);
}

/* Behind the month at word i, perhaps with a full stop, and the day behind it. */
static size_t month_day_end(const Words *words, size_t i, Date *date)
{
    const size_t day = i + 1 + (size_t)(word_is_glued(words, i + 1) && word_is(words, i + 1, "."));
    date->month = month_at(words, i);
    date->day = locale_day(words, day);
    return date->month && date->day && !is_counted(words, day + 1) ? ending_end(words, day + 1) : i;
}

/* Behind the day at word i and the month behind it: 4 July, 4th July, the 4th of July. */
static size_t day_month_end(const Words *words, size_t i, Date *date)
{
    const int has_article = word_is(words, i, "the");
    const size_t day = i + (size_t)has_article, behind = ending_end(words, day + 1);
    const int has_ending = behind > day + 1;
    const size_t month = behind + (size_t)(has_ending && word_is(words, behind, "of"));
    date->day = locale_day(words, day);
    date->month = month_at(words, month);
    return date->day && date->month && (has_ending || !has_article) ? month + 1 : i;
}

/* Behind the year at word i, perhaps with a comma before it. */
static size_t year_end(const Words *words, size_t i, Date *date)
{
    const size_t year = i + (size_t)word_is(words, i, ",");
    date->year = is_counted(words, year + 1) ? 0 : locale_year(words, year);
    return date->year ? year + 1 : i;
}

/* The weekday that word i is: Tuesday, Tue, Tues. Small letters are those of other words: sat, sun. */
static int weekday_at(const Words *words, size_t i)
{
    static const char *const cut[] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", NULL };
    static const char *const longer[] = { "Mon", "Tues", "Weds", "Thurs", "Fri", "Sat", "Sun", NULL };
    const int weekday = locale_listed(words, i, weekdays);
    if (weekday || word_shape_at(words, i) == SHAPE_SMALL) return weekday;
    const int short_one = locale_listed(words, i, cut);
    return short_one ? short_one : locale_listed(words, i, longer);
}

/* Behind the weekday at word i, its full stop and its comma, if there are some. */
static size_t weekday_end(const Words *words, size_t i, Date *date)
{
    date->weekday = weekday_at(words, i);
    if (!date->weekday) return i;
    const size_t end = i + 1 + (size_t)(word_is_glued(words, i + 1) && word_is(words, i + 1, "."));
    return end + (size_t)word_is(words, end, ",");
}

/* Whether word i says that a day follows: on, since; or a weekday did. */
static int may_be_day_behind(const Words *words, size_t i, const Date *date)
{
    static const char *const before[] = { "on", "until", "till", "by", "since", "before", "after",
                                          "from", "to", "for", NULL };
    return date->weekday || word_is_one_of(words, i, before);
}

/* Behind the day of a month that is not said: the 22nd, at the end of a clause, or as the subject of one:
 * The 31st is late. */
static size_t day_alone_end(const Words *words, size_t i, Date *date)
{
    static const char *const verbs[] = { "is", "was", "will", "works", NULL };
    const size_t end = ending_end(words, i + 2);
    if (!word_is(words, i, "the") || end == i + 2) return i;
    const int is_day = (word_is_end(words, end) && may_be_day_behind(words, i - 1, date))
                       || (!i && word_is_one_of(words, end, verbs));
    date->day = locale_day(words, i + 1);
    date->month = 0;
    return is_day && date->day ? end : i;
}

/* A month behind "in" has its number elsewhere, but for a year: in May 5 of us left. */
static size_t date_end(const Words *words, size_t i, LocaleItem *item)
{
    Date *date = &item->date;
    const size_t from = i + (size_t)word_is(words, i, "on");
    const size_t core = weekday_end(words, from, date);
    size_t end = month_day_end(words, core, date);
    const int has_month_first = end > core;
    if (!has_month_first) end = day_month_end(words, core, date);
    if (end == core) end = day_alone_end(words, core, date);
    if (end == core) return i;
    const size_t year = date->month ? year_end(words, end, date) : end;
    if (year == end && word_is(words, i - 1, "in")) return i;
    item->kind = LOCALE_DATE;
    item->has_prefix = from > i;
    if (item->has_prefix && !i && !word_is_end(words, year)) item->behind = ",";
    return year;
}

/* The ending of a number: st, nd, rd, th. */
static const char *ending_of(int number)
{
    enum { TH = 3 };
    const int last = number % 10, is_teen = number / 10 % 10 == 1;
    return endings[is_teen || last < 1 || last > 3 ? TH : last - 1];
}

static void write_date(const Date *date, Buf *out)
{
    if (date->weekday) buf_printf(out, "%s, ", weekdays[date->weekday - 1]);
    if (date->month) buf_printf(out, "%s %d", months[date->month - 1], date->day);
    else buf_printf(out, "the %d%s", date->day, ending_of(date->day));
    if (date->year) buf_printf(out, ", %d", date->year);
}

/* ---- Times ---- */

typedef enum { NO_HALF, MORNING, AFTERNOON } HalfDay;

/* Which half of the day word i says. */
static HalfDay half_at(const Words *words, size_t i)
{
    static const char *const morning[] = { "am", "a.m.", "a.m", NULL };
    static const char *const afternoon[] = { "pm", "p.m.", "p.m", NULL };
    return word_is_one_of(words, i, morning) ? MORNING
         : word_is_one_of(words, i, afternoon) ? AFTERNOON : NO_HALF;
}

static int hour_of_day(int hour, HalfDay half)
{
    return half ? hour % NOON + (half == AFTERNOON) * NOON : hour;
}

/* Whether what is said before word i begins or happens then: we meet at, the train leaves at. */
static int says_event(const Words *words, size_t i)
{
    static const char *const verbs[] = {
        "meet", "meets", "met", "meeting", "leave", "leaves", "left", "start", "starts", "started", "begin",
        "begins", "began", "arrive", "arrives", "arrived", "depart", "departs", "wake", "woke", "up", "call",
        "come", "comes", "came", "home", "dinner", "lunch", "breakfast", "appointment", "train", "bus", NULL
    };
    static const char *const events[] = { "meeting", "appointment", "class", "lesson", "party", "dinner", "lunch",
                                          "breakfast", "concert", "interview", "film", "show", "train", "bus",
                                          "flight", "game", "match", NULL };
    static const char *const be[] = { "is", "was", "'s", NULL };
    return word_is_one_of(words, i - 1, verbs)
           || (word_is_one_of(words, i - 1, be) && word_is_one_of(words, i - 2, events));
}

/* Whether only a time has word i behind it. */
static int follows_time(const Words *words, size_t i)
{
    static const char *const others[] = { "sharp", "tomorrow", "tonight", NULL };
    return word_is_one_of(words, i, others) || locale_listed(words, i, weekdays)
           || (word_is(words, i, "on") && locale_listed(words, i + 1, weekdays));
}

/* Whether a number with a point at word i is a time: we meet at 10.30, until 18.30. Elsewhere it is none: the
 * rate is at 4.25. */
static int is_pointed_time(const Words *words, size_t i)
{
    static const char *const until[] = { "until", "till", NULL };
    const ClockTime time = locale_clock(words, i, ".");
    const PlainWord earlier = words_plain(words, i - 2);
    if (time.hour < 1 || time.minute % 5 || !i) return 0;
    if (word_is(words, i - 1, "at")) return says_event(words, i - 1) || follows_time(words, i + 1);
    return word_is_one_of(words, i - 1, until) && !(i > 1 && memchr(earlier.text, '.', earlier.length));
}

/* The time at word i without its half of the day: 3:30, 3, and before that half 3.30; its hour is -1:
 * there is none. */
static ClockTime clock_at(const Words *words, size_t i)
{
    const int hour = word_number(words, i, 2), has_point = half_at(words, i + 1) || is_pointed_time(words, i);
    const ClockTime clock = locale_clock(words, i, has_point ? ":." : ":");
    const ClockTime full = { hour, -1 };
    return clock.hour >= 0 || hour < 1 || hour > NOON ? clock : full;
}

/* The half of the day of the time at word i, which may be said behind a later one: from 2 to 4 p.m.,
 * from 11 to 1 p.m. */
static HalfDay half_behind(const Words *words, size_t i, int hour)
{
    static const char *const joins[] = { "to", "and", "or", "-", "–", NULL };
    const HalfDay own = half_at(words, i + 1), later = half_at(words, i + 3);
    const int other = clock_at(words, i + 2).hour;
    if (own || !later || other < 0 || !word_is_one_of(words, i + 1, joins)) return own;
    const int is_before = hour % NOON <= other % NOON;
    return is_before ? later : later == MORNING ? AFTERNOON : MORNING;
}

/* Whether the words before word i say that two numbers are a time, and no score or verse. */
static int says_time(const Words *words, size_t i)
{
    static const char *const before[] = {
        "at", "by", "until", "till", "since", "from", "before", "after", "around", "about", "the",
        "for", "past", "it's", "'s", "now", "and", "or", "to", NULL
    };
    static const char *const subjects[] = { "it", "time", NULL };
    static const char *const verbs[] = { "is", "was", NULL };
    return !i || word_is_one_of(words, i - 1, before) || locale_listed(words, i - 1, weekdays)
           || locale_goes_on(words, i)
           || (word_is_one_of(words, i - 1, verbs) && word_is_one_of(words, i - 2, subjects));
}

/* Whether word i says that the number before it is how long something takes. */
static int is_duration(const Words *words, size_t i)
{
    static const char *const units[] = { "hours", "minutes", "seconds", "long", NULL };
    return word_is_one_of(words, i, units);
}

static size_t time_end(const Words *words, size_t i, LocaleItem *item)
{
    ClockTime time = clock_at(words, i);
    const HalfDay half = half_behind(words, i, time.hour), own = half_at(words, i + 1);
    const size_t behind = i + 1 + (size_t)(own != NO_HALF);
    if (time.hour < 0 || (!half && (time.minute < 0 || !says_time(words, i)))) return i;
    if (is_duration(words, behind)) return i;
    time.hour = hour_of_day(time.hour, half);
    *item = (LocaleItem){ .kind = LOCALE_TIME, .time = time, .behind = "o'clock" };
    return behind + (size_t)word_is(words, behind, "o'clock");
}

static void write_time(ClockTime time, Buf *out)
{
    const int hour = time.hour % MIDNIGHT, is_short = time.minute < 0;
    buf_printf(out, "%d", hour % NOON ? hour % NOON : NOON);
    if (!is_short) buf_printf(out, ":%02d", time.minute);
    if (hour > NOON || (hour == NOON && is_short)) buf_puts(out, " pm");
    else if (!hour || is_short) buf_puts(out, " am");
}

/* ---- Ordinals ---- */

static size_t ordinal_end(const Words *words, size_t i, LocaleItem *item)
{
    enum { NAMED = 20 };
    static const char *const names[NAMED] = {
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
        "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
        "eighteenth", "nineteenth", "twentieth"
    };
    const int number = word_number(words, i, ORDINAL_DIGITS);
    const size_t end = ending_end(words, i + 1);
    if (number < 1 || end == i + 1) return i;
    *item = (LocaleItem){ .kind = LOCALE_ORDINAL, .ordinal = number, .behind = ending_of(number),
                          .word = number <= NAMED ? names[number - 1] : NULL };
    return end;
}

static void write_ordinal(int number, Buf *out)
{
    buf_printf(out, "%d%s", number, ending_of(number));
}

/* ---- Decades ---- */

/* Of two digits only behind words that tell it from an age: in his 80s. Not where it is a part of one (the
 * early 1970s), or says which (a 1990s computer). */
static size_t decade_end(const Words *words, size_t i, LocaleItem *item)
{
    enum { CENTURY = 100 };
    static const char *const apostrophes[] = { "'", "’", NULL };
    static const char *const part[] = { "early", "late", "mid", "-", "a", "an", NULL };
    const size_t number = i + (size_t)word_is_one_of(words, i, apostrophes);
    const int decade = locale_decade(words, number);
    const int is_ended = word_is(words, number + 1, "s") && word_is_glued(words, number + 1);
    const int is_short = decade < CENTURY;
    if (!decade || !is_ended || (number > i && !is_short)) return i;
    if (is_short && number == i && !word_is(words, i - 1, "the")) return i;
    if (i && word_is_one_of(words, i - 1, part)) return i;
    *item = (LocaleItem){ .kind = LOCALE_DECADE, .decade = decade };
    return number + 2;
}

static void write_decade(int decade, Buf *out)
{
    buf_printf(out, "%ds", decade);
}

/* ---- Around them ---- */

const Locale locale_english = {
    .months = months, .weekdays = weekdays, .numbers = { ",", '.', 1 },
    .number_words = {
        .labels = (const char *const[]){
            "version", "versions", "v", "release", "releases", "section", "sections", "chapter", "chapters",
            "figure", "figures", "table", "tables", "page", "pages", "step", "steps", "article", "articles",
            "paragraph", "paragraphs", "exercise", "exercises", "question", "questions", "rule", "rules",
            "level", "unit", "lesson", "note", "item", "part", "line", "clause", "appendix", "equation",
            "model", "room", "code", "number", "platform", NULL },
        .between = (const char *const[]){ "is", "are", "was", "were", "the", ":", NULL },
        .joins = (const char *const[]){ ",", "and", "or", "to", "until", "till", "-", "–", "&", NULL },
        .clock = (const char *const[]){ "at", "until", "till", "by", "before", "after", "from", "between",
                                        "since", "around", NULL },
        .ages = (const char *const[]){ "has", "have", "had", NULL } },
    .spelled = {
        .words = (const SpelledNumber[]){
            { "one", 1 }, { "two", 2 }, { "three", 3 }, { "four", 4 }, { "five", 5 }, { "six", 6 }, { "seven", 7 },
            { "eight", 8 }, { "nine", 9 }, { "ten", 10 }, { "eleven", 11 }, { "twelve", 12 }, { "thirteen", 13 },
            { "fourteen", 14 }, { "fifteen", 15 }, { "sixteen", 16 }, { "seventeen", 17 }, { "eighteen", 18 },
            { "nineteen", 19 }, { "twenty", 20 }, { "thirty", 30 }, { "forty", 40 }, { "fifty", 50 },
            { "sixty", 60 }, { "seventy", 70 }, { "eighty", 80 }, { "ninety", 90 }, { NULL, 0 } },
        .joint = "and",
        .larger = (const char *const[]){ "hundred", "thousand", "million", "billion", "trillion", "point", NULL },
        .before = (const char *const[]){ "hundred", "thousand", "million", "billion", "trillion", "point",
                                         NULL } },
    .factors = { { "million", "million", (const char *const[]){ "millions", "m", "M", NULL } },
                 { "billion", "billion", (const char *const[]){ "billions", "bn", "B", NULL } },
                 { "trillion", "trillion", (const char *const[]){ "trillions", "tn", "T", NULL } },
                 { "k", "k", (const char *const[]){ "K", NULL } } },
    .currencies = (const Currency[]){ { "$", "dollars" }, { "€", "euros" }, { "£", "pounds" }, { "¥", "yen" },
                                      { "US$", "US dollars" }, { "C$", "Canadian dollars" },
                                      { "CA$", "Canadian dollars" }, { "A$", "Australian dollars" },
                                      { "AU$", "Australian dollars" }, { NULL, NULL } },
    .prefix = "on",
    .times = { "from", (const char *const[]){ "to", "until", "till", NULL }, 0 },
    .days = { "from", (const char *const[]){ "to", "through", "until", "till", NULL }, 0 },
    .subjects = (const char *const[]){
        ",", "i", "you", "he", "she", "it", "we", "they", "there", "the", "a", "an", "my", "your",
        "his", "her", "our", "their", "this", "that", "everyone", "nobody", "tom", "mary", NULL
    },
    .takes_date = (const char *const[]){
        "on", "since", "until", "till", "before", "after", "from", "to", "by", "for", "of", "the",
        "this", "between", "through", "is", "was", "'s", "are", "'re", "a", "every", "each", "around",
        "about", "last", "next", "like", "love", "prefer", "hate", ",", NULL
    },
    .follows_date = (const char *const[]){ "'s", "is", "was", "will", NULL },
    .joins = (const char *const[]){ "and", "or", NULL },
    .merged = (const MergedPrefix[]){ { "in", "on" }, { "at", "on" }, { NULL, NULL } },
    .vowels = "aeio", .glides = (const char *const[]){ "eu", "one", "once", NULL },
    .vowel_forms = (const WordForm[]){ { "a", "an" }, { NULL, NULL } },
    .decade_article = "the",
    .decade_articles = (const char *const[]){ "the", "early", "late", "mid", "those", NULL },
    .decade_forms = (const WordForm[]){ { NULL, NULL } },
    .hours = (const char *const[]){ "o'clock", NULL },
    .endings = endings,
    .date_end = date_end, .time_end = time_end, .ordinal_end = ordinal_end,
    .decade_end = decade_end, .write_decade = write_decade,
    .write_date = write_date, .write_time = write_time, .write_ordinal = write_ordinal
};
