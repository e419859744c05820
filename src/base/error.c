/* error.c - messages; knows nothing of who sends them. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void say(const char *kind, const char *format, va_list args)
{
    char text[2048];
    vsnprintf(text, sizeof text, format, args);
    fprintf(stderr, "attn: %s: %s\n", kind, text);   /* one call: lines of two threads do not mix */
}

int err(Err *e, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    return -1;
}

void warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("warning", format, args);
    va_end(args);
}

void die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("error", format, args);
    va_end(args);
    exit(1);
}
