/* report.h - the progress of a training run on the screen and in its log: a handler of the
 * events of train/training.h. */
#ifndef ATTN_CMD_TRAIN_REPORT_H
#define ATTN_CMD_TRAIN_REPORT_H

#include "base/json.h"
#include "cmd/progress.h"
#include "train/training.h"

typedef struct {
    Progress    progress;
    FILE       *log;        /* JSON, one object a line; NULL: none. A resumed run appends */
    const char *log_path;   /* a resumed run cuts off the lines that it will write again */
    const cJSON *run;       /* the first line of the log, which describes the run */
    int         network, networks;  /* in training, from 0; of the ensemble, 1: no ensemble */
    const char *curves;     /* the page drawn from the log; NULL: none */
    int         undrawn;    /* the page could not be written, and a warning was printed */
    int         log_error;  /* errno of the first write to the log that failed */
    Tally       shown;      /* since the numbers on the screen changed */
    double      loss, rate; /* the numbers on the screen: nats and target tokens/s */
} TrainReport;

/* train_report_events - the events that update `report`. */
TrainingEvents train_report_events(TrainReport *report);

/* train_report_begin - empties the log of a new run and writes its first line. */
void train_report_begin(TrainReport *report);

#endif
