/* validation.c - see validation.h. */
#include "train/validation/validation.h"

#include "base/system/clock.h"
#include "model/prepacked_weights.h"
#include "train/validation/validation_bleu.h"
#include "train/validation/validation_loss.h"

#include <math.h>

void validation_init(Validation *v, const Training *training)
{
    *v = (Validation){ .training = training, .shown = clock_seconds() };
}

static ValidationLoss loss_of(const Training *training, const Model *model)
{
    const Architecture net = model_architecture(model);
    Weights w = weights_at(model->table, model->weights);
    PrepackedWeights *prepacked = prepacked_weights_new(model->table, &w, PREPACKED_TO_USE);
    const ValidationLoss found = validation_loss_run(&net, &w, training->valid,
                                                     training->hyper->batch, ID_BOS, training->pool,
                                                     &training->requests->stop,
                                                     training->processes);
    prepacked_weights_free(prepacked);
    return found;
}

int validation_run(Validation *v, const Model *model, ValidationReport *report)
{
    const ValidationLoss found = loss_of(v->training, model);
    report->valid_loss = found.loss;
    report->valid_unknown = found.tokens ? (double)found.unknown / (double)found.tokens : 0;
    validation_bleu_score(v->training, model, validation_show_due(v), report);
    if (training_agree_to_stop(v->training)) return 0;
    if (report->samples) v->shown = clock_seconds();
    return 1;
}

int validation_show_due(const Validation *v)
{
    const double every = v->training->show_every;
    return every > 0 && v->training->text->count && clock_seconds() - v->shown >= every;
}

int validation_show(Validation *v, const Model *model, ValidationReport *report)
{
    validation_bleu_score(v->training, model, 1, report);
    v->shown = clock_seconds();
    return !training_agree_to_stop(v->training);
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
