/* printable.c - control characters, by their bytes: one up to U+007F, two from U+0080 to U+009F. */
#include "base/printable.h"

#include "base/buf.h"

static int control_length(const char *at)
{
    const unsigned char *byte = (const unsigned char *)at;
    if (byte[0] < ' ' || byte[0] == 0x7F) return 1;
    return byte[0] == 0xC2 && byte[1] >= 0x80 && byte[1] < 0xA0 ? 2 : 0;
}

void make_printable(char *text)
{
    char *to = text;
    for (const char *at = text; *at;) {
        int control = control_length(at);
        *to++ = control ? '?' : *at;
        at += control ? control : 1;
    }
    *to = '\0';
}

void printable_vline(FILE *out, const char *format, va_list args)
{
    Buf line = { 0 };
    buf_vprintf(&line, format, args);
    make_printable(line.text);
    fprintf(out, "%s\n", line.text);
    buf_free(&line);
}

void printable_line(FILE *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printable_vline(out, format, args);
    va_end(args);
}
