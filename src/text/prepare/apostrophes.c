/* apostrophes.c - a list for English, rules for elisions. */
#include "text/prepare/apostrophes.h"

#include "text/ascii.h"
#include "text/letter_case.h"
#include "text/prepare/spelling.h"
#include "text/unicode.h"
#include "text/word_match.h"

#include <string.h>

enum { FREQUENT = 64 };

/* A word without its mark, or a part of one. */
typedef struct { const char *at, *end; } Span;

/* What a word becomes: word[.. first) and the rest, with an apostrophe between, which belongs to
 * the one, the other, or joins them. */
typedef enum { CLITIC_FIRST, CLITIC_SECOND, CLITIC_NONE } Clitic;   /* j' ai; don 't; o'clock */

typedef struct {
    size_t first;               /* 0: it stays as it is */
    Clitic clitic;
} Gap;

static const Gap no_gap = { 0, CLITIC_NONE };

static size_t length_of(Span span)
{
    return (size_t)(span.end - span.at);
}

/* How often a word was seen in its usual case: before'behind, or without the apostrophe. */
static long times_seen(const Lexicon *lexicon, Span before, const char *apostrophe, Span behind)
{
    Buf word = { 0 };
    buf_add(&word, before.at, length_of(before));
    buf_puts(&word, apostrophe);
    buf_add(&word, behind.at, length_of(behind));
    const char *usual = lexicon_usual(lexicon, word.text, word.length);
    const long times = usual ? lexicon_count(lexicon, usual, strlen(usual)) : 0;
    buf_free(&word);
    return times;
}

/* ---- Contractions ---- */

/* Where the apostrophe of `contraction` is, if the word is that without it; else 0. */
static size_t apostrophe_in(const char *contraction, Span word)
{
    size_t place = 0;
    const char *at = word.at;
    for (const char *next = contraction; *next; next++) {
        if (*next == '\'') place = (size_t)(next - contraction);
        else if (at == word.end || ascii_lower(*at++) != ascii_lower(*next)) return 0;
    }
    return at == word.end ? place : 0;
}

static Gap contraction_gap(const Lexicon *lexicon, Span word)
{
    static const char *const contractions[] = {
        "don't", "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't", "hasn't", "haven't",
        "hadn't", "can't", "couldn't", "won't", "wouldn't", "shouldn't", "mustn't", "needn't",
        "ain't", "I'm", "I've", "I'd", "you're", "you've", "you'll", "you'd", "he's", "she's",
        "they're", "they've", "they'll", "they'd", "we've", "it'll", "it'd", "that's", "that'll",
        "there's", "here's", "what's", "who's", "where's", "how's", "let's"
    };
    for (size_t i = 0; i < sizeof contractions / sizeof *contractions; i++) {
        const size_t place = apostrophe_in(contractions[i], word);
        if (!place) continue;
        const Span head = { word.at, word.at + place }, tail = { head.end, word.end };
        const Span none = { head.end, head.end };
        const int is_known = times_seen(lexicon, head, "", none) >= FREQUENT
                             && times_seen(lexicon, none, "'", tail) >= FREQUENT;
        return is_known ? (Gap){ place, CLITIC_SECOND } : no_gap;
    }
    return no_gap;
}

/* ---- Elisions ---- */

/* Whether a word with an apostrophe may stand before a word that begins with this letter. */
static int may_elide(Span head, int32_t next)
{
    const int32_t base = unicode_base(unicode_lower(next));
    const int is_single = head.end - head.at == 1;
    if (is_single && ascii_lower(*head.at) == 'c') return base == 'e';
    const int is_vowel_or_h = base > 0 && base < 128 && strchr("aeiouyh", (int)base);
    return is_vowel_or_h || next == 0xE6 || next == 0x153;      /* ae, oe */
}

/* A capitalised word may be a name that begins with L or D: Laura, no l'aura. After one letter only
 * frequent words follow: légalement is no l'également. */
static int is_elision(const Lexicon *lexicon, Span word, const char *at, Shape typed)
{
    enum { VERY_FREQUENT = 512 };
    const Span head = { word.at, at }, tail = { at, word.end }, none = { at, at };
    const int is_single = head.end - head.at == 1;
    const int is_article = is_single && strchr("ld", ascii_lower(*head.at));
    if (!may_elide(head, unicode_next(&(const char *){ at }))) return 0;
    if (is_article && typed == SHAPE_CAPITALISED) return 0;
    return times_seen(lexicon, head, "'", none) >= FREQUENT
           && times_seen(lexicon, none, "", tail) >= (is_single ? VERY_FREQUENT : FREQUENT);
}

static Gap elision_gap(const Lexicon *lexicon, Span word, Shape typed)
{
    const char *at = word.at;
    for (unicode_next(&at); at < word.end; unicode_next(&at)) {
        const Span head = { word.at, at }, tail = { at, word.end };
        if (is_elision(lexicon, word, at, typed)) return (Gap){ length_of(head), CLITIC_FIRST };
        if (times_seen(lexicon, head, "'", tail) >= FREQUENT)
            return (Gap){ length_of(head), CLITIC_NONE };
    }
    return no_gap;
}

/* ---- Words ---- */

static int is_letters(Span word)
{
    for (const char *at = word.at; at < word.end;)
        if (!unicode_is_letter(unicode_next(&at))) return 0;
    return 1;
}

/* Whether another typing error explains a word: iss, is. */
static int is_misspelt(const Lexicon *lexicon, Span word)
{
    Buf text = { 0 };
    letter_case_small(word.at, length_of(word), NULL, &text);
    const int is_found = spelling_correct(lexicon, text.text, text.length, FREQUENT, &text);
    buf_free(&text);
    return is_found;
}

/* What is known of a line: whether a word with capitals may be another than a name. */
typedef struct { int is_first, is_in_capitals; } Place;

static int may_be_typed(Span word, Shape typed, Place place)
{
    const int begins_with_i = *word.at == 'I';
    switch (typed) {
    case SHAPE_SMALL:       return 1;
    case SHAPE_CAPITALISED: return place.is_first || begins_with_i;
    case SHAPE_CAPITALS:    return place.is_in_capitals;
    default:                return 0;
    }
}

static Gap find_gap(const Lexicon *lexicon, Span word, Place place)
{
    enum { LONGEST = 32 };
    const size_t length = length_of(word);
    if (!length || length > LONGEST || !is_letters(word)) return no_gap;
    const Shape typed = letter_case_shape(word.at, length);
    if (!may_be_typed(word, typed, place) || lexicon_usual(lexicon, word.at, length)) return no_gap;
    const Gap gap = contraction_gap(lexicon, word);
    if (gap.first) return gap;
    if (typed == SHAPE_CAPITALISED && !place.is_first) return no_gap;
    return is_misspelt(lexicon, word) ? no_gap : elision_gap(lexicon, word, typed);
}

/* Adds what the word, with its mark, becomes. */
static void add_restored(Words *out, Span word, Gap gap, size_t mark)
{
    const char *at = word.at + mark + gap.first;
    Buf text = { 0 };
    buf_add(&text, word.at, (size_t)(at - word.at));
    if (gap.clitic != CLITIC_SECOND) buf_putc(&text, '\'');
    if (gap.clitic != CLITIC_NONE) {
        words_add(out, text.text, text.length);
        buf_clear(&text);
    }
    if (gap.clitic == CLITIC_SECOND) buf_putc(&text, '\'');
    buf_add(&text, at, (size_t)(word.end - at));
    words_add(out, text.text, text.length);
    buf_free(&text);
}

/* Whether no word has a small letter. */
static int is_in_capitals(const Words *words)
{
    for (size_t i = 0, length; i < words->count; i++) {
        const char *word = words_at(words, i, &length);
        const Shape shape = letter_case_shape(word, length);
        if (shape == SHAPE_SMALL || shape == SHAPE_CAPITALISED || shape == SHAPE_MIXED) return 0;
    }
    return 1;
}

/* Whether word i begins a name of several words: San Francisco. */
static int begins_name(const Words *words, size_t i)
{
    return word_shape_at(words, i) == SHAPE_CAPITALISED && word_shape_at(words, i + 1) == SHAPE_CAPITALISED
           && !word_is_glued(words, i + 1);
}

void apostrophes_restore(const Lexicon *lexicon, Words *words, size_t *place, size_t places)
{
    Words out = { 0 };
    size_t moved = 0;
    Place where = { .is_first = 1, .is_in_capitals = is_in_capitals(words) };
    for (size_t i = 0, length; i < words->count; i++) {
        const char *word = words_at(words, i, &length), *end = word + length;
        const size_t mark = words_mark_length(word, length);
        const Place here = { where.is_first && !begins_name(words, i), where.is_in_capitals };
        const Gap gap = find_gap(lexicon, (Span){ word + mark, end }, here);
        for (; moved < places && place[moved] == i; moved++)
            place[moved] = out.count;
        if (gap.first) add_restored(&out, (Span){ word, end }, gap, mark);
        else words_add(&out, word, length);
        where.is_first &= letter_case_shape(word + mark, length - mark) == SHAPE_NONE;
    }
    for (; moved < places; moved++)
        place[moved] = out.count;
    words_free(words);
    *words = out;
}
