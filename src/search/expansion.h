/* expansion.h - the words that could follow the hypotheses of a search. */
#ifndef ATTN_SEARCH_EXPANSION_H
#define ATTN_SEARCH_EXPANSION_H

#include "search/search_state.h"

/* expansion_begin - empties the lists that a step fills. */
void expansion_begin(Search *s);

/* forbidden_after - the words that must not follow a row; forbid - makes their logits FORBIDDEN. */
ForbiddenWords forbidden_after(const Search *s, const Row *row);
void           forbid(const Search *s, const Row *row, real *logits);

/* prefix_word - the word of the prefix of a row at a position; -1: behind the prefix. */
int prefix_word(const Search *s, const Row *row, int position);

/* give_up - row i has no numbers to choose a word by: its sentence gets <eos> and no other
 * candidate. */
void give_up(Search *s, int i);

/* expand_rows - fills s->candidates and s->alternatives after a step of the scorers. position: of
 * the words to be written, from 0. A sentence with a row that has no numbers gets one candidate,
 * <eos> with the log-probability NaN, and loses its finished hypotheses. */
void expand_rows(Search *s, int position);

#endif
