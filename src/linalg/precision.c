/* precision.c - the names, and which of them this program and CPU have. */
#include "linalg/precision.h"

#include "linalg/gemm.h"

#include <stddef.h>

#define TO_LEARN_WITH [PRECISION_FLOAT] = "float", [PRECISION_BF16] = "bf16"
const char *const precision_names[] = { TO_LEARN_WITH, [PRECISION_INT8] = "int8", NULL };
const char *const learning_precision_names[] = { TO_LEARN_WITH, NULL };

int precision_works(Precision precision)
{
    return precision == PRECISION_FLOAT || (gemm_is_fastest() && gemm_has(precision));
}

const char *precision_needs(Precision precision)
{
    return precision == PRECISION_INT8 ? "AVX512_VNNI" : "AVX512_BF16";
}
