/* trie.c - the table of edges. */
#include "metrics/trie.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

void trie_init(Trie *trie, size_t max_nodes)
{
    assert(max_nodes < (size_t)1 << 31);
    int bits = 4;
    while ((size_t)1 << bits < max_nodes + max_nodes / 3 + 1) bits++;
    trie->slots = (size_t)1 << bits;
    trie->shift = 64 - bits;
    trie->edge = xcalloc(trie->slots, sizeof *trie->edge);
}

void trie_free(Trie *trie)
{
    free(trie->edge);
}

static uint64_t edge_to(uint32_t parent, int32_t symbol)
{
    return (uint64_t)parent << 32 | (uint32_t)symbol;
}

/* The slot that holds the edge, or the free slot where it belongs. Multiplicative hashing (Knuth,
 * The Art of Computer Programming, volume 3, section 6.4): the upper bits of the product depend on
 * all bits of the edge. */
static size_t slot_of(const Trie *trie, uint64_t edge)
{
    size_t slot = edge * 0x9e3779b97f4a7c15u >> trie->shift;
    while (trie->edge[slot] && trie->edge[slot] != edge) slot = (slot + 1) & (trie->slots - 1);
    return slot;
}

uint32_t trie_insert(Trie *trie, uint32_t parent, int32_t symbol)
{
    uint64_t edge = edge_to(parent, symbol);
    size_t slot = slot_of(trie, edge);
    trie->edge[slot] = edge;
    return (uint32_t)slot + 1;
}

uint32_t trie_find(const Trie *trie, uint32_t parent, int32_t symbol)
{
    size_t slot = slot_of(trie, edge_to(parent, symbol));
    return trie->edge[slot] ? (uint32_t)slot + 1 : 0;
}

uint32_t trie_insert_word(Trie *trie, Word word)
{
    uint32_t node = TRIE_ROOT;
    for (size_t i = 0; i < word.count; i++) node = trie_insert(trie, node, word.at[i]);
    return node;
}

uint32_t trie_find_word(const Trie *trie, Word word)
{
    uint32_t node = TRIE_ROOT;
    for (size_t i = 0; i < word.count; i++)
        if (!(node = trie_find(trie, node, word.at[i]))) return 0;
    return node;
}

void trie_insert_words(Trie *trie, const Symbols *line, Symbols *words)
{
    Word word;
    words->count = 0;
    for (size_t from = 0; line_next_word(line, &from, &word);)
        symbols_add(words, (int32_t)trie_insert_word(trie, word));
}

void trie_find_words(const Trie *trie, const Symbols *line, Symbols *words)
{
    Word word;
    words->count = 0;
    for (size_t from = 0; line_next_word(line, &from, &word);)
        symbols_add(words, (int32_t)trie_find_word(trie, word));
}
