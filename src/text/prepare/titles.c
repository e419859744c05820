/* titles.c - see titles.h. */
#include "text/prepare/titles.h"

#include "text/letter_case.h"
#include "text/word_list.h"

int title_is(PlainWord word)
{
    static const char *const titles[] = {
        "Mr", "Mr.", "Mrs", "Mrs.", "Ms", "Ms.", "Miss", "Dr", "Dr.", "M.", "Mme", "Mme.", "Mlle",
        "Mlle.", "Herr", "Frau", NULL
    };
    return word_list_has(titles, word.text, word.text + word.length);
}

static int has_capitals(PlainWord word)
{
    return letter_case_shape(word.text, word.length) > SHAPE_SMALL;
}

int title_is_copied(const Lexicon *lexicon, PlainWord word, PlainWord next)
{
    return title_is(word) && has_capitals(next)
           && lexicon_count(lexicon, word.text, word.length) < LEXICON_SELDOM;
}

static int is_word(PlainWord word, const char *text)
{
    return word.length == strlen(text) && !memcmp(word.text, text, word.length);
}

/* Behind the title that begins at word i: before small letters M. is two words; i: none does. */
static size_t title_end(const Words *words, size_t i)
{
    const PlainWord word = words_plain(words, i);
    if (title_is(word)) return i + 1;
    return is_word(word, "M") && is_word(words_plain(words, i + 1), ".") ? i + 2 : i;
}

size_t title_couple_end(const Lexicon *lexicon, const Words *words, size_t i)
{
    static const char *const conjunctions[] = { "and", "et", "und", NULL };
    const size_t link = title_end(words, i);
    const PlainWord word = words_plain(words, link);
    if (link == i || !word_list_has(conjunctions, word.text, word.text + word.length)
        || !title_is_copied(lexicon, words_plain(words, link + 1), words_plain(words, link + 2)))
        return i;
    return link + 2;
}

/* Whether a small word is translated behind a title, too: Mr. President, M. Le Maire. */
static int is_no_name(const char *word)
{
    static const char *const words[] = {
        "the", "le", "la", "les", "de", "du", "der", "die", "das", "van", "von",
        "president", "chairman", "speaker", "minister", "secretary", "ambassador", "judge", "mayor",
        "vice", "prime", "président", "ministre", "juge", "maire", "professeur", "directeur", NULL
    };
    return word_list_has(words, word, word + strlen(word));
}

int title_makes_name(const Lexicon *lexicon, PlainWord before, PlainWord word)
{
    if (!title_is(before) || letter_case_shape(word.text, word.length) != SHAPE_CAPITALISED) return 0;
    const char *usual = lexicon_usual(lexicon, word.text, word.length);
    return usual && letter_case_is_small(usual, strlen(usual)) && !is_no_name(usual);
}
