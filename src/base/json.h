/* json.h - the door to cJSON: parsing untrusted text, and getters that check.
 *
 * A getter returns -1 and a message that names the key if the key is missing or its value has the
 * wrong type or range. Other files build JSON with cJSON's own functions, and include its header
 * through this one only.
 */
#ifndef ATTN_BASE_JSON_H
#define ATTN_BASE_JSON_H

#include "base/error.h"

#include <cjson/cJSON.h>
#include <stddef.h>

/* json_setup - makes cJSON allocate like base/mem.h, which ends the program instead of returning
 * NULL. Call it once, before any other function of this file and of cJSON. */
void json_setup(void);

/* The most values in a text. Each takes 100 bytes or more, so without a limit a file of some
 * megabytes could ask for gigabytes. Enough for a vocabulary of two million pieces with their
 * merges. */
enum { JSON_VALUES = 5000000 };

/* json_parse - the one value in `text` (length bytes, NUL not needed); NULL with a message for
 * anything else: trailing bytes, a NUL byte, more than JSON_VALUES.
 * json_free - releases it; or NULL. In the program, which works in no Mem, cJSON_Delete does. */
cJSON *json_parse(const char *text, size_t length, Err *e);
void   json_free(cJSON *value);

/* json_text - the value on one line (or indented). What is unprintable (base/strings.h) is
 * escaped. Never NULL; the caller frees it. */
char *json_text(const cJSON *value, int indented);

/* Names of files and command lines are bytes, and JSON is UTF-8. A byte that is none is written \xE9,
 * and a backslash before what looks so is \x5C: all bytes come back.
 *
 * json_bytes         - a new string of them
 * json_add_bytes     - adds it to an object
 * json_restore_bytes - makes the bytes of each string in the value, once; afterwards a string may be
 *                      no UTF-8 */
cJSON *json_bytes(const char *bytes);
void   json_add_bytes(cJSON *object, const char *key, const char *bytes);
void   json_restore_bytes(cJSON *value);

/* json_add_as_text - adds the text of `value` as a string, and releases the value. */
void json_add_as_text(cJSON *object, const char *key, cJSON *value);

/* json_add_exact - adds a finite number with the 17 digits that give the same double back; cJSON's
 * own printing may lose the last bit. */
void json_add_exact(cJSON *object, const char *key, double number);

/* json_rounded - a new number with the value that "%.*f" prints, so that text and JSON agree. */
cJSON *json_rounded(double number, int digits);

/* json_significant - a new number with the value that "%.*g" prints. */
cJSON *json_significant(double number, int digits);

/* A string points into the object. */
int json_get_int(const cJSON *object, const char *key, double low, double high, int *out, Err *e);
int json_get_number(const cJSON *object, const char *key, double *out, Err *e);
int json_get_string(const cJSON *object, const char *key, const char **out, Err *e);
int json_get_object(const cJSON *object, const char *key, const cJSON **out, Err *e);
int json_get_array(const cJSON *object, const char *key, const cJSON **out, Err *e);

#endif
