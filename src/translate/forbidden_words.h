/* forbidden_words.h - the words that must not follow a hypothesis: the special ones, <unk> where
 * nothing is left to copy, and words that would continue a loop.
 *
 * Loops. A network may repeat the same words forever. A word is forbidden if it would end one more
 * than `repeats` successive occurrences of the same one to eight words, unless some words of the
 * source follow themselves as often (1000000000, ha ha ha ha ha). Paulus, Xiong and Socher (2018,
 * section 2.5) let no three words occur twice anywhere: that also forbids what is right, this only
 * loops. <unk> is excepted: it stands for any word.
 */
#ifndef ATTN_TRANSLATE_FORBIDDEN_WORDS_H
#define ATTN_TRANSLATE_FORBIDDEN_WORDS_H

#include "model/batch.h"
#include "text/tokenizer.h"
#include "translate/hypothesis_tree.h"
#include "translate/unknown_replacement.h"

/* FORBIDDEN_MOST: words that are forbidden behind one hypothesis. */
enum { LONGEST_LOOP = 8, FORBIDDEN_MOST = LONGEST_LOOP + ID_SPECIALS };

/* What a translation of one sentence may have at most. */
typedef struct {
    int unknowns;               /* <unk>; INT_MAX: any number */
    int repeats;                /* successive occurrences of the same words; 0: any number */
} WordLimits;

/* word_limits_of - repeats: SearchOptions.repeats; copy: COPY_UNKNOWN: no more <unk> than the
 * source has. */
WordLimits word_limits_of(const Sentence *source, int repeats, CopyFrom copy);

typedef struct {
    int id[FORBIDDEN_MOST], count;
} ForbiddenWords;

/* forbidden_words - those behind a node (-1: at the beginning) of a hypothesis that has `unknowns`
 * <unk>. */
ForbiddenWords forbidden_words(const HypothesisTree *tree, int node, int unknowns, WordLimits most);

#endif
