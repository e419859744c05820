/* ngrams.h - how many n-grams of a hypothesis occur in its references; BLEU and chrF count them.
 *
 * The n-grams of the hypothesis are the nodes of a trie with a count each. The n-grams of a
 * reference are looked up in it: one that the hypothesis lacks has no node, and neither have its
 * extensions. Time and memory are linear in length times order.
 */
#ifndef ATTN_METRICS_NGRAMS_H
#define ATTN_METRICS_NGRAMS_H

#include "metrics/symbols.h"
#include "metrics/trie.h"

typedef struct Tally Tally;

typedef struct {
    int    order;           /* n-grams have 1..order symbols */
    Trie   trie;
    Tally *tally;           /* (trie.slots) */
} Ngrams;

/* ngrams_init - counts the n-grams of the hypothesis. Symbol 0 is reserved for symbols that only
 * references have: it never occurs in the hypothesis and never matches. ngrams_free releases. */
void ngrams_init(Ngrams *ngrams, const Symbols *hypothesis, int order);
void ngrams_free(Ngrams *ngrams);

/* ngrams_match - adds to matched[n - 1] how many n-grams of the hypothesis this reference matches.
 * An n-gram that occurs h times in the hypothesis and r times in the reference is matched min(h, r)
 * times; matches of earlier references are not counted again. Over all references the sum is
 * min(h, max r), the clipped counts of BLEU. ngrams_reset forgets the earlier references. */
void ngrams_match(Ngrams *ngrams, const Symbols *reference, long long *matched);
void ngrams_reset(Ngrams *ngrams);

/* ngrams_total - the number of n-grams in a sequence of `count` symbols. */
long long ngrams_total(size_t count, int n);

#endif
