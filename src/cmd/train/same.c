/* same.c - see same.h. */
#include "cmd/train/same.h"

#include "base/hash.h"
#include "base/version.h"
#include "linalg/kernels.h"
#include "linalg/openblas.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* What all must have, as a text, and what to do where it is another. */
typedef struct { const char *what, *text, *advice; } Common;

static int compare(Processes *p, const Common *common, size_t count, Err *e)
{
    for (size_t i = 0; i < count; i++)
        if (processes_compare(p, common[i].what, common[i].text, common[i].advice, e)) return -1;
    return 0;
}

/* The options with their values so far; the caller frees the text. */
static char *options_of(Config *c)
{
    cJSON *json = config_to_json(c);
    char *text = json_text(json, 0);
    cJSON_Delete(json);
    return text;
}

int same_request(Processes *p, Config *c, Err *e)
{
    char *options = options_of(c);
    const Common common[] = {
        { "the program", ATTN_VERSION, "install the same one on all machines" },
        { "the kind of CPU", kernels_of_cpu()->name, "take machines of one kind" },
        { "OpenBLAS's kernels", openblas_kernels(), "take machines of one kind" },
        { "the configuration", options, "start all processes with the same options" },
    };
    const int rc = compare(p, common, sizeof common / sizeof *common, e);
    free(options);
    return rc;
}

int same_beginning(Processes *p, Config *c, const Model *model, uint64_t vocabulary, Err *e)
{
    char words[32], weights[32], *options = options_of(c);
    const size_t bytes = model->table->size * sizeof(real);
    snprintf(words, sizeof words, "%016" PRIx64, vocabulary);
    snprintf(weights, sizeof weights, "%016" PRIx64,
             fnv1a64(FNV1A64_START, model->weights, bytes));
    const Common common[] = {
        { "the hash of the vocabulary", words, "take machines of one kind" },
        { "the settled configuration", options, "take machines of one kind" },
        { "the hash of the first weights", weights, "take machines of one kind" },
    };
    const int rc = compare(p, common, sizeof common / sizeof *common, e);
    free(options);
    return rc;
}
