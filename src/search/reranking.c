/* reranking.c - each round computes the probability of one hypothesis of every source, as a forced
 * translation.
 */
#include "search/reranking.h"

#include "base/mem.h"
#include "text/tokenizer/tokenizer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The words from right to left, then <eos>, which a hypothesis of the longest length lacks. Owned. */
static int *target_of(const Hypothesis *h, int *length)
{
    const int is_finished = h->length && h->ids[h->length - 1] == ID_EOS;
    int *ids = xmalloc((size_t)h->length + 1, sizeof *ids);
    *length = h->length + !is_finished;
    memcpy(ids, h->ids, (size_t)h->length * sizeof *ids);
    ids[*length - 1] = ID_EOS;
    ids_reverse(ids, (size_t)*length);
    return ids;
}

/* What computes the probability of a target, and nothing else. */
static SearchOptions forced(const SearchOptions *options)
{
    SearchOptions o = *options;
    o.beam = o.nbest = 1;
    o.beam_threshold = o.normalize = 0;
    o.attention = o.scoreless = o.alternatives = 0;
    return o;
}

/* The log-probabilities from right to left of the hypotheses number `rank` of all sources that have
 * so many, longest first. */
typedef struct {
    Sentence   *sentence;       /* (count) */
    Hypothesis *scored;         /* (count) */
    int        *scored_count;   /* (count) */
    int        *ids;            /* (count) places of the hypotheses */
    int         count;
} Round;

static void add_sentence(Round *round, const Hypothesis *h, const Sentence *source, int place)
{
    Sentence *s = &round->sentence[round->count];
    *s = *source;
    s->number = place;
    s->target = target_of(h, &s->target_length);
    round->count++;
}

static Round round_of(const Hypothesis *found, const int *found_count, const Sentence *sources,
                      int count, int nbest, int rank)
{
    const size_t most = (size_t)count;
    Round round = { .sentence = xmalloc(most, sizeof *round.sentence),
                    .scored = xcalloc(most, sizeof *round.scored),
                    .scored_count = xcalloc(most, sizeof *round.scored_count) };
    for (int i = 0; i < count; i++) {
        const int place = i * nbest + rank;
        if (rank < found_count[i] && !isnan(found[place].score))
            add_sentence(&round, &found[place], &sources[i], place);
    }
    batch_sort(round.sentence, round.count);
    return round;
}

static void round_free(Round *round)
{
    for (int i = 0; i < round->count; i++) {
        free((int *)round->sentence[i].target);
        hypothesis_free(&round->scored[i]);
    }
    free(round->sentence);
    free(round->scored);
    free(round->scored_count);
}

/* Sets the scores of a round. What the networks from right to left cannot compute is left as it
 * is. */
static void set_scores(Hypothesis *found, const Round *round, const Reranker *by,
                       const SearchOptions *options)
{
    for (int i = 0; i < round->count; i++) {
        Hypothesis *h = &found[round->sentence[i].number];
        const double right = round->scored[i].log_probability;
        if (!round->scored_count[i] || isnan(right)) continue;
        const double mean = (by->left * h->log_probability + by->right * right)
                          / (by->left + by->right);
        h->score = search_score(options, mean, h->length);
    }
}

/* The better one first; of equal ones the first. Insertion sort: they are few. */
static void sort(Hypothesis *h, int count)
{
    for (int i = 1; i < count; i++) {
        const Hypothesis one = h[i];
        int k = i;
        for (; k > 0 && h[k - 1].score < one.score; k--)
            h[k] = h[k - 1];
        h[k] = one;
    }
}

void rerank(Hypothesis *found, const int *found_count, const Reranker *by, const Sentence *sources,
            int count, const SearchRules *rules, Arena *arena)
{
    const SearchOptions *options = rules->options, alone = forced(options);
    SearchRules scoring = *rules;
    scoring.options = &alone;
    scoring.attention = 0;
    for (int rank = 0; rank < options->nbest; rank++) {
        Round round = round_of(found, found_count, sources, count, options->nbest, rank);
        if (round.count)
            search_run(round.scored, round.scored_count, by->scorer, by->right, round.sentence,
                       round.count, &scoring, arena);
        set_scores(found, &round, by, options);
        round_free(&round);
    }
    for (int i = 0; i < count; i++)
        sort(found + (size_t)i * (size_t)options->nbest, found_count[i]);
}

/* ---- the other order ---- */

/* Reverses `count` rows of `size` bytes. */
static void reverse_rows(void *rows, int count, size_t size)
{
    char *row = rows, *other = row + ((size_t)count - 1) * size;
    for (; rows && row < other; row += size, other -= size)
        for (size_t i = 0; i < size; i++) {
            const char byte = row[i];
            row[i] = other[i];
            other[i] = byte;
        }
}

void hypothesis_reverse(Hypothesis *h, int source_length, int alternatives)
{
    const int words = h->length && h->ids[h->length - 1] == ID_EOS ? h->length - 1 : h->length;
    if (words < 2) return;
    reverse_rows(h->ids, words, sizeof *h->ids);
    reverse_rows(h->log_probabilities, words, sizeof *h->log_probabilities);
    reverse_rows(h->attention, words, (size_t)source_length * sizeof *h->attention);
    reverse_rows(h->alternatives, words, (size_t)alternatives * sizeof *h->alternatives);
}
