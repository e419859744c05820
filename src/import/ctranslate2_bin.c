/* ctranslate2_bin.c - CTranslate2's model.bin:
 *
 *     u32          version, 1 to 6
 *     string, u32  from version 2: the kind of network and its revision
 *     u32          the number of variables, and each:
 *         string   its name
 *         u8       dimensions, and each as u32
 *         u8, u32  from version 4 its type and bytes; before the bytes of a value, and their number
 *         values
 *     u32          from version 3: aliases, each two strings, its name and that of a variable
 *
 * A string is a u16 of its bytes with the NUL at their end, and these. A matrix of integers NAME
 * has floats NAME_scale, by which its rows, or the whole, are to be divided.
 */
#include "import/arrays.h"

#include "base/bytes.h"
#include "base/strings.h"

#include <math.h>

enum { MOST_VERSION = 6, WITH_SPEC = 2, WITH_ALIASES = 3, WITH_TYPES = 4 };
#define SCALE "_scale"

static const ArrayType types[] = { ARRAY_F32, ARRAY_I8, ARRAY_I16, ARRAY_I32, ARRAY_F16,
                                   ARRAY_BF16 };

static const char truncated[] = "is a truncated model of CTranslate2";

static int read_string(Slice *rest, Slice *string)
{
    uint64_t length;
    if (bytes_number(rest, 2, &length) || !length || bytes_take(rest, length, string)) return -1;
    string->length--;
    return memchr(string->text, '\0', length) == string->text + length - 1 ? 0 : -1;
}

/* The type of the values and their bytes, or how many bytes each has and how many there are. */
static int read_type(Array *a, uint64_t version, Slice *rest, uint64_t *size, Err *e)
{
    uint64_t type;
    if (bytes_number(rest, 1, &type) || bytes_number(rest, 4, size)) return err(e, "truncated");
    if (version >= WITH_TYPES && type >= sizeof types / sizeof *types)
        return err(e, "its type %d is unknown", (int)type);
    if (version >= WITH_TYPES) a->type = types[type];
    else if (type == 4) a->type = ARRAY_F32;
    else if (type == 2) a->type = ARRAY_I16;
    else if (type == 1) a->type = ARRAY_I8;
    else return err(e, "its values have %d bytes each", (int)type);
    return 0;
}

static int read_variable(Array *a, uint64_t version, Slice *rest, Err *e)
{
    uint64_t rank, size;
    if (bytes_number(rest, 1, &rank)) return err(e, "truncated");
    if (rank > ARRAY_RANK) return err(e, "it has %d dimensions", (int)rank);
    for (a->rank = 0; a->rank < (int)rank; a->rank++) {
        if (bytes_number(rest, 4, &size)) return err(e, "truncated");
        a->shape[a->rank] = size;
    }
    if (read_type(a, version, rest, &size, e) || array_place(a, rest, e)) return -1;
    if ((version >= WITH_TYPES ? array_bytes(a) : array_count(a)) == size) return 0;
    return err(e, "its shape and its bytes contradict each other");
}

/* ---- Scales and aliases, once all variables are there ---- */

static int check_scales(const Array *a, const Array *scale, Err *e)
{
    const size_t count = array_count(scale);
    if (scale->type != ARRAY_F32 || (count != 1 && count != array_rows(a)))
        return err(e, "array \"%.60s\" does not fit its matrix", scale->name);
    for (size_t i = 0; i < count; i++) {
        float x;
        memcpy(&x, scale->values + i * sizeof x, sizeof x);
        if (!(x > 0) || !isfinite(x))
            return err(e, "array \"%.60s\" has a scale that is no positive number", scale->name);
    }
    return 0;
}

/* Gives each matrix its scales. */
static int join_scales(Arrays *all, Err *e)
{
    for (size_t i = 0; i < all->count; i++) {
        Array *a = &all->array[i];
        SCOPED(buf_free) Buf name = { 0 };
        buf_printf(&name, "%s" SCALE, a->name);
        const Array *scale = arrays_find(all, name.text);
        if (!scale) continue;
        if (check_scales(a, scale, e)) return -1;
        a->divisors = scale->values;
        a->divisor_count = array_count(scale);
    }
    return 0;
}

/* Leaves out what other arrays have taken. */
static void drop_scales(Arrays *all)
{
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++)
        if (!ends_with(all->array[i].name, SCALE)) all->array[kept++] = all->array[i];
    all->count = kept;
}

/* The variables are sorted until the first alias is added, which is behind them. */
static int read_aliases(Arrays *all, Slice *rest, Err *e)
{
    uint64_t count;
    const Arrays variables = *all;
    if (bytes_number(rest, 4, &count)) return err(e, "%s", truncated);
    for (uint64_t i = 0; i < count; i++) {
        Slice alias, variable;
        if (read_string(rest, &alias) || read_string(rest, &variable))
            return err(e, "%s", truncated);
        const Arrays before = { .array = all->array, .count = variables.count };
        const char *name = region_strndup(&all->memory, variable.text, variable.length);
        if (ends_with(name, SCALE)) continue;           /* its matrix has it */
        const Array *found = arrays_find(&before, name);
        if (!found) return err(e, "an alias means \"%.60s\", which is not there", name);
        const Array same = *found;
        arrays_add(all, alias, &same);
    }
    return arrays_end(all, e);
}

int ctranslate2_read(Arrays *all, Slice file, Err *e)
{
    uint64_t version, revision, count;
    Slice rest = file, name = { "", 0 };
    Err why;
    if (bytes_number(&rest, 4, &version)) return err(e, "%s", truncated);
    if (!version || version > MOST_VERSION)
        return err(e, "is a model of CTranslate2 in version %u; 1 to %d are read",
                   (unsigned)version, MOST_VERSION);
    if ((version >= WITH_SPEC && (read_string(&rest, &name) || bytes_number(&rest, 4, &revision)))
        || bytes_number(&rest, 4, &count))
        return err(e, "%s", truncated);
    for (uint64_t i = 0; i < count; i++) {
        Array a = { 0 };
        if (read_string(&rest, &name)) return err(e, "%s", truncated);
        if (read_variable(&a, version, &rest, &why))
            return err(e, "array \"%.*s\": %s", SHOWN(name), why.text);
        arrays_add(all, name, &a);
    }
    if (arrays_end(all, e) || join_scales(all, e)) return -1;
    drop_scales(all);
    return version >= WITH_ALIASES ? read_aliases(all, &rest, e) : 0;
}
