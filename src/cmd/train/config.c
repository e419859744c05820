/* config.c - from the words of a command line to a configuration without contradictions: the
 * sources of options in their order, what "auto" means, and which options exclude each other. */
#include "cmd/train/config.h"

#include "base/files/files.h"
#include "base/mem.h"
#include "base/real.h"
#include "base/strings.h"
#include "cmd/command_files.h"
#include "cmd/models.h"
#include "train/checkpoint.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Config default_config(void)
{
    Config c = {
        .own = { .output = default_model(), .log_every = 50, .save_every = 300,
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

void config_bind(OptionSet sets[CONFIG_SETS], Config *c)
{
    sets[0] = (OptionSet){ train_fields, &c->own };
    sets[1] = (OptionSet){ pair_fields, &c->pairs };
    sets[2] = (OptionSet){ text_fields, &c->text };
    sets[3] = (OptionSet){ network_fields, &c->network };
    sets[4] = (OptionSet){ hyperparameter_fields, &c->hyper };
    sets[5] = (OptionSet){ NULL, NULL };
}

Description config_describe(void)
{
    static Config c;
    static OptionSet sets[CONFIG_SETS];
    c = default_config();
    config_bind(sets, &c);
    return (Description){ sets, &train_help };
}

/* ---- A configuration file ---- */

/* The section of each set. */
static const char *const sections[CONFIG_SETS] = { NULL, "corpus", "text", "network", "training" };

cJSON *config_to_json(Config *c)
{
    OptionSet sets[CONFIG_SETS];
    config_bind(sets, c);
    cJSON *json = cJSON_CreateObject();
    for (int i = 1; sets[i].fields; i++)
        cJSON_AddItemToObject(json, sections[i], fields_to_json(sets[i].fields, sets[i].object));
    return json;
}

void config_print(Config *c)
{
    cJSON *json = config_to_json(c);
    print_json(json, 1);
    cJSON_Delete(json);
}

static int read_section(const cJSON *section, const OptionSet *sets, Err *e)
{
    for (int i = 1; sets[i].fields; i++)
        if (!strcmp(section->string, sections[i]))
            return fields_from_json(sets[i].fields, sets[i].object, section, e);
    return err(e, "unknown section '%s'; known are corpus, text, network and training",
               section->string);
}

static int read_config(const char *path, const OptionSet *sets, Err *e)
{
    Err why;
    Content file;
    if (content_read(&file, path, e)) return -1;
    cJSON *json = json_parse(file.data, file.size, &why);
    int rc = !json ? -1 : !cJSON_IsObject(json) ? err(&why, "not a JSON object") : 0;
    for (const cJSON *section = rc ? NULL : json->child; section && !rc; section = section->next)
        rc = read_section(section, sets, &why);
    cJSON_Delete(json);
    content_free(&file);
    return rc ? err(e, "%s: %s", path, why.text) : 0;
}

/* ---- What "auto" means ---- */

/* The columns stay "auto": each file has its own. Two languages share names, numbers and stems,
 * which subwords find; whole words and characters get a vocabulary a side. Tied embeddings need
 * one. */
void config_settle_text(Config *c, int is_sequence)
{
    const int has_file = c->vocabulary.path[0] != NULL;
    const int has_one = c->vocabulary.path[0] == c->vocabulary.path[1];
    const int usual = has_file ? TOKENS_SENTENCEPIECE : is_sequence ? TOKENS_SYMBOL : TOKENS_BPE;
    c->is_recognised = c->text.tokens == FIELD_AUTO && usual == TOKENS_SYMBOL;
    if (c->text.tokens == FIELD_AUTO) c->text.tokens = usual;
    const int tokens = c->text.tokens;
    const int is_split = tokens == TOKENS_BPE || tokens == TOKENS_CHAR;
    PairOptions pairs = c->pairs;
    pairs.max_ratio = pairs.equal_words = tokens == TOKENS_SYMBOL ? 0 : 4;
    fields_settle(pair_fields, &c->pairs, &pairs);
    fields_settle(text_fields, &c->text,
                  &(TextOptions){ .shared = has_file ? has_one
                                          : c->network.tie == TIE_ALL || tokens == TOKENS_BPE,
                                  .truecase = is_split && !c->text.lowercase,
                                  .placeholders = is_split });
}

/* Tokens that are given leave a line as it is. */
static int check_plain(const Config *c, Err *e)
{
    const TextOptions *t = &c->text;
    const Hyperparameters *r = &c->hyper;
    const char *option = t->lowercase      ? "lowercase"
                       : t->truecase       ? "truecase"
                       : t->placeholders   ? "placeholders"
                       : r->noise > 0      ? "noise"
                       : r->phrases > 0    ? "phrases"
                       : r->copy_words > 0 ? "copy-words"
                                           : NULL;
    if (option)
        return err(e, "--%s is for words, and not with --tokens %s, which leaves a line as it is; "
                      "leave it out",
                   option, t->tokens == TOKENS_WHITESPACE ? "whitespace" : "sentencepiece");
    if (t->tokens == TOKENS_SENTENCEPIECE && !c->vocabulary.path[0] && !c->init)
        return err(e, "--tokens sentencepiece needs the file of a SentencePiece model: "
                      "--vocabulary-file FILE.spm");
    if (t->shared && c->vocabulary.path[0] != c->vocabulary.path[1])
        return err(e, "--shared-vocabulary is for one --vocabulary-file, and here are two; leave "
                      "it out");
    return 0;
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
        return err(e, "--%s is for sentences, and not with --tokens symbol; leave it out, or "
                      "choose --tokens bpe", c->text.truecase ? "truecase" : "placeholders");
    if (text_is_plain(&c->text) && check_plain(c, e)) return -1;
    if (r->right_left >= r->ensemble)
        return err(e, "--right-left %d: of --ensemble %d at least one network must write from left "
                      "to right", r->right_left, r->ensemble);
    if (r->right_left && r->truncate)
        return err(e, "--truncate cuts off the ends of sentences, with which --right-left begins; "
                      "choose one of them");
    if (r->right_left && c->init && !c->init->model.right_left)
        return err(e, "--right-left: %s, the model of --init, has no network that writes from "
                      "right to left", c->init->path.text);
    if (r->both_directions > 0 && !c->text.shared)
        return err(e, "--both-directions needs one vocabulary for both sides: %s leave it out",
                   c->init ? "the model of --init has two;" : "add --shared-vocabulary, or");
    return 0;
}

/* With --init an ensemble has as many networks as the model, and of those that are asked for as
 * many from right to left as it has, but at least one from left to right. */
int config_settle(Config *c, const CorpusSize *size, Err *e)
{
    CorpusSize of = *size;
    Hyperparameters *asked = &c->hyper, usual;
    of.lacks_words = c->text.tokens == TOKENS_SYMBOL || text_is_plain(&c->text);
    if (c->init) {
        const Model *model = &c->init->model;
        const int all = model_networks(model);
        const int networks = asked->ensemble == FIELD_AUTO ? all : asked->ensemble;
        usual = hyperparameters_to_continue(&of, asked, &model->network);
        usual.ensemble = all;
        usual.right_left = asked->truncate ? 0 : min_int(model->right_left, networks - 1);
    } else {
        usual = hyperparameters_for(&of, asked, c->text.shared);
    }
    fields_settle(hyperparameter_fields, asked, &usual);
    c->limited = network_within(size, &c->network, &c->text, asked, c->own.memory * 1e6);
    c->network = c->limited.network;
    return check_values(c, e);
}

/* ---- Which options are wrong ---- */

/* --valid v.en v.fr: the option has one TSV. */
static void check_pairs_of(const char *option, const char *path)
{
    Err ignored;
    if (path && file_tabs(path, 0, &ignored) == TABS_NONE)
        usage_error("train", "--%s: '%s' has no tab, but is to be one TSV of pairs: 'paste SOURCE "
                             "TARGET > FILE' makes it of two line-aligned files", option, path);
}

/* Before the corpus is read; automatic options have the values of the smallest corpus. */
static void check_options(const Config *c)
{
    Err e;
    Config settled = *c;
    const TrainOptions *own = &c->own;
    const TextOptions *text = &settled.text;
    config_settle_text(&settled, 0);
    if (config_settle(&settled, &(CorpusSize){ 0 }, &e)) usage_error("train", "%s", e.text);
    check_precision("train", settled.hyper.precision);
    const int has_file = c->vocabulary.path[0] != NULL;
    const struct { int is_wrong; const char *why; } rules[] = {
        { has_file && c->init,
          "--init: a model keeps its vocabulary; leave out --vocabulary-file" },
        { has_file && text->tokens != TOKENS_SENTENCEPIECE,
          "--vocabulary-file has the tokens; leave out --tokens" },
        { c->network.tie == TIE_ALL && !text->shared,
          "--tie all needs one vocabulary for both sides: add --shared-vocabulary, or choose --tie "
          "target" },
        { text->truecase && text->lowercase,
          "--truecase learns the usual case of words, and --lowercase leaves none: choose one of "
          "them" },
        { own->curves && !own->log, "--curves are drawn from the log; name one with --log" },
        { own->replay && !c->init,
          "--replay is for a model that has learned before; name it with --init, or add FILE to "
          "the corpus" },
        { own->replay && !strcmp(own->replay, "-"),
          "--replay is read twice, which standard input cannot be; name a file" },
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].is_wrong) usage_error("train", "%s", rules[i].why);
    check_pairs_of("valid", own->valid);
    check_pairs_of("replay", own->replay);
}

/* ---- The request of a run that is resumed ---- */

/* Only these options of the command itself are saved, and all of the other tables. */
static int is_saved_own(const char *name)
{
    static const char *const saved[] = { "valid", "log", "log-every", "curves", "save-every",
                                         "memory", "exchange", "init", "replay",
                                         "vocabulary-file", NULL };
    const char *const *at = saved;
    while (*at && strcmp(*at, name)) at++;
    return *at != NULL;
}

char *config_request(Config *c, const char *command, const BitextFiles *files, int workers)
{
    OptionSet sets[CONFIG_SETS];
    SCOPED(buf_free) Buf value = { 0 };
    config_bind(sets, c);
    cJSON *json = cJSON_CreateObject();
    json_add_bytes(json, "command", command);
    cJSON *names = cJSON_AddArrayToObject(json, "files");
    for (int i = 0; i < files->count; i++)
        cJSON_AddItemToArray(names, json_bytes(files->name[i]));
    cJSON_AddNumberToObject(json, "workers", workers);
    cJSON *options = cJSON_AddObjectToObject(json, "options");
    for (const OptionSet *set = sets; set->fields; set++)
        for (const Field *field = set->fields; field->name; field++) {
            if (set == sets && !is_saved_own(field->name)) continue;
            buf_clear(&value);
            field_print(field, set->object, &value);
            if (field->kind != FIELD_TEXT || value.length)
                json_add_bytes(options, field->name, value.text);
        }
    char *text = json_text(json, 0);
    cJSON_Delete(json);
    return text;
}

/* Sets the options as they were. */
static int apply_request(SavedRequest *saved, const OptionSet *sets, Err *e)
{
    const cJSON *files;
    cJSON *item;
    if (json_get_string(saved->json, "command", &saved->command, e)
        || json_get_array(saved->json, "files", &files, e)
        || json_get_object(saved->json, "options", &saved->options, e)
        || json_get_int(saved->json, "workers", 1, 1 << 16, &saved->workers, e))
        return -1;
    cJSON_ArrayForEach(item, files) {
        if (!cJSON_IsString(item) || saved->files == REQUEST_FILES)
            return err(e, "\"files\" are not names");
        saved->file[saved->files++] = item->valuestring;
    }
    cJSON_ArrayForEach(item, saved->options) {
        const Option option = options_find(sets, item->string, strlen(item->string));
        if (!option.field || !cJSON_IsString(item))
            return err(e, "\"%s\" is no option", item->string);
        if (field_set(option.field, option.object, item->valuestring, e)) return -1;
    }
    return 0;
}

static int read_request(Config *c, const char *model, const OptionSet *sets, Err *e)
{
    Err why;
    TrainingProgress progress;
    SavedRequest *saved = &c->saved;
    SCOPED(xfree_at) char *text = NULL;
    SCOPED(buf_free) Buf state = { 0 };
    buf_printf(&state, "%s.state", model);
    if (state_peek(state.text, &progress, &text, e)) return -1;
    saved->network = progress.network;
    saved->earlier_seconds = progress.earlier_seconds;
    saved->json = text ? json_parse(text, strlen(text), &why) : NULL;
    if (!text) err(&why, "it holds no request");
    if (saved->json) json_restore_bytes(saved->json);
    if (!saved->json || apply_request(saved, sets, &why))
        return err(e, "cannot resume from '%s': %s", state.text, why.text);
    saved->log = c->own.log;
    saved->curves = c->own.curves;
    return 0;
}

/* Whether the option has changed; *now becomes its value. An automatic one has not: the same
 * corpus gives it the same value. */
static int is_changed(const OptionSet *sets, const cJSON *item, Buf *now)
{
    const Option option = options_find(sets, item->string, strlen(item->string));
    buf_clear(now);
    field_print(option.field, option.object, now);
    return strcmp(now->text, item->valuestring) && strcmp(now->text, "auto");
}

/* -1 with the first option that differs now and may not. */
static int compare_request(const Config *c, const OptionSet *sets, Err *e)
{
    Err why;
    int rc = 0;
    SCOPED(buf_free) Buf now = { 0 };
    const cJSON *item;
    cJSON_ArrayForEach(item, c->saved.options)
        if (!rc && !is_saved_own(item->string) && !state_may_differ(item->string)
            && is_changed(sets, item, &now))
            rc = state_refuse(item->string, item->valuestring, now.text, &why);
    return rc ? err(e, "cannot resume from '%s.state': %s", c->own.output, why.text) : 0;
}

void config_command(Config *c, Buf *out)
{
    OptionSet sets[CONFIG_SETS];
    SCOPED(buf_free) Buf now = { 0 };
    const cJSON *item;
    config_bind(sets, c);
    buf_puts(out, c->saved.command);
    cJSON_ArrayForEach(item, c->saved.options)
        if (state_may_differ(item->string) && is_changed(sets, item, &now))
            buf_printf(out, " --%s %s", item->string, now.text);
}

/* ---- The sources of options ---- */

/* Makes text and network those of the model of --init. */
static int read_init(Config *c, const char *name, Err *e)
{
    if (!name) return 0;
    c->init = xcalloc(1, sizeof *c->init);
    Model *model = &c->init->model;
    if (model_path(name, &c->init->path, e) || model_load(model, c->init->path.text, e)) return -1;
    c->text = model->text;
    c->network = model->network;
    return 0;
}

static Tokenizer *read_segmenter(const char *path, int shared, Err *e)
{
    Err why;
    Content file;
    Tokenizer *t = NULL;
    TextOptions options = text_defaults();
    options.tokens = TOKENS_SENTENCEPIECE;
    options.shared = shared;
    if (content_read(&file, path, e)) return NULL;
    SentencePiece *segmenter = sentencepiece_new(file.data, file.size, &why);
    if (segmenter) t = tokenizer_of_segmenter(&options, segmenter, &why);
    content_free(&file);
    if (!t)
        err(e, "%s: %s; --vocabulary-file is for the .spm or .model file that spm_train writes",
            path, why.text);
    return t;
}

/* A name with a comma that no file has is two names. */
static int read_vocabularies(VocabularyFiles *v, const char *names, Err *e)
{
    const char *comma = names ? strrchr(names, ',') : NULL;
    if (!names) return 0;
    if (!comma || !access(names, F_OK)) {
        v->path[0] = v->path[1] = xstrdup(names);
    } else {
        v->path[0] = xstrndup(names, (size_t)(comma - names));
        v->path[1] = xstrdup(comma + 1);
    }
    const int is_one = v->path[0] == v->path[1];
    v->tokenizer[0] = read_segmenter(v->path[0], is_one, e);
    v->tokenizer[1] = is_one || !v->tokenizer[0] ? v->tokenizer[0]
                                                 : read_segmenter(v->path[1], 0, e);
    return v->tokenizer[1] ? 0 : -1;
}

/* Settles what is "auto", and refuses what is not as in the model: one that goes on keeps its text
 * pipeline, but for the names of its languages, and its network. */
static int check_init(Config *c, Err *e)
{
    const Model *model = &c->init->model;
    SCOPED(buf_free) Buf was = { 0 }, now = { 0 };
    fields_settle(text_fields, &c->text, &model->text);
    fields_settle(network_fields, &c->network, &model->network);
    TextOptions kept = model->text;
    memcpy(kept.from, c->text.from, sizeof kept.from);
    memcpy(kept.to, c->text.to, sizeof kept.to);
    const Field *field = fields_difference(text_fields, &kept, &c->text, &was, &now);
    if (!field) field = fields_difference(network_fields, &model->network, &c->network, &was, &now);
    if (field)
        err(e, "--init: a model keeps its text pipeline and network; %s was trained with --%s %s, "
               "not %s", c->init->path.text, field->name, was.text, now.text);
    return field ? -1 : 0;
}

/* The saved request or the preset first, then the file, then the command line, which is read
 * twice: first for the options that name the others, then over them. */
int config_read(Config *c, int argc, char **argv, Options *given, Err *e)
{
    OptionSet sets[CONFIG_SETS];
    Err why;
    config_bind(sets, c);
    *c = default_config();
    *given = options_parse(sets, argc, argv);
    options_free(given);
    const TrainOptions first = c->own;
    *c = default_config();
    if (first.resume && read_request(c, first.output, sets, e)) return -1;
    if (read_init(c, first.init ? first.init : c->own.init, e)) return -1;
    if (preset_apply(first.preset, sets, &why)) usage_error("train", "%s", why.text);
    if (first.config && read_config(first.config, sets, &why)) usage_error("train", "%s", why.text);
    *given = options_parse(sets, argc, argv);
    if (text_languages(&c->text, &why) || (c->init && check_init(c, &why)))
        usage_error("train", "%s", why.text);
    if (first.resume && compare_request(c, sets, e)) return -1;
    if (read_vocabularies(&c->vocabulary, c->own.vocabulary_file, e)) return -1;
    check_options(c);
    if (c->own.log && !strcmp(c->own.log, "-")) c->own.log = "/dev/stdout";
    if (c->init) c->own.init = c->init->path.text;
    return 0;
}

void config_free(Config *c)
{
    cJSON_Delete(c->saved.json);
    c->saved = (SavedRequest){ 0 };
    for (int side = 0; side < 2; side++) {
        if (side && c->vocabulary.path[1] == c->vocabulary.path[0]) break;
        xfree(c->vocabulary.path[side]);
        tokenizer_free(c->vocabulary.tokenizer[side]);
    }
    c->vocabulary = (VocabularyFiles){ 0 };
    if (!c->init) return;
    model_free(&c->init->model);
    buf_free(&c->init->path);
    free(c->init);
    c->init = NULL;
}
