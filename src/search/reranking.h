/* reranking.h - networks that write from right to left choose among the translations that others
 * have found (Liu, Utiyama, Finch and Sumita 2016, "Agreement on Target-bidirectional Neural Machine
 * Translation"; Sennrich, Haddow and Birch 2016, "Edinburgh Neural Machine Translation Systems for
 * WMT 16", section 2.4).
 *
 * A beam's first words were chosen without the last ones; with the other order it is the other way
 * round, so that both rarely prefer the same mistake. With L networks from left to right and R from
 * right to left, which agree on the probability of a translation of n words each (search/scorer.h),
 *
 *   score = (L log P_left + R log P_right) / (L + R) / n^normalize
 */
#ifndef ATTN_SEARCH_RERANKING_H
#define ATTN_SEARCH_RERANKING_H

#include "search/search.h"

/* The networks that search, `left` of them, and those that choose. */
typedef struct {
    const Scorer *scorer;       /* (right) they write from right to left */
    int           right, left;
} Reranker;

/* rerank - sorts what search_run has found by these scores, and sets them; log_probability stays
 * that of the search. found: (count, rules->options->nbest), of the sources; found_count: (count).
 * After a request to stop the order means nothing. */
void rerank(Hypothesis *found, const int *found_count, const Reranker *by, const Sentence *sources,
            int count, const SearchRules *rules, Arena *arena);

/* hypothesis_reverse - the words of a translation that is from right to left, and what is known of
 * each, in the other order. source_length: of its attention; alternatives: of each word. */
void hypothesis_reverse(Hypothesis *h, int source_length, int alternatives);

#endif
