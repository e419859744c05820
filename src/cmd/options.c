/* options.c - the command line by tables: parsing, and messages for a user's mistakes. */
#include "cmd/options.h"

#include "base/mem.h"
#include "base/suffix.h"
#include "base/suggest.h"
#include "cmd/cmd.h"
#include "cmd/commands.h"
#include "cmd/help.h"
#include "cmd/synonyms.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    return strlen(known) == length && !memcmp(known, name, length);
}

static int has_name(const Field *field, const char *name, size_t length)
{
    return equals(field->name, name, length)
        || (field->alias && equals(field->alias, name, length));
}

Option options_find(const OptionSet *sets, const char *name, size_t length)
{
    for (; sets->fields; sets++)
        for (const Field *field = sets->fields; field->name; field++)
            if (has_name(field, name, length)) return (Option){ field, sets->object };
    return (Option){ NULL, NULL };
}

Option options_find_letter(const OptionSet *sets, char letter)
{
    for (; sets->fields; sets++)
        for (const Field *field = sets->fields; field->name; field++)
            if (field->letter && field->letter == letter) return (Option){ field, sets->object };
    return (Option){ NULL, NULL };
}

/* The row that this name belongs to: one with an option of this command, or with advice. NULL:
 * none. */
static const Synonym *find_synonym(const OptionSet *sets, const char *command, const char *name)
{
    for (const Synonym *row = synonyms; row->theirs; row++)
        if (synonym_fits(row, command, name)
            && (!row->ours || options_find(sets, row->ours, strlen(row->ours)).field))
            return row;
    return NULL;
}

static const char *nearest_option(const OptionSet *sets, const char *name)
{
    Suggestion n = { .word = name };
    suggestion_offer(&n, "help");
    for (; sets->fields; sets++)
        for (const Field *field = sets->fields; field->name; field++)
            suggestion_offer(&n, field->name);
    return n.best;
}

void unknown_option(const OptionSet *sets, const char *command, const char *argument)
{
    const char *bare = argument + strspn(argument, "-");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(bare, "="), bare);
    const char *positive = !strncmp(name, "no-", 3) ? name + 3 : name;
    const Synonym *synonym = find_synonym(sets, command, name);
    if (!synonym) synonym = find_synonym(sets, command, positive);
    if (synonym && !synonym->ours)
        usage_error(command, "unknown option '%s'; %s", argument, synonym->advice);
    Buf owners = { 0 };
    if (!synonym && !options_find(sets, positive, strlen(positive)).field
        && commands_with_option(positive, &owners))
        usage_error(command, "unknown option '%s'; it is one of %s", argument, owners.text);
    const char *near = synonym ? synonym->ours : nearest_option(sets, positive);
    if (near) usage_error(command, "unknown option '%s'; did you mean '--%s'?", argument, near);
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

/* The option takes its default value. The next argument must then be a file: otherwise it was
 * meant as the value. */
static void check_operand(const Reading *r, const Field *field, const char *next)
{
    Buf endings = { 0 };
    if (!*next || *next == '-' || !access(next, F_OK)) return;
    for (int i = 0; field->choices[i]; i++)
        buf_printf(&endings, "%s%s", i ? ", " : "", field->choices[i]);
    usage_error(r->argv[0], "--%s: '%s' ends in none of %s, and there is no file of that name",
                field->name, next, endings.text);
}

/* An option with an optional value: `attached`, or the next argument if it ends like a value. */
static void set_optional_value(Reading *r, Option option, const char *attached)
{
    const char *next = r->at + 1 < r->argc ? r->argv[r->at + 1] : "";
    int takes = !attached && *next != '-' && ends_in_one_of(option.field->choices, next);
    if (!attached && !takes) check_operand(r, option.field, next);
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
    if (!option.field || option.field->kind != FIELD_FLAG || attached)
        refuse_argument(r);
    set(r, option, "off");
}

static int is_name(const Reading *r, const char *word)
{
    return options_find(r->sets, word, strlen(word)).field
        || find_synonym(r->sets, r->argv[0], word);
}

/* -x, -xvalue, -x value, -xy, -xyvalue, -xy value; not -name: nobody means -n with the value
 * "ame" */
static void read_short(Reading *r)
{
    const char *letters = r->argv[r->at] + 1;
    if (letters[1] && is_name(r, letters)) refuse_argument(r);
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

static int asks_for_help(const OptionSet *sets, const char *argument)
{
    return !strcmp(argument, "--help")
           || (!strcmp(argument, "-h") && !options_find_letter(sets, 'h').field);
}

/* Each option takes a letter or more of the command line. */
static size_t most_options(int argc, char **argv)
{
    size_t letters = 0;
    for (int i = 1; i < argc; i++)
        letters += strlen(argv[i]);
    return letters;
}

Options options_parse(const OptionSet *sets, int argc, char **argv, const HelpText *text)
{
    Reading r = { .sets = sets, .argc = argc, .argv = argv };
    r.found.operand = xcalloc((size_t)argc, sizeof *r.found.operand);
    r.found.given = xcalloc(most_options(argc, argv) + 1, sizeof *r.found.given);
    int only_operands = 0;
    for (r.at = 1; r.at < argc; r.at++) {
        char *argument = argv[r.at];
        if (only_operands || argument[0] != '-' || !argument[1]) {
            r.found.operand[r.found.count++] = argument;
        } else if (!strcmp(argument, "--")) {
            only_operands = 1;
        } else if (asks_for_help(sets, argument)) {
            help_print(stdout, sets, argv[0], text, HELP_COMMON);
            exit(EXIT_OK);
        } else if (argument[1] == '-') {
            read_long(&r);
        } else {
            read_short(&r);
        }
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
