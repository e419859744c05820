/* openblas_load.h - the functions of OpenBLAS that are used. The library is not linked but loaded
 * when the first of them is asked for, so that it starts nothing in a program that does without: at
 * its start it reads its environment, and makes a thread a core unless told otherwise.
 */
#ifndef ATTN_LINALG_OPENBLAS_LOAD_H
#define ATTN_LINALG_OPENBLAS_LOAD_H

#include "base/real.h"

#include <cblas.h>

#ifdef REAL_DOUBLE
#define cblas_gemm cblas_dgemm
#else
#define cblas_gemm cblas_sgemm
#endif

typedef struct {
    __typeof__(&cblas_gemm)            gemm;
    __typeof__(&openblas_get_config)   get_config;
    __typeof__(&openblas_get_corename) get_corename;
    /* Internal, in none of its headers: a buffer that is given back stays mapped for the next
     * product. NULL: this build of the library hides them. */
    void *(*memory_alloc)(int position);
    void  (*memory_free)(void *buffer);
} OpenBlas;

/* openblas_load - loads it at the first call, with kernels that suit this CPU and with one thread of
 * its own for each of ours. Any thread may call it at any time. Ends the program with a message where
 * the library is missing. */
const OpenBlas *openblas_load(void);

#endif
