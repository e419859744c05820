/* validation_bleu.c - see validation_bleu.h. */
#include "train/validation/validation_bleu.h"

#include "base/mem.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "translate/translator.h"

#include <stdlib.h>
#include <string.h>

/* The translations of the sentences, by the model of a search; those of other processes are
 * NULL at first. */
typedef struct {
    const Training *training;
    Translator     *translator;
    size_t          portion;        /* sentences at a time: one batch per worker */
    char          **text;           /* (sentences), owned */
} Translating;

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Translates sentence `at` and each further one of this process, a portion of them at most. */
static void translate_portion(const Translating *t, size_t at)
{
    const Segments *text = t->training->text;
    const size_t step = (size_t)processes_count(t->training->processes);
    const size_t count = least(t->portion, (text->count - at + step - 1) / step);
    const char **source = xcalloc(count, sizeof *source);
    for (size_t i = 0; i < count; i++)
        source[i] = text->source[at + i * step];
    Translations out = translator_run(t->translator, source, count);
    for (size_t i = 0; i < count; i++)
        t->text[at + i * step] = xstrdup(out.line[i].count ? out.line[i].hypothesis[0].text : "");
    translations_free(&out);
    free(source);
}

/* Process k of N translates sentences k, k + N, k + 2N, ... A request to stop leaves the rest
 * empty. */
static void translate(const Translating *t)
{
    const Training *training = t->training;
    const size_t count = training->text->count;
    const size_t step = (size_t)processes_count(training->processes);
    size_t at = (size_t)processes_rank(training->processes);
    for (; at < count && !training_stopped(training); at += t->portion * step)
        translate_portion(t, at);
    for (; at < count; at += step)
        t->text[at] = xstrdup("");
    processes_collect(training->processes, t->text, count);
}

/* Whether the words of the references are not those between blanks. */
static int lack_blanks(const Segments *text)
{
    ScriptCount count = { 0 };
    for (size_t i = 0; i < text->count; i++)
        script_count_add(&count, text->reference[i][0]);
    return script_count_lacks_blanks(&count);
}

/* Whether a translation is one of its references, in their normal form. */
static int is_exact(const Segments *text, size_t i, const char *translation, int lowercase)
{
    Buf normal = { 0 };
    int found = 0;
    for (int k = 0; k < text->references[i] && !found; k++) {
        buf_clear(&normal);
        words_normalise(text->reference[i][k], strlen(text->reference[i][k]), lowercase, &normal);
        found = !strcmp(normal.text, translation);
    }
    buf_free(&normal);
    return found;
}

static double percent_exact(const Segments *text, char *const *out, int lowercase)
{
    size_t exact = 0;
    for (size_t i = 0; i < text->count; i++)
        exact += is_exact(text, i, out[i], lowercase) != 0;
    return 100.0 * (double)exact / (double)text->count;
}

static void score(const Segments *text, char *const *out, ValidationReport *report)
{
    BleuOptions bleu_options = bleu_defaults();
    if (lack_blanks(text)) bleu_options.tokenize = TOKENIZE_CHAR;
    const ChrfOptions chrf_options = chrf_defaults();
    BleuStats bleu = { 0 };
    ChrfStats chrf = { 0 };
    for (size_t i = 0; i < text->count; i++) {
        const char *const *references = (const char *const *)text->reference[i];
        bleu_add(&bleu, &bleu_options, out[i], references, text->references[i]);
        chrf_add(&chrf, &chrf_options, out[i], references, text->references[i]);
    }
    report->bleu = bleu_score(&bleu, &bleu_options).score;
    report->chrf = chrf_score(&chrf, &chrf_options);
}

/* Takes the sentence in the middle of each third, or all sentences if there are no more than
 * three. */
static void take_samples(const Segments *text, char *const *out, ValidationReport *report)
{
    report->samples = text->count < MOST_SAMPLES ? (int)text->count : MOST_SAMPLES;
    for (int k = 0; k < report->samples; k++) {
        const size_t i = (2 * (size_t)k + 1) * text->count / (2 * (size_t)report->samples);
        report->sample[k] = (Sample){ text->source[i], text->reference[i][0], xstrdup(out[i]) };
    }
}

/* The first process has all translations, and tells the others what they are worth. */
static void judge(const Translating *t, int with_samples, ValidationReport *report)
{
    const Segments *text = t->training->text;
    const TextOptions *options = &t->training->model->text;
    if (processes_is_first(t->training->processes)) {
        score(text, t->text, report);
        if (options->tokens == TOKENS_SYMBOL) report->exact = percent_exact(text, t->text, options->lowercase);
        if (with_samples) take_samples(text, t->text, report);
    }
    processes_share(t->training->processes, &report->bleu, sizeof report->bleu);
    processes_share(t->training->processes, &report->chrf, sizeof report->chrf);
    processes_share(t->training->processes, &report->exact, sizeof report->exact);
}

/* A beam if networks of both directions are to agree, else greedy search. */
static SearchOptions search_for(const Model *model)
{
    SearchOptions options = search_defaults();
    const int agree = model->right_left && model->right_left < model_networks(model);
    if (!agree) options.beam = 1;
    options.attention = 0;
    options.probabilities = 0;
    options.precision = FIELD_AUTO;
    return options;
}

void validation_bleu_score(const Training *training, const Model *model, int with_samples,
                           ValidationReport *report)
{
    const size_t count = training->text->count;
    if (!count) return;
    const SearchOptions options = search_for(model);
    Translating t = { .training = training,
                      .translator = translator_new(model, &options, training->pool),
                      .portion = (size_t)options.batch * (size_t)pool_workers(training->pool),
                      .text = xcalloc(count, sizeof *t.text) };
    translate(&t);
    translator_free(t.translator);
    judge(&t, with_samples, report);
    for (size_t i = 0; i < count; i++)
        free(t.text[i]);
    free(t.text);
}
