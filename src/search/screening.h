/* screening.h - the candidates of a step in beam search that defers normalisers: the words that may
 * be among the best of their sentence, by bounds of all logits (linalg/screen.h), and are within the
 * threshold, by the logits in 8 bits; with exact logits.
 */
#ifndef ATTN_SEARCH_SCREENING_H
#define ATTN_SEARCH_SCREENING_H

#include "search/search_state.h"

/* screening_collect - fills the entries and opens the choices of s->deferral after a step of the
 * scorers, each sentence's in the order of its rows; bounds the normalisers of all rows. A sentence
 * with a row that has no numbers is given up. length: words with the one that is chosen. */
void screening_collect(Search *s, int length);

/* candidate_weighed - a candidate as a hypothesis of `length` words. candidate_estimate - its
 * log-probability, by the normalisers as they are known. */
Weighed candidate_weighed(const Search *s, const Candidate *c, int length);
double  candidate_estimate(const Search *s, const Candidate *c);

#endif
