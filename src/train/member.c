/* member.c - see member.h. */
#include "train/member.h"

#include "train/validation/validation_bleu.h"

#include <stdlib.h>

/* How many of the first `networks` of `all` write from right to left, which the last ones do. */
static int right_left_among(int networks, int all, int right_left)
{
    const int others = all - right_left;
    return networks > others ? networks - others : 0;
}

int member_load(const char *path, int count, Model *model, Err *e)
{
    if (model_load(model, path, e)) return -1;
    const int found = model_networks(model);
    model->right_left = right_left_among(count, found, model->right_left);
    for (int k = count; k < found; k++) {
        free(model->further[k - 1]);
        model->further[k - 1] = NULL;
    }
    if (found >= count) return 0;
    model_free(model);
    return err(e, "%s: has %d of the %d networks that were finished", path, found, count);
}

int member_is_of_run(const Training *training, const Model *model)
{
    const char *key = "corpus_hash";
    const cJSON *history = training->model->training;
    return !cJSON_HasObjectItem(history, key)
           || cJSON_Compare(cJSON_GetObjectItemCaseSensitive(history, key),
                            cJSON_GetObjectItemCaseSensitive(model->training, key), 1);
}

/* What the history of a network alone says of it. */
static cJSON *scores_alone(const cJSON *history)
{
    static const char *const keys[] = { "steps", "valid_loss", "valid_bleu", "valid_chrf", "valid_exact" };
    cJSON *scores = cJSON_CreateObject();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(history, keys[i]);
        if (item) cJSON_AddItemToObject(scores, keys[i], cJSON_Duplicate(item, 1));
    }
    return scores;
}

static cJSON *scores_of(const TrainingProgress *progress)
{
    const int is_chosen = progress->best_step > 0;
    cJSON *scores = cJSON_CreateObject();
    cJSON_AddNumberToObject(scores, "steps",
                            (double)(is_chosen ? progress->best_step : progress->step));
    if (is_chosen)
        cJSON_AddItemToObject(scores, "valid_loss", json_rounded(progress->best_loss, 6));
    return scores;
}

/* The scores of the networks before this one, and its own. The file may know more of them than are
 * kept (member_load). */
static cJSON *scores_of_each(const Member *member, const TrainingProgress *progress)
{
    const cJSON *history = member->earlier->training;
    const cJSON *known = cJSON_GetObjectItemCaseSensitive(history, "networks");
    cJSON *each = known ? cJSON_Duplicate(known, 1) : cJSON_CreateArray();
    if (!known) cJSON_AddItemToArray(each, scores_alone(history));
    while (cJSON_GetArraySize(each) > member->number)
        cJSON_DeleteItemFromArray(each, member->number);
    cJSON_AddItemToArray(each, scores_of(progress));
    return each;
}

/* The history of the ensemble: what is known before training, what its networks are worth
 * together, and each alone. */
static cJSON *history_of(const Training *training, const ValidationReport *together)
{
    cJSON *history = cJSON_Duplicate(training->model->training, 1);
    if (together->bleu >= 0) {
        cJSON_AddItemToObject(history, "valid_bleu", json_rounded(together->bleu, 4));
        cJSON_AddItemToObject(history, "valid_chrf", json_rounded(together->chrf, 4));
        if (together->exact >= 0) cJSON_AddItemToObject(history, "valid_exact", json_rounded(together->exact, 4));
    }
    cJSON_AddItemToObject(history, "networks",
                          scores_of_each(&training->member, together->progress));
    return history;
}

/* Translates the validation sentences with all networks. A request to stop leaves no scores. */
static void score_together(const Training *training, const Model *all, ValidationReport *report)
{
    Training alone = *training;
    alone.processes = NULL;
    validation_bleu_score(&alone, all, 0, report);
    if (training_stopped(training)) report->bleu = report->chrf = report->exact = -1;
}

int member_save(const Training *training, const TrainingEvents *events, real *weights,
                const TrainingProgress *progress, Err *e)
{
    const Member *member = &training->member;
    ValidationReport together = { .progress = progress, .bleu = -1, .chrf = -1, .exact = -1 };
    Model all = *member->earlier;
    all.further[member->number - 1] = weights;
    all.right_left += training->model->right_left;
    score_together(training, &all, &together);
    if (events->joined) events->joined(events->context, &together);
    all.training = history_of(training, &together);
    const int rc = model_save(&all, training->model_path, e);
    cJSON_Delete(all.training);
    return rc;
}
