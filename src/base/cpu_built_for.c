/* cpu_built_for.c - what the compiler's macros expand to: "1", or their own names where they are
 * not defined. */
#include "base/cpu.h"

#define TEXT(token)      #token
#define EXPANDED(macro)  TEXT(macro)
#define ROW(macro, name) EXPANDED(macro),

const char *const cpu_built_for[] = { CPU_SETS(ROW) };
