/* segments.h - multi-reference segments: pairs with the same source become one segment with several
 * references, as BLEU wants them. Two sources are the same if their corpus_source_hash is; a
 * segment has the first spelling of its source.
 */
#ifndef ATTN_TEXT_CORPUS_SEGMENTS_H
#define ATTN_TEXT_CORPUS_SEGMENTS_H

#include "text/corpus/corpus.h"

typedef struct {
    const char  **source;           /* (count) distinct, in the order of their first appearance */
    const char ***reference;        /* (count) NULL-terminated lists, in the order of the corpus */
    int          *references;       /* (count) how many */
    size_t        count;
} Segments;

/* segments_init - groups all pairs of the corpus, whose text the segments point into.
 * segments_free - releases them. */
void segments_init(Segments *segments, const Corpus *corpus);
void segments_free(Segments *segments);

/* segments_thin - keeps at most `most` segments, evenly spread over all. */
void segments_thin(Segments *segments, size_t most);

#endif
