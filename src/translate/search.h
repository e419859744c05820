/* search.h - beam search over one batch of sources; greedy search, sampling and scoring are cases of it.
 *
 * Every sentence keeps its `beam` most probable unfinished translations. Each step extends all of them at once by
 * every word; of the candidates of a sentence the best stay, those that end in <eos> are finished and give up their
 * place. A sentence leaves the batch when all places are given up, or when no unfinished translation can still beat
 * the ones that will be kept. Beam 1 is greedy search.
 *
 * Translations of different lengths are compared by log P / length^a (Wu et al. 2016, section 7, without the constant
 * 5; a = 1 is the mean per word, Bahdanau et al. 2015). A translation has at most `ratio` * source length + 10 words
 * behind those that it was given.
 *
 * Prefix words. A source's `target` is what its translation must begin with; the network's own choice begins behind it.
 * A target that ends in <eos> leaves none: what is found is this target, with its probability.
 *
 * Sampling. Each place draws words of its own until it is finished, by random numbers that depend on nothing but the
 * seed, the number of the sentence, the place and the position.
 *
 * Loops. A network may fall into repeating the same words for ever. A word that would end one more than `repeats`
 * successive occurrences of the same one to eight words is not written, unless some words of the source follow
 * themselves as often (1000000000, ha ha ha ha ha). Paulus, Xiong and Socher (2018, section 2.5) let no three words
 * occur twice anywhere: that hurts what is right, this only what is a loop. <unk> is excepted: it stands for any word.
 */
#ifndef ATTN_TRANSLATE_SEARCH_H
#define ATTN_TRANSLATE_SEARCH_H

#include "base/mem.h"
#include "model/batch.h"
#include "translate/top_k.h"
#include "translate/scorer.h"

#include <stdatomic.h>
#include <stdint.h>

/* FORBIDDEN_MOST: words that a row may not write, of which those below first_word are at most the rest. */
enum { LONGEST_LOOP = 8, REPEATS_MOST = 100, FORBIDDEN_MOST = LONGEST_LOOP + 8 };

/* A word and how probable it is behind the words before it. */
typedef struct {
    int    id;
    double log_probability;
} Choice;

/* Where the network overflows, so that a word is to be chosen by what is no number, nothing else is
 * found for the sentence than one translation whose log_probability and score are NaN. */
typedef struct {
    int     length;
    int    *ids;                /* (length) owned; the last is `end` unless the length limit stopped it */
    double *log_probabilities;  /* (length) owned: of each word behind the words before it */
    float  *attention;          /* (length, source_length) owned; NULL: not kept */
    Choice *alternatives;       /* (length, alternatives) owned: the most probable words at each position, best first;
                                   NULL: not asked for */
    double  log_probability;    /* the sum */
    double  score;
} Hypothesis;

typedef struct {
    int beam, nbest;            /* sampling: as many as there are places, both */
    double normalize;           /* a */
    double ratio;               /* most words for each of the source's */
    int begin, end;             /* ids of <bos> and <eos> */
    int unknown;                /* id of <unk> */
    int first_word;             /* ids below this, other than `end` and `unknown`, are never written; at most 8 */
    int copies;                 /* an <unk> stands for one of the source's: no more are written than it has, and where
                                   it has any the attention is kept, to tell which */
    int attention;              /* keep the attention of all */
    int alternatives;           /* most words told for each position, fewer than the vocabulary has */
    int repeats;                /* 0: any number */
    int scoreless;              /* nobody asks for probabilities: greedy search leaves them out, and tells 0 */
    int sample;                 /* draw the words, as `sampling` says */
    Sampling sampling;
    uint64_t seed;
    const atomic_int *stop;     /* once it is not 0 no further step is begun; NULL: never */
    uint64_t first;             /* sentence `number` is number first + number of all that this seed draws for */
} SearchRules;

/* search_is_greedy - whether nothing is asked for but the best word of each row: then a member may have a
 * pruned argmax, and no more logits are computed than that takes. What is found is the same. */
int search_is_greedy(const SearchRules *rules);

/* search_run - translates `count` sources with an ensemble of one or more; found: (count, nbest), best first;
 * how_many: (count) hypotheses found; where the search was stopped there may be none. The arena is this thread's own;
 * it is reserved and reset here. */
void search_run(Hypothesis *found, int *how_many, const Scorer *member, int members, const Sentence *sources, int count,
                const SearchRules *rules, Arena *arena);

/* search_stopped - whether somebody has asked for it to end. */
int  search_stopped(const SearchRules *rules);

void hypothesis_free(Hypothesis *found);

#endif
