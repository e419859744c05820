/* train.c - `attn train`: a corpus in, a model file out. */
#include "base/file.h"
#include "base/hash.h"
#include "base/lock.h"
#include "base/mem.h"
#include "base/version.h"
#include "cmd/cmd.h"
#include "cmd/curves.h"
#include "cmd/room.h"
#include "cmd/signals.h"
#include "cmd/skipped.h"
#include "cmd/train_config.h"
#include "cmd/train_report.h"
#include "nn/matrix.h"
#include "train/advice.h"
#include "train/data.h"
#include "train/need.h"
#include "train/trainer.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the run ---- */

static void say(const Config *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(const Config *c, const char *format, ...)
{
    if (c->own.quiet) return;
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

static int is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    if (!a || !b) return 0;
    if (!strcmp(a, b)) return 1;        /* neither may be there yet */
    return !stat(a, &x) && !stat(b, &y) && S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* What is read must not be what is written. */
static int check_inputs(const char *output, const TrainOptions *own, const DataOptions *options, Err *e)
{
    int read = is_same_file(output, own->valid) || is_same_file(output, own->config)
               || is_same_file(output, own->merges) || is_same_file(output, own->target_merges);
    for (int i = 0; i < options->files.count; i++)
        read |= is_same_file(output, options->files.name[i]);
    return read ? err(e, "'%s' is read: it cannot be written too", output) : 0;
}

/* Model and state are replaced by renaming, which a device or a pipe would not survive or not be part of. */
static int check_writable(const char *path, Err *e)
{
    Replace r;
    struct stat status;
    if (!stat(path, &status) && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return err(e, "%s: is a device or a pipe, where no model can be kept; name a file with -o", path);
    if (replace_begin(&r, path, e)) return -1;
    replace_abort(&r);
    return 0;
}

/* The page of the curves, which are drawn from the log. */
static int check_curves(const TrainOptions *own, const DataOptions *options, Err *e)
{
    struct stat log;
    Replace page;
    if (!own->curves) return 0;
    if (check_inputs(own->curves, own, options, e)) return -1;
    if (is_same_file(own->curves, own->log) || is_same_file(own->curves, own->output))
        return err(e, "'%s' cannot be the curves and the %s too", own->curves,
                   is_same_file(own->curves, own->log) ? "log" : "model");
    if (!stat(own->log, &log) && !S_ISREG(log.st_mode))
        return err(e, "%s: curves are drawn from the log, which must be a file for that", own->log);
    if (replace_begin(&page, own->curves, e)) return -1;
    replace_abort(&page);
    return 0;
}

/* Found now rather than after hours: whether model and state can be written. The folder models/ is made. */
static int check_outputs(const Config *c, const char *state, const DataOptions *options, Err *e)
{
    const char *model = c->own.output;
    if (!strncmp(model, "models/", 7) && mkdir("models", 0777) && errno != EEXIST)
        return err(e, "cannot make the folder 'models': %s", strerror(errno));
    if (check_inputs(model, &c->own, options, e) || check_inputs(state, &c->own, options, e)) return -1;
    if (c->own.log && check_inputs(c->own.log, &c->own, options, e)) return -1;
    if (is_same_file(c->own.log, model) || is_same_file(c->own.log, state))
        return err(e, "'%s' cannot be the log and the model too", c->own.log);
    if (check_curves(&c->own, options, e)) return -1;
    return check_writable(model, e) || check_writable(state, e) ? -1 : 0;
}

/* The lock that two runs with one output share, by whatever name they call it. */
static void lock_name(const char *model, Buf *out)
{
    char *resolved = realpath(model, NULL);
    buf_printf(out, "%s.lock", resolved ? resolved : model);
    free(resolved);
}

/* From here on this process alone writes model and state: what others left half written is of no use to anyone. */
static int lock_outputs(const TrainOptions *own, const char *state, const DataOptions *options, Lock *lock, Err *e)
{
    const char *model = own->output;
    Buf name = { 0 };
    lock_name(model, &name);
    int rc = check_inputs(name.text, own, options, e);
    if (!rc) rc = lock_take(lock, name.text, e);
    if (!rc && is_same_file(own->log, name.text)) rc = err(e, "'%s' is the lock of the model: name another log", own->log);
    if (!rc) {
        replace_clean(model);
        replace_clean(state);
    }
    if (rc > 0) warn("%s: no locks here: see to it that no other attn train writes the same file", name.text);
    buf_free(&name);
    return rc < 0 ? -1 : 0;
}

static void report_few(const Config *c, double pairs)
{
    Buf advice = { 0 };
    advice_on_size(pairs, &advice);
    if (advice.length) say(c, "advice      %s", advice.text);
    buf_free(&advice);
}

static void report_data(const Config *c, const Data *d, const DataOptions *options)
{
    char all[COUNT_TEXT], train[COUNT_TEXT], valid[COUNT_TEXT], test[COUNT_TEXT];
    char source[COUNT_TEXT], target[COUNT_TEXT];
    Buf kind = { 0 };
    field_print(fields_find(text_fields, "tokens", strlen("tokens")), &c->text, &kind);
    warn_skipped(&d->report, &options->files);
    if (options->valid) warn_skipped(&d->valid_report, &(BitextFiles){ .name = &options->valid, .count = 1 });
    say(c, "corpus      %s pairs: %s to train, %s to validate, %s held out for tests",
        progress_count(all, (double)d->report.pairs), progress_count(train, (double)d->train.count),
        progress_count(valid, (double)d->valid.count), progress_count(test, (double)d->part[PART_TEST]));
    if (d->train.dropped) say(c, "            %ld training pairs are longer than %d tokens and left out",
                              d->train.dropped, c->recipe.max_length);
    if (d->train.held_out) say(c, "            %ld training pairs with another spelling of a held-out source are left "
                                  "out", d->train.held_out);
    if (store_shards(d->train.store) > 1)
        say(c, "            streamed in %d parts of %g MB from a file beside the model", store_shards(d->train.store),
            c->own.memory / 2);
    say(c, "vocabulary  %s source and %s target entries (%s%s)", progress_count(source, tokenizer_size(d->source)),
        progress_count(target, tokenizer_size(d->target)), kind.text, c->text.shared ? ", shared" : "");
    say(c, "            read in %.2f s, learned in %.2f s, encoded in %.2f s", d->read_seconds, d->learn_seconds,
        d->encode_seconds);
    buf_free(&kind);
    report_few(c, (double)d->train.count);
}

/* Memory in bytes: what it can be given at most before --memory spills to a file. */
static size_t bytes_of(double megabytes)
{
    return (size_t)(megabytes * 1e6);
}

static DataOptions data_options(const Config *c, int operands, char **argv, const char *folder)
{
    enum { BYTES_A_DUPLICATE = 16, SHARE_OF_DUPLICATES = 4 };
    const size_t memory = bytes_of(c->own.memory);
    return (DataOptions){
        .files = config_files(c, operands, argv), .valid = c->own.valid, .holdout = c->pairs.holdout,
        .cleaning = { .max_bytes = c->pairs.max_bytes, .max_ratio = c->pairs.max_ratio, .strict = c->pairs.strict,
                      .equal_words = c->pairs.equal_words, .max_pairs = c->pairs.pairs,
                      .duplicates = c->pairs.skip_duplicates ? memory / BYTES_A_DUPLICATE / SHARE_OF_DUPLICATES : 0 },
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
    cJSON_AddItemToObject(json, "recipe", fields_to_json(recipe_fields, &c->recipe));
    buf_free(&files);
    return json;
}

/* Refused before any work: a network that would be too large with the smallest of vocabularies and batches. */
static int check_network(const Config *c, Err *e)
{
    enum { LEAST_VOCABULARY = 5 };
    Config settled = *c;
    if (config_settle(&settled, &(CorpusSize){ 0 }, e)) return -1;
    const Need need = training_need(&settled.network, LEAST_VOCABULARY, LEAST_VOCABULARY, NULL, NULL,
                                    &settled.recipe, 1);
    return need_check(&need, e);
}

static int check_memory(const Config *c, const Data *d, int workers, Err *e)
{
    char weights[COUNT_TEXT], batch[COUNT_TEXT];
    const Need need = training_need(&c->network, tokenizer_size(d->source), tokenizer_size(d->target), &d->train,
                                    &d->valid, &c->recipe, workers);
    say(c, "memory      %s MB for weights, moments and gradients, %s MB for the largest batches",
        progress_count(weights, ceil(need.weights / 1e6)), progress_count(batch, ceil(need.batch / 1e6)));
    return need_check(&need, e);
}

/* The model takes over the data's tokenizers. */
static Model new_model(Config *c, Data *d)
{
    Model m = { .network = c->network, .text = d->learned, .source = d->source, .target = d->target };
    d->source = d->target = NULL;
    m.table = parameters_new(&m.network, tokenizer_size(m.source), tokenizer_size(m.target));
    m.weights = xaligned(m.table->size, sizeof(real));
    parameters_init(m.table, m.weights, c->recipe.seed);
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

static void report_model(const Config *c, const Model *m, int workers)
{
    char count[COUNT_TEXT];
    say(c, "network     %s parameters; %d worker%s; %s kernels", progress_count(count, (double)m->table->values),
        workers, workers > 1 ? "s" : "", matrix_kernels());
    if (!c->own.verbose) return;
    for (int i = 0; i < m->table->count; i++) {
        const Parameter *p = &m->table->row[i];
        say(c, "            %-40s %d x %d", p->name, p->rows, p->columns ? p->columns : 1);
    }
}

static void report_end(const Config *c, const Reached *reached, Ending ending)
{
    say(c, "%s after %ld steps, %.0f s", ending_text(ending), reached->step, reached->seconds);
    if (reached->skipped) warn("%ld updates were dropped: the gradient was not finite; try a lower --learning-rate",
                               reached->skipped);
    if (ending == ENDED_INTERRUPTED)
        say(c, "the state is saved: go on with the same command and --resume");
    else if (reached->best_step)
        say(c, "%s: best validation at step %ld, loss %.4f", c->own.output, reached->best_step, reached->best_loss);
    else
        say(c, "%s: the weights of the last step; there are no validation pairs to choose by", c->own.output);
}

/* One run, from the command line to its end. */
typedef struct {
    Config      config;
    const char *command;        /* as the user gave it, without --resume: told in the model's metadata */
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
    const Recipe *recipe = &r->config.recipe;
    if (config_settle(&r->config, size, e)) return -1;
    r->options.examples = (ExampleOptions){ .max_length = recipe->max_length, .truncate = recipe->truncate,
                                            .bpe_dropout = recipe->bpe_dropout, .copy_words = recipe->copy_words };
    r->options.valid_segments = recipe->validate_sentences;
    return 0;
}

/* An old log stays whole until the run begins; a device or a pipe has nothing to lose. */
static void begin_log(const Run *r)
{
    if (r->log && !r->config.own.resume && ftruncate(fileno(r->log), 0)) return;
}

/* Everything from the model on; returns an exit status, EXIT_FAILED with the reason in e. */
static int train(Run *r, Model *model, Pool *pool, Err *e)
{
    Config *c = &r->config;
    TrainReport report = { .log = r->log, .log_path = c->own.log, .log_every = c->own.log_every,
                           .curves = c->own.curves };
    TrainerEvents events = train_report_events(&report);
    begin_log(r);
    Training training = {
        .model = model, .recipe = &c->recipe, .train = &r->data.train, .valid = &r->data.valid,
        .text = &r->data.text, .pool = pool, .model_path = c->own.output, .state_path = r->state.text,
        .save_every = c->own.save_every, .show_every = c->own.quiet ? 0 : c->own.show_every,
        .resume = c->own.resume, .corpus_hash = r->data.report.hash,
        .valid_hash = r->data.valid_report.hash, .vocabulary_hash = vocabulary_hash(model),
        .requests = signals_requests(),
    };
    Ending ending;
    Reached reached;
    progress_start(&report.progress, stderr, c->own.quiet, 10);
    int rc = trainer_run(&training, &events, &ending, &reached, e);
    progress_end(&report.progress);
    if (!rc) report_end(c, &reached, ending);
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
    model.training = story(c, r->command, &r->data, &r->options, workers);
    report_model(c, &model, workers);
    int status = room_check(c->own.output, r->state.text, model.table, &c->recipe, e) ? EXIT_FAILED
                                                                                     : train(r, &model, pool, e);
    model_free(&model);
    return status;
}

static int open_log(Run *r, Err *e)
{
    const char *path = r->config.own.log;
    if (!path) return 0;
    if (!(r->log = fopen(path, "a"))) return err(e, "cannot write '%s': %s", path, strerror(errno));
    return is_same_file(path, r->config.own.output) ? err(e, "'%s' cannot be the log and the model too", path) : 0;
}

static int close_log(Run *r, Err *e)
{
    if (!r->log || !fclose(r->log)) return 0;
    return err(e, "cannot write '%s': %s", r->config.own.log, strerror(errno));
}

static long peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * 1024;
}

/* The numbers of the text alone, for --dry-run. */
static void print_numbers(const Data *d)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "lines", (double)d->report.lines);
    cJSON_AddNumberToObject(json, "pairs", (double)d->report.pairs);
    cJSON_AddNumberToObject(json, "training_pairs", (double)d->train.count);
    cJSON_AddNumberToObject(json, "shards", store_shards(d->train.store));
    cJSON_AddNumberToObject(json, "source_vocabulary", tokenizer_size(d->source));
    cJSON_AddNumberToObject(json, "target_vocabulary", tokenizer_size(d->target));
    cJSON_AddNumberToObject(json, "source_tokens", d->source_tokens);
    cJSON_AddNumberToObject(json, "target_tokens", d->target_tokens);
    cJSON_AddNumberToObject(json, "unknown_tokens_test", d->unknown);
    cJSON_AddNumberToObject(json, "read_seconds", d->read_seconds);
    cJSON_AddNumberToObject(json, "learn_seconds", d->learn_seconds);
    cJSON_AddNumberToObject(json, "encode_seconds", d->encode_seconds);
    cJSON_AddNumberToObject(json, "peak_bytes", (double)peak_bytes());
    char *text = json_text(json, 1);
    puts(text);
    free(text);
    cJSON_Delete(json);
}

/* All that must be right before the work begins. */
static int claim_outputs(Run *r, Err *e)
{
    const Config *c = &r->config;
    if (check_outputs(c, r->state.text, &r->options, e)) return -1;
    if (lock_outputs(&c->own, r->state.text, &r->options, &r->lock, e)) return -1;
    signals_prepare(r->lock.path);
    if (!c->own.resume && !access(r->state.text, F_OK))
        warn("'%s' is from a run that was interrupted: --resume goes on with it, this run will replace it",
             r->state.text);
    return 0;
}

/* What the text alone tells. */
static void print_findings(Run *r)
{
    Config *c = &r->config;
    c->text = r->data.learned;
    if (c->own.dump_config) config_print(c);
    else print_numbers(&r->data);
}

static int prepare_and_train(Run *r, Err *e)
{
    Config *c = &r->config;
    const int is_dry = c->own.dry_run || c->own.dump_config;
    if (!is_dry && (check_network(c, e) || claim_outputs(r, e))) return EXIT_FAILED;
    if (data_prepare(&r->data, &r->options, e)) return EXIT_FAILED;
    if (!is_dry && open_log(r, e)) return EXIT_FAILED;
    report_data(c, &r->data, &r->options);
    if (is_dry) {
        print_findings(r);
        return EXIT_OK;
    }
    Pool *pool = start_workers(c->recipe.threads);
    int status = check_memory(c, &r->data, pool_workers(pool), e) ? EXIT_FAILED : make_and_train(r, pool, e);
    pool_free(pool);
    return close_log(r, e) ? EXIT_FAILED : status;
}

static int is_about_resuming(const char *argument)
{
    return !strcmp(argument, "--resume") || !strcmp(argument, "--no-resume") || !strncmp(argument, "--resume=", 9);
}

/* The command line in one string, without --resume: an interrupted run leaves the same model as one that was not. */
static void join_command(int argc, char **argv, Buf *out)
{
    buf_puts(out, "attn");
    for (int i = 0; i < argc; i++)
        if (!is_about_resuming(argv[i])) buf_printf(out, " %s", argv[i]);
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

static int run(int argc, char **argv)
{
    Run r = { 0 };
    Err e = { "" };
    Buf command = { 0 };
    join_command(argc, argv, &command);
    r.command = command.text;
    int operands = config_read(&r.config, argc, argv), status = EXIT_OK;
    if (r.config.own.dump_config && !operands) {
        config_print(&r.config);
    } else {
        add_folder(&r.config, &r.folder);
        buf_printf(&r.state, "%s.state", r.config.own.output);
        r.options = data_options(&r.config, operands, argv, r.folder.text);
        r.options.settle = settle;
        r.options.context = &r;
        status = read_merges(&r, &e) ? EXIT_FAILED : prepare_and_train(&r, &e);
    }
    signals_forget();
    lock_release(&r.lock);
    data_free(&r.data);
    merges_free(&r.merges);
    merges_free(&r.target_merges);
    buf_free(&r.folder);
    buf_free(&r.state);
    buf_free(&command);
    return e.text[0] ? fail("%s", e.text) : status;
}

const Command command_train = {
    .name = "train", .summary = "learn to translate from sentence pairs", .run = run, .help = config_help,
};
