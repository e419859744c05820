/* safetensors_arrays.c - the tensors of a file of safetensors as arrays. */
#include "import/arrays.h"

#include "model/file/safetensors.h"

#include <string.h>

static int add_tensor(Arrays *all, const Safetensors *file, const Tensor *t, Err *e)
{
    static const ArrayType types[] = { [DTYPE_F32] = ARRAY_F32, [DTYPE_I8] = ARRAY_I8,
                                       [DTYPE_U8] = ARRAY_U8,
                                       [DTYPE_F16] = ARRAY_F16, [DTYPE_BF16] = ARRAY_BF16 };
    Array a = { .type = types[t->dtype], .rank = t->rank };
    void *values = region_take(&all->memory, tensor_count(t), sizeof(float));
    memcpy(a.shape, t->shape, sizeof a.shape);
    a.values = values;
    arrays_add(all, slice_of(t->name), &a);
    return safetensors_read(file, t, t->dtype, values, e);
}

int safetensors_arrays(Arrays *all, const char *path, Err *e)
{
    Err why;
    Safetensors *file = safetensors_open(path, e);
    if (!file) return -1;
    int failed = 0;
    for (size_t i = 0; i < safetensors_count(file) && !failed; i++)
        failed = add_tensor(all, file, safetensors_at(file, i), &why);
    if (!failed) failed = arrays_end(all, &why);
    safetensors_close(file);
    return failed ? err(e, "%s: %s", path, why.text) : 0;
}
