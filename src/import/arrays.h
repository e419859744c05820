/* arrays.h - the named arrays of a foreign file: what every reader gives, and all that the mappings
 * to attn's network see.
 *
 * A reader knows a format and no network. It trusts nothing: every length is checked against the
 * bytes that are there. Its message names no file.
 */
#ifndef ATTN_IMPORT_ARRAYS_H
#define ATTN_IMPORT_ARRAYS_H

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"

#include <stddef.h>

enum { ARRAY_RANK = 8 };

typedef enum {
    ARRAY_F16, ARRAY_BF16, ARRAY_F32, ARRAY_F64,
    ARRAY_I8, ARRAY_U8, ARRAY_I16, ARRAY_I32, ARRAY_I64,
    ARRAY_TYPES
} ArrayType;

typedef struct {
    const char *name;
    ArrayType   type;
    int         rank;
    size_t      shape[ARRAY_RANK];
    const char *values;         /* row by row, little-endian, at any address */
    int         is_transposed;  /* they lie column by column */
    const char *divisors;       /* floats, or NULL: each value is to be divided by the one of its
                                 * row, ... */
    size_t      divisor_count;  /* ... or by the only one */
} Array;

/* Zero-initialise; arrays_free releases. */
typedef struct {
    Array  *array;              /* (count) by their names, once arrays_end has seen them */
    size_t  count, capacity;
    Region  memory;             /* of names, and of values that lie in no file */
} Arrays;

/* array_count - the number of values; array_bytes - of all of them. array_rows, array_columns - of
 *   an array that is seen as a matrix: its last dimension is the columns.
 * array_reals - writes the values as they are meant, row by row, or the rows of the transpose.
 * array_text - the text in an array of bytes, without NULs at its end.
 * arrays_are_same - whether both are there and have the same values: they are tied.
 * array_place - checks that `bytes` has the values of such a shape, and takes them from it; -1 with
 *   a message. */
size_t array_count(const Array *a);
size_t array_bytes(const Array *a);
size_t array_rows(const Array *a);
size_t array_columns(const Array *a);
void   array_reals(const Array *a, int transposed, real *out);
Slice  array_text(const Array *a);
int    arrays_are_same(const Array *one, const Array *other);
int    array_place(Array *a, Slice *bytes, Err *e);

/* arrays_add - adds one; its name, of `name`, is copied. Returns where it is until the next.
 * arrays_end - after the last one: sorts them; -1 where two have one name.
 * arrays_find - the one of that name, or NULL.
 * arrays_matrix - the one with the first of two names that is there, which has to be a matrix; NULL
 *   with a message. */
Array       *arrays_add(Arrays *all, Slice name, const Array *array);
int          arrays_end(Arrays *all, Err *e);
const Array *arrays_find(const Arrays *all, const char *name);
const Array *arrays_matrix(const Arrays *all, const char *name, const char *other, Err *e);
void         arrays_free(Arrays *all);

/* ---- The readers: of a whole file in memory, which must outlive the arrays ----
 *
 * npz_read - numpy's archive of arrays, as Marian writes it: a zip archive of members NAME.npy,
 *   stored or deflated (numpy.lib.format, versions 1 to 3).
 * marian_bin_read - Marian's binary file, version 1, with Bergamot's matrices of 8 or 16 bits
 *   (src/common/binary.cpp of marian-dev).
 * ctranslate2_read - CTranslate2's model.bin, versions 1 to 6 (src/models/model.cc).
 * safetensors_arrays - all tensors of a file in that format (model/file/safetensors.h), by its
 *   path; the message names it. */
int npz_read(Arrays *all, Slice file, Err *e);
int marian_bin_read(Arrays *all, Slice file, Err *e);
int ctranslate2_read(Arrays *all, Slice file, Err *e);
int safetensors_arrays(Arrays *all, const char *path, Err *e);

#endif
