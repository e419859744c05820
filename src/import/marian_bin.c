/* marian_bin.c - Marian's binary model file:
 *
 *     u64  version, 1
 *     u64  n, the number of items
 *     n    headers of four u64: bytes of the name, type, dimensions, bytes of the values
 *     n    names, each with a NUL at its end
 *     n    shapes of int32
 *     u64  bytes of padding, and these, up to a multiple of 256
 *     n    values
 *
 * Bergamot's matrices of 8 or 16 bits have one float m behind their values, each of which is
 * round(m x). All but embeddings lie in the other order than their shape says.
 */
#define _GNU_SOURCE      /* memmem */
#include "import/arrays.h"

#include "base/bytes.h"

#include <math.h>

enum { VERSION = 1, ITEM_BYTES = 32 };
enum { INTGEMM8 = 0x4101, INTGEMM16 = 0x4102 };

typedef struct { uint64_t name, type, rank, bytes; } Header;

static const struct { unsigned code; ArrayType type; } types[] = {
    { 0x404, ARRAY_F32 }, { 0x402, ARRAY_F16 }, { 0x408, ARRAY_F64 }, { 0x101, ARRAY_I8 },
    { 0x201, ARRAY_U8 }, { 0x102, ARRAY_I16 }, { 0x104, ARRAY_I32 }, { 0x108, ARRAY_I64 },
    { INTGEMM8, ARRAY_I8 }, { INTGEMM16, ARRAY_I16 }
};

static int read_type(Array *a, uint64_t code, Err *e)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].code == code) {
            a->type = types[i].type;
            return 0;
        }
    return err(e, "its type 0x%llx is packed for one kind of processor, or unknown; take the "
                  "model in floats, or its .intgemm8.bin", (unsigned long long)code);
}

static int read_name(Slice *rest, uint64_t length, Slice *name, Err *e)
{
    if (bytes_take(rest, length, name) || !length || memchr(name->text, '\0', length)
                                                     != name->text + length - 1)
        return err(e, "is damaged: an item has no name");
    name->length--;
    return 0;
}

static int read_shape(Array *a, uint64_t rank, Slice *rest, Err *e)
{
    if (rank > ARRAY_RANK) return err(e, "it has more than %d dimensions", ARRAY_RANK);
    a->rank = (int)rank;
    for (int i = 0; i < a->rank; i++) {
        uint64_t size;
        if (bytes_number(rest, 4, &size)) return err(e, "the file ends in its shape");
        if (size > INT32_MAX) return err(e, "its shape is negative");
        a->shape[i] = size;
    }
    return 0;
}

/* A matrix of integers: its m and its order. */
static int read_scale(Array *a, Slice name, Slice rest, Err *e)
{
    Slice m;
    float scale;
    if (bytes_take(&rest, sizeof scale, &m)) return err(e, "its scale is missing");
    memcpy(&scale, m.text, sizeof scale);
    if (!(scale > 0) || !isfinite(scale)) return err(e, "its scale is no positive number");
    a->divisors = m.text;
    a->divisor_count = 1;
    a->is_transposed = !memmem(name.text, name.length, "Wemb", 4);
    return 0;
}

static int read_item(Arrays *all, const Header *h, Slice name, Slice *shapes, Slice *values, Err *e)
{
    Array a = { 0 };
    Slice bytes;
    if (read_type(&a, h->type, e) || read_shape(&a, h->rank, shapes, e)) return -1;
    if (bytes_take(values, h->bytes, &bytes))
        return err(e, "it takes %llu bytes, of which %zu are there: truncated?",
                   (unsigned long long)h->bytes, values->length);
    if (array_place(&a, &bytes, e)
        || ((h->type == INTGEMM8 || h->type == INTGEMM16) && read_scale(&a, name, bytes, e)))
        return -1;
    arrays_add(all, name, &a);
    return 0;
}

/* Sets where the shapes and the values begin, which lengths in the headers say. */
static int find_parts(Slice headers, uint64_t count, Slice rest, Slice *shapes, Slice *values)
{
    uint64_t names = 0, dimensions = 0, padding;
    Slice part;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t name = bytes_at(headers, i * ITEM_BYTES, 8);
        const uint64_t rank = bytes_at(headers, i * ITEM_BYTES + 16, 8);
        if (name > rest.length || rank > rest.length) return -1;
        names += name;
        dimensions += rank;
        if (names > rest.length || dimensions > rest.length) return -1;
    }
    if (bytes_take(&rest, names, &part) || bytes_take(&rest, 4 * dimensions, shapes)
        || bytes_number(&rest, 8, &padding) || bytes_take(&rest, padding, &part))
        return -1;
    *values = rest;
    return 0;
}

int marian_bin_read(Arrays *all, Slice file, Err *e)
{
    Slice names = file, headers, shapes, values, name = { "", 0 };
    uint64_t version, count;
    Err why;
    if (bytes_number(&names, 8, &version) || bytes_number(&names, 8, &count))
        return err(e, "is a truncated model of Marian");
    if (version != VERSION)
        return err(e, "is a model of Marian in version %llu; only %d is read",
                   (unsigned long long)version, VERSION);
    if (count > names.length / ITEM_BYTES || bytes_take(&names, count * ITEM_BYTES, &headers)
        || find_parts(headers, count, names, &shapes, &values))
        return err(e, "is a truncated model of Marian: its table of items does not fit it");
    for (uint64_t i = 0; i < count; i++) {
        Header h;
        memcpy(&h, headers.text + i * ITEM_BYTES, sizeof h);
        if (read_name(&names, h.name, &name, e)) return -1;
        if (read_item(all, &h, name, &shapes, &values, &why))
            return err(e, "array \"%.*s\": %s", SHOWN(name), why.text);
    }
    return arrays_end(all, e);
}
