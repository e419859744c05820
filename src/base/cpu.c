/* cpu.c - set by set; the compiler's function takes names as literals only. */
#include "base/cpu.h"

#include <stddef.h>
#include <string.h>

#ifdef __x86_64__
#define CHECK(macro, name) \
    if (!strcmp(*built_for++, "1") && !__builtin_cpu_supports(name)) return name;

const char *cpu_lacks(const char *const *built_for)
{
    __builtin_cpu_init();
    CPU_SETS(CHECK)
    return NULL;
}
#else
const char *cpu_lacks(const char *const *built_for)
{
    (void)built_for;
    return NULL;
}
#endif
