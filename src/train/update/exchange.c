/* exchange.c - the names of what processes exchange (train/update/processes.h). */
#include "train/update/processes.h"

const char *const exchange_names[] = { "float", "bf16", NULL };
