/* reference.c - reading frozen answers. */
#include "reference.h"

#include "scratch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

cJSON *reference_open(const char *name)
{
    char path[256];
    Err e = { "" };
    snprintf(path, sizeof path, "tests/data/reference/%s.json", name);
    Content file = read_file(path);
    cJSON *reference = json_parse(file.data, file.size, &e);
    if (!reference) fail_msg("%s: %s", path, e.text);
    content_free(&file);
    return reference;
}

int reference_int(const cJSON *reference, const char *key)
{
    Err e = { "" };
    int number = 0;
    if (json_get_int(reference, key, 0, INT_MAX, &number, &e)) fail_msg("%s", e.text);
    return number;
}

double reference_number(const cJSON *reference, const char *key)
{
    Err e = { "" };
    double number = 0;
    if (json_get_number(reference, key, &number, &e)) fail_msg("%s", e.text);
    return number;
}

double *reference_doubles(Heap *heap, const cJSON *reference, const char *key, size_t count)
{
    Err e = { "" };
    const cJSON *array = NULL, *item;
    if (json_get_array(reference, key, &array, &e)) fail_msg("%s", e.text);
    if ((size_t)cJSON_GetArraySize(array) != count)
        fail_msg("\"%s\" holds %d numbers, not %zu", key, cJSON_GetArraySize(array), count);
    double *x = heap_doubles(heap, count), *next = x;
    cJSON_ArrayForEach(item, array) {
        if (!cJSON_IsNumber(item)) fail_msg("\"%s\" holds something that is no number", key);
        *next++ = item->valuedouble;
    }
    return x;
}

real *reference_reals(Heap *heap, const cJSON *reference, const char *key, size_t count)
{
    const double *wide = reference_doubles(heap, reference, key, count);
    real *x = heap_zeros(heap, count);
    for (size_t i = 0; i < count; i++)
        x[i] = (real)wide[i];
    return x;
}

int *reference_ints(Heap *heap, const cJSON *reference, const char *key, size_t count)
{
    const double *wide = reference_doubles(heap, reference, key, count);
    int *x = heap_take(heap, count, sizeof *x);
    for (size_t i = 0; i < count; i++)
        x[i] = (int)wide[i];
    return x;
}
