/* names.c - see names.h. */
#include "cmd/train/names.h"

#include "base/suffix.h"
#include "cmd/corpus_files.h"

#include <string.h>

static void check_model(const char *path)
{
    if (!*path) usage_error("train", "--output needs a name");
    if (ends_with(path, ".state") || ends_with(path, ".lock"))
        usage_error("train", "--output: names that end in .state and .lock are reserved for the "
                             "files beside a model");
}

/* --valid v.en v.fr: both options have one TSV. */
static void check_pairs(const char *option, const char *path, const Options *given)
{
    Err ignored;
    if (options_given(given, option) > 1)
        usage_error("train", "--%s is given twice, and takes one file: 'cat' joins TSV files, 'paste "
                             "SOURCE TARGET' two line-aligned ones", option);
    if (path && file_lacks_tabs(path, &ignored) > 0)
        usage_error("train", "--%s: '%s' has no tab, but is to be one TSV of pairs: 'paste SOURCE "
                             "TARGET > FILE' makes it of two line-aligned files", option, path);
}

void names_settle(TrainOptions *own, const Options *given)
{
    check_model(own->output);
    check_pairs("valid", own->valid, given);
    check_pairs("replay", own->replay, given);
    if (own->log && !strcmp(own->log, "-")) own->log = "/dev/stdout";
}
