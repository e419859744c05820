/* safetensors.h - named tensors and some strings in one file, in a format that other tools also
 * read and write.
 *
 * Layout (https://github.com/huggingface/safetensors, "Format"):
 *   1. 8 bytes: length N of the header, little-endian, at most 100 MB
 *   2. N bytes: a JSON object that begins with '{' and may be padded with blanks,
 *      { "__metadata__": { KEY: STRING },
 *        NAME: { "dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24] } }
 *   3. the tensors, row-major, little-endian; offsets count from the end of the header and
 *      leave no gap
 *
 * The types F32, I8 and U8 are supported, and F16 and BF16 of other programs' files by their bytes.
 * A file written here has its data at a multiple of 64 bytes, and its tensors in the order of the
 * array.
 */
#ifndef ATTN_MODEL_SAFETENSORS_H
#define ATTN_MODEL_SAFETENSORS_H

#include "base/error.h"
#include "base/json.h"
#include "base/real.h"

#include <stddef.h>

enum { TENSOR_RANK = 8 };       /* most dimensions */

typedef enum {
    DTYPE_F32, DTYPE_I8, DTYPE_U8,      /* in memory `real`, int8_t, uint8_t */
    DTYPE_F16, DTYPE_BF16               /* 16 bits as in the file */
} Dtype;

typedef struct {
    const char *name;
    Dtype       dtype;
    int         rank;                   /* 0: a single number */
    size_t      shape[TENSOR_RANK];
    union {
        const void *data;               /* the values, to be written */
        size_t      at;                 /* where they begin in the data of a file */
    };
} Tensor;

size_t tensor_count(const Tensor *t);               /* values */

/* A file that was checked completely, and stays open. The pointers that these functions return
 * point into it and are valid until safetensors_close. */
typedef struct Safetensors Safetensors;

/* safetensors_open - reads the header and checks lengths, UTF-8, JSON, duplicate keys, types,
 * shapes, offsets, gaps, overlaps and trailing bytes. It returns NULL with one message if the file
 * is damaged or not a safetensors file. It does not check the values. */
Safetensors *safetensors_open(const char *path, Err *e);
void         safetensors_close(Safetensors *file);  /* NULL is allowed */

size_t      safetensors_count(const Safetensors *file);                         /* tensors */
const Tensor *safetensors_at(const Safetensors *file, size_t i);            /* in their order */
const char *safetensors_metadata(const Safetensors *file, const char *key);     /* or NULL */

/* safetensors_find - returns the tensor with the name and exactly the shape of `wanted`, whose
 * dtype and values are ignored; or NULL with a message that doesn't name the file. */
const Tensor *safetensors_find(const Safetensors *file, const Tensor *wanted, Err *e);

/* safetensors_bytes - returns the row of U8 of that name, whatever its length is; or NULL. */
const Tensor *safetensors_bytes(const Safetensors *file, const char *name);

/* safetensors_read - reads the values of a tensor of the file into an array of that type; -1 with a
 * message that doesn't name the file where the tensor has another type, the file can't be read, or
 * was cut short meanwhile. */
int safetensors_read(const Safetensors *file, const Tensor *t, Dtype dtype, void *out, Err *e);

/* safetensors_write - replaces the file, atomically and durably (base/files/replace.h).
 * tensors   (count) with different names
 * metadata  an object of strings */
int safetensors_write(const char *path, const Tensor *tensors, size_t count,
                      const cJSON *metadata, Err *e);

#endif
