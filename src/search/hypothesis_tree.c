/* hypothesis_tree.c - nodes, and hypotheses read backwards from their last word. */
#include "search/hypothesis_tree.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

int tree_add(HypothesisTree *t, int parent, int id, double log_probability)
{
    t->node = grow(t->node, &t->node_capacity, t->nodes + 1, sizeof *t->node);
    t->node[t->nodes] = (Node){ .parent = parent, .id = id, .log_probability = log_probability,
                                .attention = t->attentions, .alternatives = t->alternatives };
    return (int)t->nodes++;
}

real *tree_add_attention(HypothesisTree *t, int count)
{
    const size_t at = t->attentions;
    t->attentions += (size_t)count;
    t->attention = grow(t->attention, &t->attention_capacity, t->attentions, sizeof *t->attention);
    return t->attention + at;
}

Alternative *tree_add_alternatives(HypothesisTree *t, int count)
{
    const size_t at = t->alternatives;
    t->alternatives += (size_t)count;
    t->alternative = grow(t->alternative, &t->alternative_capacity, t->alternatives,
                          sizeof *t->alternative);
    return t->alternative + at;
}

int tree_last_words(const HypothesisTree *t, int node, int *word, int most)
{
    int count = 0;
    for (; node >= 0 && count < most; node = t->node[node].parent)
        word[count++] = t->node[node].id;
    return count;
}

/* Word number `at` of a hypothesis is that of the node. */
static void fill_word(const HypothesisTree *t, Hypothesis *h, size_t at, const Node *node,
                      size_t width, size_t alternatives)
{
    h->ids[at] = node->id;
    h->log_probabilities[at] =
        node->log_probability - (at ? t->node[node->parent].log_probability : 0);
    for (size_t i = 0; i < width; i++)
        h->attention[at * width + i] = (float)t->attention[node->attention + i];
    if (alternatives)
        memcpy(h->alternatives + at * alternatives, t->alternative + node->alternatives,
               alternatives * sizeof *t->alternative);
}

Hypothesis tree_hypothesis(const HypothesisTree *t, int node, int length, int width,
                           int alternatives)
{
    const size_t words = (size_t)length, columns = (size_t)width, others = (size_t)alternatives;
    Hypothesis h = { .length = length, .log_probability = t->node[node].log_probability };
    h.ids = xmalloc(words, sizeof *h.ids);
    h.log_probabilities = xmalloc(words, sizeof *h.log_probabilities);
    if (width) h.attention = xmalloc(words * columns, sizeof *h.attention);
    if (alternatives) h.alternatives = xmalloc(words * others, sizeof *h.alternatives);
    for (size_t at = words; at-- > 0; node = t->node[node].parent)
        fill_word(t, &h, at, &t->node[node], columns, others);
    return h;
}

void tree_free(HypothesisTree *t)
{
    xfree(t->node);
    xfree(t->attention);
    xfree(t->alternative);
    *t = (HypothesisTree){ 0 };
}
