/* top_k.h - the best words of a row of logits, and one drawn by chance. */
#ifndef ATTN_SEARCH_TOP_K_H
#define ATTN_SEARCH_TOP_K_H

#include "base/real.h"

#include <stdint.h>

/* A word that could follow a row. */
typedef struct {
    double log_probability;     /* of all words up to this one */
    int    row, id;
} Candidate;

/* Best first: the more probable; ties by row and word, so that the order never depends on
 * chance. */
typedef struct {
    Candidate *candidate;       /* (most) */
    int        count, most;
} Candidates;

/* The logit of a word that must not follow: finite, so that differences of two are numbers. */
#define FORBIDDEN ((real)-1e30)

/* The logits of one row; largest holds the greatest of each VECTOR_BLOCK of them, or more. */
typedef struct {
    const real *logit;          /* (V) */
    const real *largest;        /* (ceil(V / VECTOR_BLOCK)) */
    int         V;
} LogitRow;

/* candidates_add - adds one if it belongs among the best. */
void candidates_add(Candidates *list, Candidate c);

/* candidates_offer - adds the words of a row that belong among the best: log P = base + logit.
 * Whole blocks that can't are passed over, so that the time is little more than one look at each
 * block. */
void candidates_offer(Candidates *list, const LogitRow *words, int row, double base);

/* candidates_prune - removes those by more than `threshold` below number nbest, from 1. */
void candidates_prune(Candidates *list, int nbest, double threshold);

/* How a word is drawn (--sample). */
typedef struct {
    double temperature;         /* p is proportional to exp(logit / temperature) */
    int    top_k;               /* only from the k most probable (Fan, Lewis and Dauphin 2018);
                                   0: from all */
    double top_p;               /* only from the fewest, at least one, that have so much probability
                                   together (Holtzman et al. 2020) */
} Sampling;

/* sample_word - a word drawn from softmax(logit / temperature), cut as `how` says: to top_k first,
 * then to top_p of what is left. Words as probable as the last one that stays, stay. uniform: a
 * random number in [0, 1); p: scratch (V). At least one logit isn't forbidden. */
int sample_word(const real *logit, real *p, int V, const Sampling *how, double uniform);

#endif
