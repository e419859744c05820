/* search.h - beam search over one batch of sources.
 *
 * Every sentence keeps its `beam` most probable unfinished translations. Each step extends all of them at once by
 * every word; of the candidates of a sentence the best stay, those that end in <eos> are finished and give up their
 * place. A sentence leaves the batch when all places are given up, or when no unfinished translation can still beat
 * the ones that will be kept. Beam 1 is greedy search.
 *
 * Translations of different lengths are compared by log P / length^a (Wu et al. 2016, section 7, without the constant
 * 5; a = 1 is the mean per word, Bahdanau et al. 2015). A translation has at most 2 * source length + 10 words.
 */
#ifndef ATTN_TRANSLATE_SEARCH_H
#define ATTN_TRANSLATE_SEARCH_H

#include "base/mem.h"
#include "model/batch.h"
#include "model/net.h"

typedef struct {
    int     *ids;               /* (length) owned; the last is `end` unless the length limit stopped it */
    int      length;
    float   *attention;         /* (length, source_length) owned; NULL: not kept */
    double   log_probability;
    double   score;
} Found;

typedef struct {
    int beam, nbest;
    double normalize;           /* a */
    int begin, end;             /* ids of <bos> and <eos> */
    int unknown;                /* id of <unk> */
    int first_word;             /* ids below this, other than `end` and `unknown`, are never written */
    int copies;                 /* an <unk> stands for one of the source's: no more are written than it has, and where
                                   it has any the attention is kept, to tell which */
    int attention;              /* keep the attention of all */
} SearchRules;

/* search_run - translates `count` sources; found: (count, nbest), best first; how_many: (count) hypotheses found.
 * The arena is this thread's own; it is reserved and reset here. */
void search_run(Found *found, int *how_many, const Net *net, const Weights *w, const Sentence *sources, int count,
                const SearchRules *rules, Arena *arena);

#endif
