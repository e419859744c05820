/* forbidden_words.h - the words that must not follow a hypothesis: the special ones but <eos>, <unk>
 * where nothing is left to copy, placeholders that the source lacks or that are written, or where no
 * word may begin (text/word_breaks.h), and words that would continue a loop.
 *
 * Loops. A network may repeat the same words forever. A word is forbidden if it would end one more
 * than `repeats` successive occurrences of the same one to eight words, unless some words of the
 * source follow themselves as often (1000000000, ha ha ha ha ha). Paulus, Xiong and Socher (2018,
 * section 2.5) let no three words occur twice anywhere: that also forbids what is right, this only
 * loops. <unk> is excepted: it stands for any word.
 */
#ifndef ATTN_SEARCH_FORBIDDEN_WORDS_H
#define ATTN_SEARCH_FORBIDDEN_WORDS_H

#include "model/batch.h"
#include "search/hypothesis_tree.h"
#include "search/search.h"
#include "text/copies.h"
#include "text/tokenizer/tokenizer.h"

/* FORBIDDEN_MOST: words that are forbidden behind one hypothesis. */
enum { LONGEST_LOOP = 8, FORBIDDEN_MOST = LONGEST_LOOP + ID_SPECIALS + PLACEHOLDERS };

/* What a translation of one sentence may have at most. */
typedef struct {
    int      unknowns;          /* <unk>; INT_MAX: any number */
    int      repeats;           /* successive occurrences of the same words; 0: any number */
    int      placeholders;      /* whether the vocabulary has them */
    unsigned copies;            /* those of the source, a bit each (placeholder_bit) */
    const unsigned char *breaks;        /* (V) behind which words one may begin in the order of writing;
                                           NULL: behind all */
} WordLimits;

WordLimits word_limits_of(const Sentence *source, const SearchRules *rules);

/* copies_count - the bits of a set of copies. copies_among - those of `copies` among some words. */
int      copies_count(unsigned copies);
unsigned copies_among(unsigned copies, const int *ids, int count);

/* What a hypothesis has of it. */
typedef struct {
    int      unknowns;          /* <unk> */
    unsigned copies;            /* placeholders, a bit each */
} WordsWritten;

typedef struct {
    int id[FORBIDDEN_MOST], count;
} ForbiddenWords;

/* forbidden_words - those behind a node (-1: at the beginning) of a hypothesis. */
ForbiddenWords forbidden_words(const HypothesisTree *tree, int node, WordsWritten written,
                               const WordLimits *most);

#endif
