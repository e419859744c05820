/* gemm_bf16.c - the kernel whose words are pairs of bfloat16: numbers of 32 bits rounded to their
 * upper 16, to nearest even. One instruction multiplies 16 pairs and adds each pair's products to a
 * sum of 32 bits. */
#include "linalg/gemm_simd.h"

#if defined __AVX512BF16__ && defined __AVX512BW__ && !defined REAL_DOUBLE
#include "linalg/gemm_avx512.h"

INLINE Vector multiply_add(Vector sum, real word, Vector panel)
{
    return (Vector)_mm512_dpbf16_ps((__m512)sum, (__m512bh)_mm512_set1_ps(word), (__m512bh)panel);
}

#include "linalg/gemm_tile.h"

/* LANES words, each of a number of `first` and one of `second`. */
static __m512i zipped(__m512 first, __m512 second)
{
    const __m512i both = (__m512i)_mm512_cvtne2ps_pbh(second, first), lane = _mm512_set_epi32(
        0x1f000f, 0x1e000e, 0x1d000d, 0x1c000c, 0x1b000b, 0x1a000a, 0x190009, 0x180008,
        0x170007, 0x160006, 0x150005, 0x140004, 0x130003, 0x120002, 0x110001, 0x100000);
    return _mm512_permutexvar_epi16(lane, both);
}

/* LANES words from up to 2 * LANES neighbours; zero beyond `count`. */
static __m512i paired(const real *x, int count)
{
    const __m512 first = _mm512_maskz_loadu_ps(lanes(count), x);
    const __m512 second = _mm512_maskz_loadu_ps(lanes(count - LANES), x + LANES);
    return (__m512i)_mm512_cvtne2ps_pbh(second, first);
}

/* Rows 2 p and 2 p + 1 of columns x (`row` apart) become words, `width` of each pair of rows. */
static void zip_rows(real *words, int distance, const real *x, ptrdiff_t row, int k, int width)
{
    for (int p = 0; p < k; p += 2, words += distance)
        for (int j = 0; j < distance; j += LANES) {
            const __mmask16 within = lanes(width - j);
            const real *at = x + p * row + j;
            const __m512 first = _mm512_maskz_loadu_ps(within, at);
            const int has_second = p + 1 < k;
            const __m512 second = _mm512_maskz_loadu_ps(has_second ? within : 0,
                                                        has_second ? at + row : at);
            _mm512_storeu_si512(words + j, zipped(first, second));
        }
}

/* panel from columns that are contiguous, `column` apart */
static void pack_transposed(real *panel, const real *b, ptrdiff_t column, int k, int columns)
{
    for (int j = 0; j < TILE_COLUMNS; j += LANES)
        for (int p = 0; p < k; p += 2 * LANES) {
            __m512i x[LANES];
            for (int i = 0; i < LANES; i++)
                x[i] = j + i < columns ? paired(b + (j + i) * column + p, k - p)
                                       : _mm512_setzero_si512();
            transpose(x);
            for (int i = 0; i < LANES && p + 2 * i < k; i++)
                _mm512_storeu_si512(panel + (p / 2 + i) * TILE_COLUMNS + j, x[i]);
        }
}

static void pack(real *panel, Operand b, int k, int columns)
{
    if (b.column == 1) zip_rows(panel, TILE_COLUMNS, b.x, b.row, k, columns);
    else pack_transposed(panel, b.x, b.column, k, columns);
}

static void strip(real *words, Operand a, int rows, int k)
{
    if (a.column != 1) {
        zip_rows(words, LANES, a.x, a.column, k, rows);
        return;
    }
    for (int i = 0; i < rows; i++)
        for (int p = 0; p < k; p += 2 * LANES)
            _mm512_storeu_si512(words + i * DEPTH + p / 2, paired(a.x + i * a.row + p, k - p));
}

const Kernel kernel_bf16 = {
    .values = 2, TILE_SIZES, .tiles = ALL_TILES, .pack = pack, .strip = strip,
};

#else
const Kernel kernel_bf16 = { .values = 0 };
#endif
