/* control_group.h - the limits that Linux's control groups (cgroups(7), of either version) set to
 * this process: those of a container, a service, a job of a batch system.
 */
#ifndef ATTN_BASE_CONTROL_GROUP_H
#define ATTN_BASE_CONTROL_GROUP_H

typedef struct {
    double memory;      /* bytes; INFINITY: no limit */
    double cores;       /* seconds of all CPUs a second; INFINITY: no limit */
} GroupLimits;

/* control_group_limits - the lowest of the process's own groups and of all groups above these that
 * it can see. root: a folder in whose /proc and /sys to look; "" for those of the system. */
GroupLimits control_group_limits(const char *root);

#endif
