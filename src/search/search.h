/* search.h - beam search over one batch of sources; greedy search, sampling and scoring are cases
 * of it.
 *
 * Each sentence has `beam` places for its most probable unfinished hypotheses. Each step extends
 * all hypotheses by every word. The best candidates of a sentence stay; those that end in <eos> are
 * finished and give up their place. A sentence leaves the batch when all places are given up, or
 * when no unfinished hypothesis can still be among those that are returned. Candidates by more than beam_threshold
 * below the nbest-th best of their sentence are given up, by results in 8 bits where those bound the
 * others (search/deferral.h). Beam 1 is greedy search.
 *
 * Hypotheses of different lengths are compared by log P / length^a (Wu et al. 2016, section 7,
 * without the constant 5; a = 1 is the mean per word, Bahdanau et al. 2015). A hypothesis has at
 * most as many words behind its prefix as the corpus suggests for its source (model/length_limit.h).
 *
 * Prefix (forced decoding). The `target` of a source is the prefix of its translation; the network
 * chooses the words behind it. A target that ends in <eos> leaves no choice: the one hypothesis is
 * this target, with its probability.
 *
 * Sampling. Each place draws words of its own until it is finished, by random numbers that depend
 * on nothing but the seed, the number of the sentence, the place and the position.
 *
 * Some words never follow: see search/forbidden_words.h.
 */
#ifndef ATTN_SEARCH_SEARCH_H
#define ATTN_SEARCH_SEARCH_H

#include "base/mem.h"
#include "model/batch.h"
#include "search/hypothesis.h"
#include "search/scorer.h"
#include "model/length_limit.h"
#include "search/search_options.h"
#include "search/unknown_replacement.h"

typedef struct {
    const SearchOptions *options;   /* effective ones (search/search_options.h) */
    CopyFrom copy;                  /* COPY_UNKNOWN: no more <unk> are written than the source has.
                                       Attention is kept wherever there is something to copy */
    int attention;                  /* attention is kept, whatever the options say */
    int placeholders;               /* the vocabulary has them behind the special tokens; each is
                                       written as often as it is in the source, once at most */
    uint64_t first;                 /* sentence `number` is number first + number of all for which
                                       this seed draws */
    LengthLimit length_limit;       /* that of the model */
} SearchRules;

/* search_run - translates `count` sources with an ensemble of one or more scorers. best: (count,
 * search_places) hypotheses, best first, to be freed; best_count: (count) how many there are; 0 is
 * possible only if the search was stopped. The arena belongs to this thread; it is reserved and reset
 * here. */
void search_run(Hypothesis *best, int *best_count, const Scorer *scorer, int scorers,
                const Sentence *sources, int count, const SearchRules *rules, Arena *arena);

#endif
