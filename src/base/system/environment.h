/* environment.h - what a process can ask about where it runs: the time, its terminal, the launcher
 * that starts one program many times, and how much memory and CPU time it may use. */
#ifndef ATTN_BASE_ENVIRONMENT_H
#define ATTN_BASE_ENVIRONMENT_H

#include <stdio.h>

/* clock_seconds - seconds since some moment in the past, by a clock that never jumps. */
double clock_seconds(void);

/* ---- the terminal behind a stream: is there one, how wide, which colours ---- */

typedef enum { COLOURS_NONE, COLOURS_256 } Colours;

int     terminal_is(FILE *stream);
int     terminal_columns(FILE *stream);     /* 80 if unknown */

/* What a user asks for, and its words: auto, always, never. */
typedef enum { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } ColourWish;
extern const char *const colour_words[];

/* terminal_colours - with COLOUR_AUTO none where the stream is no terminal, where NO_COLOR is set
 * (https://no-color.org), or where neither TERM nor COLORTERM promises so many. */
Colours terminal_colours(FILE *stream, ColourWish wish);

/* ---- what the environment says of a launcher: mpirun, mpiexec, srun ----
 *
 *     OMPI_COMM_WORLD_SIZE     Open MPI
 *     PMI_SIZE                 MPICH, Intel MPI, and Slurm with PMI-1 and PMI-2
 *     SLURM_STEP_NUM_TASKS     srun; not set in a batch script itself
 *     PMIX_RANK                PMIx, where nothing says how many there are */

/* launcher_processes - how many processes were started together, at least as far as this one
 * knows; 0: no launcher. */
int launcher_processes(void);

/* ---- limits ---- */

typedef struct {
    double memory;      /* bytes; INFINITY: no limit */
    double cores;       /* seconds of all CPUs a second; INFINITY: no limit */
} GroupLimits;

/* control_group_limits - by Linux's control groups (cgroups(7), of either version): those of a
 * container, a service, a job of a batch system; the lowest of the process's own groups and of all
 * groups above these that it can see. root: a folder in whose /proc and /sys to look; "" for those of
 * the system. */
GroupLimits control_group_limits(const char *root);

/* available_memory - bytes, by the tightest of: the machine's physical memory, ulimit -v, ulimit
 * -d, and the limits of its control groups. *limit, unless NULL, is set to the name of that
 * one ("this machine", "ulimit -v"). */
double available_memory(const char **limit);

#endif
