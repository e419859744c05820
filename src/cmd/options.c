/* options.c - the command line by tables: parsing, help, and messages for a user's mistakes. */
#include "cmd/options.h"

#include "base/mem.h"
#include "base/suggest.h"
#include "base/printable.h"
#include "base/suffix.h"
#include "cmd/cmd.h"
#include "cmd/synonyms.h"
#include "cmd/wrap.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 80, HELP_COLUMN = 26 };

/* One row of a command's tables, with the struct its value lives in. */
typedef struct {
    const Field *field;
    void        *object;
} Binding;

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

static Binding find_name(const OptionSet *sets, const char *name, size_t length)
{
    for (; sets->fields; sets++)
        for (const Field *field = sets->fields; field->name; field++)
            if (equals(field->name, name, length)
                || (field->alias && equals(field->alias, name, length)))
                return (Binding){ field, sets->object };
    return (Binding){ NULL, NULL };
}

static Binding find_letter(const OptionSet *sets, char letter)
{
    for (; sets->fields; sets++)
        for (const Field *field = sets->fields; field->name; field++)
            if (field->letter && field->letter == letter) return (Binding){ field, sets->object };
    return (Binding){ NULL, NULL };
}

/* The row that this name belongs to: one with an option of this command, or with advice. NULL:
 * none. */
static const Synonym *find_synonym(const OptionSet *sets, const char *command, const char *name)
{
    for (const Synonym *row = synonyms; row->theirs; row++)
        if (synonym_fits(row, command, name)
            && (!row->ours || find_name(sets, row->ours, strlen(row->ours)).field))
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

/* ---- Parsing ---- */

/* The command line, and what was found so far. */
typedef struct {
    const OptionSet *sets;
    int              argc, at;      /* argv[at] is the argument being read */
    char           **argv;
    Options          found;
} Reading;

/* The name is `length` bytes after the dashes. */
_Noreturn static void unknown_option(const Reading *r, size_t length)
{
    const char *argument = r->argv[r->at];
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, argument + strspn(argument, "-"));
    const char *positive = !strncmp(name, "no-", 3) ? name + 3 : name;
    const Synonym *synonym = find_synonym(r->sets, r->argv[0], name);
    if (!synonym) synonym = find_synonym(r->sets, r->argv[0], positive);
    if (synonym && !synonym->ours)
        usage_error(r->argv[0], "unknown option '%s'; %s", argument, synonym->advice);
    const char *near = synonym ? synonym->ours : nearest_option(r->sets, positive);
    if (near) usage_error(r->argv[0], "unknown option '%s'; did you mean '--%s'?", argument, near);
    usage_error(r->argv[0], "unknown option '%s'", argument);
}

static void set(Reading *r, Binding option, const char *value)
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
static void set_optional_value(Reading *r, Binding option, const char *attached)
{
    const char *next = r->at + 1 < r->argc ? r->argv[r->at + 1] : "";
    int takes = !attached && *next != '-' && ends_in_one_of(option.field->choices, next);
    if (!attached && !takes) check_operand(r, option.field, next);
    set(r, option, attached ? attached : takes ? next : "-");
    r->at += takes;
}

/* An option with a value: `attached`, or the next argument. */
static void set_value(Reading *r, Binding option, const char *attached)
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

    Binding option = find_name(r->sets, name, length);
    if (option.field && option.field->kind != FIELD_FLAG) {
        set_value(r, option, attached);
        return;
    }
    if (option.field) {
        set(r, option, attached ? attached : "on");
        return;
    }
    if (length > 3 && !strncmp(name, "no-", 3)) option = find_name(r->sets, name + 3, length - 3);
    if (!option.field || option.field->kind != FIELD_FLAG || attached) unknown_option(r, length);
    set(r, option, "off");
}

static int is_name(const Reading *r, const char *word)
{
    return find_name(r->sets, word, strlen(word)).field || find_synonym(r->sets, r->argv[0], word);
}

/* -x, -xvalue, -x value, -xy, -xyvalue, -xy value; not -name: nobody means -n with the value
 * "ame" */
static void read_short(Reading *r)
{
    const char *letters = r->argv[r->at] + 1;
    const size_t length = strlen(letters);
    if (length > 1 && is_name(r, letters)) unknown_option(r, length);
    for (; *letters; letters++) {
        const Binding option = find_letter(r->sets, *letters);
        if (!option.field) unknown_option(r, length);
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
           || (!strcmp(argument, "-h") && !find_letter(sets, 'h').field);
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
            options_help(stdout, sets, text);
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
    for (int i = 0; i < options->given_count; i++)
        if (!strcmp(options->given[i], name)) return 1;
    return 0;
}

const char *options_first_given(const Options *options, const Field *fields)
{
    for (; fields->name; fields++)
        if (options_given(options, fields->name)) return fields->name;
    return NULL;
}

/* ---- Help ---- */

/* "  -b, --beam N" */
static void describe_option(const Field *field, const void *object, Buf *out)
{
    if (field->letter) buf_printf(out, "  -%c, ", field->letter);
    else buf_puts(out, "      ");
    int on = field->kind == FIELD_FLAG && *(const int *)((const char *)object + field->offset);
    buf_printf(out, "--%s%s", on ? "[no-]" : "", field->name);
    int optional = field->kind == FIELD_TEXT && field->choices;
    if (field->value)
        buf_printf(out, " %s%s%s", optional ? "[" : "", field->value, optional ? "]" : "");
    for (int i = 0; !field->value && field->kind == FIELD_CHOICE && field->choices[i]; i++)
        buf_printf(out, "%c%s", i ? '|' : ' ', field->choices[i]);
}

static int is_in_word(char c)
{
    return isalnum((unsigned char)c) || c == '-';
}

/* Whether the text holds this word, not only as a part of another. */
static int has_word(const char *text, const char *word)
{
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || !is_in_word(at[-1])) && !is_in_word(at[strlen(word)])) return 1;
    return 0;
}

/* "; one of additive, dot": the words that the option takes, unless the help explains all of
 * them. */
static void list_words(const Field *field, Buf *out)
{
    int explained = 0, count = 0;
    if (field->kind != FIELD_CHOICE || !field->value) return;
    for (; field->choices[count]; count++)
        explained += has_word(field->help, field->choices[count]);
    if (explained == count) return;
    for (int i = 0; i < count; i++)
        buf_printf(out, "%s%s", i ? ", " : "; one of ", field->choices[i]);
    if (field->automatic) buf_puts(out, ", auto");
}

/* "hypotheses kept at each step [1]" */
static void describe_value(const Field *field, const void *object, Buf *out)
{
    Buf value = { 0 };
    buf_puts(out, field->help);
    list_words(field, out);
    if (field->alias) buf_printf(out, "; also --%s", field->alias);
    buf_clear(&value);
    field_print(field, object, &value);
    int off = field->kind == FIELD_FLAG && !strcmp(value.text, "off");
    if (value.length && !off) buf_printf(out, " [%s]", value.text);
    buf_free(&value);
}

static void print_row(FILE *out, const char *option, const char *help)
{
    int column = fprintf(out, "%s", option);
    if (column < HELP_COLUMN - 1) fprintf(out, "%*s", HELP_COLUMN - column, "");
    else fprintf(out, "\n%*s", HELP_COLUMN, "");
    Buf lines = { 0 };
    wrap_words(help, HELP_COLUMN, HELP_COLUMN, PAGE, &lines);
    fprintf(out, "%s\n", lines.text);
    buf_free(&lines);
}

static void print_option(FILE *out, const Field *field, const void *object)
{
    Buf option = { 0 }, help = { 0 };
    describe_option(field, object, &option);
    describe_value(field, object, &help);
    make_printable(help.text);      /* a default may come from the environment */
    print_row(out, option.text, help.text);
    buf_free(&option);
    buf_free(&help);
}

static void print_indented(FILE *out, const char *heading, const char *lines)
{
    fprintf(out, "%s:\n", heading);
    for (; *lines; lines += *lines == '\n') {
        int length = (int)strcspn(lines, "\n");
        fprintf(out, "  %.*s\n", length, lines);
        lines += length;
    }
}

void options_help(FILE *out, const OptionSet *sets, const HelpText *text)
{
    print_indented(out, "Usage", text->usage);
    fprintf(out, "\n%s\n", text->about);
    for (; sets->fields; sets++) {
        for (const Field *field = sets->fields; field->name; field++) {
            if (field->group) fprintf(out, "\n%s:\n", field->group);
            print_option(out, field, sets->object);
        }
    }
    fputs("\nHelp:\n", out);
    print_row(out, "  -h, --help", "print this help");
    fputc('\n', out);
    print_indented(out, "Examples", text->examples);
}
