/* cmd.c - what all commands share: failures, workers, the end of stdout. */
#include "cmd/cmd.h"

#include "base/files/replace.h"
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

int fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_print("error", format, args);
    va_end(args);
    return EXIT_FAILED;
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
