/* search.h - beam search over one batch of sources; greedy search, sampling and scoring are cases
 * of it.
 *
 * Each sentence has `beam` places for its most probable unfinished hypotheses. Each step extends
 * all hypotheses by every word. The best candidates of a sentence stay; those that end in <eos> are
 * finished and give up their place. A sentence leaves the batch when all places are given up, or
 * when no unfinished hypothesis can still be among those that are returned. Candidates by more than
 * beam_threshold below the nbest-th best of their sentence are given up. Beam 1 is greedy search.
 *
 * Hypotheses of different lengths are compared by log P / length^a (Wu et al. 2016, section 7,
 * without the constant 5; a = 1 is the mean per word, Bahdanau et al. 2015). A hypothesis has at
 * most as many words behind its prefix as the corpus suggests for its source (model/batch.h).
 *
 * Prefix (forced decoding). The `target` of a source is the prefix of its translation; the network
 * chooses the words behind it. A target that ends in <eos> leaves no choice: the one hypothesis is
 * this target, with its probability.
 *
 * Sampling. Each place draws words of its own until it is finished, by random numbers that depend
 * on nothing but the seed, the number of the sentence, the place and the position.
 *
 * Some words never follow, and the places of a sentence with placeholders are divided by how many
 * are written (search/expansion.h). One that a hypothesis lacks stands behind the sentence, as if
 * it were drawn from all words by chance: hypotheses are compared with a probability of 1 / V for
 * it.
 */
#ifndef ATTN_SEARCH_SEARCH_H
#define ATTN_SEARCH_SEARCH_H

#include "base/mem.h"
#include "model/batch.h"
#include "search/hypothesis.h"
#include "search/scorer.h"
#include "search/search_options.h"

typedef struct {
    const SearchOptions *options;   /* with a beam of nbest where words are drawn, and no more
                                       alternatives than there are words */
    CopyFrom copy;                  /* COPY_UNKNOWN: no more <unk> are written than the source has.
                                       Attention is kept wherever there is something to copy */
    int attention;                  /* attention is kept, whatever the options say */
    int placeholders;               /* the vocabulary has them behind the special tokens; each is
                                       written as often as it is in the source, once at most */
    const unsigned char *breaks;    /* (vocabulary) behind which words one may begin
                                       (text/mask.h); NULL: behind all */
    int right_left;                 /* the networks write from right to left */
    LengthLimit length_limit;       /* that of the model */
    const int *forbidden;           /* (forbidden_count) words that never follow, whose probability
                                       nothing else gets */
    int forbidden_count;
    uint64_t first;                 /* sentence `number` is number first + number of all for which
                                       this seed draws */
} SearchRules;

/* The memory of one thread; { 0 } has none. */
typedef struct {
    Arena  arena;                   /* the networks, in one search */
    Region steps;                   /* all other state of one search */
    Region found;                   /* what searches return, until the caller resets it */
} SearchMemory;

void search_memory_free(SearchMemory *memory);

/* What is found for each source, best first. */
typedef struct {
    Hypothesis *best;               /* (sources, places) */
    int        *count;              /* (sources) 0 is possible only if the search was stopped */
    int         places;             /* nbest + extra */
} Found;

/* search_run - translates `count` sources with an ensemble of one or more scorers. */
Found search_run(const Scorer *scorer, int scorers, const Sentence *sources, int count,
                 const SearchRules *rules, SearchMemory *memory);

/* search_worth - what a hypothesis of `length` words is compared by, which lacks so many
 * placeholders: its search_score with those among the vocabulary of V words. */
double search_worth(const SearchOptions *options, int V, double log_probability, int lacking,
                    int length);

/* ---- Agreement ----
 *
 * Networks that write from left to right and others that write from right to left agree on a
 * translation (Liu, Utiyama, Finch and Sumita 2016, "Agreement on Target-bidirectional
 * Neural Machine Translation", section 3; Sennrich, Haddow and Birch 2016, "Edinburgh Neural
 * Machine Translation Systems for WMT 16", section 2.4).
 *
 * A beam chooses the first words of a translation without the last ones, and with the other order
 * it is the other way round: both rarely prefer the same mistake. So each direction searches by
 * itself, and gives a probability to what the other one found. With L networks from left to right
 * and R from right to left, each direction an ensemble (search/scorer.h), a translation of n words
 * has
 *
 *   score = (L log P_left-to-right + R log P_right-to-left) / (L + R) / n^normalize
 *
 * Where the networks from right to left have no number for a translation, the others decide alone.
 */

typedef enum { LEFT_TO_RIGHT, RIGHT_TO_LEFT, DIRECTIONS } Direction;

/* The networks of each direction, at least one. */
typedef struct {
    const Scorer *scorer[DIRECTIONS];
    int           count[DIRECTIONS];
} DirectedScorers;

/* search_agreed - as search_run, for options with a beam and without sampling or `extra`.
 * Probabilities of words, log_probability, attention and alternatives are those of the networks
 * from left to right; only the score is of all. Where a source has a prefix, no network searches
 * from right to left. */
Found search_agreed(const DirectedScorers *networks, const Sentence *sources, int count,
                    const SearchRules *rules, SearchMemory *memory);

#endif
