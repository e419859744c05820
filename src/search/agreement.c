/* agreement.c - the choices of each source are what both directions find; each direction gives a
 * probability to those of the other one by forced decoding.
 */
#include "search/agreement.h"

#include "base/mem.h"
#include "base/min.h"
#include "search/forbidden_words.h"
#include "text/tokenizer/tokenizer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Translations that each direction finds; more gain nothing (data/tried.md). */
enum { CHOICES = 3 };

/* A direction searches with so many times the threshold: what it finds less probable the other one may
 * prefer. */
static const double threshold_factor = 1.5;

typedef struct {
    int        lacking;         /* placeholders of the source that it has not */
    Hypothesis h;               /* from left to right; only its words until that direction knows it */
    double     log_probability[DIRECTIONS];
    int        is_known[DIRECTIONS];
} Choice;

typedef struct {
    const DirectedScorers *networks;
    const Sentence        *sources;     /* (count) */
    int                    count;
    const SearchRules     *rules;
    Arena                 *arena;
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
    xfree(r->best);
    xfree(r->count);
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

static void know(Choice *choice, Direction direction, double log_probability)
{
    choice->log_probability[direction] = log_probability;
    choice->is_known[direction] = 1;
}

/* Takes over a hypothesis. */
static void add_choice(Agreement *a, int source, Direction direction, const Hypothesis *h)
{
    Choice *choice = &choices_of(a, source)[a->choices[source]++];
    const unsigned copies = word_limits_of(&a->sources[source], a->rules).copies;
    choice->h = *h;
    choice->lacking = copies_count(copies & ~copies_among(copies, h->ids, h->length));
    know(choice, direction, h->log_probability);
}

/* Takes over a hypothesis from right to left, if nobody has found it. One that the limit of the length
 * ended has no beginning. */
static void add_reversed(Agreement *a, int source, Hypothesis *h)
{
    const int is_whole = hypothesis_is_finished(h) && !isnan(h->log_probability);
    ids_reverse(h->ids, (size_t)h->length);
    Choice *same = find_same(a, source, h);
    if (is_whole && same) know(same, RIGHT_TO_LEFT, h->log_probability);
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
    xfree(sentence);
    xfree(source);
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
static void take_score(Choice *choice, Direction direction, Hypothesis *scored)
{
    const int is_number = !isnan(scored->log_probability);
    if (is_number && direction == LEFT_TO_RIGHT && scored->length > choice->h.length)
        scored->log_probability -= scored->log_probabilities[--scored->length];
    if (is_number) know(choice, direction, scored->log_probability);
    if (is_number && direction == LEFT_TO_RIGHT) {
        hypothesis_free(&choice->h);
        choice->h = *scored;
    } else {
        hypothesis_free(scored);
    }
}

static void score(const Agreement *a, Direction direction, const Sentence *sentence, Choice *const *choice, int count)
{
    SearchOptions options = *a->rules->options;
    options.beam = options.nbest = 1;
    options.beam_threshold = options.normalize = options.extra = 0;
    options.probabilities = 1;
    Results scored = run(a, direction, sentence, count, options);
    for (int j = 0; j < count; j++)
        if (scored.count[j]) take_score(choice[j], direction, &scored.best[j]);
    results_free(&scored);
}

/* Lets a direction give a probability to what it has not found: to as many at a time as there are sources. */
static void score_all(Agreement *a, Direction direction)
{
    const size_t most = (size_t)a->count * 2 * (size_t)a->most;
    Sentence *sentence = xmalloc(most, sizeof *sentence);
    Choice **choice = xmalloc(most, sizeof *choice);
    int count = 0;
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < a->choices[i] && is_open(a, i); k++) {
            Choice *one = &choices_of(a, i)[k];
            if (one->is_known[direction]) continue;
            sentence[count] = a->sources[i];
            sentence[count].target = target_of(&one->h, direction, &sentence[count].target_length);
            choice[count++] = one;
        }
    for (int at = 0; at < count && !search_is_stopped(a->rules->options); at += a->count)
        score(a, direction, sentence + at, choice + at, min_int(a->count, count - at));
    for (int j = 0; j < count; j++)
        xfree((int *)sentence[j].target);
    xfree(sentence);
    xfree(choice);
}

/* ---- scores ---- */

static int vocabulary_of(const Agreement *a)
{
    return a->networks->scorer[LEFT_TO_RIGHT]->net.n.Vt;
}

/* What a choice is worth to all networks. */
static double score_of(const Agreement *a, const Choice *choice)
{
    double sum = 0;
    int networks = 0;
    for (Direction d = 0; d < DIRECTIONS; d++) {
        if (!choice->is_known[d]) continue;
        sum += a->networks->count[d] * choice->log_probability[d];
        networks += a->networks->count[d];
    }
    return search_worth(a->rules->options, vocabulary_of(a), sum / networks, choice->lacking, choice->h.length);
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
        choice[k].h.score = score_of(a, &choice[k]);
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
    Agreement a = { .networks = networks, .sources = sources, .count = count, .rules = rules,
                    .arena = arena, .most = nbest > choices ? nbest : choices };
    a.choice = xcalloc((size_t)count * 2 * (size_t)a.most, sizeof *a.choice);
    a.choices = xcalloc((size_t)count, sizeof *a.choices);
    for (Direction d = 0; d < DIRECTIONS; d++)
        find(&a, d);
    for (Direction d = 0; d < DIRECTIONS; d++)
        score_all(&a, d);
    for (int i = 0; i < count; i++)
        best_count[i] = take_best(&a, i, best + (size_t)i * (size_t)nbest);
    xfree(a.choice);
    xfree(a.choices);
}
