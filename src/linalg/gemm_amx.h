/* gemm_amx.h - tiles by AMX, in place of gemm_tile.h. An instruction multiplies 16 words of up to
 * 16 rows by 16 words of 16 columns, and adds each word's products to sums of 32 bits. A tile is two
 * such registers high and two wide, so that of four products each two share what they read.
 *
 * The kernel includes it after
 *
 *   #define MULTIPLY_TILES                                          that instruction
 *
 * and defines tile() after it, of the functions on sums below. Its strips are by row, DEPTH words
 * apart, and zero up to a multiple of WORDS, as its panels are.
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
enum { WORDS = 16, HEIGHT = 16, PANEL_BYTES = TILE_COLUMNS * sizeof(real),
       STRIP_BYTES = DEPTH * sizeof(real) };
_Static_assert((int)TILE_ROWS == 2 * (int)HEIGHT && (int)LANES == (int)WORDS
               && (int)DEPTH % (int)WORDS == 0, "a tile is 2 x 2 registers");

#define MULTIPLE WORDS
#define STEPS    1

INLINE Vector columns_at(const real *panel)
{
    return *(const Loose *)panel;
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
    registers->bytes[i] = (uint16_t)(rows ? WORDS * (int)sizeof(real) : 0);
}

/* Of so many rows, those of the upper registers: all, or half of more than one register has. */
static inline int upper_rows(int rows)
{
    return rows > HEIGHT ? (rows + 1) / 2 : rows;
}

static void begin(int rows)
{
    Registers registers = { .palette = 1 };
    const int upper = upper_rows(rows), lower = rows - upper;
    set(&registers, UPPER_LEFT, upper);
    set(&registers, UPPER_RIGHT, upper);
    set(&registers, UPPER, upper);
    set(&registers, LOWER_LEFT, lower);
    set(&registers, LOWER_RIGHT, lower);
    set(&registers, LOWER, lower);
    set(&registers, LEFT, WORDS);
    set(&registers, RIGHT, WORDS);
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
INLINE void prefetch_result(int rows, const Result *r)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < TILE_COLUMNS; j += LANES)
            __builtin_prefetch(r->c + i * r->row + j, 1);
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

/* sums += A · panel, in the order of k. k: words, a multiple of WORDS; upper: rows. */
INLINE void sums_add(const int has_lower, int upper, const real *a, const real *panel, int k)
{
    const real *lower = a + upper * DEPTH;
    for (int p = 0; p < k; p += WORDS, panel += WORDS * TILE_COLUMNS) {
        _tile_loadd(LEFT, panel, PANEL_BYTES);
        _tile_loadd(UPPER, a + p, STRIP_BYTES);
        _tile_loadd(RIGHT, panel + LANES, PANEL_BYTES);
        MULTIPLY_TILES(UPPER_LEFT, UPPER, LEFT);
        MULTIPLY_TILES(UPPER_RIGHT, UPPER, RIGHT);
        if (has_lower) {
            _tile_loadd(LOWER, lower + p, STRIP_BYTES);
            MULTIPLY_TILES(LOWER_LEFT, LOWER, LEFT);
            MULTIPLY_TILES(LOWER_RIGHT, LOWER, RIGHT);
        }
    }
}

/* Those of the upper or the lower rows, to rows `ld` apart. */
INLINE void sums_store(const int is_lower, real *to, ptrdiff_t ld)
{
    const ptrdiff_t bytes = ld * (ptrdiff_t)sizeof *to;
    if (is_lower) {
        _tile_stored(LOWER_LEFT, to, bytes);
        _tile_stored(LOWER_RIGHT, to + LANES, bytes);
    } else {
        _tile_stored(UPPER_LEFT, to, bytes);
        _tile_stored(UPPER_RIGHT, to + LANES, bytes);
    }
}

/* C = start + A · panel. has_lower is a constant where this is inlined: whether there are rows for
 * the lower registers. */
INLINE void tile(const int has_lower, int rows, const Result *r, const real *a, const real *panel,
                 int k);

static void low_tile(int rows, const Result *r, const real *a, ptrdiff_t stride, const real *panel,
                     int k)
{
    (void)stride;
    tile(0, rows, r, a, panel, k);
}

static void high_tile(int rows, const Result *r, const real *a, ptrdiff_t stride,
                      const real *panel, int k)
{
    (void)stride;
    tile(1, rows, r, a, panel, k);
}

/* Tiles of up to HEIGHT rows, and of more. */
#define ONE  { NULL, low_tile }
#define TWO  { NULL, high_tile }
#define ALL_TILES \
    { { NULL, NULL }, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, \
      ONE, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO, TWO }

#endif
