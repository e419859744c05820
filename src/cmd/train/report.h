/* report.h - what a user sees and a log keeps of a training run: the events of train/training_events.h, told. */
#ifndef ATTN_CMD_TRAIN_REPORT_H
#define ATTN_CMD_TRAIN_REPORT_H

#include "base/json.h"
#include "cmd/progress.h"
#include "train/training_events.h"

typedef struct {
    Progress    progress;
    FILE       *log;        /* JSON, one object a line; NULL: none. A resumed run's appends */
    const char *log_path;   /* its name: a resumed run cuts off what it will tell again */
    const cJSON *run;       /* the first line of the log: what run it is of */
    const char *curves;     /* the page drawn from the log; NULL: none */
    int         undrawn;    /* it could not be written, and that was told */
    int         log_error;  /* errno of the first write to the log that failed */
    Tally     shown;      /* since the numbers on the screen changed */
    double      loss, rate; /* the numbers on the screen: nats and target tokens/s */
} TrainReport;

/* train_report_events - events that tell `report`. */
TrainingEvents train_report_events(TrainReport *report);

/* train_report_begin - of a run that begins anew: its log is emptied and gets its first line. */
void train_report_begin(TrainReport *report);

#endif
