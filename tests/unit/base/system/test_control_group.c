/* test_control_group.c - made-up folders in the place of /proc and /sys: version 1 and 2, nested
 * groups, containers with and without a view of their own.
 */
#include "base/system/environment.h"
#include "scratch.h"

#include <math.h>

enum { FILES = 6 };

typedef struct {
    const char *name, *groups;                  /* /proc/self/cgroup */
    struct { const char *path, *text; } file[FILES];    /* below /sys/fs/cgroup */
    double memory, cores;                       /* expected */
} System;

static const System systems[] = {
    { "no /proc", NULL, { { NULL, NULL } }, INFINITY, INFINITY },
    { "no groups", "0::/\n", { { NULL, NULL } }, INFINITY, INFINITY },
    { "no limits", "0::/a\n", { { "a/memory.max", "max\n" }, { "a/cpu.max", "max 100000\n" } },
      INFINITY, INFINITY },
    { "a container that sees itself as the root", "0::/\n",
      { { "memory.max", "120000000\n" }, { "cpu.max", "250000 100000\n" } }, 120000000, 2.5 },
    { "a service in a slice", "0::/a.slice/b c.service\n",
      { { "a.slice/b c.service/memory.max", "max\n" }, { "a.slice/memory.max", "5000\n" },
        { "a.slice/b c.service/cpu.max", "150000 100000\n" },
        { "a.slice/cpu.max", "400000 100000\n" } }, 5000, 1.5 },
    { "a job deeper than the limit of the root", "0::/a/b/c\n",
      { { "memory.max", "900\n" }, { "a/b/c/memory.max", "1000\n" }, { "d/memory.max", "1\n" } },
      900, INFINITY },
    { "a process outside", "0::/../b\n",
      { { "memory.max", "800\n" }, { "../b/memory.max", "1\n" } }, 800, INFINITY },
    { "version 1", "4:memory:/m/n\n2:cpu,cpuacct:/c\n1:name=systemd:/m\n",
      { { "memory/m/n/memory.limit_in_bytes", "9223372036854771712\n" },
        { "memory/m/memory.limit_in_bytes", "125829120\n" },
        { "memory/c/memory.limit_in_bytes", "1\n" },
        { "cpu/c/cpu.cfs_quota_us", "50000\n" }, { "cpu/c/cpu.cfs_period_us", "100000\n" } },
      125829120, 0.5 },
    { "version 1 without a quota", "2:cpu,cpuacct:/\n",
      { { "cpu/cpu.cfs_quota_us", "-1\n" }, { "cpu/cpu.cfs_period_us", "100000\n" } },
      INFINITY, INFINITY },
    { "a container of version 1", "4:memory:/docker/1f\n2:cpuacct,cpu:/docker/1f\n0::/\n",
      { { "memory/memory.limit_in_bytes", "600\n" }, { "cpu/cpu.cfs_quota_us", "300000\n" },
        { "cpu/cpu.cfs_period_us", "100000\n" } }, 600, 3 },
    { "lines that say nothing", "\n4\n4:memory\n4:memory:/a\n",
      { { "memory/a/memory.limit_in_bytes", "200\n" } }, 200, INFINITY },
};
enum { SYSTEMS = sizeof systems / sizeof *systems };

/* A file in folders, which are made. */
static void put(Scratch *s, const char *system, const char *name, const char *text)
{
    char path[256];
    if (!text) return;
    snprintf(path, sizeof path, "%s/%s", system, name);
    for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(scratch_path(s, path), 0777);
        *slash = '/';
    }
    scratch_puts(s, path, text);
}

TEST_IN_SCRATCH(the_lowest_limit_of_all_groups_above_should_be_found)
{
    for (int i = 0; i < SYSTEMS; i++) {
        const System *system = &systems[i];
        char folder[16];
        snprintf(folder, sizeof folder, "%d", i);
        put(*state, folder, "proc/self/cgroup", system->groups);
        for (int f = 0; f < FILES && system->file[f].path; f++) {
            char path[128];
            snprintf(path, sizeof path, "sys/fs/cgroup/%s", system->file[f].path);
            put(*state, folder, path, system->file[f].text);
        }
        const GroupLimits found = control_group_limits(scratch_path(*state, folder));
        if (found.memory != system->memory || found.cores != system->cores)
            fail_msg("%s: %g bytes, %g cores", system->name, found.memory, found.cores);
    }
}

int main(void) { return run_unit_tests(); }
