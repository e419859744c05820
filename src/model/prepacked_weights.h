/* prepacked_weights.h - what makes a network's products faster: prepacked copies of its weights
 * (linalg/linear.h), and caches of its projections of single words. */
#ifndef ATTN_MODEL_PREPACKED_WEIGHTS_H
#define ATTN_MODEL_PREPACKED_WEIGHTS_H

#include "base/real.h"
#include "model/pass.h"

/* PREPACKED_TO_USE: copies of all weights, for weights that no longer change; the first product
 * that reads a weight makes its copy (PREPACKED_LATER). PREPACKED_TO_LEARN: copies, for forward and
 * backward, of the weights that a pass reads more than once; all workers write all copies when the
 * weights have changed. PREPACKED_TO_LEARN_SPARSELY: the same without the copy for the gradient of
 * the readout's output, for a sparse gradient of the logits (model/readout.h). */
typedef enum { PREPACKED_TO_USE, PREPACKED_TO_LEARN, PREPACKED_TO_LEARN_SPARSELY } PrepackedPurpose;

typedef struct PrepackedWeights PrepackedWeights;

/* prepacked_weights_new - allocates the copies and makes the weights w point to them. It returns
 * NULL if OpenBLAS computes the products, because it takes no copies. Any number of Weights with
 * the same pointers, and any number of threads, may use the copies until they are freed. */
PrepackedWeights *prepacked_weights_new(const ParameterTable *table, Weights *w,
                                        PrepackedPurpose purpose);
void              prepacked_weights_free(PrepackedWeights *p);

/* prepacked_weights_suffice - whether products of that precision read nothing of row i of the table
 * but copies, and nothing else reads it.
 * prepacked_weights_rest - a table of the same rows, whose block has no room for such ones: nothing
 * may be read of them; parameters_free.
 * prepacked_weights_write_row - of w with copies PREPACKED_TO_USE, before the first product: writes
 * those of row i of `table`, which has the values x. */
int  prepacked_weights_suffice(const ParameterTable *table, int i, Precision precision);
ParameterTable *prepacked_weights_rest(const ParameterTable *table, Precision precision);
void prepacked_weights_write_row(Weights *w, const ParameterTable *table, int i, real *x);

/* prepacked_weights_write - for learning: writes the worker's portion of all copies. */
void prepacked_weights_write(PrepackedWeights *p, Portion portion);

/* prepacked_weights_measure - the bytes of the copies that prepacked_weights_new would allocate for
 * weights_in of that precision. */
size_t prepacked_weights_measure(const ParameterTable *table, Precision precision,
                                 PrepackedPurpose purpose);

/* word_projections_init - allocates caches, for translation reads the same words over and over: for
 * a pass without dropout and weights that do not change. A cache is NULL if the words' part depends
 * on more than the word (self-attention below, positions), or if gemm does not compute the
 * products. */
void word_projections_init(WordProjections *words, const Architecture *net);
void word_projections_free(WordProjections *words);

#endif
