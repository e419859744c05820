/* model_evaluation.h - the speed and the loss of a model, or of several together, on a test set
 * that they translate. */
#ifndef ATTN_CMD_EVAL_MODEL_EVALUATION_H
#define ATTN_CMD_EVAL_MODEL_EVALUATION_H

#include "base/json.h"
#include "base/pool.h"
#include "cmd/eval/test_set.h"
#include "cmd/models.h"
#include "translate/translator.h"

#include <stdio.h>

/* Zero-initialise it. */
typedef struct {
    size_t sentences;
    long   tokens;              /* of the translations, EOS included */
    double seconds;             /* of translating */
    long   references;  /* pairs of a source and a reference, without those that are too long */
    long   reference_tokens;    /* of these references, EOS included */
    double loss;                /* mean cross-entropy of a reference token, in nats */
    const char *overflow;       /* the first source, in the set, for which the models compute NaN or
                                   infinity; NULL: none */
} ModelEvaluation;

/* model_evaluation_translate - sets the lines of the set's one system, with progress and warnings
 * on stderr; not all of them where model_evaluation_check fails. */
void model_evaluation_translate(ModelEvaluation *evaluation, const Models *models, TestSet *set,
                                const SearchOptions *search, Pool *pool, int quiet);

/* model_evaluation_references - computes the loss of the references, with the precision and the
 * attention of `search`; of several models that of their mean probabilities. Pairs with more than
 * SCORE_TOKENS tokens on a side are left out, with a warning on stderr. */
void model_evaluation_references(ModelEvaluation *evaluation, const Models *models,
                                 const TestSet *set, const SearchOptions *search, Pool *pool);

/* model_evaluation_check - returns -1 with a message where the models computed NaN or infinity,
 * else 0. */
int model_evaluation_check(const ModelEvaluation *evaluation, const Models *models, Err *e);

/* model_evaluation_print_speed - "300 sentences in 0.80 s, 375 sentences/s, 4,321 target tokens/s".
 * model_evaluation_print_loss - two lines: "loss = 0.1234 ..." and "perplexity = 1.13"; nothing
 * where no pair was scored. */
void model_evaluation_print_speed(FILE *out, const ModelEvaluation *evaluation);
void model_evaluation_print_loss(FILE *out, const ModelEvaluation *evaluation);

/* model_evaluation_to_json - adds all of it to the object. */
void model_evaluation_to_json(const ModelEvaluation *evaluation, cJSON *object);

#endif
