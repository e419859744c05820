/* both_directions.h - networks that write from left to right and others that write from right to left
 * agree on a translation (Liu, Utiyama, Finch and Sumita 2016, "Agreement on Target-bidirectional
 * Neural Machine Translation", section 3; Sennrich, Haddow and Birch 2016, "Edinburgh Neural Machine
 * Translation Systems for WMT 16", section 2.4).
 *
 * A beam chooses the first words of a translation without the last ones, and with the other order it
 * is the other way round: both rarely prefer the same mistake. So each direction searches by itself,
 * and gives what the other one found a probability. With L networks from left to right and R from
 * right to left, each direction an ensemble (search/scorer.h), a translation of n words has
 *
 *   score = (L log P_left + R log P_right) / (L + R) / n^normalize
 */
#ifndef ATTN_SEARCH_BOTH_DIRECTIONS_H
#define ATTN_SEARCH_BOTH_DIRECTIONS_H

#include "search/search.h"

typedef struct {
    const Scorer *left, *right;     /* (lefts), (rights) they write from left to right, and from right
                                     * to left */
    int           lefts, rights;
} BothDirections;

/* search_both_directions - as search_run, for options without sampling. Probabilities and attention
 * are those of the networks from left to right, only the score is of all. From right to left nothing
 * is searched where a source has a prefix. */
void search_both_directions(Hypothesis *best, int *best_count, const BothDirections *networks,
                            const Sentence *sources, int count, const SearchRules *rules,
                            Arena *arena);

/* hypothesis_reverse - the words of a translation that is from right to left, and what is known of
 * each, in the other order. source_length: of its attention; alternatives: of each word. */
void hypothesis_reverse(Hypothesis *h, int source_length, int alternatives);

#endif
