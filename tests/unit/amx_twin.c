/* amx_twin.c - registers of AMX in an array, for each thread its own. */
#ifdef __x86_64__
#include "amx_twin.h"

#include "test.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { REGISTERS = 8, MOST_ROWS = 16, MOST_BYTES = 64 };

/* One of 0 rows is not configured. */
typedef struct {
    int           rows, bytes;
    unsigned char row[MOST_ROWS][MOST_BYTES];
} Register;

static _Thread_local Register all[REGISTERS];

static void demand(int holds, const char *what)
{
    if (!holds) fail_msg("AMX: %s", what);
}

static Register *configured(int i)
{
    demand(i >= 0 && i < REGISTERS, "no such register");
    demand(all[i].rows > 0, "a register that is not configured");
    return &all[i];
}

void amx_twin_loadconfig(const void *registers)
{
    const unsigned char *byte = registers;
    demand(byte[0] == 1 && byte[1] == 0, "an unknown palette, or a row to begin with");
    memset(all, 0, sizeof all);
    for (int i = 0; i < MOST_ROWS; i++) {
        const int bytes = byte[16 + 2 * i] + 256 * byte[17 + 2 * i], rows = byte[48 + i];
        demand(i < REGISTERS || (!bytes && !rows), "a reserved byte that is not zero");
        demand(rows <= MOST_ROWS && bytes <= MOST_BYTES && bytes % 4 == 0 && !rows == !bytes,
               "a register of a size that there is not");
        if (i < REGISTERS) all[i].rows = rows, all[i].bytes = bytes;
    }
    for (int i = 2; i < 16; i++) demand(!byte[i], "a reserved byte that is not zero");
}

void amx_twin_release(void)
{
    memset(all, 0, sizeof all);
}

int amx_twin_is_released(void)
{
    int rows = 0;
    for (int i = 0; i < REGISTERS; i++) rows += all[i].rows;
    return !rows;
}

void amx_twin_zero(int to)
{
    memset(configured(to)->row, 0, sizeof all->row);
}

void amx_twin_loadd(int to, const void *rows, ptrdiff_t stride)
{
    Register *r = configured(to);
    memset(r->row, 0, sizeof r->row);
    for (int i = 0; i < r->rows; i++)
        memcpy(r->row[i], (const char *)rows + i * stride, (size_t)r->bytes);
}

void amx_twin_stored(int from, void *rows, ptrdiff_t stride)
{
    const Register *r = configured(from);
    for (int i = 0; i < r->rows; i++)
        memcpy((char *)rows + i * stride, r->row[i], (size_t)r->bytes);
}

/* Calls add for each row of a, with that row, `to`'s and b. */
static void multiply(int to, int a, int b,
                     void add(unsigned char *sums, const unsigned char *row, const Register *b))
{
    Register *sums = configured(to);
    const Register *left = configured(a), *right = configured(b);
    demand(to != a && to != b && a != b, "a register twice");
    demand(sums->rows == left->rows && left->bytes == 4 * right->rows
           && sums->bytes == right->bytes, "registers of sizes that don't fit");
    for (int i = 0; i < sums->rows; i++) add(sums->row[i], left->row[i], right);
}

/* ---- bfloat16 ---- */

/* Subnormal numbers count as zero, as factors and as sums. */
static inline float flushed(float x)
{
    return fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

static inline float bf16_at(const unsigned char *bytes)
{
    const unsigned bits = (unsigned)bytes[0] << 16 | (unsigned)bytes[1] << 24;
    float x;
    memcpy(&x, &bits, sizeof x);
    return flushed(x);
}

/* The first and the second numbers of all words make a sum each. Products are exact. */
static void add_bf16(unsigned char *sums, const unsigned char *row, const Register *b)
{
    float part[MOST_BYTES / 4][2] = { 0 }, sum;
    for (int p = 0; p < 2 * b->rows; p++) {
        const float x = bf16_at(row + 2 * p);
        for (int j = 0; j < b->bytes / 4; j++) {
            float *of = &part[j][p % 2];
            *of = flushed(*of + x * bf16_at(b->row[p / 2] + 4 * j + p % 2 * 2));
        }
    }
    for (int j = 0; j < b->bytes / 4; j++) {
        memcpy(&sum, sums + 4 * j, sizeof sum);
        sum = flushed(flushed(sum) + flushed(part[j][0] + part[j][1]));
        memcpy(sums + 4 * j, &sum, sizeof sum);
    }
}

void amx_twin_dpbf16ps(int to, int a, int b)
{
    multiply(to, a, b, add_bf16);
}

/* ---- integers of 8 bits ---- */

static inline int integer_at(const unsigned char *byte, int is_signed)
{
    return is_signed ? (signed char)*byte : *byte;
}

static void add_integers(int is_signed, unsigned char *sums, const unsigned char *row,
                         const Register *b)
{
    for (int j = 0; j < b->bytes; j += 4) {
        int32_t sum;
        memcpy(&sum, sums + j, sizeof sum);
        for (int p = 0; p < 4 * b->rows; p++)
            sum += integer_at(row + p, is_signed) * integer_at(b->row[p / 4] + j + p % 4, 1);
        memcpy(sums + j, &sum, sizeof sum);
    }
}

static void add_unsigned(unsigned char *sums, const unsigned char *row, const Register *b)
{
    add_integers(0, sums, row, b);
}

static void add_signed(unsigned char *sums, const unsigned char *row, const Register *b)
{
    add_integers(1, sums, row, b);
}

void amx_twin_dpbusd(int to, int a, int b)
{
    multiply(to, a, b, add_unsigned);
}

void amx_twin_dpbssd(int to, int a, int b)
{
    multiply(to, a, b, add_signed);
}
#endif
