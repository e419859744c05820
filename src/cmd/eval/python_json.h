/* python_json.h - JSON with the blanks and the digits of Python's json.dumps, which scores have
 * always been printed with. */
#ifndef ATTN_CMD_EVAL_PYTHON_JSON_H
#define ATTN_CMD_EVAL_PYTHON_JSON_H

#include "base/json.h"

#include <stdio.h>

/* python_json_add_number - adds a finite number with the fewest digits that give the same double
 * back: 100.0, 59.69. */
void python_json_add_number(cJSON *object, const char *key, double number);

/* python_json_print - prints the value as json.dumps(value, indent=1) does, and a line end; but an
 * array of objects has their braces on the lines of its brackets and commas. */
void python_json_print(FILE *out, const cJSON *value);

#endif
