/* translator.h - a model that translates: lines in, translations out, in order.
 *
 * A line is translated in stretches, because a network that learned single sentences drops most of what it is given
 * beyond the first: of one that reaches BLEU 94 on sentences of data/, pairs of them in a line got 38, four 8. So each
 * sentence is a stretch (or with split = 0 the line), and what has more than STRETCH_TOKENS tokens, as many as
 * training takes by default, is cut again (text/sentences.h). No text is left out.
 *
 * What the vocabulary does not hold is copied (translate/copies.h). Only words of the textbook stay <unk>.
 *
 * Stretches are sorted by length into batches and spread over worker threads; the result never depends on how.
 */
#ifndef ATTN_TRANSLATE_TRANSLATOR_H
#define ATTN_TRANSLATE_TRANSLATOR_H

#include "base/error.h"
#include "base/field.h"
#include "base/pool.h"
#include "model/file.h"
#include "text/sentences.h"
#include "translate/search.h"

#include <stddef.h>

enum { STRETCH_TOKENS = 80 };

typedef struct {
    int    beam;            /* 1: greedy */
    int    nbest;           /* hypotheses kept per line, at most `beam` */
    double normalize;       /* scores are divided by length^normalize (0: not at all) */
    int    batch;           /* sentences translated together */
    int    split;           /* translate each sentence of a line by itself */
    int    attention;       /* keep the attention matrices; no option: who needs none saves memory */
} SearchOptions;

extern const Field search_fields[];
SearchOptions search_defaults(void);

/* A part of a line that is translated by itself. */
typedef struct {
    int   *source_ids;          /* (source_length) with <eos> */
    int    source_length;
    Joint  joint;               /* how its translation follows the one before; of the first: JOINT_NONE */
    char **unknown;             /* (unknowns) the text of each <unk> among the ids, in order; kind word: none is kept */
    int    unknowns;
    Found *found;               /* (count) best first; attention only where the options ask for it */
    char **text;                /* (count) what they say, each <unk> replaced by what it copies */
    int    count;               /* 1..nbest */
} Stretch;

/* One translation of a line: the k-th of each stretch, or the last where a stretch has fewer. */
typedef struct {
    char  *text;                /* plain text without a line end of any kind */
    double log_probability;     /* natural, summed over all tokens, each <eos> included */
    double score;               /* mean over the stretches of log_probability / length^normalize: never rises with k */
} Hypothesis;

typedef struct {
    Stretch    *stretch;        /* (stretches) in the order of the line */
    size_t      stretches;      /* 0 for a line without words */
    Hypothesis *hypothesis;     /* (count) best first */
    int         count;          /* 1..nbest; 0 for a line without words */
} Translation;

typedef struct Translator Translator;

/* translator_new - borrows the model and the pool, which must outlive it. */
Translator *translator_new(const Model *model, const SearchOptions *options, Pool *pool);
void        translator_free(Translator *t);

/* translator_run - translates `count` lines (valid UTF-8, NUL-terminated) into out[0..count-1], in order.
 * A line without words (empty, blank, nothing that is seen) gives a translation with count = 0. Time and memory grow
 * with the length of a line, not with its square. Each result is released with translation_free. */
void translator_run(Translator *t, const char *const *lines, size_t count, Translation *out);

/* stretch_found - the part of the line's hypothesis k that translates a stretch. */
const Found *stretch_found(const Stretch *stretch, int k);

/* stretch_lacks - whether its unknown text i is missing in its best translation. */
int stretch_lacks(const Stretch *stretch, int i);
void translation_free(Translation *t);

#endif
