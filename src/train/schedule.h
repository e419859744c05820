/* schedule.h - the share of the learning rate that an update gets: a pure function of how far the run has come, so that
 * a resumed run goes on with the same rates.
 *
 * p is the share of the run that is done, by whichever of its epochs, steps or time is nearest to its end: with a time
 * limit the rate is planned to end when the time is up. Let u be how often the warm-up has passed: s / W at update s
 * with a warm-up of W >= 1 updates, p / W with one of a share W < 1 of the run. Then q, the share that is done of what
 * follows the warm-up, is (p - p/u) / (1 - p/u): p/u is where the warm-up ended, if all updates take the same share.
 *
 *   constant       min(1, u)
 *   inverse-sqrt   min(u, 1/sqrt(u))                   Vaswani et al. 2017, "Attention Is All You MemoryEstimate", equation 3
 *   linear         min(1, u) · (1 - q)
 *   cosine         min(1, u) · (1 + cos(pi q)) / 2     Loshchilov and Hutter 2017, "SGDR", equation 5, one period
 *
 * The first two don't reach 0 by themselves: in the last share of the run, `cooldown`, they are multiplied by what is
 * left of it, a straight line to 0 (Hägele et al. 2024, "Scaling Laws and Compute-Optimal Training Beyond Fixed
 * Training Durations").
 */
#ifndef ATTN_TRAIN_SCHEDULE_H
#define ATTN_TRAIN_SCHEDULE_H

typedef enum { SCHEDULE_CONSTANT, SCHEDULE_INVERSE_SQRT, SCHEDULE_LINEAR, SCHEDULE_COSINE } ScheduleKind;
extern const char *const schedule_names[];      /* NULL-terminated, in the order of ScheduleKind */

typedef struct {
    int    kind;            /* SCHEDULE_... */
    double warmup;          /* updates, or below 1 a share of the run; 0: none. inverse-sqrt needs one */
    double cooldown;        /* share of the run; linear and cosine don't need it and ignore it */
} Schedule;

/* schedule_factor - 0 to 1, for update number `step` (from 1) after the share `done` (0 to 1) of the run. */
double schedule_factor(const Schedule *schedule, long step, double done);

#endif
