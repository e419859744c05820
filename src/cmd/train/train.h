/* train.h - the steps of a training run: the claim of its outputs, its new model, its reports. */
#ifndef ATTN_CMD_TRAIN_TRAIN_H
#define ATTN_CMD_TRAIN_TRAIN_H

#include "base/files/replace.h"
#include "cmd/progress.h"
#include "cmd/train/config.h"
#include "model/file/model_file.h"
#include "train/data/data.h"
#include "train/training.h"
#include "train/update/processes.h"
#include "train/validation.h"

/* claim_outputs - checks before any work that the outputs can be written, that none of them is
 * read and no two are one file. Until lock_release no other process writes model and state. -1
 * where an output exists already, unless --force allows its loss or the run that wrote it is
 * resumed. --force never replaces a file by a model unless that file is a model. Creates the folder
 * models/ where the model goes there. */
int claim_outputs(const Config *c, const char *state, const BitextFiles *files, Lock *lock, Err *e);

/* ---- The model ---- */

/* new_model - takes over the data's tokenizers and lexicons; its weights are not set. `command` and
 * `workers` are for its metadata, to which the trainer adds its results. For model_free. */
Model new_model(const Config *c, Data *d, const DataOptions *options, const char *command,
                int workers);

/* network_seed - of a network of an ensemble, from 0: that which gives the same network alone.
 * begin_network - the model becomes this network: its direction, and its first weights, at random
 * by its seed or those of --init, whose networks of that direction take turns. */
uint64_t network_seed(const Config *c, int network);
void     begin_network(const Config *c, Model *m, int network);

/* A state is resumed only with the text and the vocabularies that it was trained with.
 * corpus_hash - of all text that is trained on. vocabulary_hash - of both tokenizers. */
uint64_t corpus_hash(const Data *d);
uint64_t vocabulary_hash(const Model *m);

/* ---- What is reported ---- */

/* The messages before the first step and after the last one, on stderr, unless --quiet.
 * summary_data - the corpus and its vocabularies, with warnings and advice.
 * summary_memory - the estimate of the memory.
 * summary_model - the size of the network, and who trains it.
 * summary_end - why the training of a network ended.
 * summary_length - what was found of the length of its translations.
 * summary_next - the command that uses the model.
 * summary_numbers - the statistics of the text as JSON on stdout, for --dry-run. */
void summary_data(const Config *c, const Data *d, const DataOptions *options);
void summary_memory(const Config *c, const MemoryEstimate *estimate);
void summary_model(const Config *c, const Model *m, int workers, int processes);
void summary_end(const Config *c, const TrainingProgress *progress, Ending ending);
void summary_length(const Config *c, const LengthCalibration *found);
void summary_next(const Config *c);
void summary_numbers(const Data *d);

/* The progress between them, on the screen and in the log: a handler of the events of
 * train/training.h. */
typedef struct {
    Progress    progress;
    FILE       *log;        /* JSON, one object a line; NULL: none. A resumed run appends */
    const char *log_path;   /* a resumed run cuts off the lines that it will write again */
    const cJSON *run;       /* the first line of the log, which describes the run */
    int         network, networks;  /* in training, from 0; of the ensemble, 1: no ensemble */
    char        name[48];   /* "network 2 of 3  "; empty where there is one */
    const char *curves;     /* the page drawn from the log; NULL: none */
    int         is_mute;    /* another process reports */
    int         undrawn;    /* the page could not be written, and a warning was printed */
    int         log_error;  /* errno of the first write to the log that failed */
    long        updates;    /* since the program began, up to the line of the pace */
    int         is_paced;   /* that line was said, or not needed */
    Tally       shown;      /* since the numbers on the screen changed */
    double      loss, rate; /* the numbers on the screen: nats and target tokens/s */
} TrainReport;

/* train_report_events - the events that update `report`.
 * train_report_begin - empties the log of a new run and writes its first line. */
TrainingEvents train_report_events(TrainReport *report);
void           train_report_begin(TrainReport *report);

/* curves_draw - replaces the page by one drawn from the log as it is now. A line that is no JSON
 * object is skipped, since a log may be cut off at any byte. Above the curves is the command of
 * the run. -1: the log cannot be read, or the page not be written. */
int curves_draw(const char *page, const char *log, Err *e);

#endif
