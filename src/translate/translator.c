/* translator.c - chunks to batches, batches to workers, and what they found to text. */
#include "translate/translator.h"

#include "base/mem.h"
#include "linalg/precision.h"
#include "model/word_projections.h"
#include "translate/unknown_replacement.h"

#include <stdatomic.h>
#include <stdlib.h>

static const char *const looks[] = { "trained", "none", "top", "sampled", NULL };

#define AT(member) .offset = offsetof(SearchOptions, member)
const Field search_fields[] = {
    { .group = "Search", .name = "beam", .kind = FIELD_INT, AT(beam), .low = 1, .high = 100, .value = "N",
      .help = "translations kept in mind at every word; 1: greedy" },
    { .name = "nbest", .kind = FIELD_INT, AT(nbest), .low = 1, .high = 100, .value = "N",
      .help = "translations given for each line, at most --beam" },
    { .name = "normalize", .kind = FIELD_REAL, AT(normalize), .low = 0, .high = 10, .value = "A",
      .help = "compare log-probabilities divided by length^A" },
    { .name = "max-length-ratio", .kind = FIELD_REAL, AT(max_length_ratio), .low = 0, .high = 100, .value = "R",
      .help = "no translation has more than R tokens for each of the source, and 10" },
    { .name = "repeats", .kind = FIELD_INT, AT(repeats), .low = 0, .high = REPEATS_MOST, .value = "N",
      .help = "write the same tokens at most N times in a row; 0: any number" },
    { .name = "batch", .kind = FIELD_INT, AT(batch), .low = 1, .high = 10000, .value = "N",
      .help = "sentences translated together" },
    { .name = "split", .kind = FIELD_FLAG, AT(split),
      .help = "translate each sentence of a line by itself; off: only what is too long for that is cut" },
    { .name = "hard-attention", .kind = FIELD_CHOICE, AT(hard_attention), .choices = looks, .value = "KIND",
      .help = "look at few positions: the most probable, or sampled ones; trained: as in training" },
    { .name = "hard-positions", .kind = FIELD_INT, AT(hard_positions), .low = 1, .high = MAX_HARD_POSITIONS,
      .value = "K", .help = "how many that option looks at, each with the weight 1/K" },
    { .name = "replace-unknown", .kind = FIELD_FLAG, AT(replace_unknown),
      .help = "models of words: write the source's word with the highest attention for <unk>; others always copy" },
    { .name = "precision", .kind = FIELD_CHOICE, AT(precision), .choices = precision_names, .value = "HOW",
      .help = "int8, bf16: faster, with weights and activations rounded to integers of 8 bits or to bfloat16 "
              "where they are multiplied, on a CPU that has AVX512_VNNI or AVX512_BF16" },
    { .name = NULL }
};

const Field sampling_fields[] = {
    { .group = "Sampling", .name = "sample", .kind = FIELD_FLAG, AT(sample),
      .help = "draw each word by its probability instead of searching; --nbest N draws N translations" },
    { .name = "temperature", .kind = FIELD_REAL, AT(temperature), .low = 0.01, .high = 100, .value = "T",
      .help = "divide the logits by T: below 1 surer, above 1 wilder" },
    { .name = "top-k", .kind = FIELD_INT, AT(top_k), .low = 0, .high = VOCABULARY_MOST, .value = "K",
      .help = "draw from the K most probable words; 0: from all" },
    { .name = "top-p", .kind = FIELD_REAL, AT(top_p), .low = 0, .high = 1, .value = "P",
      .help = "draw from the fewest words that have the probability P together; 0: take the most "
              "probable" },
    { .name = "seed", .kind = FIELD_SEED, AT(seed), .value = "N", .help = "of all that is drawn" },
    { .name = NULL }
};

SearchOptions search_defaults(void)
{
    return (SearchOptions){ .beam = 5, .nbest = 1, .normalize = 1, .max_length_ratio = 2, .repeats = 3, .batch = 64,
                            .split = 1, .temperature = 1, .top_p = 1, .seed = 1, .hard_positions = 1, .attention = 1 };
}

/* The choice that replaces the trained one, where any does. */
static int choice_of(const SearchOptions *o)
{
    return o->hard_attention - 1;
}

int translator_check(const SearchOptions *options, const Model *models, int count, Err *e)
{
    if (!options->hard_attention || choice_of(options) == HARD_NONE) return 0;
    for (int i = 0; i < count; i++) {
        const int score = models[i].network.attention;
        if (scores[score]->context_forward)
            return err(e, "--hard-attention chooses among weights, and a model with --attention %s has none; leave it "
                       "out", score_names[score]);
    }
    return 0;
}

/* A batch: sources first .. first + count - 1. */
typedef struct { int first, count; } Slice;

struct Translator {
    const Model  *model;        /* whose tokenizers all members share */
    SearchOptions options;
    SearchRules   rules;
    Chunker        cutter;
    Pool         *pool;
    Scorer       *member;
    int           members;
    Arena        *arena;        /* (workers) */
    /* what the workers read during a run */
    const Sentence *source;     /* longest first; the number says which chunk */
    const Slice    *slice;
    int             slices;
    Chunk       **chunk;    /* of all lines */
    atomic_int      next;       /* first slice that no worker has taken */
};

static SearchRules rules_of(const SearchOptions *o, const Model *model)
{
    const int words = model->text.tokens == TOKENS_WORD, vocabulary = tokenizer_size(model->target);
    return (SearchRules){
        .beam = o->sample ? o->nbest : o->beam, .nbest = o->sample || o->nbest < o->beam ? o->nbest : o->beam,
        .normalize = o->normalize, .ratio = o->max_length_ratio, .repeats = o->repeats,
        .begin = ID_BOS, .end = ID_EOS, .first_word = ID_SPECIALS, .unknown = ID_UNK,
        .scoreless = o->scoreless, .copies = !words, .attention = o->attention || (words && o->replace_unknown),
        .alternatives = o->alternatives < vocabulary ? o->alternatives : vocabulary,
        .sample = o->sample, .sampling = { o->temperature, o->top_k, o->top_p }, .seed = o->seed, .stop = o->stop
    };
}

static Scorer scorer_of(const Model *model, const SearchOptions *o, int prunes)
{
    Scorer member = { .net = model_architecture(model),
                      .w = weights_in(model->table, model->weights, (Precision)o->precision) };
    member.prepacked = prepacked_weights_new(model->table, &member.w, PREPACKED_TO_USE);
    if (o->hard_attention) member.net.hard = (HardAttention){ .choice = choice_of(o), .k = o->hard_positions };
    member.w.words = word_projections_new(&member.net);
    if (prunes) member.argmax = pruned_argmax_new(&member.w.output, member.w.output_bias);
    return member;
}

static void scorer_free(Scorer *member)
{
    prepacked_weights_free(member->prepacked);
    word_projections_free(&member->w.words);
    pruned_argmax_free(member->argmax);
}

Translator *translator_new_ensemble(const Model *models, int count, const SearchOptions *options, Pool *pool)
{
    Translator *t = xcalloc(1, sizeof *t);
    t->model = models;
    t->options = *options;
    t->rules = rules_of(options, models);
    t->cutter = (Chunker){ .source = models->source, .target = models->target, .split = options->split,
                          .keep_unknown = models->text.tokens != TOKENS_WORD || options->replace_unknown };
    t->pool = pool;
    t->members = count;
    t->member = xmalloc((size_t)count, sizeof *t->member);
    for (int i = 0; i < count; i++)
        t->member[i] = scorer_of(&models[i], options, count == 1 && search_is_greedy(&t->rules));
    t->arena = xcalloc((size_t)pool_workers(pool), sizeof *t->arena);
    return t;
}

Translator *translator_new(const Model *model, const SearchOptions *options, Pool *pool)
{
    return translator_new_ensemble(model, 1, options, pool);
}

void translator_free(Translator *t)
{
    if (!t) return;
    for (int i = 0; i < pool_workers(t->pool); i++)
        arena_free(&t->arena[i]);
    for (int i = 0; i < t->members; i++)
        scorer_free(&t->member[i]);
    free(t->arena);
    free(t->member);
    free(t);
}

/* ---- a batch ---- */

/* The text of a word of the source. */
static const char *source_text(const Translator *t, const Chunk *chunk, int place)
{
    int number = 0;
    if (chunk->source_ids[place] != ID_UNK) return tokenizer_piece(t->model->source, chunk->source_ids[place]);
    for (int s = 0; s < place; s++)
        number += chunk->source_ids[s] == ID_UNK;
    return chunk->unknown[number];
}

/* What to write for each <unk> found, (length); NULL: for none. What was given begins with its own. */
static const char **replacements(const Translator *t, const Chunk *chunk, const Hypothesis *found)
{
    const int copies = t->rules.copies ? chunk->unknowns : t->options.replace_unknown;
    if (!copies && !chunk->prefix_unknowns) return NULL;
    const char **list = xcalloc((size_t)found->length, sizeof *list);
    if (copies) {
        int *place = xmalloc((size_t)found->length, sizeof *place);
        int count = unknown_replacement_choose(place, found, chunk->source_ids, chunk->source_length, ID_UNK,
                                  t->rules.copies ? COPY_UNKNOWN : COPY_ANY);
        for (int i = 0; i < count; i++)
            list[i] = place[i] < 0 ? NULL : source_text(t, chunk, place[i]);
        free(place);
    }
    for (int i = 0; i < chunk->prefix_unknowns && i < found->length; i++)
        list[i] = chunk->prefix_unknown[i];
    return list;
}

/* The text of hypothesis k of a chunk. */
static char *text_of(const Translator *t, const Chunk *chunk, int k)
{
    const Hypothesis *found = &chunk->found[k];
    const char **copies = replacements(t, chunk, found);
    Buf text = { 0 };
    buf_clear(&text);
    tokenizer_decode(t->model->target, found->ids, (size_t)found->length, copies, &text);
    free(copies);
    return text.text;
}

/* What search found becomes text; attention that served only for that goes. */
static void finish_stretch(const Translator *t, Chunk *chunk, const Hypothesis *found, int count)
{
    chunk->count = count;
    chunk->found = xmalloc((size_t)count, sizeof *chunk->found);
    chunk->text = xmalloc((size_t)count, sizeof *chunk->text);
    for (int k = 0; k < count; k++) {
        chunk->found[k] = found[k];
        chunk->text[k] = text_of(t, chunk, k);
        if (t->options.attention) continue;
        free(chunk->found[k].attention);
        chunk->found[k].attention = NULL;
    }
}

/* Sources of equal length together; the results go where their chunks stand. What a search that was stopped has found
 * is left out. */
static void translate_slice(Translator *t, int worker, const Sentence *source, int count)
{
    const int nbest = t->rules.nbest;
    Hypothesis *found = xcalloc((size_t)count * (size_t)nbest, sizeof *found);
    int *how_many = xcalloc((size_t)count, sizeof *how_many);
    search_run(found, how_many, t->member, t->members, source, count, &t->rules, &t->arena[worker]);
    const int stopped = search_stopped(&t->rules);
    for (int i = 0; i < count && !stopped; i++)
        finish_stretch(t, t->chunk[source[i].number], &found[i * nbest], how_many[i]);
    for (int i = 0; i < count * nbest && stopped; i++)
        hypothesis_free(&found[i]);
    free(found);
    free(how_many);
}

static void work(void *context, int worker)
{
    Translator *t = context;
    for (int i; (i = atomic_fetch_add(&t->next, 1)) < t->slices && !search_stopped(&t->rules);)
        translate_slice(t, worker, t->source + t->slice[i].first, t->slice[i].count);
}

/* ---- a run ---- */

enum { SHARES = 8, FEWEST = 16 };

/* How many of at most `most` hold `count`. */
static int parts(int count, int most)
{
    return (count + most - 1) / most;
}

/* Sentences a batch: of few sentences so many that some workers get about the same, whatever their number, because
 * where OpenBLAS multiplies the last bits depend on the batch; but not so few that products get slow. */
static int batch_of(const Translator *t, int count)
{
    const int share = parts(count, SHARES), most = share > FEWEST ? share : FEWEST;
    const int batches = parts(count, most < t->options.batch ? most : t->options.batch);
    return parts(count, batches);
}

static void run_slices(Translator *t, const Sentence *source, int count)
{
    const int most = count ? batch_of(t, count) : 1;
    Slice *slice = xmalloc((size_t)count, sizeof *slice);
    t->slices = 0;
    for (int at = 0; at < count; at += slice[t->slices++].count)
        slice[t->slices] = (Slice){ at, batch_take(source + at, count - at, most) };
    t->source = source;
    t->slice = slice;
    atomic_store(&t->next, 0);
    pool_run(t->pool, work, t);
    free(slice);
}

/* Makes translations of what was found; of nothing, where it was stopped: some chunks may have been left out. */
static void join(const Translator *t, Translation *lines, size_t count)
{
    const int stopped = search_stopped(&t->rules);
    for (size_t i = 0; i < count; i++) {
        if (stopped) translation_free(&lines[i]);
        else translation_join(&lines[i]);
    }
}

/* Finds something for every chunk of the lines. */
static void translate(Translator *t, Translation *lines, size_t count)
{
    size_t chunks = 0;
    for (size_t i = 0; i < count; i++)
        chunks += lines[i].chunks;
    Sentence *source = xmalloc(chunks, sizeof *source);
    int sentences = 0;
    t->chunk = xmalloc(chunks, sizeof *t->chunk);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < lines[i].chunks; k++) {
            Chunk *s = t->chunk[sentences] = &lines[i].chunk[k];
            source[sentences] = (Sentence){ .source = s->source_ids, .source_length = s->source_length,
                                            .target = s->prefix_ids, .target_length = s->prefix_length,
                                            .number = sentences };
            sentences++;
        }
    batch_sort(source, sentences);
    run_slices(t, source, sentences);
    t->rules.first += chunks;
    free(t->chunk);
    free(source);
    join(t, lines, count);
}

void translator_continue(Translator *t, const char *const *lines, const char *const *prefix, size_t count,
                         Translation *out)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = chunk_line(&t->cutter, lines[i]);
        if (prefix && prefix[i] && out[i].chunks) give_words(&t->cutter, out[i].chunk, prefix[i], 0);
    }
    translate(t, out, count);
}

void translator_run(Translator *t, const char *const *lines, size_t count, Translation *out)
{
    translator_continue(t, lines, NULL, count, out);
}

/* ---- scoring ---- */

static int is_scorable(const Translation *pair)
{
    return pair->chunk->source_length <= SCORE_TOKENS && pair->chunk->prefix_length <= SCORE_TOKENS;
}

size_t translator_score(Translator *t, const char *const *lines, const char *const *target, size_t count,
                        Translation *out)
{
    size_t taken = 0;
    for (; taken < count; taken++) {
        out[taken] = chunk_whole(&t->cutter, lines[taken]);
        give_words(&t->cutter, out[taken].chunk, target[taken], 1);
        if (is_scorable(&out[taken])) continue;
        translation_free(&out[taken]);
        break;
    }
    translate(t, out, taken);
    return taken;
}
