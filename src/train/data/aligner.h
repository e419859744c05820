/* aligner.h - which words of a sentence pair translate each other, learned from pairs alone.
 *
 * IBM's second model (Brown, Della Pietra, Della Pietra and Mercer 1993, "The Mathematics of
 * Statistical Machine Translation: Parameter Estimation", section 4.2) with the prior of Dyer,
 * Chahuneau and Smith 2013, "A Simple, Fast, and Effective Reparameterization of IBM Model 2",
 * equations 1 and 2: word j of m comes from word i of n with a probability of
 *     p(i | j, n, m) = p0 where i is none, else (1 - p0) exp(-lambda d) / Z
 *     p(word j, i) = p(i | j, n, m) t(word j | word i)
 * d = |(i + 1/2) / n - (j + 1/2) / m|, i and j from 0 on, rounded down to 1/256. t is learned by
 * plain expectation maximisation; p0 = 0.08 and lambda = 4, with which their program begins, stay.
 * Either language is aligned with the other, each by a model of its own.
 *
 * Words are numbers from 0 on. What an aligner gives depends on the pairs and their order alone.
 */
#ifndef ATTN_TRAIN_ALIGNER_H
#define ATTN_TRAIN_ALIGNER_H

#include "text/corpus/store.h"

/* Longer sides are neither learned from nor aligned. */
enum { ALIGNER_LONGEST = 64 };

typedef struct Aligner Aligner;

Aligner *aligner_new(void);
void     aligner_free(Aligner *a);

/* aligner_takes - whether a pair is neither too long nor empty. aligner_add - a pair to learn from,
 * which is copied; another is ignored. */
int  aligner_takes(const Record *pair);
void aligner_add(Aligner *a, const Record *pair);

/* aligner_learn - learns from all pairs, once, and forgets them; in one thread if workers is 1. */
void aligner_learn(Aligner *a, int workers);

/* The most probable alignment of a pair, in either direction. */
typedef struct {
    int source[ALIGNER_LONGEST];    /* of each word of the source, the target's word; -1: none */
    int target[ALIGNER_LONGEST];    /* of each word of the target, the source's word; -1: none */
} WordAlignment;

/* aligner_align - returns whether it can: aligner_takes the pair, and something was learned. */
int aligner_align(const Aligner *a, const Record *pair, WordAlignment *alignment);

#endif
