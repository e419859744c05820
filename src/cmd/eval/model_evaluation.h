/* model_evaluation.h - a model, or several together, put to the test: translating a test set, and how probable the references are.
 */
#ifndef ATTN_CMD_EVAL_MODEL_EVALUATION_H
#define ATTN_CMD_EVAL_MODEL_EVALUATION_H

#include "base/json.h"
#include "base/pool.h"
#include "cmd/models.h"
#include "cmd/eval/test_set.h"
#include "translate/translator.h"

#include <stdio.h>

typedef struct {
    size_t sentences;
    long   tokens;              /* written, <eos> included */
    double seconds;             /* of translating */
    long   pairs;               /* of a source and a reference: all that are not too long */
    long   reference_tokens;    /* of these references, <eos> included */
    const char *no_number;      /* the first source of which the models compute none; of the set */
    double loss;                /* mean cross-entropy of one of these, in nats; perplexity is its exp */
} ModelEvaluation;

/* model_evaluation_translate - sets the hypotheses of the set, with progress and warnings on stderr; not all
 * of them where model_evaluation_check fails. */
void model_evaluation_translate(ModelEvaluation *trial, const Models *models, TestSet *set, const SearchOptions *search, Pool *pool,
                     int quiet);

/* model_evaluation_references - the loss of the references, with products and attention as `search` has them;
 * of several models that of their mean probabilities. Pairs of more than SCORE_TOKENS tokens on a
 * side are left out, with a warning on stderr. */
void model_evaluation_references(ModelEvaluation *trial, const Models *models, const TestSet *set, const SearchOptions *search, Pool *pool);

/* model_evaluation_check - -1 where what the models compute is no number. */
int model_evaluation_check(const ModelEvaluation *trial, const Models *models, Err *e);

/* model_evaluation_print_speed - "300 sentences in 0.80 s, 375 sentences/s, 4,321 target tokens/s". model_evaluation_print_loss - two lines:
 * "loss = 0.1234 ..." and "perplexity = 1.13"; nothing where no pair counted. */
void model_evaluation_print_speed(FILE *out, const ModelEvaluation *trial);
void model_evaluation_print_loss(FILE *out, const ModelEvaluation *trial);

/* model_evaluation_to_json - adds all of it to the object. */
void model_evaluation_to_json(const ModelEvaluation *trial, cJSON *object);

#endif
