/* cpu.h - the sets of instructions that this CPU has beyond those of every CPU of its architecture,
 * and that its system lets programs use.
 */
#ifndef ATTN_BASE_CPU_H
#define ATTN_BASE_CPU_H

/* CPU_AVX2 with FMA; CPU_AVX512 with all of F, BW, DQ and VL; CPU_AMX with its tiles, INT8 and BF16;
 * of x86-64. CPU_DOTPROD, CPU_BF16 and CPU_I8MM of ARM64. */
typedef enum {
    CPU_AVX2 = 1, CPU_AVX_VNNI = 2, CPU_AVX512 = 4, CPU_AVX512_VNNI = 8, CPU_AVX512_BF16 = 16,
    CPU_DOTPROD = 32, CPU_BF16 = 64, CPU_I8MM = 128, CPU_AMX = 256
} CpuSet;

/* cpu_sets - those of them that may be used, added up. Linux is asked for the registers of AMX, which
 * all threads of the process may use then.
 * cpu_is_amd - whether AMD made it: a set that is fast on some CPUs is slow on others. */
unsigned cpu_sets(void);
int      cpu_is_amd(void);

#endif
