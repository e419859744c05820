/* kernels.h - the table of kernels: a row for each instruction set that the program knows.
 *
 * gemm_float.c, gemm_bf16.c, gemm_int8.c and vector.c are compiled once for each instruction set in
 * which they differ; rows share what they have in common. The Makefile says which object is
 * compiled for which set, kernels.c which row has which kernels. All else is compiled for every CPU
 * of the architecture.
 *
 * The row is chosen before main, and stays: the last of the table that the CPU has, or the one that
 * the environment names in ATTN_CPU.
 */
#ifndef ATTN_LINALG_KERNELS_H
#define ATTN_LINALG_KERNELS_H

#include "base/error.h"
#include "linalg/gemm_kernel.h"
#include "linalg/vector_kernel.h"

/* What a file of kernels calls its table: NAME_avx2, where the Makefile says -DKERNELS=avx2. */
#define KERNELS_JOINED(name, set) name##_##set
#define KERNELS_NAMED(name, set)  KERNELS_JOINED(name, set)
#define OF_KERNELS(name)          KERNELS_NAMED(name, KERNELS)

/* UNROLL for (...) - leaves no loop, where the count is a constant. Only then do compilers make vectors of a loop around it,
 * and clang unrolls too late for that if it is given a count. */
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/* A row: the kernels of one instruction set. */
typedef struct {
    const char          *name;              /* as the program prints it, and ATTN_CPU names it */
    unsigned             needs;             /* of the CPU: its CpuSets (base/system/cpu.h), added up */
    int                  is_fastest;        /* in float: faster than OpenBLAS's on the same CPU */
    const char          *openblas;          /* what OpenBLAS calls its kernels for such CPUs; NULL:
                                             * it knows best */
    const Kernel        *of[PRECISIONS];    /* by Precision */
    const VectorKernels *vector;
} Kernels;

/* kernels_of_cpu - the row that was chosen.
 * kernels_row - a row that this CPU has, from 0 on; NULL: there are no more. */
const Kernels *kernels_of_cpu(void);
const Kernels *kernels_row(int i);

/* kernels_choose - the row of that name; NULL, "" : the last that the CPU has. Returns -1 where it
 * has none of that name, and chooses the last. Only tests call this, before they start threads. */
int kernels_choose(const char *name);

/* kernels_check - whether ATTN_CPU names a row that the CPU has; else -1 and a message. */
int kernels_check(Err *e);

#endif
