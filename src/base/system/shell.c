/* shell.c - single quotes, in which only a quote is special. */
#include "base/system/shell.h"

#include <string.h>

void shell_word(const char *text, Buf *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./+-:@%,=";
    if (*text && !text[strspn(text, plain)]) {
        buf_puts(out, text);
        return;
    }
    buf_putc(out, '\'');
    for (; *text; text++) {
        if (*text == '\'') buf_puts(out, "'\\''");
        else buf_putc(out, *text);
    }
    buf_putc(out, '\'');
}
