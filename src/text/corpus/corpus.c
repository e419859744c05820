/* corpus.c - pairs as text and as ids. */
#include "text/corpus/corpus.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 20, HUNDRED = 100 };

uint64_t corpus_source_hash(const char *source, size_t length)
{
    Buf normal = { 0 };
    words_normalise(source, length, 0, &normal);
    uint64_t hash = fnv1a64(FNV1A64_START, normal.text, normal.length);
    buf_free(&normal);
    return hash;
}

Part corpus_part(uint64_t hash)
{
    uint64_t part = hash % HUNDRED;
    return part == 0 ? PART_TEST : part == 1 ? PART_VALID : PART_TRAIN;
}

/* ---- Text ---- */

/* Copies a text to where it stays. */
static const char *keep(Corpus *c, Slice span)
{
    if (span.length >= c->rest_length) {
        c->rest_length = span.length + 1 > BLOCK ? span.length + 1 : BLOCK;
        c->rest = xmalloc(c->rest_length, 1);
        c->blocks = grow(c->blocks, &c->block_capacity, c->block_count + 1, sizeof *c->blocks);
        c->blocks[c->block_count++] = c->rest;
    }
    char *copy = c->rest;
    memcpy(copy, span.text, span.length);
    copy[span.length] = '\0';
    c->rest += span.length + 1;
    c->rest_length -= span.length + 1;
    return copy;
}

void corpus_add(Corpus *c, Slice source, Slice target)
{
    c->source = grow(c->source, &c->source_capacity, c->count + 1, sizeof *c->source);
    c->target = grow(c->target, &c->target_capacity, c->count + 1, sizeof *c->target);
    c->source[c->count] = keep(c, source);
    c->target[c->count++] = keep(c, target);
}

int corpus_read(Corpus *corpus, const BitextFiles *files, const BitextOptions *options, int part,
                BitextReport *report, Err *e)
{
    *corpus = (Corpus){ 0 };
    Bitext *bitext = bitext_open(files, options, e);
    if (!bitext) return -1;
    Slice source, target;
    int status;
    while ((status = bitext_next(bitext, &source, &target, e)) > 0)
        if (part < 0 || (int)corpus_part(corpus_source_hash(source.text, source.length)) == part)
            corpus_add(corpus, source, target);
    *report = *bitext_report(bitext);
    bitext_close(bitext);
    if (status) corpus_free(corpus);
    return status;
}

void corpus_free(Corpus *corpus)
{
    for (size_t i = 0; i < corpus->block_count; i++)
        xfree(corpus->blocks[i]);
    xfree(corpus->blocks);
    xfree(corpus->source);
    xfree(corpus->target);
    *corpus = (Corpus){ 0 };
}

/* ---- Ids ---- */

static void add_side(const Tokenizer *t, const Words *words, int limit, Ids *ids)
{
    size_t end = ids->count + (size_t)limit;
    tokenizer_encode_words(t, words, ids, NULL);
    ids_add(ids, ID_EOS);
    if (ids->count > end) ids->count = end;
}

void pairs_encode(Pairs *pairs, const Corpus *corpus, Language source, Language target, int limit)
{
    *pairs = (Pairs){ .count = corpus->count,
                      .source_at = xcalloc(corpus->count + 1, sizeof *pairs->source_at),
                      .target_at = xcalloc(corpus->count + 1, sizeof *pairs->target_at) };
    Ids sources = { 0 }, targets = { 0 };
    MaskedLine line = { 0 };
    Words words = { 0 };
    for (size_t i = 0; i < corpus->count; i++) {
        mask_pair(&line, &words, source, target, corpus->source[i], corpus->target[i]);
        add_side(source.tokenizer, &line.words, limit, &sources);
        add_side(target.tokenizer, &words, limit, &targets);
        pairs->source_at[i + 1] = sources.count;
        pairs->target_at[i + 1] = targets.count;
    }
    masked_line_free(&line);
    words_free(&words);
    pairs->source = sources.id;
    pairs->target = targets.id;
}

static void *copy(const void *values, size_t count, size_t size)
{
    void *block = xmalloc(count, size);
    return memcpy(block, values, count * size);
}

Pairs pairs_right_left(const Pairs *pairs)
{
    const size_t count = pairs->count, *at = pairs->target_at;
    Pairs p = { .count = count };
    if (!count) return p;
    p.source_at = copy(pairs->source_at, count + 1, sizeof *p.source_at);
    p.target_at = copy(pairs->target_at, count + 1, sizeof *p.target_at);
    p.source = copy(pairs->source, p.source_at[count], sizeof *p.source);
    p.target = copy(pairs->target, p.target_at[count], sizeof *p.target);
    for (size_t i = 0; i < count; i++)
        ids_reverse(p.target + at[i], at[i + 1] - at[i]);
    return p;
}

void pairs_free(Pairs *pairs)
{
    xfree(pairs->source);
    xfree(pairs->target);
    xfree(pairs->source_at);
    xfree(pairs->target_at);
    *pairs = (Pairs){ 0 };
}
