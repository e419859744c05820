/* train.c - `attn train`: a corpus in, a model file out. */
#include "base/hash.h"
#include "base/lock.h"
#include "base/mem.h"
#include "base/version.h"
#include "cmd/cmd.h"
#include "cmd/train/curves.h"
#include "cmd/options.h"
#include "cmd/train/disk_space.h"
#include "cmd/signals.h"
#include "cmd/train/config.h"
#include "cmd/train/claim.h"
#include "cmd/train/report.h"
#include "cmd/train/summary.h"
#include "train/data.h"
#include "train/memory_estimate.h"
#include "train/trainer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Memory in bytes: what it can be given at most before --memory spills to a file. */
static size_t bytes_of(double megabytes)
{
    return (size_t)(megabytes * 1e6);
}

static DataOptions data_options(const Config *c, const BitextFiles *files, const char *folder)
{
    enum { BYTES_A_HASH = 32, SHARE_OF_HASHES = 8 };        /* of pairs, and as many of sources */
    const size_t memory = bytes_of(c->own.memory), hashes = memory / BYTES_A_HASH / SHARE_OF_HASHES;
    return (DataOptions){
        .files = *files, .valid = c->own.valid, .holdout = c->pairs.holdout,
        .cleaning = { .max_bytes = c->pairs.max_bytes, .max_ratio = c->pairs.max_ratio, .strict = c->pairs.strict,
                      .equal_words = c->pairs.equal_words, .max_pairs = c->pairs.pairs,
                      .duplicates = c->pairs.skip_duplicates ? hashes : 0 },
        .first_only = c->pairs.translations == TRANSLATIONS_FIRST ? hashes : 0,
        .memory = memory, .folder = folder, .text = c->text,
    };
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* How the model came about, for its metadata; the trainer adds what it reached. */
static cJSON *story(const Config *c, const char *command, const Data *d, const DataOptions *options, int workers)
{
    char hash[17];
    Buf files = { 0 };
    snprintf(hash, sizeof hash, "%016" PRIx64, d->report.hash);
    for (int i = 0; i < options->files.count; i++)
        buf_printf(&files, "%s%s", i ? " " : "", base_name(options->files.name[i]));
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "program", "attn " ATTN_VERSION);
    cJSON_AddStringToObject(json, "command", command);
    cJSON_AddStringToObject(json, "corpus", files.text);
    cJSON_AddStringToObject(json, "corpus_hash", hash);
    cJSON_AddNumberToObject(json, "corpus_pairs", (double)d->report.pairs);
    cJSON_AddNumberToObject(json, "training_pairs", (double)d->train.count);
    cJSON_AddBoolToObject(json, "holdout", options->holdout);
    cJSON_AddNumberToObject(json, "workers", workers);
    cJSON_AddItemToObject(json, "recipe", fields_to_json(hyperparameter_fields, &c->hyper));
    buf_free(&files);
    return json;
}

/* Refused before any work: a network that would be too large with the smallest of vocabularies and batches. */
static int check_network(const Config *c, Err *e)
{
    enum { LEAST_VOCABULARY = 5 };
    Config settled = *c;
    if (config_settle(&settled, &(CorpusSize){ 0 }, e)) return -1;
    const MemoryEstimate need = memory_estimate(&settled.network, LEAST_VOCABULARY, LEAST_VOCABULARY, NULL, NULL,
                                    &settled.hyper, 1);
    return memory_estimate_check(&need, e);
}

static int check_memory(const Config *c, const Data *d, int workers, Err *e)
{
    const MemoryEstimate need = memory_estimate(&c->network, tokenizer_size(d->source), tokenizer_size(d->target), &d->train,
                                    &d->valid, &c->hyper, workers);
    summary_need(c, &need);
    return memory_estimate_check(&need, e);
}

/* The model takes over the data's tokenizers. */
static Model new_model(Config *c, Data *d)
{
    Model m = { .network = c->network, .text = d->learned, .source = d->source, .target = d->target };
    d->source = d->target = NULL;
    m.table = parameters_new(&m.network, tokenizer_size(m.source), tokenizer_size(m.target));
    m.weights = xaligned(m.table->size, sizeof(real));
    parameters_init(m.table, m.weights, c->hyper.seed);
    return m;
}

/* Tells vocabularies apart that were learned or given, so that a state never meets another one. */
static uint64_t vocabulary_hash(const Model *m)
{
    const Tokenizer *const side[] = { m->source, m->target };
    uint64_t hash = FNV1A64_START;
    for (int i = 0; i < 2; i++) {
        cJSON *json = tokenizer_to_json(side[i]);
        char *text = json_text(json, 0);
        hash = fnv1a64(hash, text, strlen(text));
        free(text);
        cJSON_Delete(json);
    }
    return hash;
}

/* One run, from the command line to its end. */
typedef struct {
    Config      config;
    Origin      origin;         /* of a run that goes on */
    Buf         command;        /* as the user gave it, without --resume and --force: told in the model's metadata */
    int         threads;        /* 0: one a core */
    Lock        lock;           /* on the outputs */
    DataOptions options;
    Data        data;
    Merges      merges, target_merges;  /* of --merges and --target-merges */
    Buf         folder, state;  /* where the model goes, and the name of the state file */
    FILE       *log;
} Run;

/* Once the corpus has been read, all that follows from its size. */
static int settle(void *context, const CorpusSize *size, Err *e)
{
    Run *r = context;
    const Hyperparameters *hyper = &r->config.hyper;
    if (config_settle(&r->config, size, e)) return -1;
    r->options.examples = (ExampleOptions){ .max_length = hyper->max_length, .truncate = hyper->truncate,
                                            .bpe_dropout = hyper->bpe_dropout, .copy_words = hyper->copy_words };
    r->options.valid_segments = hyper->validate_sentences;
    return 0;
}

/* The first line of the log: the model's file and story, and all options as they were settled. */
static cJSON *run_line(const Run *r, const Model *model)
{
    Config settled = r->config;
    settled.text = model->text;
    cJSON *line = cJSON_Duplicate(model->training, 1);
    cJSON_DeleteItemFromObjectCaseSensitive(line, "recipe");        /* among the options */
    cJSON_AddStringToObject(line, "model", settled.own.output);
    cJSON_AddItemToObject(line, "options", config_to_json(&settled));
    return line;
}

/* Everything from the model on; returns an exit status, EXIT_FAILED with the reason in e. */
static int train(Run *r, Model *model, Pool *pool, Err *e)
{
    Config *c = &r->config;
    cJSON *line = run_line(r, model);
    TrainReport report = { .log = r->log, .log_path = c->own.log, .run = line,
                           .curves = c->own.curves };
    TrainingEvents events = train_report_events(&report);
    if (!c->own.resume) train_report_begin(&report);    /* an old log has stayed whole until here */
    Training training = {
        .model = model, .hyper = &c->hyper, .train = &r->data.train, .valid = &r->data.valid,
        .text = &r->data.text, .pool = pool, .model_path = c->own.output, .state_path = r->state.text,
        .save_every = c->own.save_every, .tally_every = c->own.log_every,
        .show_every = c->own.quiet && !r->log ? 0 : c->own.show_every,      /* who would see it */
        .resume = c->own.resume, .corpus_hash = r->data.report.hash,
        .valid_hash = r->data.valid_report.hash, .vocabulary_hash = vocabulary_hash(model),
        .requests = signals_requests(),
    };
    char *request = config_request(c, r->command.text, &r->options.files, pool_workers(pool));
    training.request = request;
    Ending ending;
    TrainingProgress progress;
    progress_start(&report.progress, stderr, c->own.quiet, 10);
    int rc = trainer_run(&training, &events, &ending, &progress, e);
    progress_end(&report.progress);
    cJSON_Delete(line);
    free(request);
    if (!rc) summary_end(c, &progress, ending);
    if (!rc && report.log_error) rc = err(e, "cannot write '%s': %s", c->own.log, strerror(report.log_error));
    if (!rc && c->own.curves) rc = curves_draw(c->own.curves, c->own.log, e);
    if (rc) return EXIT_FAILED;
    return ending == ENDED_INTERRUPTED ? 128 + atomic_load(&training.requests->stop) : EXIT_OK;
}

static int make_and_train(Run *r, Pool *pool, Err *e)
{
    Config *c = &r->config;
    int workers = pool_workers(pool);
    Model model = new_model(c, &r->data);
    model.training = story(c, r->command.text, &r->data, &r->options, workers);
    summary_model(c, &model, workers);
    int status = disk_space_check(c->own.output, r->state.text, model.table, &c->hyper, e) ? EXIT_FAILED
                                                                                     : train(r, &model, pool, e);
    model_free(&model);
    return status;
}

static int close_log(Run *r, Err *e)
{
    if (!r->log || !fclose(r->log)) return 0;
    return err(e, "cannot write '%s': %s", r->config.own.log, strerror(errno));
}

/* All that must be right before the work begins. */
static int claim_outputs(Run *r, Err *e)
{
    const TrainOptions *own = &r->config.own;
    if (outputs_claim(own, r->state.text, &r->options.files, &r->origin, &r->lock, e)) return -1;
    signals_prepare();
    return 0;
}

/* What the text alone tells. */
static void print_findings(Run *r)
{
    Config *c = &r->config;
    c->text = r->data.learned;
    if (c->own.dump_config) config_print(c);
    else summary_numbers(&r->data);
}

static int prepare_and_train(Run *r, Err *e)
{
    Config *c = &r->config;
    const int is_dry = c->own.dry_run || c->own.dump_config;
    if (!is_dry && (check_network(c, e) || claim_outputs(r, e))) return EXIT_FAILED;
    if (data_prepare(&r->data, &r->options, e)) return EXIT_FAILED;
    if (!is_dry && outputs_open_log(&c->own, &r->log, e)) return EXIT_FAILED;
    summary_data(c, &r->data, &r->options);
    if (is_dry) {
        print_findings(r);
        return EXIT_OK;
    }
    Pool *pool = start_workers(r->threads);
    int status = check_memory(c, &r->data, pool_workers(pool), e) ? EXIT_FAILED : make_and_train(r, pool, e);
    pool_free(pool);
    return close_log(r, e) ? EXIT_FAILED : status;
}

/* How a run begins is no part of what it makes: an interrupted run leaves the same model as one that was not. */
static int is_about_beginning(const char *argument)
{
    static const char *const flags[] = { "--resume", "--no-resume", "--force", "--no-force", NULL };
    for (const char *const *flag = flags; *flag; flag++)
        if (!strncmp(argument, *flag, strlen(*flag)) && strchr("=", argument[strlen(*flag)])) return 1;
    return 0;
}

/* The command line in one string. */
static void join_command(int argc, char **argv, Buf *out)
{
    buf_puts(out, "attn");
    for (int i = 0; i < argc; i++)
        if (!is_about_beginning(argv[i])) buf_printf(out, " %s", argv[i]);
}

/* Where a streamed corpus goes: the folder of the model, which a dry run doesn't need. */
static void add_folder(const Config *c, Buf *out)
{
    const char *path = c->own.output, *slash = strrchr(path, '/'), *temporary = getenv("TMPDIR");
    if (c->own.dry_run || c->own.dump_config) buf_puts(out, temporary ? temporary : "/tmp");
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

/* The corpus that is named, or else the one that a run that goes on has had. */
static int find_files(Run *r, int operands, char **argv, BitextFiles *files, Err *e)
{
    Origin *origin = &r->origin;
    const int is_named = operands || !r->config.own.resume;
    *files = is_named ? config_files(&r->config, operands, argv + 1)
                      : config_files(&r->config, origin->files, origin->file);
    for (int i = 0; i < files->count && !is_named; i++) {
        if (!strcmp(files->name[i], "-"))
            return err(e, "the corpus of this run came from standard input: name it again: attn train --resume -o %s - "
                          "< CORPUS", r->config.own.output);
        if (access(files->name[i], R_OK))
            return err(e, "%s: cannot be read: %s; if the corpus of this run has moved, name it: attn train --resume "
                          "-o %s CORPUS", files->name[i], strerror(errno), r->config.own.output);
    }
    return 0;
}

/* A run that goes on has its own command and as many workers as it had, unless others are given. */
static void take_over(Run *r, int argc, char **argv)
{
    const Origin *origin = &r->origin;
    r->threads = r->config.hyper.threads;
    if (!r->config.own.resume) return;
    if (!r->threads && !options_given(argc, argv, "threads")) r->threads = origin->workers;
    buf_clear(&r->command);
    config_command(&r->config, origin, &r->command);
}

static int run_with(Run *r, int operands, char **argv, Err *e)
{
    BitextFiles files;
    if (find_files(r, operands, argv, &files, e)) return EXIT_FAILED;
    add_folder(&r->config, &r->folder);
    buf_printf(&r->state, "%s.state", r->config.own.output);
    r->options = data_options(&r->config, &files, r->folder.text);
    r->options.settle = settle;
    r->options.context = r;
    return read_merges(r, e) ? EXIT_FAILED : prepare_and_train(r, e);
}

static void release(Run *r)
{
    lock_release(&r->lock);
    data_free(&r->data);
    merges_free(&r->merges);
    merges_free(&r->target_merges);
    buf_free(&r->folder);
    buf_free(&r->state);
    buf_free(&r->command);
    origin_free(&r->origin);
}

static int run(int argc, char **argv)
{
    Run r = { 0 };
    Err e = { "" };
    join_command(argc, argv, &r.command);
    int operands = config_read(&r.config, argc, argv, &r.origin, &e), status = EXIT_OK;
    if (operands >= 0) take_over(&r, argc, argv);
    if (operands == 0 && r.config.own.dump_config) config_print(&r.config);
    else if (operands >= 0) status = run_with(&r, operands, argv, &e);
    release(&r);
    return e.text[0] ? fail("%s", e.text) : status;
}

const Command command_train = {
    .name = "train", .summary = "learn to translate from sentence pairs", .run = run, .help = config_help,
};
