/* main.c - the table of commands; help, version and the standard streams, which belong to no
 * command. */
#include "base/json.h"
#include "base/suggest.h"
#include "base/stray.h"
#include "base/version.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/signals.h"
#include "linalg/kernels.h"
#include "linalg/openblas.h"
#include "train/processes.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int  help_run(int argc, char **argv);
static void help_help(void);

static const Command command_help = {
    "help", "explain a command and its options", help_run, help_help
};

static const Command *const commands[] = {
    &command_train, &command_translate, &command_eval, &command_info, &command_help, NULL
};

static void print_overview(FILE *out)
{
    fputs("attn learns to translate from sentence pairs, and translates.\n\nUsage:\n", out);
    fputs("  attn COMMAND [ARGUMENT...]\n\nCommands:\n", out);
    for (int i = 0; commands[i]; i++)
        fprintf(out, "  %-11s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\nExamples:\n"
          "  attn train pairs.tsv                      # a source, a tab, a target per line\n"
          "  attn translate                            # type a sentence, read another\n"
          "  attn translate < article.en > article.fr  # a line in, a line out\n"
          "\nattn help COMMAND lists the options of a command,\n"
          "attn --version prints the version, and the kernels that this CPU takes;\n"
          "ATTN_CPU=NAME takes less, such as avx2: for tests and benchmarks.\n", out);
}

static const Command *find_command(const char *name)
{
    Suggestion n = { .word = name };
    for (int i = 0; commands[i]; i++) {
        if (!strcmp(commands[i]->name, name)) return commands[i];
        suggestion_offer(&n, commands[i]->name);
    }
    if (n.best) usage_error(NULL, "'%s' is not a command; did you mean '%s'?", name, n.best);
    usage_error(NULL, "'%s' is not a command", name);
}

static void help_help(void)
{
    print_overview(stdout);
}

static int asks_for_help(const char *argument)
{
    return !strcmp(argument, "--help") || !strcmp(argument, "-h");
}

static int help_run(int argc, char **argv)
{
    if (argc > 2) usage_error(NULL, "help takes one command, not %d", argc - 1);
    if (argc == 2 && !asks_for_help(argv[1])) find_command(argv[1])->help();
    else print_overview(stdout);
    return EXIT_OK;
}

static int print_version(void)
{
#ifdef __clang__
    const char *compiler = __VERSION__;
#else
    const char *compiler = "GCC " __VERSION__;
#endif
    const char *library = openblas_library();
    printf("attn %s\n%s\n", ATTN_VERSION, compiler);
    printf("%s kernels\n", kernels_of_cpu()->name);
    if (library) printf("%s, %s kernels\n", library, openblas_kernels());
    if (processes_library()) printf("%s\n", processes_library());
    return EXIT_OK;
}

/* A closed standard descriptor would become the first file that is opened, and messages would
 * land in it. Each one is opened in the wrong direction, so that using it is still an error. */
static void occupy_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0) open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static void check_environment(void)
{
    Err e;
    if (kernels_check(&e)) usage_error(NULL, "%s", e.text);
}

int main(int argc, char **argv)
{
    occupy_standard_descriptors();
    check_environment();
    signal(SIGXFSZ, SIG_IGN);           /* beyond `ulimit -f` a write fails like any other */
    openblas_setup_if_used(argv);
    json_setup();
    signals_setup();
    atexit(stray_remove_all);
    atexit(stdout_flush);
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) return print_version();
    if (asks_for_help(argv[1])) return help_run(argc - 1, argv + 1);
    return find_command(argv[1])->run(argc - 1, argv + 1);
}
