/* schedule.h - the factor of the learning rate for each update: a pure function of how far the run
 * has come, so that a resumed run continues with the same rates.
 *
 * p is the share of the run that is done, by whichever of its epochs, steps or time is nearest to
 * its end: with a time limit the rate is planned to end when the time is up. u is how often the
 * warm-up has passed: s / W at update s with a warm-up of W >= 1 updates, p / W with one of a share
 * W < 1 of the run. q is the share done of what follows the warm-up, (p - p/u) / (1 - p/u): p/u is
 * where the warm-up ended, if all updates take the same share.
 *
 *   constant       min(1, u)
 *   inverse-sqrt   min(u, 1/sqrt(u))                 Vaswani et al. 2017, "Attention Is All You
 *   Need",
 *                                                    equation 3
 *   linear         min(1, u) (1 - q)
 *   cosine         min(1, u) (1 + cos(pi q)) / 2     Loshchilov and Hutter 2017, "SGDR", equation
 *   5,
 *                                                    one period
 *
 * The first two do not reach 0 by themselves: in the last share of the run, `cooldown`, they are
 * multiplied by the share of the cooldown that is left, a straight line to 0 (Hägele et al. 2024,
 * "Scaling Laws and Compute-Optimal Training Beyond Fixed Training Durations").
 */
#ifndef ATTN_TRAIN_SCHEDULE_H
#define ATTN_TRAIN_SCHEDULE_H

typedef enum {
    SCHEDULE_CONSTANT, SCHEDULE_INVERSE_SQRT, SCHEDULE_LINEAR, SCHEDULE_COSINE
} ScheduleKind;
extern const char *const schedule_names[];      /* NULL-terminated, in the order of ScheduleKind */

typedef struct {
    int    kind;            /* SCHEDULE_... */
    double warmup;          /* updates, or below 1 a share of the run; 0: none. inverse-sqrt needs
                             * one */
    double cooldown;        /* share of the run; linear and cosine ignore it */
} Schedule;

/* schedule_factor - 0 to 1, for update number `step` (from 1) when the share `done` (0 to 1) of the
 * run is done. */
double schedule_factor(const Schedule *schedule, long step, double done);

#endif
