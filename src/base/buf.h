/* buf.h - a byte string that grows. `text` is always NUL-terminated once anything was added;
 * zero-initialise it. */
#ifndef ATTN_BASE_BUF_H
#define ATTN_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

typedef struct {
    char  *text;        /* owned; NULL while nothing was ever added */
    size_t length;      /* bytes, without the NUL */
    size_t capacity;
} Buf;

/* A part of a text, borrowed: not NUL-terminated. */
typedef struct { const char *text; size_t length; } Slice;

static inline Slice slice_of(const char *text)
{
    return (Slice){ text, strlen(text) };
}

static inline Slice slice_between(const char *from, const char *end)
{
    return (Slice){ from, (size_t)(end - from) };
}

static inline int slices_equal(Slice a, Slice b)
{
    return a.length == b.length && (!a.length || !memcmp(a.text, b.text, a.length));
}

void buf_add(Buf *buf, const char *bytes, size_t length);
void buf_puts(Buf *buf, const char *text);
void buf_putc(Buf *buf, char c);
void buf_printf(Buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(Buf *buf, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
char *buf_room(Buf *buf, size_t length);      /* where so many bytes and a NUL can be added */
void buf_clear(Buf *buf);             /* empty, keeps its memory; text is "" afterwards */
void buf_free(Buf *buf);

static inline Slice buf_slice(const Buf *buf)
{
    return (Slice){ buf->text, buf->length };
}

#endif
