/* environment.c - asks the kernel and the environment. */
#include "base/system/environment.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the terminal ---- */

enum { USUAL_COLUMNS = 80 };

int terminal_is(FILE *stream)
{
    return isatty(fileno(stream));
}

int terminal_columns(FILE *stream)
{
    struct winsize size;
    if (!ioctl(fileno(stream), TIOCGWINSZ, &size) && size.ws_col > 0) return size.ws_col;
    return USUAL_COLUMNS;
}

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

const char *const colour_words[] = { "auto", "always", "never", NULL };

Colours terminal_colours(FILE *stream, ColourWish wish)
{
    const char *depth = environment("COLORTERM");
    const int is_true = !strcmp(depth, "truecolor") || !strcmp(depth, "24bit");
    const int has_any = is_true || strstr(environment("TERM"), "256color");
    const int is_fit = terminal_is(stream) && !*environment("NO_COLOR") && has_any;
    if (wish == COLOUR_NEVER || (wish == COLOUR_AUTO && !is_fit)) return COLOURS_NONE;
    return is_true ? COLOURS_TRUE : COLOURS_256;
}

/* ---- the launcher ---- */

/* The number in this variable; -1: there is none. */
static int number_in(const char *name)
{
    const char *text = getenv(name);
    char *end;
    const long number = text ? strtol(text, &end, 10) : -1;
    return text && end > text && number >= 0 && number < 1 << 20 ? (int)number : -1;
}

/* The first that is named starts processes; mpirun inside of a Slurm job is one of them, and not
 * srun. */
int launcher_processes(void)
{
    static const char *const sizes[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                         "SLURM_STEP_NUM_TASKS", NULL };
    for (const char *const *size = sizes; *size; size++)
        if (number_in(*size) >= 1) return number_in(*size);
    return number_in("PMIX_RANK") + 1;
}
