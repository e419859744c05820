/* corpus_files.c - which format the files of a corpus have. */
#include "cmd/corpus_files.h"

#include "base/suffix.h"
#include "cmd/model_path.h"
#include "cmd/options.h"

#include <string.h>

const char *const corpus_formats[] = { "auto", "tsv", "aligned", NULL };
const char corpus_format_help[] = "tsv: each file holds both sides; aligned: files come in twos, "
                                  "source and target; auto: one file, or names that end in .tsv: "
                                  "tsv; two other files: aligned";

static int all_are_tsv(int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (!ends_with(names[i], ".tsv") && !ends_with(names[i], ".tsv.gz")) return 0;
    return 1;
}

/* attn eval MODEL CORPUS */
static void check_no_models(const char *command, int count, char **names)
{
    const char *option = strcmp(command, "train") ? "-m" : "--init";
    for (int i = 0; i < count; i++)
        if (is_model_name(names[i]))
            usage_error(command, "'%s' is a model, not a corpus; name it with %s", names[i],
                        option);
}

BitextFiles corpus_files(const char *command, int format, int count, char **names)
{
    const int guessed = format == FORMAT_AUTO;
    check_no_models(command, count, names);
    if (count < 1)
        usage_error(command, "no corpus was named; name a TSV file, or two line-aligned files");
    if (guessed) format = count == 1 || all_are_tsv(count, names) ? FORMAT_TSV : FORMAT_ALIGNED;
    if (guessed && format == FORMAT_ALIGNED && count > 2)
        usage_error(command, "what are these %d files? --format tsv: each holds both sides; "
                             "--format aligned: they come in twos, source and target", count);
    if (format == FORMAT_ALIGNED && count % 2)
        usage_error(command, "aligned files come in twos, source and target; %d were named", count);
    return (BitextFiles){ (const char *const *)names, count, format == FORMAT_ALIGNED, guessed };
}
