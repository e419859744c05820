/* search_state.h - the state of one search; for search.c, banks.c and expansion.c alone.
 *
 * B sentences, R = B * beam rows at most, V words. All arrays are in the arena, but for the tree's.
 */
#ifndef ATTN_SEARCH_SEARCH_STATE_H
#define ATTN_SEARCH_SEARCH_STATE_H

#include "search/beam.h"
#include "search/forbidden_words.h"
#include "search/search.h"

typedef struct {
    const Sentence *sentence;       /* (count) */
    int             count;          /* B */
    SourceBatch     batch;
    WordLimits     *most;           /* (count) */
} SearchSources;

typedef struct {
    ScorerState *state;             /* (count) */
    int          count, V;
} SearchScorers;

/* The arrays of StepRows. */
typedef struct {
    int      *from, *input, *first, *length;    /* (R) */
    int      *place;                /* (R) number of the row among those of its sentence */
    uint64_t *name;                 /* (R) */
} StepArrays;

typedef struct {
    real *largest;                  /* of the logits of a row, block by block (search/top_k.h) */
    real *p;                        /* (V) probabilities of a row; NULL: no words are drawn */
} SearchScratch;

typedef struct {
    const SearchRules   *rules;
    const SearchOptions *options;   /* rules->options */
    SearchSources        sources;
    SearchScorers        scorers;
    Beam                 beam;
    HypothesisTree       tree;
    Candidates          *candidates;    /* (B) the best words behind all rows of a sentence */
    Candidates         **banks;         /* (B) lists of each sentence (search/banks.h); NULL: none */
    Candidates          *alternatives;  /* (R) the most probable words behind each row; NULL: not
                                           wanted */
    StepArrays           step;
    SearchScratch        scratch;
} Search;

#endif
