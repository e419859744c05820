/* phrases.c - see phrases.h. */
#include "train/data/phrases.h"

#include "base/random/rng.h"

enum { LONGEST_SOURCE = 7, LONGEST_TARGET = 9,      /* words of a phrase */
       MOST_PHRASES = ALIGNER_LONGEST * LONGEST_SOURCE };

/* Words first..last of a side. */
typedef struct { int first, last; } Span;

typedef struct { Span source, target; } Phrase;

/* One side of the pair. */
typedef struct {
    const int           *from;          /* as in WordAlignment */
    const unsigned char *place;         /* PhrasePlace of each word */
    int                  count;
} Side;

static int words_of(Span span)
{
    return span.last - span.first + 1;
}

static int is_inside(Span span, int i)
{
    return i >= span.first && i <= span.last;
}

/* The span of the other side that the words of a span are aligned with, in either direction; empty
 * (last < first) where there is none. */
static Span counterpart(const Side *side, const Side *other, Span span)
{
    Span found = { other->count, -1 };
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

/* Whether all words of a span are aligned. */
static int is_aligned(const Side *side, Span span)
{
    for (int i = span.first; i <= span.last; i++)
        if (side->from[i] < 0) return 0;
    return 1;
}

/* Whether no word is aligned with one outside; the target's span is the source's counterpart. */
static int is_consistent(const Side *source, const Side *target, Phrase p)
{
    const Span back = counterpart(target, source, p.target);
    return back.first == p.source.first && back.last == p.source.last;
}

/* Whether a word is aligned with one of a span both ways. */
static int is_sure(const Side *side, const Side *other, int i, Span span)
{
    const int j = side->from[i];
    return j >= 0 && is_inside(span, j) && other->from[j] == i;
}

static int has_sure_ends(const Side *side, const Side *other, Phrase p)
{
    return is_sure(side, other, p.source.first, p.target)
        && is_sure(side, other, p.source.last, p.target)
        && is_sure(other, side, p.target.first, p.source)
        && is_sure(other, side, p.target.last, p.source);
}

/* Whether a word is written on to the one before it. */
static int is_glued(const Side *side, int i)
{
    return i < side->count && side->place[i] == PHRASE_NOT_FIRST;
}

/* Whether the words of a span may stand where they do; ends: the phrase ends both sentences. */
static int is_placed(const Side *side, Span span, int ends)
{
    if (side->place[span.first] != PHRASE_ANYWHERE || is_glued(side, span.last + 1)) return 0;
    for (int i = span.first; i <= span.last; i++)
        if (side->place[i] == PHRASE_FINAL && !(ends && i == side->count - 1)) return 0;
    return 1;
}

static int is_phrase(const Side *source, const Side *target, Phrase p)
{
    const int ends = p.source.last == source->count - 1 && p.target.last == target->count - 1;
    return p.target.last >= 0 && words_of(p.target) <= LONGEST_TARGET
        && is_placed(source, p.source, ends) && is_placed(target, p.target, ends)
        && is_aligned(source, p.source) && is_aligned(target, p.target)
        && is_consistent(source, target, p)
        && has_sure_ends(source, target, p);
}

/* Whether a span is the whole sentence, with its final mark or without. */
static int is_whole(const Side *side, Span span)
{
    const int last = side->count - 1;
    return span.first == 0
        && (span.last == last || (span.last == last - 1 && side->place[last] == PHRASE_FINAL));
}

/* All phrases of a pair; returns how many. */
static int find_phrases(const Side *source, const Side *target, Phrase *phrase)
{
    int count = 0;
    for (int first = 0; first < source->count; first++) {
        for (int last = first; last < source->count && last < first + LONGEST_SOURCE; last++) {
            Phrase p = { .source = { first, last } };
            if (is_whole(source, p.source)) continue;
            p.target = counterpart(source, target, p.source);
            if (is_phrase(source, target, p)) phrase[count++] = p;
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
