/* search.c - beam search: a step of the scorers, the best words, the rows of the next step. */
#include "search/search.h"

#include "base/min.h"
#include "base/random/rng.h"
#include "linalg/vector.h"
#include "search/banks.h"
#include "search/expansion.h"

#include <math.h>

/* ---- memory ---- */

/* `lists` lists with room for `most` candidates each. */
static Candidates *candidates_layout(Arena *arena, size_t lists, int most)
{
    Candidates *list = arena_take(arena, lists, sizeof *list);
    Candidate *room = arena_take(arena, lists * (size_t)most, sizeof *room);
    for (size_t i = 0; list && i < lists; i++)
        list[i] = (Candidates){ .candidate = room + i * (size_t)most, .most = most };
    return list;
}

static void scorers_layout(SearchScorers *s, Arena *arena, const Scorer *scorer, BatchSize size,
                           int rows, int shares)
{
    s->state = arena_take(arena, (size_t)s->count, sizeof *s->state);
    for (int i = 0; i < s->count; i++) {
        ScorerState state = { 0 };
        scorer_layout(&state, arena, &scorer[i], size, rows, shares);
        if (s->state) s->state[i] = state;
    }
}

static void step_layout(StepArrays *step, Arena *arena, size_t rows)
{
    step->from = arena_ints(arena, rows);
    step->input = arena_ints(arena, rows);
    step->first = arena_ints(arena, rows);
    step->length = arena_ints(arena, rows);
    step->place = arena_ints(arena, rows);
    step->name = arena_take(arena, rows, sizeof *step->name);
}

static void layout(Search *s, const Scorer *scorer, Arena *arena)
{
    const SearchOptions *o = s->options;
    const size_t count = (size_t)s->sources.count, rows = count * (size_t)o->beam;
    const BatchSize size = batch_size(s->sources.sentence, s->sources.count);
    const size_t V = (size_t)s->scorers.V;
    scorers_layout(&s->scorers, arena, scorer, size, (int)rows, o->beam > 1 && !o->sample);
    step_layout(&s->step, arena, rows);
    s->sources.most = arena_take(arena, count, sizeof *s->sources.most);
    beam_layout(&s->beam, arena, s->sources.count, o->beam);
    s->candidates = candidates_layout(arena, count, o->beam);
    banks_layout(s, arena);
    if (o->alternatives) s->alternatives = candidates_layout(arena, rows, o->alternatives);
    s->scratch.largest = arena_reals(arena, V / VECTOR_BLOCK + 1);
    if (o->sample) s->scratch.p = arena_reals(arena, V);
}

/* ---- what holds for a sentence ---- */

static int length_limit(const Search *s, int sentence)
{
    const Sentence *source = &s->sources.sentence[sentence];
    return source->target_length + length_limit_most(s->rules->length_limit, source->source_length);
}

static int keeps_attention(const Search *s, int sentence)
{
    const CopyFrom copy = s->rules->copy;
    return s->options->attention || s->rules->attention || copy == COPY_ANY
        || (copy == COPY_UNKNOWN && s->sources.most[sentence].unknowns);
}

double search_worth(const SearchOptions *options, int V, double log_probability, int lacking, int length)
{
    return search_score(options, log_probability - lacking * log(V), length);
}

/* ---- one step ---- */

/* Names what hard attention draws for row i: by its sentence, its place among the rows of that
 * sentence, and the position. */
static void name_draws(Search *s, int i, int position)
{
    const Row *row = s->beam.row;
    const int sentence = row[i].sentence;
    const uint64_t number = s->rules->first + (uint64_t)s->sources.sentence[sentence].number;
    int *place = s->step.place;
    place[i] = i && row[i - 1].sentence == sentence ? place[i - 1] + 1 : 0;
    s->step.name[i] = number << 27 | (uint64_t)place[i] << 20 | (uint64_t)position;
}

static void run_scorers(Search *s, int position)
{
    StepArrays *step = &s->step;
    for (int i = 0; i < s->beam.rows; i++) {
        const Row *row = &s->beam.row[i];
        name_draws(s, i, position);
        step->from[i] = row->from;
        step->input[i] = row->node < 0 ? ID_BOS : s->tree.node[row->node].id;
        step->first[i] = s->sources.batch.first[row->sentence];
        step->length[i] = s->sources.batch.length[row->sentence];
    }
    const StepRows rows = { s->beam.rows, step->from, step->input, step->first, step->length,
                            step->name, rng_key(s->options->seed, 0, RNG_ATTENTION) };
    for (int i = 0; i < s->scorers.count; i++)
        scorer_step(&s->scorers.state[i], &rows);
}

static void keep_alternatives(Search *s, int row)
{
    const Candidates *best = &s->alternatives[row];
    const double before = s->beam.row[row].log_probability;
    Alternative *kept = tree_add_alternatives(&s->tree, best->most);
    for (int k = 0; k < best->most; k++) {
        const Candidate *c = &best->candidate[k < best->count ? k : best->count - 1];
        kept[k] = (Alternative){ c->id, c->log_probability - before };
    }
}

/* The word of a candidate becomes a node. */
static int add_node(Search *s, const Candidate *c)
{
    const Row *row = &s->beam.row[c->row];
    const int node = tree_add(&s->tree, row->node, c->id, c->log_probability);
    if (keeps_attention(s, row->sentence)) {
        const int length = s->sources.sentence[row->sentence].source_length;
        real *attention = tree_add_attention(&s->tree, length);
        scorers_attention(attention, s->scorers.state, s->scorers.count, c->row, length);
    }
    if (s->alternatives) keep_alternatives(s, c->row);
    return node;
}

/* The score that the best finished hypotheses, as many as are returned, have at least. */
static double least_of_best(const Search *s, int sentence)
{
    double least = INFINITY;
    for (int k = 0; k < search_places(s->options); k++)
        least = fmin(least, beam_best(&s->beam, sentence, k)->score);
    return least;
}

/* Whether an unfinished hypothesis could still be among those that are returned: its probability can only fall,
 * its length only grow up to the limit; what it lacks it may still write. Hypotheses that are drawn are kept,
 * whatever their probability. */
static int may_be_among_best(const Search *s, int sentence, const Row *row)
{
    const int places = search_places(s->options);
    if (s->options->sample || s->beam.finished_count[sentence] < places) return 1;
    return search_score(s->options, row->log_probability, length_limit(s, sentence)) > least_of_best(s, sentence);
}

static Finished finished_by(const Search *s, const Candidate *c, int node, int length)
{
    const Row *row = &s->beam.row[c->row];
    const unsigned written = row->written.copies | placeholder_bit(c->id);
    const int lacking = copies_count(s->sources.most[row->sentence].copies & ~written);
    return (Finished){ search_worth(s->options, s->scorers.V, c->log_probability, lacking, length), lacking, node,
                       length };
}

/* Whether one of the rows of the next step, from `first` on, could. */
static int any_may_be_among_best(const Search *s, int sentence, int first)
{
    for (int i = first; i < s->beam.next_rows; i++)
        if (may_be_among_best(s, sentence, &s->beam.next[i])) return 1;
    return 0;
}

/* The candidates of a sentence become finished hypotheses and rows of the next step. length: words
 * written by now. */
static void select_candidates(Search *s, int sentence, int length)
{
    Beam *b = &s->beam;
    const Candidates *list = &s->candidates[sentence];
    const int first = b->next_rows, limit = length_limit(s, sentence);
    for (int i = 0; i < list->count; i++) {
        const Candidate *c = &list->candidate[i];
        const int node = add_node(s, c);
        if (c->id == ID_EOS || length == limit)
            beam_finish(b, sentence, finished_by(s, c, node, length));
        else
            beam_extend(b, c, node);
    }
    if (!any_may_be_among_best(s, sentence, first)) b->next_rows = first;
}

static void step(Search *s, int length)
{
    run_scorers(s, length - 1);
    expand_rows(s, length - 1);
    for (int i = 0; i < s->sources.count; i++)
        select_candidates(s, i, length);
    beam_advance(&s->beam);
}

/* ---- the search ---- */

/* One row a sentence; if words are drawn, one for each place. */
static void start(Search *s)
{
    const SearchSources *sources = &s->sources;
    for (int i = 0; i < s->scorers.count; i++)
        scorer_begin(&s->scorers.state[i], &sources->batch);
    for (int i = 0; i < sources->count; i++)
        sources->most[i] =
            word_limits_of(&sources->sentence[i], s->rules);
    beam_begin(&s->beam, sources->count, s->options->sample ? s->options->beam : 1);
}

static Hypothesis best_of(const Search *s, int sentence, int k)
{
    const Finished *f = beam_best(&s->beam, sentence, k);
    const int source_length = s->sources.sentence[sentence].source_length;
    Hypothesis h = tree_hypothesis(&s->tree, f->node, f->length,
                                   keeps_attention(s, sentence) ? source_length : 0,
                                   s->options->alternatives);
    h.score = search_score(s->options, h.log_probability, f->length);
    return h;
}

/* Releases what the steps took beside the arena. */
static void finish(Search *s)
{
    for (int i = 0; i < s->scorers.count; i++)
        scorer_end(&s->scorers.state[i]);
    tree_free(&s->tree);
}

static void reserve(Search *s, const Scorer *scorer, Arena *arena)
{
    const SearchSources *sources = &s->sources;
    const size_t batch = batch_measure(batch_size(sources->sentence, sources->count));
    Arena measure = { 0 };
    layout(s, scorer, &measure);
    arena_reserve(arena, batch + measure.used);
    batch_build_source(&s->sources.batch, arena, sources->sentence, sources->count);
    layout(s, scorer, arena);
}

void search_run(Hypothesis *best, int *best_count, const Scorer *scorer, int scorers,
                const Sentence *sources, int count, const SearchRules *rules, Arena *arena)
{
    const SearchOptions *options = rules->options;
    const int places = search_places(options);
    Search s = { .rules = rules, .options = options,
                 .sources = { .sentence = sources, .count = count },
                 .scorers = { .count = scorers, .V = scorer->net.n.Vt } };
    reserve(&s, scorer, arena);
    start(&s);
    for (int length = 1; s.beam.rows && !search_is_stopped(options); length++)
        step(&s, length);
    for (int i = 0; i < count; i++) {
        const int finished = s.beam.finished_count[i];
        best_count[i] = min_int(finished, places);
        for (int k = 0; k < best_count[i]; k++)
            best[i * places + k] = best_of(&s, i, k);
    }
    finish(&s);
}
