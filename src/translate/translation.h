/* translation.h - what was found for a line: its stretches, and whole translations made of theirs.
 *
 * A stretch is a part of a line that is translated by itself: a sentence, or less (translate/translator.h).
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
    int   *given_ids;           /* (given_length) what its translation must begin with */
    int    given_length;
    char **given_unknown;       /* (given_unknowns) the text of each <unk> among these */
    int    given_unknowns;
    Found *found;               /* (count) best first; attention and alternatives only where the options ask for it */
    char **text;                /* (count) what they say, each <unk> replaced by what it copies */
    int    count;               /* 1..nbest */
} Stretch;

/* One translation of a line: the k-th of each stretch, or the last where a stretch has fewer. */
typedef struct {
    char  *text;                /* plain text without a line end of any kind */
    double log_probability;     /* natural, summed over all tokens, each <eos> included; or NaN:
                                   translation_is_void */
    double score;               /* mean over the stretches of log_probability / length^normalize: never rises with k */
} Hypothesis;

typedef struct {
    Stretch    *stretch;        /* (stretches) in the order of the line */
    size_t      stretches;      /* 0 for a line without words */
    Hypothesis *hypothesis;     /* (count) best first */
    int         count;          /* 1..nbest; 0 for a line without words */
} Translation;

/* translation_join - makes the hypotheses from what was found for the stretches. */
void translation_join(Translation *t);
void translation_free(Translation *t);

/* translation_is_void - whether the network overflowed, so that nothing here means anything
 * (translate/search.h). */
int translation_is_void(const Translation *t);

/* stretch_found - the part of the line's hypothesis k that translates a stretch. */
const Found *stretch_found(const Stretch *stretch, int k);

/* stretch_lacks - whether its unknown text i is missing in its best translation. */
int stretch_lacks(const Stretch *stretch, int i);

#endif
