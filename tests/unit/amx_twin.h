/* amx_twin.h - the instructions of AMX as functions over an array, so that tests run its kernels on
 * a CPU without it. The Makefile compiles these kernels once more with this header before their
 * first line, for a CPU that has AVX512-BF16. So no instruction of AMX is left in them.
 *
 * Each function is the operation of Intel's manual (Software Developer's Manual, volume 2), and
 * what the CPU refuses fails the test: a register that is not configured, one of more than 16 rows
 * or 64 bytes, sizes that don't fit each other. So does what the sanitizers see in memory. */
#ifndef ATTN_TESTS_AMX_TWIN_H
#define ATTN_TESTS_AMX_TWIN_H

#include <immintrin.h>
#include <stddef.h>

void amx_twin_loadconfig(const void *registers);
void amx_twin_release(void);
void amx_twin_zero(int to);
void amx_twin_loadd(int to, const void *rows, ptrdiff_t stride);
void amx_twin_stored(int from, void *rows, ptrdiff_t stride);
void amx_twin_dpbf16ps(int to, int a, int b);
void amx_twin_dpbusd(int to, int a, int b);
void amx_twin_dpbssd(int to, int a, int b);

/* Whether this thread has given all registers up. */
int amx_twin_is_released(void);

#undef _tile_loadd
#undef _tile_stored
#undef _tile_zero
#undef _tile_dpbf16ps
#undef _tile_dpbusd
#undef _tile_dpbssd
#define _tile_loadconfig amx_twin_loadconfig
#define _tile_release    amx_twin_release
#define _tile_zero       amx_twin_zero
#define _tile_loadd      amx_twin_loadd
#define _tile_stored     amx_twin_stored
#define _tile_dpbf16ps   amx_twin_dpbf16ps
#define _tile_dpbusd     amx_twin_dpbusd
#define _tile_dpbssd     amx_twin_dpbssd

#define __AMX_TILE__ 1
#define __AMX_BF16__ 1
#define __AMX_INT8__ 1

#endif
