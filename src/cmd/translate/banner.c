/* banner.c - the origin and the size of a model. */
#include "cmd/translate/banner.h"

#include "base/printable.h"
#include "cmd/models.h"
#include "cmd/progress.h"

#include <stdio.h>

void banner_print(const Model *model, const char *path)
{
    char parameters[COUNT_TEXT], source[COUNT_TEXT], target[COUNT_TEXT];
    Buf origin = { 0 };
    model_origin(model->training, &origin);
    progress_count(parameters, (double)model->table->values);
    progress_count(source, tokenizer_size(model->source));
    progress_count(target, tokenizer_size(model->target));
    printable_line(stdout, "%s: %s", path, origin.length ? origin.text : "of unknown origin");
    printf("%s parameters, %.1f MB, vocabularies of %s and %s\n", parameters,
           (double)model->table->values * sizeof(float) / 1e6, source, target);
    buf_free(&origin);
}
