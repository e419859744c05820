/* both_directions.c - the candidates of each source: what both searches found, with what each
 * direction still has to say of them.
 */
#include "search/both_directions.h"

#include "base/mem.h"
#include "base/min.h"
#include "text/tokenizer/tokenizer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Translations of each direction; more gain nothing (data/results.md). */
enum { CHOICES = 3 };

typedef struct {
    Hypothesis left;            /* from left to right; only its words, if has_left is 0 */
    double     right;           /* log-probability from right to left */
    int        has_left, has_right;
} Choice;

typedef struct {
    const BothDirections *networks;
    const Sentence       *sources;      /* (count) */
    int                   count;
    const SearchRules    *rules;
    Arena                *arena;
    int                   most;         /* choices that a search finds for each source */
    Choice               *choice;       /* (count, 2 most) */
    int                  *choices;      /* (count) */
} Agreement;

static Choice *choices_of(const Agreement *a, int source)
{
    return a->choice + (size_t)source * 2 * (size_t)a->most;
}

static void add_choice(Agreement *a, int source, Choice choice)
{
    choices_of(a, source)[a->choices[source]++] = choice;
}

/* ---- what each direction finds ---- */

/* Results of a search, `most` places for each source. */
typedef struct { Hypothesis *best; int *count; } Results;

static Results results_new(int sources, int most)
{
    return (Results){ xcalloc((size_t)sources * (size_t)most, sizeof(Hypothesis)),
                      xcalloc((size_t)sources, sizeof(int)) };
}

static void results_free(Results *r)
{
    free(r->best);
    free(r->count);
}

static void find_left(Agreement *a)
{
    SearchOptions options = *a->rules->options;
    SearchRules rules = *a->rules;
    Results found = results_new(a->count, a->most);
    options.nbest = a->most;
    options.scoreless = 0;
    rules.options = &options;
    search_run(found.best, found.count, a->networks->left, a->networks->lefts, a->sources, a->count,
               &rules, a->arena);
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < found.count[i]; k++)
            add_choice(a, i, (Choice){ .left = found.best[i * a->most + k], .has_left = 1 });
    results_free(&found);
}

static int is_finished(const Hypothesis *h)
{
    return h->length && h->ids[h->length - 1] == ID_EOS;
}

static Choice *same_choice(const Agreement *a, int source, const Hypothesis *h)
{
    Choice *choice = choices_of(a, source);
    for (int k = 0; k < a->choices[source]; k++, choice++)
        if (choice->left.length == h->length
            && !memcmp(choice->left.ids, h->ids, (size_t)h->length * sizeof *h->ids))
            return choice;
    return NULL;
}

/* Takes over a translation that was found from right to left. One that the limit of the length ended
 * has no beginning. */
static void add_right(Agreement *a, int source, Hypothesis *h)
{
    hypothesis_reverse(h, 0, 0);
    Choice *same = same_choice(a, source, h);
    const int is_whole = is_finished(h) && !isnan(h->log_probability);
    if (is_whole && same) {
        same->right = h->log_probability;
        same->has_right = 1;
    }
    if (is_whole && !same)
        add_choice(a, source, (Choice){ .left = *h, .right = h->log_probability, .has_right = 1 });
    else hypothesis_free(h);
}

/* Whether there is something to agree on: not where the numbers fail. */
static int is_open(const Agreement *a, int source)
{
    return a->choices[source] && !isnan(choices_of(a, source)->left.score);
}

/* The options of a search whose words alone are wanted, with their probability. */
static SearchOptions bare(const SearchOptions *options)
{
    SearchOptions o = *options;
    o.attention = o.scoreless = o.alternatives = 0;
    return o;
}

static void find_right(Agreement *a)
{
    SearchOptions options = bare(a->rules->options);
    SearchRules rules = *a->rules;
    Results found = results_new(a->count, a->most);
    Sentence *sentence = xmalloc((size_t)a->count, sizeof *sentence);
    int *source = xmalloc((size_t)a->count, sizeof *source), count = 0;
    for (int i = 0; i < a->count; i++)
        if (is_open(a, i) && !a->sources[i].target_length) {
            sentence[count] = a->sources[i];
            source[count++] = i;
        }
    options.nbest = a->most;
    rules.options = &options;
    rules.attention = 0;
    if (count)
        search_run(found.best, found.count, a->networks->right, a->networks->rights, sentence, count,
                   &rules, a->arena);
    for (int j = 0; j < count; j++)
        for (int k = 0; k < found.count[j]; k++)
            add_right(a, source[j], &found.best[j * a->most + k]);
    free(sentence);
    free(source);
    results_free(&found);
}

/* ---- what each says of the other's ---- */

/* The choices number `rank` of all sources for which one direction has no probability, longest
 * first, as forced translations. */
typedef struct {
    Sentence   *sentence;       /* (count) its number is its source */
    Results     scored;
    int         count, rank, is_right;
} Round;

/* The words of a choice in the order of the direction, and <eos>, which a translation of the longest
 * length lacks. Owned. */
static int *target_of(const Hypothesis *h, int is_right, int *length)
{
    int *ids = xmalloc((size_t)h->length + 1, sizeof *ids);
    *length = h->length + !is_finished(h);
    memcpy(ids, h->ids, (size_t)h->length * sizeof *ids);
    ids[*length - 1] = ID_EOS;
    if (is_right) ids_reverse(ids, (size_t)*length);
    return ids;
}

static Round round_of(const Agreement *a, int rank, int is_right)
{
    Round round = { .sentence = xmalloc((size_t)a->count, sizeof *round.sentence),
                    .scored = results_new(a->count, 1), .rank = rank, .is_right = is_right };
    for (int i = 0; i < a->count; i++) {
        const Choice *choice = &choices_of(a, i)[rank];
        if (rank >= a->choices[i] || !is_open(a, i)) continue;
        if (is_right ? choice->has_right : choice->has_left) continue;
        Sentence *s = &round.sentence[round.count++];
        *s = a->sources[i];
        s->number = i;
        s->target = target_of(&choice->left, is_right, &s->target_length);
    }
    batch_sort(round.sentence, round.count);
    return round;
}

static void run_round(const Agreement *a, Round *round)
{
    const BothDirections *by = a->networks;
    SearchOptions options = round->is_right ? bare(a->rules->options) : *a->rules->options;
    SearchRules rules = *a->rules;
    options.beam = options.nbest = 1;
    options.beam_threshold = options.normalize = 0;
    options.scoreless = 0;
    rules.options = &options;
    if (round->is_right) rules.attention = 0;
    search_run(round->scored.best, round->scored.count, round->is_right ? by->right : by->left,
               round->is_right ? by->rights : by->lefts, round->sentence, round->count, &rules,
               a->arena);
}

/* What a direction cannot compute, it says nothing of. */
static void take_score(Choice *choice, Hypothesis *scored, int is_right)
{
    if (isnan(scored->log_probability)) {
        hypothesis_free(scored);
    } else if (is_right) {
        choice->right = scored->log_probability;
        choice->has_right = 1;
        hypothesis_free(scored);
    } else {
        hypothesis_free(&choice->left);
        choice->left = *scored;
        choice->has_left = 1;
    }
}

static void score_missing(Agreement *a, int is_right)
{
    for (int rank = 0; rank < 2 * a->most; rank++) {
        Round round = round_of(a, rank, is_right);
        if (round.count) run_round(a, &round);
        for (int i = 0; i < round.count; i++) {
            free((int *)round.sentence[i].target);
            if (round.scored.count[i])
                take_score(&choices_of(a, round.sentence[i].number)[rank], &round.scored.best[i],
                           is_right);
        }
        free(round.sentence);
        results_free(&round.scored);
    }
}

/* ---- the choice ---- */

static double score_of(const Agreement *a, const Choice *choice)
{
    const int lefts = a->networks->lefts, rights = choice->has_right ? a->networks->rights : 0;
    const double left = lefts * choice->left.log_probability, right = rights * choice->right;
    return search_score(a->rules->options, (left + right) / (lefts + rights), choice->left.length);
}

/* The better one first; of equal ones the first; last those that only one direction knows.
 * Insertion sort: they are few. */
static void sort(Choice *choice, int count)
{
    for (int i = 1; i < count; i++) {
        const Choice one = choice[i];
        int k = i;
        for (; k > 0 && one.has_left && (!choice[k - 1].has_left
                                         || choice[k - 1].left.score < one.left.score); k--)
            choice[k] = choice[k - 1];
        choice[k] = one;
    }
}

/* Moves the best choices of a source to `best`; returns how many. */
static int take_best(const Agreement *a, int source, Hypothesis *best)
{
    Choice *choice = choices_of(a, source);
    int taken = 0;
    for (int k = 0; k < a->choices[source] && is_open(a, source); k++)
        if (choice[k].has_left) choice[k].left.score = score_of(a, &choice[k]);
    sort(choice, a->choices[source]);
    for (int k = 0; k < a->choices[source]; k++) {
        if (choice[k].has_left && taken < a->rules->options->nbest) best[taken++] = choice[k].left;
        else hypothesis_free(&choice[k].left);
    }
    return taken;
}

void search_both_directions(Hypothesis *best, int *best_count, const BothDirections *networks,
                            const Sentence *sources, int count, const SearchRules *rules,
                            Arena *arena)
{
    const int nbest = rules->options->nbest, choices = min_int(rules->options->beam, CHOICES);
    Agreement a = { .networks = networks, .sources = sources, .count = count, .rules = rules,
                    .arena = arena, .most = nbest > choices ? nbest : choices };
    a.choice = xcalloc((size_t)count * 2 * (size_t)a.most, sizeof *a.choice);
    a.choices = xcalloc((size_t)count, sizeof *a.choices);
    find_left(&a);
    find_right(&a);
    score_missing(&a, 0);
    score_missing(&a, 1);
    for (int i = 0; i < count; i++)
        best_count[i] = take_best(&a, i, best + (size_t)i * (size_t)nbest);
    free(a.choice);
    free(a.choices);
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
    const int words = is_finished(h) ? h->length - 1 : h->length;
    if (words < 2) return;
    reverse_rows(h->ids, words, sizeof *h->ids);
    reverse_rows(h->log_probabilities, words, sizeof *h->log_probabilities);
    reverse_rows(h->attention, words, (size_t)source_length * sizeof *h->attention);
    reverse_rows(h->alternatives, words, (size_t)alternatives * sizeof *h->alternatives);
}
