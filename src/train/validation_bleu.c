/* validation_bleu.c - see validation_bleu.h. */
#include "train/validation_bleu.h"

#include "base/mem.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "translate/translator.h"

#include <stdlib.h>

/* Empty if a request to stop came first. */
static const char *text_of(const Translation *t)
{
    return t->count ? t->hypothesis[0].text : "";
}

/* Translates in portions of one batch per worker; a request to stop leaves the rest
 * untranslated. */
static void translate(const Training *training, const Model *model, const SearchOptions *options,
                      Translation *out)
{
    const Segments *text = training->text;
    const size_t portion = (size_t)options->batch * (size_t)pool_workers(training->pool);
    Translator *translator = translator_new(model, options, training->pool);
    for (size_t at = 0; at < text->count && !training_stopped(training); at += portion) {
        const size_t rest = text->count - at;
        translator_run(translator, text->source + at, rest < portion ? rest : portion, out + at);
    }
    translator_free(translator);
}

static void score(const Segments *text, const Translation *out, ValidationReport *report)
{
    const BleuOptions bleu_options = bleu_defaults();
    const ChrfOptions chrf_options = chrf_defaults();
    BleuStats bleu = { 0 };
    ChrfStats chrf = { 0 };
    for (size_t i = 0; i < text->count; i++) {
        const char *const *references = (const char *const *)text->reference[i];
        bleu_add(&bleu, &bleu_options, text_of(&out[i]), references, text->references[i]);
        chrf_add(&chrf, &chrf_options, text_of(&out[i]), references, text->references[i]);
    }
    report->bleu = bleu_score(&bleu, &bleu_options).score;
    report->chrf = chrf_score(&chrf, &chrf_options);
}

/* Takes the sentence in the middle of each third, or all sentences if there are no more than
 * three. */
static void take_samples(const Segments *text, const Translation *out, ValidationReport *report)
{
    report->samples = text->count < MOST_SAMPLES ? (int)text->count : MOST_SAMPLES;
    for (int k = 0; k < report->samples; k++) {
        const size_t i = (2 * (size_t)k + 1) * text->count / (2 * (size_t)report->samples);
        report->sample[k] = (Sample){ text->source[i], text->reference[i][0],
                                      xstrdup(text_of(&out[i])) };
    }
}

void validation_bleu_score(const Training *training, const Model *model, int with_samples,
                           ValidationReport *report)
{
    const Segments *text = training->text;
    if (!text->count) return;
    SearchOptions greedy = search_defaults();
    greedy.beam = greedy.nbest = 1;
    greedy.attention = 0;
    greedy.scoreless = 1;
    Translation *out = xcalloc(text->count, sizeof *out);
    translate(training, model, &greedy, out);
    score(text, out, report);
    if (with_samples) take_samples(text, out, report);
    for (size_t i = 0; i < text->count; i++)
        translation_free(&out[i]);
    free(out);
}
