/* search.c - beam search: rows are unfinished translations, nodes remember how they came about. */
#include "translate/search.h"

#include "model/decoder.h"
#include "model/encoder.h"
#include "model/readout.h"
#include "nn/vector.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One written word of one translation; the words before it are its parents. */
typedef struct {
    int    parent;              /* node, or -1 */
    int    id;
    size_t alpha;               /* where its attention stands in Search.alpha */
} Node;

/* An unfinished translation: one row of the next step. */
typedef struct {
    int    sentence;
    int    node;                /* its last word, or -1 */
    int    from;                /* its row in the step before: where its state is */
    int    unknowns;            /* how many <unk> it has */
    double log_probability;
} Row;

typedef struct {
    double log_probability;
    int    row, id;
} Candidate;

/* A finished translation. */
typedef struct {
    double score, log_probability;
    int    node, length;
} Finished;

typedef struct {
    const Net         *net;
    const Weights     *w;
    const SearchRules *rules;
    const Sentence    *sources;
    int                count;           /* sentences */
    SourceBatch        batch;
    EncoderState       encoder;
    DecoderState       decoder;
    ReadoutState       readout;
    int               *from, *input, *first, *length;   /* (rows) of this step */
    int               *unknowns;        /* (count) most <unk> of a translation */
    Row               *row, *next;      /* (count * beam) */
    int                rows;
    Candidate         *candidate;       /* (count, beam) best first */
    int               *candidates;      /* (count) */
    Finished          *finished;        /* (count, beam) best first */
    int               *finished_count;  /* (count) */
    Node              *node;
    real              *alpha;
    size_t             nodes, alphas, node_capacity, alpha_capacity;
} Search;

/* Most words of a translation. */
static int longest_of(int source_length)
{
    return 2 * source_length + 10;
}

static void layout(Search *s, Arena *arena)
{
    const Net *net = s->net;
    const size_t rows = (size_t)s->count * s->rules->beam;
    BatchSize size = batch_size(s->sources, s->count);
    encoder_layout(&s->encoder, arena, net, size, 0);
    decoder_layout(&s->decoder, arena, net, (int)rows, (int)rows, size.source_steps,
                   longest_of(size.source_steps), 0);
    decoder_layout_search(&s->decoder, arena, (int)rows, longest_of(size.source_steps));
    readout_layout(&s->readout, arena, net, (int)rows, 0);
    s->from = arena_ints(arena, rows);
    s->input = arena_ints(arena, rows);
    s->first = arena_ints(arena, rows);
    s->length = arena_ints(arena, rows);
    s->unknowns = arena_ints(arena, (size_t)s->count);
    s->row = arena_take(arena, rows, sizeof *s->row);
    s->next = arena_take(arena, rows, sizeof *s->next);
    s->candidate = arena_take(arena, rows, sizeof *s->candidate);
    s->candidates = arena_ints(arena, (size_t)s->count);
    s->finished = arena_take(arena, rows, sizeof *s->finished);
    s->finished_count = arena_ints(arena, (size_t)s->count);
}

static int limit_of(const Search *s, int sentence)
{
    return longest_of(s->sources[sentence].source_length);
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

static int keeps_attention(const Search *s, int sentence)
{
    return s->rules->attention || (s->rules->copies && s->unknowns[sentence]);
}

static double normalized(const Search *s, double log_probability, int length)
{
    return log_probability / pow(length, s->rules->normalize);
}

/* ---- one step ---- */

static void run_decoder(Search *s)
{
    const Noise none = { 0 };
    for (int i = 0; i < s->rows; i++) {
        const Row *row = &s->row[i];
        s->from[i] = row->from;
        s->input[i] = row->node < 0 ? s->rules->begin : s->node[row->node].id;
        s->first[i] = s->batch.first[row->sentence];
        s->length[i] = s->batch.length[row->sentence];
    }
    const AttentionSource source = { s->encoder.memory, s->encoder.keys, s->first, s->length };
    const DecoderPass pass = { s->net, s->w, &source, NULL, &none };
    decoder_gather(&s->decoder, s->from, s->rows);
    decoder_inputs(&s->decoder, &pass, s->input, NULL, s->rows);
    decoder_step(&s->decoder, &pass, 0, s->rows);
    readout_forward(&s->readout, s->net, s->w, &s->decoder, NULL, s->rows, &none);
}

/* The order of candidates: more probable first; ties by row and word, so that it never depends on chance. */
static int better(const Candidate *a, const Candidate *b)
{
    if (a->log_probability != b->log_probability) return a->log_probability > b->log_probability;
    if (a->row != b->row) return a->row < b->row;
    return a->id < b->id;
}

/* Keeps the `most` best of a sentence's candidates, best first. */
static void offer(Candidate *list, int *count, int most, Candidate c)
{
    if (*count == most) {
        if (!better(&c, &list[most - 1])) return;
        --*count;
    }
    int at = (*count)++;
    for (; at > 0 && better(&c, &list[at - 1]); at--)
        list[at] = list[at - 1];
    list[at] = c;
}

static int may_write(const Search *s, const Row *row, int id)
{
    if (id == s->rules->unknown) return row->unknowns < s->unknowns[row->sentence];
    return id >= s->rules->first_word || id == s->rules->end;
}

/* All words that could follow row i. Places for candidates are those not yet given up. */
static void offer_row(Search *s, int i, real *logits)
{
    const Row *row = &s->row[i];
    const int V = s->net->n.Vt, places = s->rules->beam - s->finished_count[row->sentence];
    Candidate *list = s->candidate + (size_t)row->sentence * s->rules->beam;
    int *count = &s->candidates[row->sentence];
    double base = row->log_probability - vector_log_sum_exp(logits, V);
    for (int id = 0; id < V; id++) {
        double log_probability = base + (double)logits[id];
        if (*count == places && log_probability < list[places - 1].log_probability) continue;
        if (may_write(s, row, id)) offer(list, count, places, (Candidate){ log_probability, i, id });
    }
}

static void find_candidates(Search *s)
{
    memset(s->candidates, 0, (size_t)s->count * sizeof *s->candidates);
    for (int at = 0; at < s->rows; at += s->readout.chunk) {
        int rows = s->rows - at < s->readout.chunk ? s->rows - at : s->readout.chunk;
        readout_logits(s->readout.logits, &s->readout, s->net, s->w, at, rows);
        for (int i = 0; i < rows; i++)
            offer_row(s, at + i, s->readout.logits + (size_t)i * s->net->n.Vt);
    }
}

/* The word of a candidate becomes a node. */
static int add_node(Search *s, const Candidate *c)
{
    const Row *row = &s->row[c->row];
    const size_t length = keeps_attention(s, row->sentence) ? (size_t)s->sources[row->sentence].source_length : 0;
    s->node = grow(s->node, &s->node_capacity, s->nodes + 1, sizeof *s->node);
    if (length) s->alpha = grow(s->alpha, &s->alpha_capacity, s->alphas + length, sizeof *s->alpha);
    s->node[s->nodes] = (Node){ row->node, c->id, s->alphas };
    if (length)
        memcpy(s->alpha + s->alphas, s->decoder.alpha + (size_t)c->row * s->decoder.S, length * sizeof *s->alpha);
    s->alphas += length;
    return (int)s->nodes++;
}

static void finish(Search *s, int sentence, int node, double log_probability, int length)
{
    Finished f = { normalized(s, log_probability, length), log_probability, node, length };
    Finished *list = s->finished + (size_t)sentence * s->rules->beam;
    int at = s->finished_count[sentence]++;
    for (; at > 0 && f.score > list[at - 1].score; at--)
        list[at] = list[at - 1];
    list[at] = f;
}

/* Whether an unfinished translation could still be among the nbest: its probability can only fall, its length only
 * grow up to the limit. */
static int is_hopeful(const Search *s, int sentence, double log_probability)
{
    const int kept = s->rules->nbest;
    if (s->finished_count[sentence] < kept) return 1;
    double bound = normalized(s, log_probability, limit_of(s, sentence));
    return bound > s->finished[(size_t)sentence * s->rules->beam + kept - 1].score;
}

/* A sentence's candidates become finished translations and rows of the next step. length: words written by now. */
static int choose(Search *s, int sentence, int rows, int length)
{
    const Candidate *list = s->candidate + (size_t)sentence * s->rules->beam;
    const int first = rows;
    for (int i = 0; i < s->candidates[sentence]; i++) {
        const Candidate *c = &list[i];
        int node = add_node(s, c);
        if (c->id == s->rules->end || length == limit_of(s, sentence))
            finish(s, sentence, node, c->log_probability, length);
        else
            s->next[rows++] = (Row){ sentence, node, c->row, s->row[c->row].unknowns + (c->id == s->rules->unknown),
                                     c->log_probability };
    }
    /* rows stand best first: without hope for the first there is none */
    return rows > first && !is_hopeful(s, sentence, s->next[first].log_probability) ? first : rows;
}

static void step(Search *s, int length)
{
    run_decoder(s);
    find_candidates(s);
    int rows = 0;
    for (int i = 0; i < s->count; i++)
        rows = choose(s, i, rows, length);
    Row *old = s->row;
    s->row = s->next;
    s->next = old;
    s->rows = rows;
}

/* ---- the search ---- */

static void begin(Search *s)
{
    encoder_forward(&s->encoder, s->net, s->w, &s->batch, s->count, &(Noise){ 0 });
    decoder_begin(&s->decoder, s->encoder.start, s->count);
    memset(s->finished_count, 0, (size_t)s->count * sizeof *s->finished_count);
    for (int i = 0; i < s->count; i++) {
        s->row[i] = (Row){ .sentence = i, .node = -1, .from = i };
        s->unknowns[i] = unknowns_of(s, &s->sources[i]);
    }
    s->rows = s->count;
}

static Found recover(const Search *s, int sentence, const Finished *f)
{
    const size_t width = (size_t)s->sources[sentence].source_length;
    Found found = { .length = f->length, .log_probability = f->log_probability, .score = f->score };
    found.ids = xmalloc((size_t)f->length, sizeof *found.ids);
    if (keeps_attention(s, sentence)) found.attention = xmalloc((size_t)f->length * width, sizeof *found.attention);
    for (int at = f->length - 1, n = f->node; at >= 0; at--, n = s->node[n].parent) {
        found.ids[at] = s->node[n].id;
        for (size_t i = 0; found.attention && i < width; i++)
            found.attention[(size_t)at * width + i] = (float)s->alpha[s->node[n].alpha + i];
    }
    return found;
}

void search_run(Found *found, int *how_many, const Net *net, const Weights *w, const Sentence *sources, int count,
                const SearchRules *rules, Arena *arena)
{
    Search s = { .net = net, .w = w, .rules = rules, .sources = sources, .count = count };
    Arena measure = { 0 };
    layout(&s, &measure);
    arena_reserve(arena, batch_measure(batch_size(sources, count)) + measure.used);
    batch_build_source(&s.batch, arena, sources, count);
    layout(&s, arena);

    begin(&s);
    for (int length = 1; s.rows; length++)
        step(&s, length);

    for (int i = 0; i < count; i++) {
        how_many[i] = s.finished_count[i] < rules->nbest ? s.finished_count[i] : rules->nbest;
        for (int k = 0; k < how_many[i]; k++)
            found[(size_t)i * rules->nbest + k] = recover(&s, i, &s.finished[(size_t)i * rules->beam + k]);
    }
    free(s.node);
    free(s.alpha);
}
