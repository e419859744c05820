/* reading.h - the files of a corpus, read once: its words, their counts, and the training pairs as
 * numbers of words.
 *
 * Lines are taken in rounds. What is done to each line alone is done by all workers; what depends on
 * the lines before it (duplicates, the first translation, the numbers of words) is done in the order
 * of the lines. So the result does not depend on the workers.
 */
#ifndef ATTN_TRAIN_READING_H
#define ATTN_TRAIN_READING_H

#include "base/hash_set.h"
#include "train/data/data.h"

typedef struct {
    Data              *data;                /* gets reports, parts, and validation pairs */
    const DataOptions *options;
    PairStore         *store;               /* gets the training pairs */
    StringTable        words;
    WordKinds          kinds;
    WordUses           train, test;         /* (words.count) */
    WordForms          forms;               /* takes over `words` and `kinds` */
    PairSample         sample;              /* of the training pairs, where phrases are learned */
    HashSet            sources;             /* of the training part, with DataOptions.first_only */
    HashSet            held_out, validated; /* source_hash of all pairs that are not trained on, and
                                             * of DataOptions.valid */
} Reading;

/* reading_read - reads all files. -1: a file cannot be read, or the store not be written.
 * reading_free - also after a failure. */
int  reading_read(Reading *r, Err *e);
void reading_free(Reading *r);

#endif
