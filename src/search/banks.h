/* banks.h - the places of a beam, divided by how many placeholders are written (Post and Vilar 2018, "Fast
 * Lexically Constrained Decoding with Dynamic Beam Allocation for Neural Machine Translation", section 3.2).
 *
 * A hypothesis that writes a placeholder early is less probable than one that puts it off, and a beam that
 * compares both forgets it. So hypotheses with as many placeholders compete among themselves, for a bank of the
 * beam: of a source with C of them, bank k has about beam / (C + 1) places for those with k. What a bank has no
 * hypotheses for goes to its nearest neighbours. The threshold holds within a bank. The paper forces all
 * constraints into every translation; here a placeholder that is less probable than a word drawn from all by
 * chance is not written, since it then stands better behind the sentence than anywhere inside
 * (translate/translation.h).
 */
#ifndef ATTN_SEARCH_BANKS_H
#define ATTN_SEARCH_BANKS_H

#include "search/search_state.h"

/* banks_layout - takes the lists from the arena: none without placeholders, with a beam of one, or where words
 * are drawn. */
void banks_layout(Search *s, Arena *arena);

/* banks_has - whether the places of a sentence are divided. The others below are for such a one. */
int banks_has(const Search *s, int sentence);

/* banks_begin - empties the lists for a step with so many places.
 * banks_offer - adds the words of row i that belong among the best: log P = base + logit; makes the logits of
 * placeholders FORBIDDEN.
 * banks_choose - s->candidates become the best of all banks. */
void banks_begin(Search *s, int sentence, int places);
void banks_offer(Search *s, int i, real *logits, const real *largest, double base);
void banks_choose(Search *s, int sentence);

#endif
