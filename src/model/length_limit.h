/* length_limit.h - how many tokens a translation has at most. Corpora differ: numbers in words have
 * some six times the tokens of their digits, most pairs of languages about as many on either side.
 *
 * With x tokens of the source, of training pairs a x + z sqrt(x + 1) tokens of the target are more than
 * 99.9 % have; the spread of a length grows with its square root (Gale and Church 1993, "A Program for
 * Aligning Sentences in Bilingual Corpora", section 3.2). The limit leaves half as much again, and some.
 */
#ifndef ATTN_MODEL_LENGTH_LIMIT_H
#define ATTN_MODEL_LENGTH_LIMIT_H

/* What is learned from the corpus (train/data/lengths.h). A ratio of 0: nothing. */
typedef struct {
    double ratio;       /* a: tokens of the target for each of the source, <eos> among both */
    double spread;      /* z */
} LengthLimit;

/* The most of either in a model file. */
enum { LENGTH_RATIO_MOST = 1000, LENGTH_SPREAD_MOST = 10000 };

/* length_limit_most - tokens of a translation of so many tokens. */
int length_limit_most(LengthLimit limit, int source);

/* length_limit_wider - the larger of each of both; nothing, if one of them is. */
LengthLimit length_limit_wider(LengthLimit one, LengthLimit other);

#endif
