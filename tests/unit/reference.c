/* reference.c - reading frozen answers. */
#include "reference.h"

#include "base/mem.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static char *whole_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("cannot open %s: run the tests from the top of the project", path);
    char *text = NULL;
    size_t capacity = 0, got;
    *length = 0;
    do {
        text = grow(text, &capacity, *length + BUFSIZ, 1);
        got = fread(text + *length, 1, BUFSIZ, file);
        *length += got;
    } while (got);
    fclose(file);
    return text;
}

cJSON *reference_open(const char *name)
{
    char path[256];
    size_t length;
    Err e = { "" };
    snprintf(path, sizeof path, "tests/data/reference/%s.json", name);
    char *text = whole_file(path, &length);
    cJSON *reference = json_parse(text, length, &e);
    if (!reference) fail_msg("%s: %s", path, e.text);
    free(text);
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
