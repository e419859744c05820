/* agreement.c - the choices of each source are what both directions find; each direction gives a
 * probability to those of the other one by forced decoding. Where nobody wants probabilities they are
 * bounded at first (search/deferral.h); those that leave open which choice is the best are then
 * computed exactly, so that the choice is the same but for rounding.
 */
#include "search/agreement.h"

#include "base/mem.h"
#include "base/min.h"
#include "search/forbidden_words.h"
#include "text/tokenizer/tokenizer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Translations that each direction finds; more gain nothing (data/results.md). */
enum { CHOICES = 3 };

/* A direction searches with so many times the threshold: what it finds less probable the other one may
 * prefer. */
static const double threshold_factor = 1.5;

/* Log-probabilities of a beam and of forced decoding are apart by no more than this times them: products of
 * the context are rounded otherwise (model/context_projection.h). */
static const double rounding = 1e-5;

typedef struct {
    int        lacking;         /* placeholders of the source that it has not */
    Hypothesis h;               /* from left to right; only its words until that direction knows it */
    double     log_probability[DIRECTIONS];
    double     error[DIRECTIONS];       /* how far each is off at most */
    int        is_known[DIRECTIONS];
} Choice;

typedef struct {
    const DirectedScorers *networks;
    const Sentence        *sources;     /* (count) */
    int                    count;
    const SearchRules     *rules;
    Arena                 *arena;
    Probabilities          probabilities;   /* that are wanted at first */
    int                    most;        /* choices that a direction finds for each source */
    Choice                *choice;      /* (count, 2 most) */
    int                   *choices;     /* (count) */
} Agreement;

static Choice *choices_of(const Agreement *a, int source)
{
    return a->choice + (size_t)source * 2 * (size_t)a->most;
}

/* Whether there is something to agree on: not where the numbers fail, or after a request to stop. */
static int is_open(const Agreement *a, int source)
{
    return a->choices[source] && !isnan(choices_of(a, source)->h.score);
}

/* ---- searches ---- */

/* What a search returns, `places` for each source. */
typedef struct { Hypothesis *best; int *count, places; } Results;

/* A search by one direction. From right to left only the words and their probability are wanted. */
static Results run(const Agreement *a, Direction direction, const Sentence *sentence, int count,
                   SearchOptions options)
{
    const int places = search_places(&options);
    Results r = { xcalloc((size_t)(count * places), sizeof *r.best),
                  xcalloc((size_t)count, sizeof *r.count), places };
    SearchRules rules = *a->rules;
    rules.options = &options;
    rules.right_left = direction == RIGHT_TO_LEFT;
    if (direction == RIGHT_TO_LEFT) options.attention = options.alternatives = rules.attention = 0;
    if (count)
        search_run(r.best, r.count, a->networks->scorer[direction], a->networks->count[direction],
                   sentence, count, &rules, a->arena);
    return r;
}

static void results_free(Results *r)
{
    free(r->best);
    free(r->count);
}

/* ---- what each direction finds ---- */

static Choice *find_same(const Agreement *a, int source, const Hypothesis *h)
{
    Choice *choice = choices_of(a, source);
    for (int k = 0; k < a->choices[source]; k++, choice++)
        if (choice->h.length == h->length
            && !memcmp(choice->h.ids, h->ids, (size_t)h->length * sizeof *h->ids))
            return choice;
    return NULL;
}

static void know(Choice *choice, Direction direction, double log_probability, double error)
{
    choice->log_probability[direction] = log_probability;
    choice->error[direction] = error;
    choice->is_known[direction] = 1;
}

/* How far the log-probability of a hypothesis is off at most; 0 where only exact ones are asked for. */
static double error_of(const Agreement *a, const Hypothesis *h)
{
    const int is_exact = a->probabilities == PROBABILITIES_EXACT;
    return is_exact ? 0 : h->error + rounding * (1 + fabs(h->log_probability));
}

/* Takes over a hypothesis. */
static void add_choice(Agreement *a, int source, Direction direction, const Hypothesis *h)
{
    Choice *choice = &choices_of(a, source)[a->choices[source]++];
    const unsigned copies = word_limits_of(&a->sources[source], a->rules).copies;
    choice->h = *h;
    choice->lacking = copies_count(copies & ~copies_among(copies, h->ids, h->length));
    know(choice, direction, h->log_probability, error_of(a, h));
}

/* Takes over a hypothesis from right to left, if nobody has found it. One that the limit of the length
 * ended has no beginning. */
static void add_reversed(Agreement *a, int source, Hypothesis *h)
{
    const int is_whole = hypothesis_is_finished(h) && !isnan(h->log_probability);
    ids_reverse(h->ids, (size_t)h->length);
    Choice *same = find_same(a, source, h);
    if (is_whole && same) know(same, RIGHT_TO_LEFT, h->log_probability, error_of(a, h));
    if (is_whole && !same) add_choice(a, source, RIGHT_TO_LEFT, h);
    else hypothesis_free(h);
}

static int searches(const Agreement *a, int source, Direction direction)
{
    return direction == LEFT_TO_RIGHT || (is_open(a, source) && !a->sources[source].target_length);
}

static void find(Agreement *a, Direction direction)
{
    SearchOptions options = *a->rules->options;
    Sentence *sentence = xmalloc((size_t)a->count, sizeof *sentence);
    int *source = xmalloc((size_t)a->count, sizeof *source), count = 0;
    options.extra = a->most - options.nbest;
    options.beam_threshold *= threshold_factor;
    options.probabilities = a->probabilities;
    for (int i = 0; i < a->count; i++)
        if (searches(a, i, direction)) {
            sentence[count] = a->sources[i];
            source[count++] = i;
        }
    Results found = run(a, direction, sentence, count, options);
    for (int j = 0; j < count; j++)
        for (int k = 0; k < found.count[j]; k++) {
            Hypothesis *h = &found.best[j * found.places + k];
            if (direction == RIGHT_TO_LEFT) add_reversed(a, source[j], h);
            else add_choice(a, source[j], LEFT_TO_RIGHT, h);
        }
    results_free(&found);
    free(sentence);
    free(source);
}

/* ---- what each says of the other's ---- */

/* The words in the order of the direction, and <eos>, which a hypothesis of the longest length lacks.
 * Owned. */
static int *target_of(const Hypothesis *h, Direction direction, int *length)
{
    int *ids = xmalloc((size_t)h->length + 1, sizeof *ids);
    *length = h->length + !hypothesis_is_finished(h);
    memcpy(ids, h->ids, (size_t)h->length * sizeof *ids);
    ids[*length - 1] = ID_EOS;
    if (direction == RIGHT_TO_LEFT) ids_reverse(ids, (size_t)*length);
    return ids;
}

/* Keeps a probability that is a number; of left to right all that comes with it, but for an <eos> that the
 * choice lacks. */
static void take_score(Choice *choice, Direction direction, Hypothesis *scored, double error)
{
    const int is_number = !isnan(scored->log_probability);
    if (is_number && direction == LEFT_TO_RIGHT && scored->length > choice->h.length)
        scored->log_probability -= scored->log_probabilities[--scored->length];
    if (is_number) know(choice, direction, scored->log_probability, error);
    if (is_number && direction == LEFT_TO_RIGHT) {
        hypothesis_free(&choice->h);
        choice->h = *scored;
    } else {
        hypothesis_free(scored);
    }
}

static void score(const Agreement *a, Direction direction, Probabilities probabilities,
                  const Sentence *sentence, Choice *const *choice, int count)
{
    SearchOptions options = *a->rules->options;
    options.beam = options.nbest = 1;
    options.beam_threshold = options.normalize = options.extra = 0;
    options.probabilities = probabilities;
    Results scored = run(a, direction, sentence, count, options);
    for (int j = 0; j < count; j++) {
        Hypothesis *h = &scored.best[j];
        const double error = probabilities == PROBABILITIES_EXACT ? 0 : error_of(a, h);
        if (scored.count[j]) take_score(choice[j], direction, h, error);
    }
    results_free(&scored);
}

/* Whether a direction has to give a probability to a choice of a source. */
typedef int Wanted(const Agreement *a, int source, const Choice *choice, Direction direction);

/* As many at a time as there are sources. */
static void score_all(Agreement *a, Direction direction, Probabilities probabilities, Wanted wanted)
{
    const size_t most = (size_t)a->count * 2 * (size_t)a->most;
    Sentence *sentence = xmalloc(most, sizeof *sentence);
    Choice **choice = xmalloc(most, sizeof *choice);
    int count = 0;
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < a->choices[i] && is_open(a, i); k++) {
            Choice *one = &choices_of(a, i)[k];
            if (!wanted(a, i, one, direction)) continue;
            sentence[count] = a->sources[i];
            sentence[count].target = target_of(&one->h, direction, &sentence[count].target_length);
            choice[count++] = one;
        }
    for (int at = 0; at < count && !search_is_stopped(a->rules->options); at += a->count)
        score(a, direction, probabilities, sentence + at, choice + at,
              min_int(a->count, count - at));
    for (int j = 0; j < count; j++)
        free((int *)sentence[j].target);
    free(sentence);
    free(choice);
}

static int is_unknown(const Agreement *a, int source, const Choice *choice, Direction direction)
{
    (void)a, (void)source;
    return !choice->is_known[direction];
}

/* ---- scores ---- */

static int vocabulary_of(const Agreement *a)
{
    return a->networks->scorer[LEFT_TO_RIGHT]->net.n.Vt;
}

/* What a choice is worth to all networks, and how far that is off at most. */
typedef struct { double value, error; } Score;

static Score score_of(const Agreement *a, const Choice *choice)
{
    double sum = 0, error = 0;
    int networks = 0;
    for (Direction d = 0; d < DIRECTIONS; d++) {
        if (!choice->is_known[d]) continue;
        sum += a->networks->count[d] * choice->log_probability[d];
        error += a->networks->count[d] * choice->error[d];
        networks += a->networks->count[d];
    }
    const SearchOptions *options = a->rules->options;
    return (Score){ search_worth(options, vocabulary_of(a), sum / networks, choice->lacking, choice->h.length),
                    search_score(options, error / networks, choice->h.length) };
}

/* What the best choice that is known from left to right certainly reaches. */
static double certain_score(const Agreement *a, int source)
{
    double least = -INFINITY;
    const Choice *choice = choices_of(a, source);
    for (int k = 0; k < a->choices[source]; k++) {
        const Score score = score_of(a, &choice[k]);
        if (choice[k].is_known[LEFT_TO_RIGHT]) least = fmax(least, score.value - score.error);
    }
    return least;
}

static int may_be_best(const Agreement *a, const Choice *choice, double least)
{
    const Score score = score_of(a, choice);
    return choice->is_known[LEFT_TO_RIGHT] && score.value + score.error >= least;
}

/* Whether the direction's probability has only bounds, and several choices of the source may be the
 * best. */
static int is_undecided(const Agreement *a, int source, const Choice *choice, Direction direction)
{
    const double least = certain_score(a, source);
    int rivals = 0;
    for (int k = 0; k < a->choices[source]; k++)
        rivals += may_be_best(a, &choices_of(a, source)[k], least);
    return rivals > 1 && may_be_best(a, choice, least) && choice->error[direction] > 0;
}

/* ---- the choice ---- */

/* Leaves out the choices that are not known from left to right, and gives the others their score. */
static void keep_known(Agreement *a, int source)
{
    Choice *choice = choices_of(a, source);
    int kept = 0;
    for (int k = 0; k < a->choices[source]; k++) {
        if (!choice[k].is_known[LEFT_TO_RIGHT]) {
            hypothesis_free(&choice[k].h);
            continue;
        }
        choice[k].h.score = score_of(a, &choice[k]).value;
        choice[kept++] = choice[k];
    }
    a->choices[source] = kept;
}

/* The better one first, of equal ones the first. Insertion sort: they are few. */
static void sort(Choice *choice, int count)
{
    for (int i = 1; i < count; i++) {
        const Choice one = choice[i];
        int k = i;
        for (; k > 0 && choice[k - 1].h.score < one.h.score; k--)
            choice[k] = choice[k - 1];
        choice[k] = one;
    }
}

/* Moves the best choices of a source to `best`; returns how many. */
static int take_best(Agreement *a, int source, Hypothesis *best)
{
    const Choice *choice = choices_of(a, source);
    if (is_open(a, source)) keep_known(a, source);
    sort(choices_of(a, source), a->choices[source]);
    const int taken = min_int(a->choices[source], a->rules->options->nbest);
    for (int k = 0; k < a->choices[source]; k++) {
        Hypothesis h = choice[k].h;
        h.score -= search_worth(a->rules->options, vocabulary_of(a), 0, choice[k].lacking, h.length);
        if (a->probabilities != PROBABILITIES_EXACT) hypothesis_leave_out_probabilities(&h);
        if (k < taken) best[k] = h;
        else hypothesis_free(&h);
    }
    return taken;
}

void search_agreed(Hypothesis *best, int *best_count, const DirectedScorers *networks,
                   const Sentence *sources, int count, const SearchRules *rules, Arena *arena)
{
    const SearchOptions *options = rules->options;
    const int nbest = options->nbest, choices = min_int(options->beam, CHOICES);
    const int is_bounded = options->probabilities == PROBABILITIES_NONE && nbest == 1;
    Agreement a = { .networks = networks, .sources = sources, .count = count, .rules = rules,
                    .arena = arena, .most = nbest > choices ? nbest : choices,
                    .probabilities = is_bounded ? PROBABILITIES_BOUNDED : PROBABILITIES_EXACT };
    a.choice = xcalloc((size_t)count * 2 * (size_t)a.most, sizeof *a.choice);
    a.choices = xcalloc((size_t)count, sizeof *a.choices);
    for (Direction d = 0; d < DIRECTIONS; d++)
        find(&a, d);
    for (Direction d = 0; d < DIRECTIONS; d++)
        score_all(&a, d, a.probabilities, is_unknown);
    for (Direction d = 0; d < DIRECTIONS && is_bounded; d++)
        score_all(&a, d, PROBABILITIES_EXACT, is_undecided);
    for (int i = 0; i < count; i++)
        best_count[i] = take_best(&a, i, best + (size_t)i * (size_t)nbest);
    free(a.choice);
    free(a.choices);
}
