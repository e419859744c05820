/* corpus.h - parallel text: sentence pairs from files, the hash split, and pairs as ids.
 *
 * A corpus is one TSV file (source TAB target, further columns ignored) or two line-aligned files; "-", .gz, CRLF and a
 * byte-order mark as in base/file.h, and trailing blanks are normal life too. Lines without a tab, with an empty side,
 * with invalid UTF-8 or too long are counted, reported and skipped; NUL bytes, directories and two files with
 * different numbers of lines are errors.
 */
#ifndef ATTN_TEXT_CORPUS_H
#define ATTN_TEXT_CORPUS_H

#include "base/error.h"
#include "base/hash.h"
#include "text/tokenizer.h"

#include <stddef.h>
#include <stdint.h>

/* Why a line was skipped. */
typedef enum { SKIP_NO_TAB, SKIP_EMPTY, SKIP_INVALID_UTF8, SKIP_TOO_LONG, SKIP_REASONS } SkipReason;
enum { SKIP_EXAMPLES = 3 };

typedef struct {
    const char **source;      /* (count) NUL-terminated, valid UTF-8; as it stands in the file, for corpus_part */
    const char **target;      /* (count) the same, but trailing blanks removed */
    size_t       count;
    long         lines;                                   /* lines read */
    long         skipped[SKIP_REASONS];
    long         skipped_at[SKIP_REASONS][SKIP_EXAMPLES]; /* the first line numbers */
    uint64_t     hash;        /* FNV-1a 64 of all kept pairs, "source TAB target LF", for the model's metadata */
    char       **blocks;      /* private: the text itself */
    size_t       block_count;
} Corpus;

typedef struct {
    int  max_bytes;           /* a longer side is SKIP_TOO_LONG; 0: no limit */
    int  strict;              /* the first line that would be skipped is an error instead: file:line: reason */
    long max_pairs;           /* stop after so many pairs; 0: read all */
} CorpusOptions;

/* corpus_read - second may be NULL (then first is a TSV). A corpus without one usable pair is an error. */
int  corpus_read(Corpus *corpus, const char *first, const char *second, const CorpusOptions *options, Err *e);
void corpus_free(Corpus *corpus);

const char *skip_reason_text(SkipReason reason);          /* "no tab between source and target" */

/* The split is by source sentence, never by line: FNV-1a 64 of its UTF-8 bytes as it stands in the file, modulo 100:
 * 0 test, 1 validation, the rest training. So no source of one part occurs in another. */
typedef enum { PART_TEST, PART_VALID, PART_TRAIN } Part;
Part     corpus_part(const char *source);

/* Sentence pairs as ids, each side one block. Sources end in <eos>; targets end in <eos> and carry no <bos>. */
typedef struct {
    int    *source, *target;            /* ids of all pairs, one after another */
    size_t *source_at, *target_at;      /* (count + 1) where each pair starts */
    size_t  count;
} Pairs;

/* pairs_encode - encodes the chosen pairs (indices into the corpus, `count` of them). A side longer than `limit` ids
 * (with <eos>): the pair is left out and counted in *dropped, or when `truncate` is set cut to `limit` ids, <eos> lost
 * with the rest, as the textbook does. pairs_free releases. */
void pairs_encode(Pairs *pairs, const Corpus *corpus, const size_t *chosen, size_t count,
                  const Tokenizer *source, const Tokenizer *target, int limit, int truncate, long *dropped);
void pairs_free(Pairs *pairs);

#endif
