/* corpus.h - sentence pairs kept as text, the hash split, pairs as ids, and sources with several references. */
#ifndef ATTN_TEXT_CORPUS_CORPUS_H
#define ATTN_TEXT_CORPUS_CORPUS_H

#include "base/mem.h"
#include "text/corpus/bitext.h"
#include "text/mask.h"

#include <stddef.h>

/* Pairs as text. Zero-initialise. The text never moves. */
typedef struct {
    const char **source;        /* (count) valid UTF-8; as in the file */
    const char **target;        /* (count) the same without trailing blanks */
    size_t       count;
    size_t       source_capacity, target_capacity;
    Region       text;
} Corpus;

/* corpus_add - copies a pair. */
void corpus_add(Corpus *corpus, Slice source, Slice target);

/* corpus_source_hash - identifies a source sentence: FNV-1a 64 of the UTF-8 bytes of its normal
 * form (words_normalise without lower case). Sources that differ only in blanks, invisible
 * characters or the form of accents are the same. */
uint64_t corpus_source_hash(const char *source, size_t length);

/* The split is by source sentence, never by line: its hash modulo 100 is 0 for test, 1 for
 * validation, another for training. So no source of one part occurs in another. */
typedef enum { PART_TEST, PART_VALID, PART_TRAIN, PARTS } Part;
Part corpus_part(uint64_t hash);

/* corpus_read - the pairs of one part, or of all (-1); a part without pairs is no error. *report
 * counts all pairs. On failure the corpus is empty. */
int  corpus_read(Corpus *corpus, const BitextFiles *files, const BitextOptions *options, int part,
                 BitextReport *report, Err *e);
void corpus_free(Corpus *corpus);

/* Sentence pairs as ids, each side one block. Sources and targets end in <eos>; none has a
 * <bos>. */
typedef struct {
    int    *source, *target;            /* ids of all pairs, one after another */
    size_t *source_at, *target_at;      /* (count + 1) where each pair starts */
    size_t  count;
} Pairs;

/* pairs_encode - encodes all pairs of the corpus. A side of more than `limit` ids (with <eos>) is
 * cut to so many, and loses its <eos>. pairs_free releases. */
void pairs_encode(Pairs *pairs, const Corpus *corpus, Language source, Language target, int limit);
void pairs_free(Pairs *pairs);

/* pairs_right_left - a copy whose targets are reversed (ids_reverse). */
Pairs pairs_right_left(const Pairs *pairs);

/* Pairs with the same source as one segment with several references, as BLEU wants them. Two sources are the same if their
 * corpus_source_hash is; a segment has the first spelling of its source. */
typedef struct {
    const char  **source;           /* (count) distinct, in the order of their first appearance */
    const char ***reference;        /* (count) NULL-terminated lists, in the order of the corpus */
    int          *references;       /* (count) how many */
    size_t        count;
    Region        lists;
} Segments;

/* segments_init - groups all pairs of the corpus, whose text the segments point into.
 * segments_thin - keeps at most `most` segments, evenly spread over all.
 * segments_free - releases them. */
void segments_init(Segments *segments, const Corpus *corpus);
void segments_thin(Segments *segments, size_t most);
void segments_free(Segments *segments);

#endif
