/* arrays.c - named arrays: their types, their values as reals, and finding one. */
#include "import/arrays.h"

#include "base/bytes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const size_t type_bytes[ARRAY_TYPES] = {
    [ARRAY_F16] = 2, [ARRAY_BF16] = 2, [ARRAY_F32] = 4, [ARRAY_F64] = 8,
    [ARRAY_I8] = 1, [ARRAY_U8] = 1, [ARRAY_I16] = 2, [ARRAY_I32] = 4, [ARRAY_I64] = 8
};

size_t array_type_bytes(ArrayType type)
{
    return type_bytes[type];
}

size_t array_count(const Array *a)
{
    size_t count = 1;
    for (int i = 0; i < a->rank; i++)
        count *= a->shape[i];
    return count;
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

static float float_at(const char *at)
{
    float x;
    memcpy(&x, at, sizeof x);
    return x;
}

static float float_of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* IEEE 754's binary16: a sign, 5 bits of exponent, 10 of fraction. */
static float float_of_half(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half >> 15) << 31, exponent = half >> 10 & 31;
    const uint32_t fraction = half & 1023;
    if (exponent == 31) return float_of_bits(sign | 0x7F800000 | fraction << 13);
    if (exponent) return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
    const float small = (float)fraction * 0x1p-24F;
    return sign ? -small : small;
}

static real value_at(const char *at, ArrayType type)
{
    uint16_t half;
    int16_t  two;
    int32_t  four;
    int64_t  eight;
    double   x;
    switch (type) {
    case ARRAY_F16:  memcpy(&half, at, sizeof half); return float_of_half(half);
    case ARRAY_BF16: memcpy(&half, at, sizeof half); return float_of_bits((uint32_t)half << 16);
    case ARRAY_F64:  memcpy(&x, at, sizeof x); return (real)x;
    case ARRAY_I8:   return *(const signed char *)at;
    case ARRAY_U8:   return *(const unsigned char *)at;
    case ARRAY_I16:  memcpy(&two, at, sizeof two); return two;
    case ARRAY_I32:  memcpy(&four, at, sizeof four); return (real)four;
    case ARRAY_I64:  memcpy(&eight, at, sizeof eight); return (real)eight;
    default:         return float_at(at);
    }
}

void array_reals(const Array *a, real *out)
{
    const size_t columns = array_columns(a), bytes = type_bytes[a->type];
    const char *at = a->values;
    for (size_t i = 0, count = array_count(a); i < count; i += columns) {
        const size_t row = i / columns;
        const char *divisor = a->divisors + (a->divisor_count > 1 ? row * sizeof(float) : 0);
        const float scale = a->divisors ? 1 / float_at(divisor) : 1;
        for (size_t j = 0; j < columns; j++, at += bytes)
            out[i + j] = a->divisors ? value_at(at, a->type) * scale : value_at(at, a->type);
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

void arrays_free(Arrays *all)
{
    xfree(all->array);
    region_free(&all->memory);
    *all = (Arrays){ 0 };
}
