/* language_words.c - see language_words.h. */
#include "text/prepare/language_words.h"

#include <stddef.h>
#include <string.h>

enum { FREQUENT = 64 };

static long times_seen(const Lexicon *lexicon, const char *word)
{
    return lexicon_count(lexicon, word, strlen(word));
}

/* Languages that have one letter for a word are left out: e and o are others' words. */
const LanguageWords *language_words(const Lexicon *lexicon)
{
    static const LanguageWords table[] = {
        { "and", "or", "per", &locale_english }, { "et", "ou", "par", &locale_french },
        { "und", "oder", "pro", NULL }, { "en", "of", "per", NULL }, { "och", "eller", "per", NULL },
        { "og", "eller", "per", NULL }
    };
    const LanguageWords *most = NULL;
    long most_times = FREQUENT - 1;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const long of_and = times_seen(lexicon, table[i].and);
        const long of_or = times_seen(lexicon, table[i].or);
        const long times = of_and < of_or ? of_and : of_or;
        if (times <= most_times) continue;
        most = &table[i];
        most_times = times;
    }
    return most;
}
