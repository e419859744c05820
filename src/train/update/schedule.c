/* schedule.c - warm-up, decay, cooldown. */
#include "train/update/schedule.h"

#include <math.h>
#include <stddef.h>

const char *const schedule_names[] = { "constant", "inverse-sqrt", "linear", "cosine", NULL };

/* How often the warm-up has passed; infinite if there is none. */
static double warmups(const Schedule *s, long step, double done)
{
    if (s->warmup <= 0) return INFINITY;
    return s->warmup < 1 ? done / s->warmup : (double)step / s->warmup;
}

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
    const double passed = warmups(s, step, done), rise = fmin(1, passed);
    switch (s->kind) {
    case SCHEDULE_INVERSE_SQRT: return fmin(passed, 1 / sqrt(passed)) * cooled(s->cooldown, done);
    case SCHEDULE_LINEAR:       return rise * (1 - decayed(passed, done));
    case SCHEDULE_COSINE:       return rise * (1 + cos(pi * decayed(passed, done))) / 2;
    default:                    return rise * cooled(s->cooldown, done);
    }
}
