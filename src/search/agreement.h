/* agreement.h - networks that write from left to right and others that write from right to left
 * agree on a translation (Liu, Utiyama, Finch and Sumita 2016, "Agreement on Target-bidirectional
 * Neural Machine Translation", section 3; Sennrich, Haddow and Birch 2016, "Edinburgh Neural
 * Machine Translation Systems for WMT 16", section 2.4).
 *
 * A beam chooses the first words of a translation without the last ones, and with the other order
 * it is the other way round: both rarely prefer the same mistake. So each direction searches by
 * itself, and gives a probability to what the other one found. With L networks from left to right
 * and R from right to left, each direction an ensemble (search/scorer.h), a translation of n words
 * has
 *
 *   score = (L log P_left-to-right + R log P_right-to-left) / (L + R) / n^normalize
 *
 * Where the networks from right to left have no number for a translation, the others decide alone.
 */
#ifndef ATTN_SEARCH_AGREEMENT_H
#define ATTN_SEARCH_AGREEMENT_H

#include "search/search.h"

typedef enum { LEFT_TO_RIGHT, RIGHT_TO_LEFT, DIRECTIONS } Direction;

/* The networks of each direction, at least one. */
typedef struct {
    const Scorer *scorer[DIRECTIONS];
    int           count[DIRECTIONS];
} DirectedScorers;

/* search_agreed - as search_run, for options with a beam and without sampling or `extra`.
 * Probabilities of words, log_probability, attention and alternatives are those of the networks
 * from left to right; only the score is of all. Where a source has a prefix, no network searches
 * from right to left. */
Found search_agreed(const DirectedScorers *networks, const Sentence *sources, int count,
                    const SearchRules *rules, SearchMemory *memory);

#endif
