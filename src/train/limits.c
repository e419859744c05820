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

double limits_epochs(const Reached *reached, int batches)
{
    return (double)reached->epoch + (double)reached->batch / batches;
}

double limits_share(const Recipe *r, const Reached *reached, int batches)
{
    const double epochs = share_of(limits_epochs(reached, batches), r->epochs);
    const double steps = share_of((double)reached->step, r->steps);
    return fmax(epochs, fmax(steps, share_of(reached->seconds, r->time_limit)));
}

int limits_end(const Recipe *r, const Reached *reached, int batches, Ending *ending)
{
    if (r->patience && reached->stalled >= r->patience)
        *ending = ENDED_STALLED;
    else if (reached->epoch + 1 >= r->epochs && reached->batch == batches)
        *ending = ENDED_EPOCHS;
    else if (r->steps && reached->step >= r->steps)
        *ending = ENDED_STEPS;
    else if (r->time_limit > 0 && reached->seconds >= r->time_limit)
        *ending = ENDED_TIME;
    else
        return 0;
    return 1;
}
