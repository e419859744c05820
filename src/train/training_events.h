/* training_events.h - what a training run reports while it runs. The training code knows nothing of
 * terminals and logs: its caller passes functions that print.
 */
#ifndef ATTN_TRAIN_TRAINING_EVENTS_H
#define ATTN_TRAIN_TRAINING_EVENTS_H

#include "train/training_progress.h"

/* One update. */
typedef struct {
    const TrainingProgress *progress;
    double epoch;               /* passes over the training pairs; 1.5: the middle of the second */
    double share;               /* share of the whole run that is done (train/limits.h) */
    double loss;                /* cross-entropy summed over the target tokens, in nats, without
                                 * label smoothing */
    double tokens;              /* target tokens */
    double flops;               /* of the matrix products */
    double seconds;
    double norm;                /* norm of the gradient before clipping */
    int    skipped;             /* the gradient was not finite: the loss may be no number, and no
                                 * weight was changed */
    const Tally *tally;         /* the tally that this update completes, or NULL */
} UpdateReport;

/* tally_add - adds one update. */
void tally_add(Tally *sum, const UpdateReport *update);

/* A validation sentence, its first reference, and its translation by the current weights. */
typedef struct { const char *source, *reference; char *translation; } Sample;
enum { MOST_SAMPLES = 3 };

/* One validation, or a look at samples between two validations. */
typedef struct {
    const TrainingProgress *progress;
    double epoch;
    double valid_loss;          /* mean cross-entropy per target token, in nats; not set between
                                 * validations */
    double valid_unknown;       /* share of <unk> among these tokens; not set in the same places */
    double bleu, chrf;          /* of validation sentences as they are translated in
                                 * train/validation/validation_bleu.h; -1: none were */
    double exact;               /* of sequences that are no sentences: per cent of them whose translation is a
                                 * reference; -1: of sentences */
    int    improved;            /* the best validation so far, or the newest one: */
    int    chosen;              /* validations choose the weights (Hyperparameters.early_stop) */
    int    saved;               /* the model file now holds these weights; if the best weights
                                 * cannot be written, they stay in memory until they can */
    int    samples;             /* 0 unless samples are due */
    Sample sample[MOST_SAMPLES];        /* always of the same sentences, evenly spread; valid
                                         * during the event only */
} ValidationReport;

/* validation_report_free - releases the translations of its samples. */
void validation_report_free(ValidationReport *report);

/* Functions that the run calls; `context` is their first argument. */
typedef struct {
    void *context;
    void (*updated)(void *context, const UpdateReport *report);         /* after every update */
    void (*validated)(void *context, const ValidationReport *report);
    void (*troubled)(void *context, const char *text);                  /* training continues */
    void (*resumed)(void *context, const TrainingProgress *progress);   /* once, before all others;
                                                                         * may be NULL */
    void (*shown)(void *context, const ValidationReport *report);       /* samples between
                                                                         * validations; may be
                                                                         * NULL */
    void (*joined)(void *context, const ValidationReport *report);      /* a further network of an
                                                                         * ensemble is finished; the
                                                                         * scores of all together;
                                                                         * may be NULL */
    void (*advised)(void *context, const char *text);                   /* each piece of advice
                                                                         * once; may be NULL */
} TrainingEvents;

#endif
