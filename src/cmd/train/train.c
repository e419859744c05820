/* train.c - `attn train`: a corpus in, a model file out. */
#include "cmd/train/train.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/version.h"
#include "cmd/command_files.h"
#include "cmd/signals.h"
#include "linalg/kernels.h"
#include "linalg/openblas.h"
#include "train/checkpoint.h"
#include "train/data/batches.h"
#include "train/training.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One run, from the command line to its end. */
typedef struct {
    Processes  *processes;      /* NULL: this one alone */
    Config      config;
    Options     given;
    Buf         command;        /* for the metadata, without --resume and --force */
    int         threads;        /* of all processes; 0: one a core */
    Lock        lock;           /* on the outputs */
    DataOptions options;
    Data        data;
    Buf         folder, state;  /* for streamed pairs; the name of the state file */
    FILE       *log;
    int         interrupted;    /* the signal that ended the run; 0: none */
    double      trained;        /* seconds: all finished networks */
} Run;

/* ---- One training by several processes: all must compute the same, in the same way ---- */

static int compare(const Run *r, const char *what, const char *text, Err *e)
{
    return processes_compare(r->processes, what, text, "start all processes with the same program "
                             "and options, on machines of one kind", e);
}

/* The options with their values so far. */
static int compare_options(Run *r, const char *what, Err *e)
{
    cJSON *json = config_to_json(&r->config);
    SCOPED(xfree_at) char *text = json_text(json, 0);
    cJSON_Delete(json);
    return compare(r, what, text, e);
}

/* Before any work. */
static int compare_requests(Run *r, Err *e)
{
    return compare(r, "the program", ATTN_VERSION, e)
           || compare(r, "the kind of CPU", kernels_of_cpu()->name, e)
           || compare(r, "OpenBLAS's kernels", openblas_kernels(), e)
           || compare_options(r, "the configuration", e) ? -1 : 0;
}

/* Before the first update. */
static int compare_beginnings(Run *r, const Model *model, Err *e)
{
    char words[32], weights[32];
    snprintf(words, sizeof words, "%016" PRIx64, vocabulary_hash(model));
    snprintf(weights, sizeof weights, "%016" PRIx64,
             fnv1a64(FNV1A64_START, model->weights, model->table->size * sizeof(real)));
    return compare(r, "the hash of the vocabulary", words, e)
           || compare_options(r, "the settled configuration", e)
           || compare(r, "the hash of the first weights", weights, e) ? -1 : 0;
}

/* ---- The networks, one after the other ---- */

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

/* Trains one network, with a seed of its own and its share of the time that is left, and reports
 * its end. Sets r->interrupted. */
static int train_network(Run *r, Model *model, int network, TrainReport *report, Pool *pool,
                         Err *e)
{
    const double least = 1e-3;
    const Config *c = &r->config;
    const int is_first = processes_is_first(r->processes);
    Model earlier;
    if (processes_agree(r->processes, load_earlier(r, network, &earlier, e), e)) return -1;
    Hyperparameters hyper = c->hyper;
    hyper.seed = network_seed(c, network);
    const double left = (hyper.time_limit - r->trained) / (hyper.ensemble - network);
    if (hyper.time_limit > 0) hyper.time_limit = fmax(least, left);
    const TrainingEvents events = train_report_events(report);
    Pairs reversed = model->right_left ? pairs_right_left(&r->data.valid) : (Pairs){ 0 };
    SCOPED(xfree_at) char *request = config_request(&r->config, r->command.text, &r->options.files,
                                                    processes_crew(r->processes, pool).all);
    Training training = {
        .model = model, .hyper = &hyper, .train = &r->data.train,
        .valid = model->right_left ? &reversed : &r->data.valid,
        .text = &r->data.text, .pool = pool, .processes = r->processes,
        .model_path = c->own.output, .state_path = r->state.text,
        .save_every = c->own.save_every, .tally_every = c->own.log_every,
        .resume = c->own.resume && network == r->config.saved.network,
        .member = { &earlier, network, hyper.ensemble, r->trained },
        .corpus_hash = corpus_hash(&r->data), .valid_hash = r->data.valid_report.hash,
        .vocabulary_hash = vocabulary_hash(model),
        .requests = signals_requests(), .request = request,
    };
    Ending ending;
    TrainingProgress progress;
    report->network = network;
    if (hyper.ensemble > 1)
        snprintf(report->name, sizeof report->name, "network %d of %d  ", network + 1,
                 hyper.ensemble);
    progress_init(&report->progress, stderr, c->own.quiet, 10);
    const int rc = trainer_run(&training, &events, &ending, &progress, e);
    progress_clear(&report->progress);
    pairs_free(&reversed);
    model_free(&earlier);
    r->trained += progress.seconds;
    if (!rc && is_first) summary_end(c, &progress, ending);
    if (!rc && ending == ENDED_INTERRUPTED) r->interrupted = atomic_load(&training.requests->stop);
    return rc;
}

/* Keeps in the finished model how long its translations should be. The model is whole without,
 * after a failure or a request to stop, which sets r->interrupted. */
static void calibrate(Run *r, Pool *pool)
{
    Err e;
    LengthCalibration found;
    if (!processes_is_first(r->processes)) return;
    const int is_found = length_calibration(&found, r->config.own.output, &r->data.length_text,
                                                 &signals_requests()->stop, pool, &e);
    r->interrupted = atomic_load(&signals_requests()->stop);
    if (is_found > 0) summary_length(&r->config, &found);
    else if (is_found < 0) warn("%s; the model is there, without its --normalize", e.text);
    else if (r->interrupted) warn("interrupted: the model is there, without its --normalize");
}

/* Trains the networks of the model, from the one that was interrupted on, and draws the curves. */
static int train(Run *r, Model *model, Pool *pool, Err *e)
{
    const Config *c = &r->config;
    const TrainOptions *own = &c->own;
    const int is_first = processes_is_first(r->processes);
    cJSON *line = run_line(r, model);
    TrainReport report = { .log = r->log, .log_path = own->log, .run = line, .curves = own->curves,
                           .networks = c->hyper.ensemble, .is_mute = !is_first };
    if (!own->resume) train_report_begin(&report);      /* empties an old log, now and not before */
    r->trained = r->config.saved.earlier_seconds;
    int rc = 0;
    if (r->config.saved.network >= c->hyper.ensemble)
        rc = err(e, "cannot resume from '%s': it is of network %d of %d", r->state.text,
                 r->config.saved.network + 1, c->hyper.ensemble);
    else if (c->hyper.time_limit > 0 && r->trained >= c->hyper.time_limit)
        rc = err(e, "cannot resume from '%s': its finished networks have taken %.0f s, and "
                    "--time-limit %g asks for no more", r->state.text, r->trained,
                 c->hyper.time_limit);
    for (int k = r->config.saved.network; !rc && !r->interrupted && k < c->hyper.ensemble; k++) {
        if (k > r->config.saved.network) begin_network(c, model, k);
        rc = train_network(r, model, k, &report, pool, e);
    }
    cJSON_Delete(line);
    if (!rc && !r->interrupted) calibrate(r, pool);
    if (rc || !is_first) return rc;
    if (!r->interrupted) summary_next(c);
    if (report.log_error)
        return err(e, "cannot write '%s': %s", own->log, strerror(report.log_error));
    return own->curves ? curves_draw(own->curves, own->log, e) : 0;
}

static int make_and_train(Run *r, Pool *pool, Err *e)
{
    const Config *c = &r->config;
    const Crew crew = processes_crew(r->processes, pool);
    Model model = new_model(c, &r->data, &r->options, r->command.text, crew.all);
    begin_network(c, &model, r->config.saved.network);
    summary_model(c, &model, crew.all, processes_count(r->processes));
    int rc = compare_beginnings(r, &model, e);
    if (!rc) rc = train(r, &model, pool, e);
    model_free(&model);
    return rc;
}

/* ---- What comes before them ---- */

static int check_memory(const Run *r, const Pool *pool, Err *e)
{
    const Config *c = &r->config;
    const Data *d = &r->data;
    const Crew crew = processes_crew(r->processes, pool);
    const BatchSize share = batches_share(&d->train, c->hyper.batch, c->hyper.batch_tokens,
                                          crew.all);
    const MemoryEstimate estimate = memory_estimate(&c->network, tokenizer_size(d->source),
                                                    tokenizer_size(d->target), share, &d->valid,
                                                    &c->hyper, crew);
    summary_memory(c, &estimate);
    return memory_estimate_check(&estimate, c->init != NULL, e);
}

static int is_dry(const Run *r)
{
    return r->config.own.dry_run || r->config.own.dump_config;
}

/* Reads the corpus, after all that could fail at once has been tried: no run lasts for hours and
 * then cannot save. */
static int prepare(Run *r, Err *e)
{
    const TrainOptions *own = &r->config.own;
    const int is_first = processes_is_first(r->processes);
    if (!is_dry(r)) {
        if (is_first && claim_outputs(&r->config, r->state.text, &r->options.files, &r->lock, e))
            return -1;
        signals_prepare();
    }
    if (data_prepare(&r->data, &r->options, e)) return -1;
    if (is_dry(r) || !own->log || !is_first || (r->log = fopen(own->log, "a"))) return 0;
    return err(e, "cannot write '%s': %s", own->log, strerror(errno));
}

static int prepare_and_train(Run *r, Err *e)
{
    Config *c = &r->config;
    const int is_first = processes_is_first(r->processes);
    if (compare_requests(r, e)) return -1;
    if (processes_agree(r->processes, prepare(r, e), e)) return -1;
    const int workers = processes_divide(r->processes, r->threads, e);
    if (workers < 0) return -1;
    if (is_first) summary_data(c, &r->data, &r->options);
    if (is_dry(r)) {
        c->text = r->data.learned;
        if (is_first && c->own.dump_config) config_print(c);
        else if (is_first) summary_numbers(&r->data);
        return 0;
    }
    Pool *pool = start_workers(workers);
    processes_gather_crew(r->processes, pool, c->own.exchange);
    int rc = processes_agree(r->processes, check_memory(r, pool, e), e);
    if (!rc) rc = make_and_train(r, pool, e);
    pool_free(pool);
    if (r->log && fclose(r->log) && !rc)
        rc = err(e, "cannot write '%s': %s", c->own.log, strerror(errno));
    return rc;
}

/* ---- The corpus ---- */

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

/* Word pairs to learn to find phrases from, in a quarter of the memory. Every process has them
 * all, so that what is learned does not depend on their number. Most stand in many sentences, so
 * that one takes some 10 bytes. */
static size_t sample_size(const Run *r, size_t memory)
{
    enum { MOST = 8000000, BYTES_A_WORD_PAIR = 16 };
    const size_t room = memory / 4 / BYTES_A_WORD_PAIR;
    if (!r->config.hyper.phrases || is_dry(r)) return 0;
    return room < MOST ? room : MOST;
}

/* What is known before the corpus is read. */
static DataOptions data_options(Run *r, const BitextFiles *files)
{
    enum { BYTES_A_HASH = 32, SHARE_OF_HASHES = 8 };        /* of pairs, and as many of sources */
    const Config *c = &r->config;
    const size_t memory = (size_t)(c->own.memory * 1e6);
    const size_t hashes = memory / BYTES_A_HASH / SHARE_OF_HASHES;
    const Model *base = c->init ? &c->init->model : &(Model){ 0 };
    const Tokenizer *const *file = (const Tokenizer *const *)c->vocabulary.tokenizer;
    const Language source = file[0] ? (Language){ .tokenizer = file[0] } : model_source(base);
    const Language target = file[1] ? (Language){ .tokenizer = file[1] } : model_target(base);
    return (DataOptions){
        .base = { source, target },
        .files = *files, .valid = c->own.valid, .replay = c->own.replay,
        .holdout = c->pairs.holdout,
        .cleaning = { .max_bytes = c->pairs.max_bytes, .max_ratio = c->pairs.max_ratio,
                      .strict = c->pairs.strict,
                      .equal_words = c->pairs.equal_words, .max_pairs = c->pairs.pairs,
                      .duplicates = c->pairs.skip_duplicates ? hashes : 0 },
        .first_only = c->pairs.translations == TRANSLATIONS_FIRST ? hashes : 0,
        .sample = sample_size(r, memory), .memory = memory, .folder = r->folder.text,
        .workers = c->hyper.threads, .text = c->text,
        .begin = settle_text, .settle = settle, .context = r, .processes = r->processes,
    };
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

/* The corpus of the command line; a resumed run without one continues with its own. A launcher
 * gives standard input to the first process. */
static int find_files(Run *r, BitextFiles *files, Err *e)
{
    const Config *c = &r->config;
    const int is_named = r->given.count || !c->own.resume, many = processes_count(r->processes);
    *files = corpus_files("train", c->pairs.format, c->pairs.columns,
                          is_named ? r->given.count : r->config.saved.files,
                          is_named ? r->given.operand : r->config.saved.file);
    for (int i = 0; i < files->count; i++) {
        const int is_input = !strcmp(files->name[i], "-");
        if (is_input && !is_named)
            return err(e, "the corpus of this run came from standard input: name it again: attn "
                          "train --resume -o %s - < CORPUS", c->own.output);
        if (!is_named && access(files->name[i], R_OK))
            return err(e, "%s: cannot be read: %s; if the corpus of this run has moved, name it: "
                          "attn train --resume -o %s CORPUS", files->name[i], strerror(errno),
                          c->own.output);
        if (is_input && many > 1)
            return err(e, "standard input reaches only one of %d processes; put the corpus into a "
                          "file that all can read", many);
    }
    return 0;
}

/* ---- The command line ---- */

static int run_config(Run *r, Err *e)
{
    BitextFiles files;
    r->threads = r->config.hyper.threads;
    if (r->config.own.resume) {     /* with its command, and its workers without --threads */
        if (!r->threads && !options_given(&r->given, "threads"))
            r->threads = r->config.saved.workers;
        buf_clear(&r->command);
        config_command(&r->config, &r->command);
    }
    if (!r->given.count && r->config.own.dump_config) {
        if (processes_is_first(r->processes)) config_print(&r->config);
        return 0;
    }
    if (find_files(r, &files, e)) return -1;
    add_folder(r, &r->folder);
    buf_printf(&r->state, "%s.state", r->config.own.output);
    r->options = data_options(r, &files);
    return prepare_and_train(r, e);
}

/* Reads the command line, which all processes have, and joins them. */
static int begin(Run *r, int argc, char **argv, Err *e)
{
    buf_puts(&r->command, "attn");
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--resume") && strcmp(argv[i], "--force"))
            buf_printf(&r->command, " %s", argv[i]);
    int rc = config_read(&r->config, argc, argv, &r->given, e);
    if (processes_join(&r->processes, e)) return -1;
    if (!processes_is_first(r->processes)) r->config.own.quiet = 1;
    return processes_agree(r->processes, rc, e);
}

/* Processes that have not found each other all say why. */
static int run(int argc, char **argv)
{
    Run r = { 0 };
    Err e;
    int rc = begin(&r, argc, argv, &e);
    if (!rc) rc = processes_agree(r.processes, run_config(&r, &e), &e);
    const int interrupted = r.interrupted;
    lock_release(&r.lock);
    data_free(&r.data);
    config_free(&r.config);
    buf_free(&r.folder);
    buf_free(&r.state);
    buf_free(&r.command);
    options_free(&r.given);
    if (rc && processes_is_first(r.processes)) fail("%s", e.text);
    processes_leave(r.processes);
    if (rc) return EXIT_FAILED;
    return interrupted ? 128 + interrupted : EXIT_OK;
}

const Command command_train = {
    .name = "train", .summary = "learn to translate from sentence pairs", .run = run,
    .describe = config_describe,
};
