/* health.c - see health.h. */
#include "train/health.h"

#include <math.h>
#include <stdio.h>

/* ---- numbers that fail ---- */

enum { MANY_HIGH_LOSSES = 100 };        /* after so many the loss is reported, once */

/* The weights that gave so many gradients that are not finite will give more of them. */
static int go_back(const Health *h, TrainingProgress *p, Err *e)
{
    char text[sizeof e->text];
    if (p->recoveries == MOST_RECOVERIES)
        return err(e, "the training diverges: the gradient is not finite, and half the learning "
                      "rate and a return to good weights, %d times, did not help; try "
                      "--learning-rate %g (it was %g) or a lower --clip",
                   p->recoveries, h->rate / 10, h->rate);
    p->recoveries++;
    p->recovered_step = p->step;
    p->skipped_in_row = 0;
    p->rate /= 2;
    updater_go_back(h->updater);
    updater_count_from(h->updater, p->recovered_step);
    snprintf(text, sizeof text, "step %ld: the gradient was not finite %d times in a row: back to "
                                "the last good weights, with the learning rate %g",
             p->step, MOST_SKIPPED, p->rate);
    h->events->troubled(h->events->context, text);
    return 0;
}

/* A network that gives all V words the same probability has a loss of log V. One whose loss stays a
 * nat above that has learned something wrong. */
static void watch_loss(Health *h, const Update *u, const TrainingProgress *p)
{
    const double guessing = log(h->words);
    char text[256];
    if (u->skipped || h->high_losses == MANY_HIGH_LOSSES) return;
    const int is_high = u->loss.plain > (guessing + 1) * (double)u->tokens;
    h->high_losses = is_high ? h->high_losses + 1 : 0;
    if (h->high_losses < MANY_HIGH_LOSSES) return;
    snprintf(text, sizeof text, "the training diverges: the loss is %.1f, and guessing would be "
                                "%.1f; try a lower --learning-rate (it is %g)",
             u->loss.plain / (double)u->tokens, guessing,
             p->last_rate);
    h->events->troubled(h->events->context, text);
}

int health_watch(Health *h, const Update *update, TrainingProgress *progress, Err *e)
{
    progress->skipped_in_row = update->skipped ? progress->skipped_in_row + 1 : 0;
    if (!update->skipped) {
        h->loss += update->loss.plain;
        h->tokens += (double)update->tokens;
    }
    watch_loss(h, update, progress);
    return progress->skipped_in_row == MOST_SKIPPED ? go_back(h, progress, e) : 0;
}

/* ---- advice ---- */

enum { MANY_STALLED = 3 };

Advice advice_for(const Symptoms *s)
{
    const double risen = 1.02, far_below = 0.6;
    const int stalls = s->stalled >= MANY_STALLED;
    if (s->training_loss < far_below * s->valid_loss
        && (stalls || s->valid_loss > risen * s->best_loss))
        return ADVICE_OVERFITS;
    return stalls ? ADVICE_STALLS : ADVICE_NONE;
}

void advice_print(Advice advice, const Symptoms *s, Buf *out)
{
    if (advice == ADVICE_OVERFITS)
        buf_printf(out, "the network learns the training pairs by heart: its loss on them is %.2f, "
                        "on the validation sentences %.2f and no longer falling; try a higher "
                        "--dropout, a smaller --hidden, or more pairs",
                   s->training_loss, s->valid_loss);
    if (advice != ADVICE_STALLS) return;
    buf_printf(out, "the last %d validations were no better; try a lower --learning-rate, or a "
                    "--warmup", s->stalled);
    if (s->training_loss >= s->valid_loss)
        buf_printf(out, "; the loss on the training pairs (%.2f) is no lower than on the "
                        "validation sentences (%.2f): a larger --hidden or less --dropout may "
                        "help, too",
                   s->training_loss, s->valid_loss);
}

void advice_on_size(double pairs, Buf *out)
{
    if (pairs >= FEW_PAIRS) return;
    buf_printf(out, "%.0f training pair%s few: what comes out will be good only for sentences much "
                    "like them; more pairs help more than any option",
               pairs, pairs == 1 ? " is" : "s are");
}

void advice_on_validation(double pairs, Buf *out)
{
    if (pairs <= 0 || pairs >= FEW_VALID) return;
    buf_printf(out, "%.0f validation pair%s few: which weights are the best is partly chance; "
                    "--valid names a file with more", pairs, pairs > 1 ? "s are" : " is");
}

void health_advise(Health *h, const ValidationReport *v)
{
    const Symptoms s = { .training_loss = h->loss / h->tokens, .valid_loss = v->valid_loss,
                         .best_loss = v->progress->best_loss, .stalled = v->progress->stalled };
    const Advice advice = h->tokens > 0 ? advice_for(&s) : ADVICE_NONE;
    h->loss = h->tokens = 0;
    if (!advice || !h->events->advised || h->given & 1 << advice) return;
    Buf text = { 0 };
    h->given |= 1 << advice;
    advice_print(advice, &s, &text);
    h->events->advised(h->events->context, text.text);
    buf_free(&text);
}
