/* validation.c - see validation.h. */
#include "train/validation.h"

#include "base/mem.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "model/batch.h"
#include "model/prepacked_weights.h"
#include "translate/translator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The loss: sentences of equal length together; sums in the order of the batches ---- */

Sentence sentence_view(const Pairs *pairs, int i, int number)
{
    const size_t s = pairs->source_at[i], t = pairs->target_at[i];
    return (Sentence){ .source = pairs->source + s,
                       .source_length = (int)(pairs->source_at[i + 1] - s),
                       .target = pairs->target + t,
                       .target_length = (int)(pairs->target_at[i + 1] - t),
                       .number = number };
}

/* All pairs, longest first, cut into batches. */
typedef struct {
    Sentence   *sentences;
    BatchSlices batches;
} Plan;

static Plan plan_of(const Architecture *net, const Pairs *pairs, int size)
{
    const int count = (int)pairs->count;
    Plan plan = { .sentences = xmalloc(pairs->count, sizeof *plan.sentences) };
    for (int i = 0; i < count; i++) {
        plan.sentences[i] = sentence_view(pairs, i, i);
        plan.sentences[i].without_end = net->options.source_end;
    }
    batch_sort(plan.sentences, count);
    batch_slices_init(&plan.batches, plan.sentences, count, size);
    return plan;
}

static void plan_free(Plan *plan)
{
    batch_slices_free(&plan->batches);
    free(plan->sentences);
}

size_t validation_loss_measure(const Architecture *net, const Pairs *pairs, int size)
{
    SCOPED(plan_free) Plan plan = plan_of(net, pairs, size);
    size_t most = 0;
    for (int i = 0; i < plan.batches.count; i++) {
        const BatchSlice *slice = &plan.batches.slice[i];
        const size_t bytes = network_measure(net, batch_size(plan.sentences + slice->first,
                                                             slice->count), 0);
        if (bytes > most) most = bytes;
    }
    return most;
}

typedef struct {
    const Architecture *net;
    const Weights      *w;
    int                 bos;
    Crew                crew;
    Plan                plan;
    double             *loss;       /* (batches) */
    Arena              *arena;      /* (workers) */
} Task;

/* Each process has as many of all batches, which are sorted, as it has workers. */
static void add_loss(void *context, int worker, int number)
{
    Task *task = context;
    const int turn = number % task->crew.all - task->crew.first;
    if (turn < 0 || turn >= task->crew.own) return;
    Arena *arena = &task->arena[worker];
    const BatchSlice *slice = &task->plan.batches.slice[number];
    const Sentence *sentences = task->plan.sentences + slice->first;
    Batch batch;
    arena_reserve(arena, network_measure(task->net, batch_size(sentences, slice->count), 0));
    batch_build(&batch, arena, sentences, slice->count, task->bos);
    const Pass pass = pass_of_batch(task->net, task->w, &batch);
    task->loss[number] = network_loss(&pass, 0, arena).plain;
}

ValidationLoss validation_loss_run(const Architecture *net, const Weights *w, const Pairs *pairs,
                                   int size, int bos, Pool *pool, const atomic_int *stop,
                                   Processes *processes)
{
    const int workers = pool_workers(pool);
    ValidationLoss sum = { .tokens = pairs->count ? (long)pairs->target_at[pairs->count] : 0 };
    Task task = { .net = net, .w = w, .bos = bos,
                  .crew = processes_crew(processes, pool), .plan = plan_of(net, pairs, size) };
    task.loss = xcalloc((size_t)task.plan.batches.count, sizeof *task.loss);
    task.arena = xcalloc((size_t)workers, sizeof *task.arena);
    batch_slices_run(&task.plan.batches, pool, stop, add_loss, &task);
    processes_sum(processes, task.loss, task.plan.batches.count);
    for (int i = 0; i < task.plan.batches.count; i++)
        sum.loss += task.loss[i];
    for (long i = 0; i < sum.tokens; i++)
        sum.unknown += pairs->target[i] == ID_UNK;
    if (sum.tokens) sum.loss /= (double)sum.tokens;
    for (int i = 0; i < workers; i++)
        arena_free(&task.arena[i]);
    free(task.arena);
    free(task.loss);
    plan_free(&task.plan);
    return sum;
}

/* ---- The translations ---- */

static SearchOptions search_for(const atomic_int *stop)
{
    SearchOptions options = search_defaults();
    options.attention = 0;
    options.probabilities = 0;
    options.precision = FIELD_AUTO;
    options.stop = stop;
    return options;
}

/* Process k of N translates sentences k, k + N, k + 2N, ...; all get all. A beam if networks of
 * both directions are to agree, else greedy search. */
static char **translate(const Training *training, const Model *model)
{
    const Segments *text = training->text;
    const size_t step = (size_t)processes_count(training->processes);
    const size_t first = (size_t)processes_rank(training->processes);
    const size_t own = first < text->count ? (text->count - first + step - 1) / step : 0;
    const int agree = model->right_left && model->right_left < model_networks(model);
    SearchOptions options = search_for(&training->requests->stop);
    if (!agree) options.beam = 1;
    Translator *translator = translator_new(model, 1, &options, training->pool);
    char **translated = xcalloc(text->count, sizeof *translated);
    SCOPED(xfree_at) const char **source = xcalloc(own, sizeof *source);
    for (size_t i = 0; i < own; i++)
        source[i] = text->source[first + i * step];
    SCOPED(translations_free) Translations out = translator_run(translator, source, NULL, own);
    for (size_t i = 0; i < own; i++)
        translated[first + i * step] =
            xstrdup(out.line[i].count ? out.line[i].hypothesis[0].text : "");
    translator_free(translator);
    processes_collect(training->processes, translated, text->count);
    return translated;
}

/* How many translations are one of their references, in their normal form. */
static double percent_exact(const Segments *text, char *const *out, int lowercase)
{
    SCOPED(buf_free) Buf normal = { 0 };
    size_t exact = 0;
    for (size_t i = 0; i < text->count; i++) {
        int is_exact = 0;
        for (int k = 0; k < text->references[i] && !is_exact; k++) {
            const char *reference = text->reference[i][k];
            buf_clear(&normal);
            words_normalise(reference, strlen(reference), lowercase, &normal);
            is_exact = !strcmp(normal.text, out[i]);
        }
        exact += is_exact != 0;
    }
    return 100.0 * (double)exact / (double)text->count;
}

static void score(const Segments *text, char *const *out, ValidationReport *report)
{
    BleuOptions bleu_options = bleu_defaults();
    const ChrfOptions chrf_options = chrf_defaults();
    ScriptCount script = { 0 };
    BleuStats bleu = { 0 };
    ChrfStats chrf = { 0 };
    for (size_t i = 0; i < text->count; i++)
        script_count_add(&script, text->reference[i][0]);
    if (script_count_lacks_blanks(&script)) bleu_options.tokenize = TOKENIZE_CHAR;
    for (size_t i = 0; i < text->count; i++) {
        const char *const *references = (const char *const *)text->reference[i];
        bleu_add(&bleu, &bleu_options, out[i], references, text->references[i]);
        chrf_add(&chrf, &chrf_options, out[i], references, text->references[i]);
    }
    report->bleu = bleu_score(&bleu, &bleu_options, 0).score;
    report->chrf = chrf_score(&chrf, &chrf_options, 0);
}

void validation_bleu_score(const Training *training, const Model *model,
                           ValidationReport *report)
{
    const Segments *text = training->text;
    const TextOptions *options = &training->model->text;
    if (!text->count) return;
    char **translated = translate(training, model);
    score(text, translated, report);
    if (options->tokens == TOKENS_SYMBOL)
        report->exact = percent_exact(text, translated, options->lowercase);
    for (size_t i = 0; i < text->count; i++)
        free(translated[i]);
    free(translated);
}

/* ---- One validation ---- */

int validation_run(const Training *training, const Model *model, ValidationReport *report)
{
    const Architecture net = model_architecture(model);
    Weights w = weights_at(model->table, model->weights);
    PrepackedWeights *prepacked = prepacked_weights_new(model->table, &w, PREPACKED_TO_USE);
    const ValidationLoss found = validation_loss_run(&net, &w, training->valid,
                                                     training->hyper->batch, ID_BOS, training->pool,
                                                     &training->requests->stop,
                                                     training->processes);
    prepacked_weights_free(prepacked);
    report->valid_loss = found.loss;
    report->valid_unknown = found.tokens ? (double)found.unknown / (double)found.tokens : 0;
    validation_bleu_score(training, model, report);
    return !training_agree_to_stop(training);
}

double validation_score(const Hyperparameters *hyper, const ValidationReport *report)
{
    switch (hyper->early_stop) {
    case STOP_BLEU: return report->bleu;
    case STOP_CHRF: return report->chrf;
    default:        return -report->valid_loss;
    }
}

int validation_is_better(const Hyperparameters *hyper, const TrainingProgress *best,
                         const ValidationReport *report)
{
    const double score = validation_score(hyper, report), loss = report->valid_loss;
    if (hyper->early_stop == STOP_NONE) return isfinite(loss);
    return isfinite(loss)
           && (score > best->best_score || (score == best->best_score && loss < best->best_loss));
}

/* ---- How long translations are to be: two searches, and the line between what they find ---- */

static const double usual = 1, reach = 0.6;

/* Words of translations for each word of the references; 0 after a request to stop. */
static double ratio_with(double normalize, const Model *model, const Segments *text,
                         const atomic_int *stop, Pool *pool)
{
    const BleuOptions options = bleu_defaults();
    BleuStats stats = { 0 };
    SearchOptions search = search_for(stop);
    search.normalize = normalize;
    Translator *translator = translator_new(model, 1, &search, pool);
    SCOPED(translations_free)
    Translations out = translator_run(translator, text->source, NULL, text->count);
    for (size_t i = 0; i < text->count && !atomic_load(stop); i++) {
        const char *translation = out.line[i].count ? out.line[i].hypothesis[0].text : "";
        bleu_add(&stats, &options, translation, (const char *const *)text->reference[i], 1);
    }
    translator_free(translator);
    return atomic_load(stop) ? 0 : bleu_score(&stats, &options, 0).ratio;
}

int length_calibration(LengthCalibration *found, const char *path, const Segments *text,
                       const atomic_int *stop, Pool *pool, Err *e)
{
    Model model;
    if (text->count < LEAST_LENGTHS) return 0;
    if (model_load(&model, path, e)) return -1;
    const double ratio = ratio_with(usual, &model, text, stop, pool);
    const double exponent = ratio < 1 ? usual + reach : usual - reach;
    const double other = ratio > 0 ? ratio_with(exponent, &model, text, stop, pool) : 0;
    int rc = other > 0;
    *found = (LengthCalibration){ .normalize = usual, .ratio = ratio };
    if (other != ratio) {
        /* Where the line through both ratios is 1, between them. */
        const double share = (1 - ratio) / (other - ratio), between = fmin(fmax(share, 0), 1);
        found->normalize = round(100 * (usual + (exponent - usual) * between)) / 100;
        found->is_bound = share > 1;
    }
    model.normalize = found->normalize;
    if (rc && model_save(&model, path, e)) rc = -1;
    model_free(&model);
    return rc;
}
