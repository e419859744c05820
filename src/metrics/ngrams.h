/* ngrams.h - how many n-grams of a hypothesis occur in its references; the heart of BLEU and chrF.
 *
 * The n-grams of the hypothesis are the nodes of a trie with a count each. A reference only walks over it: an n-gram
 * that the hypothesis lacks has no node, and neither have its extensions. Time and memory are linear in
 * length times order.
 */
#ifndef ATTN_METRICS_NGRAMS_H
#define ATTN_METRICS_NGRAMS_H

#include "metrics/symbols.h"
#include "metrics/trie.h"

typedef struct Tally Tally;

typedef struct {
    int    order;           /* n-grams of 1..order symbols */
    Trie   trie;
    Tally *tally;           /* (trie.slots) */
} Ngrams;

/* ngrams_init - counts the n-grams of the hypothesis. Symbol 0 stands for what no hypothesis has: it never occurs here
 * and never matches. ngrams_free releases. */
void ngrams_init(Ngrams *ngrams, const Symbols *hypothesis, int order);
void ngrams_free(Ngrams *ngrams);

/* ngrams_match - adds to matched[n - 1] how many n-grams of the hypothesis this reference matches. An n-gram that
 * occurs h times in the hypothesis and r times here is matched min(h, r) times, and what references before this one
 * have matched is not counted again: over all references the sum is min(h, max r), the clipped counts of BLEU.
 * ngrams_forget starts anew. */
void ngrams_match(Ngrams *ngrams, const Symbols *reference, long long *matched);
void ngrams_forget(Ngrams *ngrams);

/* ngrams_total - how many n-grams a sequence of `count` symbols has. */
long long ngrams_total(size_t count, int n);

#endif
