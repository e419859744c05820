/* train.c - `attn train`: a corpus in, a model file out. */
#include "base/clock.h"
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
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- options ---- */

typedef struct {
    const char *output, *valid, *log, *config;
    int    preset, holdout, pairs, max_bytes, strict;
    int    resume, dump_config, log_every, quiet, verbose;
    double save_every;
} TrainOptions;

#define AT(member) .offset = offsetof(TrainOptions, member)
static const Field train_fields[] = {
    { .group = "Files", .name = "output", .letter = 'o', .kind = FIELD_TEXT, AT(output), .value = "MODEL",
      .help = "model file to write" },
    { .name = "valid", .kind = FIELD_TEXT, AT(valid), .value = "FILE",
      .help = "TSV to validate on; then all of CORPUS is trained on" },
    { .name = "holdout", .kind = FIELD_FLAG, AT(holdout),
      .help = "keep 1 % of the sources for tests and 1 % for validation" },
    { .name = "pairs", .kind = FIELD_INT, AT(pairs), .low = 0, .high = 2147483647, .value = "N",
      .help = "read only the first N pairs; 0: all" },
    { .name = "max-bytes", .kind = FIELD_INT, AT(max_bytes), .low = 1, .high = 2147483647, .value = "N",
      .help = "skip pairs with a longer side" },
    { .name = "strict", .kind = FIELD_FLAG, AT(strict), .help = "end with an error at a line that would be skipped" },
    { .name = "log", .kind = FIELD_TEXT, AT(log), .value = "FILE", .help = "write a JSON object a line about the run" },
    { .name = "log-every", .kind = FIELD_INT, AT(log_every), .low = 1, .high = 2147483647, .value = "N",
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

/* All that a run is configured with. */
typedef struct {
    TrainOptions   own;
    TextOptions    text;
    NetworkOptions network;
    Recipe         recipe;
} Config;

static const HelpText help_text = {
    .usage = "attn train CORPUS [CORPUS2] [-o MODEL] [options]",
    .about = "Learns to translate from sentence pairs. CORPUS is a TSV file (source, tab, target;\n"
             "further columns are ignored), or CORPUS and CORPUS2 are two files with the same\n"
             "number of lines. Files that end in .gz are unpacked, - is standard input.\n"
             "\n"
             "Validation and test sentences are held out by a hash of the source sentence, so\n"
             "that no sentence is on both sides: score them with attn eval --part test CORPUS.\n"
             "Training ends when the validation loss has stopped falling, or at a limit; MODEL\n"
             "always holds the best weights so far. Ctrl-C saves the state for --resume.",
    .examples = "attn train fra.txt                       # English-French from one TSV file\n"
                "attn train --time-limit 6m corpus.en corpus.fr -o models/en-fr.safetensors\n"
                "attn train --preset d2l fra.txt          # the textbook's model\n"
                "attn train --resume fra.txt              # go on after an interruption",
};

static Config default_config(void)
{
    return (Config){
        .own = { .output = default_model(), .holdout = 1, .max_bytes = 10000, .log_every = 50, .save_every = 300 },
        .text = text_defaults(), .network = network_defaults(), .recipe = recipe_defaults(),
    };
}

enum { SETS = 5 };

static void bind_sets(OptionSet *sets, Config *c)
{
    sets[0] = (OptionSet){ train_fields, &c->own };
    sets[1] = (OptionSet){ text_fields, &c->text };
    sets[2] = (OptionSet){ network_fields, &c->network };
    sets[3] = (OptionSet){ recipe_fields, &c->recipe };
    sets[4] = (OptionSet){ NULL, NULL };
}

/* The sections of a configuration file, and the sets they belong to. */
static const char *const sections[] = { NULL, "text", "network", "training" };

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
    return err(e, "unknown section '%s'; known are text, network and training", section->string);
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
    if (network_check(&c->network, &e)) usage_error("train", "%s", e.text);
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

/* Found now rather than after hours: whether the model can be written. */
static int check_output(const char *path, Err *e)
{
    Replace r;
    if (path == default_model() && mkdir("models", 0777) && errno != EEXIST)
        return err(e, "cannot make the folder 'models': %s", strerror(errno));
    if (replace_begin(&r, path, e)) return -1;
    replace_abort(&r);
    return 0;
}

static void report_data(const Config *c, const Data *d, const DataOptions *options)
{
    char all[COUNT_TEXT], train[COUNT_TEXT], valid[COUNT_TEXT], test[COUNT_TEXT], source[COUNT_TEXT], target[COUNT_TEXT];
    warn_skipped(&d->corpus, options->first);
    if (options->valid) warn_skipped(&d->valid_corpus, options->valid);
    say(c, "corpus      %s pairs: %s to train, %s to validate, %s held out for tests",
        progress_count(all, (double)d->corpus.count), progress_count(train, (double)d->train.count),
        progress_count(valid, (double)d->valid.count), progress_count(test, (double)d->part[PART_TEST]));
    if (d->dropped) say(c, "            %ld training pairs are longer than %d tokens and left out", d->dropped,
                        c->recipe.max_length);
    say(c, "vocabulary  %s source and %s target entries (%s)", progress_count(source, tokenizer_size(d->source)),
        progress_count(target, tokenizer_size(d->target)),
        text_fields[0].choices[c->text.tokens]);
}

static DataOptions data_options(const Config *c, int operands, char **argv)
{
    return (DataOptions){
        .first = argv[1], .second = operands > 1 ? argv[2] : NULL, .valid = c->own.valid, .holdout = c->own.holdout,
        .corpus = { .max_bytes = c->own.max_bytes, .strict = c->own.strict, .max_pairs = c->own.pairs },
        .text = c->text, .max_length = c->recipe.max_length, .truncate = c->recipe.truncate,
        .valid_segments = c->recipe.validate_sentences,
    };
}

/* How the model came about, for its metadata; the trainer adds what it reached. */
static cJSON *story(Config *c, const Data *d, const DataOptions *options, int workers)
{
    char hash[17];
    const char *name = strrchr(options->first, '/');
    snprintf(hash, sizeof hash, "%016" PRIx64, d->corpus.hash);
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "program", "attn " ATTN_VERSION);
    cJSON_AddStringToObject(json, "corpus", name ? name + 1 : options->first);
    cJSON_AddStringToObject(json, "corpus_hash", hash);
    cJSON_AddNumberToObject(json, "corpus_pairs", (double)d->corpus.count);
    cJSON_AddNumberToObject(json, "training_pairs", (double)d->train.count);
    cJSON_AddNumberToObject(json, "workers", workers);
    cJSON *recipe = fields_to_json(recipe_fields, &c->recipe);
    cJSON_AddItemToObject(json, "recipe", recipe);
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
    say(c, "network     %s parameters; %d worker%s; %s", progress_count(count, (double)m->table->values), workers,
        workers > 1 ? "s" : "", matrix_description());
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
    if (ending != ENDED_INTERRUPTED && reached->best_step)
        say(c, "%s: best validation loss %.4f at step %ld", c->own.output, reached->best_loss, reached->best_step);
}

/* Everything from the data on; the files of the report are open. */
static int train(Config *c, const DataOptions *options, Data *d, FILE *log, Err *e)
{
    int workers = c->recipe.threads ? c->recipe.threads : pool_cores();
    Pool *pool = pool_new(workers);
    Model model = new_model(c, d);
    model.training = story(c, d, options, workers);
    report_model(c, &model, workers);

    Buf state = { 0 };
    buf_printf(&state, "%s.state", c->own.output);
    TrainReport report = { .quiet = c->own.quiet, .log = log, .log_every = c->own.log_every };
    TrainerEvents events = train_report_events(&report);
    Training training = {
        .model = &model, .recipe = &c->recipe, .train = &d->train, .valid = &d->valid, .text = &d->text, .pool = pool,
        .model_path = c->own.output, .state_path = state.text, .save_every = c->own.save_every,
        .resume = c->own.resume, .corpus_hash = d->corpus.hash, .interrupted = &interrupted,
    };
    Ending ending;
    Reached reached;
    catch_signals();
    progress_start(&report.progress, stderr, c->own.quiet, 10);
    int rc = trainer_run(&training, &events, &ending, &reached, e);
    progress_end(&report.progress);
    if (!rc) report_end(c, &reached, ending);

    buf_free(&state);
    model_free(&model);
    pool_free(pool);
    if (rc) return EXIT_FAILED;
    return ending == ENDED_INTERRUPTED ? 128 + interrupted : EXIT_OK;
}

static int prepare_and_train(Config *c, const DataOptions *options, FILE *log, Err *e)
{
    Data d = { 0 };
    int status = EXIT_FAILED;
    if (!check_output(c->own.output, e) && !data_read(&d, options, e) && !data_prepare(&d, options, e)) {
        report_data(c, &d, options);
        status = train(c, options, &d, log, e);
    }
    data_free(&d);
    return status;
}

static int run(int argc, char **argv)
{
    Config c;
    Err e = { "" };
    int operands = read_options(&c, argc, argv);
    if (c.own.dump_config) {
        cJSON *json = config_to_json(&c);
        char *text = json_text(json, 1);
        puts(text);
        free(text);
        cJSON_Delete(json);
        return EXIT_OK;
    }
    if (operands < 1) usage_error("train", "which corpus? name a TSV file, or two line-aligned files");
    if (operands > 2) usage_error("train", "a corpus is one file or two, here are %d", operands);

    FILE *log = c.own.log ? fopen(c.own.log, c.own.resume ? "a" : "w") : NULL;
    if (c.own.log && !log) err(&e, "cannot write '%s': %s", c.own.log, strerror(errno));
    DataOptions options = data_options(&c, operands, argv);
    int status = e.text[0] ? EXIT_FAILED : prepare_and_train(&c, &options, log, &e);
    if (log && (ferror(log) | fclose(log)) && !e.text[0]) {
        err(&e, "cannot write '%s': %s", c.own.log, strerror(errno));
        status = EXIT_FAILED;
    }
    if (e.text[0]) fprintf(stderr, "attn: error: %s\n", e.text);
    return status;
}

const Command command_train = {
    .name = "train", .summary = "learn to translate from sentence pairs", .run = run, .help = help,
};
