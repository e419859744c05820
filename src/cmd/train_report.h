/* train_report.h - what a user sees and a log keeps of a training run: the events of train/trainer.h, told. */
#ifndef ATTN_CMD_TRAIN_REPORT_H
#define ATTN_CMD_TRAIN_REPORT_H

#include "cmd/progress.h"
#include "train/trainer.h"

/* Sums over some updates. */
typedef struct { double loss, tokens, flops, seconds; int updates, skipped; } Window;

typedef struct {
    Progress    progress;
    FILE       *log;        /* JSON, one object a line; NULL: none. A resumed run's appends */
    const char *log_path;   /* its name: a resumed run cuts off what it will tell again */
    const char *curves;     /* the page drawn from the log; NULL: none */
    int         undrawn;    /* it could not be written, and that was told */
    int         log_every;  /* updates between two lines */
    int         log_error;  /* errno of the first write to the log that failed */
    Window      logged;     /* since the last line of the log */
    Window      shown;      /* since the numbers on the screen changed */
    double      loss, rate; /* the numbers on the screen: nats and target tokens/s */
} TrainReport;

/* train_report_events - events that tell `report`. */
TrainerEvents train_report_events(TrainReport *report);

#endif
