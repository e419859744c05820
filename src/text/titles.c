/* titles.c - see titles.h. */
#include "text/titles.h"

#include "text/letter_case.h"
#include "text/word_list.h"

static int is_title(PlainWord word)
{
    static const char *const titles[] = {
        "Mr", "Mr.", "Mrs", "Mrs.", "Ms", "Ms.", "Miss", "Dr", "Dr.", "Prof", "Prof.", "M.", "MM.",
        "Mme", "Mme.", "Mmes", "Mlle", "Mlle.", "Herr", "Frau", "Sr.", "Sra.", "Srta.", "Sig.",
        "Sig.ra", "Dott.", NULL
    };
    return word_list_has(titles, word.text, word.text + word.length);
}

static int is_capitalised(PlainWord word)
{
    return letter_case_shape(word.text, word.length) == SHAPE_CAPITALISED;
}

int title_is_copied(const Lexicon *lexicon, PlainWord word, PlainWord next)
{
    enum { SELDOM = 8 };
    return is_title(word) && is_capitalised(next)
           && lexicon_count(lexicon, word.text, word.length) < SELDOM;
}

/* Whether a small word is an office, which is translated behind a title, too: Mr. President. */
static int is_office(const char *word)
{
    static const char *const offices[] = {
        "president", "chairman", "speaker", "minister", "secretary", "ambassador", "judge", "mayor",
        "vice", "prime", "président", "ministre", "juge", "maire", "professeur", "directeur", NULL
    };
    return word_list_has(offices, word, word + strlen(word));
}

int title_makes_name(const Lexicon *lexicon, PlainWord before, PlainWord word)
{
    if (!is_title(before) || !is_capitalised(word)) return 0;
    const char *usual = lexicon_usual(lexicon, word.text, word.length);
    return usual && letter_case_is_small(usual, strlen(usual)) && !is_office(usual);
}
