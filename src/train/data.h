/* data.h - from corpus files to what training needs: the parts, both tokenizers, all pairs as ids.
 *
 * The parts are chosen by a hash of the source's normal form (text/corpus.h), so that anyone can choose the same. A
 * tokenizer may see less than that: with --lowercase no case, as the textbook's no blank before a full stop. Sources
 * that are one to it may so fall to different parts: such a pair of the training part is left out too, so that no
 * source that is held out is trained on. A validation file of one's own takes nothing out of the training part: pairs
 * whose source it has are counted (Examples.validated).
 *
 * Where a source stands there with several translations, the first is the one that a single reference is compared with,
 * and often the plainest; it can be the only one that is learned (or none is, where that one is too long).
 *
 * The files are read once. Training pairs are kept as numbers of words (train/examples.h), validation pairs as text,
 * test pairs not at all.
 */
#ifndef ATTN_TRAIN_DATA_H
#define ATTN_TRAIN_DATA_H

#include "text/corpus.h"
#include "text/segments.h"
#include "train/defaults.h"
#include "train/examples.h"

/* Of a corpus that holds more validation pairs, the first so many are used. */
enum { MOST_VALID = 20000 };

typedef struct {
    BitextFiles    files;
    const char    *valid;               /* a TSV of its own for validation, or NULL: the sources of PART_VALID */
    int            holdout;             /* keep the sources of PART_TEST and (without `valid`) PART_VALID out */
    BitextOptions  cleaning;            /* of `files`; of `valid` only lines with faults are left out */
    size_t         first_only;          /* of so many training sources only the first translation is learned; 0: all are.
                                         * Compared by their hashes (base/hash_set.h) */
    size_t         memory;              /* bytes for training pairs; more of them go to a file in */
    const char    *folder;
    TextOptions    text;
    const Merges  *source_merges, *target_merges;   /* NULL: learn them */
    ExampleOptions examples;
    int            valid_segments;      /* validation sentences kept as text, for BLEU */
    /* called once the files are read, before anything is learned: it may still set `examples` and valid_segments.
     * NULL: they are settled. -1 ends the work */
    int          (*settle)(void *context, const CorpusSize *size, Err *e);
    void          *context;
} DataOptions;

/* Of one part: how often each word of Examples.words occurs on either side. */
typedef struct { long *source, *target; } WordTimes;

typedef struct {
    BitextReport report, valid_report;  /* the second is empty without DataOptions.valid */
    size_t       part[PARTS];           /* pairs in each part */
    size_t       further;               /* translations of the training part left out: not the first of their source */
    TextOptions  learned;               /* DataOptions.text with the size of the vocabulary settled */
    Tokenizer   *source, *target;       /* learned on the training part; who takes them over sets them to NULL; one and
                                         * the same where the vocabulary is shared */
    Examples     train;
    Corpus       valid_corpus;
    Pairs        valid;
    Segments     text;                  /* of valid_corpus */
    double       source_tokens, target_tokens;  /* of the training part, without <eos> */
    double       read_seconds, learn_seconds, encode_seconds;
    double       unknown;               /* share of <unk> among the tokens of the test part; 0 if there is none */
} Data;

/* data_prepare - reads, splits, learns, encodes. data_free releases what a failure left, too.
 * A training part without a single usable pair is an error. */
int  data_prepare(Data *data, const DataOptions *options, Err *e);
void data_free(Data *data);

#endif
