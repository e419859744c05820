/* ngrams.c - counting and clipped matching of n-grams. */
#include "metrics/ngrams.h"

#include "base/mem.h"

#include <stdlib.h>

struct Tally {
    uint32_t count;         /* occurrences in the hypothesis */
    uint32_t seen;          /* occurrences in the current reference so far */
    uint32_t matched;       /* the most that one reference has matched; at most `count` */
};

static size_t order_at(const Ngrams *ngrams, const Symbols *sequence, size_t i)
{
    size_t left = sequence->count - i;
    return left < (size_t)ngrams->order ? left : (size_t)ngrams->order;
}

void ngrams_init(Ngrams *ngrams, const Symbols *hypothesis, int order)
{
    ngrams->order = order;
    trie_init(&ngrams->trie, hypothesis->count * (size_t)order);
    ngrams->tally = xcalloc(ngrams->trie.slots, sizeof *ngrams->tally);
    for (size_t i = 0; i < hypothesis->count; i++) {
        uint32_t node = TRIE_ROOT;
        for (size_t n = 0; n < order_at(ngrams, hypothesis, i); n++) {
            node = trie_insert(&ngrams->trie, node, hypothesis->at[i + n]);
            ngrams->tally[node - 1].count++;
        }
    }
}

void ngrams_free(Ngrams *ngrams)
{
    trie_free(&ngrams->trie);
    free(ngrams->tally);
}

void ngrams_match(Ngrams *ngrams, const Symbols *reference, long long *matched)
{
    for (size_t slot = 0; slot < ngrams->trie.slots; slot++) ngrams->tally[slot].seen = 0;
    for (size_t i = 0; i < reference->count; i++) {
        uint32_t node = TRIE_ROOT;
        for (size_t n = 0; n < order_at(ngrams, reference, i); n++) {
            node = trie_find(&ngrams->trie, node, reference->at[i + n]);
            if (!node) break;
            Tally *tally = &ngrams->tally[node - 1];
            if (++tally->seen > tally->matched && tally->seen <= tally->count) {
                tally->matched++;
                matched[n]++;
            }
        }
    }
}

void ngrams_reset(Ngrams *ngrams)
{
    for (size_t slot = 0; slot < ngrams->trie.slots; slot++) ngrams->tally[slot].matched = 0;
}

long long ngrams_total(size_t count, int n)
{
    return count < (size_t)n ? 0 : (long long)count - n + 1;
}
