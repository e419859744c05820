/* search_case.h - a small random network, sources for it, and what a search finds for them; and the one thing by which
 * the tests of searches judge what was found: network_loss, computed afresh, one sentence at a time.
 */
#ifndef ATTN_TESTS_SEARCH_CASE_H
#define ATTN_TESTS_SEARCH_CASE_H

#include "base/mem.h"
#include "numbers.h"
#include "random_pairs.h"
#include "translate/search.h"

enum { SOURCES = 6, LONGEST = 4, LIMIT = 2 * LONGEST + 10, WIDEST = 5 };

/* A log-probability is a sum over up to 22 words, each out of some ten layers and steps with sums up to 16 long. */
static const double operations = 22 * 160;

typedef struct {
    Heap            heap;
    Scorer          member;
    ParameterTable *table;
    Pairs           pairs;
    Sentence        source[SOURCES];
    SearchRules     rules;              /* greedy, with attention; a test changes what it is about */
    Arena           arena;
} Case;

/* case_of - both vocabularies have `words` entries; case_free. */
Case case_of(const NetworkOptions *options, int words);
Case case_new(int words, int layers);
void case_free(Case *c);

/* give - source i is given i words to begin with, and behind them <eos> if `complete`. */
void give(Case *c, int complete);

/* What search_run has found for `count` sources. */
typedef struct { Hypothesis *found; int *how_many, count, nbest; } TranslatedLine;

/* search - with this one network; format_free. */
TranslatedLine search(const Case *c, const Sentence *sources, int count);
Hypothesis *found_at(const TranslatedLine *a, int source, int k);
void   format_free(TranslatedLine *a);

/* log_probability - log P(ids | source), whether they end in <eos> or not. */
double log_probability(Case *c, const Sentence *source, const int *ids, int length);

typedef struct { int ids[LIMIT], length; double log_probability; } Sequence;

/* extended - the prefix and one word more. */
Sequence extended(Case *c, const Sentence *source, const Sequence *prefix, int id);

int  same_ids(const Hypothesis *a, const Hypothesis *b);

/* assert_same_found - the same words, and the same numbers but for rounding; width: of their source. */
void assert_same_found(const Hypothesis *a, const Hypothesis *b, int width);

#endif
