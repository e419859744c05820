/* translation.h - what was found for a line: its chunks, and whole translations made of theirs.
 *
 * A chunk is a part of a line that is translated by itself: a sentence, or less (translate/translator.h).
 */
#ifndef ATTN_TRANSLATE_TRANSLATION_H
#define ATTN_TRANSLATE_TRANSLATION_H

#include "text/sentences.h"
#include "translate/search.h"

#include <stddef.h>

typedef struct {
    int   *source_ids;          /* (source_length) with <eos> */
    int    source_length;
    Joint  joint;               /* how its translation follows the one before; of the first: JOINT_NONE */
    char **unknown;             /* (unknowns) the text of each <unk> among the ids, in order; kind word: kept only where
                                   unknown words are replaced */
    int    unknowns;
    int   *prefix_ids;           /* (prefix_length) what its translation must begin with */
    int    prefix_length;
    char **prefix_unknown;       /* (prefix_unknowns) the text of each <unk> among these */
    int    prefix_unknowns;
    Hypothesis *found;               /* (count) best first; attention and alternatives only where the options ask for it */
    char **text;                /* (count) what they say, each <unk> replaced by what it copies */
    int    count;               /* 1..nbest */
} Chunk;

/* One translation of a line: the k-th of each chunk, or the last where a chunk has fewer. */
typedef struct {
    char  *text;                /* plain text without a line end of any kind */
    double log_probability;     /* natural, summed over all tokens, each <eos> included; or NaN:
                                   translation_is_void */
    double score;               /* mean over the chunks of log_probability / length^normalize: never rises with k */
} TranslatedText;

typedef struct {
    Chunk    *chunk;        /* (chunks) in the order of the line */
    size_t      chunks;      /* 0 for a line without words */
    TranslatedText *hypothesis;     /* (count) best first */
    int         count;          /* 1..nbest; 0 for a line without words */
} Translation;

/* translation_join - makes the hypotheses from what was found for the chunks. */
void translation_join(Translation *t);
void translation_free(Translation *t);

/* translation_is_void - whether the network overflowed, so that nothing here means anything
 * (translate/search.h). */
int translation_is_void(const Translation *t);

/* chunk_hypothesis - the part of the line's hypothesis k that translates a chunk. */
const Hypothesis *chunk_hypothesis(const Chunk *chunk, int k);

/* chunk_lacks - whether its unknown text i is missing in its best translation. */
int chunk_lacks(const Chunk *chunk, int i);

#endif
