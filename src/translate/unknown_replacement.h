/* unknown_replacement.h - which word of the source each <unk> of a translation stands for.
 *
 * A text that the vocabulary does not hold is one <unk> on either side, and is copied: the attention of a written <unk>
 * says from where (the replacement of unknown words by alignment: Luong et al. 2015, "Addressing the Rare Word Problem
 * in Neural Machine Translation", section 3.3; by attention: Jean et al. 2015, "On Using Very Large Target Vocabulary",
 * section 3.4).
 */
#ifndef ATTN_TRANSLATE_UNKNOWN_REPLACEMENT_H
#define ATTN_TRANSLATE_UNKNOWN_REPLACEMENT_H

#include "translate/search.h"

typedef enum {
    COPY_UNKNOWN,       /* an <unk> of the source; none is copied twice */
    COPY_ANY            /* any of its words, and as often as it is attended to */
} CopyFrom;

/* unknown_replacement_choose - place: (found->length at most) for each `unknown` among the ids found, in order, the place in the
 * source that it attends to most among those it may be copied from; -1: there is none. The source's last is <eos> and
 * never copied. found->attention: (length, source_length). Returns how many. */
int unknown_replacement_choose(int *place, const Hypothesis *found, const int *source, int source_length, int unknown, CopyFrom from);

#endif
