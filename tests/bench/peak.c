/* peak.c - the machine's peak: how many products its cores make where everything is in registers.
 *
 *   peak PRECISION [THREADS [MILLIONS]]
 *
 * prints the GFLOP/s of all threads together, the median of nine rounds of so many million
 * instructions a thread; 0 where no instruction of the chosen kernels' set (ATTN_CPU) makes products
 * of that precision. A loop has a dozen sums, each of them the result of its last instruction: more
 * than enough to hide how long an instruction takes.
 */
#include "base/error.h"
#include "base/system/cpu.h"
#include "base/system/environment.h"
#include "base/system/pool.h"
#include "linalg/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes so many instructions. */
typedef void Chain(long instructions);

/* An instruction, and the operations that it makes: two a product. */
typedef struct { Chain *chain; double operations; } Peak;

/* A chain of `instruction`, which reads sum[i], a and b. What asm may have changed is no constant. */
enum { SUMS = 12 };
#define FOR(set) __attribute__((target(set)))
#define CHAIN(name, set, Sum, Factor, instruction)                                                 \
    set static void name(long instructions)                                                        \
    {                                                                                              \
        Sum sum[SUMS];                                                                             \
        Factor a, b;                                                                               \
        memset(sum, 0, sizeof sum);                                                                \
        memset(&a, 0, sizeof a);                                                                   \
        memset(&b, 0, sizeof b);                                                                   \
        __asm__ volatile("" : "+m"(sum), "+m"(a), "+m"(b));                                        \
        for (long n = 0; n < instructions; n += SUMS)                                              \
            UNROLL for (int i = 0; i < SUMS; i++) sum[i] = instruction;                            \
        __asm__ volatile("" : : "m"(sum));                                                         \
    }

#if defined __x86_64__
#include <immintrin.h>

CHAIN(float_sse2, FOR("sse2"), __m128, __m128, _mm_add_ps(b, _mm_mul_ps(a, sum[i])))
CHAIN(float_avx2, FOR("avx2,fma"), __m256, __m256, _mm256_fmadd_ps(a, sum[i], b))
CHAIN(float_avx512, FOR("avx512f"), __m512, __m512, _mm512_fmadd_ps(a, sum[i], b))
CHAIN(bf16_avx512, FOR("avx512f,avx512bf16"), __m512, __m512bh, _mm512_dpbf16_ps(sum[i], a, b))
CHAIN(int8_avx_vnni, FOR("avx2,avxvnni"), __m256i, __m256i, _mm256_dpbusd_avx_epi32(sum[i], a, b))
CHAIN(int8_avx512, FOR("avx512f,avx512vnni"), __m512i, __m512i, _mm512_dpbusd_epi32(sum[i], a, b))

/* Four sums, in tiles 0 to 3; two tiles of factors. */
#define TILE_CHAIN(name, set, instruction)                                                         \
    set static void name(long instructions)                                                        \
    {                                                                                              \
        const struct {                                                                             \
            unsigned char palette, start, reserved[14];                                            \
            unsigned short bytes[16];                                                              \
            unsigned char rows[16];                                                                \
        } sizes = { .palette = 1, .bytes = { 64, 64, 64, 64, 64, 64 },                             \
                    .rows = { 16, 16, 16, 16, 16, 16 } };                                          \
        _tile_loadconfig(&sizes);                                                                  \
        for (long n = 0; n < instructions; n += 4) {                                               \
            instruction(0, 4, 5);                                                                  \
            instruction(1, 4, 5);                                                                  \
            instruction(2, 4, 5);                                                                  \
            instruction(3, 4, 5);                                                                  \
        }                                                                                          \
        _tile_release();                                                                           \
    }
TILE_CHAIN(bf16_amx, FOR("amx-tile,amx-bf16"), _tile_dpbf16ps)
TILE_CHAIN(int8_amx, FOR("amx-tile,amx-int8"), _tile_dpbusd)

static Peak peak_of(Precision precision, unsigned sets)
{
    if (precision == PRECISION_INT8)
        return sets & CPU_AMX           ? (Peak){ int8_amx, 2 * 16 * 16 * 64 }
               : sets & CPU_AVX512_VNNI ? (Peak){ int8_avx512, 2 * 64 }
               : sets & CPU_AVX_VNNI    ? (Peak){ int8_avx_vnni, 2 * 32 }
                                        : (Peak){ NULL, 0 };
    if (precision == PRECISION_BF16 && sets & CPU_AMX)
        return (Peak){ bf16_amx, 2 * 16 * 16 * 32 };
    if (precision == PRECISION_BF16 && sets & CPU_AVX512_BF16)
        return (Peak){ bf16_avx512, 2 * 32 };
    return sets & CPU_AVX512 ? (Peak){ float_avx512, 2 * 16 }
           : sets & CPU_AVX2 ? (Peak){ float_avx2, 2 * 8 }
                             : (Peak){ float_sse2, 2 * 4 };
}

#elif defined __aarch64__
#include <arm_neon.h>

CHAIN(float_neon, , float32x4_t, float32x4_t, vfmaq_f32(b, a, sum[i]))

static Peak peak_of(Precision precision, unsigned sets)
{
    (void)sets;
    return precision == PRECISION_FLOAT ? (Peak){ float_neon, 2 * 4 } : (Peak){ NULL, 0 };
}

#else
static Peak peak_of(Precision precision, unsigned sets)
{
    (void)precision, (void)sets;
    return (Peak){ NULL, 0 };
}
#endif

typedef struct { Chain *chain; long instructions; } Work;

static void work(void *context, int worker)
{
    const Work *w = context;
    (void)worker;
    w->chain(w->instructions);
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    enum { ROUNDS = 9 };
    const int threads = argc > 2 ? atoi(argv[2]) : pool_cores();
    int precision = argc > 1 ? 0 : PRECISIONS;
    while (precision < PRECISIONS && strcmp(argv[1], precision_names[precision])) precision++;
    if (precision == PRECISIONS) die("peak PRECISION [THREADS [MILLIONS]]");
    const Peak peak = peak_of((Precision)precision, kernels_of_cpu()->needs);
    const Work w = { peak.chain, (argc > 3 ? atol(argv[3]) : 50) * 1000000 };
    double rate[ROUNDS] = { 0 };
    Pool *pool = pool_new(threads);
    for (int i = 0; i < ROUNDS && w.chain; i++) {
        const double begun = clock_seconds();
        pool_run(pool, work, (void *)&w);
        rate[i] = peak.operations * (double)w.instructions * threads / (clock_seconds() - begun) / 1e9;
    }
    pool_free(pool);
    qsort(rate, ROUNDS, sizeof *rate, rising);
    printf("%.1f\n", rate[ROUNDS / 2]);
    return 0;
}
