/* cmd.c - what all commands share: the default model, failures, the end of stdout. */
#include "cmd/cmd.h"

#include "base/files/stray.h"
#include "base/printable.h"
#include "cmd/nearest_file.h"
#include "cmd/options.h"
#include "linalg/kernels.h"
#include "linalg/openblas.h"
#include "linalg/precision.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *default_model(void)
{
    const char *named = getenv("ATTN_MODEL");
    return named && *named ? named : "models/attn.safetensors";
}

int fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_print("error", format, args);
    va_end(args);
    return EXIT_FAILED;
}

/* There is no such model: what was meant, or how to get one. */
static void advise_on_model(const char *name)
{
    Buf near = { 0 };
    nearest_file(name, ".safetensors", &near);
    if (near.length) printable_line(stderr, "Did you mean '%s'?", near.text);
    else fputs("'attn train CORPUS' makes a model; -m FILE or ATTN_MODEL=FILE names another one.\n",
               stderr);
    buf_free(&near);
}

int fail_without_model(const char *name, const Err *e)
{
    fail("%s", e->text);
    advise_on_model(name);
    return EXIT_FAILED;
}

int load_model(Model *model, const char *path)
{
    Err e;
    if (!model_load(model, path, &e)) return EXIT_OK;
    return access(path, F_OK) ? fail_without_model(path, &e) : fail("%s", e.text);
}

Pool *start_workers(int threads)
{
    Pool *pool = pool_new(threads);
    openblas_reserve(pool_workers(pool));
    return pool;
}

void check_precision(const char *command, int precision)
{
    if (precision != FIELD_AUTO && !precision_works((Precision)precision))
        usage_error(command, "--precision %s: the %s kernels have no such products; choose "
                             "--precision float", precision_names[precision],
                             kernels_of_cpu()->name);
}

void stdout_flush(void)
{
    if (!ferror(stdout)) errno = 0;     /* else errno is that of the write that failed */
    if (!fflush(stdout) && !ferror(stdout)) return;
    if (errno != EPIPE)
        fail("cannot write standard output: %s", errno ? strerror(errno) : "a write failed");
    stray_remove_all();
    _exit(EXIT_FAILED);   /* not exit: this is also what exit calls at the end */
}
