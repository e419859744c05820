/* roff.c - escapes: see groff_char(7), which mandoc follows. */
#include "docs/roff.h"

#include "text/unicode.h"

#include <ctype.h>
#include <string.h>

/* A character as roff prints it, or NULL: as it is. */
static const char *escape(char c)
{
    switch (c) {
    case '\\': return "\\e";
    case '-':  return "\\-";
    case '\'': return "\\(aq";
    case '`':  return "\\(ga";
    case '^':  return "\\(ha";
    case '~':  return "\\(ti";
    default:   return NULL;
    }
}

/* Appends the character at *at of valid UTF-8 and moves *at behind it. */
static void add_point(const char **at, Buf *out)
{
    const int32_t point = unicode_next(at);
    if (point < 0x80) buf_putc(out, (char)point);
    else buf_printf(out, "\\[u%04X]", (unsigned)point);
}

void roff_line(const char *line, size_t length, Buf *out)
{
    for (const char *end = line + length; line < end;) add_point(&line, out);
}

/* Appends a character of text and returns its length. */
static size_t add_character(const char *at, Buf *out)
{
    const char *escaped = escape(*at), *end = at;
    if (escaped) {
        buf_puts(out, escaped);
        return 1;
    }
    add_point(&end, out);
    return (size_t)(end - at);
}

/* A line that begins with one of these would be a request. */
static void guard(const char *line, Buf *out)
{
    if (*line == '.' || *line == '\'') buf_puts(out, "\\&");
}

void roff_code(const char *text, Buf *out)
{
    guard(text, out);
    while (*text) {
        const char *at = text;
        text += add_character(text, out);
        if (*at == '\n') guard(text, out);
    }
}

static int is_in_option(char c)
{
    return isalnum((unsigned char)c) || c == '-';
}

/* The length of an option at the start of a word, such as --beam or -o; 0: there is none. */
static size_t option_length(const char *at)
{
    const size_t dashes = strspn(at, "-");
    size_t length = dashes;
    if (dashes < 1 || dashes > 2 || !isalpha((unsigned char)at[dashes])) return 0;
    while (is_in_option(at[length])) length++;
    return length;
}

static size_t add_option(const char *at, size_t length, Buf *out)
{
    buf_puts(out, "\\fB");
    for (size_t i = 0; i < length; i++) add_character(at + i, out);
    buf_puts(out, "\\fR");
    return length;
}

/* A hyphen or an apostrophe between letters is that of prose. */
static int is_prose(const char *text, const char *at)
{
    return (*at == '-' || *at == '\'') && at > text && isalpha((unsigned char)at[-1])
        && isalpha((unsigned char)at[1]);
}

void roff_text(const char *text, Buf *out)
{
    const char *at = text;
    guard(at, out);
    while (*at) {
        const size_t option = at == text || !is_in_option(at[-1]) ? option_length(at) : 0;
        if (option) {
            at += add_option(at, option, out);
        } else if (!strncmp(at, "\n\n", 2)) {
            buf_puts(out, "\n.PP\n");
            guard(at += 2, out);
        } else if (is_prose(text, at)) {
            buf_putc(out, *at++);
        } else {
            const int is_end = *at == '\n';
            at += add_character(at, out);
            if (is_end) guard(at, out);
        }
    }
}
