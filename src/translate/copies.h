/* copies.h - which <unk> of the source each <unk> of a translation stands for.
 *
 * A text that the vocabulary does not hold is one <unk> on either side, and is copied: the attention of a written <unk>
 * says from where (the replacement of unknown words by alignment: Luong et al. 2015, "Addressing the Rare Word Problem
 * in Neural Machine Translation", section 3; by attention: Jean et al. 2015, "On Using Very Large Target Vocabulary",
 * section 3.4). Here none is copied twice.
 */
#ifndef ATTN_TRANSLATE_COPIES_H
#define ATTN_TRANSLATE_COPIES_H

#include "translate/search.h"

/* copies_choose - copy: (found->length at most) for each `unknown` among the ids found, in order, the number of the
 * source's `unknown`, from 0, that it attends to most among those that none before it has taken; -1: all are taken.
 * found->attention: (length, source_length). Returns how many. */
int copies_choose(int *copy, const Found *found, const int *source, int source_length, int unknown);

#endif
