/* interrupted_run.c - runs that a report of theirs interrupts. */
#include "interrupted_run.h"

#include "base/files/files.h"
#include "base/mem.h"

void no_validation(Toy *toy)
{
    (void)toy;
}

void validation_each_epoch(Toy *toy)
{
    toy_validate(toy);
}

Toy *new_run(Scratch *scratch, Setting setting)
{
    Toy *toy = toy_new(scratch, TOKENS_BPE, WORKERS);
    toy->hyper.batch = 3;      /* three batches an epoch */
    toy->hyper.steps = 8;      /* in the middle of the third */
    toy->hyper.dropout = toy->hyper.dropout_embedding = 0.2;
    toy->hyper.label_smoothing = 0.1;
    toy->hyper.schedule.cooldown = 0.5;
    setting(toy);
    return toy;
}

void interrupt_update(void *context, const UpdateReport *report)
{
    Interrupter *i = context;
    if (report->progress->step == i->interrupt_at) i->toy->requests.stop = 1;
}

static void interrupt_validation(void *context, const ValidationReport *report)
{
    Interrupter *i = context;
    (void)report;
    if (++i->seen == i->validations) i->toy->requests.stop = 1;
}

void run_until(Toy *toy, long step, long validations)
{
    Interrupter i = { toy, step, validations, 0 };
    const TrainingEvents events = { .context = &i, .updated = interrupt_update,
                                    .validated = interrupt_validation, .troubled = toy_trouble };
    toy_run(toy, &events);
}

Bytes read_file(const char *path)
{
    Err e;
    Content file;
    if (content_read(&file, path, &e)) fail_msg("%s", e.text);
    Bytes b = { xmalloc(file.size, 1), file.size };
    memcpy(b.bytes, file.data, file.size);
    content_free(&file);
    return b;
}
