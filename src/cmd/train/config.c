/* config.c - the options of `attn train`, and the order in which their sources are read. */
#include "cmd/train/config.h"

#include "base/files/content.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/corpus_files.h"
#include "cmd/options.h"
#include "cmd/train/data_options.h"
#include "cmd/train/names.h"
#include "cmd/train/preset.h"
#include "cmd/train/unused.h"
#include "train/update/processes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) .offset = offsetof(TrainOptions, member)
static const Field train_fields[] = {
    { .group = "Files", .name = "output", .letter = 'o', .kind = FIELD_TEXT, AT(output),
      .value = "MODEL",
      .help = "model file to write",
      .common = 1,
      .reason = "The model file is all that translation needs. Without this option all commands "
                "share one file, so that attn translate finds what attn train has made.",
      .related = "force resume" },
    { .name = "valid", .kind = FIELD_TEXT, AT(valid), .value = "FILE",
      .help = "TSV to validate on, not on what CORPUS holds out",
      .common = 1,
      .reason = "Validation decides when training stops and which weights are kept. Name a file of "
                "your own where the sentences to be translated are not like those of CORPUS.",
      .related = "holdout validate-every validate-sentences patience" },
    { .name = "log", .kind = FIELD_TEXT, AT(log), .value = "FILE",
      .help = "write the progress, a JSON object a line; -: to stdout",
      .common = 1,
      .reason = "The first line has the options. --resume continues the file. Programs read it, and --curves draws it: "
                "loss, speed and scores in the course of the run.",
      .related = "curves log-every resume" },
    { .name = "log-every", .kind = FIELD_INT, AT(log_every), .low = 1, .high = INT_MAX,
      .value = "N",
      .help = "updates between two lines of the log",
      .reason = "Fewer lines make a smaller file; more show the loss in finer steps.",
      .related = "log curves" },
    { .name = "curves", .kind = FIELD_TEXT, AT(curves), .value = "FILE",
      .help = "draw the course of --log as an HTML page",
      .common = 1,
      .reason = "It has loss, BLEU and learning rate, and shows while training runs whether the loss still falls, and "
                "whether that of validation follows.",
      .related = "log" },
    { .name = "save-every", .kind = FIELD_TIME, AT(save_every), .low = 0, .high = 1e9,
      .value = "TIME",
      .help = "time between two saves of the training state, MODEL.state; each validation saves it "
              "too",
      .reason = "What is lost when the machine fails is at most this much work. A save of a large "
                "network takes a while, so don't save much more often than that.",
      .related = "resume" },
    { .name = "show-every", .kind = FIELD_TIME, AT(show_every), .low = 0, .high = 1e9,
      .value = "TIME",
      .help = "time between reports of BLEU and three translated validation sentences; 0: none",
      .reason = "Three translations say more than a number. The BLEU is that of a few sentences: "
                "it follows the course of a training and is not one to publish.",
      .related = "validate-sentences quiet" },
    { .name = "resume", .kind = FIELD_FLAG, AT(resume),
      .help = "go on from MODEL.state as if the run had never stopped",
      .common = 1,
      .reason = "Corpus and options come from there, but limits, threads and output files may be given again. A "
                "training that was stopped, killed or cut off ends with the same bytes as one without a break. One "
                "that has ended leaves no state: --init goes on from its model.",
      .related = "init output save-every epochs steps time-limit patience threads log curves" },
    { .name = "force", .kind = FIELD_FLAG, AT(force),
      .help = "replace MODEL, its state, --log and --curves",
      .common = 1,
      .reason = "A model never replaces a file that is no model. No command replaces a file without being asked to.",
      .related = "output log curves resume" },
    { .name = "init", .kind = FIELD_TEXT, AT(init), .value = "MODEL",
      .help = "go on from the weights, network and text pipeline of MODEL; its vocabulary gets the "
              "characters (with --tokens word the words) that CORPUS has and it lacks",
      .reason = "What is special to a field of work is learned from some thousand pairs, because "
                "the language is known already.",
      .related = "replay learning-rate epochs" },
    { .name = "replay", .kind = FIELD_TEXT, AT(replay), .value = "FILE",
      .help = "with --init: a TSV of what MODEL learned; three of its pairs are learned for each "
              "of CORPUS, so that they are not forgotten",
      .reason = "Without it, the text that MODEL was trained on is soon translated worse "
                "(data/results/quality.md).",
      .related = "init" },
    { .name = "preset", .kind = FIELD_CHOICE, AT(preset), .choices = preset_names, .value = "NAME",
      .help = "settings of a published model",
      .common = 1,
      .reason = "d2l is the textbook's, bench that of the speed comparison, luong that of Luong et al., gnmt Google's, "
                "transformer that of Vaswani et al., transformer-small half as large, and hybrid this with a recurrent "
                "encoder. A preset reproduces a published model, or compares with one. Options that are given "
                "beside it override its own. The defaults translate better.",
      .related = "config dump-config" },
    { .name = "dry-run", .kind = FIELD_FLAG, AT(dry_run),
      .help = "only prepare the text: read, clean, learn the vocabulary, encode; print its "
              "statistics as JSON",
      .reason = "It shows within seconds what would be left out of a corpus and how many tokens "
                "there are, before hours of training.",
      .related = "max-ratio skip-equal skip-duplicates vocabulary dump-config" },
    { .name = "memory", .kind = FIELD_REAL, AT(memory), .low = 0.01, .high = 1e9, .value = "MB",
      .help = "megabytes for training pairs, of all processes together, and as many for a network "
              "whose width is auto; a larger corpus is streamed from a temporary file beside "
              "MODEL, a larger network is made narrower",
      .reason = "Pairs in memory are read fastest. Lower it where other programs need the memory.",
      .related = "pairs hidden embedding" },
    { .name = "exchange", .kind = FIELD_CHOICE, AT(exchange), .choices = exchange_names,
      .value = "HOW",
      .help = "numbers that the processes of mpirun exchange; bf16 sends half as many bytes, and "
              "rounds sums of gradients and changes of weights to 8 bits",
      .reason = "On a slow network between machines the exchange takes most of the time, and half "
                "as many bytes take half of it.",
      .related = "threads precision" },
    { .name = "merges", .kind = FIELD_TEXT, AT(merges), .value = "FILE",
      .help = "use these merges, a codes file of subword-nmt, instead of learning them",
      .reason = "It repeats an experiment with subword-nmt. Learning merges here takes less than a "
                "second for the eng-fra corpus (data/results/speed.md).",
      .related = "target-merges tokens vocabulary" },
    { .name = "target-merges", .kind = FIELD_TEXT, AT(target_merges), .value = "FILE",
      .help = "the merges of the target side, where --merges is for the source side only",
      .reason = "It is for experiments in which each language has merges of its own.",
      .related = "merges shared-vocabulary tie" },
    { .name = "config", .kind = FIELD_TEXT, AT(config), .value = "FILE",
      .help = "read options from a JSON file",
      .reason = "It keeps an experiment in one file: what --dump-config prints can be read again. "
                "Options on the command line override it.",
      .related = "dump-config preset" },
    { .name = "dump-config", .kind = FIELD_FLAG, AT(dump_config),
      .help = "only print the options as JSON; with CORPUS also the values that follow from its "
              "size",
      .reason = "It shows what auto means for a corpus, and writes a file for --config.",
      .related = "config preset" },
    { .name = "quiet", .letter = 'q', .kind = FIELD_FLAG, AT(quiet),
      .help = "print only errors and warnings",
      .common = 1,
      .reason = "Scripts want no progress; a log file has it.",
      .related = "log verbose" },
    { .name = "verbose", .letter = 'v', .kind = FIELD_FLAG, AT(verbose),
      .help = "also print the shape of each parameter",
      .reason = "It shows where the parameters of a network are.",
      .related = "quiet" },
    { .name = NULL }
};

static const HelpText help_text = {
    .usage = "attn train [OPTION...] [-o MODEL] CORPUS...",
    .about = "Learns to translate from sentence pairs. CORPUS is a TSV file (source, tab,\n"
             "target; --columns chooses others), or two files with the same number of\n"
             "lines, or several of either (--format). A file may be gzip data, and - is\n"
             "standard input. An option that is auto has the value that suits the size of\n"
             "the corpus, the other options and the CPU; --dump-config CORPUS prints it.\n"
             "\n"
             "Validation and test sentences are held out by a hash of the source sentence, so\n"
             "that no sentence is in two parts, however its blanks and accents are encoded.\n"
             "attn eval --part test CORPUS scores the test sentences.\n"
             "Training ends when the validation loss stops falling, or at a limit. From the\n"
             "first validation on, MODEL holds the best weights so far; without validation\n"
             "pairs it is written at the end. Ctrl-C, SIGTERM, a closed terminal, and SIGUSR2\n"
             "and SIGXCPU of batch systems save the state for --resume and end the run; a\n"
             "second Ctrl-C ends it at once. SIGUSR1 saves the state and training continues.\n"
             "Signals that are ignored at the start stay so. Existing files are replaced only\n"
             "with --force.",
    .examples = "attn train fra.txt                       # English-French from one TSV file\n"
                "attn train --time-limit 6m corpus.en corpus.fr -o models/en-fr.safetensors\n"
                "attn train --preset d2l fra.txt          # the textbook's model\n"
                "attn train --init eng-fra --replay fra.txt law.tsv -o models/law.safetensors\n"
                "attn train --resume                      # continue after an interruption",
    .operand = "CORPUS",
};

static Config default_config(void)
{
    Config c = {
        .own = { .output = default_model(), .log_every = 50, .save_every = 300, .show_every = 180,
                 .memory = 2048 },
        .pairs = { .holdout = 1, .max_bytes = 10000, .skip_duplicates = 1 },
        .text = text_defaults(), .network = network_defaults(),
        .hyper = hyperparameters_defaults(),
    };
    fields_automate(pair_fields, &c.pairs);
    fields_automate(text_fields, &c.text);
    fields_automate(network_fields, &c.network);
    fields_automate(hyperparameter_fields, &c.hyper);
    return c;
}

enum { SETS = 6 };

static void bind_sets(OptionSet *sets, Config *c)
{
    sets[0] = (OptionSet){ train_fields, &c->own };
    sets[1] = (OptionSet){ pair_fields, &c->pairs };
    sets[2] = (OptionSet){ text_fields, &c->text };
    sets[3] = (OptionSet){ network_fields, &c->network };
    sets[4] = (OptionSet){ hyperparameter_fields, &c->hyper };
    sets[5] = (OptionSet){ NULL, NULL };
}

/* The section of each set in a configuration file. */
static const char *const sections[] = { NULL, "corpus", "text", "network", "training" };

cJSON *config_to_json(Config *c)
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
    return err(e, "unknown section '%s'; known are corpus, text, network and training",
               section->string);
}

void config_print(Config *c)
{
    cJSON *json = config_to_json(c);
    char *text = json_text(json, 1);
    puts(text);
    free(text);
    cJSON_Delete(json);
}

static int read_config(const char *path, const OptionSet *sets, Err *e)
{
    Content file;
    if (content_read(&file, path, e)) return -1;
    Err why;
    cJSON *json = json_parse(file.data, file.size, &why);
    int rc = json ? 0 : -1;
    if (json && !cJSON_IsObject(json)) rc = err(&why, "not a JSON object");
    const cJSON *section;
    if (!rc) cJSON_ArrayForEach(section, json) {
        if ((rc = section_from_json(section, sets, &why))) break;
    }
    cJSON_Delete(json);
    content_free(&file);
    return rc ? err(e, "%s: %s", path, why.text) : 0;
}

/* Refuses combinations that make no sense or overflow an int. Nothing is automatic any more. */
static int check_values(const Config *c, Err *e)
{
    const Hyperparameters *r = &c->hyper;
    if (network_check(&c->network, e)) return -1;
    if ((double)r->batch * r->max_length > INT_MAX)
        return err(e, "--batch %d of --max-length %d can be more tokens than can be counted; lower "
                      "one of them", r->batch, r->max_length);
    if (r->batch_tokens && r->batch_tokens < r->max_length)
        return err(e, "--batch-tokens %d: a batch must have room for a pair of --max-length %d "
                      "tokens", r->batch_tokens, r->max_length);
    if ((r->early_stop == STOP_BLEU || r->early_stop == STOP_CHRF) && !r->validate_sentences)
        return err(e, "--early-stop bleu and chrf need --validate-sentences to translate");
    if (r->schedule.kind == SCHEDULE_INVERSE_SQRT && r->schedule.warmup <= 0)
        return err(e, "--schedule inverse-sqrt falls with the updates since its warm-up: it needs "
                      "--warmup");
    if (c->text.tokens == TOKENS_SYMBOL && (c->text.truecase || c->text.placeholders))
        return err(e, "--%s is for sentences, and not with --tokens symbol; leave it out, or choose --tokens bpe",
                   c->text.truecase ? "truecase" : "placeholders");
    if (r->right_left >= r->ensemble)
        return err(e, "--right-left %d: of --ensemble %d at least one network must write from left to "
                      "right", r->right_left, r->ensemble);
    if (r->right_left && r->truncate)
        return err(e, "--truncate cuts off the ends of sentences, with which --right-left begins; "
                      "choose one of them");
    if (r->right_left && c->init && !c->init->model.right_left)
        return err(e, "--right-left: %s, the model of --init, has no network that writes from right "
                      "to left", c->init->path.text);
    if (r->both_directions > 0 && !c->text.shared)
        return err(e, "--both-directions needs one vocabulary for both sides: %s leave it out",
                   c->init ? "the model of --init has two;" : "add --shared-vocabulary, or");
    return 0;
}

int config_settle(Config *c, const CorpusSize *size, Err *e)
{
    CorpusSize of = *size;
    of.is_sequence = c->text.tokens == TOKENS_SYMBOL;
    Hyperparameters hyper = c->init ? hyperparameters_to_continue(&of, &c->hyper)
                                    : hyperparameters_for(&of, &c->hyper, c->text.shared);
    if (c->init) init_ensemble(c->init, &c->hyper, &hyper);
    fields_settle(hyperparameter_fields, &c->hyper, &hyper);
    c->limited = network_within(size, &c->network, &c->text, &c->hyper, c->own.memory * 1e6);
    c->network = c->limited.network;
    return check_values(c, e);
}

/* The value of an automatic --shared-vocabulary. Two languages share names, numbers and stems,
 * which subwords find; whole words and characters get a vocabulary a side, and so do sides with
 * merges of their own. Tied embeddings need one. */
static int has_shared_vocabulary(const Config *c)
{
    return c->network.tie == TIE_ALL || (c->text.tokens == TOKENS_BPE && !c->own.target_merges);
}

/* The columns stay "auto": each file has its own. */
static void settle_pairs(PairOptions *pairs, int is_sequence)
{
    PairOptions usual = *pairs;
    usual.max_ratio = is_sequence ? 0 : 4;
    usual.equal_words = is_sequence ? 0 : 4;
    fields_settle(pair_fields, pairs, &usual);
}

void config_settle_text(Config *c, int is_sequence)
{
    const int usual = is_sequence && !c->own.merges ? TOKENS_SYMBOL : TOKENS_BPE;
    c->is_recognised = c->text.tokens == FIELD_AUTO && usual == TOKENS_SYMBOL;
    if (c->text.tokens == FIELD_AUTO) c->text.tokens = usual;
    const int is_split = c->text.tokens == TOKENS_BPE || c->text.tokens == TOKENS_CHAR;
    settle_pairs(&c->pairs, c->text.tokens == TOKENS_SYMBOL);
    fields_settle(text_fields, &c->text,
                  &(TextOptions){ .shared = has_shared_vocabulary(c),
                                  .truecase = is_split && !c->text.lowercase,
                                  .placeholders = is_split });
}

/* Before the corpus is read; automatic options have the values of the smallest corpus. */
static void check_options(const Config *c, const Options *given)
{
    Err e;
    Config settled = *c;
    config_settle_text(&settled, 0);
    if (unused_check(&c->network, given, &e) || config_settle(&settled, &(CorpusSize){ 0 }, &e))
        usage_error("train", "%s", e.text);
    check_precision("train", settled.hyper.precision);
    if (c->network.tie == TIE_ALL && !settled.text.shared)
        usage_error("train", "--tie all needs one vocabulary for both sides: add "
                             "--shared-vocabulary, or choose --tie target");
    if (settled.text.truecase && settled.text.lowercase)
        usage_error("train", "--truecase learns the usual case of words, and --lowercase leaves "
                             "none: "
                             "choose one of them");
    if (options_given(given, "min-frequency") && settled.text.tokens != TOKENS_WORD)
        usage_error("train", "--min-frequency is for --tokens word; the size of other vocabularies "
                             "is --vocabulary");
    static const char *const validations[] = { "patience", "decay", NULL };
    for (const char *const *name = validations; c->hyper.early_stop == STOP_NONE && *name; name++)
        if (options_given(given, *name))
            usage_error("train", "--%s is for validations that decide, and with --early-stop none "
                                 "they do not: leave out one of them", *name);
    if (c->own.curves && !c->own.log)
        usage_error("train", "--curves are drawn from the log; name one with --log");
    if (c->own.merges && settled.text.tokens != TOKENS_BPE)
        usage_error("train", "--merges is for --tokens bpe");
    if (c->own.target_merges && (!c->own.merges || settled.text.shared))
        usage_error("train", "--target-merges goes with the source's --merges, and not with one "
                             "vocabulary for both (--shared-vocabulary, --tie all)");
    if (c->own.merges && c->init)
        usage_error("train", "--init keeps the merges of its model; leave out --merges");
    if (c->own.replay && !c->init)
        usage_error("train", "--replay is for a model that has learned before; name it with "
                             "--init, or add FILE to the corpus");
    if (c->own.replay && !strcmp(c->own.replay, "-"))
        usage_error("train", "--replay is read twice, which standard input cannot be; name a file");
}

/* Reads the request of the run that is resumed, and applies its options. */
static int read_saved_request(const char *model, const OptionSet *sets, SavedRequest *saved, Err *e)
{
    Buf state = { 0 };
    buf_printf(&state, "%s.state", model);
    int rc = saved_request_read(saved, state.text, e);
    if (!rc) rc = saved_request_apply(saved, sets, e);
    buf_free(&state);
    return rc;
}

/* Makes text and network those of the model of --init, of this run or of the resumed one. */
static int read_init(Config *c, const TrainOptions *first, Err *e)
{
    const char *name = first->init ? first->init : c->own.init;
    if (!name) return 0;
    c->init = init_load(name, e);
    if (!c->init) return -1;
    c->text = c->init->model.text;
    c->network = c->init->model.network;
    return 0;
}

/* Reads the options that say where other options come from. */
static TrainOptions read_first(Config *c, const OptionSet *sets, int argc, char **argv)
{
    *c = default_config();
    Options given = options_parse(sets, argc, argv);
    options_free(&given);
    return c->own;
}

/* The saved request or the preset first, then the file, then the command line, which is read
 * twice: first for the options that name the others, then over them. */
int config_read(Config *c, int argc, char **argv, Options *given, SavedRequest *saved, Err *e)
{
    OptionSet sets[SETS];
    Err why;
    bind_sets(sets, c);
    const TrainOptions first = read_first(c, sets, argc, argv);
    *c = default_config();
    if (first.resume && read_saved_request(first.output, sets, saved, e)) return -1;
    if (read_init(c, &first, e)) return -1;
    if (preset_apply(first.preset, sets, &why)) usage_error("train", "%s", why.text);
    if (first.config && read_config(first.config, sets, &why)) usage_error("train", "%s", why.text);
    *given = options_parse(sets, argc, argv);
    if (text_languages(&c->text, &why) || (c->init && init_check(c->init, &c->text, &c->network, &why)))
        usage_error("train", "%s", why.text);
    if (first.resume && saved_request_compare(saved, sets, e)) return -1;
    check_options(c, given);
    names_settle(&c->own, given);
    if (c->init) c->own.init = c->init->path.text;
    return 0;
}

void config_free(Config *c)
{
    init_free(c->init);
    c->init = NULL;
}

char *config_request(const Config *c, const char *command, const BitextFiles *files, int workers)
{
    OptionSet sets[SETS];
    Config copy = *c;
    bind_sets(sets, &copy);
    return saved_request_text(sets, command, files, workers);
}

void config_command(const Config *c, const SavedRequest *saved, Buf *out)
{
    OptionSet sets[SETS];
    Config copy = *c;
    bind_sets(sets, &copy);
    saved_request_command(saved, sets, out);
}

Description config_describe(void)
{
    static Config c;
    static OptionSet sets[SETS];
    c = default_config();
    bind_sets(sets, &c);
    return (Description){ sets, &help_text };
}

BitextFiles config_files(const Config *c, int count, char **names)
{
    return corpus_files("train", c->pairs.format, c->pairs.columns, count, names);
}
