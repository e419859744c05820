/* launcher.c - see launcher.h. */
#include "base/system/launcher.h"

#include <stddef.h>
#include <stdlib.h>

static const struct { const char *size, *rank; } variables[] = {
    { "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK" },
    { "PMI_SIZE", "PMI_RANK" },
    { "SLURM_STEP_NUM_TASKS", "SLURM_PROCID" },
};
enum { LAUNCHERS = sizeof variables / sizeof *variables };

/* The number in this variable; -1: there is none. */
static int number_in(const char *name)
{
    const char *text = getenv(name);
    char *end;
    const long number = text ? strtol(text, &end, 10) : -1;
    return text && end > text && number >= 0 && number < 1 << 20 ? (int)number : -1;
}

/* The launcher that started this process, or LAUNCHERS. The first that is named starts processes;
 * mpirun inside of a Slurm job is one of them, and not srun. */
static int find_launcher(void)
{
    int found = 0;
    while (found < LAUNCHERS && number_in(variables[found].size) < 1)
        found++;
    return found;
}

int launcher_rank(void)
{
    const int found = find_launcher();
    const int rank = number_in(found < LAUNCHERS ? variables[found].rank : "PMIX_RANK");
    return rank < 0 ? 0 : rank;
}

int launcher_processes(void)
{
    const int found = find_launcher();
    return found < LAUNCHERS ? number_in(variables[found].size) : number_in("PMIX_RANK") + 1;
}
