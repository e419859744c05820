/* matmul.c - the choice between our kernels and OpenBLAS. */
#include "linalg/matmul.h"

#include "linalg/openblas.h"

void matmul(Precision precision, Result r, Operand a, Operand b, int m, int k, int n)
{
    if (gemm_multiplies(precision)) gemm(precision, r, a, b, m, k, n);
    else openblas_multiply(r, a, b, m, k, n);
}
