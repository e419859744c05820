/* limits.c - see limits.h. */
#include "train/limits.h"

#include <math.h>

static double share_of(double done, double limit)
{
    return limit > 0 ? fmin(done / limit, 1) : 0;
}

double limits_share(const Hyperparameters *h, const TrainingProgress *p, int batches)
{
    const double epochs = share_of(training_progress_epochs(p, batches), h->epochs);
    const double steps = share_of((double)p->step, h->steps);
    return fmax(epochs, fmax(steps, share_of(p->seconds, h->time_limit)));
}

int limits_end(const Hyperparameters *h, const TrainingProgress *p, int batches, Ending *ending)
{
    if (h->patience && p->stalled >= h->patience)
        *ending = ENDED_STALLED;
    else if (training_progress_epochs(p, batches) >= h->epochs)
        *ending = ENDED_EPOCHS;
    else if (h->steps && p->step >= h->steps)
        *ending = ENDED_STEPS;
    else if (h->time_limit > 0 && p->seconds >= h->time_limit)
        *ending = ENDED_TIME;
    else
        return 0;
    return 1;
}

static int refuse(Ending ending, const Hyperparameters *h, const TrainingProgress *p, int batches,
                  Err *e)
{
    switch (ending) {
    case ENDED_STEPS:
        return err(e, "it has done %ld steps, and --steps %d asks for no more", p->step, h->steps);
    case ENDED_EPOCHS:
        return err(e, "it has done %.2f epochs, and --epochs %d asks for no more",
                   training_progress_epochs(p, batches), h->epochs);
    case ENDED_TIME:
        return err(e, "it has taken %.0f s, and --time-limit %g asks for no more", p->seconds,
                   h->time_limit);
    default:
        return err(e, "its last validations, %d, were no better, and --patience %d asks for no "
                      "more",
                   p->stalled, h->patience);
    }
}

int limits_check(const Hyperparameters *now, const Hyperparameters *was,
                 const TrainingProgress *progress, int batches, Err *e)
{
    Ending ending, earlier;
    if (!limits_end(now, progress, batches, &ending)) return 0;
    if (limits_end(was, progress, batches, &earlier)) return 0;
    return refuse(ending, now, progress, batches, e);
}
