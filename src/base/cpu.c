/* cpu.c - set by set, from what the CPU says on x86-64 and from what Linux says on ARM64. */
#include "base/cpu.h"

#if defined __x86_64__
#include <cpuid.h>

/* Compilers know no name of AVX-VNNI for what follows. Its registers are those of AVX2. */
static int has_avx_vnni(void)
{
    unsigned a, b, c, d;
    return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &a, &b, &c, &d)
        && (a >> 4 & 1);
}

unsigned cpu_sets(void)
{
    unsigned sets = 0;
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets |= CPU_AVX2;
    if (has_avx_vnni()) sets |= CPU_AVX_VNNI;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        sets |= CPU_AVX512;
    if (__builtin_cpu_supports("avx512vnni")) sets |= CPU_AVX512_VNNI;
    if (__builtin_cpu_supports("avx512bf16")) sets |= CPU_AVX512_BF16;
    return sets;
}

int cpu_is_amd(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_is("amd") != 0;
}

#elif defined __aarch64__ && defined __linux__
#include <asm/hwcap.h>
#include <sys/auxv.h>

unsigned cpu_sets(void)
{
    const unsigned long first = getauxval(AT_HWCAP), second = getauxval(AT_HWCAP2);
    return (first & HWCAP_ASIMDDP ? CPU_DOTPROD : 0u) | (second & HWCAP2_BF16 ? CPU_BF16 : 0u)
         | (second & HWCAP2_I8MM ? CPU_I8MM : 0u);
}

#else
unsigned cpu_sets(void)
{
    return 0;
}
#endif

#ifndef __x86_64__
int cpu_is_amd(void)
{
    return 0;
}
#endif
