/* printable.c - what of Unicode is obeyed by a terminal or seen by nobody. */
#include "base/printable.h"

#include "base/buf.h"
#include "base/utf8.h"

typedef struct { int32_t first, last; } Range;

/* The categories Cc, Zl and Zp, and of Cf what shows nothing: it turns the direction of a line, or
 * hides between its letters. The joiners U+200C and U+200D belong to words and emoji. */
static const Range hidden[] = {
    { 0x01, 0x1F },       { 0x7F, 0x9F },       { 0xAD, 0xAD },       { 0x61C, 0x61C },
    { 0x180E, 0x180E },   { 0x200B, 0x200B },   { 0x200E, 0x200F },   { 0x2028, 0x202E },
    { 0x2060, 0x2064 },   { 0x2066, 0x206F },   { 0xFEFF, 0xFEFF },   { 0x1BCA0, 0x1BCA3 },
    { 0x1D173, 0x1D17A }, { 0xE0001, 0xE0001 }, { 0xE0020, 0xE007F },
};

size_t unprintable(const char *at)
{
    int32_t point;
    const size_t length = utf8_decode(at, SIZE_MAX, &point);
    for (size_t i = 0; length && i < sizeof hidden / sizeof *hidden; i++)
        if (point >= hidden[i].first && point <= hidden[i].last) return length;
    return 0;
}

void make_printable(char *text)
{
    char *to = text;
    for (const char *at = text; *at;) {
        const size_t length = unprintable(at);
        *to++ = length ? '?' : *at;
        at += length ? length : 1;
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
