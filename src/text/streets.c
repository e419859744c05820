/* streets.c - see streets.h. */
#include "text/streets.h"

#include "text/ascii.h"

#include <string.h>
#include <strings.h>

enum { MOST_WORDS = 8 };        /* of a name */

/* Whether word i is one of a list, whatever its case. */
static int is_listed(const Words *words, size_t i, const char *const *list)
{
    const PlainWord word = words_plain(words, i);
    for (; *list; list++)
        if (strlen(*list) == word.length && !strncasecmp(*list, word.text, word.length)) return 1;
    return 0;
}

/* Whether word i begins with a digit: 12, 12b. */
static int is_number(const Words *words, size_t i)
{
    const PlainWord word = words_plain(words, i);
    return word.length && ascii_is_digit(*word.text);
}

/* Whether word i may be in a street's name: Baker, J., 8; the th of 5th. */
static int is_name(const Words *words, size_t i)
{
    static const char *const endings[] = { "st", "nd", "rd", "th", NULL };
    const PlainWord word = words_plain(words, i);
    const Shape shape = letter_case_shape(word.text, word.length);
    if (is_number(words, i) || shape > SHAPE_CAPITAL) return 1;
    if (shape == SHAPE_CAPITAL) return word.length > 1;
    return i && is_number(words, i - 1) && is_listed(words, i, endings);
}

/* Behind the number of a house that word i begins with: 12, 12b. */
static size_t behind_number(const Words *words, size_t i)
{
    size_t length;
    const PlainWord next = words_plain(words, ++i);
    if (next.length != 1 || !ascii_is_lower(*next.text)) return i;
    const char *marked = words_at(words, i, &length);
    return i + !words_mark_length(marked, length);
}

/* ---- English: 12 Baker Street ---- */

/* What a street is called behind its name. The second list is of words that mean other things, too:
 * these want a capital. */
static int is_english_kind(const Words *words, size_t i, int numbered)
{
    static const char *const plain[] = { "street", "avenue", "road", "boulevard", "lane", "square",
                                         NULL };
    static const char *const others[] = {
        "st", "st.", "ave", "rd", "blvd", "ln", "drive", "dr", "dr.", "court", "ct", "place", "pl",
        "way", "terrace", "crescent", "close", "row", "highway", "parkway", "gardens", "hill", NULL
    };
    return numbered ? is_listed(words, i, plain) || (is_name(words, i) && is_listed(words, i, others))
                    : is_name(words, i) && is_listed(words, i, plain);
}

static size_t english_end(const Words *words, size_t i)
{
    const int numbered = is_number(words, i);
    const size_t name = numbered ? behind_number(words, i) : i;
    size_t end = i;
    if (!i && !numbered) return i;
    for (size_t at = name; at < name + MOST_WORDS; at++) {
        if (at > name && is_english_kind(words, at, numbered)) end = at + 1;
        else if (!is_name(words, at)) return end;
    }
    return end;
}

/* ---- French: 12 bis, rue de la Paix ---- */

static int is_french_kind(const Words *words, size_t i, int numbered)
{
    static const char *const plain[] = { "rue", "avenue", "boulevard", NULL };
    static const char *const others[] = { "impasse", "allée", "quai", "place", "chemin", "route",
                                          "cours", "square", "passage", "bd", "av", NULL };
    return is_listed(words, i, plain) || (numbered && is_listed(words, i, others));
}

/* The first word behind a number and what may follow it: bis, a comma. */
static size_t skip_number(const Words *words, size_t i)
{
    static const char *const repeated[] = { "bis", "ter", "quater", NULL };
    static const char *const comma[] = { ",", NULL };
    i = behind_number(words, i);
    i += (size_t)is_listed(words, i, repeated);
    return i + (size_t)is_listed(words, i, comma);
}

/* The first word from i on that is no article or preposition. */
static size_t skip_articles(const Words *words, size_t i)
{
    static const char *const articles[] = { "de", "du", "des", "d'", "d’", "la", "le", "les", "l'",
                                            "l’", "à", "au", "aux", "en", "sur", "et", NULL };
    while (is_listed(words, i, articles))
        i++;
    return i;
}

/* Whether words i..end are "of" alone, as before an owner. */
static int is_of(const Words *words, size_t i, size_t end)
{
    static const char *const of[] = { "de", "d'", "d’", NULL };
    return end == i + 1 && is_listed(words, i, of);
}

static size_t french_end(const Words *words, size_t i)
{
    const int numbered = is_number(words, i);
    const size_t kind = numbered ? skip_number(words, i) : i;
    if (!is_french_kind(words, kind, numbered)) return i;
    size_t end = i, at = skip_articles(words, kind + 1);
    if (!numbered && is_of(words, kind + 1, at)) return i;
    for (; at <= kind + MOST_WORDS && is_name(words, at); at = skip_articles(words, end))
        end = at + 1;
    return end;
}

size_t street_end(const Words *words, size_t i, SentenceCase line)
{
    if (line != CASE_USUAL && !is_number(words, i)) return i;
    const size_t end = english_end(words, i);
    return end > i ? end : french_end(words, i);
}
