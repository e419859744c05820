/* gemm_int8.c - the kernel whose words are four integers of 8 bits: what a row of A or a column of
 * B holds is a multiple of a unit of its own, -127 to 127. Each instruction set has its own way to
 * multiply words and to add their products to sums of 32 bits, which none of them rounds. Some take
 * the integers of A as unsigned; so an OFFSET is added to those, and OFFSET times the column's sum
 * subtracted from the product:
 *
 *   C = start + a_unit b_unit (sum (a + OFFSET) b - OFFSET sum b)
 *
 * All that rounds is the same few operations on single numbers, so the results are the same
 * everywhere, to the last bit.
 */
#define MAY_USE_AMX
#include "linalg/gemm_simd.h"

#ifdef REAL_DOUBLE
#elif defined __x86_64__ && (!defined __AVX512F__ || (defined __AVX512VNNI__ && defined __AVX512BW__))
#include "linalg/gemm_int8_x86.h"
#elif defined __aarch64__
#include "linalg/gemm_int8_arm.h"
#endif

#ifdef OFFSET
#include <string.h>

enum {
    LARGEST = 127,
    VALUES  = 4,                    /* of a word */
    LONGEST = DEPTH * VALUES,
    UNITS   = -MAX_TILE_ROWS        /* where a strip has the unit of each of its rows */
};
#define ZERO 1e-30f      /* where all are below, 1 / unit could overflow: they count as zero */

/* ---- tiles ---- */

/* What a panel begins with, for each of its columns: its unit; with an OFFSET what its sums begin
 * with, as integers. */
#define TILE_HEAD (OFFSET ? 2 : 1)

INLINE Vector result(Vector sum, const real *head, const real *strip, int i)
{
    return __builtin_convertvector((Ints)sum, Vector)
         * (strip[UNITS + i] * *(const Loose *)head);
}

#ifdef __AMX_INT8__
/* C = start + the sums of a tile, with the panel that they are from. */
INLINE void finish(const Result *r, const real *sums, const Strip *a, const real *head)
{
    for (int i = 0; i < a->rows; i++, sums += TILE_COLUMNS)
        UNROLL for (int j = 0; j < TILE_COLUMNS; j += LANES) {
            Vector x = result(*(const Vector *)(sums + j), head + j, a->words, i);
            if (r->start) x += *(const Loose *)(r->start + i * r->start_row + j);
            *(Loose *)(r->c + i * r->row + j) = x;
        }
}

/* A tile is finished while the next one's products are made, for these two don't wait for each
 * other. */
INLINE void tiles(const int has_lower, const Result *to, const Strip *a, Panels b, int k, int n)
{
    _Alignas(VECTOR_BYTES) real sums[TILE_ROWS * TILE_COLUMNS];
    const real *before = NULL;
    Result r = *to;
    for (int j = 0; j < n; j += TILE_COLUMNS, before = b.first, b.first += b.distance) {
        sums_zero(has_lower);
        sums_add(has_lower, a->words, b.first + TILE_HEAD * TILE_COLUMNS, k);
        if (before) finish(&r, sums, a, before);
        sums_store(has_lower, sums, TILE_COLUMNS);
        r = result_at(*to, 0, j);
        prefetch_result(a->rows, r);
    }
    finish(&r, sums, a, before);
}
#else
INLINE Vector first_sum(const real *head)
{
    return OFFSET ? (Vector)*(const Loose *)(head + TILE_COLUMNS) : (Vector){ 0 };
}

#include "linalg/gemm_tile.h"
#endif

#ifndef MULTIPLE
#define MULTIPLE 1
#endif

_Static_assert((int)TILE_ROWS * STEPS <= (int)MAX_TILE_ROWS, "a strip has room for its words");

/* ---- integers ---- */

/* Words that k values take. */
static inline int words_of(int k)
{
    enum { EACH = VALUES * MULTIPLE };
    return (k + EACH - 1) / EACH * MULTIPLE;
}

/* LANES values, zero beyond `count`. */
#ifndef HAS_LOAD
INLINE Vector load(const real *x, int count)
{
    Vector some = { 0 };
    if (count >= LANES) return *(const Loose *)x;
    memcpy(&some, x, (size_t)count * sizeof *x);
    return some;
}
#endif

/* The largest |x|, NaN before all: as integers, what follows the sign has the same order. */
static real largest_of(const real *x, int k)
{
    Ints largest = { 0 };
    for (int p = 0; p < k; p += LANES)
        largest = larger(largest, (Ints)load(x + p, k - p) & INT32_MAX);
    real value = 0;
    const int32_t bits = largest_lane(largest);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Where a strip has the words of a row, `k` words in all. */
#ifndef HAS_ROW_AT
INLINE real *row_at(real *strip, int i, int k)
{
    return strip + strip_at(0, i, k) * STEPS;
}
#endif

/* k values of x, `step` apart, become integers, those of A or of B; zero up to a multiple of LANES,
 * and in all their words. Returns their unit, which is not finite where a value is not. */
INLINE real quantise(void store(real *words, int p, Vector x), real *words, const real *x,
                     ptrdiff_t step, int k)
{
    real line[LONGEST];
    if (step != 1) {
        for (int p = 0; p < k; p++) line[p] = x[p * step];
        x = line;
    }
    const real largest = largest_of(x, k), inverse = largest >= ZERO ? LARGEST / largest : 0;
    int p = 0;
    for (; p < k; p += LANES) store(words, p, load(x + p, k - p) * inverse);
    for (; p < words_of(k) * VALUES; p += LANES) store(words, p, (Vector){ 0 });
    return largest / LARGEST;
}

static void strip(real *words, Operand a, int rows, int k)
{
    for (int i = 0; i < rows; i++)
        words[UNITS + i] = quantise(store_a, row_at(words, i, words_of(k)), a.x + i * a.row,
                                    a.column, k);
}

/* The words of LANES columns of a panel, `have` of B. */
#ifndef HAS_LAY_OUT
static void lay_out(real *panel, const real (*columns)[DEPTH], int have, int words)
{
    enum { BYTES = sizeof(real) / STEPS };
    for (int p = 0; p < words * STEPS; p++)
        for (int i = 0; i < LANES; i++) {
            char *to = (char *)panel + (p * TILE_COLUMNS + i) * BYTES;
            if (i < have) memcpy(to, (const char *)columns[i] + p * BYTES, BYTES);
            else memset(to, 0, BYTES);
        }
}
#endif

/* What the sums of LANES columns begin with. */
#if OFFSET
static Vector first_sums(const real *panel, int words)
{
    char ones[sizeof(real)];
    real word;
    memset(ones, 1, sizeof ones);
    memcpy(&word, ones, sizeof word);
    Vector sums = { 0 };
    for (int p = 0; p < words; p++)
        sums = multiply_add(sums, word, columns_at(panel + p * TILE_COLUMNS));
    return (Vector)((Ints)sums * -OFFSET);
}
#endif

static void pack(real *panel, Operand b, int k, int columns)
{
    real quantised[LANES][DEPTH];
    const int words = words_of(k);
    for (int j = 0; j < TILE_COLUMNS; j += LANES) {
        real *part = panel + TILE_HEAD * TILE_COLUMNS + panel_at(0, j) / STEPS;
        for (int i = 0; i < LANES; i++) {
            const real *column = b.x + (j + i) * b.column;
            panel[j + i] = j + i < columns ? quantise(store_b, quantised[i], column, b.row, k) : 0;
        }
        lay_out(part, quantised, columns - j, words);
#if OFFSET
        *(Loose *)(panel + TILE_COLUMNS + j) = first_sums(part, words);
#endif
    }
}

const Kernel OF_KERNELS(kernel_int8) = {
    .values = VALUES, .step = VALUES, .depth = DEPTH, .multiple = MULTIPLE, TILE_SIZES,
    .head = TILE_HEAD, .by_row = 1, .stride = { 0, STEPS }, .strip_row = TILE_ROWS * STEPS,
    .tiles = ALL_TILES, .pack = pack, .strip = strip,
    TILE_REGISTERS
};

#else
const Kernel OF_KERNELS(kernel_int8) = { .values = 0 };
#endif
