/* summary.c - what is said before a training and after it, in columns. */
#include "cmd/train/train.h"

#include "base/json.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/system/environment.h"
#include "cmd/command_files.h"
#include "cmd/help.h"
#include "cmd/models.h"
#include "linalg/kernels.h"
#include "linalg/openblas.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void say(const Config *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(const Config *c, const char *format, ...)
{
    Progress p;
    va_list args;
    progress_init(&p, stderr, c->own.quiet, 0);
    va_start(args, format);
    progress_vline(&p, 12, format, args);
    va_end(args);
}

static void report_advice(const Config *c, const Data *d)
{
    const LimitedNetwork *limited = &c->limited;
    if (d->train.validated)
        say(c, "advice      %zu training pair%s a source of '%s': on these, validation measures "
               "memory; take them out of one of the two", d->train.validated,
               d->train.validated == 1 ? " has" : "s have", c->own.valid);
    if (limited->network.hidden < limited->worth)
        say(c, "advice      the network is %d wide, as --memory %g has no room for more; so many "
               "pairs are worth %d, with --memory %.0f", limited->network.hidden, c->own.memory,
            limited->worth, ceil(limited->needs / 1e6));
}

void summary_data(const Config *c, const Data *d, const DataOptions *options)
{
    SCOPED(buf_free) Buf kind = { 0 };
    field_print(fields_find(text_fields, "tokens", strlen("tokens")), &c->text, &kind);
    warn_skipped(&d->report, &options->files);
    if (options->valid)
        warn_skipped(&d->valid_report, &(BitextFiles){ .name = &options->valid, .count = 1 });
    if (options->replay)
        warn_skipped(&d->replay_report, &(BitextFiles){ .name = &options->replay, .count = 1 });
    say(c, "corpus      %s pair%s: %s to train, %s to validate, %s held out for tests",
        progress_count((double)d->report.pairs).text, plural((double)d->report.pairs),
        progress_count((double)d->train.count).text, progress_count((double)d->valid.count).text,
        progress_count((double)d->part[PART_TEST]).text);
    if (c->is_recognised)
        say(c, "content     sequences that are no sentences: tokens are symbols (--tokens symbol); "
               "--tokens bpe is for sentences");
    if (options->replay)
        say(c, "            %s of those to train are of '%s'",
            progress_count((double)d->replayed).text, options->replay);
    if (d->further)
        say(c, "            %s left out that translate%s a source again (--translations all learns "
               "them)", progress_count((double)d->further).text, d->further == 1 ? "s" : "");
    if (d->train.dropped) say(c, "            %ld left out with more than %d tokens (--max-length)",
                              d->train.dropped, c->hyper.max_length);
    if (d->train.held_out)
        say(c, "            %ld left out whose source is another spelling of one held out",
            d->train.held_out);
    if (store_shards(d->train.store) > 1)
        say(c, "            streamed in %d parts of %g MB from a file beside the model",
            store_shards(d->train.store), c->own.memory / 2);
    say(c, "vocabulary  %s source and %s target entries (%s%s)",
        progress_count(tokenizer_size(d->source)).text,
        progress_count(tokenizer_size(d->target)).text, kind.text,
        c->text.shared ? ", shared" : "");
    say(c, "            read in %.2f s, learned in %.2f s, encoded in %.2f s", d->read_seconds,
        d->learn_seconds, d->encode_seconds);
    report_advice(c, d);
}

void summary_memory(const Config *c, const MemoryEstimate *estimate)
{
    say(c, "memory      %s MB for weights, moments and gradients, %s MB for the largest batches",
        progress_count(ceil(estimate->weights / 1e6)).text,
        progress_count(ceil(estimate->batch / 1e6)).text);
}

void summary_model(const Config *c, const Model *m, int workers, int processes)
{
    const char *openblas = gemm_is_fastest() ? "" : openblas_kernels();
    const int networks = c->hyper.ensemble, last = c->hyper.right_left;
    SCOPED(buf_free) Buf line = { 0 };
    if (networks > 1) buf_printf(&line, "%d of ", networks);
    buf_printf(&line, "%s parameters%s", progress_count((double)m->table->values).text,
               networks > 1 ? " each, one after the other" : "");
    if (last) buf_printf(&line, ", the last %d from right to left", last);
    buf_printf(&line, "; %d worker%s", workers, plural(workers));
    if (processes > 1) buf_printf(&line, " of %d processes", processes);
    buf_printf(&line, "; %s%s%s kernels", kernels_of_cpu()->name,
               *openblas ? " and OpenBLAS's " : "", openblas);
    say(c, "network     %s", line.text);
    if (!c->own.verbose) return;
    for (int i = 0; i < m->table->count; i++) {
        const Parameter *p = &m->table->row[i];
        say(c, "            %-40s %d x %d", p->name, p->rows, p->columns ? p->columns : 1);
    }
}

void summary_length(const Config *c, const LengthCalibration *found)
{
    say(c, "length      translations of the validation part have %.3f of the words of their "
           "references; so the model keeps --normalize %g%s", found->ratio, found->normalize,
        found->is_bound ? ", which is the bound" : "");
}

void summary_next(const Config *c)
{
    const int is_default = !strcmp(c->own.output, default_model());
    say(c, "next        attn translate%s%s", is_default ? "" : " -m ",
        is_default ? "" : c->own.output);
}

/* Where the weights of a finished network are from. */
static void say_weights(const Config *c, const TrainingProgress *progress)
{
    const char *path = c->own.output;
    if (progress->best_step && c->hyper.early_stop == STOP_NONE)
        say(c, "%s: the weights of the last step, validation loss %.4f", path, progress->best_loss);
    else if (progress->best_step)
        say(c, "%s: best validation at step %ld, loss %.4f", path, progress->best_step,
            progress->best_loss);
    else
        say(c, "%s: the weights of the last step; there are no validation pairs to choose by",
            path);
}

void summary_end(const Config *c, const TrainingProgress *progress, Ending ending)
{
    char network[48] = "";
    if (c->hyper.ensemble > 1)
        snprintf(network, sizeof network, "network %d of %d: ", progress->network + 1,
                 c->hyper.ensemble);
    say(c, "%s%s after %ld step%s, %.0f s", network, ending_text(ending), progress->step,
        plural((double)progress->step), progress->seconds);
    if (progress->skipped)
        warn("%ld update%s dropped: the gradient was not finite; try a lower --learning-rate",
             progress->skipped, progress->skipped == 1 ? " was" : "s were");
    if (ending != ENDED_INTERRUPTED) {
        say_weights(c, progress);
        return;
    }
    say(c, "the state is saved; attn train --resume -o %s continues the run", c->own.output);
    if (progress->network)
        say(c, "%s: has the finished network%s, %d of %d", c->own.output,
            plural(progress->network), progress->network, c->hyper.ensemble);
}

void summary_numbers(const Data *d)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    const struct { const char *key; double number; } counts[] = {
        { "lines", (double)d->report.lines }, { "pairs", (double)d->report.pairs },
        { "training_pairs", (double)d->train.count },
        { "further_translations", (double)d->further }, { "shards", store_shards(d->train.store) },
        { "source_vocabulary", tokenizer_size(d->source) },
        { "target_vocabulary", tokenizer_size(d->target) },
        { "source_tokens", d->source_tokens }, { "target_tokens", d->target_tokens },
        { "unknown_tokens_test", d->unknown },
    };
    cJSON *json = cJSON_CreateObject();
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        cJSON_AddNumberToObject(json, counts[i].key, counts[i].number);
    cJSON_AddItemToObject(json, "read_seconds", json_rounded(d->read_seconds, 6));
    cJSON_AddItemToObject(json, "learn_seconds", json_rounded(d->learn_seconds, 6));
    cJSON_AddItemToObject(json, "encode_seconds", json_rounded(d->encode_seconds, 6));
    cJSON_AddNumberToObject(json, "peak_bytes", (double)usage.ru_maxrss * 1024);
    print_json(json, 1);
    cJSON_Delete(json);
}
