/* validation.c - translate, score. */
#include "train/validation.h"

#include "base/mem.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "translate/translator.h"

#include <stdlib.h>

/* In portions of a batch for each worker, until a request to stop leaves the rest untranslated. */
static void translate(const Training *training, const Model *model, const SearchOptions *options, Translation *out)
{
    const Segments *text = training->text;
    const size_t portion = (size_t)options->batch * (size_t)pool_workers(training->pool);
    Translator *translator = translator_new(model, options, training->pool);
    for (size_t at = 0; at < text->count && !atomic_load(&training->requests->stop); at += portion) {
        const size_t rest = text->count - at;
        translator_run(translator, text->source + at, rest < portion ? rest : portion, out + at);
    }
    translator_free(translator);
}

void validation_scores(const Training *training, const Model *model, ValidationReport *report)
{
    const Segments *text = training->text;
    if (!text->count) return;
    SearchOptions greedy = search_defaults();
    greedy.beam = greedy.nbest = 1;
    greedy.attention = 0;
    Translation *out = xcalloc(text->count, sizeof *out);
    translate(training, model, &greedy, out);

    BleuOptions bleu_options = bleu_defaults();
    ChrfOptions chrf_options = chrf_defaults();
    BleuStats bleu = { 0 };
    ChrfStats chrf = { 0 };
    for (size_t i = 0; i < text->count; i++) {
        const char *hypothesis = out[i].count ? out[i].hypothesis[0].text : "";
        const char *const *references = (const char *const *)text->reference[i];
        bleu_add(&bleu, &bleu_options, hypothesis, references, text->references[i]);
        chrf_add(&chrf, &chrf_options, hypothesis, references, text->references[i]);
        translation_free(&out[i]);
    }
    report->bleu = bleu_score(&bleu, &bleu_options).score;
    report->chrf = chrf_score(&chrf, &chrf_options);
    free(out);
}
