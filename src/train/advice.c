/* advice.c - see advice.h. */
#include "train/advice.h"

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
    switch (advice) {
    case ADVICE_OVERFITS:
        buf_printf(out, "the network learns the training pairs by heart: its loss on them is %.2f, "
                        "on the validation sentences %.2f and no longer falling; try a higher "
                        "--dropout, a smaller --hidden, or more pairs",
                   s->training_loss, s->valid_loss);
        break;
    case ADVICE_STALLS:
        buf_printf(out, "the last %d validations were no better; try a lower --learning-rate, or a "
                   "--warmup", s->stalled);
        if (s->training_loss >= s->valid_loss)
            buf_printf(out, "; the loss on the training pairs (%.2f) is no lower than on the "
                            "validation sentences (%.2f): a larger --hidden or less --dropout may "
                            "help, too",
                       s->training_loss, s->valid_loss);
        break;
    case ADVICE_NONE:
        break;
    }
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

/* ---- during a run ---- */

void adviser_count(Adviser *a, double loss, double tokens)
{
    a->loss += loss;
    a->tokens += tokens;
}

void adviser_report(Adviser *a, const ValidationReport *v, const TrainingEvents *events)
{
    const Symptoms s = { .training_loss = a->loss / a->tokens, .valid_loss = v->valid_loss,
                         .best_loss = v->progress->best_loss, .stalled = v->progress->stalled };
    const Advice advice = a->tokens > 0 ? advice_for(&s) : ADVICE_NONE;
    a->loss = a->tokens = 0;
    if (!advice || !events->advised || a->given & 1 << advice) return;
    Buf text = { 0 };
    a->given |= 1 << advice;
    advice_print(advice, &s, &text);
    events->advised(events->context, text.text);
    buf_free(&text);
}
