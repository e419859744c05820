/* hypothesis_tree.h - all words that a search has written. Each word is a node and the words before
 * it are its ancestors, so that hypotheses share the words that they begin with.
 */
#ifndef ATTN_SEARCH_HYPOTHESIS_TREE_H
#define ATTN_SEARCH_HYPOTHESIS_TREE_H

#include "base/real.h"
#include "search/hypothesis.h"

#include <stddef.h>

typedef struct {
    int    parent;              /* node, or -1 */
    int    id;
    double log_probability;     /* of all words up to this one */
    size_t attention;           /* where its row of attention begins in HypothesisTree.attention */
    size_t alternatives;        /* where its alternatives begin in HypothesisTree.alternative */
} Node;

/* All zero: an empty tree. The arrays are owned. */
typedef struct {
    Node        *node;
    real        *attention;
    Alternative *alternative;
    size_t       nodes, attentions, alternatives;
    size_t       node_capacity, attention_capacity, alternative_capacity;
} HypothesisTree;

/* tree_add - adds a word behind the node `parent` and returns its node. */
int tree_add(HypothesisTree *t, int parent, int id, double log_probability);

/* tree_add_attention, tree_add_alternatives - the room for the attention (count) or the
 * alternatives (count) of the node that was added last; valid until the next call. The caller fills
 * it. */
real        *tree_add_attention(HypothesisTree *t, int count);
Alternative *tree_add_alternatives(HypothesisTree *t, int count);

/* tree_last_words - the word of a node and the words before it, latest first, at most `most`; node
 * -1: none. Returns how many. */
int tree_last_words(const HypothesisTree *t, int node, int *word, int most);

/* tree_hypothesis - the hypothesis of `length` words that ends in a node; its score is left 0.
 * width: length of its rows of attention, 0: they were not kept; alternatives: kept for each
 * word. */
Hypothesis tree_hypothesis(const HypothesisTree *t, int node, int length, int width,
                           int alternatives);

void tree_free(HypothesisTree *t);

#endif
