/* data.h - from corpus files to what training needs: the parts, both tokenizers, all pairs as ids. */
#ifndef ATTN_TRAIN_DATA_H
#define ATTN_TRAIN_DATA_H

#include "text/corpus.h"
#include "text/segments.h"

typedef struct {
    const char   *first, *second;       /* corpus files; second NULL: first is a TSV */
    const char   *valid;                /* a TSV of its own for validation, or NULL: the sources of PART_VALID */
    int           holdout;              /* keep the sources of PART_TEST and (without `valid`) PART_VALID out */
    CorpusOptions corpus;
    TextOptions   text;
    int           max_length, truncate; /* of training pairs, in tokens */
    int           valid_segments;       /* validation sentences kept as text, for BLEU */
} DataOptions;

typedef struct {
    Corpus     corpus, valid_corpus;    /* the second is empty without DataOptions.valid */
    size_t     part[PART_TRAIN + 1];    /* pairs in each part */
    Tokenizer *source, *target;         /* learned on the training part; who takes them over sets them to NULL */
    Pairs      train, valid;
    Segments   text;                    /* validation */
    long       dropped;                 /* training pairs longer than max_length */
} Data;

/* data_read reads the files, data_prepare does the rest; data_free releases what a failure left, too.
 * A training part without a single usable pair is an error. */
int  data_read(Data *data, const DataOptions *options, Err *e);
int  data_prepare(Data *data, const DataOptions *options, Err *e);
void data_free(Data *data);

#endif
