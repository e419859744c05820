/* length_calibration.c - two searches, and the line between what they find. */
#include "train/validation/length_calibration.h"

#include "base/mem.h"
#include "metrics/bleu.h"
#include "translate/translator.h"

#include <math.h>
#include <stdlib.h>

static const double usual = 1, reach = 0.6;

/* Words of translations for each word of the references; 0 after a request to stop. */
static double ratio_of(const Segments *text, const Translation *out, const atomic_int *stop)
{
    const BleuOptions options = bleu_defaults();
    BleuStats stats = { 0 };
    if (atomic_load(stop)) return 0;
    for (size_t i = 0; i < text->count; i++) {
        const char *translation = out[i].count ? out[i].hypothesis[0].text : "";
        bleu_add(&stats, &options, translation, (const char *const *)text->reference[i], 1);
    }
    return bleu_score(&stats, &options).ratio;
}

static double ratio_with(double normalize, const Model *model, const Segments *text,
                         const atomic_int *stop, Pool *pool)
{
    SearchOptions options = search_defaults();
    options.normalize = normalize;
    options.stop = stop;
    options.probabilities = 0;
    options.precision = FIELD_AUTO;
    options.attention = 0;
    Translator *translator = translator_new(model, &options, pool);
    Translations out = translator_run(translator, text->source, text->count);
    const double ratio = ratio_of(text, out.line, stop);
    translations_free(&out);
    translator_free(translator);
    return ratio;
}

/* Finds the exponent for which the line through both ratios is 1, between them. */
static void interpolate(LengthCalibration *found, double other, double exponent)
{
    const double share = (1 - found->ratio) / (other - found->ratio);
    const double between = fmin(fmax(share, 0), 1);
    found->normalize = round(100 * (usual + (exponent - usual) * between)) / 100;
    found->is_bound = share > 1;
}

int length_calibration(LengthCalibration *found, const Model *model, const Segments *text,
                       const atomic_int *stop, Pool *pool)
{
    if (text->count < LEAST_LENGTHS) return 0;
    const double ratio = ratio_with(usual, model, text, stop, pool);
    const double exponent = ratio < 1 ? usual + reach : usual - reach;
    const double other = ratio > 0 ? ratio_with(exponent, model, text, stop, pool) : 0;
    *found = (LengthCalibration){ .normalize = usual, .ratio = ratio };
    if (!(other > 0)) return 0;
    if (other != ratio) interpolate(found, other, exponent);
    return 1;
}

int length_calibration_keep(LengthCalibration *found, const char *path, const Segments *text,
                            const atomic_int *stop, Pool *pool, Err *e)
{
    Model model;
    if (text->count < LEAST_LENGTHS) return 0;
    if (model_load(&model, path, e)) return -1;
    int rc = length_calibration(found, &model, text, stop, pool);
    if (rc) {
        model.normalize = found->normalize;
        if (model_save(&model, path, e)) rc = -1;
    }
    model_free(&model);
    return rc;
}
