/* buf.c - a byte string that grows. */
#include "base/buf.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *buf_room(Buf *buf, size_t length)
{
    buf->text = grow(buf->text, &buf->capacity, buf->length + length + 1, 1);
    return buf->text + buf->length;
}

void buf_add(Buf *buf, const char *bytes, size_t length)
{
    memcpy(buf_room(buf, length), bytes, length);
    buf->length += length;
    buf->text[buf->length] = '\0';
}

void buf_puts(Buf *buf, const char *text)
{
    buf_add(buf, text, strlen(text));
}

void buf_putc(Buf *buf, char c)
{
    buf_add(buf, &c, 1);
}

void buf_vprintf(Buf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    vsnprintf(buf_room(buf, (size_t)length), (size_t)length + 1, format, again);
    buf->length += (size_t)length;
    va_end(again);
}

void buf_printf(Buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    buf_vprintf(buf, format, args);
    va_end(args);
}

void buf_clear(Buf *buf)
{
    buf->length = 0;
    *buf_room(buf, 0) = '\0';
}

void buf_free(Buf *buf)
{
    xfree(buf->text);
    *buf = (Buf){ 0 };
}
