/* gemm_int8.c - the kernel whose words are four integers of 8 bits: what a row of A or a column of
 * B holds is a multiple of a unit of its own, -127 to 127. One instruction multiplies 16 such words
 * and adds each one's four products to a sum of 32 bits. It takes those of A as unsigned, so 128 is
 * added to them, and 128 times the column's sum is subtracted from the product:
 *
 *   C = start + a_unit b_unit (sum (a + 128) b - 128 sum b)
 */
#include "linalg/gemm_simd.h"

#if defined __AVX512VNNI__ && defined __AVX512BW__ && !defined REAL_DOUBLE
#include "linalg/gemm_avx512.h"

#include <stdint.h>

/* A strip has the unit of each of its rows behind their words. */
enum { LARGEST = 127, VALUES = 4, LONGEST = DEPTH * VALUES, UNITS = TILE_ROWS * DEPTH };
#define ZERO 1e-30f      /* where all are below, 1 / unit could overflow: they count as zero */

/* ---- tiles ---- */

/* What a panel begins with, for each of its columns: its unit; what its sums begin with, as
 * integers. */
#define TILE_HEAD 2

INLINE Vector first_sum(const real *head)
{
    return *(const Loose *)(head + TILE_COLUMNS);
}

INLINE Vector result(Vector sum, const real *head, const real *strip, int i)
{
    return (Vector)_mm512_cvtepi32_ps((__m512i)sum) * (strip[UNITS + i] * *(const Loose *)head);
}

/* _mm512_dpbusd_epi32; but GCC 12 keeps two copies of its sums, for which there are too few
 * registers. */
INLINE Vector multiply_add(Vector sum, real word, Vector panel)
{
    const Vector words = (Vector)_mm512_set1_ps(word);
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(words), "v"(panel));
    return sum;
}

#include "linalg/gemm_tile.h"

/* ---- integers ---- */

/* The largest |x|, NaN before all: as integers, what follows the sign has the same order. */
static real largest_of(const real *x, int k)
{
    __m512i largest = _mm512_setzero_si512();
    for (int p = 0; p < k; p += LANES) {
        const __m512i bits = _mm512_maskz_loadu_epi32(lanes(k - p), x + p);
        largest = _mm512_max_epi32(largest, _mm512_and_si512(bits, _mm512_set1_epi32(INT32_MAX)));
    }
    return _mm_cvtss_f32(_mm_castsi128_ps(_mm_cvtsi32_si128(_mm512_reduce_max_epi32(largest))));
}

/* k values of x, `step` apart, become integers, `flip` in each byte changed; zero up to a multiple
 * of LANES. Returns their unit, which is not finite where a value is not. */
static real quantise(void *to, const real *x, ptrdiff_t step, int k, int flip)
{
    real line[LONGEST];
    if (step != 1) {
        for (int p = 0; p < k; p++) line[p] = x[p * step];
        x = line;
    }
    const real largest = largest_of(x, k);
    const __m512 inverse = _mm512_set1_ps(largest >= ZERO ? LARGEST / largest : 0);
    for (int p = 0; p < k; p += LANES) {
        const __m512 scaled = _mm512_maskz_loadu_ps(lanes(k - p), x + p) * inverse;
        const __m128i bytes = _mm512_cvtsepi32_epi8(_mm512_cvtps_epi32(scaled));
        _mm_storeu_si128((__m128i *)((char *)to + p),
                         _mm_xor_si128(bytes, _mm_set1_epi8((char)flip)));
    }
    return largest / LARGEST;
}

static void strip(real *words, Operand a, int rows, int k)
{
    for (int i = 0; i < rows; i++)
        words[UNITS + i] = quantise(words + i * DEPTH, a.x + i * a.row, a.column, k, 0x80);
}

/* LANES columns of a panel, `have` of B. Returns their sums. */
static __m512i pack_columns(real *panel, const real (*columns)[DEPTH], int have, int words)
{
    __m512i sums = _mm512_setzero_si512();
    for (int p = 0; p < words; p += LANES) {
        __m512i x[LANES];
        for (int i = 0; i < LANES; i++)
            x[i] = _mm512_maskz_loadu_epi32(i < have ? lanes(words - p) : 0, columns[i] + p);
        transpose(x);
        for (int i = 0; i < LANES && p + i < words; i++) {
            _mm512_storeu_si512(panel + (p + i) * TILE_COLUMNS, x[i]);
            sums = _mm512_dpbusd_epi32(sums, _mm512_set1_epi8(1), x[i]);
        }
    }
    return sums;
}

static void pack(real *panel, Operand b, int k, int columns)
{
    real quantised[LANES][DEPTH];
    for (int j = 0; j < TILE_COLUMNS; j += LANES) {
        for (int i = 0; i < LANES; i++) {
            const real *column = b.x + (j + i) * b.column;
            panel[j + i] = j + i < columns ? quantise(quantised[i], column, b.row, k, 0) : 0;
        }
        const __m512i sums = pack_columns(panel + TILE_HEAD * TILE_COLUMNS + j, quantised,
                                          columns - j, (k + VALUES - 1) / VALUES);
        _mm512_storeu_si512(panel + TILE_COLUMNS + j,
                            _mm512_mullo_epi32(sums, _mm512_set1_epi32(-128)));
    }
}

const Kernel OF_KERNELS(kernel_int8) = {
    .values = VALUES, .step = VALUES, TILE_SIZES, .row = DEPTH, .head = TILE_HEAD, .by_row = 1, .tiles = ALL_TILES, .pack = pack,
    .strip = strip,
};

#else
const Kernel OF_KERNELS(kernel_int8) = { .values = 0 };
#endif
