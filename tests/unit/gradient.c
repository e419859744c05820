/* gradient.c - central differences of fourth order. */
#include "gradient.h"

static double moved(real *x, double by, Objective f, void *context)
{
    real kept = *x;
    *x = (real)((double)kept + by);
    double value = f(context);
    *x = kept;
    return value;
}

static double slope(real *x, Objective f, void *context)
{
    const double h = 0x1p-11;
    double near = moved(x, h, f, context) - moved(x, -h, f, context);
    double far = moved(x, 2 * h, f, context) - moved(x, -2 * h, f, context);
    return (8 * near - far) / (12 * h);
}

void assert_central_differences(const char *what, const real *dx, real *x, size_t count,
                                Objective f, void *context, double operations, const char *file,
                                int line)
{
    Heap heap = { 0 };
    double *slopes = heap_doubles(&heap, count);
    for (size_t i = 0; i < count; i++)
        slopes[i] = slope(&x[i], f, context);
    assert_all_near(what, dx, slopes, count, operations, GRADIENT_SLACK, file, line);
    heap_free(&heap);
}
