/* reference.h - frozen answers: tests/data/reference/NAME.json, written by scripts/make-reference
 * with PyTorch in double. One object; each array is flat and row-major, inputs are exact in float.
 * What is missing, or has another length than asked for, fails the test.
 */
#ifndef ATTN_TESTS_REFERENCE_H
#define ATTN_TESTS_REFERENCE_H

#include "base/json.h"
#include "numbers.h"

cJSON  *reference_open(const char *name);                       /* for cJSON_Delete */
int     reference_int(const cJSON *reference, const char *key);
double  reference_number(const cJSON *reference, const char *key);
real   *reference_reals(Heap *heap, const cJSON *reference, const char *key, size_t count);
double *reference_doubles(Heap *heap, const cJSON *reference, const char *key, size_t count);
int    *reference_ints(Heap *heap, const cJSON *reference, const char *key, size_t count);

#endif
