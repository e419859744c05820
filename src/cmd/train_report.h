/* train_report.h - what a user sees and a log keeps of a training run: the events of train/trainer.h, told. */
#ifndef ATTN_CMD_TRAIN_REPORT_H
#define ATTN_CMD_TRAIN_REPORT_H

#include "cmd/progress.h"
#include "train/trainer.h"

typedef struct {
    Progress    progress;
    int         quiet;
    FILE       *log;            /* JSON, one object a line; NULL: none */
    int         log_every;      /* updates between two lines */
    const char *model_path;
} TrainReport;

/* train_report_events - events that tell `report`. */
TrainerEvents train_report_events(TrainReport *report);

#endif
