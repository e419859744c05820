/* conjunctions.c - see conjunctions.h. */
#include "text/prepare/conjunctions.h"

#include "base/mem.h"
#include "text/letter_case.h"
#include "text/prepare/language_words.h"
#include "text/unicode.h"
#include "text/word_list.h"
#include "text/word_match.h"

#include <stdlib.h>
#include <string.h>

static int is_sign(const Words *words, size_t i, char sign)
{
    const PlainWord word = words_plain(words, i);
    return word.length == 1 && *word.text == sign;
}

/* Whether a word is known in any case, and is more than a letter. */
static int is_known_word(const Lexicon *lexicon, PlainWord word)
{
    return word.length > 1 && letter_case_shape(word.text, word.length) > SHAPE_UNCASED
           && lexicon_usual(lexicon, word.text, word.length);
}

/* Whether word i is a & between blanks and words. */
static int is_and(const Words *words, size_t i)
{
    return i && i + 1 < words->count && is_sign(words, i, '&') && !word_is_glued(words, i)
           && !word_is_glued(words, i + 1);
}

static int is_number(PlainWord word)
{
    return word.length && unicode_is_number(unicode_next(&(const char *){ word.text }));
}

/* Whether a slash before a word means each: two pills/day. */
static int is_measured_by(PlainWord word)
{
    static const char *const units[] = {
        "second", "minute", "hour", "day", "night", "week", "month", "year", "person", "seconde",
        "heure", "jour", "nuit", "semaine", "mois", "an", "personne", "Sekunde", "Stunde", "Tag",
        "Woche", "Monat", "Jahr", "Person", NULL
    };
    return word_list_has(units, word.text, word.text + word.length);
}

static int is_currency(PlainWord word)
{
    return word.length && unicode_is_currency(unicode_next(&(const char *){ word.text }));
}

/* Whether an amount of money ends before word i: $5, $50k, $5 million, 5 €. */
static int is_behind_money(const Words *words, size_t i)
{
    static const char *const factors[] = { "k", "m", "bn", "million", "billion", NULL };
    if (i && is_currency(words_plain(words, i - 1))) return 1;
    if (i && word_is_one_of(words, i - 1, factors)) i--;
    return i > 1 && is_number(words_plain(words, i - 1)) && is_currency(words_plain(words, i - 2));
}

/* Whether word i is a slash between an amount and what it is for each of: $5/hour, 5 €/mois. */
static int is_per(const Words *words, size_t i)
{
    if (!i || i + 1 >= words->count || !is_sign(words, i, '/')) return 0;
    return word_is_glued(words, i) && word_is_glued(words, i + 1) && is_measured_by(words_plain(words, i + 1))
           && is_behind_money(words, i);
}

/* Whether word i is a slash between known words, that doesn't mean each: 60 miles/hour. */
static int is_or(const Lexicon *lexicon, const Words *words, size_t i)
{
    if (!i || i + 1 >= words->count || !is_sign(words, i, '/')) return 0;
    const PlainWord before = words_plain(words, i - 1), behind = words_plain(words, i + 1);
    if ((i > 1 && is_number(words_plain(words, i - 2))) || is_measured_by(behind)) return 0;
    return word_is_glued(words, i) && word_is_glued(words, i + 1) && is_known_word(lexicon, before)
           && is_known_word(lexicon, behind);
}

static int is_in_capitals(const Words *words)
{
    unsigned char *shape = xmalloc(words->count, 1);
    for (size_t i = 0; i < words->count; i++) {
        const PlainWord word = words_plain(words, i);
        shape[i] = (unsigned char)letter_case_shape(word.text, word.length);
    }
    const int is_so = sentence_case(shape, words->count) == CASE_CAPITALS;
    free(shape);
    return is_so;
}

/* Appends a word, perhaps with a mark, in capitals if the line is. */
static void add_spelt(Words *out, int marked, const char *text, size_t length, int in_capitals)
{
    Buf word = { 0 };
    if (marked) buf_add(&word, BLANK_MARK, BLANK_MARK_LENGTH);
    if (in_capitals) letter_case_capitals(text, length, NULL, &word);
    else buf_add(&word, text, length);
    words_add(out, word.text, word.length);
    buf_free(&word);
}

/* What is done to a line that has such signs. */
typedef struct {
    const LanguageWords *word;
    int                 spells_and, spells_or, in_capitals;
    Words               out;
    WordNumbers        *joined;
} Spelling;

/* Appends a word that the line has in one with the word before it. */
static void add_joined(Spelling *s, const char *text, size_t length, int in_capitals)
{
    word_numbers_add(s->joined, s->out.count);
    add_spelt(&s->out, 1, text, length, in_capitals);
}

/* Whether word i is left out: the "and" and the slash of and/or. */
static int is_left_out(const Spelling *s, const Lexicon *lexicon, const Words *words, size_t i)
{
    const size_t slash = is_sign(words, i, '/') ? i : i + 1;
    return s->spells_or && slash && slash + 1 < words->count && is_or(lexicon, words, slash)
           && word_is(words, slash - 1, s->word->and) && word_is(words, slash + 1, s->word->or);
}

/* Appends what word i of the line becomes. */
static void add_word(Spelling *s, const Lexicon *lexicon, const Words *words, size_t i)
{
    size_t length;
    const char *word = words_at(words, i, &length);
    const PlainWord plain = words_plain(words, i);
    const int is_behind_per = i && s->spells_or && is_per(words, i - 1);
    const int is_behind = i && s->spells_or && is_or(lexicon, words, i - 1);
    if (s->spells_and && is_and(words, i)) {
        add_spelt(&s->out, 1, s->word->and, strlen(s->word->and), s->in_capitals);
    } else if (s->spells_or && is_or(lexicon, words, i)) {
        add_joined(s, s->word->or, strlen(s->word->or), s->in_capitals);
    } else if (s->spells_or && is_per(words, i)) {
        add_joined(s, s->word->per, strlen(s->word->per), s->in_capitals);
    } else if (is_behind_per) {
        add_joined(s, plain.text, plain.length, 0);
    } else if (is_behind && !is_left_out(s, lexicon, words, i - 1)) {
        add_joined(s, plain.text, plain.length, 0);
    } else if (is_behind) {
        add_spelt(&s->out, !word_is_glued(words, i - 2), plain.text, plain.length, 0);
    } else {
        words_add(&s->out, word, length);
    }
}

static int has_sign(const Words *words)
{
    for (size_t i = 0; i < words->count; i++)
        if (is_sign(words, i, '&') || is_sign(words, i, '/')) return 1;
    return 0;
}

void conjunctions_spell(const Lexicon *lexicon, Words *words, size_t *place, size_t places,
                        WordNumbers *joined)
{
    if (!has_sign(words)) return;
    Spelling s = { .word = language_words(lexicon), .in_capitals = is_in_capitals(words),
                   .spells_and = lexicon_is_rare(lexicon, "&", 1),
                   .spells_or = lexicon_is_rare(lexicon, "/", 1), .joined = joined };
    size_t moved = 0;
    if (!s.word) return;
    for (size_t i = 0; i < words->count; i++) {
        for (; moved < places && place[moved] == i; moved++)
            place[moved] = s.out.count;
        if (!is_left_out(&s, lexicon, words, i)) add_word(&s, lexicon, words, i);
    }
    for (; moved < places; moved++)
        place[moved] = s.out.count;
    words_free(words);
    *words = s.out;
}
