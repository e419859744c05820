/* python_json.c - what cJSON prints with tabs, with blanks. */
#include "cmd/eval/python_json.h"

#include <math.h>
#include <stdlib.h>

/* The fewest digits behind the point, at least one; tiny numbers get an exponent, as in Python. */
void python_json_add_number(cJSON *object, const char *key, double number)
{
    char text[512];                 /* the largest double has 309 digits before the point */
    int tiny = number != 0 && fabs(number) < 1e-4;
    for (int digits = !tiny; digits <= 24; digits++) {
        snprintf(text, sizeof text, tiny ? "%.*e" : "%.*f", digits, number);
        if (strtod(text, NULL) == number) break;
    }
    cJSON_AddRawToObject(object, key, text);
}

/* cJSON escapes the tabs inside strings: every other one is at the start of a line or after a
 * colon. */
void python_json_print(FILE *out, const cJSON *value)
{
    char *text = json_text(value, 1);
    for (char *c = text; *c; c++)
        if (*c == '\t') *c = ' ';
    fprintf(out, "%s\n", text);
    free(text);
}
