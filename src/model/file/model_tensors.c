/* model_tensors.c - see model_tensors.h. */
#include "model/file/model_tensors.h"

#include "base/finite.h"

#include <math.h>
#include <stdio.h>

static void set_name(TensorName *name, int network, const Parameter *p, const char *ending)
{
    char number[16] = "";
    if (network) snprintf(number, sizeof number, "%d.", network + 1);
    snprintf(name->text, sizeof name->text, "%s%s%s", number, p->name, ending);
}

Tensor parameter_tensor(const Parameter *p, int network, TensorName *name)
{
    set_name(name, network, p, "");
    return (Tensor){ .name = name->text, .dtype = DTYPE_REAL, .rank = p->columns ? 2 : 1,
                     .shape = { (size_t)p->rows, (size_t)p->columns } };
}

Tensor scale_tensor(const Parameter *p, int network, TensorName *name)
{
    set_name(name, network, p, "_scale");
    return (Tensor){ .name = name->text, .dtype = DTYPE_F32, .rank = 1,
                     .shape = { (size_t)p->rows } };
}

int check_finite(const Parameter *p, const real *block, Err *e)
{
    const real *x = block + p->at;
    size_t i = 0;
    if (all_finite(x, parameter_count(p))) return 0;
    while (isfinite(x[i]))
        i++;
    return err(e, "tensor \"%s\" holds a value that is not finite (%g, number %zu)", p->name,
               (double)x[i], i);
}
