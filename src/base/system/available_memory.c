/* available_memory.c - limits, less what is in use already. Without /proc nothing is in use. */
#include "base/system/available_memory.h"

#include "base/system/control_group.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

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
