/* values.c - what all processes agree on: numbers, bytes, texts, and how an error ends all. */
#include "train/mpi/connection.h"

#include "base/buf.h"
#include "base/files/replace.h"
#include "base/hash.h"
#include "base/mem.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers, bytes, texts ---- */

static void reduce(Processes *p, double *values, int count, MPI_Op operation)
{
    MPI_Request request;
    if (connection_is_alone(p)) return;
    MPI_Iallreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, operation, p->all, &request);
    connection_wait(&request, 1);
}

void processes_max(Processes *p, double *values, int count)
{
    reduce(p, values, count, MPI_MAX);
}

void processes_sum(Processes *p, double *values, int count)
{
    reduce(p, values, count, MPI_SUM);
}

void processes_share(Processes *p, void *bytes, size_t size)
{
    MPI_Request request;
    if (connection_is_alone(p)) return;
    MPI_Ibcast(bytes, (int)size, MPI_BYTE, 0, p->all, &request);
    connection_wait(&request, 1);
}

const int *processes_gather(Processes *p, const int *own, size_t size, size_t *count)
{
    *count = size;
    if (connection_is_alone(p)) return own;
    MPI_Request request;
    const size_t all = (size_t)p->count;
    int *length = xcalloc(all, sizeof *length), *at = xcalloc(all + 1, sizeof *at);
    const int own_length = (int)size;
    MPI_Iallgather(&own_length, 1, MPI_INT, length, 1, MPI_INT, p->all, &request);
    connection_wait(&request, 1);
    for (size_t i = 0; i < all; i++) {
        count[i] = (size_t)length[i];
        at[i + 1] = at[i] + length[i];
    }
    p->gathered = grow(p->gathered, &p->gathered_capacity, (size_t)at[all], sizeof *p->gathered);
    MPI_Iallgatherv(own, own_length, MPI_INT, p->gathered, length, at, MPI_INT, p->all, &request);
    connection_wait(&request, 1);
    free(length);
    free(at);
    return p->gathered;
}

/* The texts of a process one after the other, each with its NUL, as so many numbers. */
void processes_collect(Processes *p, char **text, size_t count)
{
    if (connection_is_alone(p)) return;
    const size_t step = (size_t)p->count;
    size_t *numbers = xcalloc(step, sizeof *numbers);
    Buf own = { 0 };
    for (size_t i = (size_t)p->rank; i < count; i += step)
        buf_add(&own, text[i], strlen(text[i]) + 1);
    while (own.length % sizeof(int))
        buf_putc(&own, '\0');
    const int *all = processes_gather(p, (const int *)(const void *)own.text,
                                      own.length / sizeof(int), numbers);
    for (size_t from = 0; from < step; all += numbers[from++]) {
        const char *at = (const char *)all;
        for (size_t i = from; i < count && (int)from != p->rank; i += step) {
            text[i] = xstrdup(at);
            at += strlen(at) + 1;
        }
    }
    buf_free(&own);
    free(numbers);
}

/* ---- agreement ---- */

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
    const uint64_t own = fnv1a64(FNV1A64_START, text, strlen(text));
    uint64_t hash = own;
    char first[201];
    snprintf(first, sizeof first, "%s", text);
    processes_share(p, &hash, sizeof hash);
    processes_share(p, first, sizeof first);
    const int differs = hash != own;
    if (differs)
        err(e, "%s is another here than in process 0: %.200s and not %s; %s", what, text, first,
            advice);
    return processes_agree(p, differs, e);
}
