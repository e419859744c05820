/* translator.c - chunks to batches, batches to workers, and hypotheses to text. */
#include "translate/translator.h"

#include "base/mem.h"
#include "linalg/precision.h"
#include "model/batch.h"
#include "model/prepacked_weights.h"
#include "search/agreement.h"
#include "text/unicode.h"
#include "text/word_breaks.h"
#include "translate/chunks.h"
#include "translate/tag_projection.h"

#include <stdlib.h>
#include <string.h>

struct Translator {
    const Model  *model;        /* whose tokenizers all scorers share */
    SearchOptions options;      /* effective ones */
    Chunker       chunker;
    Pool         *pool;
    Scorer       *scorer;       /* (scorers + right_left), those from left to right first */
    int           scorers;      /* networks that search */
    int           right_left;   /* further ones, from right to left (search/agreement.h) */
    int           is_reversed;  /* all write from right to left: these search, and right_left is 0 */
    unsigned char *breaks;      /* (target vocabulary) text/word_breaks.h */
    LengthLimit   length_limit; /* the widest of all models */
    int           borrows;      /* the scorers are another translator's */
    Arena        *arena;        /* (workers) */
    uint64_t      sentences;    /* chunks of all runs so far: those to come draw by other numbers */
};

/* Its logits are products in 8 bits where the other products are not of 32: nearly all of the work is for words that are
 * not chosen, and what the rounding changes is below what decides (data/results/speed.md). */
static Scorer scorer_of(const Model *model, int network, const SearchOptions *o)
{
    real *weights = model_weights(model, network);
    Scorer s = { .net = model_architecture(model),
                 .w = weights_in(model->table, weights, (Precision)o->precision) };
    const Linear *output = &s.w.output;
    if (o->precision != PRECISION_FLOAT)
        s.w.output = linear_of(output->weights, output->ld, output->rows, output->columns, PRECISION_INT8);
    s.prepacked = prepacked_weights_new(model->table, &s.w, PREPACKED_TO_USE);
    word_projections_init(&s.w.words, &s.net);
    return s;
}

static int count_networks(const Model *models, int count)
{
    int networks = 0;
    for (int i = 0; i < count; i++)
        networks += model_networks(&models[i]);
    return networks;
}

static int is_right_left(const Model *model, int network)
{
    return network >= model_networks(model) - model->right_left;
}

/* Adds the networks of one direction behind those that search; returns how many. */
static int add_scorers_of(Translator *t, const Model *models, int count, int right_left)
{
    int added = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < model_networks(&models[i]); k++)
            if (is_right_left(&models[i], k) == right_left)
                t->scorer[t->scorers + added++] = scorer_of(&models[i], k, &t->options);
    return added;
}

/* Networks from right to left, beside others, are for searches that find several translations. */
static void add_scorers(Translator *t, const Model *models, int count)
{
    const int agrees = t->options.beam > 1 && !t->options.sample;
    t->scorer = xmalloc((size_t)count_networks(models, count), sizeof *t->scorer);
    t->scorers = add_scorers_of(t, models, count, 0);
    t->is_reversed = !t->scorers;
    if (t->is_reversed) t->scorers = add_scorers_of(t, models, count, 1);
    else if (agrees) t->right_left = add_scorers_of(t, models, count, 1);
}

static void scorer_free(Scorer *s)
{
    prepacked_weights_free(s->prepacked);
    word_projections_free(&s->w.words);
}

/* Models of words copy only if they are asked to. */
static CopyFrom copy_of(const Model *model, const SearchOptions *o)
{
    if (model->text.tokens != TOKENS_WORD) return COPY_UNKNOWN;
    return o->replace_unknown ? COPY_ANY : COPY_NONE;
}

/* The exponent for an ensemble is the mean of what suits its models. */
static double normalize_of(const Model *models, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += models[i].normalize > 0 ? models[i].normalize : 1;
    return sum / count;
}

/* What all models of an ensemble have learned to read at a time. */
static int longest_of(const Model *models, int count)
{
    int longest = models->longest;
    for (int i = 1; i < count; i++)
        if (models[i].longest < longest) longest = models[i].longest;
    return longest;
}

static LengthLimit length_limit_of(const Model *models, int count)
{
    LengthLimit limit = models->length_limit;
    for (int i = 1; i < count; i++)
        limit = length_limit_wider(limit, models[i].length_limit);
    return limit;
}

Translator *translator_new_ensemble(const Model *models, int count, const SearchOptions *options,
                                    Pool *pool)
{
    Translator *t = xcalloc(1, sizeof *t);
    t->model = models;
    t->options = search_options_effective(options, tokenizer_size(models->target));
    fields_settle(search_fields, &t->options,
                  &(SearchOptions){ .normalize = normalize_of(models, count), .precision = search_precision() });
    t->chunker = (Chunker){ .source = model_source(models), .target = model_target(models),
                            .split = options->split && models->text.tokens != TOKENS_SYMBOL,
                            .longest = longest_of(models, count),
                            .copy = copy_of(models, options) };
    t->breaks = word_breaks(models->target);
    t->length_limit = length_limit_of(models, count);
    t->pool = pool;
    add_scorers(t, models, count);
    t->arena = xcalloc((size_t)pool_workers(pool), sizeof *t->arena);
    return t;
}

Translator *translator_new(const Model *model, const SearchOptions *options, Pool *pool)
{
    return translator_new_ensemble(model, 1, options, pool);
}

Translator *translator_share(const Translator *t, Pool *pool)
{
    Translator *shared = xmalloc(1, sizeof *shared);
    *shared = *t;
    shared->borrows = 1;
    shared->pool = pool;
    shared->arena = xcalloc((size_t)pool_workers(pool), sizeof *shared->arena);
    translator_restart(shared);
    return shared;
}

void translator_restart(Translator *t)
{
    t->sentences = 0;
}

void translator_free(Translator *t)
{
    if (!t) return;
    for (int i = 0; i < pool_workers(t->pool); i++)
        arena_free(&t->arena[i]);
    for (int i = 0; i < t->scorers + t->right_left && !t->borrows; i++)
        scorer_free(&t->scorer[i]);
    xfree(t->arena);
    if (!t->borrows) xfree(t->breaks);
    if (!t->borrows) xfree(t->scorer);
    xfree(t);
}

/* ---- a batch ---- */

/* What the workers share while all chunks of some lines are translated. */
typedef struct {
    const Translator *translator;
    SearchRules       rules;
    Chunk           **chunk;        /* (count) in the order of the lines */
    Sentence         *sentence;     /* (count) longest first; the number of each is that of its
                                       chunk */
    int               count;
    BatchSlices       batches;
} Run;

/* Whether a chunk has a hypothesis with this text: with other words, since the blank before a copy may be written
 * (replacements.c). */
static int has_text(const Chunk *chunk, const char *text)
{
    const int count = chunk->copies.text.count ? chunk->count : 0;
    for (int k = 0; k < count; k++)
        if (!strcmp(text, chunk->text[k])) return 1;
    return 0;
}

/* Adds a hypothesis with its text to a chunk, or frees it if the chunk has one of that text. Attention
 * that only these needed is freed. */
static void add_hypothesis(const Translator *t, Chunk *chunk, Hypothesis h)
{
    char *text = chunk_text(chunk, &h, t->model->source, t->model->target);
    if (has_text(chunk, text)) {
        xfree(text);
        hypothesis_free(&h);
        return;
    }
    const int k = chunk->count++;
    chunk->text[k] = text;
    if (chunk->tags) chunk->tag_at[k] = tag_bytes(chunk, &h, text, t->model);
    if (!t->options.attention) {
        xfree(h.attention);
        h.attention = NULL;
    }
    chunk->hypothesis[k] = h;
}

static void finish_chunk(const Translator *t, Chunk *chunk, const Hypothesis *best, int count)
{
    chunk->hypothesis = xmalloc((size_t)count, sizeof *chunk->hypothesis);
    chunk->text = xmalloc((size_t)count, sizeof *chunk->text);
    if (chunk->tags) chunk->tag_at = xmalloc((size_t)count, sizeof *chunk->tag_at);
    for (int k = 0; k < count; k++)
        add_hypothesis(t, chunk, best[k]);
}

/* Whether tags of a batch have to be put back. */
static int has_tags(const Run *run, const Sentence *sentence, int count)
{
    for (int k = 0; k < count; k++)
        if (run->chunk[sentence[k].number]->tags) return 1;
    return 0;
}

/* The sentences of a batch, and what is found for each: nbest hypotheses at most, the best first. */
typedef struct {
    const Sentence *sentence;       /* (count) */
    int             count, nbest;
    Hypothesis     *best;           /* (count, nbest) */
    int            *best_count;     /* (count) */
} Found;

/* From right to left to the order of reading. */
static void reverse(const Found *found, int alternatives)
{
    for (int i = 0; i < found->count; i++)
        for (int k = 0; k < found->best_count[i]; k++)
            hypothesis_reverse(&found->best[i * found->nbest + k], found->sentence[i].source_length,
                               alternatives);
}

static Found found_new(const Sentence *sentence, int count, int nbest)
{
    return (Found){ sentence, count, nbest, xcalloc((size_t)count * (size_t)nbest, sizeof(Hypothesis)),
                    xcalloc((size_t)count, sizeof(int)) };
}

static void found_free(Found *found)
{
    xfree(found->best);
    xfree(found->best_count);
}

static void search_batch(const Run *run, const SearchOptions *options, Found *found, Arena *arena)
{
    const Translator *t = run->translator;
    SearchRules rules = run->rules;
    rules.options = options;
    rules.attention = has_tags(run, found->sentence, found->count);
    const DirectedScorers all = { { t->scorer, t->scorer + t->scorers }, { t->scorers, t->right_left } };
    if (t->right_left)
        search_agreed(found->best, found->best_count, &all, found->sentence, found->count, &rules, arena);
    else
        search_run(found->best, found->best_count, t->scorer, t->scorers, found->sentence, found->count, &rules,
                   arena);
    if (t->is_reversed) reverse(found, options->alternatives);
}

static int is_same(const Hypothesis *a, const Hypothesis *b)
{
    return a->length == b->length && !memcmp(a->ids, b->ids, (size_t)a->length * sizeof *a->ids);
}

/* Moves a hypothesis before all others: in place of the one with its words, or of the last of `most`. */
static void put_first(Hypothesis *best, int *count, int most, Hypothesis first)
{
    int at = 0;
    while (at < *count && !is_same(&best[at], &first))
        at++;
    if (at == most) at--;
    if (at == *count) (*count)++;
    else hypothesis_free(&best[at]);
    memmove(best + 1, best, (size_t)at * sizeof *best);
    best[0] = first;
}

/* A search for several translations gives up fewer hypotheses than one for the best alone, and may find
 * a better one. The first of several is what the latter finds, so that nbest only adds others. */
static void search_first(const Run *run, Found *found, Arena *arena)
{
    SearchOptions options = run->translator->options;
    Found first = found_new(found->sentence, found->count, 1);
    options.nbest = 1;
    search_batch(run, &options, &first, arena);
    for (int i = 0; i < first.count; i++)
        if (first.best_count[i])
            put_first(&found->best[i * found->nbest], &found->best_count[i], found->nbest, first.best[i]);
    found_free(&first);
}

/* Translates batch i. The results of a search that was stopped are left out. */
static void translate_batch(void *context, int worker, int i)
{
    const Run *run = context;
    const Translator *t = run->translator;
    const int count = run->batches.slice[i].count, nbest = t->options.nbest;
    const Sentence *sentence = run->sentence + run->batches.slice[i].first;
    Found found = found_new(sentence, count, nbest);
    search_batch(run, &t->options, &found, &t->arena[worker]);
    if (nbest > 1 && !t->options.sample) search_first(run, &found, &t->arena[worker]);
    const int is_stopped = search_is_stopped(&t->options);
    for (int k = 0; k < count; k++) {
        Hypothesis *best = &found.best[k * nbest];
        if (!is_stopped) finish_chunk(t, run->chunk[sentence[k].number], best, found.best_count[k]);
        for (int n = 0; n < nbest && is_stopped; n++)
            hypothesis_free(&best[n]);
    }
    found_free(&found);
}

/* ---- a run ---- */

enum { SHARES = 8, FEWEST = 16 };

/* How many of at most `most` hold `count`. */
static int parts(int count, int most)
{
    return (count + most - 1) / most;
}

/* Sentences a batch. A few sentences make so many batches that several workers get about the same,
 * whatever the number of workers, because where OpenBLAS multiplies the last bits depend on the
 * batch; but not so many that products get slow. */
static int batch_of(int count, int batch)
{
    if (!count) return batch;
    const int share = parts(count, SHARES), most = share > FEWEST ? share : FEWEST;
    return parts(count, parts(count, most < batch ? most : batch));
}

/* The sentences of all chunks, longest first. */
static void list_sentences(Run *run, const Translations *all)
{
    size_t chunks = 0;
    for (size_t i = 0; i < all->count; i++)
        chunks += all->line[i].chunks;
    run->chunk = xmalloc(chunks, sizeof *run->chunk);
    run->sentence = xmalloc(chunks, sizeof *run->sentence);
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < all->line[i].chunks; k++) {
            Chunk *c = run->chunk[run->count] = &all->line[i].chunk[k];
            run->sentence[run->count] =
                (Sentence){ .source = c->source_ids, .source_length = c->source_length,
                            .target = c->prefix_ids, .target_length = c->prefix_length,
                            .number = run->count };
            run->count++;
        }
    batch_sort(run->sentence, run->count);
}

/* Joins the chunks of each line. After a stop all lines get nothing: some chunks may be left
 * out. */
static void join(Translations *all, int stopped)
{
    for (size_t i = 0; i < all->count; i++) {
        if (stopped) translation_free(&all->line[i]);
        else translation_join(&all->line[i]);
    }
}

/* Translates every chunk of the lines. */
static void translate(Translator *t, Translations *all)
{
    const SearchRules rules = { .options = &t->options, .copy = t->chunker.copy,
                                .placeholders = t->model->text.placeholders,
                                .breaks = t->breaks, .right_left = t->is_reversed,
                                .length_limit = t->length_limit, .first = t->sentences };
    Run run = { .translator = t, .rules = rules };
    list_sentences(&run, all);
    batch_slices_init(&run.batches, run.sentence, run.count, batch_of(run.count, t->options.batch));
    batch_slices_run(&run.batches, t->pool, t->options.stop, translate_batch, &run);
    t->sentences += (uint64_t)run.count;
    batch_slices_free(&run.batches);
    xfree(run.sentence);
    xfree(run.chunk);
    join(all, search_is_stopped(&t->options));
}

static Translation chunks_of(const Chunker *chunker, const SourceLine *line)
{
    const Translation t = chunk_line(chunker, line->text);
    const int has_prefix = line->prefix && *line->prefix;
    if (has_prefix && t.chunks) chunk_set_prefix(chunker, t.chunk, line->prefix, 0);
    return t;
}

Translations translator_translate(Translator *t, const SourceLine *line, size_t count)
{
    Translations all = { xmalloc(count, sizeof *all.line), count };
    for (size_t i = 0; i < count; i++)
        all.line[i] = chunks_of(&t->chunker, &line[i]);
    translate(t, &all);
    return all;
}

Translations translator_run(Translator *t, const char *const *lines, size_t count)
{
    Translations all = { xmalloc(count, sizeof *all.line), count };
    for (size_t i = 0; i < count; i++)
        all.line[i] = chunks_of(&t->chunker, &(SourceLine){ .text = lines[i] });
    translate(t, &all);
    return all;
}

/* ---- scoring ---- */

static int is_scorable(const Translation *pair)
{
    return pair->chunk->source_length <= SCORE_TOKENS && pair->chunk->prefix_length <= SCORE_TOKENS;
}

Translations translator_score(Translator *t, const char *const *lines, const char *const *target,
                              size_t count)
{
    Translations all = { xmalloc(count, sizeof *all.line), 0 };
    for (; all.count < count; all.count++) {
        Translation *pair = &all.line[all.count];
        *pair = chunk_whole(&t->chunker, lines[all.count]);
        chunk_set_prefix(&t->chunker, pair->chunk, target[all.count], 1);
        if (is_scorable(pair)) continue;
        translation_free(pair);
        break;
    }
    translate(t, &all);
    return all;
}
