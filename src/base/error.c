/* error.c - errors as values, and how messages of the program look on stderr. */
#include "base/error.h"

#include "base/mem.h"
#include "base/strings.h"

#include <stdio.h>
#include <stdlib.h>

static const char *speaker;     /* NULL: there is only one */

int err(Err *e, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    return -1;
}

void message_from(const char *name)
{
    speaker = name;
}

void message_print(const char *kind, const char *format, va_list args)
{
    char text[2048];        /* no memory is asked for: this may be the message that there is none */
    vsnprintf(text, sizeof text, format, args);
    make_printable(text);
    fprintf(stderr, "attn: %s: %s%s%s\n", kind, speaker ? speaker : "", speaker ? ": " : "",
            text);          /* one call: lines of two threads do not mix */
}

void warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_print("warning", format, args);
    va_end(args);
}

void die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mem_fail(format, args);         /* in the library it ends a call; in the program it returns */
    message_print("error", format, args);
    exit(1);
}
