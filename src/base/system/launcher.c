/* launcher.c - see launcher.h. */
#include "base/system/launcher.h"

#include <stddef.h>
#include <stdlib.h>

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
