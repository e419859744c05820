/* trie.h - a trie with hashed edges: exact ids for sequences, with one probe for each symbol.
 *
 * A node represents the sequence of symbols on the path from the root. Its id is a slot of one
 * open-addressing table, and the slot holds only the edge that leads to the node: (parent, symbol)
 * in 64 bits. So neither strings nor n-grams are stored or compared. The table does not grow:
 * trie_init takes the largest number of nodes.
 */
#ifndef ATTN_METRICS_TRIE_H
#define ATTN_METRICS_TRIE_H

#include "metrics/symbols.h"

#include <stddef.h>
#include <stdint.h>

enum { TRIE_ROOT = 0 };         /* other nodes are 1..slots; a function returns 0 for no node */

typedef struct {
    uint64_t *edge;             /* (slots) owned; 0: free */
    size_t    slots;            /* a power of two, over 4/3 of the nodes */
    int       shift;            /* 64 - log2(slots) */
} Trie;

void trie_init(Trie *trie, size_t max_nodes);     /* fewer than 2^31 */
void trie_free(Trie *trie);

/* trie_insert - returns the child of `parent`, added where it is new. trie_find - the child, or
 * 0. */
uint32_t trie_insert(Trie *trie, uint32_t parent, int32_t symbol);
uint32_t trie_find(const Trie *trie, uint32_t parent, int32_t symbol);

/* A trie of words is a vocabulary: the id of a word is its node, and 0 is a word that it lacks. */
uint32_t trie_insert_word(Trie *trie, Word word);
uint32_t trie_find_word(const Trie *trie, Word word);

/* trie_insert_words, trie_find_words - replace `words` by the ids of the words of a line: of a
 * hypothesis, which adds its words to the vocabulary, and of a reference, whose other words become
 * 0. */
void trie_insert_words(Trie *trie, const Symbols *line, Symbols *words);
void trie_find_words(const Trie *trie, const Symbols *line, Symbols *words);

#endif
