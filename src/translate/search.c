/* search.c - beam search: rows are unfinished translations, nodes remember how they came about. */
#include "translate/search.h"

#include "base/finite.h"
#include "base/rng.h"
#include "linalg/vector.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One written word of one translation; the words before it are its parents. */
typedef struct {
    int    parent;              /* node, or -1 */
    int    id;
    double log_probability;     /* of all words up to it */
    size_t alpha;               /* where its attention stands in Search.alpha */
    size_t other;               /* and the other words of its position in Search.other */
} Node;

/* An unfinished translation: one row of the next step. */
typedef struct {
    int    sentence;
    int    place;               /* of its sentence, when words are drawn */
    int    node;                /* its last word, or -1 */
    int    from;                /* its row in the step before: where its state is */
    int    unknowns;            /* how many <unk> it has */
    double log_probability;
} Row;

/* A finished translation. */
typedef struct {
    double score, log_probability;
    int    node, length;
} Finished;

typedef struct {
    const SearchRules *rules;
    const Sentence    *sources;
    int                count;           /* sentences */
    int                V;               /* words */
    int                prunes;          /* the best words are found without most of the logits */
    SourceBatch        batch;
    ScorerState       *member;
    int                members;
    int               *from, *input, *first, *length;   /* (rows) of this step */
    int               *place;           /* (rows) of this step, among the rows of their sentence */
    uint64_t          *name;            /* (rows) of what hard attention draws for them */
    int               *unknowns;        /* (count) most <unk> of a translation */
    int               *repeats;         /* (count) most successive occurrences of the same words; 0: any number */
    Row               *row, *next;      /* (count * beam) */
    int                rows;
    real              *largest;         /* of the logits of a row, block by block */
    real              *bound;           /* (rows, blocks) of the logits, where it prunes */
    real              *p;               /* (V) probabilities of a row, when words are drawn */
    Candidates        *candidates;      /* (count) each with room for `beam` */
    Candidates        *best;            /* (rows) the most probable words behind each row; room for `alternatives` */
    Finished          *finished;        /* (count, beam) best first */
    int               *finished_count;  /* (count) */
    Node              *node;
    real              *alpha;
    Choice            *other;
    size_t             nodes, alphas, others, node_capacity, alpha_capacity, other_capacity;
} Search;

/* Lists with room for `most` candidates each. */
static Candidates *lists_layout(Arena *arena, size_t lists, int most)
{
    Candidates *list = arena_take(arena, lists, sizeof *list);
    Candidate *room = arena_take(arena, lists * (size_t)most, sizeof *room);
    for (size_t i = 0; list && i < lists; i++)
        list[i] = (Candidates){ .candidate = room + i * (size_t)most, .most = most };
    return list;
}

static void layout(Search *s, const Scorer *member, Arena *arena)
{
    const size_t count = (size_t)s->count, rows = count * (size_t)s->rules->beam;
    BatchSize size = batch_size(s->sources, s->count);
    s->member = arena_take(arena, (size_t)s->members, sizeof *s->member);
    for (int i = 0; i < s->members; i++) {
        ScorerState state = { 0 };
        scorer_layout(&state, arena, &member[i], size, (int)rows);
        if (s->member) s->member[i] = state;
    }
    s->from = arena_ints(arena, rows);
    s->input = arena_ints(arena, rows);
    s->first = arena_ints(arena, rows);
    s->length = arena_ints(arena, rows);
    s->place = arena_ints(arena, rows);
    s->name = arena_take(arena, rows, sizeof *s->name);
    s->unknowns = arena_ints(arena, count);
    s->repeats = arena_ints(arena, count);
    s->row = arena_take(arena, rows, sizeof *s->row);
    s->next = arena_take(arena, rows, sizeof *s->next);
    s->largest = arena_reals(arena, (size_t)s->V / VECTOR_BLOCK + 1);
    if (s->prunes) s->bound = arena_reals(arena, rows * (size_t)pruned_argmax_blocks(member->argmax));
    if (s->rules->sample) s->p = arena_reals(arena, (size_t)s->V);
    s->candidates = lists_layout(arena, count, s->rules->beam);
    if (s->rules->alternatives) s->best = lists_layout(arena, rows, s->rules->alternatives);
    s->finished = arena_take(arena, rows, sizeof *s->finished);
    s->finished_count = arena_ints(arena, count);
}

static int limit_of(const Search *s, int sentence)
{
    const Sentence *source = &s->sources[sentence];
    return source->target_length + (int)(s->rules->ratio * source->source_length) + 10;
}

/* The <unk> of a source; without copies any number may be written. */
static int unknowns_of(const Search *s, const Sentence *source)
{
    if (!s->rules->copies) return INT_MAX;
    int unknowns = 0;
    for (int i = 0; i < source->source_length; i++)
        unknowns += source->source[i] == s->rules->unknown;
    return unknowns;
}

/* How often the same `period` words follow themselves at most, and themselves count. */
static int occurrences(const Sentence *source, int period)
{
    int most = 1;
    for (int i = period, same = 0; i < source->source_length; i++) {
        same = source->source[i] == source->source[i - period] ? same + 1 : 0;
        if (same / period + 1 > most) most = same / period + 1;
    }
    return most;
}

static int repeats_of(const Search *s, const Sentence *source)
{
    int most = s->rules->repeats;
    if (!most) return 0;
    for (int period = 1; period <= LONGEST_LOOP; period++) {
        int times = occurrences(source, period);
        if (times > most) most = times;
    }
    return most < REPEATS_MOST ? most : REPEATS_MOST;
}

static int keeps_attention(const Search *s, int sentence)
{
    return s->rules->attention || (s->rules->copies && s->unknowns[sentence]);
}

static double normalized(const Search *s, double log_probability, int length)
{
    return log_probability / pow(length, s->rules->normalize);
}

/* ---- what may follow a row ---- */

/* The last words of a row, latest first; returns how many, at most `most`. */
static int last_words(const Search *s, const Row *row, int *word, int most)
{
    int count = 0;
    for (int n = row->node; n >= 0 && count < most; n = s->node[n].parent)
        word[count++] = s->node[n].id;
    return count;
}

/* Whether word (count), latest first, is periodic where the next word would end the `times` + 1st occurrence of the
 * same `period` words: then it is word[period - 1]. */
static int is_loop(const int *word, int count, int period, int times)
{
    const int needed = (times + 1) * period - 1;
    if (count < needed) return 0;
    for (int i = 0; i + period < needed; i++)
        if (word[i] != word[i + period]) return 0;
    return 1;
}

/* The words that must not follow a row: special ones, and those that would make a loop. */
typedef struct { int id[FORBIDDEN_MOST], count; } Forbidden;

static void forbid_loops(const Search *s, const Row *row, Forbidden *list)
{
    enum { MOST = (REPEATS_MOST + 1) * LONGEST_LOOP };
    int word[MOST];
    const int times = s->repeats[row->sentence];
    if (!times) return;
    const int count = last_words(s, row, word, (times + 1) * LONGEST_LOOP);
    for (int period = 1; period <= LONGEST_LOOP; period++)
        if (is_loop(word, count, period, times) && word[period - 1] != s->rules->unknown)
            list->id[list->count++] = word[period - 1];
}

static Forbidden forbidden_after(const Search *s, const Row *row)
{
    Forbidden list = { .count = 0 };
    for (int id = 0; id < s->rules->first_word; id++) {
        int may = id == s->rules->end || (id == s->rules->unknown && row->unknowns < s->unknowns[row->sentence]);
        if (!may) list.id[list.count++] = id;
    }
    forbid_loops(s, row, &list);
    return list;
}

static void forbid(const Search *s, const Row *row, real *logits)
{
    const Forbidden list = forbidden_after(s, row);
    for (int i = 0; i < list.count; i++)
        logits[list.id[i]] = FORBIDDEN;
}

/* A word drawn for a row; every draw has a random number of its own. */
static int draw(const Search *s, const Row *row, const real *logits, int position)
{
    const SearchRules *rules = s->rules;
    const uint64_t sentence = rules->first + (uint64_t)s->sources[row->sentence].number;
    const uint64_t counter = (uint64_t)row->place << 32 | (uint64_t)position;
    const double uniform = rng_uniform(rng_key(rules->seed, sentence, RNG_SAMPLE), counter);
    return sample_word(logits, s->p, s->V, &rules->sampling, uniform);
}

/* Row i has no numbers to choose a word by: the end, and nothing else for its sentence. */
static void give_up(Search *s, int i)
{
    const Candidate none = { NAN, i, s->rules->end };
    const int sentence = s->row[i].sentence;
    s->finished_count[sentence] = 0;
    s->candidates[sentence].count = 0;
    candidates_add(&s->candidates[sentence], none);
    if (s->best) candidates_add(&s->best[i], none);
}

static int is_given_up(const Candidates *list)
{
    return list->count && isnan(list->candidate[0].log_probability);
}

/* log of the sum of exp of a row. Greedy search needs it for the scores only: any number that is the same for all words
 * of the row leaves their order. */
static double total_of(const Search *s, const real *logits)
{
    const SearchRules *rules = s->rules;
    const int counts = !rules->scoreless || rules->beam > 1 || rules->sample;
    return (double)(counts ? vector_log_sum_exp : vector_largest)(s->largest, logits, s->V);
}

/* Adds the candidates that go on from row i: of all words, or the one that was given or drawn. */
static void offer_row(Search *s, int i, real *logits, int position)
{
    const Row *row = &s->row[i];
    const Sentence *source = &s->sources[row->sentence];
    const LogitRow words = { logits, s->largest, s->V };
    const int given = position < source->target_length;
    Candidates *list = &s->candidates[row->sentence];
    if (is_given_up(list)) return;
    if (!all_finite(logits, (size_t)s->V)) {
        give_up(s, i);
        return;
    }
    const double base = row->log_probability - total_of(s, logits);
    if (s->best) candidates_offer(&s->best[i], &words, i, base);
    if (!given) forbid(s, row, logits);
    if (given || s->rules->sample) {
        int id = given ? source->target[position] : draw(s, row, logits, position);
        candidates_add(list, (Candidate){ base + (double)logits[id], i, id });
    } else {
        candidates_offer(list, &words, i, base);
    }
    /* all logits are FORBIDDEN */
    if (!list->count || (s->best && !s->best[i].count)) give_up(s, i);
}

/* Of all logits. position: of the words to be written, from 0 */
static void offer_logits(Search *s, int position)
{
    const int chunk = scorer_chunk(s->member);
    for (int at = 0; at < s->rows; at += chunk) {
        int rows = s->rows - at < chunk ? s->rows - at : chunk;
        real *logits = scorers_logits(s->member, s->members, at, rows);
        for (int i = 0; i < rows; i++)
            offer_row(s, at + i, logits + (size_t)i * s->V, position);
    }
}

/* The same in greedy search, by a pruned argmax. */
static void offer_best(Search *s, int position)
{
    scorer_bounds(s->member, s->bound, s->rows);
    for (int i = 0; i < s->rows; i++) {
        const Row *row = &s->row[i];
        const Sentence *source = &s->sources[row->sentence];
        int id = position < source->target_length ? source->target[position] : -1;
        if (id < 0) {
            const Forbidden list = forbidden_after(s, row);
            id = scorer_best(s->member, s->bound, i, list.id, list.count);
        }
        if (id < 0) give_up(s, i);
        else candidates_add(&s->candidates[row->sentence], (Candidate){ 0, i, id });
    }
}

static void find_candidates(Search *s, int position)
{
    for (int i = 0; i < s->count; i++) {
        s->candidates[i].count = 0;
        s->candidates[i].most = s->rules->beam - s->finished_count[i];
    }
    for (int i = 0; s->best && i < s->rows; i++)
        s->best[i].count = 0;
    if (s->prunes) offer_best(s, position);
    else offer_logits(s, position);
}

/* ---- one step ---- */

/* Names what hard attention draws for row i: by its sentence, its place among the rows of that, and the position. */
static void name_draws(Search *s, int i, int position)
{
    const int sentence = s->row[i].sentence;
    const uint64_t number = s->rules->first + (uint64_t)s->sources[sentence].number;
    s->place[i] = i && s->row[i - 1].sentence == sentence ? s->place[i - 1] + 1 : 0;
    s->name[i] = number << 27 | (uint64_t)s->place[i] << 20 | (uint64_t)position;
}

static void run_members(Search *s, int position)
{
    for (int i = 0; i < s->rows; i++) {
        const Row *row = &s->row[i];
        name_draws(s, i, position);
        s->from[i] = row->from;
        s->input[i] = row->node < 0 ? s->rules->begin : s->node[row->node].id;
        s->first[i] = s->batch.first[row->sentence];
        s->length[i] = s->batch.length[row->sentence];
    }
    const StepRows rows = { s->rows, s->from, s->input, s->first, s->length, s->name,
                            rng_key(s->rules->seed, 0, RNG_ATTENTION) };
    for (int i = 0; i < s->members; i++)
        scorer_step(&s->member[i], &rows);
}

static void keep_attention(Search *s, int row, int length)
{
    s->alpha = grow(s->alpha, &s->alpha_capacity, s->alphas + (size_t)length, sizeof *s->alpha);
    scorers_attention(s->alpha + s->alphas, s->member, s->members, row, length);
    s->alphas += (size_t)length;
}

static void keep_alternatives(Search *s, int row)
{
    const Candidates *best = &s->best[row];
    const double before = s->row[row].log_probability;
    s->other = grow(s->other, &s->other_capacity, s->others + (size_t)best->most, sizeof *s->other);
    for (int k = 0; k < best->most; k++) {
        const Candidate *c = &best->candidate[k < best->count ? k : best->count - 1];
        s->other[s->others++] = (Choice){ c->id, c->log_probability - before };
    }
}

/* The word of a candidate becomes a node. */
static int add_node(Search *s, const Candidate *c)
{
    const Row *row = &s->row[c->row];
    s->node = grow(s->node, &s->node_capacity, s->nodes + 1, sizeof *s->node);
    s->node[s->nodes] = (Node){ row->node, c->id, c->log_probability, s->alphas, s->others };
    if (keeps_attention(s, row->sentence)) keep_attention(s, c->row, s->sources[row->sentence].source_length);
    if (s->best) keep_alternatives(s, c->row);
    return (int)s->nodes++;
}

static void finish(Search *s, int sentence, int node, int length)
{
    const double log_probability = s->node[node].log_probability;
    Finished f = { normalized(s, log_probability, length), log_probability, node, length };
    Finished *list = s->finished + (size_t)sentence * s->rules->beam;
    int at = s->finished_count[sentence]++;
    for (; at > 0 && f.score > list[at - 1].score; at--)
        list[at] = list[at - 1];
    list[at] = f;
}

/* Whether an unfinished translation could still be among the nbest: its probability can only fall, its length only
 * grow up to the limit. What is drawn is kept, whatever its probability. */
static int is_hopeful(const Search *s, int sentence, double log_probability)
{
    const int kept = s->rules->nbest;
    if (s->rules->sample || s->finished_count[sentence] < kept) return 1;
    double bound = normalized(s, log_probability, limit_of(s, sentence));
    return bound > s->finished[(size_t)sentence * s->rules->beam + kept - 1].score;
}

static Row row_of(const Search *s, const Candidate *c, int node)
{
    Row row = s->row[c->row];
    row.node = node;
    row.from = c->row;
    row.unknowns += c->id == s->rules->unknown;
    row.log_probability = c->log_probability;
    return row;
}

/* A sentence's candidates become finished translations and rows of the next step. length: words written by now. */
static int choose(Search *s, int sentence, int rows, int length)
{
    const Candidates *list = &s->candidates[sentence];
    const int first = rows;
    for (int i = 0; i < list->count; i++) {
        const Candidate *c = &list->candidate[i];
        int node = add_node(s, c);
        if (c->id == s->rules->end || length == limit_of(s, sentence)) finish(s, sentence, node, length);
        else s->next[rows++] = row_of(s, c, node);
    }
    /* rows stand best first: without hope for the first there is none */
    return rows > first && !is_hopeful(s, sentence, s->next[first].log_probability) ? first : rows;
}

static void step(Search *s, int length)
{
    run_members(s, length - 1);
    find_candidates(s, length - 1);
    int rows = 0;
    for (int i = 0; i < s->count; i++)
        rows = choose(s, i, rows, length);
    Row *old = s->row;
    s->row = s->next;
    s->next = old;
    s->rows = rows;
}

/* ---- the search ---- */

/* One row a sentence; if words are drawn one for each place. */
static void begin(Search *s)
{
    const int places = s->rules->sample ? s->rules->beam : 1;
    for (int i = 0; i < s->members; i++)
        scorer_begin(&s->member[i], &s->batch, s->count);
    for (int i = 0; i < s->count; i++) {
        s->finished_count[i] = 0;
        s->unknowns[i] = unknowns_of(s, &s->sources[i]);
        s->repeats[i] = repeats_of(s, &s->sources[i]);
        for (int place = 0; place < places; place++)
            s->row[s->rows++] = (Row){ .sentence = i, .place = place, .node = -1, .from = i };
    }
}

static Hypothesis recover(const Search *s, int sentence, const Finished *f)
{
    const size_t length = (size_t)f->length, width = (size_t)s->sources[sentence].source_length;
    const size_t others = (size_t)s->rules->alternatives;
    Hypothesis found = { .length = f->length, .log_probability = f->log_probability, .score = f->score };
    found.ids = xmalloc(length, sizeof *found.ids);
    found.log_probabilities = xmalloc(length, sizeof *found.log_probabilities);
    if (keeps_attention(s, sentence)) found.attention = xmalloc(length * width, sizeof *found.attention);
    if (others) found.alternatives = xmalloc(length * others, sizeof *found.alternatives);
    for (size_t at = length, n = (size_t)f->node; at-- > 0; n = (size_t)s->node[n].parent) {
        const Node *node = &s->node[n];
        found.ids[at] = node->id;
        found.log_probabilities[at] = node->log_probability - (at ? s->node[node->parent].log_probability : 0);
        for (size_t i = 0; found.attention && i < width; i++)
            found.attention[at * width + i] = (float)s->alpha[node->alpha + i];
        if (others) memcpy(found.alternatives + at * others, s->other + node->other, others * sizeof *s->other);
    }
    return found;
}

int search_stopped(const SearchRules *rules)
{
    return rules->stop && atomic_load_explicit(rules->stop, memory_order_relaxed);
}

int search_is_greedy(const SearchRules *rules)
{
    return rules->beam == 1 && rules->scoreless && !rules->sample && !rules->alternatives;
}

void search_run(Hypothesis *found, int *how_many, const Scorer *member, int members, const Sentence *sources, int count,
                const SearchRules *rules, Arena *arena)
{
    Search s = { .rules = rules, .sources = sources, .count = count, .members = members, .V = member->net.n.Vt,
                 .prunes = members == 1 && member->argmax && search_is_greedy(rules) };
    Arena measure = { 0 };
    layout(&s, member, &measure);
    arena_reserve(arena, batch_measure(batch_size(sources, count)) + measure.used);
    batch_build_source(&s.batch, arena, sources, count);
    layout(&s, member, arena);

    begin(&s);
    for (int length = 1; s.rows && !search_stopped(rules); length++)
        step(&s, length);

    for (int i = 0; i < count; i++) {
        how_many[i] = s.finished_count[i] < rules->nbest ? s.finished_count[i] : rules->nbest;
        for (int k = 0; k < how_many[i]; k++)
            found[(size_t)i * rules->nbest + k] = recover(&s, i, &s.finished[(size_t)i * rules->beam + k]);
    }
    for (int i = 0; i < members; i++)
        scorer_end(&s.member[i]);
    free(s.node);
    free(s.alpha);
    free(s.other);
}

void hypothesis_free(Hypothesis *found)
{
    free(found->ids);
    free(found->log_probabilities);
    free(found->attention);
    free(found->alternatives);
}
