/* clauses.c - lists of words, and a look at the next one or two. */
#include "text/sentences/clauses.h"

#include "text/unicode.h"
#include "text/word_list.h"

static const char *letters_end(const char *at, const char *end)
{
    while (at < end) {
        const char *next = at;
        if (!unicode_is_letter(unicode_next(&next))) break;
        at = next;
    }
    return at;
}

static int joins_clauses(const char *at, const char *end)
{
    static const char *const words[] = { "because", "although", "whereas", "unless", "parce",
                                         "puisque", "tandis", "porque", "aunque", "mientras",
                                         "poiché", "mentre", NULL };
    return word_list_has(words, at, end);
}

static int joins_clauses_or_words(const char *at, const char *end)
{
    static const char *const words[] = {
        "and", "but", "or", "so", "nor", "yet", "though", "while", "until", "since", "before",
        "after", "et", "mais", "ou", "donc", "car", "ni", "or", "alors", "und", "aber", "oder",
        "denn", "sondern", "y", "pero", "o", "sino", "e", "ma", "però", "quindi", NULL
    };
    return word_list_has(words, at, end);
}

static int needs_a_comma(const char *at, const char *end)
{
    static const char *const words[] = { "when", "if", "as", "quand", "lorsque", "si", "comme",
                                         "weil", "wenn", "als", "obwohl", "während", "bevor",
                                         "nachdem", "damit", "cuando", "perché", "quando", "se",
                                         NULL };
    return word_list_has(words, at, end);
}

static int is_subject(const char *at, const char *end)
{
    static const char *const words[] = {
        "I", "you", "he", "she", "it", "we", "they", "there", "je", "j", "tu", "il", "elle", "on",
        "nous", "vous", "ils", "elles", "c", "ce", "ich", "du", "er", "sie", "es", "wir", "ihr",
        "yo", "él", "ella", "ellos", "usted", "io", "lui", "lei", "noi", "loro", NULL
    };
    return word_list_has(words, at, end);
}

int subject_begins(const char *at, const char *end)
{
    const char *next = at;
    const int32_t point = at < end ? unicode_next(&next) : ' ';
    return unicode_lower(point) != point || is_subject(at, letters_end(at, end));
}

int clause_begins(const char *at, const char *end, int behind_comma)
{
    const char *stop = letters_end(at, end);
    if (joins_clauses(at, stop)) return 1;
    const int joins = joins_clauses_or_words(at, stop);
    if (behind_comma) return joins || needs_a_comma(at, stop);
    if (!joins || stop == end || *stop != ' ') return 0;
    return is_subject(stop + 1, letters_end(stop + 1, end));
}
