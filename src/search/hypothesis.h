/* hypothesis.h - a translation that a search found for one source, as ids.
 *
 * While a search runs, hypotheses are a tree: each word is a node that points to the word before
 * it, so that they share the words that they begin with. A text that the vocabulary does not hold
 * is one <unk> on either side and is copied: the attention of a written <unk> says from where (the
 * replacement of unknown words by alignment: Luong et al. 2015, "Addressing the Rare Word Problem
 * in Neural Machine Translation", section 3.3; by attention: Jean et al. 2015, "On Using Very Large
 * Target Vocabulary", section 3.4).
 */
#ifndef ATTN_SEARCH_HYPOTHESIS_H
#define ATTN_SEARCH_HYPOTHESIS_H

#include "base/mem.h"

/* A word that could stand at a position, and its probability behind the words before it. */
typedef struct {
    int    id;
    double log_probability;
} Alternative;

/* Where the network overflows, the logits of a word are no numbers. The sentence then has a single
 * hypothesis, whose log_probability and score are NaN. */
typedef struct {
    int          length;
    int         *ids;               /* (length) the last is <eos> unless the length limit ended the
                                       search */
    double      *log_probabilities; /* (length) of each word behind the words before it */
    float       *attention;         /* (length, source_length); NULL: not kept */
    Alternative *alternatives;      /* (length, SearchOptions.alternatives) the most probable words
                                       at each position, best first; NULL: not kept */
    double       log_probability;   /* the sum */
    double       score;             /* log_probability / length^normalize; of networks of both
                                       directions, what they agree on (search/search.h) */
} Hypothesis;

/* hypothesis_is_finished - whether it ends in <eos>: not where the limit of the length has ended
 * it. */
int hypothesis_is_finished(const Hypothesis *h);
int hypothesis_same_ids(const Hypothesis *a, const Hypothesis *b);

/* hypothesis_reverse - the words in the other order, but for a last <eos>, and with each what is
 * known of it. source_length: of its attention; alternatives: of each word. */
void hypothesis_reverse(Hypothesis *h, int source_length, int alternatives);

/* hypothesis_copy - the same in a region; without attention where source_length is 0. */
Hypothesis hypothesis_copy(const Hypothesis *h, int source_length, int alternatives,
                           Region *region);

typedef struct Node {
    const struct Node *parent;      /* the word before; NULL: none */
    int                id;
    double             log_probability; /* of all words up to this one */
    const real        *attention;   /* (source_length), or NULL */
    const Alternative *alternatives;
} Node;

/* hypothesis_of - the `length` words that end in a node; its score is left 0. source_length: 0
 * where attention was not kept; alternatives: of each word. */
Hypothesis hypothesis_of(const Node *node, int length, int source_length, int alternatives,
                         Region *region);

typedef enum {
    COPY_NONE,          /* an <unk> is not replaced */
    COPY_UNKNOWN,       /* from an <unk> of the source; none is copied twice */
    COPY_ANY            /* from any word of the source, as often as it is attended to */
} CopyFrom;

/* unknown_replacements - for each <unk> of the hypothesis, in order, the place in the source that
 * it attends to most among those it may be copied from; -1: there is none. The last word of the
 * source is <eos>, which is never copied. The hypothesis has its attention; from: not COPY_NONE. */
const int *unknown_replacements(const Hypothesis *h, const int *source, int source_length,
                                CopyFrom from, Region *region);

#endif
