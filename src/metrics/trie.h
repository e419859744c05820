/* trie.h - a trie whose edges are hashed: exact ids for sequences, one probe a symbol.
 *
 * A node stands for the sequence of symbols on its way from the root. It is the slot of one open-addressing table, and
 * the slot holds nothing but the edge that leads to it: (parent, symbol) in 64 bits. So neither strings nor n-grams are
 * ever stored or compared. The table does not grow: whoever makes it says how many nodes there can be.
 */
#ifndef ATTN_METRICS_TRIE_H
#define ATTN_METRICS_TRIE_H

#include "metrics/symbols.h"

#include <stddef.h>
#include <stdint.h>

enum { TRIE_ROOT = 0 };         /* every other node is from 1 to `slots`; 0 also says: there is none */

typedef struct {
    uint64_t *edge;             /* (slots) 0: free */
    size_t    slots;            /* a power of two, over 4/3 of the nodes */
    int       shift;            /* 64 - log2(slots) */
} Trie;

void trie_init(Trie *trie, size_t most_nodes);
void trie_free(Trie *trie);

uint32_t trie_insert(Trie *trie, uint32_t parent, int32_t symbol);          /* the child, made if it was not there */
uint32_t trie_find(const Trie *trie, uint32_t parent, int32_t symbol);      /* the child, or 0 */

/* A trie of words as a vocabulary: the id of a word is its node. */
uint32_t trie_insert_word(Trie *trie, Word word);
uint32_t trie_find_word(const Trie *trie, Word word);                       /* 0: not in the vocabulary */

/* The words of a line as ids, which replace what `words` holds: the hypothesis makes the vocabulary, and what a
 * reference has beyond it becomes 0. */
void trie_learn_words(Trie *trie, const Symbols *line, Symbols *words);
void trie_find_words(const Trie *trie, const Symbols *line, Symbols *words);

#endif
