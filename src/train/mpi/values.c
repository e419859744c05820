/* values.c - numbers, bytes and texts that all processes exchange. */
#include "train/mpi/connection.h"

#include "base/buf.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers and bytes ---- */

/* What they show, in their order. */
static void reduce_here(Processes *p, double *values, size_t count, MPI_Op operation)
{
    notice_show(p, values, count * sizeof *values);
    for (int from = 0; from < p->count; from++) {
        const double *shown = notice_of(p, from);
        for (size_t i = 0; i < count; i++) {
            if (!from) values[i] = shown[i];
            else if (operation == MPI_SUM) values[i] += shown[i];
            else if (shown[i] > values[i]) values[i] = shown[i];
        }
    }
}

static void reduce(Processes *p, double *values, int count, MPI_Op operation)
{
    MPI_Request request;
    if (connection_is_alone(p)) return;
    if (notice_fits(p, (size_t)count * sizeof *values)) {
        reduce_here(p, values, (size_t)count, operation);
        return;
    }
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
    if (notice_fits(p, size)) {
        notice_show(p, bytes, p->rank ? 0 : size);
        if (p->rank) memcpy(bytes, notice_of(p, 0), size);
        return;
    }
    MPI_Ibcast(bytes, (int)size, MPI_BYTE, 0, p->all, &request);
    connection_wait(&request, 1);
}

double processes_last(Processes *p, double value)
{
    MPI_Request request;
    if (connection_is_alone(p)) return value;
    MPI_Ibcast(&value, 1, MPI_DOUBLE, p->count - 1, p->all, &request);
    connection_wait(&request, 1);
    return value;
}

static void gather_counts(Processes *p, int own, int *count)
{
    MPI_Request request;
    if (!notice_fits(p, sizeof own)) {
        MPI_Iallgather(&own, 1, MPI_INT, count, 1, MPI_INT, p->all, &request);
        connection_wait(&request, 1);
        return;
    }
    notice_show(p, &own, sizeof own);
    for (int from = 0; from < p->count; from++)
        memcpy(&count[from], notice_of(p, from), sizeof own);
}

static int all_fit(const Processes *p, const int *count)
{
    int from = 0;
    while (from < p->count && notice_fits(p, (size_t)count[from] * sizeof *p->gathered))
        from++;
    return from == p->count;
}

/* Receives the numbers of all, each so many and at its place. */
static void gather_numbers(Processes *p, const int *own, const int *count, const int *at)
{
    MPI_Request request;
    if (!all_fit(p, count)) {
        MPI_Iallgatherv(own, count[p->rank], MPI_INT, p->gathered, count, at, MPI_INT, p->all,
                        &request);
        connection_wait(&request, 1);
        return;
    }
    notice_show(p, own, (size_t)count[p->rank] * sizeof *own);
    for (int from = 0; from < p->count; from++)
        memcpy(p->gathered + at[from], notice_of(p, from), (size_t)count[from] * sizeof *own);
}

const int *processes_gather(Processes *p, const int *own, size_t size, size_t *count)
{
    *count = size;
    if (connection_is_alone(p)) return own;
    const size_t all = (size_t)p->count;
    int *length = xcalloc(all, sizeof *length), *at = xcalloc(all + 1, sizeof *at);
    gather_counts(p, (int)size, length);
    for (size_t i = 0; i < all; i++) {
        count[i] = (size_t)length[i];
        at[i + 1] = at[i] + length[i];
    }
    p->gathered = grow(p->gathered, &p->gathered_capacity, (size_t)at[all], sizeof *p->gathered);
    gather_numbers(p, own, length, at);
    free(length);
    free(at);
    return p->gathered;
}

/* ---- texts ---- */

/* The texts that this process has set, each with its '\0'. */
static void join_own(const Processes *p, char **text, size_t count, Buf *out)
{
    buf_clear(out);
    for (size_t i = (size_t)p->rank; i < count; i += (size_t)p->count)
        buf_add(out, text[i], strlen(text[i]) + 1);
}

static void split(const Processes *p, int from, const char *joined, char **text, size_t count)
{
    for (size_t i = (size_t)from; i < count; i += (size_t)p->count) {
        text[i] = xstrdup(joined);
        joined += strlen(joined) + 1;
    }
}

static void receive_texts(Processes *p, int from, char **text, size_t count)
{
    MPI_Request request;
    int length;
    MPI_Irecv(&length, 1, MPI_INT, from, 0, p->all, &request);
    connection_wait(&request, 1);
    char *joined = xmalloc((size_t)length + 1, 1);
    MPI_Irecv(joined, length, MPI_CHAR, from, 0, p->all, &request);
    connection_wait(&request, 1);
    split(p, from, joined, text, count);
    free(joined);
}

static void send_texts(Processes *p, char **text, size_t count)
{
    MPI_Request request[2];
    Buf joined = { 0 };
    join_own(p, text, count, &joined);
    const int length = (int)joined.length;
    MPI_Isend(&length, 1, MPI_INT, 0, 0, p->all, &request[0]);
    MPI_Isend(joined.text, length, MPI_CHAR, 0, 0, p->all, &request[1]);
    connection_wait(request, 2);
    buf_free(&joined);
}

void processes_collect(Processes *p, char **text, size_t count)
{
    if (connection_is_alone(p)) return;
    if (p->rank) send_texts(p, text, count);
    else for (int from = 1; from < p->count; from++) receive_texts(p, from, text, count);
}
