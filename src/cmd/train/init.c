/* init.c - see init.h. */
#include "cmd/train/init.h"

#include "base/mem.h"
#include "base/min.h"
#include "cmd/model_path.h"

#include <stdlib.h>
#include <string.h>

InitModel *init_load(const char *name, Err *e)
{
    InitModel *init = xcalloc(1, sizeof *init);
    if (!model_path(name, &init->path, e) && !model_load(&init->model, init->path.text, e))
        return init;
    init_free(init);
    return NULL;
}

void init_free(InitModel *init)
{
    if (!init) return;
    model_free(&init->model);
    buf_free(&init->path);
    free(init);
}

int init_check(const InitModel *init, TextOptions *text, NetworkOptions *network, Err *e)
{
    const Model *model = &init->model;
    Buf was = { 0 }, now = { 0 };
    fields_settle(text_fields, text, &model->text);
    fields_settle(network_fields, network, &model->network);
    TextOptions kept = model->text;             /* its languages may be named anew */
    memcpy(kept.from, text->from, sizeof kept.from);
    memcpy(kept.to, text->to, sizeof kept.to);
    const Field *field = fields_difference(text_fields, &kept, text, &was, &now);
    if (!field) field = fields_difference(network_fields, &model->network, network, &was, &now);
    if (field)
        err(e, "--init: a model keeps its text pipeline and network; %s was trained with --%s %s, "
               "not %s", init->path.text, field->name, was.text, now.text);
    buf_free(&was);
    buf_free(&now);
    return field ? -1 : 0;
}

void init_ensemble(const InitModel *init, const Hyperparameters *asked, Hyperparameters *usual)
{
    const int all = model_networks(&init->model);
    const int networks = asked->ensemble == FIELD_AUTO ? all : asked->ensemble;
    usual->ensemble = all;
    usual->right_left = asked->truncate ? 0 : min_int(init->model.right_left, networks - 1);
}
