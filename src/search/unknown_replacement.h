/* unknown_replacement.h - which word of the source each <unk> of a translation stands for.
 *
 * A text that the vocabulary does not hold is one <unk> on either side and is copied. The attention
 * of a written <unk> says from where (the replacement of unknown words by alignment: Luong et al.
 * 2015, "Addressing the Rare Word Problem in Neural Machine Translation", section 3.3; by
 * attention: Jean et al. 2015, "On Using Very Large Target Vocabulary", section 3.4).
 */
#ifndef ATTN_SEARCH_UNKNOWN_REPLACEMENT_H
#define ATTN_SEARCH_UNKNOWN_REPLACEMENT_H

#include "search/hypothesis.h"

typedef enum {
    COPY_NONE,          /* an <unk> is not replaced */
    COPY_UNKNOWN,       /* from an <unk> of the source; none is copied twice */
    COPY_ANY            /* from any word of the source, as often as it is attended to */
} CopyFrom;

/* unknown_replacement_choose - place: (h->length at most) for each <unk> of the hypothesis, in
 * order, the place in the source that it attends to most among those it may be copied from; -1:
 * there is none. The last word of the source is <eos>, which is never copied. h->attention:
 * (length, source_length); from: not COPY_NONE. Returns the number of <unk>. */
int unknown_replacement_choose(int *place, const Hypothesis *h, const int *source,
                               int source_length, CopyFrom from);

#endif
