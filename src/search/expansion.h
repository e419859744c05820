/* expansion.h - the words that could follow the hypotheses of a search. */
#ifndef ATTN_SEARCH_EXPANSION_H
#define ATTN_SEARCH_EXPANSION_H

#include "search/search_state.h"

/* expand_rows - fills s->candidates and s->alternatives after a step of the scorers. position: of
 * the words to be written, from 0. A sentence with a row that has no numbers gets one candidate,
 * <eos> with the log-probability NaN, and loses its finished hypotheses. */
void expand_rows(Search *s, int position);

#endif
