/* outputs.c - comparing files by what they are, not by their names. */
#include "cmd/outputs.h"

#include "base/files/files.h"

#include <string.h>
#include <unistd.h>

/* Whether the file is one that is read; "-" is standard input: `attn translate -o FILE < FILE`. */
static int is_input(const char *path, const char *input)
{
    struct stat status;
    if (!input) return 0;
    if (strcmp(input, "-")) return file_same(path, input);
    return !stat(path, &status) && S_ISREG(status.st_mode) && file_is_at(STDIN_FILENO, path);
}

int outputs_check_distinct(const CommandFiles *files, Err *e)
{
    for (size_t i = 0; i < files->outputs; i++) {
        const Output *output = &files->output[i], *before = files->output;
        if (!output->path) continue;
        if (!strcmp(output->path, "-"))
            return err(e, "%s -: standard output is no place for the %s; name a file",
                       output->option, output->what);
        for (size_t k = 0; k < files->inputs; k++)
            if (is_input(output->path, files->input[k]))
                return err(e, "'%s' is read: it cannot be written too", output->path);
        for (; before < output; before++)
            if (before->path && file_same(output->path, before->path))
                return err(e, "'%s' cannot be the %s and the %s too", output->path, output->what,
                           before->what);
    }
    return 0;
}

int output_exists(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode) && status.st_size > 0;
}

int output_refuse_existing(const Output *output, Err *e)
{
    if (!output->path || !output_exists(output->path)) return 0;
    return err(e, "%s: is there already; --force replaces it, %s names another file", output->path,
               output->option);
}

int outputs_check(const CommandFiles *files, int force, Err *e)
{
    if (outputs_check_distinct(files, e)) return -1;
    for (size_t i = 0; i < files->outputs && !force; i++)
        if (output_refuse_existing(&files->output[i], e)) return -1;
    return 0;
}
