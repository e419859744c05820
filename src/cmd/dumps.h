/* dumps.h - JSON with the blanks and the digits of Python's json.dumps, which scores have always been printed with. */
#ifndef ATTN_CMD_DUMPS_H
#define ATTN_CMD_DUMPS_H

#include "base/json.h"

#include <stdio.h>

/* dumps_add_number - adds a finite number with the fewest digits that give the same double back: 100.0, 59.69. */
void dumps_add_number(cJSON *object, const char *key, double number);

/* dumps_print - prints the value indented by `indent` blanks a level, every line `margin` blanks further in; no line
 * end behind it. */
void dumps_print(FILE *out, const cJSON *value, int indent, int margin);

#endif
