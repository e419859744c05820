/* error.c - errors as values. */
#include "base/error.h"

#include <stdio.h>

int err(Err *e, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    return -1;
}
