/* test_control_group.c - made-up folders in the place of /proc and /sys: version 1 and 2, nested
 * groups, containers with and without a view of their own.
 */
#include "base/system/limits.h"
#include "scratch.h"

#include <math.h>

enum { FILES = 6 };

typedef struct {
    const char *name, *mounts, *groups;         /* /proc/self/mountinfo, /proc/self/cgroup */
    struct { const char *path, *text; } file[FILES];
    double memory, cores;                       /* expected */
} System;

#define UNIFIED(root, point) "30 23 0:26 " root " " point " rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"
#define MEMORY(root) "35 31 0:32 " root " /cg/memory rw,relatime - cgroup cgroup rw,memory\n"
#define CPU(root) "32 31 0:29 " root " /cg/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n"

#define EIGHT(text) text text text text text text text text
#define LONG EIGHT(EIGHT(EIGHT(EIGHT("0123456"))))

static const System systems[] = {
    { "no /proc", NULL, NULL, { { NULL, NULL } }, INFINITY, INFINITY },
    { "no groups", "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n", "0::/\n", { { NULL, NULL } },
      INFINITY, INFINITY },
    { "no limits", UNIFIED("/", "/cg"), "0::/a\n",
      { { "cg/a/memory.max", "max\n" }, { "cg/a/cpu.max", "max 100000\n" } }, INFINITY, INFINITY },
    { "a container that sees itself as the root", UNIFIED("/", "/cg"), "0::/\n",
      { { "cg/memory.max", "120000000\n" }, { "cg/cpu.max", "250000 100000\n" } }, 120000000, 2.5 },
    { "a service in a slice", UNIFIED("/", "/cg"), "0::/a.slice/b.service\n",
      { { "cg/a.slice/b.service/memory.max", "max\n" }, { "cg/a.slice/memory.max", "5000\n" },
        { "cg/a.slice/b.service/cpu.max", "150000 100000\n" },
        { "cg/a.slice/cpu.max", "400000 100000\n" } }, 5000, 1.5 },
    { "a job deeper than the limit of the root", UNIFIED("/", "/cg"), "0::/a/b/c\n",
      { { "cg/memory.max", "900\n" }, { "cg/a/b/c/memory.max", "1000\n" },
        { "cg/d/memory.max", "1\n" } }, 900, INFINITY },
    { "a part that is mounted", UNIFIED("/a", "/cg"), "0::/a/b\n",
      { { "cg/b/memory.max", "700\n" }, { "cg/a/b/memory.max", "1\n" } }, 700, INFINITY },
    { "a part with another group, whose name begins alike", UNIFIED("/a", "/cg"), "0::/ab\n",
      { { "cg/memory.max", "1\n" }, { "cg/b/memory.max", "1\n" } }, INFINITY, INFINITY },
    { "what is mounted from outside", UNIFIED("/..", "/cg"), "0::/\n",
      { { "cg/memory.max", "800\n" } }, 800, INFINITY },
    { "a process outside", UNIFIED("/", "/cg"), "0::/../b\n",
      { { "cg/memory.max", "1\n" }, { "b/memory.max", "1\n" } }, INFINITY, INFINITY },
    { "blanks and backslashes", UNIFIED("/a\\134x2d", "/c\\040g"), "0::/a\\x2d/b c\n",
      { { "c g/b c/memory.max", "300\n" } }, 300, INFINITY },
    { "version 1", CPU("/") MEMORY("/"), "4:memory:/m/n\n2:cpu,cpuacct:/c\n1:name=systemd:/m\n",
      { { "cg/memory/m/n/memory.limit_in_bytes", "9223372036854771712\n" },
        { "cg/memory/m/memory.limit_in_bytes", "125829120\n" },
        { "cg/memory/c/memory.limit_in_bytes", "1\n" },
        { "cg/cpu/c/cpu.cfs_quota_us", "50000\n" }, { "cg/cpu/c/cpu.cfs_period_us", "100000\n" } },
      125829120, 0.5 },
    { "version 1 without a quota", CPU("/"), "2:cpu,cpuacct:/\n",
      { { "cg/cpu/cpu.cfs_quota_us", "-1\n" }, { "cg/cpu/cpu.cfs_period_us", "100000\n" } },
      INFINITY, INFINITY },
    { "a container of version 1", MEMORY("/docker/1f") CPU("/docker/1f"),
      "4:memory:/docker/1f\n2:cpu,cpuacct:/docker/1f\n0::/\n",
      { { "cg/memory/memory.limit_in_bytes", "600\n" }, { "cg/cpu/cpu.cfs_quota_us", "300000\n" },
        { "cg/cpu/cpu.cfs_period_us", "100000\n" } }, 600, 3 },
    { "both versions", UNIFIED("/", "/cg/unified") MEMORY("/"), "4:memory:/a\n0::/b\n",
      { { "cg/memory/a/memory.limit_in_bytes", "400\n" }, { "cg/unified/b/cpu.max", "7 2\n" },
        { "cg/unified/a/cpu.max", "1 2\n" } }, 400, 3.5 },
    { "more than is read at a time", LONG "\n" LONG MEMORY("/") MEMORY("/"), "4:memory:/a\n",
      { { "cg/memory/a/memory.limit_in_bytes", "100\n" } }, 100, INFINITY },
    { "lines that say nothing", "\n35 31 - cgroup\n" MEMORY("/") " - cgroup2 cgroup2 rw\n",
      "\n4\n4:memory\n4:memory:/a\n", { { "cg/memory/a/memory.limit_in_bytes", "200\n" } },
      200, INFINITY },
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

static void the_lowest_limit_of_all_groups_above_should_be_found(void **state)
{
    for (int i = 0; i < SYSTEMS; i++) {
        const System *system = &systems[i];
        char folder[16];
        snprintf(folder, sizeof folder, "%d", i);
        put(*state, folder, "proc/self/mountinfo", system->mounts);
        put(*state, folder, "proc/self/cgroup", system->groups);
        for (int f = 0; f < FILES && system->file[f].path; f++)
            put(*state, folder, system->file[f].path, system->file[f].text);
        const GroupLimits found = control_group_limits(scratch_path(*state, folder));
        if (found.memory != system->memory || found.cores != system->cores)
            fail_msg("%s: %g bytes, %g cores", system->name, found.memory, found.cores);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(the_lowest_limit_of_all_groups_above_should_be_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
