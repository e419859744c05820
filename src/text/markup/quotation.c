/* quotation.c - see quotation.h. */
#include "text/markup/quotation.h"

#include "text/letter_case.h"
#include "text/sentences/scan.h"
#include "text/speech_verbs.h"

typedef struct { const char *at, *end; } Range;

/* The word that ends before `at`, without the blanks between: dit, dit-on; empty: there is none. */
static Range word_before(const char *line, const char *at)
{
    while (at > line && at[-1] == ' ') at--;
    const char *end = at;
    while (at > line && (at[-1] == '-' || is_word_character(unicode_before(line, at))))
        do at--; while ((*at & 0xC0) == 0x80);
    return (Range){ at, end };
}

static Range word_behind(const char *at, const char *end)
{
    at = skip_blanks(at, end);
    const char *stop = at;
    while (stop < end && is_word_character(peek(stop)))
        unicode_next(&stop);
    return (Range){ at, stop };
}

static int has(const char *const *list, Range word)
{
    return word_list_has(list, word.at, word.end);
}

/* Whether the word before it, or the one before that (told me; but not: said that), is a verb of saying. */
int quotation_is_said(const Quotation *q)
{
    static const char *const that[] = { "that", "que", NULL };
    const Range word = word_before(q->line, q->open);
    const Range before = word_before(q->line, word.at);
    return speech_verb_is(word.at, word.end)
           || (!has(that, word) && speech_verb_is(before.at, before.end));
}

/* Whether a word beside it speaks of words, or of keys and commands. */
static int is_spoken_of(const Quotation *q)
{
    static const char *const before[] = {
        "word", "words", "does", "say", "spell", "spelled", "pronounce", "pronounced", "write", "called",
        "named", "mean", "means", "expression", "phrase", "term", "type", "enter", "press", "run",
        "mot", "mots", "dire", "dit-on", "écrit-on", "épelle-t-on", "prononce-t-on", "signifie",
        "terme", "tape", "tapez", "saisis", "saisissez", "lance", "lancez", NULL
    };
    static const char *const behind[] = { "mean", "means", "meant", "signifie", "veut", NULL };
    const Range word = word_before(q->line, q->open);
    Buf small = { 0 };
    letter_case_small(word.at, (size_t)(word.end - word.at), NULL, &small);
    const int is_behind = small.length && word_list_has(before, small.text, small.text + small.length);
    buf_free(&small);
    return is_behind || has(behind, word_behind(q->close, q->end));
}

static int words_of(const Quotation *q)
{
    int words = 0;
    for (const char *at = q->first; at < q->stop; at++)
        words += *at != ' ' && (at == q->first || at[-1] == ' ');
    return words;
}

static int is_capital(int32_t point)
{
    return unicode_lower(point) != point;
}

/* Whether it begins with a capital that is not I; at the beginning of the line, where any words do, its
 * last of several words does, too. */
static int is_capitalised(const Quotation *q)
{
    const Range first = word_behind(q->first, q->stop), last = word_before(q->first, q->stop);
    const int is_pronoun = first.end - first.at == 1 && *first.at == 'I';
    if (!is_capital(peek(q->first)) || is_pronoun) return 0;
    return q->open > q->line || (last.at > q->first && last.at < last.end && is_capital(peek(last.at)));
}

int quotation_is_name(const Quotation *q)
{
    enum { MOST = 4 };
    return words_of(q) <= MOST && (is_capitalised(q) || is_spoken_of(q));
}
