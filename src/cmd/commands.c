/* commands.c - the table of commands, the overview, and `attn help`. */
#include "cmd/commands.h"

#include "base/suggest.h"
#include "cmd/help.h"
#include "cmd/synonyms.h"

#include <string.h>
#include <unistd.h>

static const Command command_help;

const Command *const commands[] = {
    &command_train, &command_translate, &command_eval, &command_info, &command_convert,
    &command_help, NULL
};

void commands_overview(FILE *out)
{
    fputs("attn learns to translate from sentence pairs, and translates.\n\nUsage:\n", out);
    fputs("  attn COMMAND [ARGUMENT...]\n\nCommands:\n", out);
    for (int i = 0; commands[i]; i++)
        fprintf(out, "  %-11s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\nExamples:\n"
          "  attn train pairs.tsv                      # a source, a tab, a target per line\n"
          "  attn translate                            # type a sentence, read another\n"
          "  attn translate < article.en > article.fr  # a line in, a line out\n"
          "\nattn help COMMAND prints what a command does and its common options,\n"
          "attn help COMMAND --all prints all options,\n"
          "attn help COMMAND OPTION explains one,\n"
          "attn --version prints the version, and the kernels that this CPU takes;\n"
          "ATTN_CPU=NAME takes less, such as avx2: for tests and benchmarks.\n", out);
}

/* What was meant by something that is no command, or NULL. */
static const char *nearest_command(const char *name)
{
    Suggestion n = { .word = name };
    for (const Synonym *row = command_synonyms; row->theirs; row++)
        if (synonym_fits(row, NULL, name)) return row->ours;
    for (int i = 0; commands[i]; i++) suggestion_offer(&n, commands[i]->name);
    suggestion_offer(&n, "--version");
    suggestion_offer(&n, "--help");
    return n.best;
}

_Noreturn static void refuse_command(const char *name)
{
    const char *near = nearest_command(name);
    if (near) usage_error(NULL, "'%s' is not a command; did you mean '%s'?", name, near);
    if (*name == '-')
        usage_error(NULL, "'%s' is not a command; options follow one, as in: attn translate --help",
                    name);
    if (*name && !access(name, F_OK))
        usage_error(NULL, "'%s' is a file, not a command; attn train learns from it, "
                          "attn translate translates it", name);
    usage_error(NULL, "'%s' is not a command", name);
}

/* The command, or NULL. */
static const Command *command_of(const char *name)
{
    for (int i = 0; commands[i]; i++)
        if (!strcmp(commands[i]->name, name)) return commands[i];
    return NULL;
}

const Command *commands_find(const char *name)
{
    const Command *command = command_of(name);
    if (!command) refuse_command(name);
    return command;
}

/* An option, and whether a command has it. */
typedef struct { const char *name; int is_found; } Wanted;

static void look_for(const OptionSet *sets, const HelpText *text, void *context)
{
    Wanted *wanted = context;
    (void)text;
    wanted->is_found = options_find(sets, wanted->name, strlen(wanted->name)).field != NULL;
}

int commands_with_option(const char *name, Buf *out)
{
    int count = 0;
    for (int i = 0; commands[i]; i++) {
        Wanted wanted = { .name = name };
        commands[i]->describe(look_for, &wanted);
        if (wanted.is_found)
            buf_printf(out, "%sattn %s", count++ ? " and " : "", commands[i]->name);
    }
    return count;
}

/* ---- attn help [COMMAND [OPTION]] ---- */

typedef struct {
    const char *command, *option;       /* NULL: not given */
    int         all;
} Request;

static const Field request_fields[] = {
    { .group = "Output", .name = "all", .letter = 'a', .kind = FIELD_FLAG,
      .offset = offsetof(Request, all), .common = 1,
      .help = "print all options of the command, in groups, and all that is said about it",
      .reason = "The short help leaves out what few people need." },
    { .name = NULL }
};

static const HelpText help_text = {
    .usage = "attn help [--all] [COMMAND [OPTION]]",
    .about = "Prints the commands; what a command does and its common options; all of its\n"
             "options; or one of them: what it does and why, what it accepts, its default,\n"
             "and what it goes with. The manual pages say the same: man attn-train.",
    .examples = "attn help train\n"
                "attn help train --all\n"
                "attn help train dropout\n"
                "attn help translate --beam",
    .operand = "COMMAND",
};

static void describe(DescriptionReader *read, void *context)
{
    Request request = { 0 };
    const OptionSet sets[] = { { request_fields, &request }, { NULL, NULL } };
    read(sets, &help_text, context);
}

/* The option of that name, with dashes or without, or of that letter. */
static Option find_option(const OptionSet *sets, const char *command, const char *name)
{
    const char *bare = name + strspn(name, "-");
    Option option = options_find(sets, bare, strcspn(bare, "="));
    if (!option.field && !strncmp(bare, "no-", 3))
        option = options_find(sets, bare + 3, strlen(bare + 3));
    if (!option.field && *bare && !bare[1]) option = options_find_letter(sets, *bare);
    if (!option.field) unknown_option(sets, command, name);
    return option;
}

static void print_command(const OptionSet *sets, const HelpText *text, void *context)
{
    const Request *request = context;
    if (!request->option) {
        help_print(stdout, sets, request->command, text,
                   request->all ? HELP_ALL : HELP_COMMON);
        return;
    }
    help_print_option(stdout, sets, request->command,
                      find_option(sets, request->command, request->option));
}

static int is_one_of(const char *argument, const char *one, const char *other)
{
    return !strcmp(argument, one) || !strcmp(argument, other);
}

/* What follows a command is an option of that command, whose name may have dashes. */
static void read_argument(Request *request, const char *argument)
{
    if (is_one_of(argument, "--all", "-a")) request->all = 1;
    else if (is_one_of(argument, "--help", "-h")) return;
    else if (!request->command) request->command = argument;
    else if (!request->option) request->option = argument;
    else usage_error(NULL, "help explains one option at a time: '%s' is one too many", argument);
}

/* attn help dropout: the command is missing. */
static void check_command(const char *name)
{
    const char *bare = name + strspn(name, "-");
    Buf owners = { 0 };
    if (!command_of(name) && commands_with_option(bare, &owners))
        usage_error(NULL, "'%s' is an option of %s: write attn help COMMAND %s", name,
                    owners.text, bare);
}

static int run(int argc, char **argv)
{
    Request request = { 0 };
    for (int i = 1; i < argc; i++) read_argument(&request, argv[i]);
    if (request.command) check_command(request.command);
    if (request.command) commands_find(request.command)->describe(print_command, &request);
    else commands_overview(stdout);
    return EXIT_OK;
}

static const Command command_help = {
    "help", "explain a command and its options", run, describe
};
