/* limits.h - how much memory and CPU time this process may use, by the machine, ulimit, and Linux's
 * control groups (cgroups(7), of either version): those of a container, a service, a job of a batch
 * system. */
#ifndef ATTN_BASE_LIMITS_H
#define ATTN_BASE_LIMITS_H

typedef struct {
    double memory;      /* bytes; INFINITY: no limit */
    double cores;       /* seconds of all CPUs a second; INFINITY: no limit */
} GroupLimits;

/* control_group_limits - the lowest of the process's own groups and of all groups above these that
 * it can see. root: a folder in whose /proc and /sys to look; "" for those of the system. */
GroupLimits control_group_limits(const char *root);

/* available_memory - bytes, by the tightest of: the machine's physical memory, ulimit -v, ulimit
 * -d, and the limits of its control groups. *limit, unless NULL, is set to the name of that
 * one ("this machine", "ulimit -v"). */
double available_memory(const char **limit);

#endif
