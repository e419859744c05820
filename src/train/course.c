/* course.c - see course.h. */
#include "train/course.h"

#include <math.h>

/* ---- how far it has come ---- */

double course_epochs(const TrainingProgress *progress, int batches)
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

double limits_share(const Hyperparameters *h, const TrainingProgress *p, int batches)
{
    double share = course_epochs(p, batches) / h->epochs;
    if (h->steps) share = fmax(share, (double)p->step / h->steps);
    if (h->time_limit > 0) share = fmax(share, p->seconds / h->time_limit);
    return fmin(share, 1);
}

/* ---- what ends it ---- */

int limits_end(const Hyperparameters *h, const TrainingProgress *p, int batches, Ending *ending)
{
    if (h->patience && p->stalled >= h->patience)
        *ending = ENDED_STALLED;
    else if (course_epochs(p, batches) >= h->epochs)
        *ending = ENDED_EPOCHS;
    else if (h->steps && p->step >= h->steps)
        *ending = ENDED_STEPS;
    else if (h->time_limit > 0 && p->seconds >= h->time_limit)
        *ending = ENDED_TIME;
    else
        return 0;
    return 1;
}

/* ---- the learning rate ---- */

double schedule_factor(const Schedule *s, long step, double done)
{
    const double pi = 3.14159265358979323846;
    const double passed = s->warmup <= 0 ? INFINITY     /* how often the warm-up has */
                        : (s->warmup < 1 ? done : (double)step) / s->warmup;
    const double rise = fmin(1, passed), left = 1 - done, ended = done / passed;
    const double cooled = left < s->cooldown ? left / s->cooldown : 1;
    const double decayed = passed < 1 || ended >= 1 ? 0     /* the share done after the warm-up */
                         : (done - ended) / (1 - ended);
    switch (s->kind) {
    case SCHEDULE_INVERSE_SQRT: return fmin(passed, 1 / sqrt(passed)) * cooled;
    case SCHEDULE_LINEAR:       return rise * (1 - decayed);
    case SCHEDULE_COSINE:       return rise * (1 + cos(pi * decayed)) / 2;
    default:                    return rise * cooled;
    }
}
