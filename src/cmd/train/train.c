/* train.c - `attn train`: a corpus in, a model file out. */
#include "base/files/lock.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/signals.h"
#include "cmd/train/claim.h"
#include "cmd/train/config.h"
#include "cmd/train/curves.h"
#include "cmd/train/data_options.h"
#include "cmd/train/disk_space.h"
#include "cmd/train/joining.h"
#include "cmd/train/metadata.h"
#include "cmd/train/new_model.h"
#include "cmd/train/report.h"
#include "cmd/train/same.h"
#include "cmd/train/summary.h"
#include "train/data/batches.h"
#include "train/data/data.h"
#include "train/hyperparameters/memory_estimate.h"
#include "train/checkpoint.h"
#include "train/trainer.h"
#include "train/validation.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Before any work: refuses a network that is too large even with the smallest vocabularies and
 * batches. */
static int check_network(const Config *c, Err *e)
{
    enum { SMALLEST_VOCABULARY = 5 };
    Config settled = *c;
    config_settle_text(&settled, 0);
    if (config_settle(&settled, &(CorpusSize){ 0 }, e)) return -1;
    const MemoryEstimate estimate = memory_estimate(&settled.network, SMALLEST_VOCABULARY,
                                                    SMALLEST_VOCABULARY,
                                                    (BatchSize){ 1, 1, 1, 1, 1 }, NULL,
                                                    &settled.hyper, (Crew){ 0, 1, 1 });
    return memory_estimate_check(&estimate, e);
}

static int check_memory(const Config *c, const Data *d, Crew crew, Err *e)
{
    const Hyperparameters *hyper = &c->hyper;
    const BatchSize share = batches_share(&d->train, hyper->batch, hyper->batch_tokens, crew.all);
    const MemoryEstimate estimate = memory_estimate(&c->network, tokenizer_size(d->source),
                                                    tokenizer_size(d->target), share,
                                                    &d->valid, hyper, crew);
    summary_memory(c, &estimate);
    return memory_estimate_check(&estimate, e);
}

/* One run, from the command line to its end. */
typedef struct {
    Processes  *processes;      /* NULL: this one alone */
    Config      config;
    SavedRequest saved;         /* of a run that is resumed */
    Options     given;
    Buf         command;        /* for the metadata, without --resume and --force */
    int         threads;        /* of all processes; 0: one a core */
    Lock        lock;           /* on the outputs */
    DataOptions options;
    Data        data;
    Merges      merges, target_merges;  /* of --merges and --target-merges */
    Buf         folder, state;  /* for streamed pairs; the name of the state file */
    FILE       *log;
    int         interrupted;    /* the signal that ended the run; 0: none */
    double      trained;        /* seconds: all finished networks */
} Run;

/* The first lines have been read: sets the options that follow from what they are. */
static void settle_text(void *context, int is_sequence)
{
    Run *r = context;
    config_settle_text(&r->config, is_sequence);
    r->options.text = r->config.text;
    r->options.cleaning.max_ratio = r->config.pairs.max_ratio;
    r->options.cleaning.equal_words = r->config.pairs.equal_words;
}

/* The corpus has been read: sets the options that follow from its size. */
static int settle(void *context, const CorpusSize *size, Err *e)
{
    Run *r = context;
    const Hyperparameters *hyper = &r->config.hyper;
    if (config_settle(&r->config, size, e)) return -1;
    r->options.examples = (ExampleOptions){ .max_length = hyper->max_length,
                                            .truncate = hyper->truncate,
                                            .bpe_dropout = hyper->bpe_dropout,
                                            .copy_words = hyper->copy_words,
                                            .noise = hyper->noise,
                                            .phrases = hyper->phrases,
                                            .both_directions = hyper->both_directions > 0 };
    r->options.valid_segments = hyper->validate_sentences;
    r->options.length_segments = MOST_LENGTHS;
    return 0;
}

/* The first line of the log: the model, how it is trained, and all options with their final
 * values. */
static cJSON *run_line(const Run *r, const Model *model)
{
    Config settled = r->config;
    settled.text = model->text;
    cJSON *line = cJSON_Duplicate(model->training, 1);
    cJSON_DeleteItemFromObjectCaseSensitive(line, "recipe");        /* among the options */
    json_add_bytes(line, "model", settled.own.output);
    cJSON_AddItemToObject(line, "options", config_to_json(&settled));
    return line;
}

static void be_silent(void *context, const char *text)
{
    (void)context, (void)text;
}

/* Of several processes the first reports; the others have no log and are quiet. */
static TrainingEvents events_for(const Run *r, TrainReport *report)
{
    TrainingEvents events = train_report_events(report);
    if (!processes_is_first(r->processes)) events.troubled = be_silent;
    return events;
}

/* Draws the curves of a run that has ended. */
static int finish(const Run *r, const TrainReport *report, Err *e)
{
    const Config *c = &r->config;
    if (!processes_is_first(r->processes)) return 0;
    if (report->log_error)
        return err(e, "cannot write '%s': %s", c->own.log, strerror(report->log_error));
    return c->own.curves ? curves_draw(c->own.curves, c->own.log, e) : 0;
}

/* The networks before this one, which the model file has; only the first process needs them. */
static int load_earlier(const Run *r, int network, Model *earlier, Err *e)
{
    Err why;
    *earlier = (Model){ 0 };
    if (!network || !processes_is_first(r->processes)) return 0;
    if (!member_load(r->config.own.output, network, earlier, &why)) return 0;
    return err(e, "the networks before number %d were in the model; %s; put it back, or begin anew "
                  "with --force in place of --resume", network + 1, why.text);
}

/* The settings of one network: a seed of its own, and its share of the time that is left. */
static Hyperparameters hyperparameters_of(const Run *r, int network)
{
    const Config *c = &r->config;
    const double least = 1e-3, left = c->hyper.time_limit - r->trained;
    Hyperparameters h = c->hyper;
    h.seed = network_seed(c, network);
    if (h.time_limit > 0) h.time_limit = fmax(least, left / (h.ensemble - network));
    return h;
}

/* Trains one network and reports its end. Sets r->interrupted. */
static int train_network(Run *r, Model *model, int network, TrainReport *report, Pool *pool,
                         Err *e)
{
    Config *c = &r->config;
    Model earlier;
    if (processes_agree(r->processes, load_earlier(r, network, &earlier, e), e)) return -1;
    const Hyperparameters hyper = hyperparameters_of(r, network);
    const TrainingEvents events = events_for(r, report);
    Pairs reversed = model->right_left ? pairs_right_left(&r->data.valid) : (Pairs){ 0 };
    Training training = {
        .model = model, .hyper = &hyper, .train = &r->data.train,
        .valid = model->right_left ? &reversed : &r->data.valid,
        .text = &r->data.text, .pool = pool, .processes = r->processes,
        .model_path = c->own.output, .state_path = r->state.text,
        .save_every = c->own.save_every, .tally_every = c->own.log_every,
        .show_every = c->own.quiet && !r->log ? 0 : c->own.show_every,  /* nobody would see it */
        .resume = c->own.resume && network == r->saved.network,
        .member = { &earlier, network, hyper.ensemble, r->trained },
        .corpus_hash = metadata_corpus_hash(&r->data),
        .valid_hash = r->data.valid_report.hash, .vocabulary_hash = metadata_vocabulary_hash(model),
        .requests = signals_requests(),
    };
    const Crew crew = processes_crew(r->processes, pool);
    char *request = config_request(c, r->command.text, &r->options.files, crew.all);
    training.request = request;
    Ending ending;
    TrainingProgress progress;
    report->network = network;
    progress_init(&report->progress, stderr, c->own.quiet, 10);
    const int rc = trainer_run(&training, &events, &ending, &progress, e);
    progress_end(&report->progress);
    free(request);
    pairs_free(&reversed);
    model_free(&earlier);
    r->trained += progress.seconds;
    if (!rc && processes_is_first(r->processes)) summary_end(c, &progress, ending);
    if (!rc && ending == ENDED_INTERRUPTED) r->interrupted = atomic_load(&training.requests->stop);
    return rc;
}

/* Keeps in the finished model how long its translations should be. The model is whole without, after
 * a failure or a request to stop, which sets r->interrupted. */
static void calibrate(Run *r, Pool *pool)
{
    Err e;
    LengthCalibration found;
    if (!processes_is_first(r->processes)) return;
    const int is_found = length_calibration_keep(&found, r->config.own.output, &r->data.length_text,
                                                 &signals_requests()->stop, pool, &e);
    r->interrupted = atomic_load(&signals_requests()->stop);
    if (is_found > 0) summary_length(&r->config, &found);
    else if (is_found < 0) warn("%s; the model is there, without its --normalize", e.text);
    else if (r->interrupted) warn("interrupted: the model is there, without its --normalize");
}

/* Trains the networks of the model one after the other, from the one that was interrupted on. */
static int train(Run *r, Model *model, Pool *pool, Err *e)
{
    Config *c = &r->config;
    cJSON *line = run_line(r, model);
    TrainReport report = { .log = r->log, .log_path = c->own.log, .run = line,
                           .curves = c->own.curves, .networks = c->hyper.ensemble };
    if (!c->own.resume) train_report_begin(&report);    /* empties an old log, now and not before */
    r->trained = r->saved.earlier_seconds;
    int rc = 0;
    if (r->saved.network >= c->hyper.ensemble)
        rc = err(e, "cannot resume from '%s': it is of network %d of %d", r->state.text,
                 r->saved.network + 1, c->hyper.ensemble);
    else if (c->hyper.time_limit > 0 && r->trained >= c->hyper.time_limit)
        rc = err(e, "cannot resume from '%s': its finished networks have taken %.0f s, and "
                    "--time-limit %g asks for no more", r->state.text, r->trained,
                 c->hyper.time_limit);
    for (int k = r->saved.network; !rc && !r->interrupted && k < c->hyper.ensemble; k++) {
        if (k > r->saved.network) begin_network(c, model, k);
        rc = train_network(r, model, k, &report, pool, e);
    }
    cJSON_Delete(line);
    if (!rc && !r->interrupted) calibrate(r, pool);
    if (!rc && !r->interrupted && processes_is_first(r->processes)) summary_next(c);
    return rc ? rc : finish(r, &report, e);
}

static int make_and_train(Run *r, Pool *pool, Err *e)
{
    Config *c = &r->config;
    const Crew crew = processes_crew(r->processes, pool);
    Model model = new_model(c, &r->data);
    begin_network(c, &model, r->saved.network);
    model.training = metadata_of_training(c, r->command.text, &r->data, &r->options, crew.all);
    summary_model(c, &model, crew.all, processes_count(r->processes));
    int rc = 0;
    if (processes_is_first(r->processes))
        rc = disk_space_check(c->own.output, r->state.text, model.table, &c->hyper, e);
    rc = processes_agree(r->processes, rc, e)
         || same_beginning(r->processes, c, &model, metadata_vocabulary_hash(&model), e) ? -1 : 0;
    if (!rc) rc = train(r, &model, pool, e);
    model_free(&model);
    return rc;
}

static int close_log(Run *r, Err *e)
{
    if (!r->log || !fclose(r->log)) return 0;
    return err(e, "cannot write '%s': %s", r->config.own.log, strerror(errno));
}

/* Before any work: no run lasts for hours and then cannot save. */
static int prepare_outputs(Run *r, Err *e)
{
    const TrainOptions *own = &r->config.own;
    if (processes_is_first(r->processes)
        && claim_outputs(own, r->state.text, &r->options.files, &r->saved, &r->lock, e))
        return -1;
    signals_prepare();
    return 0;
}

/* Opens the log, where there is one, for appending. */
static int open_log(Run *r, Err *e)
{
    const char *path = r->config.own.log;
    if (!path || !processes_is_first(r->processes) || (r->log = fopen(path, "a"))) return 0;
    return err(e, "cannot write '%s': %s", path, strerror(errno));
}

/* What follows from the text alone: --dry-run and --dump-config. */
static void print_dry_run(Run *r)
{
    Config *c = &r->config;
    c->text = r->data.learned;
    if (c->own.dump_config) config_print(c);
    else summary_numbers(&r->data);
}

static int is_dry(const Run *r)
{
    return r->config.own.dry_run || r->config.own.dump_config;
}

/* Reads the corpus, after all that could fail at once has been tried. */
static int prepare(Run *r, Err *e)
{
    if (!is_dry(r) && (check_network(&r->config, e) || prepare_outputs(r, e))) return -1;
    if (data_prepare(&r->data, &r->options, e)) return -1;
    return is_dry(r) ? 0 : open_log(r, e);
}

static int train_by(Run *r, Pool *pool, Err *e)
{
    processes_gather_crew(r->processes, pool);
    processes_exchange(r->processes, r->config.own.exchange);
    const Crew crew = processes_crew(r->processes, pool);
    const int rc = check_memory(&r->config, &r->data, crew, e);
    return processes_agree(r->processes, rc, e) ? -1 : make_and_train(r, pool, e);
}

static int prepare_and_train(Run *r, Err *e)
{
    Err ignored;
    if (same_request(r->processes, &r->config, e)) return -1;
    if (processes_agree(r->processes, prepare(r, e), e)) return -1;
    const int workers = processes_divide(r->processes, r->threads, e);
    if (workers < 0) return -1;
    if (processes_is_first(r->processes)) summary_data(&r->config, &r->data, &r->options);
    if (is_dry(r)) {
        if (processes_is_first(r->processes)) print_dry_run(r);
        return 0;
    }
    Pool *pool = start_workers(workers);
    const int rc = train_by(r, pool, e);
    pool_free(pool);
    return close_log(r, rc ? &ignored : e) || rc ? -1 : 0;
}

/* Options that change only how the run begins: a resumed run ends with the same model as one
 * without a break. */
static int is_about_start(const char *argument)
{
    static const char *const flags[] = { "--resume", "--no-resume", "--force", "--no-force", NULL };
    for (const char *const *flag = flags; *flag; flag++)
        if (!strncmp(argument, *flag, strlen(*flag)) && strchr("=", argument[strlen(*flag)]))
            return 1;
    return 0;
}

/* The command line in one string. */
static void join_command(int argc, char **argv, Buf *out)
{
    buf_puts(out, "attn");
    for (int i = 0; i < argc; i++)
        if (!is_about_start(argv[i])) buf_printf(out, " %s", argv[i]);
}

/* The folder for streamed pairs: that of the model, or for a dry run and for a further process,
 * whose machine may not have the other, one for temporary files. */
static void add_folder(const Run *r, Buf *out)
{
    const char *path = r->config.own.output, *slash = strrchr(path, '/');
    const char *temporary = getenv("TMPDIR");
    if (is_dry(r) || !processes_is_first(r->processes))
        buf_puts(out, temporary ? temporary : "/tmp");
    else if (slash) buf_add(out, path, slash > path ? (size_t)(slash - path) : 1);
    else buf_putc(out, '.');
}

static int read_merges(Run *r, Err *e)
{
    const TrainOptions *own = &r->config.own;
    if (own->merges && merges_read(&r->merges, own->merges, e)) return -1;
    if (own->target_merges && merges_read(&r->target_merges, own->target_merges, e)) return -1;
    if (own->merges) r->options.source_merges = r->options.target_merges = &r->merges;
    if (own->target_merges) r->options.target_merges = &r->target_merges;
    return 0;
}

/* A launcher gives standard input to the first process. */
static int check_input(const Run *r, const BitextFiles *files, Err *e)
{
    for (int i = 0; i < files->count; i++)
        if (!strcmp(files->name[i], "-") && processes_count(r->processes) > 1)
            return err(e, "standard input reaches only one of %d processes; put the corpus into a "
                          "file that all can read", processes_count(r->processes));
    return 0;
}

/* The corpus of the command line; a resumed run without one continues with its own. */
static int find_files(Run *r, BitextFiles *files, Err *e)
{
    const int is_named = r->given.count || !r->config.own.resume;
    const Silence silence = joining_silence();      /* all find the same error in the names */
    *files = is_named ? config_files(&r->config, r->given.count, r->given.operand)
                      : config_files(&r->config, r->saved.files, r->saved.file);
    joining_speak(silence);
    for (int i = 0; i < files->count && !is_named; i++) {
        if (!strcmp(files->name[i], "-"))
            return err(e, "the corpus of this run came from standard input: name it again: attn "
                          "train --resume -o %s - < CORPUS", r->config.own.output);
        if (access(files->name[i], R_OK))
            return err(e, "%s: cannot be read: %s; if the corpus of this run has moved, name it: "
                          "attn train --resume -o %s CORPUS", files->name[i], strerror(errno),
                          r->config.own.output);
    }
    return 0;
}

/* A resumed run keeps its command, and its number of workers unless --threads changes it. */
static void apply_saved(Run *r)
{
    r->threads = r->config.hyper.threads;
    if (!r->config.own.resume) return;
    if (!r->threads && !options_given(&r->given, "threads")) r->threads = r->saved.workers;
    buf_clear(&r->command);
    config_command(&r->config, &r->saved, &r->command);
}

static int run_on_files(Run *r, Err *e)
{
    BitextFiles files;
    if (find_files(r, &files, e) || check_input(r, &files, e)) return -1;
    add_folder(r, &r->folder);
    buf_printf(&r->state, "%s.state", r->config.own.output);
    r->options = data_options(&r->config, &files, r->folder.text);
    r->options.begin = settle_text;
    r->options.settle = settle;
    r->options.context = r;
    r->options.processes = r->processes;
    return read_merges(r, e) || prepare_and_train(r, e) ? -1 : 0;
}

static void release(Run *r)
{
    lock_release(&r->lock);
    data_free(&r->data);
    config_free(&r->config);
    merges_free(&r->merges);
    merges_free(&r->target_merges);
    buf_free(&r->folder);
    buf_free(&r->state);
    buf_free(&r->command);
    saved_request_free(&r->saved);
    options_free(&r->given);
}

static int run_config(Run *r, Err *e)
{
    apply_saved(r);
    if (r->given.count || !r->config.own.dump_config) return run_on_files(r, e);
    if (processes_is_first(r->processes)) config_print(&r->config);
    return 0;
}

/* Reads the command line, which all processes have, and joins them. */
static int begin(Run *r, int argc, char **argv, Err *e)
{
    const Silence silence = joining_silence();
    int rc = config_read(&r->config, argc, argv, &r->given, &r->saved, e);
    joining_speak(silence);
    if (processes_join(&r->processes, e)) {
        joining_wait();
        return -1;
    }
    if (!processes_is_first(r->processes)) r->config.own.quiet = 1;
    return processes_agree(r->processes, rc, e);
}

static int run(int argc, char **argv)
{
    Run r = { 0 };
    Err e;
    join_command(argc, argv, &r.command);
    int rc = begin(&r, argc, argv, &e);
    if (!rc) rc = processes_agree(r.processes, run_config(&r, &e), &e);
    const int interrupted = r.interrupted;
    release(&r);
    if (rc && joining_is_first()) fail("%s", e.text);
    processes_leave(r.processes);
    if (rc) return EXIT_FAILED;
    return interrupted ? 128 + interrupted : EXIT_OK;
}

const Command command_train = {
    .name = "train", .summary = "learn to translate from sentence pairs", .run = run,
    .describe = config_describe,
};
