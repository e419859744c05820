/* training_events.c - see training_events.h. */
#include "train/training_events.h"

#include <stdlib.h>

void tally_add(Tally *sum, const UpdateReport *update)
{
    sum->seconds += update->seconds;
    sum->updates++;
    sum->skipped += update->skipped;
    if (update->skipped) return;
    sum->loss += update->loss;
    sum->tokens += update->tokens;
    sum->flops += update->flops;
}

void validation_report_free(ValidationReport *report)
{
    for (int k = 0; k < report->samples; k++)
        free(report->sample[k].translation);
    report->samples = 0;
}
