/* full_names.c - what a name may begin with, and how it may go on. */
#include "text/prepare/full_names.h"

#include "text/prepare/titles.h"
#include "text/word_list.h"
#include "text/word_match.h"

#include <string.h>

/* First names that are words, too, or have another form in the other language. Those that often are a
 * verb or an adverb before another name are left out: Sue, Hope, Grant, Juste. */
static int is_first_name(PlainWord word)
{
    static const char *const names[] = {
        "Amber", "Art", "Bill", "Blanche", "Carol", "Charles", "Christian", "Claire", "Cliff",
        "Constance", "Dawn", "Dean", "Faith", "Félicité", "Fleur", "Frank", "Gene", "Georges",
        "Glen", "Grace", "Guillaume", "Guy", "Heather", "Henri", "Holly", "Iris", "Ivy", "Jacques",
        "Jean", "Jeanne", "Jimmy", "Joy", "Lily", "Louis", "Marguerite", "Marie", "Mark", "Mason",
        "Max", "Michel", "Miles", "Nick", "Olive", "Pearl", "Penny", "Pierre", "Ray", "Robin",
        "Rose", "Ruby", "Sandy", "Violet", "Wade", "Will", NULL
    };
    return word_list_has(names, word.text, word.text + word.length);
}

/* Particles of surnames: Ludwig van Beethoven. */
static int is_particle(const Words *words, size_t i)
{
    static const char *const particles[] = {
        "van", "von", "der", "den", "da", "di", "dos", "ben", "bin", "ibn", "al", "el", NULL
    };
    return word_is_one_of(words, i, particles);
}

/* Particles that are prepositions and articles as well (Emma de Lyon): only behind a first name of the
 * list above. */
static int is_french_particle(const Words *words, size_t i)
{
    static const char *const particles[] = { "de", "du", "la", NULL };
    return word_is_one_of(words, i, particles);
}

/* Whether a word is no surname behind a name: Harvard University, Boston People. */
static int is_common_noun(const Words *words, size_t i)
{
    static const char *const nouns[] = {
        "university", "college", "school", "academy", "institute", "hospital", "museum", "library",
        "church", "cathedral", "hotel", "station", "airport", "bridge", "tower", "castle",
        "palace", "river", "lake", "sea", "ocean", "desert", "bay", "island", "islands", "mountain",
        "mountains", "valley", "beach", "city", "county", "state", "province", "republic", "kingdom",
        "empire", "army", "navy", "police", "government", "administration", "company", "party", "day",
        "week", "month", "year", "prize", "award", "war", "wall", "time", "marathon", "people", "mom",
        "dad", "grandma", "grandpa", "captain", NULL
    };
    return word_is_one_of(words, i, nouns);
}

static long count_of(const Lexicon *lexicon, PlainWord word)
{
    return lexicon_count(lexicon, word.text, word.length);
}

static long small_count(const Lexicon *lexicon, PlainWord word)
{
    const char *small = lexicon_small(lexicon, word.text, word.length);
    return small ? lexicon_count(lexicon, small, strlen(small)) : 0;
}

static int has_capital(const Words *words, size_t i)
{
    const Shape shape = word_shape_at(words, i);
    return shape == SHAPE_CAPITALISED || shape == SHAPE_MIXED;
}

/* Whether both languages have the word, with a capital alone. */
static int is_shared(const LineWords *line, PlainWord word)
{
    const Lexicon *lexicon = line->language.lexicon, *other = line->language.other;
    return count_of(lexicon, word) && other && count_of(other, word)
           && !lexicon_small(lexicon, word.text, word.length);
}

/* What a name begins with. A new word that begins a sentence may be no name (Sauvez Tom). */
typedef enum { NO_NAME, WELL_KNOWN, NEW, COPIED, FIRST_NAME } Beginning;

/* Whether a sentence may begin with word i as a verb: Will Obama come? */
static int may_be_verb(const LineWords *line, size_t i)
{
    return line->where[i] == PLACE_FIRST && word_is(&line->words, line->words.count - 1, "?");
}

/* A well-known name stays a word, others are copied. */
static Beginning beginning_at(const LineWords *line, size_t i)
{
    enum { OFTEN = 64 };
    const Lexicon *lexicon = line->language.lexicon;
    const PlainWord word = words_plain(&line->words, i);
    const long count = count_of(lexicon, word);
    if (!has_capital(&line->words, i) || title_is(word)) return NO_NAME;
    if (is_shared(line, word)) return count < OFTEN ? COPIED : WELL_KNOWN;
    if (lexicon_is_rare_name(lexicon, word.text, word.length)) return COPIED;
    if (is_first_name(word)) return may_be_verb(line, i) ? NO_NAME : FIRST_NAME;
    if (count) return NO_NAME;
    if (line->where[i] == PLACE_INSIDE) return COPIED;
    return lexicon_small(lexicon, word.text, word.length) ? NO_NAME : NEW;
}

/* Whether a date begins with word i, if the translation writes it in another way. */
static int begins_date(const LineWords *line, size_t i)
{
    LocaleItem item;
    return line->language.into
           && locale_item_end(line->language.locale, &line->words, i, &item) > i;
}

/* Whether word i goes on with a name: the network does not know it, or as another word, or as a name
 * that stays one where the others are copied. */
static int is_surname(const LineWords *line, size_t i, Beginning beginning)
{
    const Words *words = &line->words;
    const PlainWord word = words_plain(words, i);
    if (i >= words->count || !has_capital(words, i) || line->where[i] != PLACE_INSIDE
        || is_common_noun(words, i) || begins_date(line, i))
        return 0;
    const Lexicon *lexicon = line->language.lexicon;
    const long count = count_of(lexicon, word);
    return !count || small_count(lexicon, word) > count
        || lexicon_is_rare_name(lexicon, word.text, word.length)
        || (beginning > NEW && is_shared(line, word));
}

static int is_particle_behind(const Words *words, size_t i, Beginning beginning)
{
    return is_particle(words, i) || (beginning == FIRST_NAME && is_french_particle(words, i));
}

/* Behind the surnames from word i on, with their particles; i: there are none. */
static size_t surnames_end(const LineWords *line, size_t i, Beginning beginning)
{
    size_t end = i;
    for (size_t at = i;; end = ++at) {
        while (is_particle_behind(&line->words, at, beginning))
            at++;
        if (!is_surname(line, at, beginning)) return end;
    }
}

/* Whether word i is the 's of the word before it. */
static int is_possessive(const Words *words, size_t i)
{
    static const char *const marks[] = { "'s", "\u2019s", "'", "\u2019", NULL };
    return word_is_glued(words, i) && word_is_one_of(words, i, marks);
}

/* Of Mary White's dog the first name is copied as well: the dog would be Mary's. */
size_t full_name_end(const LineWords *line, size_t i)
{
    if (i && beginning_at(line, i - 1) == WELL_KNOWN) return surnames_end(line, i, WELL_KNOWN);
    const Beginning beginning = beginning_at(line, i);
    if (beginning == NO_NAME) return i;
    const size_t end = surnames_end(line, i + 1, beginning);
    const int is_copied = beginning != WELL_KNOWN || is_possessive(&line->words, end);
    return end > i + 1 && is_copied ? end : i;
}
