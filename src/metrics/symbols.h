/* symbols.h - a line as a sequence of symbols, code points or the ids of its words, and how many of
 * its n-grams occur in another.
 *
 * sacreBLEU, a Python program, defines the published scores. So a line is lower-cased, stripped and
 * split as Python's str.lower(), str.rstrip() and str.split() do it: by the rules of Unicode, where
 * U+00A0 is a blank, U+200B and U+FEFF are not. Zero-initialise a Symbols; symbols_free releases
 * it.
 */
#ifndef ATTN_METRICS_SYMBOLS_H
#define ATTN_METRICS_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    int32_t *at;            /* (count) owned */
    size_t   count, capacity;
} Symbols;

void symbols_add(Symbols *s, int32_t symbol);
void symbols_free(Symbols *s);

/* symbols_reserve - empties the sequence, allocates memory for `count` symbols and returns it; the
 * caller writes the symbols and sets s->count. */
int32_t *symbols_reserve(Symbols *s, size_t count);

/* line_read - replaces the sequence by the code points of a NUL-terminated line of valid UTF-8. The
 * other functions change the line in place. */
void line_read(Symbols *line, const char *text);
void line_lower(Symbols *line);
void line_strip_left(Symbols *line);
void line_strip_right(Symbols *line);
void line_remove_blanks(Symbols *line);

/* line_join_words - ' '.join(line.split()): one ' ' between words, none at the ends. */
void line_join_words(Symbols *line);

/* One word of a line; it points into the line's array. */
typedef struct {
    const int32_t *at;
    size_t         count;
} Word;

/* line_next_word - finds the next word at or after *from and moves *from behind it; returns 0 at
 * the end. */
int line_next_word(const Symbols *line, size_t *from, Word *word);

/* ---- a trie with hashed edges: exact ids for sequences, with one probe for each symbol ----
 *
 * A node represents the sequence of symbols on the path from the root. Its id is a slot of one
 * open-addressing table, and the slot holds only the edge that leads to the node: (parent, symbol)
 * in 64 bits. So neither strings nor n-grams are stored or compared. The table does not grow:
 * trie_init takes the largest number of nodes. */

enum { TRIE_ROOT = 0 };         /* other nodes are 1..slots; a function returns 0 for no node */

typedef struct {
    uint64_t *edge;             /* (slots) owned; 0: free */
    size_t    slots;            /* a power of two, over 4/3 of the nodes */
    int       shift;            /* 64 - log2(slots) */
} Trie;

void trie_init(Trie *trie, size_t max_nodes);     /* fewer than 2^31 */
void trie_free(Trie *trie);

/* A trie of words is a vocabulary: the id of a word is its node, and 0 is a word that it lacks.
 * trie_word - the id of a word, which is added where it is new if `adds`.
 * trie_words - replaces `words` by the ids of the words of a line: of a hypothesis, which adds its
 * words to the vocabulary, or of a reference, whose other words become 0. */
uint32_t trie_word(Trie *trie, int adds, Word word);
void     trie_words(Trie *trie, int adds, const Symbols *line, Symbols *words);

/* ---- how many n-grams of a hypothesis occur in its references; BLEU and chrF count them ----
 *
 * The n-grams of the hypothesis are the nodes of a trie with a count each. The n-grams of a
 * reference are looked up in it: one that the hypothesis lacks has no node, and neither have its
 * extensions. Time and memory are linear in length times order. */

typedef struct {
    uint32_t in_hypothesis, in_reference;   /* occurrences, of the current reference so far */
    uint32_t matched;       /* the most that one reference has matched; at most in_hypothesis */
} NgramCount;

typedef struct {
    int         order;      /* n-grams have 1..order symbols */
    Trie        trie;
    NgramCount *count;      /* (trie.slots) */
} Ngrams;

/* ngrams_init - counts the n-grams of the hypothesis. Symbol 0 is reserved for symbols that only
 * references have: it never occurs in the hypothesis and never matches. ngrams_free releases. */
void ngrams_init(Ngrams *ngrams, const Symbols *hypothesis, int order);
void ngrams_free(Ngrams *ngrams);

/* ngrams_match - adds to matched[n - 1] how many n-grams of the hypothesis this reference matches.
 * An n-gram that occurs h times in the hypothesis and r times in the reference is matched min(h, r)
 * times; matches of earlier references are not counted again. Over all references the sum is
 * min(h, max r), the clipped counts of BLEU. ngrams_reset forgets the earlier references. */
void ngrams_match(Ngrams *ngrams, const Symbols *reference, double *matched);
void ngrams_reset(Ngrams *ngrams);

/* ngrams_total - the number of n-grams in a sequence of `count` symbols. */
size_t ngrams_total(size_t count, int n);

#endif
