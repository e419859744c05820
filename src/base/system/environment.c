/* environment.c - asks the kernel and the environment. */
#include "base/system/environment.h"

#include "base/error.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the terminal ---- */

int terminal_is(FILE *stream)
{
    return isatty(fileno(stream));
}

int terminal_columns(FILE *stream)
{
    struct winsize size;
    return !ioctl(fileno(stream), TIOCGWINSZ, &size) && size.ws_col > 0 ? size.ws_col : 80;
}

static int has(const char *name, const char *word)
{
    const char *value = getenv(name);
    return value && strstr(value, word);
}

const char *const colour_words[] = { "auto", "always", "never", NULL };

Colours terminal_colours(FILE *stream, ColourWish wish)
{
    const char *refused = getenv("NO_COLOR");
    const int is_fit = terminal_is(stream) && !(refused && *refused)
                       && (has("TERM", "256color") || has("COLORTERM", ""));
    return wish == COLOUR_ALWAYS || (wish == COLOUR_AUTO && is_fit) ? COLOURS_256 : COLOURS_NONE;
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

/* ---- control groups: Linux mounts those of version 2 at /sys/fs/cgroup, the controllers of version 1
 * in it, each by its name; /proc/self/cgroup says where in each of them the process is ---- */

enum { PATH = 4096 };

/* A failure for want of memory may hide a limit. */
static FILE *open_text(const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file && errno == ENOMEM) die("out of memory");
    return file;
}

/* The numbers at the start of a group's file, at most two; returns how many. "max" is none. */
static int read_numbers(const char *group, const char *name, double number[2])
{
    char path[2 * PATH];
    snprintf(path, sizeof path, "%s/%s", group, name);
    FILE *file = open_text(path);
    const int count = file ? fscanf(file, "%lf %lf", &number[0], &number[1]) : 0;
    if (file) fclose(file);
    return count > 0 ? count : 0;
}

/* The limits of one group. A quota of -1 is none. */
static void lower(GroupLimits *limits, const char *group)
{
    double memory[2], cpu[2], period[2];
    if (read_numbers(group, "memory.max", memory)
        || read_numbers(group, "memory.limit_in_bytes", memory))
        limits->memory = fmin(limits->memory, memory[0]);
    int is_there = read_numbers(group, "cpu.max", cpu) == 2;
    if (!is_there && read_numbers(group, "cpu.cfs_quota_us", cpu)) {
        is_there = read_numbers(group, "cpu.cfs_period_us", period) > 0;
        cpu[1] = period[0];
    }
    if (is_there && cpu[0] > 0 && cpu[1] > 0) limits->cores = fmin(limits->cores, cpu[0] / cpu[1]);
}

/* The limits of a group and of all above it. In a container the group's name may be one of the
 * machine outside, and what is mounted the group itself. */
static void lower_all(GroupLimits *limits, const char *root, const char *controller,
                      const char *group)
{
    char folder[PATH];
    const int top = snprintf(folder, sizeof folder, "%s/sys/fs/cgroup%s", root, controller);
    if (strncmp(group, "/..", 3))
        snprintf(folder + top, sizeof folder - (size_t)top, "%s", group);
    for (char *end = folder + strlen(folder); end && end >= folder + top;
         end = strrchr(folder, '/')) {
        *end = '\0';
        lower(limits, folder);
    }
}

/* Lines are ID:CONTROLLERS:GROUP; of version 2 there are no controllers. */
GroupLimits control_group_limits(const char *root)
{
    GroupLimits limits = { INFINITY, INFINITY };
    char line[PATH], controllers[256], group[PATH];
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *file = open_text(line);
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "%*d:%*[:]%4095[^\n]", group) == 1) lower_all(&limits, root, "", group);
        else if (sscanf(line, "%*d:%255[^:]:%4095[^\n]", controllers, group) == 2) {
            char *rest = controllers;
            for (const char *name; (name = strsep(&rest, ","));) {
                if (!strcmp(name, "memory")) lower_all(&limits, root, "/memory", group);
                if (!strcmp(name, "cpu")) lower_all(&limits, root, "/cpu", group);
            }
        }
    }
    if (file) fclose(file);
    return limits;
}

/* ---- memory: limits, less what is in use already. Without /proc nothing is in use ---- */

/* In pages: all that is mapped, what is resident, what may be written (proc(5), statm). */
typedef struct { double mapped, resident, data; } Usage;

static Usage usage_now(void)
{
    Usage u = { 0 };
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return u;
    if (fscanf(file, "%lf %lf %*f %*f %*f %lf", &u.mapped, &u.resident, &u.data) != 3)
        u = (Usage){ 0 };
    fclose(file);
    return u;
}

static double resource_limit(int resource)
{
    struct rlimit r;
    return getrlimit(resource, &r) || r.rlim_cur == RLIM_INFINITY ? INFINITY : (double)r.rlim_cur;
}

double available_memory(const char **limit)
{
    const double page = (double)sysconf(_SC_PAGESIZE);
    const Usage u = usage_now();
    const struct { double bytes, pages; const char *name; } limits[] = {
        { page * (double)sysconf(_SC_PHYS_PAGES), u.resident, "this machine" },
        { control_group_limits("").memory, u.resident, "this control group" },
        { resource_limit(RLIMIT_AS), u.mapped, "ulimit -v" },
        { resource_limit(RLIMIT_DATA), u.data, "ulimit -d" },
    };
    double least = INFINITY;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const double left = fmax(limits[i].bytes - limits[i].pages * page, 0);
        if (left >= least) continue;
        least = left;
        if (limit) *limit = limits[i].name;
    }
    return least;
}
