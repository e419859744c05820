/* available_memory.h - how much memory this process may still ask for. */
#ifndef ATTN_BASE_AVAILABLE_MEMORY_H
#define ATTN_BASE_AVAILABLE_MEMORY_H

/* available_memory - bytes, by the tightest of: the machine's physical memory, ulimit -v, ulimit
 * -d, and the limits of its control groups. *limit, unless NULL, is set to the name of that
 * one ("this machine", "ulimit -v"). */
double available_memory(const char **limit);

#endif
