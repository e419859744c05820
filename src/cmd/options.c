/* options.c - the command line by tables: parsing, and messages for a user's mistakes. */
#include "cmd/options.h"

#include "base/mem.h"
#include "base/strings.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void usage_error(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_print("error", format, args);
    va_end(args);
    fprintf(stderr, "Try 'attn help%s%s'.\n", command ? " " : "", command ? command : "");
    exit(EXIT_USAGE);
}

/* ---- Finding rows ---- */

static int equals(const char *known, const char *name, size_t length)
{
    return known && strlen(known) == length && !memcmp(known, name, length);
}

Option options_find(const OptionSet *sets, const char *name, size_t length)
{
    for (; sets->fields; sets++)
        for (const Field *field = sets->fields; field->name; field++)
            if (equals(field->name, name, length) || equals(field->alias, name, length))
                return (Option){ field, sets->object };
    return (Option){ NULL, NULL };
}

Option options_find_letter(const OptionSet *sets, char letter)
{
    for (; sets->fields; sets++)
        for (const Field *field = sets->fields; field->name; field++)
            if (field->letter && field->letter == letter) return (Option){ field, sets->object };
    return (Option){ NULL, NULL };
}

/* What Marian, OpenNMT-py, fairseq and sacreBLEU call our options. */
static const struct { const char *ours, *theirs; } peers[] = {
    { "output", " model save-model save-dir " }, { "valid", " valid-sets dev validpref " },
    { "init", " pretrained-model finetune-from-model " }, { "resume", " train-from restore-file " },
    { "from", " src-lang " }, { "to", " tgt-lang trg-lang " },
    { "vocabulary", " dim-vocabs vocab-size bpe-size " },
    { "embedding", " dim-emb word-vec-size embed-dim " },
    { "hidden", " dim-rnn rnn-size hidden-size " },
    { "layers", " enc-depth dec-depth num-layers " },
    { "shared-vocabulary", " joined-dictionary share-vocab " },
    { "tie", " tied-embeddings tied-embeddings-all share-all-embeddings " },
    { "learning-rate", " lr learn-rate " }, { "batch", " batch-size mini-batch " },
    { "batch-tokens", " max-tokens mini-batch-words " },
    { "accumulate", " optimizer-delay update-freq accum-count " },
    { "clip", " clip-norm max-grad-norm " }, { "epochs", " after-epochs max-epoch num-epochs " },
    { "steps", " after-batches max-update train-steps max-steps " },
    { "patience", " early-stopping " }, { "validate-every", " valid-freq valid-steps " },
    { "save-every", " save-freq save-checkpoint-steps " },
    { "average", " exponential-smoothing ema " }, { "threads", " cpu-threads num-threads jobs " },
    { "precision", " fp16 bf16 quantize quantization compute-type " },
    { "beam", " beam-size " }, { "nbest", " n-best num-hypotheses " },
    { "normalize", " length-penalty lenpen " }, { "sample", " output-sampling sampling " },
    { "prefixes", " force-decode tgt-file-prefix " }, { "tokenize", " tok " },
    { "hyp", " input " }, { "ref", " references " },
};

/* Our name for another program's option, or NULL. */
static const char *peer_option(const OptionSet *sets, const char *name)
{
    char word[80];
    snprintf(word, sizeof word, " %.70s ", name);
    for (char *at = word; (at = strchr(at, '_'));) *at = '-';
    for (size_t i = 0; i < sizeof peers / sizeof *peers; i++)
        if (strstr(peers[i].theirs, word)
            && options_find(sets, peers[i].ours, strlen(peers[i].ours)).field) return peers[i].ours;
    return NULL;
}

void unknown_option(const OptionSet *sets, const char *command, const char *argument)
{
    const char *bare = argument + strspn(argument, "-");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(bare, "="), bare);
    const char *positive = !strncmp(name, "no-", 3) ? name + 3 : name;
    const char *ours = peer_option(sets, positive);
    Suggestion near = { .word = positive };
    suggestion_offer(&near, "help");
    for (; sets->fields; sets++)
        for (const Field *field = sets->fields; field->name; field++)
            suggestion_offer(&near, field->name);
    if (ours) near.best = ours;
    if (near.best)
        usage_error(command, "unknown option '%s'; did you mean '--%s'?", argument, near.best);
    usage_error(command, "unknown option '%s'", argument);
}

/* ---- Parsing ---- */

/* The command line, and what was found so far. */
typedef struct {
    const OptionSet *sets;
    int              argc, at;      /* argv[at] is the argument being read */
    char           **argv;
    Options          found;
} Reading;

_Noreturn static void refuse_argument(const Reading *r)
{
    unknown_option(r->sets, r->argv[0], r->argv[r->at]);
}

static void set(Reading *r, Option option, const char *value)
{
    Err e;
    if (field_set(option.field, option.object, value, &e)) usage_error(r->argv[0], "%s", e.text);
    r->found.given[r->found.given_count++] = option.field->name;
}

static int ends_in_one_of(const char *const *endings, const char *text)
{
    for (; *endings; endings++)
        if (has_extension(text, *endings)) return 1;
    return 0;
}

/* An option that may lack a value: `attached`, or the next argument if it ends like a value. */
static void set_optional_value(Reading *r, Option option, const char *attached)
{
    const char *next = r->at + 1 < r->argc ? r->argv[r->at + 1] : "";
    const int takes = !attached && *next != '-' && ends_in_one_of(option.field->choices, next);
    set(r, option, attached ? attached : takes ? next : "-");
    r->at += takes;
}

/* An option with a value: `attached`, or the next argument. */
static void set_value(Reading *r, Option option, const char *attached)
{
    if (option.field->kind == FIELD_TEXT && option.field->choices) {
        set_optional_value(r, option, attached);
        return;
    }
    const char *next = r->at + 1 < r->argc ? r->argv[r->at + 1] : NULL;
    if (!attached && (!next || !strncmp(next, "--", 2)))
        usage_error(r->argv[0], "--%s needs a value: %s", option.field->name, option.field->help);
    if (!attached) r->at++;
    set(r, option, attached ? attached : next);
}

/* --name, --name=value, --name value, --no-name */
static void read_long(Reading *r)
{
    const char *name = r->argv[r->at] + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const char *attached = equals ? equals + 1 : NULL;

    Option option = options_find(r->sets, name, length);
    if (option.field && option.field->kind != FIELD_FLAG) {
        set_value(r, option, attached);
        return;
    }
    if (option.field) {
        set(r, option, attached ? attached : "on");
        return;
    }
    if (length > 3 && !strncmp(name, "no-", 3))
        option = options_find(r->sets, name + 3, length - 3);
    if (!option.field || option.field->kind != FIELD_FLAG || attached) refuse_argument(r);
    set(r, option, "off");
}

/* -x, -xvalue, -x value, -xy, -xyvalue, -xy value; not -name: nobody means -n with the value
 * "ame" */
static void read_short(Reading *r)
{
    const char *letters = r->argv[r->at] + 1;
    if (letters[1] && options_find(r->sets, letters, strlen(letters)).field) refuse_argument(r);
    for (; *letters; letters++) {
        const Option option = options_find_letter(r->sets, *letters);
        if (!option.field) refuse_argument(r);
        if (option.field->kind != FIELD_FLAG) {
            set_value(r, option, letters[1] ? letters + 1 : NULL);
            return;
        }
        set(r, option, "on");
    }
}

Options options_parse(const OptionSet *sets, int argc, char **argv)
{
    Reading r = { .sets = sets, .argc = argc, .argv = argv };
    size_t most = 1;                    /* each option takes a letter or more */
    for (int i = 1; i < argc; i++) most += strlen(argv[i]);
    r.found.operand = xcalloc((size_t)argc, sizeof *r.found.operand);
    r.found.given = xcalloc(most, sizeof *r.found.given);
    int only_operands = 0;
    for (r.at = 1; r.at < argc; r.at++) {
        char *argument = argv[r.at];
        if (only_operands || argument[0] != '-' || !argument[1])
            r.found.operand[r.found.count++] = argument;
        else if (!strcmp(argument, "--")) only_operands = 1;
        else if (argument[1] == '-') read_long(&r);
        else read_short(&r);
    }
    return r.found;
}

void options_free(Options *options)
{
    free(options->operand);
    free(options->given);
    *options = (Options){ 0 };
}

int options_given(const Options *options, const char *name)
{
    int times = 0;
    for (int i = 0; i < options->given_count; i++) times += !strcmp(options->given[i], name);
    return times;
}

const char *options_first_given(const Options *options, const Field *fields)
{
    for (; fields->name; fields++)
        if (options_given(options, fields->name)) return fields->name;
    return NULL;
}
