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

/* A strip and a panel of so many words stay in the first cache. */
enum { BY_ROW = 1, MOST_WORDS = DEPTH / 2 };

/* The sums are those of `start` at first, from rows `ld` apart. */
INLINE void sums_load(const int has_lower, const real *start, ptrdiff_t ld)
{
    const ptrdiff_t bytes = ld * (ptrdiff_t)sizeof *start;
    _tile_loadd(UPPER_LEFT, start, bytes);
    _tile_loadd(UPPER_RIGHT, start + LANES, bytes);
    if (has_lower) {
        _tile_loadd(LOWER_LEFT, start + HEIGHT * ld, bytes);
        _tile_loadd(LOWER_RIGHT, start + HEIGHT * ld + LANES, bytes);
    }
}

INLINE void tiles(const int has_lower, const Result *to, const Strip *a, Panels b, int k, int n)
{
    for (int j = 0; j < n; j += TILE_COLUMNS, b.first += b.distance) {
        const Result r = result_at(*to, 0, j);
        prefetch_result(a->rows, r);
        if (r.start) sums_load(has_lower, r.start, r.start_row);
        else sums_zero(has_lower);
        sums_add(has_lower, a->words, b.first, k);
        sums_store(has_lower, r.c, r.row);
    }
}
#else
#define MULTIPLE 1
enum { BY_ROW = 0, MOST_WORDS = DEPTH };

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

/* LANES words of the rows x and x + row, of which there are k: `width` of each; else zero. */
INLINE __m512i pairs(const real *x, ptrdiff_t row, int k, int width)
{
    const __mmask16 within = lanes(width);
    const __m512 first = _mm512_maskz_loadu_ps(k > 0 ? within : 0, x);
    const __m512 second = _mm512_maskz_loadu_ps(k > 1 ? within : 0, k > 1 ? x + row : x);
    return zipped(first, second);
}

/* Fetches as many values as two vectors have, where no hardware foresees them. */
INLINE void prefetch_values(const real *x)
{
    for (int i = 0; i < 2 * LANES; i += LANES) __builtin_prefetch(x + i);
}

/* panel from columns that are contiguous, `column` apart */
static void pack_transposed(real *panel, const real *b, ptrdiff_t column, int k, int columns)
{
    for (int j = 0; j < TILE_COLUMNS; j += LANES)
        for (int p = 0; p < k; p += 2 * LANES) {
            __m512i x[LANES];
            for (int i = 0; i < LANES; i++)
                prefetch_values(b + (j + i + LANES) * column + p);
            for (int i = 0; i < LANES; i++)
                x[i] = j + i < columns ? paired(b + (j + i) * column + p, k - p)
                                       : _mm512_setzero_si512();
            transpose(x);
            for (int i = 0; i < LANES && p / 2 + i < words_of(k); i++)
                _mm512_storeu_si512(panel + panel_at(p / 2 + i, j), x[i]);
        }
}

/* The same where rows are contiguous. */
static void pack_straight(real *panel, const real *b, ptrdiff_t row, int k, int columns)
{
    enum { AHEAD = 16 };
    for (int p = 0; p < words_of(k); p++) {
        prefetch_values(b + (2 * p + AHEAD) * row);
        prefetch_values(b + (2 * p + AHEAD + 1) * row);
        for (int j = 0; j < TILE_COLUMNS; j += LANES)
            _mm512_storeu_si512(panel + panel_at(p, j),
                                pairs(b + 2 * p * row + j, row, k - 2 * p, columns - j));
    }
}

static void pack(real *panel, Operand b, int k, int columns)
{
    if (b.column == 1) pack_straight(panel, b.x, b.row, k, columns);
    else pack_transposed(panel, b.x, b.column, k, columns);
}

/* Words by column, of up to LANES rows, from columns that are contiguous, `column` apart. */
static void strip_by_column(real *words, const real *x, ptrdiff_t column, int k, int rows)
{
    for (int p = 0; p < k; p += 2, words += LANES)
        _mm512_storeu_si512(words, pairs(x + p * column, column, k - p, rows));
}

/* Words by row from such columns: LANES rows at a time. */
static void strip_transposed(real *words, const real *x, ptrdiff_t column, int k, int rows)
{
    for (int i = 0; i < rows; i += LANES)
        for (int p = 0; p < k; p += 2 * LANES) {
            __m512i part[LANES];
            for (int w = 0; w < LANES; w++)
                part[w] = pairs(x + (p + 2 * w) * column + i, column, k - p - 2 * w, rows - i);
            transpose(part);
            for (int w = 0; w < LANES && i + w < rows; w++)
                _mm512_storeu_si512(words + strip_at(p / 2, i + w, words_of(k)), part[w]);
        }
}

static void strip(real *words, Operand a, int rows, int k)
{
    if (a.column != 1) {
        if (BY_ROW) strip_transposed(words, a.x, a.column, k, rows);
        else strip_by_column(words, a.x, a.column, k, rows);
        return;
    }
    for (int i = 0; i < rows; i++)
        for (int p = 0; p < k; p += 2 * LANES)
            _mm512_storeu_si512(words + strip_at(p / 2, i, words_of(k)),
                                paired(a.x + i * a.row + p, k - p));
}

const Kernel OF_KERNELS(kernel_bf16) = {
    .values = 2, .step = 2, .depth = MOST_WORDS, .multiple = MULTIPLE, TILE_SIZES,
    .by_row = BY_ROW, .stride = { LANES, 1 }, .strip_row = BY_ROW ? TILE_ROWS : LANES,
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
            words[i * ((k + 1) / 2) + p / 2] = pair(*x, p + 1 < k ? x[a.column] : 0);
    }
}

const Kernel OF_KERNELS(kernel_bf16) = {
    .values = 2, .step = 2, .depth = DEPTH, .multiple = 1, TILE_SIZES, .by_row = 1,
    .stride = { 0, 1 }, .strip_row = TILE_ROWS, .tiles = ALL_TILES, .pack = pack, .strip = strip,
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

enum { COLUMN = TILE_ROWS + 2 };
_Static_assert((int)COLUMN * 2 * (int)DEPTH <= (int)MAX_TILE_ROWS * (int)DEPTH,
               "a strip has room for its words");

static void strip(real *words, Operand a, int rows, int k)
{
    if (a.column != 1) round_rows(words, COLUMN, a.x, a.column, k, rows);
    else
        for (int i = 0; i < rows; i++) round_along(words + i * k, a.x + i * a.row, k);
}

const Kernel OF_KERNELS(kernel_bf16) = {
    .values = 1, .step = 2, .depth = DEPTH, .multiple = 1, TILE_SIZES, .stride = { COLUMN, 1 },
    .strip_row = COLUMN, .tiles = ALL_TILES, .pack = pack, .strip = strip,
};
#endif
#endif
