/* json.h - the door to cJSON: parsing what is not trusted, and getters that check.
 *
 * Every getter returns -1 and a message that names the key when it is missing or of the wrong type
 * or range. Other files use cJSON's own functions for building; none of them includes cJSON's
 * header but through this one.
 */
#ifndef ATTN_BASE_JSON_H
#define ATTN_BASE_JSON_H

#include "base/error.h"

#include <cjson/cJSON.h>
#include <stddef.h>

/* json_setup - makes cJSON allocate like base/mem.h: it ends the program instead of returning NULL.
 * Once, before all else of this file and of cJSON. */
void json_setup(void);

/* A text holds at most so many values, each of which takes 100 bytes or more: so that a file of
 * some megabytes doesn't ask for gigabytes. Enough for a vocabulary of two million pieces with
 * their merges. */
enum { JSON_VALUES = 5000000 };

/* json_parse - the one value in `text` (length bytes, need not end in NUL); NULL with a message on
 * anything else, trailing bytes, a NUL byte and more than JSON_VALUES among it. The caller frees
 * with cJSON_Delete. */
cJSON *json_parse(const char *text, size_t length, Err *e);

/* json_text - the value on one line (or indented). Control characters and line ends of Unicode are
 * escaped. Never NULL; the caller releases it with free(). */
char *json_text(const cJSON *value, int indented);

/* json_add_as_text - adds the text of `value` as a string, and releases the value. */
void json_add_as_text(cJSON *object, const char *key, cJSON *value);

/* json_add_exact - adds a finite number with the 17 digits that give the same double back; cJSON's
 * own printing may lose the last bit. */
void json_add_exact(cJSON *object, const char *key, double number);

/* json_rounded - a new number with what "%.*f" shows of it, so that text and JSON tell the same. */
cJSON *json_rounded(double number, int digits);

/* json_significant - a new number with what "%.*g" shows of it. */
cJSON *json_significant(double number, int digits);

int json_get_int(const cJSON *object, const char *key, double low, double high, int *out, Err *e);
int json_get_number(const cJSON *object, const char *key, double *out, Err *e);
int json_get_string(const cJSON *object, const char *key, const char **out, Err *e);   /* points into object */
int json_get_object(const cJSON *object, const char *key, const cJSON **out, Err *e);
int json_get_array(const cJSON *object, const char *key, const cJSON **out, Err *e);

#endif
