/* agreement.c - what all processes agree on, and how an error ends all. */
#include "train/mpi/connection.h"

#include "base/files/stray.h"
#include "base/mem.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds that a process whose work has failed waits for the others. */
static const double patience = 3;

_Noreturn static void end_all(const Processes *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_print("error", format, args);
    va_end(args);
    stray_remove_all();
    MPI_Abort(p->all, 1);
    abort();
}

/* The text of process `from` becomes that of all. */
static void share_text(const Processes *p, int from, Err *e)
{
    MPI_Request request;
    if (p->rank == from && from) {
        const Err own = *e;
        snprintf(e->text, sizeof e->text, "%s: %.*s", p->name,
                 (int)(sizeof e->text - sizeof p->name - 2), own.text);
    }
    MPI_Ibcast(e->text, sizeof e->text, MPI_CHAR, from, p->agreement, &request);
    connection_wait(&request, 1);
}

int processes_agree(Processes *p, int rc, Err *e)
{
    if (connection_is_alone(p)) return rc;
    int *failed = xcalloc((size_t)p->count, sizeof *failed), own = rc != 0, from = 0;
    MPI_Request request;
    MPI_Iallgather(&own, 1, MPI_INT, failed, 1, MPI_INT, p->agreement, &request);
    if (!connection_wait_some(&request, own ? patience : INFINITY)) end_all(p, "%s", e->text);
    while (from < p->count && !failed[from])
        from++;
    free(failed);
    if (from == p->count) return 0;
    share_text(p, from, e);
    return -1;
}

int processes_compare(Processes *p, const char *what, const char *text, const char *advice,
                      Err *e)
{
    if (connection_is_alone(p)) return 0;
    size_t length = strlen(text) + 1;
    processes_share(p, &length, sizeof length);
    char *first = xcalloc(length, 1);
    memcpy(first, text, strlen(text) < length ? strlen(text) : length - 1);
    processes_share(p, first, length);
    const int differs = strcmp(first, text) != 0;
    if (differs)
        err(e, "%s is another here than in process 0: %.200s and not %.200s; %s", what, text,
            first, advice);
    free(first);
    return processes_agree(p, differs, e);
}
