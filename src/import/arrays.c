/* arrays.c - named arrays: their types, their values as reals, and finding one. */
#include "import/arrays.h"

#include "base/bytes.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const size_t type_bytes[ARRAY_TYPES] = {
    [ARRAY_F16] = 2, [ARRAY_BF16] = 2, [ARRAY_F32] = 4, [ARRAY_F64] = 8,
    [ARRAY_I8] = 1, [ARRAY_U8] = 1, [ARRAY_I16] = 2, [ARRAY_I32] = 4, [ARRAY_I64] = 8
};

size_t array_count(const Array *a)
{
    size_t count = 1;
    for (int i = 0; i < a->rank; i++)
        count *= a->shape[i];
    return count;
}

size_t array_bytes(const Array *a)
{
    return array_count(a) * type_bytes[a->type];
}

size_t array_columns(const Array *a)
{
    return a->rank ? a->shape[a->rank - 1] : 1;
}

size_t array_rows(const Array *a)
{
    size_t rows = 1;
    for (int i = 0; i < a->rank - 1; i++)
        rows *= a->shape[i];
    return rows;
}

int array_place(Array *a, Slice *bytes, Err *e)
{
    size_t size = type_bytes[a->type];
    for (int i = 0; i < a->rank; i++)
        if (__builtin_mul_overflow(size, a->shape[i], &size))
            return err(e, "its shape is too large for any memory");
    a->values = bytes->text;
    return !bytes_take(bytes, size, &(Slice){ 0 }) ? 0
         : err(e, "its shape takes %zu bytes, of which %zu are there: truncated?", size,
               bytes->length);
}

/* ---- Values ---- */

/* IEEE 754's binary16: a sign, 5 bits of exponent, 10 of fraction. */
static float float_of_half(uint16_t half)
{
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const float size = exponent == 31 ? (fraction ? NAN : INFINITY)
                     : exponent ? ldexpf((float)(fraction + 1024), exponent - 25)
                     : ldexpf((float)fraction, -24);
    return half >> 15 ? -size : size;
}

static real value_at(const char *at, ArrayType type)
{
    uint16_t half;
    int16_t  two;
    int32_t  four;
    int64_t  eight;
    float    x;
    double   wide;
    switch (type) {
    case ARRAY_F16: memcpy(&half, at, sizeof half); return float_of_half(half);
    case ARRAY_F64: memcpy(&wide, at, sizeof wide); return (real)wide;
    case ARRAY_I8:  return *(const signed char *)at;
    case ARRAY_U8:  return *(const unsigned char *)at;
    case ARRAY_I16: memcpy(&two, at, sizeof two); return two;
    case ARRAY_I32: memcpy(&four, at, sizeof four); return (real)four;
    case ARRAY_I64: memcpy(&eight, at, sizeof eight); return (real)eight;
    case ARRAY_BF16:            /* the upper half of a float */
        x = 0;
        memcpy((char *)&x + 2, at, sizeof half);
        return x;
    default: memcpy(&x, at, sizeof x); return x;
    }
}

void array_reals(const Array *a, int transposed, real *out)
{
    const size_t rows = array_rows(a), columns = array_columns(a), bytes = type_bytes[a->type];
    for (size_t i = 0; i < rows; i++) {
        const size_t divisor = a->divisor_count > 1 ? i * sizeof(float) : 0;
        const real scale = a->divisors ? 1 / value_at(a->divisors + divisor, ARRAY_F32) : 1;
        for (size_t j = 0; j < columns; j++) {
            const size_t by_rows = i * columns + j, by_columns = j * rows + i;
            const char *at = a->values + (a->is_transposed ? by_columns : by_rows) * bytes;
            const real value = value_at(at, a->type);
            out[transposed ? by_columns : by_rows] = a->divisors ? value * scale : value;
        }
    }
}

Slice array_text(const Array *a)
{
    Slice text = { a->values, array_count(a) };
    if (type_bytes[a->type] != 1) return (Slice){ "", 0 };
    while (text.length && !text.text[text.length - 1])
        text.length--;
    return text;
}

int arrays_are_same(const Array *one, const Array *other)
{
    const size_t divisors = one ? one->divisor_count * sizeof(float) : 0;
    return one && other && one->type == other->type && one->rank == other->rank
           && !memcmp(one->shape, other->shape, (size_t)one->rank * sizeof *one->shape)
           && one->is_transposed == other->is_transposed
           && one->divisor_count == other->divisor_count
           && (!divisors || !memcmp(one->divisors, other->divisors, divisors))
           && (one->values == other->values
               || !memcmp(one->values, other->values, array_bytes(one)));
}

/* ---- All of a file ---- */

Array *arrays_add(Arrays *all, Slice name, const Array *array)
{
    all->array = grow(all->array, &all->capacity, all->count + 1, sizeof *all->array);
    Array *a = &all->array[all->count++];
    *a = *array;
    a->name = region_strndup(&all->memory, name.text, name.length);
    return a;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const Array *)a)->name, ((const Array *)b)->name);
}

int arrays_end(Arrays *all, Err *e)
{
    if (all->count) qsort(all->array, all->count, sizeof *all->array, compare_names);
    for (size_t i = 1; i < all->count; i++)
        if (!compare_names(&all->array[i - 1], &all->array[i]))
            return err(e, "two of its arrays have the name \"%.60s\"", all->array[i].name);
    return 0;
}

const Array *arrays_find(const Arrays *all, const char *name)
{
    const Array wanted = { .name = name };
    return all->count ? bsearch(&wanted, all->array, all->count, sizeof wanted, compare_names)
                      : NULL;
}

const Array *arrays_matrix(const Arrays *all, const char *name, const char *other, Err *e)
{
    const Array *first = arrays_find(all, name), *a = first ? first : arrays_find(all, other);
    if (a && a->rank == 2 && array_count(a) && a->shape[0] <= INT_MAX && a->shape[1] <= INT_MAX)
        return a;
    err(e, "array \"%s\" is %s", a ? a->name : name, a ? "no matrix" : "missing");
    return NULL;
}

void arrays_free(Arrays *all)
{
    xfree(all->array);
    region_free(&all->memory);
    *all = (Arrays){ 0 };
}
