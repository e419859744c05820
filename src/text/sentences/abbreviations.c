/* abbreviations.c - the word before the full stop, the one before that, and the next. */
#include "text/sentences/abbreviations.h"

#include "text/ascii.h"
#include "text/unicode.h"
#include "text/word_list.h"

#include <stddef.h>

/* ---- Words around the full stop ---- */

static int is_word_point(int32_t point)
{
    return unicode_is_letter(point) || unicode_is_number(point) || unicode_is_mark(point);
}

/* Where the letters and digits before `stop` begin. */
static const char *word_before(const char *line, const char *stop)
{
    while (stop > line && is_word_point(unicode_before(line, stop)))
        do stop--; while ((*stop & 0xC0) == 0x80);
    return stop;
}

static const char *skip_marks(const char *at, const char *end)
{
    for (const char *next = at; next < end; at = next)
        if (!unicode_is_punctuation(unicode_next(&next))) break;
    return at;
}

static const char *letters_end(const char *at, const char *end)
{
    for (const char *next = at; next < end; at = next)
        if (!unicode_is_letter(unicode_next(&next))) break;
    return at;
}

static int is_one_character(const char *at, const char *end)
{
    if (at == end) return 0;
    unicode_next(&at);
    return at == end;
}

/* ---- Lists ---- */

/* A name or the like follows, never the end. */
static int is_title(const char *at, const char *end)
{
    static const char *const words[] = {
        "Mr", "Mrs", "Ms", "Dr", "Drs", "Prof", "St", "Mt", "Ft", "Gen", "Col", "Lt", "Maj", "Sgt",
        "Cpl", "Capt", "Cmdr", "Adm", "Rev", "Hon", "Gov", "Sen", "Rep", "Pres", "Messrs",
        "Mme", "Mmes", "Mlle", "Mlles", "MM", "Mgr", "Ste", "Pr", "Hr", "Fr", "Frl", "Dipl", "Ing",
        "Sr", "Sra", "Srta", "Sres", "Dra", "Dña", "Lic", "Ud", "Uds", "Vd", "Sig", "Sigg", "Dott",
        "Avv", "Arch", "vs", "cf", "Cf", "ca", "bzw", "vgl", "Vgl", "evtl", "ggf", "inkl", "resp",
        "approx", "Approx", "env", "ex", "ej", "es", "Fig", "fig", "Figs", "Nr", "Abb", "Kap", "Bd",
        "Hrsg", "ed", "eds", "vol", "Vol", "pp", "pág", "núm", "tel", "Tel", NULL
    };
    return word_list_has(words, at, end);
}

/* The end may follow as well. */
static int may_end(const char *at, const char *end)
{
    static const char *const words[] = {
        "Inc", "Ltd", "Corp", "Co", "Bros", "Jr", "Ave", "Blvd", "Rd", "al", "Jan", "Feb", "Mar",
        "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Nov", "Dec", "janv", "févr", "juil",
        "sept", "oct", "nov", "déc", "Okt", "Dez", NULL
    };
    return word_list_has(words, at, end);
}

/* Words that most sentences begin with, and names hardly ever. */
static int is_starter(const char *at, const char *end)
{
    static const char *const words[] = {
        "The", "A", "An", "He", "She", "It", "I", "You", "We", "They", "This", "That", "These",
        "Those", "There", "His", "Her", "My", "Our", "Your", "Their", "In", "On", "At", "But",
        "And", "So", "If", "When", "What", "Who", "Why", "How", "Is", "Are", "Do", "Does", "Did",
        "Then",
        "No", "Yes", "Not", "Please", "Le", "La", "Les", "L", "Un", "Une", "Il", "Elle", "On", "Je",
        "J", "Tu", "Nous", "Vous", "Ils", "Elles", "Ce", "C", "Cette", "Ces", "Mais", "Et", "Dans",
        "Quand", "Si", "Mon", "Ma", "Mes", "Son", "Sa", "Ses", "Der", "Die", "Das", "Ein", "Eine",
        "Er", "Sie", "Es", "Ich", "Wir", "Ihr", "Und", "Aber", "Wenn", "El", "Los", "Las", "Una",
        "Él", "Ella", "Yo", "Pero", "Cuando", "Su", "Lo", "Gli", "Lui", "Lei", "Io", "Noi",
        "Quando", NULL
    };
    return word_list_has(words, at, end);
}

/* What stands before a German ordinal. */
static int is_before_ordinal(const char *at, const char *end)
{
    static const char *const words[] = { "am", "Am", "vom", "Vom", "zum", "Zum", "im", "Im", "beim",
                                         "bis", "ab", "Ab", "seit", "Seit", "der", "Der", "die",
                                         "Die", "das", "Das", "dem", "den", "des", "jeder", "und",
                                         NULL };
    return word_list_has(words, at, end);
}

static int is_german_month(const char *at, const char *end)
{
    static const char *const words[] = { "Januar", "Jänner", "Februar", "März", "April", "Mai",
                                         "Juni", "Juli", "August", "September", "Oktober",
                                         "November", "Dezember", NULL };
    return word_list_has(words, at, end);
}

/* One letter that is a word: « il y en a », « vas-y ». */
static int is_word_of_one_letter(const char *at, const char *end)
{
    static const char *const words[] = { "a", "à", "y", "o", "e", "è", "u", NULL };
    return word_list_has(words, at, end);
}

/* ---- Decisions ---- */

/* Whether the word at `next` begins a new sentence if one may end before it. */
static int starts_sentence(const char *next, const char *end)
{
    const char *word = skip_marks(next, end), *stop = letters_end(word, end);
    return is_starter(word, stop) && !(stop < end && *stop == '.');
}

/* Whether the letters word..stop, of one or two digits, are a number of a list, or a German one. */
static int is_ordinal(const char *line, const char *word, const char *stop, const char *next,
                      const char *end)
{
    enum { DIGITS = 2 };
    if (stop - word > DIGITS) return 0;
    const char *at = word;
    while (at > line && at[-1] == ' ')
        at--;
    if (at == line) return 1;
    if (at == word) return 0;               /* the rest of 3.14 */
    return is_before_ordinal(word_before(line, at), at) ||
           is_german_month(next, letters_end(next, end));
}

/* Whether an initial, or the end of U.S. or p.m., ends a sentence. */
static int letter_ends(const char *line, const char *word, const char *stop, const char *next,
                       const char *end)
{
    const int dotted = word > line && word[-1] == '.';
    if (!dotted && is_word_of_one_letter(word, stop)) return 1;
    if (*word == 'm' && dotted) return 1;                       /* a.m. p.m. */
    const char *before = word;
    if (unicode_is_lower(unicode_next(&before))) return 0;
    if (*word == 'I' && !dotted && word - line >= 2 && word[-1] == ' ')
        return unicode_is_lower(unicode_before(line, word - 1));
    return starts_sentence(next, end);
}

/* The same before a digit: behind whole words and long numbers. */
static int ends_before_digit(const char *word, const char *stop)
{
    enum { LETTERS = 4, DIGITS = 3 };
    if (ascii_is_digit(*word)) return stop - word >= DIGITS;
    return stop - word >= LETTERS && !is_title(word, stop) && !may_end(word, stop);
}

int full_stop_ends(const char *line, const char *stop, const char *next, const char *end)
{
    const char *word = word_before(line, stop), *first = skip_marks(next, end);
    if (word == stop) return 1;
    const char *digit = first;
    if (first < end && unicode_is_number(unicode_next(&digit)))
        return ends_before_digit(word, stop);
    if (ascii_is_digit(*word)) return !is_ordinal(line, word, stop, next, end);
    if (is_one_character(word, stop)) return letter_ends(line, word, stop, next, end);
    if (may_end(word, stop)) return starts_sentence(next, end);
    return !is_title(word, stop);
}
