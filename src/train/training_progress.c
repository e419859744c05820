/* training_progress.c - see training_progress.h. */
#include "train/training_progress.h"

#include <math.h>

void training_progress_init(TrainingProgress *progress, double rate)
{
    *progress = (TrainingProgress){ .rate = rate, .best_score = -INFINITY, .best_loss = INFINITY };
}

double training_progress_epochs(const TrainingProgress *progress, int batches)
{
    return (double)progress->epoch + (double)progress->batch / batches;
}

const char *ending_text(Ending ending)
{
    switch (ending) {
    case ENDED_EPOCHS:      return "all epochs are done";
    case ENDED_STEPS:       return "all steps are done";
    case ENDED_TIME:        return "the time is up";
    case ENDED_STALLED:     return "validation has stopped getting better";
    case ENDED_INTERRUPTED: break;
    }
    return "interrupted";
}
