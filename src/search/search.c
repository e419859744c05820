/* search.c - beam search: a step of the scorers, the best words, the rows of the next step. */
#include "search/search.h"

#include "base/random/rng.h"
#include "base/real.h"
#include "linalg/vector.h"
#include "search/expansion.h"

#include <math.h>

void search_memory_free(SearchMemory *memory)
{
    arena_free(&memory->arena);
    region_free(&memory->steps);
    region_free(&memory->found);
}

/* ---- the state of a search ---- */

static void scorers_layout(const Search *s, Arena *arena, const Scorer *scorer, BatchSize size)
{
    const int rows = s->count * s->options->beam;
    const int shares = s->options->beam > 1 && !s->options->sample;
    for (int i = 0; i < s->scorers; i++) {
        s->scorer[i] = (ScorerState){ 0 };
        scorer_layout(&s->scorer[i], arena, &scorer[i], size, rows, shares);
    }
}

static void take_arena(Search *s, const Scorer *scorer, Arena *arena)
{
    const BatchSize size = batch_size(s->sentence, s->count);
    Arena measure = { 0 };
    scorers_layout(s, &measure, scorer, size);
    arena_reserve(arena, batch_measure(size) + measure.used);
    batch_build_source(&s->batch, arena, s->sentence, s->count);
    scorers_layout(s, arena, scorer, size);
}

static StepRows step_rows_new(Region *region, size_t rows, uint64_t seed)
{
    StepRows step = { .draws = rng_key(seed, 0, RNG_ATTENTION) };
    step.from = region_take(region, rows, sizeof *step.from);
    step.input = region_take(region, rows, sizeof *step.input);
    step.first = region_take(region, rows, sizeof *step.first);
    step.length = region_take(region, rows, sizeof *step.length);
    step.name = region_take(region, rows, sizeof *step.name);
    return step;
}

/* Begins with one row a sentence; if words are drawn, with one for each place. */
static void begin(Search *s, const Scorer *scorer, SearchMemory *memory)
{
    const SearchOptions *o = s->options;
    const size_t count = (size_t)s->count, rows = count * (size_t)o->beam;
    Region *r = s->memory = &memory->steps;
    region_reset(r);
    s->scorer = region_take(r, (size_t)s->scorers, sizeof *s->scorer);
    take_arena(s, scorer, &memory->arena);
    for (int i = 0; i < s->scorers; i++)
        scorer_begin(&s->scorer[i], &s->batch, r);
    s->limits = region_take(r, count, sizeof *s->limits);
    s->row = region_take(r, rows, sizeof *s->row);
    s->next = region_take(r, rows, sizeof *s->next);
    s->finished = region_take(r, rows, sizeof *s->finished);
    s->finished_count = region_take(r, count, sizeof *s->finished_count);
    s->step = step_rows_new(r, rows, o->seed);
    s->candidates = candidates_new(r, count, o->beam);
    if (o->alternatives) s->alternatives = candidates_new(r, rows, o->alternatives);
    s->largest = region_take(r, (size_t)s->V / VECTOR_BLOCK + 1, sizeof *s->largest);
    if (o->sample) s->p = region_take(r, (size_t)s->V, sizeof *s->p);
    for (int i = 0; i < s->count; i++) {
        s->limits[i] = word_limits_of(&s->sentence[i], s->rules);
        s->finished_count[i] = 0;
        for (int place = 0; place < (o->sample ? o->beam : 1); place++)
            s->row[s->rows++] = (Row){ .sentence = i, .place = place, .from = i };
    }
    s->banks = banks_new(s);
}

static int length_limit(const Search *s, int sentence)
{
    const Sentence *source = &s->sentence[sentence];
    return source->target_length + length_limit_most(s->rules->length_limit, source->source_length);
}

static int keeps_attention(const Search *s, int sentence)
{
    const CopyFrom copy = s->rules->copy;
    return s->options->attention || s->rules->attention || copy == COPY_ANY
        || (copy == COPY_UNKNOWN && s->limits[sentence].unknowns);
}

double search_worth(const SearchOptions *options, int V, double log_probability, int lacking,
                    int length)
{
    return search_score(options, log_probability - lacking * log(V), length);
}

/* ---- one step ---- */

static void run_scorers(Search *s, int position)
{
    StepRows *step = &s->step;
    step->count = s->rows;
    for (int i = 0, place = 0; i < s->rows; i++) {
        const Row *row = &s->row[i];
        const uint64_t number = s->rules->first + (uint64_t)s->sentence[row->sentence].number;
        place = i && row[-1].sentence == row->sentence ? place + 1 : 0;
        step->from[i] = row->from;
        step->input[i] = row->last ? row->last->id : ID_BOS;
        step->first[i] = s->batch.first[row->sentence];
        step->length[i] = s->batch.length[row->sentence];
        step->name[i] = number << 27 | (uint64_t)place << 20 | (uint64_t)position;
    }
    for (int i = 0; i < s->scorers; i++)
        scorer_step(&s->scorer[i], step);
}

/* The word of a candidate becomes a node. */
static const Node *add_node(const Search *s, const Candidate *c)
{
    const Row *row = &s->row[c->row];
    Node *node = region_take(s->memory, 1, sizeof *node);
    *node = (Node){ .parent = row->last, .id = c->id, .log_probability = c->log_probability };
    if (keeps_attention(s, row->sentence)) {
        const int length = s->sentence[row->sentence].source_length;
        real *attention = region_take(s->memory, (size_t)length, sizeof *attention);
        scorers_attention(attention, s->scorer, s->scorers, c->row, length);
        node->attention = attention;
    }
    if (s->alternatives) {
        const Candidates *list = &s->alternatives[c->row];
        Alternative *kept = region_take(s->memory, (size_t)list->most, sizeof *kept);
        for (int k = 0; k < list->most; k++) {
            const Candidate *other = &list->candidate[k < list->count ? k : list->count - 1];
            kept[k] = (Alternative){ other->id, other->log_probability - row->log_probability };
        }
        node->alternatives = kept;
    }
    return node;
}

static void extend(Search *s, const Candidate *c, const Node *node)
{
    Row *row = &s->next[s->next_rows++];
    *row = s->row[c->row];
    row->last = node;
    row->from = c->row;
    row->written.unknowns += c->id == ID_UNK;
    row->written.copies |= placeholder_bit(c->id);
    row->log_probability = c->log_probability;
}

/* Adds a finished hypothesis in the order of the scores; behind those with its score. */
static void finish(Search *s, int sentence, const Candidate *c, const Node *node, int length)
{
    const unsigned written = s->row[c->row].written.copies | placeholder_bit(c->id);
    const int lacking = __builtin_popcount(s->limits[sentence].copies & ~written);
    const double score = search_worth(s->options, s->V, c->log_probability, lacking, length);
    Finished *list = s->finished + (size_t)sentence * (size_t)s->options->beam;
    int at = s->finished_count[sentence]++;
    for (; at > 0 && score > list[at - 1].score; at--)
        list[at] = list[at - 1];
    list[at] = (Finished){ score, node, length };
}

/* Whether an unfinished hypothesis of the next step, from row `first` on, could still be among
 * those that are returned: its probability can only fall, its length only grow up to the limit;
 * what it lacks it may still write. Hypotheses that are drawn are kept, whatever their
 * probability. */
static int any_may_be_among_best(const Search *s, int sentence, int first)
{
    const int places = search_places(s->options), limit = length_limit(s, sentence);
    const Finished *best = s->finished + (size_t)sentence * (size_t)s->options->beam;
    double least = INFINITY;
    if (s->options->sample || s->finished_count[sentence] < places) return 1;
    for (int k = 0; k < places; k++)
        least = fmin(least, best[k].score);
    for (int i = first; i < s->next_rows; i++)
        if (search_score(s->options, s->next[i].log_probability, limit) > least) return 1;
    return 0;
}

/* The candidates of a sentence become finished hypotheses and rows of the next step. length: words
 * written by now. */
static void select_candidates(Search *s, int sentence, int length)
{
    const Candidates *list = &s->candidates[sentence];
    const int first = s->next_rows, limit = length_limit(s, sentence);
    for (int i = 0; i < list->count; i++) {
        const Candidate *c = &list->candidate[i];
        const Node *node = add_node(s, c);
        if (c->id == ID_EOS || length == limit) finish(s, sentence, c, node, length);
        else extend(s, c, node);
    }
    if (!any_may_be_among_best(s, sentence, first)) s->next_rows = first;
}

static void step(Search *s, int length)
{
    run_scorers(s, length - 1);
    expand_rows(s, length - 1);
    for (int i = 0; i < s->count; i++)
        select_candidates(s, i, length);
    Row *old = s->row;
    s->row = s->next;
    s->rows = s->next_rows;
    s->next = old;
    s->next_rows = 0;
}

/* ---- the search ---- */

static Hypothesis hypothesis_at(const Search *s, int sentence, int k, Region *region)
{
    const Finished *f = &s->finished[(size_t)sentence * (size_t)s->options->beam + (size_t)k];
    const int columns = keeps_attention(s, sentence) ? s->sentence[sentence].source_length : 0;
    Hypothesis h = hypothesis_of(f->last, f->length, columns, s->options->alternatives, region);
    h.score = search_score(s->options, h.log_probability, f->length);
    return h;
}

Found search_run(const Scorer *scorer, int scorers, const Sentence *sources, int count,
                 const SearchRules *rules, SearchMemory *memory)
{
    const int places = search_places(rules->options);
    Region *region = &memory->found;
    Found found = { region_take(region, (size_t)count * (size_t)places, sizeof *found.best),
                    region_take(region, (size_t)count, sizeof *found.count), places };
    Search s = { .rules = rules, .options = rules->options, .sentence = sources, .count = count,
                 .scorers = scorers, .V = scorer->net.n.Vt };
    begin(&s, scorer, memory);
    for (int length = 1; s.rows && !search_is_stopped(s.options); length++)
        step(&s, length);
    for (int i = 0; i < count; i++) {
        found.count[i] = min_int(s.finished_count[i], places);
        for (int k = 0; k < found.count[i]; k++)
            found.best[i * places + k] = hypothesis_at(&s, i, k, region);
    }
    return found;
}
