/* cpu.c - set by set, from what the CPU says on x86-64 and from what Linux says on ARM64. */
#include "base/system/cpu.h"

#if defined __x86_64__
#include <cpuid.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

/* Compilers know no name of AVX-VNNI for what follows. Its registers are those of AVX2. */
static int has_avx_vnni(void)
{
    unsigned a, b, c, d;
    return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &a, &b, &c, &d)
        && (a >> 4 & 1);
}

/* Linux gives its registers to who asks: arch/x86/xstate in its documentation. */
static int has_amx(void)
{
#ifdef __linux__
    enum { BF16 = 1 << 22, TILE = 1 << 24, INT8 = 1 << 25, ALL = BF16 | TILE | INT8 };
    enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & ALL) == ALL
        && !syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA);
#else
    return 0;
#endif
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
    if (has_amx()) sets |= CPU_AMX;
    return sets;
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

int cpu_is_amd(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    return __builtin_cpu_is("amd") != 0;
#else
    return 0;
#endif
}
