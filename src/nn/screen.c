/* screen.c - rounding to 8 bits, the bounds, and the search below them. */
#include "nn/screen.h"

#include "base/mem.h"
#include "nn/gemm.h"
#include "nn/vector.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined __AVX512VNNI__ && !defined REAL_DOUBLE
#define HAS_VNNI 1
#include <immintrin.h>
#else
#define HAS_VNNI 0
#endif

#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

enum {
    OFFSET = 128,           /* added to the whole numbers of w, which are stored without a sign */
    BYTES  = 4,             /* steps along k that one instruction adds up: a word */
    STRIP  = 14,            /* rows at a time, so that their sums stay in registers (nn/gemm_kernel.h) */
    DEPTH  = 256            /* words of a row that are held at a time */
};

#define LARGEST 1e15        /* greater norms could overflow float when two are multiplied */
#define SMALLEST 1e-25      /* more than what numbers lose that are so small that they underflow */

/* What holds for all words of a block: |w'_j|, |w_j - w'_j| with what rounds in float as part of |w_j|, and what rounds
 * of b. */
typedef struct { float rounded, error, bias; } Norms;

struct Screen {
    Precision       precision;
    const real     *w, *b;
    int             ldw, k, n, words, blocks;
    uint8_t        *panel;          /* (blocks, words, SCREEN_BLOCK, BYTES) q_j + OFFSET; OFFSET beyond k and n */
    float          *scale, *bias;   /* (blocks, SCREEN_BLOCK) s_j and b_j; beyond n 0 and -FLT_MAX */
    Norms          *norms;          /* (blocks) */
    _Atomic(real *) exact[];        /* (blocks) w in the order of gemm's kernels, once it is needed */
};

int screen_is_faster(void)
{
    return HAS_VNNI && gemm_is_fastest();
}

int screen_blocks(const Screen *s)
{
    return s->blocks;
}

/* ---- rounding ---- */

/* What a product with PRECISION_BF16 makes of x before it multiplies (nn/gemm_bf16.c): to nearest even. */
static real to_bf16(real x)
{
    float rounded = (float)x;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
    memcpy(&rounded, &bits, sizeof bits);
    return (real)rounded;
}

/* One row as whole numbers; the norms are those of what the product takes of it. */
static Rounded round_row(int8_t *whole, const real *x, int k, Precision precision)
{
    real taken[DEPTH * BYTES];
    if (precision != PRECISION_BF16) return vector_round(whole, x, k);
    for (int i = 0; i < k; i++)
        taken[i] = to_bf16(x[i]);
    return vector_round(whole, taken, k);
}

/* ---- the weight ---- */

static float greater(float a, double b)
{
    return (double)a > b ? a : (float)b;
}

/* Beside the two errors of the bound, results in float of depth k are off by no more than (k + 1) u |w| |x| + u |b|,
 * u = 2^-24 (Higham 2002, section 3.1, and Cauchy and Schwarz), twice that with PRECISION_BF16; and w' · x' + b, which
 * takes four roundings, by 4 u (|w'| |x'| + |b|). The norms are rounded up for what they themselves have lost. */
static void add_norms(Norms *norms, const Rounded *row, double bias, int k)
{
    const double u = ldexp(1, -24), up = 1 + 32 * u;
    norms->rounded = greater(norms->rounded, row->rounded * up);
    norms->error = greater(norms->error, (row->error + (2 * k + 16) * u * row->norm) * up + SMALLEST);
    norms->bias = greater(norms->bias, 8 * u * fabs(bias) + SMALLEST);
}

/* Row j of w goes to its column of its panel. Whether its numbers can be bounded. */
static int add_row(Screen *s, int8_t *whole, int j)
{
    const int block = j / SCREEN_BLOCK, column = j % SCREEN_BLOCK;
    const Rounded row = round_row(whole, s->w + (size_t)j * s->ldw, s->k, s->precision);
    const double bias = (double)s->b[j];
    uint8_t *to = s->panel + ((size_t)block * s->words * SCREEN_BLOCK + (size_t)column) * BYTES;
    for (int p = 0; p < s->words; p++)
        for (int i = 0; i < BYTES; i++)
            to[(size_t)p * SCREEN_BLOCK * BYTES + i] = (uint8_t)(whole[p * BYTES + i] + OFFSET);
    s->scale[j] = row.scale;
    s->bias[j] = (float)bias;
    add_norms(&s->norms[block], &row, bias, s->k);
    return row.norm < LARGEST && fabs(bias) < LARGEST;
}

static Screen *allocate(int blocks, int words)
{
    Screen *s = xcalloc(1, sizeof *s + (size_t)blocks * sizeof *s->exact);
    const size_t columns = (size_t)blocks * SCREEN_BLOCK;
    s->panel = xaligned_raw(columns * (size_t)words, BYTES);
    s->scale = xaligned(columns, sizeof *s->scale);
    s->bias = xaligned(columns, sizeof *s->bias);
    s->norms = xcalloc((size_t)blocks, sizeof *s->norms);
    for (int i = 0; i < blocks; i++)
        atomic_init(&s->exact[i], NULL);
    return s;
}

Screen *screen_new(Precision precision, const real *w, int ldw, const real *b, int k, int n)
{
    const int words = (k + BYTES - 1) / BYTES, blocks = (n + SCREEN_BLOCK - 1) / SCREEN_BLOCK;
    int8_t whole[DEPTH * BYTES] = { 0 };
    int bounded = 1;
    if (words > DEPTH) return NULL;
    Screen *s = allocate(blocks, words);
    s->precision = precision;
    s->w = w;
    s->b = b;
    s->ldw = ldw;
    s->k = k;
    s->n = n;
    s->words = words;
    s->blocks = blocks;
    memset(s->panel + (size_t)(blocks - 1) * words * SCREEN_BLOCK * BYTES, OFFSET, (size_t)words * SCREEN_BLOCK * BYTES);
    for (int j = n; j < blocks * SCREEN_BLOCK; j++)
        s->bias[j] = -FLT_MAX;
    for (int j = 0; j < n; j++)
        bounded &= add_row(s, whole, j);
    if (bounded) return s;
    screen_free(s);
    return NULL;
}

void screen_free(Screen *s)
{
    if (!s) return;
    for (int i = 0; i < s->blocks; i++)
        free(atomic_load(&s->exact[i]));
    free(s->panel);
    free(s->scale);
    free(s->bias);
    free(s->norms);
    free(s);
}

/* ---- the product in 8 bits ---- */

/* Up to STRIP rows of x: words stand side by side, as a tile reads them. */
typedef struct {
    int32_t word[DEPTH * STRIP];
    int32_t start[STRIP];           /* -OFFSET * sum of p: takes away what the weights have too much */
    float   scale[STRIP], norm[STRIP], error[STRIP];
} Strip;

static void fill_strip(Strip *strip, const Screen *s, const real *x, int ldx, int rows)
{
    int8_t whole[DEPTH * BYTES];
    for (int i = 0; i < rows; i++) {
        int32_t sum = 0;
        memset(whole + (s->words - 1) * BYTES, 0, BYTES);
        const Rounded row = round_row(whole, x + (ptrdiff_t)i * ldx, s->k, s->precision);
        for (int p = 0; p < s->k; p++)
            sum += whole[p];
        for (int p = 0; p < s->words; p++)
            memcpy(&strip->word[p * rows + i], whole + p * BYTES, BYTES);
        strip->start[i] = -OFFSET * sum;
        strip->scale[i] = row.scale;
        strip->norm[i] = (float)(row.norm * (1 + 1e-6));
        strip->error[i] = (float)(row.error * (1 + 1e-6));
    }
}

/* Of one block: how the rows of the strip read it. */
typedef struct {
    const uint8_t *panel;
    const float   *scale, *bias;
    int            words;
} Block;

/* most[i] = the greatest w'_j · x'_i + b_j of the block. */
typedef void Tile(float *most, const Strip *strip, const Block *b);

#if HAS_VNNI
/* sum + q · p, four steps of k a lane. Assembler, because GCC 12 copies the sums of its own function for this
 * instruction to the stack and back at each step. */
static inline __attribute__((always_inline)) __m512i multiply_add(__m512i sum, __m512i q, __m512i p)
{
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(q), "v"(p));
    return sum;
}

static inline __attribute__((always_inline)) void tile(const int rows, float *most, const Strip *strip, const Block *b)
{
    __m512i sum[STRIP][2];
    const int32_t *word = strip->word;
    const uint8_t *panel = b->panel;
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int v = 0; v < 2; v++) sum[i][v] = _mm512_setzero_si512();
    for (int p = 0; p < b->words; p++, word += rows, panel += SCREEN_BLOCK * BYTES) {
        const __m512i q0 = _mm512_load_si512(panel), q1 = _mm512_load_si512(panel + 64);
        UNROLL for (int i = 0; i < rows; i++) {
            const __m512i four = _mm512_set1_epi32(word[i]);
            sum[i][0] = multiply_add(sum[i][0], q0, four);
            sum[i][1] = multiply_add(sum[i][1], q1, four);
        }
    }
    const __m512 s0 = _mm512_load_ps(b->scale), s1 = _mm512_load_ps(b->scale + 16);
    const __m512 b0 = _mm512_load_ps(b->bias), b1 = _mm512_load_ps(b->bias + 16);
    UNROLL for (int i = 0; i < rows; i++) {
        const __m512i start = _mm512_set1_epi32(strip->start[i]);
        const __m512 t = _mm512_set1_ps(strip->scale[i]);
        const __m512 x0 = _mm512_cvtepi32_ps(_mm512_add_epi32(sum[i][0], start));
        const __m512 x1 = _mm512_cvtepi32_ps(_mm512_add_epi32(sum[i][1], start));
        const __m512 z0 = _mm512_fmadd_ps(x0, _mm512_mul_ps(s0, t), b0), z1 = _mm512_fmadd_ps(x1, _mm512_mul_ps(s1, t), b1);
        most[i] = _mm512_reduce_max_ps(_mm512_max_ps(z0, z1));
    }
}
#else
static inline void tile(const int rows, float *most, const Strip *strip, const Block *b)
{
    for (int i = 0; i < rows; i++) {
        most[i] = -FLT_MAX;
        for (int j = 0; j < SCREEN_BLOCK; j++) {
            int32_t sum = strip->start[i];
            for (int p = 0; p < b->words; p++) {
                int8_t x[BYTES];
                memcpy(x, &strip->word[p * rows + i], BYTES);
                for (int v = 0; v < BYTES; v++)
                    sum += b->panel[(p * SCREEN_BLOCK + j) * BYTES + v] * x[v];
            }
            const float z = (float)sum * (b->scale[j] * strip->scale[i]) + b->bias[j];
            most[i] = z > most[i] ? z : most[i];
        }
    }
}
#endif

#define TILE(rows) \
    static void tile_##rows(float *most, const Strip *strip, const Block *b) \
    { \
        tile(rows, most, strip, b); \
    }
TILE(1) TILE(2) TILE(3) TILE(4) TILE(5) TILE(6) TILE(7)
TILE(8) TILE(9) TILE(10) TILE(11) TILE(12) TILE(13) TILE(14)

static Tile *const tiles[STRIP + 1] = { NULL, tile_1, tile_2, tile_3, tile_4, tile_5, tile_6, tile_7, tile_8, tile_9,
                                        tile_10, tile_11, tile_12, tile_13, tile_14 };

/* ---- the bounds ---- */

/* A row that is no number, or too large, has no bound. */
static float ceiling_of(float most, const Norms *norms, float norm, float error)
{
    if (!(norm < (float)LARGEST)) return INFINITY;
    const float bound = norms->rounded * error + norms->error * norm + norms->bias;
    return most + bound * (1 + 8 * FLT_EPSILON);
}

void screen_ceilings(const Screen *s, float *ceiling, const real *x, int ldx, int rows)
{
    Strip strip;
    const int strips = (rows + STRIP - 1) / STRIP;
    for (int i = 0; i < strips; i++) {
        const int top = (int)((long)rows * i / strips), some = (int)((long)rows * (i + 1) / strips) - top;
        fill_strip(&strip, s, x + (ptrdiff_t)top * ldx, ldx, some);
        for (int j = 0; j < s->blocks; j++) {
            float most[STRIP];
            const size_t at = (size_t)j * SCREEN_BLOCK;
            const Block block = { s->panel + at * (size_t)s->words * BYTES, s->scale + at, s->bias + at, s->words };
            tiles[some](most, &strip, &block);
            for (int r = 0; r < some; r++)
                ceiling[(size_t)(top + r) * s->blocks + j] =
                    ceiling_of(most[r], &s->norms[j], strip.norm[r], strip.error[r]);
        }
    }
}

/* ---- the results themselves ---- */

static int width_of(const Screen *s, int block)
{
    const int left = s->n - block * SCREEN_BLOCK;
    return left < SCREEN_BLOCK ? left : SCREEN_BLOCK;
}

/* The block of w as gemm reads it; perhaps another thread makes it at this moment, too. */
static const real *exact_panel(Screen *s, int block)
{
    real *made = NULL, *found = atomic_load_explicit(&s->exact[block], memory_order_acquire);
    if (found) return found;
    const int width = width_of(s, block);
    const Operand b = { s->w + (size_t)block * SCREEN_BLOCK * s->ldw, 1, s->ldw };
    made = xaligned_raw(gemm_panels(s->precision, s->k, width), sizeof *made);
    gemm_pack(s->precision, made, b, s->k, width, (Portion){ 0, 1 });
    if (atomic_compare_exchange_strong(&s->exact[block], &found, made)) return made;
    free(made);
    return found;
}

int screen_block(Screen *s, real result[SCREEN_BLOCK], const real *x, int block)
{
    const int width = width_of(s, block);
    const Result r = { result, SCREEN_BLOCK, s->b + (size_t)block * SCREEN_BLOCK, 0 };
    gemm_packed(s->precision, r, (Operand){ x, s->k, 1 }, exact_panel(s, block), 1, s->k, width);
    return width;
}

typedef struct { int id; real result; } Best;

static int is_among(int id, const int *list, int count)
{
    for (int i = 0; i < count; i++)
        if (list[i] == id) return 1;
    return 0;
}

/* Whether a word with this result goes before the best until now. */
static int goes_before(const Best *best, real result, int id)
{
    return best->id < 0 || result > best->result || (result == best->result && id < best->id);
}

static void look_at(Screen *s, Best *best, const real *x, int block, const int *forbidden, int count)
{
    real result[SCREEN_BLOCK];
    const int width = screen_block(s, result, x, block);
    for (int j = 0; j < width; j++) {
        const int id = block * SCREEN_BLOCK + j;
        if (goes_before(best, result[j], id) && !is_among(id, forbidden, count)) *best = (Best){ id, result[j] };
    }
}

static int most_promising(const float *ceiling, int blocks)
{
    int at = 0;
    for (int i = 1; i < blocks; i++)
        if (ceiling[i] > ceiling[at]) at = i;
    return at;
}

int screen_best(Screen *s, const float *ceiling, const real *x, const int *forbidden, int count)
{
    Best best = { -1, 0 };
    const int first = most_promising(ceiling, s->blocks);
    look_at(s, &best, x, first, forbidden, count);
    for (int i = 0; i < s->blocks; i++)
        if (i != first && (best.id < 0 || (real)ceiling[i] >= best.result))
            look_at(s, &best, x, i, forbidden, count);
    return best.id;
}
