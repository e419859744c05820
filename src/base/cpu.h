/* cpu.h - whether this CPU has the instructions that the program was compiled to use. Without this
 * check the first missing one would end the program by SIGILL, without a message.
 *
 * cpu.c, and main.c which calls it before anything else, are compiled for any CPU of the
 * architecture; cpu_built_for.c is compiled like the rest and says which instructions that uses.
 * Only x86-64 is checked.
 */
#ifndef ATTN_BASE_CPU_H
#define ATTN_BASE_CPU_H

/* Sets of instructions, each with the macro that a compiler defines as 1 if it may use them. */
#define CPU_SETS(SET)                                                                              \
    SET(__SSE4_2__, "sse4.2") SET(__POPCNT__, "popcnt")                                            \
    SET(__AVX__, "avx") SET(__AVX2__, "avx2") SET(__FMA__, "fma") SET(__BMI2__, "bmi2")            \
    SET(__AVX512F__, "avx512f") SET(__AVX512BW__, "avx512bw") SET(__AVX512DQ__, "avx512dq")        \
    SET(__AVX512VL__, "avx512vl") SET(__AVX512CD__, "avx512cd") SET(__AVX512IFMA__, "avx512ifma")  \
    SET(__AVX512VBMI__, "avx512vbmi") SET(__AVX512VBMI2__, "avx512vbmi2")                          \
    SET(__AVX512VNNI__, "avx512vnni") SET(__AVX512BF16__, "avx512bf16")                            \
    SET(__AVX512BITALG__, "avx512bitalg") SET(__AVX512VPOPCNTDQ__, "avx512vpopcntdq")              \
    SET(__GFNI__, "gfni") SET(__VPCLMULQDQ__, "vpclmulqdq")

/* For each set, in this order: "1" if the program may use it. */
extern const char *const cpu_built_for[];

/* cpu_lacks - the name of the first set that the program may use and this CPU, or its system, does
 * not have; NULL: it has all. Calls nothing but the C library. */
const char *cpu_lacks(const char *const *built_for);

#endif
