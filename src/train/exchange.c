/* exchange.c - the names of what processes exchange (train/processes.h). */
#include "train/processes.h"

const char *const exchange_names[] = { "float", "bf16", NULL };
