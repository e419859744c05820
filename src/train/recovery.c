/* recovery.c - see recovery.h. */
#include "train/recovery.h"

#include <math.h>
#include <stdio.h>

enum { MANY_HIGH_LOSSES = 100 };        /* after so many the loss is reported, once */

/* The weights that gave so many gradients that are not finite will give more of them. */
static int go_back(const Recovery *r, TrainingProgress *p, Err *e)
{
    char text[sizeof e->text];
    if (p->recoveries == MOST_RECOVERIES)
        return err(e, "the training diverges: the gradient is not finite, and half the learning "
                      "rate and a return to good weights, %d times, did not help; try "
                      "--learning-rate %g (it was %g) or a lower --clip",
                   p->recoveries, r->rate / 10, r->rate);
    p->recoveries++;
    p->recovered_step = p->step;
    p->skipped_in_row = 0;
    p->rate /= 2;
    updater_go_back(r->updater);
    updater_count_from(r->updater, p->recovered_step);
    snprintf(text, sizeof text, "step %ld: the gradient was not finite %d times in a row: back to "
                                "the last good weights, with the learning rate %g",
             p->step, MOST_SKIPPED, p->rate);
    r->events->troubled(r->events->context, text);
    return 0;
}

/* A network that gives all V words the same probability has a loss of log V. One whose loss stays a
 * nat above that has learned something wrong. */
static void watch_loss(Recovery *r, const Update *u, const TrainingProgress *p)
{
    const double guessing = log(r->words);
    char text[256];
    if (u->skipped || r->high_losses == MANY_HIGH_LOSSES) return;
    const int is_high = u->loss.plain > (guessing + 1) * (double)u->tokens;
    r->high_losses = is_high ? r->high_losses + 1 : 0;
    if (r->high_losses < MANY_HIGH_LOSSES) return;
    snprintf(text, sizeof text, "the training diverges: the loss is %.1f, and guessing would be "
                                "%.1f; try a lower --learning-rate (it is %g)",
             u->loss.plain / (double)u->tokens, guessing,
             p->last_rate);
    r->events->troubled(r->events->context, text);
}

int recovery_watch(Recovery *r, const Update *update, TrainingProgress *progress, Err *e)
{
    progress->skipped_in_row = update->skipped ? progress->skipped_in_row + 1 : 0;
    watch_loss(r, update, progress);
    return progress->skipped_in_row == MOST_SKIPPED ? go_back(r, progress, e) : 0;
}
