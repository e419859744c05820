/* store.c - records in memory or in a file, and how they are dealt to shards.
 *
 * Everything is counted in ints. The log holds the records in the order they came: in `block`, and
 * what no longer fits there in a file. Dealing reads the log once, and writes each record to the file of its shard.
 */
#include "text/corpus/store.h"

#include "base/mem.h"
#include "base/random/rng.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEADER = 2, LEAST_BLOCK = 1 << 12 };

struct PairStore {
    const char *folder;
    Portion share;              /* the pairs that are held */
    size_t  added;              /* pairs of all */
    size_t  total;              /* ints of all */
    size_t  most;               /* ints that all may hold in memory */
    size_t  capacity;           /* ints that `block` may hold */
    int    *block;              /* the tail of the log; later the loaded shard */
    size_t  used, allocated;    /* ints of it */
    FILE   *log;                /* or NULL */
    unsigned char *kept;        /* a bit for each pair held: what `keep` said */
    int     shards;
    FILE  **file;               /* (shards) of each; NULL: all is in `block` */
    size_t *size, *count;       /* (shards) ints and records in it */
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
    s->loaded = -1;
    return s;
}

void store_free(PairStore *s)
{
    if (!s) return;
    if (s->log) fclose(s->log);
    for (int i = 0; s->file && i < s->shards; i++)
        if (s->file[i]) fclose(s->file[i]);
    xfree(s->file);
    xfree(s->block);
    xfree(s->kept);
    xfree(s->size);
    xfree(s->count);
    xfree(s->shard.start);
    xfree(s);
}

/* ---- The files ---- */

/* A file without a name; NULL with a message. */
static FILE *open_nameless(const char *folder, Err *e)
{
    const size_t size = strlen(folder) + sizeof "/attn-pairs-XXXXXX";
    SCOPED(xfree_at) char *name = xmalloc(size, 1);
    snprintf(name, size, "%s/attn-pairs-XXXXXX", folder);
    const int fd = mkstemp(name);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w+b");
    if (!file) err(e, "cannot make a file in '%s' for pairs beyond --memory: %s", folder, strerror(errno));
    if (fd >= 0) unlink(name);
    if (fd >= 0 && !file) close(fd);
    return file;
}

static int not_written(const PairStore *s, Err *e)
{
    return err(e, "cannot write the pairs to a file in '%s': %s; raise --memory or make room there",
               s->folder, strerror(errno));
}

static int read_ints(const PairStore *s, FILE *file, int *ints, size_t count, Err *e)
{
    if (fread(ints, sizeof *ints, count, file) == count) return 0;
    return err(e, "cannot read the pairs back from a file in '%s': %s", s->folder,
               ferror(file) ? strerror(errno) : "it has become shorter");
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

/* Moves the block to the end of the file. */
static int spill(PairStore *s, Err *e)
{
    if (!s->log && !(s->log = open_nameless(s->folder, e))) return -1;
    if (fwrite(s->block, sizeof *s->block, s->used, s->log) != s->used) return not_written(s, e);
    s->used = 0;
    return 0;
}

/* Room for `need` ints; unlike base/mem.h's grow it never takes more than the limit for what is
 * below it. */
static void enlarge(PairStore *s, size_t need)
{
    if (need <= s->allocated) return;
    const size_t size = 2 * s->allocated < s->capacity ? 2 * s->allocated : s->capacity;
    s->allocated = need > size ? need : size;
    s->block = xrealloc(s->block, s->allocated, sizeof *s->block);
}

int store_add(PairStore *s, const Record *pair, Err *e)
{
    const size_t source = (size_t)pair->source_count, target = (size_t)pair->target_count, size = HEADER + source + target;
    s->total += size;
    if (s->added++ % (size_t)s->share.workers != (size_t)s->share.worker) return 0;
    if (s->used && s->used + size > s->capacity && spill(s, e)) return -1;
    enlarge(s, s->used + size);
    int *to = s->block + s->used;
    to[0] = pair->source_count;
    to[1] = pair->target_count;
    memcpy(to + HEADER, pair->source, source * sizeof *to);
    memcpy(to + HEADER + source, pair->target, target * sizeof *to);
    s->used += size;
    return 0;
}

/* ---- Dealing ---- */

/* Asks whether the record, which is number `held` of the share, is kept, and notes the answer. */
static int is_kept(PairStore *s, KeepPair *keep, void *context, const int *record, size_t held)
{
    const Record pair = record_at(record);
    if (!keep(context, &pair)) return 0;
    s->kept[held / 8] |= (unsigned char)(1 << held % 8);
    return 1;
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
static void keep_in_memory(PairStore *s, KeepPair *keep, void *context)
{
    size_t to = 0, size, held = 0;
    for (size_t from = 0; from < s->used; from += size) {
        size = record_size(s->block + from);
        if (!is_kept(s, keep, context, s->block + from, held++)) continue;
        memmove(s->block + to, s->block + from, size * sizeof *s->block);
        to += size;
        s->count[0]++;
    }
    s->size[0] = s->used = to;
}

/* Reads the log, record by record into the block, and writes each to the file of its shard. */
static int deal(PairStore *s, KeepPair *keep, void *context, Err *e)
{
    s->file = xcalloc((size_t)s->shards, sizeof *s->file);
    for (int i = 0; i < s->shards; i++)
        if (!(s->file[i] = open_nameless(s->folder, e))) return -1;
    if (fseeko(s->log, 0, SEEK_SET)) return not_written(s, e);
    for (size_t held = 0; held < held_count(s); held++) {
        enlarge(s, HEADER);
        if (read_ints(s, s->log, s->block, HEADER, e)) return -1;
        const size_t size = record_size(s->block);
        enlarge(s, size);
        if (read_ints(s, s->log, s->block + HEADER, size - HEADER, e)) return -1;
        if (!is_kept(s, keep, context, s->block, held)) continue;
        const int shard = shard_of(s, held);
        if (fwrite(s->block, sizeof *s->block, size, s->file[shard]) != size) return not_written(s, e);
        s->size[shard] += size;
        s->count[shard]++;
    }
    for (int i = 0; i < s->shards; i++)
        if (fflush(s->file[i])) return not_written(s, e);
    fclose(s->log);
    s->log = NULL;
    xfree(s->block);                /* a shard is about half as large as the block was */
    s->block = NULL;
    s->allocated = s->used = 0;
    return 0;
}

int store_finish(PairStore *s, KeepPair *keep, void *context, Err *e)
{
    /* Twice as many halves: shards differ in size, and none should be much above the limit. */
    s->shards = s->total <= s->most ? 1 : (int)(2 * s->total / s->most) + 1;
    s->kept = xcalloc(held_count(s) / 8 + 1, 1);
    s->size = xcalloc((size_t)s->shards, sizeof *s->size);
    s->count = xcalloc((size_t)s->shards, sizeof *s->count);
    if (s->log || s->shards > 1) return spill(s, e) || deal(s, keep, context, e) ? -1 : 0;
    keep_in_memory(s, keep, context);
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
        if (s->kept[held / 8] >> held % 8 & 1 && shard_of(s, held) == shard) *number++ = (int)number_of(s, held);
}

const Shard *store_load(PairStore *s, int shard, Err *e)
{
    if (s->loaded == shard) return &s->shard;
    const size_t count = s->count[shard];
    s->loaded = -1;
    if (s->file) {
        enlarge(s, s->size[shard]);
        rewind(s->file[shard]);
        if (read_ints(s, s->file[shard], s->block, s->size[shard], e)) return NULL;
    }
    size_t *start = grow(s->shard.start, &s->start_capacity, count, sizeof *start);
    s->shard = (Shard){ s->block, start, count };
    for (size_t i = 0, at = 0; i < count; at += record_size(s->block + at))
        start[i++] = at;
    s->loaded = shard;
    return &s->shard;
}
