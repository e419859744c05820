/* model_evaluation.h - the speed and the loss of a model, or of several together, on a test set
 * that they translate. */
#ifndef ATTN_CMD_EVAL_MODEL_EVALUATION_H
#define ATTN_CMD_EVAL_MODEL_EVALUATION_H

#include "base/json.h"
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
    long   unknown_tokens;      /* <unk> among these: the more, the smaller the loss can be */
    double loss;                /* mean cross-entropy of a reference token, in nats */
    const char *overflow;       /* the first source, in the set, for which the models compute NaN or
                                   infinity; NULL: none */
} ModelEvaluation;

typedef struct {
    const SearchOptions *search;
    const char          *save;      /* where the translations go, a line each; NULL: nowhere */
    int                  threads, quiet;
    int                  part;      /* a Part of the corpus, or -1: all of it */
    int                  loss;      /* also compute the loss of the references */
} EvaluationOptions;

/* model_evaluation_run - sets the lines of the set's one system, with progress and the speed on
 * stderr, and saves them; warns of a model that has learned sentences of the part. The loss has the
 * attention of the search, and its precision, float where that is auto; and of several models it is that of their mean
 * probabilities; pairs with more than SCORE_TOKENS tokens on a side are left out, with a warning on
 * stderr. Returns 0, or -1 with a message: a file can't be written, which is found before the work
 * where its folder is at fault, or the models computed NaN or infinity; then not all lines are set. */
int model_evaluation_run(ModelEvaluation *evaluation, const Models *models, TestSet *set,
                         const EvaluationOptions *options, Err *e);

/* model_evaluation_print_loss - two lines: "loss = 0.1234 ..." and "perplexity = 1.13", which
 * has the share of unknown tokens beside it where it is 0.05 % or more; nothing where no pair was
 * scored. */
void model_evaluation_print_loss(FILE *out, const ModelEvaluation *evaluation);

/* model_evaluation_to_json - adds all of it to the object. */
void model_evaluation_to_json(const ModelEvaluation *evaluation, cJSON *object);

#endif
