/* store.c - records in memory or in a file, and how they are dealt to shards.
 *
 * Everything is counted in ints. The log holds the records in the order they came: in `block`, and
 * what no longer fits there in a file. Dealing reads the log twice, once to learn how large each
 * shard becomes, once to write each record to the region of its shard in a second file.
 */
#include "text/corpus/store.h"

#include "base/mem.h"
#include "base/random/rng.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { HEADER = 2, LEAST_BLOCK = 1 << 12, READ_INTS = 1 << 18 };

struct PairStore {
    const char *folder;
    Portion share;              /* the pairs that are held */
    size_t  added;              /* pairs of all */
    size_t  total;              /* ints of all */
    size_t  most;               /* ints that all may hold in memory */
    size_t  capacity;           /* ints that `block` may hold */
    int    *block;              /* the tail of the log; later the loaded shard */
    size_t  used, allocated;    /* ints of it */
    int     log;                /* file, or -1 */
    size_t  logged;             /* ints in it */
    int     dealt;              /* file with the shards, or -1: all is in `block` */
    unsigned char *kept;        /* a bit for each pair held: what `keep` said */
    int     shards;
    size_t *first, *count;      /* (shards + 1), (shards) ints before it, records in it */
    Shard   shard;              /* the loaded one; its data is `block` */
    size_t  start_capacity;
    int     loaded;             /* its number, or -1 */
};

static size_t at_least_a_block(size_t ints)
{
    return ints > LEAST_BLOCK ? ints : LEAST_BLOCK;
}

PairStore *store_new(size_t memory, const char *folder, Portion share)
{
    PairStore *s = xcalloc(1, sizeof *s);
    s->folder = folder;
    s->share = share;
    s->most = at_least_a_block(memory / sizeof(int) / 6 * 5);
    s->capacity = at_least_a_block(s->most / (size_t)share.workers);
    s->log = s->dealt = s->loaded = -1;
    return s;
}

void store_free(PairStore *s)
{
    if (!s) return;
    if (s->log >= 0) close(s->log);
    if (s->dealt >= 0) close(s->dealt);
    xfree(s->block);
    xfree(s->kept);
    xfree(s->first);
    xfree(s->count);
    xfree(s->shard.start);
    xfree(s);
}

/* ---- The files ---- */

/* A file without a name. */
static int open_nameless(const char *folder, Err *e)
{
    size_t size = strlen(folder) + sizeof "/attn-pairs-XXXXXX";
    char *name = xmalloc(size, 1);
    snprintf(name, size, "%s/attn-pairs-XXXXXX", folder);
    int fd = mkstemp(name);
    if (fd < 0)
        err(e, "cannot make a file in '%s' for pairs beyond --memory: %s", folder, strerror(errno));
    else unlink(name);
    xfree(name);
    return fd;
}

/* Writes or reads a part of a file, all of it. */
static int transfer(const PairStore *s, int fd, int is_write, int *ints, size_t count, size_t at, Err *e)
{
    char *bytes = (char *)ints;
    for (size_t left = count * sizeof *ints, offset = at * sizeof *ints; left;) {
        const ssize_t done = is_write ? pwrite(fd, bytes, left, (off_t)offset) : pread(fd, bytes, left, (off_t)offset);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0 && is_write)
            return err(e, "cannot write the pairs to a file in '%s': %s; raise --memory or make "
                       "room there", s->folder, strerror(done ? errno : ENOSPC));
        if (done <= 0)
            return err(e, "cannot read the pairs back from a file in '%s': %s", s->folder,
                       done ? strerror(errno) : "it has become shorter");
        bytes += done;
        left -= (size_t)done;
        offset += (size_t)done;
    }
    return 0;
}

/* ---- Records ---- */

static size_t record_size(const int *record)
{
    return HEADER + (size_t)record[0] + (size_t)record[1];
}

static Record record_at(const int *record)
{
    return (Record){ record + HEADER, record + HEADER + record[0], record[0], record[1] };
}

Record shard_record(const Shard *shard, size_t i)
{
    return record_at(shard->data + shard->start[i]);
}

static void append(PairStore *s, const Record *pair)
{
    int *to = s->block + s->used;
    *to++ = pair->source_count;
    *to++ = pair->target_count;
    memcpy(to, pair->source, (size_t)pair->source_count * sizeof *to);
    memcpy(to + pair->source_count, pair->target, (size_t)pair->target_count * sizeof *to);
    s->used += HEADER + (size_t)pair->source_count + (size_t)pair->target_count;
}

/* Moves the block to the end of the file. */
static int spill(PairStore *s, Err *e)
{
    if (s->log < 0 && (s->log = open_nameless(s->folder, e)) < 0) return -1;
    if (transfer(s, s->log, 1, s->block, s->used, s->logged, e)) return -1;
    s->logged += s->used;
    s->used = 0;
    return 0;
}

/* Room for `need` ints; unlike base/mem.h's grow it never takes more than the limit for what is
 * below it. */
static void enlarge(PairStore *s, size_t need)
{
    if (need <= s->allocated) return;
    size_t size = 2 * s->allocated < s->capacity ? 2 * s->allocated : s->capacity;
    s->allocated = need > size ? need : size;
    s->block = xrealloc(s->block, s->allocated, sizeof *s->block);
}

int store_add(PairStore *s, const Record *pair, Err *e)
{
    size_t size = HEADER + (size_t)pair->source_count + (size_t)pair->target_count;
    s->total += size;
    if (s->added++ % (size_t)s->share.workers != (size_t)s->share.worker) return 0;
    if (s->used && s->used + size > s->capacity && spill(s, e)) return -1;
    enlarge(s, s->used + size);
    append(s, pair);
    return 0;
}

/* ---- Walking through the log ---- */

typedef struct {
    const PairStore *store;
    int         *buffer;
    size_t       capacity, at, end;         /* ints of the buffer; the next record, the end of what
                                               was read */
    size_t       offset;                    /* in the file, of the buffer's end */
    size_t       number;                    /* of the record last returned, from 0; SIZE_MAX before
                                               the first */
} Walk;

/* Makes sure that `need` ints lie in the buffer, if the file has so many. */
static int fill(Walk *w, size_t need, Err *e)
{
    if (w->end - w->at >= need) return 0;
    if (w->at < w->end) memmove(w->buffer, w->buffer + w->at, (w->end - w->at) * sizeof *w->buffer);
    w->end -= w->at;
    w->at = 0;
    w->buffer = grow(w->buffer, &w->capacity, need > READ_INTS ? need : READ_INTS,
                     sizeof *w->buffer);
    size_t left = w->store->logged - w->offset, room = w->capacity - w->end;
    size_t take = left < room ? left : room;
    if (transfer(w->store, w->store->log, 0, w->buffer + w->end, take, w->offset, e)) return -1;
    w->end += take;
    w->offset += take;
    return 0;
}

/* The next record of the log: 1, 0 at the end, -1. It stays until the next call. */
static int walk(Walk *w, int **record, Err *e)
{
    if (w->at == w->end && w->offset == w->store->logged) return 0;
    if (fill(w, HEADER, e) || fill(w, record_size(w->buffer + w->at), e)) return -1;
    *record = w->buffer + w->at;
    w->at += record_size(*record);
    w->number++;
    return 1;
}

/* ---- Dealing ---- */

typedef struct {
    PairStore *store;
    int  (*keep)(void *context, const Record *pair);
    void  *context;
} Dealer;

/* Asks whether the record, which is number `held` of the share, is kept, and notes the answer. */
static int is_kept(const Dealer *d, const int *record, size_t held)
{
    Record pair = record_at(record);
    if (!d->keep(d->context, &pair)) return 0;
    d->store->kept[held / 8] |= (unsigned char)(1 << held % 8);
    return 1;
}

static int was_kept(const PairStore *s, size_t held)
{
    return s->kept[held / 8] >> held % 8 & 1;
}

/* How many pairs the share has. */
static size_t held_count(const PairStore *s)
{
    const size_t workers = (size_t)s->share.workers;
    return (s->added + workers - 1 - (size_t)s->share.worker) / workers;
}

/* The number of a pair of the share among those of all. */
static size_t number_of(const PairStore *s, size_t held)
{
    return held * (size_t)s->share.workers + (size_t)s->share.worker;
}

static int shard_of(const PairStore *s, size_t held)
{
    return (int)rng_below(rng_key(0, 0, RNG_SHARDS), number_of(s, held), (uint64_t)s->shards);
}

/* All in memory: the block becomes the one shard. */
static void keep_in_memory(const Dealer *d)
{
    PairStore *s = d->store;
    size_t to = 0, size, held = 0;
    for (size_t from = 0; from < s->used; from += size) {
        size = record_size(s->block + from);
        if (!is_kept(d, s->block + from, held++)) continue;
        memmove(s->block + to, s->block + from, size * sizeof *s->block);
        to += size;
        s->count[0]++;
    }
    s->first[1] = s->used = to;
}

static int measure_shards(const Dealer *d, Err *e)
{
    PairStore *s = d->store;
    Walk w = { .store = s, .number = (size_t)-1 };
    int *record;
    int status;
    while ((status = walk(&w, &record, e)) > 0) {
        if (!is_kept(d, record, w.number)) continue;
        int shard = shard_of(s, w.number);
        s->first[shard + 1] += record_size(record);
        s->count[shard]++;
    }
    for (int i = 0; i < s->shards; i++)
        s->first[i + 1] += s->first[i];
    xfree(w.buffer);
    return status;
}

/* What waits to be written to one shard: a part of the block. */
typedef struct { int *ints; size_t used, at; } Outlet;

static int flush(const PairStore *s, Outlet *o, Err *e)
{
    if (transfer(s, s->dealt, 1, o->ints, o->used, o->at, e)) return -1;
    o->at += o->used;
    o->used = 0;
    return 0;
}

static int put(const PairStore *s, Outlet *o, size_t room, int *record, Err *e)
{
    size_t size = record_size(record);
    if (o->used + size > room && flush(s, o, e)) return -1;
    if (size > room) {
        if (transfer(s, s->dealt, 1, record, size, o->at, e)) return -1;
        o->at += size;
        return 0;
    }
    memcpy(o->ints + o->used, record, size * sizeof *record);
    o->used += size;
    return 0;
}

static int write_shards(const Dealer *d, Outlet *outlet, size_t room, Err *e)
{
    const PairStore *s = d->store;
    Walk w = { .store = s, .number = (size_t)-1 };
    int *record;
    int status;
    while ((status = walk(&w, &record, e)) > 0)
        if (was_kept(s, w.number) && put(s, &outlet[shard_of(s, w.number)], room, record, e)) {
            status = -1;
            break;
        }
    xfree(w.buffer);
    for (int i = 0; i < s->shards && !status; i++)
        status = flush(s, &outlet[i], e);
    return status;
}

static int deal(const Dealer *d, Err *e)
{
    PairStore *s = d->store;
    if (measure_shards(d, e) || (s->dealt = open_nameless(s->folder, e)) < 0) return -1;
    Outlet *outlet = xcalloc((size_t)s->shards, sizeof *outlet);
    size_t room = s->allocated / (size_t)s->shards;
    for (int i = 0; i < s->shards; i++)
        outlet[i] = (Outlet){ s->block + (size_t)i * room, 0, s->first[i] };
    int rc = write_shards(d, outlet, room, e);
    xfree(outlet);
    close(s->log);
    s->log = -1;
    xfree(s->block);                    /* a shard is about half as large as the block was */
    s->block = NULL;
    s->allocated = s->used = 0;
    return rc;
}

int store_finish(PairStore *s, int (*keep)(void *context, const Record *pair), void *context,
                 Err *e)
{
    const Dealer dealer = { s, keep, context };
    /* Twice as many halves: shards differ in size, and none should be much above the limit. */
    s->shards = s->total <= s->most ? 1 : (int)(2 * s->total / s->most) + 1;
    s->kept = xcalloc(held_count(s) / 8 + 1, 1);
    s->first = xcalloc((size_t)s->shards + 1, sizeof *s->first);
    s->count = xcalloc((size_t)s->shards, sizeof *s->count);
    if (s->log >= 0 || s->shards > 1) return spill(s, e) || deal(&dealer, e) ? -1 : 0;
    keep_in_memory(&dealer);
    return 0;
}

/* ---- Shards ---- */

size_t store_added(const PairStore *s)
{
    return s->added;
}

size_t store_count(const PairStore *s)
{
    size_t count = 0;
    for (int i = 0; i < s->shards; i++)
        count += s->count[i];
    return count;
}

int store_shards(const PairStore *s)
{
    return s->shards;
}

size_t store_shard_count(const PairStore *s, int shard)
{
    return s->count[shard];
}

void store_numbers(const PairStore *s, int shard, int *number)
{
    for (size_t held = 0; held < held_count(s); held++)
        if (was_kept(s, held) && shard_of(s, held) == shard) *number++ = (int)number_of(s, held);
}

const Shard *store_load(PairStore *s, int shard, Err *e)
{
    if (s->loaded == shard) return &s->shard;
    size_t size = s->first[shard + 1] - s->first[shard], count = s->count[shard];
    s->loaded = -1;
    if (s->dealt >= 0) {
        enlarge(s, size);
        if (transfer(s, s->dealt, 0, s->block, size, s->first[shard], e)) return NULL;
    }
    size_t *start = grow(s->shard.start, &s->start_capacity, count, sizeof *start);
    s->shard = (Shard){ s->block, start, count };
    for (size_t i = 0, at = 0; i < count; at += record_size(s->block + at))
        start[i++] = at;
    s->loaded = shard;
    return &s->shard;
}
