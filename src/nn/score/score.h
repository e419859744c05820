/* score.h - the family of attention scores: how well does a key answer a query?
 *
 * A score is e = score(query, key) for one decoder state d (H) and one encoder state m (C), in two
 * parts: what depends on one side only is prepared once (keys once a sentence, queries once a
 * step), the rest is computed for every pair. The softmax over the scores and the weighted sum are
 * the same for all and are in nn/attention.h; a score that needs others has functions of its own
 * for them.
 *
 * A new score is one new file, or a part of a kindred one, with a `const AttentionScore score_NAME`
 * and one row in the table below; its parameters, their names in the model file, their share of the work and the option
 * --attention follow from these.
 */
#ifndef ATTN_NN_SCORE_SCORE_H
#define ATTN_NN_SCORE_SCORE_H

#include "base/error.h"
#include "base/real.h"
#include "linalg/linear.h"

/* All that the shape of a score may depend on. */
typedef struct {
    int H, C, E;            /* width of a decoder state, of an encoder state, of an embedding */
    int A;                  /* --attention-width */
    int positions;          /* --attention-positions; 0: not given */
    int window;             /* --attention-window */
} ScoreSizes;

typedef struct {
    const char *name;       /* in the model file */
    int         rows, columns;
    int         query;      /* how many of the columns read the decoder's state, in each step; */
    int         word;       /* then how many read the previous word; the others read the memory,
                             * once. Each part is a weight of its own */
} ScoreParameter;

enum { SCORE_PARAMETERS = 4, SCORE_WEIGHTS = SCORE_PARAMETERS };
typedef struct {
    ScoreParameter parameter[SCORE_PARAMETERS + 1];     /* one without a name ends the list */
    int            key, query;                          /* widths K and Q of those prepared */
} ScoreShape;

/* A score in one pass: its weights and their gradients, in the order of `parameter`; dw: backward
 * only, accumulated. */
typedef struct {
    ScoreSizes    n;
    const Linear *w, *dw;
} ScoreLayer;

/* The functions of a score. `state` is (rows,H) with row distance ld; those that are NULL have the
 * meaning that is said here.
 *
 * keys_forward: keys (M,K) from memory (M,C). NULL: the memory is the keys, K = C
 * query_forward: query (rows,Q) from state
 * word_forward: query (rows,Q) += what the embeddings of the previous words, (rows,E), say. NULL:
 * nothing
 * score_forward: e (length), the scores of one prepared query (Q) with the `length` prepared keys
 * (length,K) of its sentence */
typedef void KeysForward(const ScoreLayer *l, real *keys, const real *memory, int M);
typedef void QueryForward(const ScoreLayer *l, real *query, const real *state, int ld, int rows);
typedef void WordForward(const ScoreLayer *l, real *query, const real *word, int rows);
typedef void ScoreForward(const ScoreLayer *l, real *e, const real *query, const real *keys,
                          int length);

/* From scores to weights. NULL: softmax, and its gradient.
 * weights_forward: alpha (length) holds e and becomes the weights
 * weights_backward: de (length) holds the gradient of alpha and becomes that of e; dquery (Q) and
 * dw are accumulated */
typedef void WeightsForward(const ScoreLayer *l, real *alpha, const real *query, int length);
typedef void WeightsBackward(const ScoreLayer *l, real *de, real *dquery, const real *alpha,
                             const real *query, int length);

/* The gradients, in the order in which the backward pass calls them.
 * score_backward: dquery (Q) and dkeys (length,K) accumulated: all steps read the same keys
 * query_backward: dstate (rows,H) accumulated: the state also feeds the recurrence. dquery (rows,Q)
 * may become what query_weights_backward reads; query as query_forward left it
 * query_weights_backward: dw from all steps at once, dquery (N,Q), state (N,H). NULL: the query has
 * no weights
 * word_backward, word_weights_backward: the same for the words, after query_backward: dword
 * (rows,E) accumulated; dw from all steps at once, word (N,E). NULL where word_forward is
 * keys_backward: dmemory (M,C) accumulated: the memory also feeds the contexts. NULL where
 * keys_forward is */
typedef void ScoreBackward(const ScoreLayer *l, real *dquery, real *dkeys, const real *de,
                           const real *query, const real *keys, int length);
typedef void QueryBackward(const ScoreLayer *l, real *dstate, int ld, real *dquery,
                           const real *query, int rows);
typedef void QueryWeightsBackward(const ScoreLayer *l, const real *dquery, const real *state,
                                  int ld, int N);
typedef void WordBackward(const ScoreLayer *l, real *dword, const real *dquery, int rows);
typedef void WordWeightsBackward(const ScoreLayer *l, const real *dquery, const real *word, int N);
typedef void KeysBackward(const ScoreLayer *l, real *dmemory, const real *dkeys,
                          const real *memory, int M);

/* From weights to the context of one row. NULL: the weighted sum of the sentence's memory
 * (length,C). A score with these two has neither queries nor keys nor weights (Q = K = 0), and
 * nothing above is called.
 * context_forward: alpha becomes what is shown
 * context_backward: dmemory (length,C) accumulated */
typedef void ContextForward(const ScoreLayer *l, real *context, real *alpha, const real *memory,
                            int length);
typedef void ContextBackward(const ScoreLayer *l, real *dmemory, const real *dcontext, int length);

typedef struct {
    ScoreShape (*shape)(const ScoreSizes *n);
    /* Whether the score can have these sizes; -1 with what would be right. NULL: any */
    int (*check)(const ScoreSizes *n, Err *e);
    KeysForward          *keys_forward;
    QueryForward         *query_forward;
    WordForward          *word_forward;
    ScoreForward         *score_forward;
    WeightsForward       *weights_forward;
    WeightsBackward      *weights_backward;
    ScoreBackward        *score_backward;
    QueryBackward        *query_backward;
    QueryWeightsBackward *query_weights_backward;
    WordBackward         *word_backward;
    WordWeightsBackward  *word_weights_backward;
    KeysBackward         *keys_backward;
    ContextForward       *context_forward;
    ContextBackward      *context_backward;
} AttentionScore;

/* One row a score; --attention and the model file use the names. */
#define SCORE_TABLE(ROW) \
    ROW(additive, "additive") \
    ROW(dot, "dot") \
    ROW(scaled_dot, "scaled-dot") \
    ROW(general, "general") \
    ROW(scaled_general, "scaled-general") \
    ROW(concat, "concat") \
    ROW(concat_linear, "concat-linear") \
    ROW(location, "location") \
    ROW(linear, "linear") \
    ROW(local_p, "local-p") \
    ROW(scaled_local_p, "scaled-local-p") \
    ROW(none, "none")

#define SCORE_DECLARE(score, name) extern const AttentionScore score_##score;
SCORE_TABLE(SCORE_DECLARE)

/* The table, and the names in its order, for --attention; NULL ends both. */
extern const AttentionScore *const attention_scores[];
extern const char *const attention_score_names[];

#endif
