/* cmd.c - the table of commands, `attn help`, and what all commands share: failures, workers, the
 * end of stdout. */
#include "cmd/cmd.h"

#include "base/files/replace.h"
#include "base/mem.h"
#include "base/strings.h"
#include "linalg/kernels.h"
#include "linalg/openblas.h"
#include "linalg/precision.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const Command command_help;

const Command *const commands[] = {
    &command_train, &command_translate, &command_eval, &command_info, &command_convert,
    &command_help, NULL
};

static int asks_for_help(const char *argument)
{
    return !strcmp(argument, "--help") || !strcmp(argument, "-h");
}

static const Command *find(const char *name)
{
    Suggestion near = { .word = name };
    for (int i = 0; commands[i]; i++) {
        if (!strcmp(commands[i]->name, name)) return commands[i];
        suggestion_offer(&near, commands[i]->name);
    }
    suggestion_offer(&near, "--version");
    suggestion_offer(&near, "--help");
    if (near.best) usage_error(NULL, "'%s' is not a command; did you mean '%s'?", name, near.best);
    if (*name == '-')
        usage_error(NULL, "'%s' is not a command; options follow one, as in: attn translate --help",
                    name);
    if (*name && !access(name, F_OK))
        usage_error(NULL, "'%s' is a file, not a command; attn train learns from it, "
                          "attn translate translates it", name);
    usage_error(NULL, "'%s' is not a command", name);
}

static void print_help(const Command *command, int all)
{
    const Description d = command->describe();
    Buf out = { 0 };
    help_command(d.sets, command->name, d.text, all, &out);
    print_text(&out);
}

int commands_run(int argc, char **argv)
{
    const Command *command = asks_for_help(argv[0]) ? &command_help : find(argv[0]);
    for (int i = 1; command != &command_help && i < argc && strcmp(argv[i], "--"); i++)
        if (asks_for_help(argv[i])) {
            print_help(command, 0);
            return EXIT_OK;
        }
    return command->run(argc, argv);
}

void commands_overview(Buf *out)
{
    buf_puts(out, "attn learns to translate from sentence pairs, and translates.\n\nUsage:\n"
                  "  attn COMMAND [ARGUMENT...]\n\nCommands:\n");
    for (int i = 0; commands[i]; i++)
        buf_printf(out, "  %-11s %s\n", commands[i]->name, commands[i]->summary);
    buf_puts(out, "\nExamples:\n"
                  "  attn train pairs.tsv                      # a source, a tab, a target a line\n"
                  "  attn translate                            # type a sentence, read another\n"
                  "  attn translate < article.en > article.fr  # a line in, a line out\n"
                  "\nattn help COMMAND prints what a command does and its common options,\n"
                  "attn help COMMAND --all prints all options,\n"
                  "attn help COMMAND OPTION explains one,\n"
                  "attn --version prints the version, and the kernels that this CPU takes;\n"
                  "ATTN_CPU=NAME takes less, such as avx2: for tests and benchmarks.\n");
}

/* ---- attn help [COMMAND [OPTION]] ---- */

static const Field help_fields[] = {
    { .group = "Output", .name = "all", .letter = 'a', .kind = FIELD_FLAG, .common = 1,
      .help = "print all options of the command, in groups, and all that is said about it" },
    { .name = NULL }
};

static Description describe(void)
{
    static int all;
    static const OptionSet sets[] = { { help_fields, &all }, { NULL, NULL } };
    static const HelpText text = {
        .usage = "attn help [--all] [COMMAND [OPTION]]",
        .about = "Prints the commands; what a command does and its common options; all of its\n"
                 "options; or one of them. The manual pages say the same: man attn-train.",
        .examples = "attn help train\n"
                    "attn help train --all\n"
                    "attn help train dropout\n"
                    "attn help translate --beam",
        .operand = "COMMAND",
    };
    return (Description){ sets, &text };
}

/* The option of that name, with dashes or without, or of that letter. */
static void print_option(const Command *command, const char *name)
{
    const Description d = command->describe();
    const char *bare = name + strspn(name, "-");
    Option option = options_find(d.sets, bare, strcspn(bare, "="));
    if (!option.field && !strncmp(bare, "no-", 3))
        option = options_find(d.sets, bare + 3, strlen(bare + 3));
    if (!option.field && *bare && !bare[1]) option = options_find_letter(d.sets, *bare);
    if (!option.field) unknown_option(d.sets, command->name, name);
    Buf out = { 0 };
    help_option(command->name, option, &out);
    print_text(&out);
}

/* What follows a command is an option of that command, whose name may have dashes. */
static int run(int argc, char **argv)
{
    const char *name = NULL, *option = NULL;
    int all = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--all") || !strcmp(argv[i], "-a")) all = 1;
        else if (asks_for_help(argv[i])) continue;
        else if (!name) name = argv[i];
        else if (!option) option = argv[i];
        else usage_error(NULL, "help explains one option at a time: '%s' is one too many", argv[i]);
    }
    Buf overview = { 0 };
    if (!name) commands_overview(&overview);
    if (!name) print_text(&overview);
    else if (option) print_option(find(name), option);
    else print_help(find(name), all);
    return EXIT_OK;
}

static const Command command_help = {
    "help", "explain a command and its options", run, describe
};

/* ---- What all of them share ---- */

int fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_print("error", format, args);
    va_end(args);
    return EXIT_FAILED;
}

void print_text(Buf *text)
{
    fwrite(text->text, 1, text->length, stdout);
    buf_free(text);
}

void print_json(const cJSON *value, int indented)
{
    SCOPED(xfree_at) char *text = json_text(value, indented);
    puts(text);
}

Pool *start_workers(int threads)
{
    Pool *pool = pool_new(threads);
    openblas_reserve(pool_workers(pool));
    return pool;
}

void check_precision(const char *command, int precision)
{
    if (precision != FIELD_AUTO && !precision_works((Precision)precision))
        usage_error(command, "--precision %s: the %s kernels have no such products; choose "
                             "--precision float", precision_names[precision],
                             kernels_of_cpu()->name);
}

void stdout_flush(void)
{
    if (!ferror(stdout)) errno = 0;     /* else errno is that of the write that failed */
    if (!fflush(stdout) && !ferror(stdout)) return;
    if (errno != EPIPE)
        fail("cannot write standard output: %s", errno ? strerror(errno) : "a write failed");
    stray_remove_all();
    _exit(EXIT_FAILED);   /* not exit: this is also what exit calls at the end */
}
