/* limits.c - see limits.h. */
#include "train/limits.h"

#include <math.h>

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

static double share_of(double done, double limit)
{
    return limit > 0 ? fmin(done / limit, 1) : 0;
}

double limits_epochs(const TrainingProgress *progress, int batches)
{
    return (double)progress->epoch + (double)progress->batch / batches;
}

double limits_share(const Hyperparameters *r, const TrainingProgress *progress, int batches)
{
    const double epochs = share_of(limits_epochs(progress, batches), r->epochs);
    const double steps = share_of((double)progress->step, r->steps);
    return fmax(epochs, fmax(steps, share_of(progress->seconds, r->time_limit)));
}

int limits_end(const Hyperparameters *r, const TrainingProgress *progress, int batches, Ending *ending)
{
    if (r->patience && progress->stalled >= r->patience)
        *ending = ENDED_STALLED;
    else if (limits_epochs(progress, batches) >= r->epochs)
        *ending = ENDED_EPOCHS;
    else if (r->steps && progress->step >= r->steps)
        *ending = ENDED_STEPS;
    else if (r->time_limit > 0 && progress->seconds >= r->time_limit)
        *ending = ENDED_TIME;
    else
        return 0;
    return 1;
}

static int refuse(Ending ending, const Hyperparameters *r, const TrainingProgress *progress, int batches, Err *e)
{
    switch (ending) {
    case ENDED_STEPS:
        return err(e, "it has done %ld steps, and --steps %d asks for no more", progress->step, r->steps);
    case ENDED_EPOCHS:
        return err(e, "it has done %.2f epochs, and --epochs %d asks for no more", limits_epochs(progress, batches),
                   r->epochs);
    case ENDED_TIME:
        return err(e, "it has taken %.0f s, and --time-limit %g asks for no more", progress->seconds, r->time_limit);
    default:
        return err(e, "its last validations, %d, were no better, and --patience %d asks for no more", progress->stalled,
                   r->patience);
    }
}

int limits_check(const Hyperparameters *now, const Hyperparameters *was, const TrainingProgress *progress, int batches, Err *e)
{
    Ending ending, earlier;
    if (!limits_end(now, progress, batches, &ending) || limits_end(was, progress, batches, &earlier)) return 0;
    return refuse(ending, now, progress, batches, e);
}
