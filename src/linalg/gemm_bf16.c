/* gemm_bf16.c - the kernels of bfloat16: numbers of 32 bits rounded to their upper 16, to nearest
 * even.
 *
 * With AVX512-BF16 words are pairs of them: one instruction multiplies 16 pairs and adds each
 * pair's products to a sum of 32 bits, the second one's first. With AMX and on ARM64 with BF16 they
 * are pairs, too, but sums round in ways of their own. Elsewhere words are single numbers, in
 * AVX512-BF16's order; their products are exact in float, so that sums are the same, to the last
 * bit. (But for sums and products of less than 2^-126, which that instruction counts as zero.)
 */
#define MAY_USE_AMX
#include "linalg/gemm_simd.h"

#if defined REAL_DOUBLE
const Kernel OF_KERNELS(kernel_bf16) = { .values = 0 };

#elif defined __AVX512BF16__
#include "base/real.h"

#include <string.h>

/* ---- tiles ---- */

#ifdef __AMX_BF16__
#define MULTIPLY_TILES _tile_dpbf16ps
#include "linalg/gemm_amx.h"
enum { BY_ROW = 1 };

/* Row i of C = that of start + its products. */
INLINE void add_row(const Result *r, const real *products, int i)
{
    UNROLL for (int j = 0; j < TILE_COLUMNS; j += LANES)
        *(Loose *)(r->c + i * r->row + j) = *(const Vector *)(products + j)
                                            + *(const Loose *)(r->start + i * r->start_row + j);
}

/* Rows [first, end) of C, of the upper or the lower sums. */
INLINE void finish(const int is_lower, const Result *r, int first, int end)
{
    _Alignas(VECTOR_BYTES) real products[HEIGHT * TILE_COLUMNS];
    if (!r->start) {
        sums_store(is_lower, r->c + first * r->row, r->row);
        return;
    }
    sums_store(is_lower, products, TILE_COLUMNS);
    for (int i = first; i < end; i++) add_row(r, products + (i - first) * TILE_COLUMNS, i);
}

INLINE void tile(const int has_lower, int rows, const Result *r, const real *a, const real *panel,
                 int k)
{
    const int upper = upper_rows(rows);
    prefetch_result(rows, r);
    sums_zero(has_lower);
    sums_add(has_lower, upper, a, panel, k);
    finish(0, r, 0, upper);
    if (has_lower) finish(1, r, upper, rows);
}
#else
#define MULTIPLE 1
enum { BY_ROW = 0 };

INLINE Vector multiply_add(Vector sum, real word, Vector panel)
{
    return (Vector)_mm512_dpbf16_ps((__m512)sum, (__m512bh)_mm512_set1_ps(word), (__m512bh)panel);
}

#include "linalg/gemm_tile.h"
#endif

/* ---- words ---- */

/* Words that k values take. */
static inline int words_of(int k)
{
    enum { EACH = 2 * MULTIPLE };
    return (k + EACH - 1) / EACH * MULTIPLE;
}

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
            for (int i = 0; i < LANES && p / 2 + i < words_of(k); i++)
                _mm512_storeu_si512(panel + (p / 2 + i) * TILE_COLUMNS + j, x[i]);
        }
}

/* The same where rows are contiguous. */
static void pack_straight(real *panel, const real *b, ptrdiff_t row, int k, int columns)
{
    const int words = (k + 1) / 2, rest = words_of(k) - words;
    zip_rows(panel, TILE_COLUMNS, b, row, k, columns);
    memset(panel + words * TILE_COLUMNS, 0, (size_t)(rest * TILE_COLUMNS) * sizeof *panel);
}

static void pack(real *panel, Operand b, int k, int columns)
{
    if (b.column == 1) pack_straight(panel, b.x, b.row, k, columns);
    else pack_transposed(panel, b.x, b.column, k, columns);
}

/* Words by row, of up to LANES rows, from columns that are contiguous, `column` apart. */
static void zip_transposed(real *words, const real *x, ptrdiff_t column, int k, int rows)
{
    real zipped_rows[LANES * LANES];
    for (int p = 0; p < k; p += 2 * LANES) {
        __m512i part[LANES];
        zip_rows(zipped_rows, LANES, x + p * column, column, min_int(k - p, 2 * LANES), rows);
        for (int i = 0; i < LANES; i++)
            part[i] = p + 2 * i < k ? _mm512_loadu_si512(zipped_rows + i * LANES)
                                    : _mm512_setzero_si512();
        transpose(part);
        for (int i = 0; i < rows; i++) _mm512_storeu_si512(words + i * DEPTH + p / 2, part[i]);
    }
}

static void strip(real *words, Operand a, int rows, int k)
{
    if (a.column != 1) {
        if (!BY_ROW) zip_rows(words, LANES, a.x, a.column, k, rows);
        for (int i = 0; BY_ROW && i < rows; i += LANES)
            zip_transposed(words + i * DEPTH, a.x + i, a.column, k, min_int(rows - i, LANES));
        return;
    }
    for (int i = 0; i < rows; i++)
        for (int p = 0; p < k; p += 2 * LANES)
            _mm512_storeu_si512(words + i * DEPTH + p / 2, paired(a.x + i * a.row + p, k - p));
}

const Kernel OF_KERNELS(kernel_bf16) = {
    .values = 2, .step = 2, .multiple = MULTIPLE, TILE_SIZES, .by_row = BY_ROW,
    .stride = { LANES, DEPTH },
    .tiles = ALL_TILES, .pack = pack, .strip = strip,
    TILE_REGISTERS
};

#else
#include <string.h>

/* The bits of the bfloat16 next to x. Of what is no normal number, only the sign stays. */
static inline uint32_t rounded_bits(real x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint32_t size = bits & 0x7fffffff, nearest = bits + 0x7fff + (bits >> 16 & 1);
    const uint32_t number = size > 0x7f800000 ? bits | 0x400000 : nearest;
    return (size < 0x800000 ? bits & 0x80000000 : number) & 0xffff0000;
}

static inline real real_of(uint32_t bits)
{
    real x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#ifdef __ARM_FEATURE_BF16_VECTOR_ARITHMETIC
#include <arm_neon.h>

INLINE Vector multiply_add(Vector sum, real word, Vector panel)
{
    return vbfdotq_f32(sum, (bfloat16x8_t)vdupq_n_f32(word), (bfloat16x8_t)panel);
}

#include "linalg/gemm_tile.h"

static inline real pair(real first, real second)
{
    return real_of(rounded_bits(first) >> 16 | rounded_bits(second));
}

static void pack(real *panel, Operand b, int k, int columns)
{
    for (int p = 0; p < k; p += 2, panel += TILE_COLUMNS)
        for (int j = 0; j < TILE_COLUMNS; j++) {
            const real *x = b.x + p * b.row + (j < columns ? j : 0) * b.column;
            const real word = pair(*x, p + 1 < k ? x[b.row] : 0);
            panel[j] = j < columns ? word : 0;
        }
}

static void strip(real *words, Operand a, int rows, int k)
{
    for (int i = 0; i < rows; i++) {
        const real *x = a.x + i * a.row;
        for (int p = 0; p < k; p += 2, x += 2 * a.column)
            words[i * DEPTH + p / 2] = pair(*x, p + 1 < k ? x[a.column] : 0);
    }
}

const Kernel OF_KERNELS(kernel_bf16) = {
    .values = 2, .step = 2, .multiple = 1, TILE_SIZES, .by_row = 1, .stride = { 0, DEPTH },
    .tiles = ALL_TILES, .pack = pack, .strip = strip,
};

#else
INLINE Vector multiply_add(Vector sum, real word, Vector panel)
{
    return sum + word * panel;
}

#include "linalg/gemm_tile.h"

extern const Kernel OF_KERNELS(kernel_float);

static inline real rounded(real x)
{
    return real_of(rounded_bits(x));
}

/* first, second (width) = b, a, rounded: they may be a, b. */
static void round_pair(real *first, real *second, const real *a, const real *b, int width)
{
    for (int j = 0; j < width; j++) {
        const real x = rounded(a[j]);
        first[j] = rounded(b[j]);
        second[j] = x;
    }
}

static void round_row(real *to, const real *from, int width)
{
    for (int j = 0; j < width; j++) to[j] = rounded(from[j]);
}

/* Rows of `width`, k of them: the second one of each two comes first, a last single one stays. */
static void round_rows(real *to, ptrdiff_t distance, const real *from, ptrdiff_t row, int k,
                       int width)
{
    int p = 0;
    for (; p + 1 < k; p += 2, to += 2 * distance, from += 2 * row)
        round_pair(to, to + distance, from, from + row, width);
    if (p < k) round_row(to, from, width);
}

static void pack(real *panel, Operand b, int k, int columns)
{
    OF_KERNELS(kernel_float).pack(panel, b, k, columns);
    round_rows(panel, TILE_COLUMNS, panel, TILE_COLUMNS, k, TILE_COLUMNS);
}

/* The same along a row: neighbours are exchanged. */
static void round_along(real *to, const real *from, int k)
{
    int p = 0;
    for (; p + 1 < k; p += 2) {
        to[p] = rounded(from[p + 1]);
        to[p + 1] = rounded(from[p]);
    }
    if (p < k) to[p] = rounded(from[p]);
}

enum { ROW = 2 * DEPTH, COLUMN = TILE_ROWS + 2 };
_Static_assert((int)COLUMN * (int)ROW <= (int)STRIP_WORDS, "a strip has room for its words");

static void strip(real *words, Operand a, int rows, int k)
{
    if (a.column != 1) round_rows(words, COLUMN, a.x, a.column, k, rows);
    else
        for (int i = 0; i < rows; i++) round_along(words + i * ROW, a.x + i * a.row, k);
}

const Kernel OF_KERNELS(kernel_bf16) = {
    .values = 1, .step = 2, .multiple = 1, TILE_SIZES, .stride = { COLUMN, ROW },
    .tiles = ALL_TILES, .pack = pack, .strip = strip,
};
#endif
#endif
