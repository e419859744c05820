/* symbols.c - Python's string methods on code points, the ids of words, and clipped matches of
 * n-grams. */
#include "metrics/symbols.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Nearly all characters are printable ASCII, which needs no look-up in the tables of Unicode. */
static inline int is_blank(int32_t c)
{
    return c == ' ' || ((c < ' ' || c >= 0x7f) && unicode_is_space(c));
}

void symbols_add(Symbols *s, int32_t symbol)
{
    s->at = grow(s->at, &s->capacity, s->count + 1, sizeof *s->at);
    s->at[s->count++] = symbol;
}

void symbols_free(Symbols *s)
{
    xfree(s->at);
    *s = (Symbols){ 0 };
}

int32_t *symbols_reserve(Symbols *s, size_t count)
{
    s->at = grow(s->at, &s->capacity, count, sizeof *s->at);
    s->count = 0;
    return s->at;
}

void line_read(Symbols *line, const char *text)
{
    int32_t *to = symbols_reserve(line, strlen(text) + 1);
    while (*text) *to++ = unicode_next(&text);
    line->count = (size_t)(to - line->at);
}

/* Whether the sigma at i ends a word: the condition Final_Sigma of The Unicode Standard, section
 * 3.13. With case-ignorable characters skipped, a cased character precedes it and none follows
 * it. */
static int is_final(const Symbols *line, size_t i)
{
    size_t before = i, after = i + 1;
    while (before > 0 && unicode_is_case_ignorable(line->at[before - 1])) before--;
    while (after < line->count && unicode_is_case_ignorable(line->at[after])) after++;
    int cased_after = after < line->count && unicode_is_cased(line->at[after]);
    return before > 0 && unicode_is_cased(line->at[before - 1]) && !cased_after;
}

void line_lower(Symbols *line)
{
    enum { CAPITAL_SIGMA = 0x3a3, FINAL_SIGMA = 0x3c2 };
    enum { CAPITAL_I_WITH_DOT = 0x130, DOT_ABOVE = 0x307 };
    Symbols lower = { 0 };
    int32_t *to = symbols_reserve(&lower, 2 * line->count);
    for (size_t i = 0; i < line->count; i++) {
        int32_t c = line->at[i];
        if (c == CAPITAL_I_WITH_DOT) {              /* the one character whose lower case is two */
            *to++ = 'i';
            *to++ = DOT_ABOVE;
        } else {
            *to++ = c == CAPITAL_SIGMA && is_final(line, i) ? FINAL_SIGMA : unicode_lower(c);
        }
    }
    lower.count = (size_t)(to - lower.at);
    symbols_free(line);
    *line = lower;
}

void line_strip_left(Symbols *line)
{
    size_t blanks = 0;
    while (blanks < line->count && is_blank(line->at[blanks])) blanks++;
    line->count -= blanks;
    if (blanks) memmove(line->at, line->at + blanks, line->count * sizeof *line->at);
}

void line_strip_right(Symbols *line)
{
    while (line->count > 0 && is_blank(line->at[line->count - 1])) line->count--;
}

void line_remove_blanks(Symbols *line)
{
    size_t kept = 0;
    for (size_t i = 0; i < line->count; i++)
        if (!is_blank(line->at[i])) line->at[kept++] = line->at[i];
    line->count = kept;
}

void line_join_words(Symbols *line)
{
    size_t kept = 0;
    Word word;
    for (size_t from = 0; line_next_word(line, &from, &word); kept += word.count) {
        if (kept) line->at[kept++] = ' ';       /* there was at least one blank between the words */
        memmove(line->at + kept, word.at, word.count * sizeof *line->at);
    }
    line->count = kept;
}

int line_next_word(const Symbols *line, size_t *from, Word *word)
{
    size_t start = *from;
    if (start >= line->count) return 0;     /* an empty line has no array to point into */
    while (start < line->count && is_blank(line->at[start])) start++;
    size_t end = start;
    while (end < line->count && !is_blank(line->at[end])) end++;
    *from = end;
    *word = (Word){ line->at + start, end - start };
    return end > start;
}

/* ---- the trie: a table of edges ---- */

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
    xfree(trie->edge);
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

/* The child of `parent`, added where it is new. */
static uint32_t insert(Trie *trie, uint32_t parent, int32_t symbol)
{
    const uint64_t edge = edge_to(parent, symbol);
    const size_t slot = slot_of(trie, edge);
    trie->edge[slot] = edge;
    return (uint32_t)slot + 1;
}

/* The child, or 0. */
static uint32_t find(const Trie *trie, uint32_t parent, int32_t symbol)
{
    const size_t slot = slot_of(trie, edge_to(parent, symbol));
    return trie->edge[slot] ? (uint32_t)slot + 1 : 0;
}

uint32_t trie_word(Trie *trie, int adds, Word word)
{
    uint32_t node = TRIE_ROOT;
    for (size_t i = 0; i < word.count; i++) {
        node = adds ? insert(trie, node, word.at[i]) : find(trie, node, word.at[i]);
        if (!node) return 0;
    }
    return node;
}

void trie_words(Trie *trie, int adds, const Symbols *line, Symbols *words)
{
    Word word;
    words->count = 0;
    for (size_t from = 0; line_next_word(line, &from, &word);)
        symbols_add(words, (int32_t)trie_word(trie, adds, word));
}

/* ---- n-grams ---- */

static size_t order_at(const Ngrams *ngrams, const Symbols *sequence, size_t i)
{
    const size_t left = sequence->count - i;
    return left < (size_t)ngrams->order ? left : (size_t)ngrams->order;
}

void ngrams_init(Ngrams *ngrams, const Symbols *hypothesis, int order)
{
    ngrams->order = order;
    trie_init(&ngrams->trie, hypothesis->count * (size_t)order);
    ngrams->count = xcalloc(ngrams->trie.slots, sizeof *ngrams->count);
    for (size_t i = 0; i < hypothesis->count; i++) {
        uint32_t node = TRIE_ROOT;
        for (size_t n = 0; n < order_at(ngrams, hypothesis, i); n++) {
            node = insert(&ngrams->trie, node, hypothesis->at[i + n]);
            ngrams->count[node - 1].in_hypothesis++;
        }
    }
}

void ngrams_free(Ngrams *ngrams)
{
    trie_free(&ngrams->trie);
    xfree(ngrams->count);
}

void ngrams_match(Ngrams *ngrams, const Symbols *reference, double *matched)
{
    for (size_t slot = 0; slot < ngrams->trie.slots; slot++) ngrams->count[slot].in_reference = 0;
    for (size_t i = 0; i < reference->count; i++) {
        uint32_t node = TRIE_ROOT;
        for (size_t n = 0; n < order_at(ngrams, reference, i); n++) {
            node = find(&ngrams->trie, node, reference->at[i + n]);
            if (!node) break;
            NgramCount *count = &ngrams->count[node - 1];
            if (++count->in_reference > count->matched
                && count->in_reference <= count->in_hypothesis) {
                count->matched++;
                matched[n]++;
            }
        }
    }
}

void ngrams_reset(Ngrams *ngrams)
{
    for (size_t slot = 0; slot < ngrams->trie.slots; slot++) ngrams->count[slot].matched = 0;
}

size_t ngrams_total(size_t count, int n)
{
    return count < (size_t)n ? 0 : count - (size_t)n + 1;
}
