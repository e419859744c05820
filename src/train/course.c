/* course.c - see course.h. */
#include "train/course.h"

#include <math.h>

/* ---- how far it has come ---- */

void course_init(TrainingProgress *progress, double rate)
{
    *progress = (TrainingProgress){ .rate = rate, .best_score = -INFINITY, .best_loss = INFINITY };
}

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

static double share_of(double done, double limit)
{
    return limit > 0 ? fmin(done / limit, 1) : 0;
}

double limits_share(const Hyperparameters *h, const TrainingProgress *p, int batches)
{
    const double epochs = share_of(course_epochs(p, batches), h->epochs);
    const double steps = share_of((double)p->step, h->steps);
    return fmax(epochs, fmax(steps, share_of(p->seconds, h->time_limit)));
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

int limits_check(const Hyperparameters *now, const Hyperparameters *was,
                 const TrainingProgress *p, int batches, Err *e)
{
    Ending ending, earlier;
    if (!limits_end(now, p, batches, &ending) || limits_end(was, p, batches, &earlier)) return 0;
    switch (ending) {
    case ENDED_STEPS:
        return err(e, "it has done %ld steps, and --steps %d asks for no more", p->step,
                   now->steps);
    case ENDED_EPOCHS:
        return err(e, "it has done %.2f epochs, and --epochs %d asks for no more",
                   course_epochs(p, batches), now->epochs);
    case ENDED_TIME:
        return err(e, "it has taken %.0f s, and --time-limit %g asks for no more", p->seconds,
                   now->time_limit);
    default:
        return err(e, "its last validations, %d, were no better, and --patience %d asks for no "
                      "more",
                   p->stalled, now->patience);
    }
}

/* ---- the learning rate ---- */

/* The share done of the run after the warm-up. */
static double decayed(double passed, double done)
{
    const double ended = done / passed;
    return passed < 1 || ended >= 1 ? 0 : (done - ended) / (1 - ended);
}

static double cooled(double cooldown, double done)
{
    const double left = 1 - done;
    return left < cooldown ? left / cooldown : 1;
}

double schedule_factor(const Schedule *s, long step, double done)
{
    const double pi = 3.14159265358979323846;
    const double passed = s->warmup <= 0 ? INFINITY     /* how often the warm-up has */
                        : (s->warmup < 1 ? done : (double)step) / s->warmup;
    const double rise = fmin(1, passed);
    switch (s->kind) {
    case SCHEDULE_INVERSE_SQRT: return fmin(passed, 1 / sqrt(passed)) * cooled(s->cooldown, done);
    case SCHEDULE_LINEAR:       return rise * (1 - decayed(passed, done));
    case SCHEDULE_COSINE:       return rise * (1 + cos(pi * decayed(passed, done))) / 2;
    default:                    return rise * cooled(s->cooldown, done);
    }
}
