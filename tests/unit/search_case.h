/* search_case.h - a small random network, sources for it, and the results of a search. The tests of
 * searches check results in one way: network_loss, computed afresh, one sentence at a time.
 */
#ifndef ATTN_TESTS_SEARCH_CASE_H
#define ATTN_TESTS_SEARCH_CASE_H

#include "base/mem.h"
#include "numbers.h"
#include "random_pairs.h"
#include "search/search.h"

enum { SOURCES = 6, LONGEST = 4, LIMIT = 2 * LONGEST + 10 + SOURCES, WIDEST = 5 };

/* A log-probability is a sum over up to LIMIT words, each computed in some ten layers and steps with
 * sums of up to 16 terms. */
static const double operations = LIMIT * 160;

typedef struct {
    Heap            heap;
    Scorer          scorer;
    ParameterTable *table;
    Pairs           pairs;
    Sentence        source[SOURCES];
    SearchOptions   options;            /* greedy, with attention; a test changes what it is
                                           about */
    SearchRules     rules;              /* but for the options; a length limit of 2 x + 10 */
    SearchMemory    memory;             /* of all that is found, until case_free */
} Case;

/* case_of - both vocabularies have `words` entries; case_free. */
Case case_of(const NetworkOptions *options, int words);
Case case_new(int words, int layers);
void case_free(Case *c);

/* give_prefix - source i gets a prefix of i words, and behind them <eos> if `complete`. */
void give_prefix(Case *c, int complete);

/* search - of `count` sources; search_all - of all; search_with - of all, with an ensemble. */
Found search(Case *c, const Sentence *sources, int count);
Found search_all(Case *c);
Found search_with(Case *c, const Scorer *scorer, int scorers);
Hypothesis *hypothesis_at(const Found *found, int source, int k);

/* log_probability - log P(ids | source), whether they end in <eos> or not. */
double log_probability(Case *c, const Sentence *source, const int *ids, int length);

typedef struct { int ids[LIMIT], length; double log_probability; } Sequence;

/* extended - the prefix and one word more. */
Sequence extended(Case *c, const Sentence *source, const Sequence *prefix, int id);

/* assert_same_hypothesis - the same words, and the same numbers but for rounding; width: length of
 * the source. */
void assert_same_hypothesis(const Hypothesis *a, const Hypothesis *b, int width);

#endif
