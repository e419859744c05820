/* missing_copies.c - see missing_copies.h. */
#include "translate/missing_copies.h"

#include "base/mem.h"
#include "text/tokenizer/tokenizer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Places that are tried for the copies of a sentence: each costs a translation of its length. */
enum { MOST_PLACES = 120 };

void found_free(Found *found)
{
    for (int k = 0; k < found->count * found->nbest; k++)
        hypothesis_free(&found->best[k]);
    free(found->best);
    free(found->best_count);
}

static Hypothesis *best_of(const Found *found, int k)
{
    return &found->best[k * found->nbest];
}

static const Chunk *chunk_of(const Finder *finder, const Sentence *sentence)
{
    return finder->chunk[sentence->number];
}

/* The copies of its source that a hypothesis lacks; none where the prefix is all of the translation. */
static int count_missing(const Chunk *chunk, const Hypothesis *h)
{
    int missing = 0;
    for (int copy = 0; copy < (int)chunk->copies.text.count && !chunk_is_given(chunk); copy++)
        missing += !chunk_has_copy(chunk, h, copy);
    return missing;
}

/* ---- targets ---- */

/* The ids of a whole translation, with <eos>; owned. */
typedef struct { int *id, length; } Target;

static Target target_of(const Hypothesis *h)
{
    Target t = { xmalloc((size_t)h->length, sizeof *t.id), h->length };
    memcpy(t.id, h->ids, (size_t)h->length * sizeof *t.id);
    return t;
}

static Target with_id(const Target *t, int at, int id)
{
    Target more = { xmalloc((size_t)t->length + 1, sizeof *more.id), t->length + 1 };
    memcpy(more.id, t->id, (size_t)at * sizeof *t->id);
    more.id[at] = id;
    memcpy(more.id + at + 1, t->id + at, (size_t)(t->length - at) * sizeof *t->id);
    return more;
}

/* What each of some targets of a sentence is worth to the network. */
static Found score(const Finder *finder, const Sentence *sentence, const Target *target, int count)
{
    Sentence *all = xmalloc((size_t)count, sizeof *all);
    SearchOptions options = *finder->options;
    options.beam = options.nbest = 1;
    options.strict_copies = options.sample = 0;
    options.probabilities = PROBABILITIES_EXACT;
    for (int i = 0; i < count; i++) {
        all[i] = *sentence;
        all[i].target = target[i].id;
        all[i].target_length = target[i].length;
    }
    Found scored = finder->search(finder, all, count, &options);
    scored.sentence = NULL;
    free(all);
    return scored;
}

/* The probability without the length: the words that only lead to a copy must not pay. */
static double log_probability(const Finder *finder, const Hypothesis *h)
{
    return h->score / search_score(finder->options, 1, h->length);
}

/* The number of the most probable; -1: no one has a number. */
static int most_probable(const Finder *finder, const Found *scored)
{
    int best = -1;
    double most = -INFINITY;
    for (int i = 0; i < scored->count; i++) {
        const double value = scored->best_count[i] ? log_probability(finder, best_of(scored, i)) : NAN;
        if (!(value > most)) continue;
        best = i;
        most = value;
    }
    return best;
}

/* Puts a placeholder where it is most probable, behind the prefix and before <eos>. */
static void put_in(const Finder *finder, const Sentence *sentence, Target *target, int id)
{
    const int first = sentence->target_length, count = target->length - first;
    Target *choice = xmalloc((size_t)count, sizeof *choice);
    for (int i = 0; i < count; i++)
        choice[i] = with_id(target, first + i, id);
    Found scored = score(finder, sentence, choice, count);
    const int best = most_probable(finder, &scored);
    for (int i = 0; i < count; i++)
        if (i != best) free(choice[i].id);
    if (best >= 0) {
        free(target->id);
        *target = choice[best];
    }
    found_free(&scored);
    free(choice);
}

/* The placeholder of a copy, as the source has it. */
static int placeholder_of(const Chunk *chunk, int copy)
{
    int i = 0;
    while (chunk_copy(chunk, chunk->source_ids[i]) != copy)
        i++;
    return chunk->source_ids[i];
}

static Target with_copies(const Finder *finder, const Sentence *sentence, const Hypothesis *h)
{
    const Chunk *chunk = chunk_of(finder, sentence);
    Target target = target_of(h);
    for (int copy = 0; copy < (int)chunk->copies.text.count; copy++)
        if (!chunk_has_copy(chunk, h, copy)) put_in(finder, sentence, &target, placeholder_of(chunk, copy));
    return target;
}

/* ---- the choice ---- */

static void exchange(Hypothesis *a, Hypothesis *b)
{
    const Hypothesis h = *a;
    *a = *b;
    *b = h;
}

/* All hypotheses of sentence k become those of sentence j of another search. */
static void take_all(Found *found, int k, Found *other, int j)
{
    for (int n = 0; n < found->nbest; n++)
        exchange(best_of(found, k) + n, best_of(other, j) + n);
    const int count = found->best_count[k];
    found->best_count[k] = other->best_count[j];
    other->best_count[j] = count;
}

static int is_finished(const Hypothesis *h)
{
    return h->length && h->ids[h->length - 1] == ID_EOS && !isnan(h->log_probability);
}

/* Puts the copies into the hypothesis of sentence k, unless one that has waited for them is more probable, or
 * there are too many places. Not into one of several, whose order is that of their scores. Returns whether it
 * did. */
static int complete(const Finder *finder, Found *found, int k, const Hypothesis *waited)
{
    const Sentence *sentence = &found->sentence[k];
    Hypothesis *h = best_of(found, k);
    if (!finder->scores || found->nbest > 1 || !is_finished(h)) return 0;
    if (count_missing(chunk_of(finder, sentence), h) * h->length > MOST_PLACES) return 0;
    const Target targets[] = { with_copies(finder, sentence, h), target_of(waited) };
    const int count = 1 + (is_finished(waited) && !count_missing(chunk_of(finder, sentence), waited));
    Found scored = score(finder, sentence, targets, count);
    const int is_better = most_probable(finder, &scored) == 0
                          && !count_missing(chunk_of(finder, sentence), best_of(&scored, 0));
    if (is_better) exchange(h, best_of(&scored, 0));
    found_free(&scored);
    free(targets[0].id);
    free(targets[1].id);
    return is_better;
}

static void choose(const Finder *finder, Found *found, const int *place, Found *waited)
{
    for (int j = 0; j < waited->count; j++) {
        const int k = place[j];
        const Chunk *chunk = chunk_of(finder, &found->sentence[k]);
        const int before = count_missing(chunk, best_of(found, k));
        if (!waited->best_count[j] || complete(finder, found, k, best_of(waited, j))) continue;
        if (count_missing(chunk, best_of(waited, j)) < before) take_all(found, k, waited, j);
    }
}

void missing_copies_complete(const Finder *finder, Found *found)
{
    Sentence *sentence = xmalloc((size_t)found->count, sizeof *sentence);
    int *place = xmalloc((size_t)found->count, sizeof *place), count = 0;
    for (int k = 0; k < found->count; k++)
        if (found->best_count[k]
            && count_missing(chunk_of(finder, &found->sentence[k]), best_of(found, k))) {
            sentence[count] = found->sentence[k];
            place[count++] = k;
        }
    if (count) {
        Found waited = finder->search(finder, sentence, count, finder->options);
        choose(finder, found, place, &waited);
        found_free(&waited);
    }
    free(sentence);
    free(place);
}
