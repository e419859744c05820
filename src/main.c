/* main.c - what belongs to no command: version, the standard streams, dispatch. */
#include "base/files/replace.h"
#include "base/json.h"
#include "base/version.h"
#include "cmd/cmd.h"
#include "cmd/signals.h"
#include "linalg/kernels.h"
#include "linalg/openblas.h"
#include "train/update/processes.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int print_version(void)
{
#ifdef __clang__
    const char *compiler = __VERSION__;
#else
    const char *compiler = "GCC " __VERSION__;
#endif
    printf("attn %s\n%s\n", ATTN_VERSION, compiler);
    printf("%s kernels\n", kernels_of_cpu()->name);
    const char *library = openblas_library();
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
    json_setup();
    signals_setup();
    atexit(stray_remove_all);
    atexit(stdout_flush);
    if (argc < 2) {
        Buf overview = { 0 };
        commands_overview(&overview);
        fputs(overview.text, stderr);
        buf_free(&overview);
        return EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) return print_version();
    return commands_run(argc - 1, argv + 1);
}
