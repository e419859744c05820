/* gemm_amx.h - tiles by AMX, in place of gemm_tile.h. An instruction multiplies 16 words of up to
 * 16 rows by 16 words of 16 columns, and adds each word's products to sums of 32 bits. A tile is two
 * such registers high and two wide, so that of four products each two share what they read.
 *
 * What is read lies in memory as squares of 16 rows of 16 words, in the order in which it is read:
 * of a strip the upper and the lower rows for each 16 words along k, of a panel the left and the
 * right columns. Both are zero up to a multiple of 16 words.
 *
 * The kernel includes it after
 *
 *   #define MULTIPLY_TILES                                          that instruction
 *
 * and defines tiles() after it, of the functions on sums below.
 */
#ifndef ATTN_LINALG_GEMM_AMX_H
#define ATTN_LINALG_GEMM_AMX_H

/* The registers: sums; what is multiplied, of the strip and of the panel. */
#define UPPER_LEFT  0
#define UPPER_RIGHT 1
#define LOWER_LEFT  2
#define LOWER_RIGHT 3
#define UPPER       4
#define LOWER       5
#define LEFT        6
#define RIGHT       7
enum { WORDS = 16, HEIGHT = 16, ROW_BYTES = WORDS * sizeof(real),
       SQUARE = HEIGHT * WORDS, PAIR = 2 * SQUARE };
_Static_assert((int)TILE_ROWS == 2 * (int)HEIGHT && (int)LANES == (int)WORDS,
               "a tile is 2 x 2 registers");

#define MULTIPLE WORDS
#define STEPS    1

static inline int panel_at(int p, int column)
{
    return p / WORDS * PAIR + column / LANES * SQUARE + p % WORDS * LANES;
}

static inline int strip_at(int p, int row, int k)
{
    (void)k;
    return p / WORDS * PAIR + row * WORDS + p % WORDS;
}

/* What the CPU is told about its registers, in its own format. */
typedef struct {
    uint8_t  palette, start, reserved[14];
    uint16_t bytes[16];     /* of a row */
    uint8_t  rows[16];
} Registers;

static void set(Registers *registers, int i, int rows)
{
    registers->rows[i] = (uint8_t)rows;
    registers->bytes[i] = (uint16_t)(rows ? ROW_BYTES : 0);
}

static void begin(int rows)
{
    Registers registers = { .palette = 1 };
    const int upper = min_int(rows, HEIGHT), lower = rows - upper;
    set(&registers, UPPER_LEFT, upper);
    set(&registers, UPPER_RIGHT, upper);
    set(&registers, UPPER, upper);
    set(&registers, LOWER_LEFT, lower);
    set(&registers, LOWER_RIGHT, lower);
    set(&registers, LOWER, lower);
    set(&registers, LEFT, HEIGHT);
    set(&registers, RIGHT, HEIGHT);
    /* GCC 12 believes that _tile_loadconfig reads a pointer's bytes only. */
    __asm__ volatile ("" : : "m"(registers));
    _tile_loadconfig(&registers);
}

static void end(void)
{
    _tile_release();
}

#define TILE_REGISTERS .begin = begin, .end = end,

/* Fetches what the tile is stored to, while it is computed. */
INLINE void prefetch_result(int rows, Result r)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < TILE_COLUMNS; j += LANES)
            __builtin_prefetch(r.c + i * r.row + j, 1);
}

INLINE void sums_zero(const int has_lower)
{
    _tile_zero(UPPER_LEFT);
    _tile_zero(UPPER_RIGHT);
    if (has_lower) {
        _tile_zero(LOWER_LEFT);
        _tile_zero(LOWER_RIGHT);
    }
}

/* sums += strip · panel, in the order of k. k: words, a multiple of WORDS. */
INLINE void sums_add(const int has_lower, const real *a, const real *panel, int k)
{
    for (int p = 0; p < k; p += WORDS, a += PAIR, panel += PAIR) {
        _tile_loadd(LEFT, panel, ROW_BYTES);
        _tile_loadd(UPPER, a, ROW_BYTES);
        _tile_loadd(RIGHT, panel + SQUARE, ROW_BYTES);
        MULTIPLY_TILES(UPPER_LEFT, UPPER, LEFT);
        MULTIPLY_TILES(UPPER_RIGHT, UPPER, RIGHT);
        if (has_lower) {
            _tile_loadd(LOWER, a + SQUARE, ROW_BYTES);
            MULTIPLY_TILES(LOWER_LEFT, LOWER, LEFT);
            MULTIPLY_TILES(LOWER_RIGHT, LOWER, RIGHT);
        }
    }
}

/* To rows `ld` apart. */
INLINE void sums_store(const int has_lower, real *to, ptrdiff_t ld)
{
    const ptrdiff_t bytes = ld * (ptrdiff_t)sizeof *to;
    _tile_stored(UPPER_LEFT, to, bytes);
    _tile_stored(UPPER_RIGHT, to + LANES, bytes);
    if (has_lower) {
        _tile_stored(LOWER_LEFT, to + HEIGHT * ld, bytes);
        _tile_stored(LOWER_RIGHT, to + HEIGHT * ld + LANES, bytes);
    }
}

/* C = start + strip · panels. has_lower is a constant where this is inlined: whether there are rows
 * for the lower registers. */
INLINE void tiles(const int has_lower, const Result *r, const Strip *a, Panels b, int k, int n);

static void low_tiles(const Result *r, const Strip *a, Panels b, int k, int n)
{
    tiles(0, r, a, b, k, n);
}

static void high_tiles(const Result *r, const Strip *a, Panels b, int k, int n)
{
    tiles(1, r, a, b, k, n);
}

/* Of up to HEIGHT rows, and of more. */
#define ONE  { NULL, low_tiles }
#define TWO  { NULL, high_tiles }
#define ALL_TILES \
    { { NULL, NULL }, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, \
      ONE, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO }

#endif
