/* model_file.c - what follows from a model in memory. */
#include "model/file/model_file.h"

#include "base/mem.h"

#include <stdlib.h>

int model_networks(const Model *model)
{
    int count = 1;
    while (count < MOST_NETWORKS && model->further[count - 1])
        count++;
    return count;
}

real *model_weights(const Model *model, int network)
{
    return network ? model->further[network - 1] : model->weights;
}

Architecture model_architecture(const Model *model)
{
    return architecture_of(&model->network, tokenizer_size(model->source),
                           tokenizer_size(model->target));
}

Language model_source(const Model *model)
{
    return (Language){ .tokenizer = model->source, .lexicon = model->source_lexicon };
}

Language model_target(const Model *model)
{
    return (Language){ .tokenizer = model->target, .lexicon = model->target_lexicon };
}

void model_free(Model *model)
{
    if (model->target != model->source) tokenizer_free(model->target);
    tokenizer_free(model->source);
    lexicon_free(model->source_lexicon);
    lexicon_free(model->target_lexicon);
    parameters_free(model->table);
    xfree(model->weights);
    for (int k = 0; k < MOST_NETWORKS - 1; k++)
        xfree(model->further[k]);
    cJSON_Delete(model->training);
    *model = (Model){ 0 };
}
