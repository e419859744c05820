/* memory.h - how much memory this process may still ask for. */
#ifndef ATTN_BASE_MEMORY_H
#define ATTN_BASE_MEMORY_H

/* memory_available - bytes, by the tightest of: the machine's physical memory, ulimit -v, ulimit -d, and the limit of a
 * container's control group. *limit names that one ("this machine", "ulimit -v"), if it is not NULL. */
double memory_available(const char **limit);

#endif
