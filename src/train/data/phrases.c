/* phrases.c - the phrases of an aligned pair, and of the pairs of the corpus. */
#include "train/data/phrases.h"

#include "base/mem.h"
#include "base/random/rng.h"

#include <stdlib.h>
#include <string.h>

/* ---- The phrases of an aligned pair ---- */

enum { LONGEST_SOURCE = 7, LONGEST_TARGET = 9,      /* words of a phrase */
       MOST_PHRASES = ALIGNER_LONGEST * LONGEST_SOURCE };

/* Words first..last of a side. */
typedef struct { int first, last; } WordSpan;

typedef struct { WordSpan source, target; } Phrase;

/* One side of the pair. */
typedef struct {
    const int           *from;          /* as in WordAlignment */
    const unsigned char *place;         /* PhrasePlace of each word */
    int                  count;
} Side;

static int words_of(WordSpan span)
{
    return span.last - span.first + 1;
}

static int is_inside(WordSpan span, int i)
{
    return i >= span.first && i <= span.last;
}

/* The span of the other side that the words of a span are aligned with, in either direction; empty
 * (last < first) where there is none. */
static WordSpan counterpart(const Side *side, const Side *other, WordSpan span)
{
    WordSpan found = { other->count, -1 };
    for (int j = 0; j < other->count; j++) {
        int is_met = is_inside(span, other->from[j]);
        for (int i = span.first; i <= span.last && !is_met; i++)
            is_met = side->from[i] == j;
        if (!is_met) continue;
        if (found.last < 0) found.first = j;
        found.last = j;
    }
    return found;
}

/* Whether a word is aligned with one of a span both ways. */
static int is_sure(const Side *side, const Side *other, int i, WordSpan span)
{
    const int j = side->from[i];
    return j >= 0 && is_inside(span, j) && other->from[j] == i;
}

/* Whether all words of a span are aligned, and may stand where they do; ends: the phrase ends both
 * sentences. */
static int may_be_side(const Side *side, WordSpan span, int ends)
{
    const int last = side->count - 1;
    if (side->place[span.first] != PHRASE_ANYWHERE) return 0;
    if (span.last < last && side->place[span.last + 1] == PHRASE_NOT_FIRST) return 0;
    for (int i = span.first; i <= span.last; i++) {
        if (side->from[i] < 0) return 0;
        if (side->place[i] == PHRASE_FINAL && !(ends && i == last)) return 0;
    }
    return 1;
}

static int is_phrase(const Side *source, const Side *target, WordSpan s, WordSpan t)
{
    const int ends = s.last == source->count - 1 && t.last == target->count - 1;
    if (t.last < 0 || words_of(t) > LONGEST_TARGET) return 0;
    if (!may_be_side(source, s, ends) || !may_be_side(target, t, ends)) return 0;
    const WordSpan back = counterpart(target, source, t);
    return back.first == s.first && back.last == s.last
        && is_sure(source, target, s.first, t) && is_sure(source, target, s.last, t)
        && is_sure(target, source, t.first, s) && is_sure(target, source, t.last, s);
}

/* All phrases of a pair; returns how many. None is the whole source, with its final mark or
 * without. */
static int find_phrases(const Side *source, const Side *target, Phrase *phrase)
{
    const int end = source->count - 1;
    const int whole = end >= 0 && source->place[end] == PHRASE_FINAL ? end - 1 : end;
    int count = 0;
    for (int first = 0; first < source->count; first++) {
        for (int last = first; last < source->count && last < first + LONGEST_SOURCE; last++) {
            const WordSpan span = { first, last };
            if (first == 0 && last >= whole) continue;
            const WordSpan other = counterpart(source, target, span);
            if (is_phrase(source, target, span, other)) phrase[count++] = (Phrase){ span, other };
        }
    }
    return count;
}

int phrase_draw(const Record *pair, const WordAlignment *alignment, const unsigned char *source,
                const unsigned char *target, uint64_t key, Record *phrase)
{
    Phrase list[MOST_PHRASES];
    const Side sides[] = { { alignment->source, source, pair->source_count },
                           { alignment->target, target, pair->target_count } };
    const int count = find_phrases(&sides[0], &sides[1], list);
    if (!count) return 0;
    const Phrase *p = &list[rng_below(key, 0, (uint64_t)count)];
    const Phrase *q = &list[rng_below(key, 1, (uint64_t)count)];
    if (words_of(q->source) > words_of(p->source)) p = q;
    *phrase = (Record){ pair->source + p->source.first, pair->target + p->target.first,
                        words_of(p->source), words_of(p->target) };
    return 1;
}

/* ---- The phrases of the corpus ---- */

/* The words of one side in their usual case, without the marks of blanks. */
typedef struct {
    WordForm      form[ALIGNER_LONGEST];
    int           word[ALIGNER_LONGEST];
    unsigned char place[ALIGNER_LONGEST];               /* PhrasePlace */
    unsigned char scratch[2 * ALIGNER_LONGEST];         /* of word_forms_line */
} SideWords;

struct PhraseExtractor {
    const WordForms *words;
    Aligner         *aligner;
    SideWords        side[LANGUAGES];
};

void phrase_extractor_free(PhraseExtractor *x)
{
    if (!x) return;
    aligner_free(x->aligner);
    free(x);
}

/* The textbook's words have no marks of blanks: all are behind blanks. */
static void set_side(PhraseExtractor *x, int side, const int *words, int count)
{
    SideWords *s = &x->side[side];
    word_forms_line(x->words, side, words, count, s->scratch, s->form);
    const WordKinds *kinds = &x->words->kinds;
    const int are_marked = count && word_forms_has_mark(x->words, words[0]);
    for (int i = 0; i < count; i++) {
        const int is_joined = (i && kinds->is_joined[words[i - 1]])
                              || (are_marked && !word_forms_has_mark(x->words, words[i]));
        s->place[i] = word_shape(kinds, words[i]) == SHAPE_NONE ? PHRASE_FINAL
                    : is_joined ? PHRASE_NOT_FIRST : PHRASE_ANYWHERE;
        s->word[i] = kinds->core[s->form[i].form];
    }
}

/* The pair as it is aligned. */
static Record aligned_words(PhraseExtractor *x, const Record *pair)
{
    set_side(x, LANGUAGE_SOURCE, pair->source, pair->source_count);
    set_side(x, LANGUAGE_TARGET, pair->target, pair->target_count);
    return (Record){ x->side[LANGUAGE_SOURCE].word, x->side[LANGUAGE_TARGET].word,
                     pair->source_count, pair->target_count };
}

PhraseExtractor *phrase_extractor_new(const WordForms *words, const Shard *sample, int workers)
{
    PhraseExtractor *x = xcalloc(1, sizeof *x);
    x->words = words;
    for (size_t i = 0; i < sample->count; i++) {
        const Record pair = shard_record(sample, i), aligned = aligned_words(x, &pair);
        int *source = sample->data + (pair.source - sample->data);      /* to be written */
        memcpy(source, aligned.source, (size_t)pair.source_count * sizeof *source);
        memcpy(source + pair.source_count, aligned.target,
               (size_t)pair.target_count * sizeof *source);
    }
    x->aligner = aligner_learn(sample, workers);
    return x;
}

int phrase_extractor_draw(PhraseExtractor *x, const Record *pair, uint64_t key, Record *phrase)
{
    WordAlignment alignment;
    if (!aligner_takes(pair)) return 0;
    const Record words = aligned_words(x, pair);
    return aligner_align(x->aligner, &words, &alignment)
        && phrase_draw(pair, &alignment, x->side[LANGUAGE_SOURCE].place,
                       x->side[LANGUAGE_TARGET].place, key, phrase);
}
