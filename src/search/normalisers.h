/* normalisers.h - the normalisers of a search: for each row that was extended, the logarithm of the
 * sum of exp of its logits, which log-probabilities are divided by. A normaliser is known within
 * bounds, until somebody wants it exactly; most are never wanted.
 *
 * Log-probabilities of hypotheses are sums of logits, which are exact, less normalisers. What two
 * hypotheses begin with alike does not change which one is more probable: only the normalisers
 * behind that do.
 */
#ifndef ATTN_SEARCH_NORMALISERS_H
#define ATTN_SEARCH_NORMALISERS_H

#include "linalg/screen.h"
#include "search/hypothesis_tree.h"

typedef struct {
    double value, error;        /* that of all logits is at most `error` from it; 0: exact */
    int    is_wanted;           /* it is in Normalisers.wanted */
} Normaliser;

/* The part of a normaliser in how far a difference is off. */
typedef struct {
    int    normaliser;
    double error;
} ErrorPart;

/* All zero: none. The arrays are owned. */
typedef struct {
    int         width;          /* O */
    Normaliser *list;           /* (count) */
    size_t      first;          /* those before have no x: they are exact, or never wanted again */
    real       *x;              /* (count - first, O) the readout's output, which the logits follow
                                   from */
    int        *wanted;         /* (wanted_count) to be computed exactly */
    size_t      count, wanted_count;
    ErrorPart  *part;           /* scratch */
    size_t      capacity, x_capacity, wanted_capacity, part_capacity;
} Normalisers;

/* normalisers_add - adds one that is not known, for x (O), which is copied; returns its number. */
int  normalisers_add(Normalisers *n, const real *x);
void normalisers_free(Normalisers *n);

/* normalisers_are_many - whether the x take so much memory that those of now should be given up:
 * normalisers_forget, once all that may be wanted are exact. normalisers_x - the x of one. */
int         normalisers_are_many(const Normalisers *n);
void        normalisers_forget(Normalisers *n);
const real *normalisers_x(const Normalisers *n, int normaliser);

/* A hypothesis: a word behind a node (or -1), its logit and the normaliser it is divided by. */
typedef struct {
    int    parent, id, normaliser;
    double logit;
} Extension;

/* extension_of - that of a node. */
Extension extension_of(const HypothesisTree *t, int node);

/* extension_log_probability - from those of the nodes and the normaliser as it is known.
 * normalisers_refresh - writes the log-probabilities of a node (or -1) and all nodes before it. */
double extension_log_probability(const Normalisers *n, const HypothesisTree *t, const Extension *e);
void   normalisers_refresh(const Normalisers *n, HypothesisTree *t, int node);

/* A hypothesis of `length` words, whose log-probability counts `share` times. */
typedef struct {
    Extension end;
    int       length;
    double    share;
} Weighed;

/* weighed_error - how far the difference of what two log-probabilities are worth is off at most. */
double weighed_error(const Normalisers *n, const HypothesisTree *t, Weighed a, Weighed b);

/* normalisers_want - wants as few as leave an error below `enough`, or all that make it up; returns
 * 0 if there are none.
 * normalisers_want_all - all of a hypothesis. */
int normalisers_want(Normalisers *n, const HypothesisTree *t, Weighed a, Weighed b, double enough);
int normalisers_want_all(Normalisers *n, const HypothesisTree *t, Extension end);

/* extension_goes_before - whether a is before b, of the same length, in the order of
 * search/top_k.h: the more probable; ties by the order of what they extend, and by word. All is
 * known exactly. */
int extension_goes_before(const Normalisers *n, const HypothesisTree *t, Extension a, Extension b);

#endif
