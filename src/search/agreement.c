/* agreement.c - the choices of each source are what both directions find; each direction gives a
 * probability to those of the other one by forced decoding.
 */
#include "search/search.h"

#include "base/real.h"
#include "search/expansion.h"
#include "text/tokenizer/tokenizer.h"

#include <math.h>
#include <string.h>

/* Translations that each direction finds; more gain nothing (data/tried.md). */
enum { CHOICES = 3 };

/* A direction searches with so many times the threshold: what it finds less probable the other one
 * may prefer. */
static const double threshold_factor = 1.5;

typedef struct {
    Hypothesis h;               /* from left to right; before that direction knows it, its words */
    int        lacking;         /* placeholders of the source that it has not */
    double     log_probability[DIRECTIONS];
    int        is_known[DIRECTIONS];
} Choice;

typedef struct {
    const DirectedScorers *networks;
    const Sentence        *sources;     /* (count) */
    int                    count;
    const SearchRules     *rules;
    SearchMemory          *memory;
    int                    most;        /* choices that a direction finds for each source */
    Choice                *choice;      /* (count, 2 most) */
    int                   *choices;     /* (count) */
} Agreement;

static Choice *choices_of(const Agreement *a, int source)
{
    return a->choice + (size_t)source * 2 * (size_t)a->most;
}

/* Whether there is something to agree on: not where the numbers fail, or after a request to
 * stop. */
static int is_open(const Agreement *a, int source)
{
    return a->choices[source] && !isnan(choices_of(a, source)->h.score);
}

/* A search by one direction. From right to left only the words and their probability are wanted. */
static Found run(const Agreement *a, Direction direction, const Sentence *sentence, int count,
                 SearchOptions options)
{
    SearchRules rules = *a->rules;
    rules.options = &options;
    rules.right_left = direction == RIGHT_TO_LEFT;
    if (direction == RIGHT_TO_LEFT) options.attention = options.alternatives = rules.attention = 0;
    return search_run(a->networks->scorer[direction], a->networks->count[direction], sentence,
                      count, &rules, a->memory);
}

/* ---- what each direction finds ---- */

static void know(Choice *choice, Direction direction, double log_probability)
{
    choice->log_probability[direction] = log_probability;
    choice->is_known[direction] = 1;
}

static void add_choice(Agreement *a, int source, Direction direction, const Hypothesis *h)
{
    Choice *choice = &choices_of(a, source)[a->choices[source]++];
    const unsigned copies = word_limits_of(&a->sources[source], a->rules).copies;
    *choice = (Choice){ .h = *h, .lacking = copies_lacking(copies, h->ids, h->length) };
    know(choice, direction, h->log_probability);
}

/* Adds a hypothesis from right to left, if nobody has found it. One that the limit of the length
 * ended has no beginning. */
static void add_reversed(Agreement *a, int source, Hypothesis *h)
{
    Choice *choice = choices_of(a, source), *end = choice + a->choices[source];
    if (!hypothesis_is_finished(h) || isnan(h->log_probability)) return;
    ids_reverse(h->ids, (size_t)h->length);
    while (choice < end && !hypothesis_same_ids(&choice->h, h))
        choice++;
    if (choice < end) know(choice, RIGHT_TO_LEFT, h->log_probability);
    else add_choice(a, source, RIGHT_TO_LEFT, h);
}

static void find(Agreement *a, Direction direction)
{
    SearchOptions options = *a->rules->options;
    Region *region = &a->memory->found;
    Sentence *sentence = region_take(region, (size_t)a->count, sizeof *sentence);
    int *source = region_take(region, (size_t)a->count, sizeof *source), count = 0;
    options.extra = a->most - options.nbest;
    options.beam_threshold *= threshold_factor;
    for (int i = 0; i < a->count; i++)
        if (direction == LEFT_TO_RIGHT || (is_open(a, i) && !a->sources[i].target_length)) {
            sentence[count] = a->sources[i];
            source[count++] = i;
        }
    if (!count) return;
    const Found found = run(a, direction, sentence, count, options);
    for (int j = 0; j < count; j++)
        for (int k = 0; k < found.count[j]; k++) {
            Hypothesis *h = &found.best[j * found.places + k];
            if (direction == RIGHT_TO_LEFT) add_reversed(a, source[j], h);
            else add_choice(a, source[j], LEFT_TO_RIGHT, h);
        }
}

/* ---- what each says of the other's ---- */

/* The words in the order of the direction, and <eos>, which a hypothesis of the longest length
 * lacks. */
static void set_target(Sentence *sentence, const Hypothesis *h, Direction direction, Region *region)
{
    const int length = h->length + !hypothesis_is_finished(h);
    int *ids = region_take(region, (size_t)length, sizeof *ids);
    memcpy(ids, h->ids, (size_t)h->length * sizeof *ids);
    ids[length - 1] = ID_EOS;
    if (direction == RIGHT_TO_LEFT) ids_reverse(ids, (size_t)length);
    sentence->target = ids;
    sentence->target_length = length;
}

/* Keeps a probability that is a number; of left to right all that comes with it, but for an <eos>
 * that the choice lacks. */
static void take_score(Choice *choice, Direction direction, Hypothesis *scored)
{
    if (isnan(scored->log_probability)) return;
    if (direction == LEFT_TO_RIGHT) {
        if (scored->length > choice->h.length)
            scored->log_probability -= scored->log_probabilities[--scored->length];
        choice->h = *scored;
    }
    know(choice, direction, scored->log_probability);
}

static void score(const Agreement *a, Direction direction, const Sentence *sentence,
                  Choice *const *choice, int count)
{
    SearchOptions options = *a->rules->options;
    options.beam = options.nbest = 1;
    options.beam_threshold = options.normalize = options.extra = 0;
    options.probabilities = 1;
    const Found scored = run(a, direction, sentence, count, options);
    for (int j = 0; j < count; j++)
        if (scored.count[j]) take_score(choice[j], direction, &scored.best[j]);
}

/* Lets a direction give a probability to what it has not found: to as many at a time as there are
 * sources. */
static void score_all(Agreement *a, Direction direction)
{
    const size_t most = (size_t)a->count * 2 * (size_t)a->most;
    Region *region = &a->memory->found;
    Sentence *sentence = region_take(region, most, sizeof *sentence);
    Choice **choice = region_take(region, most, sizeof *choice);
    int count = 0;
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < a->choices[i] && is_open(a, i); k++) {
            Choice *one = &choices_of(a, i)[k];
            if (one->is_known[direction]) continue;
            sentence[count] = a->sources[i];
            set_target(&sentence[count], &one->h, direction, region);
            choice[count++] = one;
        }
    for (int at = 0; at < count && !search_is_stopped(a->rules->options); at += a->count)
        score(a, direction, sentence + at, choice + at, min_int(a->count, count - at));
}

/* ---- the choice ---- */

/* What a choice is worth to all networks that know it. */
static double score_of(const Agreement *a, const Choice *choice)
{
    const int V = a->networks->scorer[LEFT_TO_RIGHT]->net.n.Vt;
    double sum = 0;
    int networks = 0;
    for (Direction d = 0; d < DIRECTIONS; d++) {
        if (!choice->is_known[d]) continue;
        sum += a->networks->count[d] * choice->log_probability[d];
        networks += a->networks->count[d];
    }
    return search_worth(a->rules->options, V, sum / networks, choice->lacking, choice->h.length);
}

/* Puts the best of a source at `best`, those of one score in the order in which they were found;
 * returns how many. Those are left out that are not known from left to right. Insertion sort: they
 * are few. */
static int take_best(const Agreement *a, int source, Hypothesis *best)
{
    const SearchOptions *options = a->rules->options;
    const int V = a->networks->scorer[LEFT_TO_RIGHT]->net.n.Vt;
    const int agrees = is_open(a, source);
    Choice *choice = choices_of(a, source);
    int kept = 0;
    for (int k = 0; k < a->choices[source]; k++) {
        Choice one = choice[k];
        int at = kept;
        if (agrees && !one.is_known[LEFT_TO_RIGHT]) continue;
        if (agrees) one.h.score = score_of(a, &one);
        for (; at > 0 && choice[at - 1].h.score < one.h.score; at--)
            choice[at] = choice[at - 1];
        choice[at] = one;
        kept++;
    }
    kept = min_int(kept, options->nbest);
    for (int k = 0; k < kept; k++) {
        best[k] = choice[k].h;
        best[k].score -= search_worth(options, V, 0, choice[k].lacking, best[k].length);
    }
    return kept;
}

Found search_agreed(const DirectedScorers *networks, const Sentence *sources, int count,
                    const SearchRules *rules, SearchMemory *memory)
{
    Region *region = &memory->found;
    const int nbest = rules->options->nbest, choices = min_int(rules->options->beam, CHOICES);
    Agreement a = { .networks = networks, .sources = sources, .count = count, .rules = rules,
                    .memory = memory, .most = nbest > choices ? nbest : choices };
    Found found = { region_take(region, (size_t)count * (size_t)nbest, sizeof *found.best),
                    region_take(region, (size_t)count, sizeof *found.count), nbest };
    a.choice = region_take(region, (size_t)count * 2 * (size_t)a.most, sizeof *a.choice);
    a.choices = region_take(region, (size_t)count, sizeof *a.choices);
    memset(a.choices, 0, (size_t)count * sizeof *a.choices);
    for (Direction d = 0; d < DIRECTIONS; d++)
        find(&a, d);
    for (Direction d = 0; d < DIRECTIONS; d++)
        score_all(&a, d);
    for (int i = 0; i < count; i++)
        found.count[i] = take_best(&a, i, found.best + (size_t)i * (size_t)nbest);
    return found;
}
