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

int outputs_check(const Output *output, size_t outputs, const char *const *input, size_t inputs,
                  int force, Err *e)
{
    for (const Output *one = output; one < output + outputs; one++) {
        if (!one->path) continue;
        if (!strcmp(one->path, "-"))
            return err(e, "%s -: standard output is no place for the %s; name a file",
                       one->option, one->what);
        for (size_t k = 0; k < inputs; k++)
            if (is_input(one->path, input[k]))
                return err(e, "'%s' is read: it cannot be written too", one->path);
        for (const Output *before = output; before < one; before++)
            if (before->path && file_same(one->path, before->path))
                return err(e, "'%s' cannot be the %s and the %s too", one->path, one->what,
                           before->what);
    }
    for (size_t i = 0; i < outputs && !force; i++)
        if (output_refuse_existing(&output[i], e)) return -1;
    return 0;
}
