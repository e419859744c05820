/* precision.c - the names, and which of them this program and CPU have. */
#include "linalg/precision.h"

#include "linalg/kernels.h"

#include <stddef.h>

#define TO_LEARN_WITH [PRECISION_FLOAT] = "float", [PRECISION_BF16] = "bf16"
const char *const precision_names[] = { TO_LEARN_WITH, [PRECISION_INT8] = "int8", NULL };
const char *const learning_precision_names[] = { TO_LEARN_WITH, NULL };

int precision_works(Precision precision)
{
    return precision == PRECISION_FLOAT || gemm_has(precision);
}

int precision_is_fast(Precision precision)
{
    return precision == PRECISION_FLOAT || kernels_of_cpu()->of[precision]->values > 1;
}
