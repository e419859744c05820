/* train.c - `attn train`: a corpus in, a model file out. */
#include "base/file.h"
#include "base/mem.h"
#include "base/version.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/preset.h"
#include "cmd/skipped.h"
#include "cmd/train_report.h"
#include "nn/matrix.h"
#include "train/data.h"
#include "train/trainer.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- options ---- */

typedef struct {
    const char *output, *valid, *log, *config;
    int    preset, resume, dump_config, log_every, quiet, verbose;
    double save_every;
} TrainOptions;

/* Which pairs of the corpus are used. */
typedef struct { int holdout, pairs, max_bytes, strict; } PairOptions;

#define AT(member) .offset = offsetof(TrainOptions, member)
static const Field train_fields[] = {
    { .group = "Files", .name = "output", .letter = 'o', .kind = FIELD_TEXT, AT(output), .value = "MODEL",
      .help = "model file to write" },
    { .name = "valid", .kind = FIELD_TEXT, AT(valid), .value = "FILE",
      .help = "TSV to validate on, instead of sources held out of CORPUS" },
    { .name = "log", .kind = FIELD_TEXT, AT(log), .value = "FILE", .help = "write a JSON object a line about the run" },
    { .name = "log-every", .kind = FIELD_INT, AT(log_every), .low = 1, .high = INT_MAX, .value = "N",
      .help = "updates between two lines of the log" },
    { .name = "save-every", .kind = FIELD_TIME, AT(save_every), .low = 1, .high = 1e9, .value = "TIME",
      .help = "time between two saves of the training state, MODEL.state" },
    { .name = "resume", .kind = FIELD_FLAG, AT(resume), .help = "go on from MODEL.state as if nothing had happened" },
    { .name = "preset", .kind = FIELD_CHOICE, AT(preset), .choices = preset_names, .value = "NAME",
      .help = "d2l: the textbook's recipe; bench: the one whose speed is compared" },
    { .name = "config", .kind = FIELD_TEXT, AT(config), .value = "FILE", .help = "read options from a JSON file" },
    { .name = "dump-config", .kind = FIELD_FLAG, AT(dump_config), .help = "print the options as JSON and end" },
    { .name = "quiet", .letter = 'q', .kind = FIELD_FLAG, AT(quiet), .help = "print errors and warnings only" },
    { .name = "verbose", .letter = 'v', .kind = FIELD_FLAG, AT(verbose), .help = "print the parameters too" },
    { .name = NULL }
};

#define IN(member) .offset = offsetof(PairOptions, member)
static const Field pair_fields[] = {
    { .group = "Corpus", .name = "holdout", .kind = FIELD_FLAG, IN(holdout),
      .help = "keep 1 % of the sources for tests and 1 % for validation" },
    { .name = "pairs", .kind = FIELD_INT, IN(pairs), .low = 0, .high = INT_MAX, .value = "N",
      .help = "read only the first N pairs; 0: all" },
    { .name = "max-bytes", .kind = FIELD_INT, IN(max_bytes), .low = 1, .high = INT_MAX, .value = "N",
      .help = "skip pairs with a longer side" },
    { .name = "strict", .kind = FIELD_FLAG, IN(strict), .help = "end with an error at a line that would be skipped" },
    { .name = NULL }
};

/* All that a run is configured with. */
typedef struct {
    TrainOptions   own;
    PairOptions    pairs;
    TextOptions    text;
    NetworkOptions network;
    Recipe         recipe;
} Config;

static const HelpText help_text = {
    .usage = "attn train [OPTION...] [-o MODEL] CORPUS [CORPUS2]",
    .about = "Learns to translate from sentence pairs. CORPUS is a TSV file (source, tab,\n"
             "target; further columns are ignored), or CORPUS and CORPUS2 are two files with\n"
             "the same number of lines. A file may end in .gz, and - is standard input.\n"
             "\n"
             "Validation and test sentences are held out by a hash of the source sentence, so\n"
             "that no sentence is on both sides: score them with attn eval --part test CORPUS.\n"
             "Training ends when the validation loss has stopped falling, or at a limit. From\n"
             "the first validation on MODEL holds the best weights so far; without validation\n"
             "pairs it is written at the end. Ctrl-C saves the state for --resume.",
    .examples = "attn train fra.txt                       # English-French from one TSV file\n"
                "attn train --time-limit 6m corpus.en corpus.fr -o models/en-fr.safetensors\n"
                "attn train --preset d2l fra.txt          # the textbook's model\n"
                "attn train --resume fra.txt              # go on after an interruption",
};

static Config default_config(void)
{
    return (Config){
        .own = { .output = default_model(), .log_every = 50, .save_every = 300 },
        .pairs = { .holdout = 1, .max_bytes = 10000 },
        .text = text_defaults(), .network = network_defaults(), .recipe = recipe_defaults(),
    };
}

enum { SETS = 6 };

static void bind_sets(OptionSet *sets, Config *c)
{
    sets[0] = (OptionSet){ train_fields, &c->own };
    sets[1] = (OptionSet){ pair_fields, &c->pairs };
    sets[2] = (OptionSet){ text_fields, &c->text };
    sets[3] = (OptionSet){ network_fields, &c->network };
    sets[4] = (OptionSet){ recipe_fields, &c->recipe };
    sets[5] = (OptionSet){ NULL, NULL };
}

/* The sections of a configuration file, and the sets they belong to. */
static const char *const sections[] = { NULL, "corpus", "text", "network", "training" };

static cJSON *config_to_json(Config *c)
{
    OptionSet sets[SETS];
    bind_sets(sets, c);
    cJSON *json = cJSON_CreateObject();
    for (int i = 1; sets[i].fields; i++)
        cJSON_AddItemToObject(json, sections[i], fields_to_json(sets[i].fields, sets[i].object));
    return json;
}

static int section_from_json(const cJSON *section, const OptionSet *sets, Err *e)
{
    for (int i = 1; sets[i].fields; i++)
        if (!strcmp(section->string, sections[i]))
            return fields_from_json(sets[i].fields, sets[i].object, section, e);
    return err(e, "unknown section '%s'; known are corpus, text, network and training", section->string);
}

static int read_config(const char *path, const OptionSet *sets, Err *e)
{
    Mapped file;
    if (file_map(&file, path, e)) return -1;
    Err why;
    cJSON *json = json_parse(file.data, file.size, &why);
    int rc = json ? 0 : -1;
    if (json && !cJSON_IsObject(json)) rc = err(&why, "not a JSON object");
    const cJSON *section;
    if (!rc) cJSON_ArrayForEach(section, json) {
        if ((rc = section_from_json(section, sets, &why))) break;
    }
    cJSON_Delete(json);
    file_unmap(&file);
    return rc ? err(e, "%s: %s", path, why.text) : 0;
}

/* Combinations that mean nothing, or more than this machine's ints can count. */
static void check_options(const Config *c, int argc, char **argv)
{
    Err e;
    if (network_check(&c->network, &e)) usage_error("train", "%s", e.text);
    if ((double)c->recipe.batch * c->recipe.max_length > INT_MAX)
        usage_error("train", "--batch %d of --max-length %d can be more tokens than can be counted; lower one of them",
                    c->recipe.batch, c->recipe.max_length);
    if (options_given(argc, argv, "min-frequency") && c->text.tokens != TOKENS_WORD)
        usage_error("train", "--min-frequency is for --tokens word; the size of other vocabularies is --vocabulary");
    if (!*c->own.output) usage_error("train", "--output needs a name");
}

/* The preset first, then the file, then the command line: it is read once to learn which preset and file, and once
 * more over them. Returns the operands, in argv[1 ..]. */
static int read_options(Config *c, int argc, char **argv)
{
    OptionSet sets[SETS];
    Err e;
    char **copy = xcalloc((size_t)argc + 1, sizeof *copy);
    memcpy(copy, argv, (size_t)argc * sizeof *copy);
    *c = default_config();
    bind_sets(sets, c);
    options_parse(sets, argc, copy, &help_text);
    free(copy);

    int preset = c->own.preset;
    const char *config = c->own.config;
    *c = default_config();
    if (preset_apply(preset, sets, &e)) usage_error("train", "%s", e.text);
    if (config && read_config(config, sets, &e)) usage_error("train", "%s", e.text);
    int operands = options_parse(sets, argc, argv, &help_text);
    check_options(c, argc, argv);
    return operands;
}

static void help(void)
{
    Config c = default_config();
    OptionSet sets[SETS];
    bind_sets(sets, &c);
    options_help(stdout, sets, &help_text);
}

/* ---- signals ---- */

static volatile sig_atomic_t interrupted;       /* a signal can reach nothing but a global: the number of the signal */

static void interrupt(int number)
{
    interrupted = number;
}

/* The first signal asks the trainer to save and stop; the second one ends the program at once. */
static void catch_signals(void)
{
    struct sigaction action = { .sa_handler = interrupt, .sa_flags = (int)(SA_RESETHAND | SA_RESTART) };
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

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
static int check_inputs(const char *output, const DataOptions *options, Err *e)
{
    const char *const inputs[] = { options->first, options->second, options->valid };
    for (int i = 0; i < 3; i++)
        if (is_same_file(output, inputs[i])) return err(e, "'%s' is read: it cannot be written too", output);
    return 0;
}

static int check_writable(const char *path, Err *e)
{
    Replace r;
    if (replace_begin(&r, path, e)) return -1;
    replace_abort(&r);
    return 0;
}

/* Found now rather than after hours: whether model and state can be written. The folder models/ is made. */
static int check_outputs(const Config *c, const char *state, const DataOptions *options, Err *e)
{
    const char *model = c->own.output;
    if (!strncmp(model, "models/", 7) && mkdir("models", 0777) && errno != EEXIST)
        return err(e, "cannot make the folder 'models': %s", strerror(errno));
    if (check_inputs(model, options, e) || check_inputs(state, options, e)) return -1;
    if (c->own.log && check_inputs(c->own.log, options, e)) return -1;
    if (is_same_file(c->own.log, model) || is_same_file(c->own.log, state))
        return err(e, "'%s' cannot be the log and the model too", c->own.log);
    return check_writable(model, e) || check_writable(state, e) ? -1 : 0;
}

static void report_data(const Config *c, const Data *d, const DataOptions *options)
{
    char all[COUNT_TEXT], train[COUNT_TEXT], valid[COUNT_TEXT], test[COUNT_TEXT];
    char source[COUNT_TEXT], target[COUNT_TEXT];
    Buf kind = { 0 };
    field_print(fields_find(text_fields, "tokens", strlen("tokens")), &c->text, &kind);
    warn_skipped(&d->corpus, options->first);
    if (options->valid) warn_skipped(&d->valid_corpus, options->valid);
    say(c, "corpus      %s pairs: %s to train, %s to validate, %s held out for tests",
        progress_count(all, (double)d->corpus.count), progress_count(train, (double)d->train.count),
        progress_count(valid, (double)d->valid.count), progress_count(test, (double)d->part[PART_TEST]));
    if (d->dropped) say(c, "            %ld training pairs are longer than %d tokens and left out", d->dropped,
                        c->recipe.max_length);
    say(c, "vocabulary  %s source and %s target entries (%s)", progress_count(source, tokenizer_size(d->source)),
        progress_count(target, tokenizer_size(d->target)), kind.text);
    buf_free(&kind);
}

static DataOptions data_options(const Config *c, int operands, char **argv)
{
    return (DataOptions){
        .first = argv[1], .second = operands > 1 ? argv[2] : NULL, .valid = c->own.valid,
        .holdout = c->pairs.holdout,
        .corpus = { .max_bytes = c->pairs.max_bytes, .strict = c->pairs.strict, .max_pairs = c->pairs.pairs },
        .text = c->text, .max_length = c->recipe.max_length, .truncate = c->recipe.truncate,
        .valid_segments = c->recipe.validate_sentences,
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
    snprintf(hash, sizeof hash, "%016" PRIx64, d->corpus.hash);
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "program", "attn " ATTN_VERSION);
    cJSON_AddStringToObject(json, "command", command);
    cJSON_AddStringToObject(json, "corpus", base_name(options->first));
    if (options->second) cJSON_AddStringToObject(json, "corpus2", base_name(options->second));
    cJSON_AddStringToObject(json, "corpus_hash", hash);
    cJSON_AddNumberToObject(json, "corpus_pairs", (double)d->corpus.count);
    cJSON_AddNumberToObject(json, "training_pairs", (double)d->train.count);
    cJSON_AddBoolToObject(json, "holdout", options->holdout);
    cJSON_AddNumberToObject(json, "workers", workers);
    cJSON_AddItemToObject(json, "recipe", fields_to_json(recipe_fields, &c->recipe));
    return json;
}

/* The model takes over the data's tokenizers. */
static Model new_model(Config *c, Data *d)
{
    Model m = { .network = c->network, .text = c->text, .source = d->source, .target = d->target };
    d->source = d->target = NULL;
    m.table = parameters_new(&m.network, tokenizer_size(m.source), tokenizer_size(m.target));
    m.weights = xaligned(m.table->size, sizeof(real));
    parameters_init(m.table, m.weights, c->recipe.seed);
    return m;
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
        say(c, "%s: best validation loss %.4f at step %ld", c->own.output, reached->best_loss, reached->best_step);
    else
        say(c, "%s: the weights of the last step; there are no validation pairs to choose by", c->own.output);
}

/* One run, from the command line to its end. */
typedef struct {
    Config      config;
    const char *command;        /* as the user gave it, without --resume: told in the model's metadata */
    DataOptions options;
    Data        data;
    Buf         state;          /* name of the state file */
    FILE       *log;
} Run;

/* Everything from the data on; returns an exit status, EXIT_FAILED with the reason in e. */
static int train(Run *r, Err *e)
{
    Config *c = &r->config;
    Pool *pool = pool_new(c->recipe.threads);
    int workers = pool_workers(pool);
    Model model = new_model(c, &r->data);
    model.training = story(c, r->command, &r->data, &r->options, workers);
    report_model(c, &model, workers);

    TrainReport report = { .log = r->log, .log_every = c->own.log_every };
    TrainerEvents events = train_report_events(&report);
    Training training = {
        .model = &model, .recipe = &c->recipe, .train = &r->data.train, .valid = &r->data.valid,
        .text = &r->data.text, .pool = pool, .model_path = c->own.output, .state_path = r->state.text,
        .save_every = c->own.save_every, .resume = c->own.resume, .corpus_hash = r->data.corpus.hash,
        .valid_hash = r->data.valid_corpus.hash, .interrupted = &interrupted,
    };
    Ending ending;
    Reached reached;
    catch_signals();
    progress_start(&report.progress, stderr, c->own.quiet, 10);
    int rc = trainer_run(&training, &events, &ending, &reached, e);
    progress_end(&report.progress);
    if (!rc) report_end(c, &reached, ending);
    if (!rc && report.log_error) rc = err(e, "cannot write '%s': %s", c->own.log, strerror(report.log_error));

    model_free(&model);
    pool_free(pool);
    if (rc) return EXIT_FAILED;
    return ending == ENDED_INTERRUPTED ? 128 + interrupted : EXIT_OK;
}

static int open_log(Run *r, Err *e)
{
    const char *path = r->config.own.log;
    if (!path || (r->log = fopen(path, r->config.own.resume ? "a" : "w"))) return 0;
    return err(e, "cannot write '%s': %s", path, strerror(errno));
}

static int close_log(Run *r, Err *e)
{
    if (!r->log || !fclose(r->log)) return 0;
    return err(e, "cannot write '%s': %s", r->config.own.log, strerror(errno));
}

static int prepare_and_train(Run *r, Err *e)
{
    Config *c = &r->config;
    if (check_outputs(c, r->state.text, &r->options, e)) return EXIT_FAILED;
    if (!c->own.resume && !access(r->state.text, F_OK))
        warn("'%s' is from a run that was interrupted: --resume goes on with it, this run will replace it",
             r->state.text);
    if (data_read(&r->data, &r->options, e) || data_prepare(&r->data, &r->options, e) || open_log(r, e))
        return EXIT_FAILED;
    report_data(c, &r->data, &r->options);
    int status = train(r, e);
    return close_log(r, e) ? EXIT_FAILED : status;
}

static int dump_config(Config *c)
{
    cJSON *json = config_to_json(c);
    char *text = json_text(json, 1);
    puts(text);
    free(text);
    cJSON_Delete(json);
    return EXIT_OK;
}

/* The command line in one string, without --resume: an interrupted run leaves the same model as one that was not. */
static void join_command(int argc, char **argv, Buf *out)
{
    buf_puts(out, "attn");
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--resume")) buf_printf(out, " %s", argv[i]);
}

static int run(int argc, char **argv)
{
    Run r = { 0 };
    Err e = { "" };
    Buf command = { 0 };
    join_command(argc, argv, &command);
    r.command = command.text;
    int operands = read_options(&r.config, argc, argv);
    if (r.config.own.dump_config) {
        buf_free(&command);
        return dump_config(&r.config);
    }
    if (operands < 1) usage_error("train", "which corpus? name a TSV file, or two line-aligned files");
    if (operands > 2) usage_error("train", "a corpus is one file or two, here are %d", operands);

    r.options = data_options(&r.config, operands, argv);
    buf_printf(&r.state, "%s.state", r.config.own.output);
    int status = prepare_and_train(&r, &e);
    data_free(&r.data);
    buf_free(&r.state);
    buf_free(&command);
    return e.text[0] ? fail("%s", e.text) : status;
}

const Command command_train = {
    .name = "train", .summary = "learn to translate from sentence pairs", .run = run, .help = help,
};
