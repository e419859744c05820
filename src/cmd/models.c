/* models.c - loading one after another. */
#include "cmd/models.h"

#include "cmd/cmd.h"
#include "cmd/model_path.h"
#include "nn/score/score.h"
#include "translate/translator.h"

const char models_help[] = "the model that translates: a file, or a name such as eng-fra in "
                           "models, among the installed models or the user's; given several "
                           "times, the mean of their probabilities decides";

TextList default_models(void)
{
    return (TextList){ .text = { default_model() }, .count = 1, .is_default = 1 };
}

int find_models(TextList *models, Buf *memory)
{
    Err e;
    Buf path = { 0 };
    size_t at[TEXT_LIST_MOST];
    const char *name = NULL;
    int failed = 0;
    for (int i = 0; i < models->count && !failed; i++) {
        name = models->text[i];
        failed = models->is_default ? model_path_usual(&path, &e) : model_path(name, &path, &e);
        at[i] = memory->length;
        buf_add(memory, path.text, path.length + 1);
    }
    for (int i = 0; i < models->count && !failed; i++)
        models->text[i] = memory->text + at[i];
    buf_free(&path);
    return failed ? fail_without_model(name, &e) : EXIT_OK;
}

int load_models(Models *models, const TextList *paths)
{
    Err e;
    for (models->count = 0; models->count < paths->count; models->count++) {
        models->path[models->count] = paths->text[models->count];
        if (load_model(&models->model[models->count], paths->text[models->count]))
            return EXIT_FAILED;
    }
    if (!ensemble_check(models->model, models->path, models->count, &e)) return EXIT_OK;
    return fail("%s", e.text);
}

void models_free(Models *models)
{
    for (int i = 0; i < models->count; i++)
        model_free(&models->model[i]);
    models->count = 0;
}

int models_overflow(const Models *models, const char *where, Err *e)
{
    Buf names = { 0 };
    for (int i = 0; i < models->count; i++)
        buf_printf(&names, "%s%s", i ? " or " : "", models->path[i]);
    err(e, "%s: what %s computes of this line is no number: its weights are too large; train it "
        "again with a lower --learning-rate", where, names.text);
    buf_free(&names);
    return -1;
}

int models_have_attention(const Model *models, int count)
{
    for (int i = 0; i < count; i++)
        if (network_has_attention(&models[i].network)) return 1;
    return 0;
}
