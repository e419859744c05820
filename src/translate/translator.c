/* translator.c - chunks to batches, batches to workers, and hypotheses to text. */
#include "translate/translator.h"

#include "base/real.h"
#include "linalg/precision.h"
#include "model/batch.h"
#include "model/prepacked_weights.h"
#include "search/search.h"
#include "text/mask.h"
#include "translate/chunks.h"
#include "translate/tag_projection.h"

#include <string.h>

struct Translator {
    const Model  *model;        /* whose tokenizers all scorers share */
    SearchOptions options;      /* effective ones */
    Chunker       chunker;
    Pool         *pool;
    Scorer       *scorer;       /* (scorers + right_left), those from left to right first */
    int           scorers;      /* networks that search */
    int           right_left;   /* further ones, from right to left (search/search.h) */
    int           is_reversed;  /* all write from right to left: they search, and right_left is 0 */
    unsigned char *breaks;      /* (target vocabulary) text/mask.h */
    LengthLimit   length_limit; /* the widest of all models */
    int           borrows;      /* the scorers are another translator's */
    SearchMemory *memory;       /* (workers) */
    uint64_t      sentences;    /* chunks of all runs so far: those to come draw by other numbers */
};

/* ---- which models may translate together ---- */

static void find_cause(const Model *a, const Model *b, Err *cause)
{
    Buf one = { 0 }, other = { 0 };
    const Field *option = fields_difference(text_fields, &a->text, &b->text, &one, &other);
    if (option)
        err(cause, "--%s is %s in one, %s in the other", option->name, one.text, other.text);
    else
        err(cause, "they have learned from different pairs, or one extends those of --init");
    buf_free(&one);
    buf_free(&other);
}

int ensemble_check(const Model *model, const char *const *name, int count, Err *e)
{
    Err cause;
    for (int i = 1; i < count; i++) {
        const int differs_in_source = !tokenizers_are_same(model[0].source, model[i].source);
        if (!differs_in_source && tokenizers_are_same(model[0].target, model[i].target)) continue;
        find_cause(&model[0], &model[i], &cause);
        return err(e, "%s and %s can't translate together: their %s vocabularies differ: %s; train "
                      "them with the same corpus and the same options of its text",
                   name[0], name[i], differs_in_source ? "source" : "target", cause.text);
    }
    return 0;
}

int target_check(const Model *model, const char *name, const char *to, Err *e)
{
    SCOPED(buf_free) Buf known = { 0 };
    if (!*to || tokenizer_language(model->source, slice_of(to))) return 0;
    tokenizer_languages(model->source, &known);
    if (!known.length)
        return err(e, "--to %s: %s translates into one language; leave it out", to, name);
    return err(e, "--to %s: %s translates into: %.700s", to, name, known.text);
}

/* ---- a translator ---- */

/* Its logits are products in 8 bits where the other products are not of 32: nearly all of the work
 * is for words that are not chosen, and what the rounding changes is below what decides
 * (data/results/speed.md). */
static Scorer scorer_of(const Model *model, int network, const SearchOptions *o)
{
    real *weights = model_weights(model, network);
    Scorer s = { .net = model_architecture(model) };
    if (model->packed[network].w) {
        s.w = *model->packed[network].w;
        word_projections_init(&s.w.words, &s.net);
        return s;
    }
    s.w = weights_in(model->table, weights, (Precision)o->precision);
    const Linear *output = &s.w.output;
    if (o->precision != PRECISION_FLOAT)
        s.w.output = linear_of(output->weights, output->ld, output->rows, output->columns,
                               PRECISION_INT8);
    s.prepacked = prepacked_weights_new(model->table, &s.w, PREPACKED_TO_USE);
    word_projections_init(&s.w.words, &s.net);
    return s;
}

/* Adds the networks of one direction behind those that search; returns how many. The last of a
 * model write from right to left. */
static int add_scorers_of(Translator *t, const Model *models, int count, int right_left)
{
    int added = 0;
    for (int i = 0; i < count; i++) {
        const int networks = model_networks(&models[i]), lefts = networks - models[i].right_left;
        for (int k = right_left ? lefts : 0; k < (right_left ? networks : lefts); k++)
            t->scorer[t->scorers + added++] = scorer_of(&models[i], k, &t->options);
    }
    return added;
}

/* Networks from right to left, beside others, are for searches that find several translations. */
static void add_scorers(Translator *t, const Model *models, int count)
{
    int networks = 0;
    for (int i = 0; i < count; i++)
        networks += model_networks(&models[i]);
    t->scorer = xmalloc((size_t)networks, sizeof *t->scorer);
    t->scorers = add_scorers_of(t, models, count, 0);
    t->is_reversed = !t->scorers;
    if (t->is_reversed)
        t->scorers = add_scorers_of(t, models, count, 1);
    else if (t->options.beam > 1 && !t->options.sample)
        t->right_left = add_scorers_of(t, models, count, 1);
}

/* Models of words copy only if they are asked to. */
static CopyFrom copy_of(const Model *model, const SearchOptions *o)
{
    if (!text_has_words(&model->text)) return COPY_UNKNOWN;
    return o->replace_unknown ? COPY_ANY : COPY_NONE;
}

/* The first model decides, but for the length. */
SearchOptions translator_options(const Model *models, int count, const SearchOptions *asked)
{
    SearchOptions o = *asked, usual = search_defaults();
    const ModelSearch *own = &models->search;
    double normalize = 0;               /* the mean of what suits each */
    for (int i = 0; i < count; i++)
        normalize += models[i].normalize > 0 || models[i].search.is_known ? models[i].normalize : 1;
    usual.normalize = normalize / count;
    usual.precision = search_precision();
    if (own->is_known) {
        usual.beam = own->beam;
        usual.beam_threshold = own->beam_threshold;
        usual.repeats = own->repeats;
    }
    if (usual.beam < o.nbest) usual.beam = o.nbest;
    if (o.sample) o.beam = o.nbest;
    o.alternatives = min_int(o.alternatives, tokenizer_size(models->target));
    fields_settle(search_fields, &o, &usual);
    return o;
}

static LengthLimit length_limit_of(const Model *model)
{
    LengthLimit limit = model->length_limit;
    if (model->search.is_known) limit.factor = model->search.length_factor;
    return limit;
}

Translator *translator_new(const Model *models, int count, const SearchOptions *options,
                           Pool *pool)
{
    Translator *t = xcalloc(1, sizeof *t);
    int longest = models->longest;      /* what all have learned to read at a time */
    t->length_limit = length_limit_of(models);
    for (int i = 0; i < count; i++) {
        longest = min_int(longest, models[i].longest);
        t->length_limit = length_limit_wider(t->length_limit, length_limit_of(&models[i]));
    }
    t->options = translator_options(models, count, options);
    t->model = models;
    const int is_cut = models->text.tokens != TOKENS_SYMBOL
                       && models->text.tokens != TOKENS_WHITESPACE;
    const Slice to = slice_of(options->to);
    t->chunker = (Chunker){ .source = model_source(models), .target = model_target(models),
                            .split = options->split && is_cut, .longest = longest,
                            .copy = copy_of(models, options),
                            .language = to.length ? tokenizer_language(models->source, to) : 0 };
    t->breaks = word_breaks(models->target);
    t->pool = pool;
    add_scorers(t, models, count);
    t->memory = xcalloc((size_t)pool_workers(pool), sizeof *t->memory);
    return t;
}

Translator *translator_share(const Translator *t, Pool *pool)
{
    Translator *shared = xmalloc(1, sizeof *shared);
    *shared = *t;
    shared->borrows = 1;
    shared->pool = pool;
    shared->memory = xcalloc((size_t)pool_workers(pool), sizeof *shared->memory);
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
        search_memory_free(&t->memory[i]);
    for (int i = 0; i < t->scorers + t->right_left && !t->borrows; i++) {
        prepacked_weights_free(t->scorer[i].prepacked);
        word_projections_free(&t->scorer[i].w.words);
    }
    if (!t->borrows) xfree(t->breaks);
    if (!t->borrows) xfree(t->scorer);
    xfree(t->memory);
    xfree(t);
}

/* ---- a batch ---- */

/* What the workers share while all chunks of some lines are translated. */
typedef struct {
    const Translator *translator;
    SearchRules       rules;
    Region           *region;       /* (workers) of what they find */
    Chunk           **chunk;        /* (count) in the order of the lines */
    Sentence         *sentence;     /* (count) longest first; the number of each is that of its
                                       chunk */
    int               count;
    BatchSlices       batches;
} Run;

static Found search_batch(const Run *run, const SearchOptions *options, const Sentence *sentence,
                          int count, SearchMemory *memory)
{
    const Translator *t = run->translator;
    const DirectedScorers all = { { t->scorer, t->scorer + t->scorers },
                                  { t->scorers, t->right_left } };
    SearchRules rules = run->rules;
    rules.options = options;
    for (int k = 0; k < count; k++)
        rules.attention |= run->chunk[sentence[k].number]->tags != 0;       /* says where they go */
    const Found found = t->right_left
        ? search_agreed(&all, sentence, count, &rules, memory)
        : search_run(t->scorer, t->scorers, sentence, count, &rules, memory);
    for (int i = 0; i < count && t->is_reversed; i++)
        for (int k = 0; k < found.count[i]; k++)
            hypothesis_reverse(&found.best[i * found.places + k], sentence[i].source_length,
                               options->alternatives);
    return found;
}

/* Puts a hypothesis before all others: in place of the one with its words, or of the last of
 * `most`. */
static void put_first(Hypothesis *best, int *count, int most, Hypothesis first)
{
    int at = 0;
    while (at < *count && !hypothesis_same_ids(&best[at], &first))
        at++;
    if (at == most) at--;
    if (at == *count) (*count)++;
    memmove(best + 1, best, (size_t)at * sizeof *best);
    best[0] = first;
}

/* Whether a chunk has a hypothesis with this text: with other words, since the blank before a copy
 * may be written. */
static int has_text(const Chunk *chunk, const char *text)
{
    const int count = chunk->copies.text.count ? chunk->count : 0;
    for (int k = 0; k < count; k++)
        if (!strcmp(text, chunk->text[k])) return 1;
    return 0;
}

/* Gives a chunk those hypotheses that have a text of their own, and what is made of them. */
static void finish_chunk(const Translator *t, Chunk *chunk, const Hypothesis *best, int count,
                         Region *region, Region *scratch)
{
    const size_t most = (size_t)count;
    const int columns = t->options.attention ? chunk->source_length : 0;
    chunk->hypothesis = region_take(region, most, sizeof *chunk->hypothesis);
    chunk->text = region_take(region, most, sizeof *chunk->text);
    if (chunk->tags) chunk->tag_at = region_take(region, most, sizeof *chunk->tag_at);
    for (int i = 0; i < count; i++) {
        const char *text = chunk_text(chunk, &best[i], t->model, scratch);
        if (has_text(chunk, text)) continue;
        const int k = chunk->count++;
        chunk->hypothesis[k] = hypothesis_copy(&best[i], columns, t->options.alternatives, region);
        chunk->text[k] = region_strndup(region, text, strlen(text));
        if (!chunk->tags) continue;
        chunk->tag_at[k] = region_take(region, (size_t)chunk->tags, sizeof *chunk->tag_at[k]);
        tag_bytes(chunk->tag_at[k], chunk, &best[i], text, t->model, scratch);
    }
}

/* Translates batch i. A search for several translations gives up fewer hypotheses than one for the
 * best alone, and may find a better one. The first of several is what the latter finds, so that
 * nbest only adds others. The results of a search that was stopped are left out. */
static void translate_batch(void *context, int worker, int i)
{
    const Run *run = context;
    const Translator *t = run->translator;
    const int count = run->batches.slice[i].count;
    const Sentence *sentence = run->sentence + run->batches.slice[i].first;
    SearchMemory *memory = &t->memory[worker];
    region_reset(&memory->found);
    Found found = search_batch(run, &t->options, sentence, count, memory);
    if (t->options.nbest > 1 && !t->options.sample) {
        SearchOptions options = t->options;
        options.nbest = 1;
        const Found first = search_batch(run, &options, sentence, count, memory);
        for (int k = 0; k < count; k++)
            if (first.count[k])
                put_first(&found.best[k * found.places], &found.count[k], found.places,
                          first.best[k]);
    }
    for (int k = 0; k < count && !search_is_stopped(&t->options); k++)
        finish_chunk(t, run->chunk[sentence[k].number], &found.best[k * found.places],
                     found.count[k], &run->region[worker], &memory->found);
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
    return parts(count, parts(count, min_int(most, batch)));
}

/* The sentences of all chunks, longest first. */
static void list_sentences(Run *run, const Translations *all)
{
    size_t chunks = 0;
    for (size_t i = 0; i < all->count; i++)
        chunks += all->line[i].chunks;
    run->chunk = region_take(all->region, chunks, sizeof *run->chunk);
    run->sentence = region_take(all->region, chunks, sizeof *run->sentence);
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < all->line[i].chunks; k++) {
            Chunk *c = run->chunk[run->count] = &all->line[i].chunk[k];
            run->sentence[run->count] =
                (Sentence){ .source = c->source_ids, .source_length = c->source_length,
                            .target = c->prefix_ids, .target_length = c->prefix_length,
                            .number = run->count,
                            .without_end = run->translator->model->network.source_end };
            run->count++;
        }
    batch_sort(run->sentence, run->count);
}

/* Translates every chunk of the lines, and joins them. After a request to stop all lines get
 * nothing: some chunks may be left out. */
static void translate(Translator *t, Translations *all)
{
    const SearchRules rules = { .options = &t->options, .copy = t->chunker.copy,
                                .placeholders = t->model->text.placeholders,
                                .breaks = t->breaks, .right_left = t->is_reversed,
                                .length_limit = t->length_limit, .first = t->sentences,
                                .forbidden = t->model->search.forbidden,
                                .forbidden_count = t->model->search.forbidden_count };
    Run run = { .translator = t, .rules = rules, .region = all->region };
    list_sentences(&run, all);
    batch_slices_init(&run.batches, run.sentence, run.count, batch_of(run.count, t->options.batch));
    batch_slices_run(&run.batches, t->pool, t->options.stop, translate_batch, &run);
    batch_slices_free(&run.batches);
    t->sentences += (uint64_t)run.count;
    const int is_stopped = search_is_stopped(&t->options);
    for (size_t i = 0; i < all->count; i++)
        if (is_stopped) all->line[i] = (Translation){ 0 };
        else translation_join(&all->line[i], all->region);
}

static Translations translations_new(const Translator *t, size_t count)
{
    Translations all = { .regions = pool_workers(t->pool) };
    all.region = xcalloc((size_t)all.regions, sizeof *all.region);
    all.line = region_take(all.region, count, sizeof *all.line);
    return all;
}

Translations translator_run(Translator *t, const char *const *lines, const char *const *prefix,
                            size_t count)
{
    Translations all = translations_new(t, count);
    for (; all.count < count; all.count++) {
        Translation *one = &all.line[all.count];
        const char *begin = prefix && prefix[all.count] ? prefix[all.count] : "";
        *one = chunk_line(&t->chunker, lines[all.count], all.region);
        if (*begin && one->chunks)
            chunk_set_prefix(&t->chunker, one->chunk, begin, 0, all.region);
    }
    translate(t, &all);
    return all;
}

Translations translator_score(Translator *t, const char *const *lines, const char *const *target,
                              size_t count)
{
    Translations all = translations_new(t, count);
    for (; all.count < count; all.count++) {
        Translation *pair = &all.line[all.count];
        *pair = chunk_whole(&t->chunker, lines[all.count], all.region);
        chunk_set_prefix(&t->chunker, pair->chunk, target[all.count], 1, all.region);
        if (pair->chunk->source_length > SCORE_TOKENS
            || pair->chunk->prefix_length > SCORE_TOKENS)
            break;
    }
    translate(t, &all);
    return all;
}
