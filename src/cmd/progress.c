/* progress.c - an update reads the clock first, so that it costs next to nothing in every step. */
#include "cmd/progress.h"

#include "base/buf.h"
#include "base/system/clock.h"
#include "base/mem.h"
#include "base/printable.h"
#include "base/system/terminal.h"
#include "base/bar.h"
#include "text/unicode.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_BAR = 5, WIDEST_BAR = 24, INDENT = 4 };
static const char between[] = "  ";         /* fields */
#define REDRAW_SECONDS 0.1

void progress_init(Progress *p, FILE *stream, int quiet, double every)
{
    *p = (Progress){ .stream = quiet ? NULL : stream, .started = clock_seconds(), .first = -1 };
    p->terminal = !quiet && terminal_is(stream);
    p->every = p->terminal ? REDRAW_SECONDS : every;
    p->printed = p->terminal ? -HUGE_VAL : p->started;
}

/* "  3:21 left", from the speed so far. */
static void put_time_left(const Progress *p, double fraction, double time, Buf *out)
{
    double left = (1 - fraction) / (fraction - p->first) * (time - p->started);
    if (!(left >= 0 && left < 1e6)) return;     /* too little was done to say */
    int seconds = (int)ceil(left);
    if (seconds >= 3600)
        buf_printf(out, "  %d:%02d:%02d left", seconds / 3600, seconds / 60 % 60, seconds % 60);
    else buf_printf(out, "  %d:%02d left", seconds / 60, seconds % 60);
}

/* The start of the last field, with the blanks before it. */
static char *last_field(char *fields)
{
    char *last = fields;
    for (char *at = fields; (at = strstr(at, between)); at++)
        last = at;
    return last;
}

/* Drops the last fields until the others fit. */
static void drop_fields(char *fields, int columns)
{
    while (*fields && unicode_columns(fields) > columns)
        *last_field(fields) = '\0';
}

/* Fills `columns` with the bar and a blank after it. */
static void put_bar(double fraction, int columns, Buf *out)
{
    const int width = columns > WIDEST_BAR + 1 ? WIDEST_BAR : columns > 1 ? columns - 1 : 0;
    const int drawn = bar_draw(fraction, width, out);
    buf_printf(out, "%*s", width - drawn + 1, "");
}

static void put_progress(const Progress *p, double fraction, char *fields, double time, Buf *out)
{
    Buf left = { 0 };
    int columns = progress_columns(p);
    buf_clear(&left);
    if (fraction >= 0) {
        put_time_left(p, fraction, time, &left);
        buf_printf(out, "%3d%% ", (int)(fraction * 100));
        columns -= (int)(out->length + left.length);
    }
    if (p->terminal) drop_fields(fields, fraction >= 0 ? columns - LEAST_BAR - 1 : columns);
    if (p->terminal && fraction >= 0) put_bar(fraction, columns - unicode_columns(fields), out);
    buf_printf(out, "%s%s", fields, left.text);
    buf_free(&left);
}

/* The bytes of the line that fit the width of the terminal, so that it never wraps. */
static int fitting_bytes(const char *line, int columns)
{
    const char *at = line;
    while (*at) {
        const char *next = at;
        columns -= unicode_width(unicode_next(&next));
        if (columns < 0) break;
        at = next;
    }
    return (int)(at - line);
}

static void draw(Progress *p, const char *line)
{
    if (p->terminal)
        fprintf(p->stream, "\r%.*s\033[K", fitting_bytes(line, progress_columns(p)), line);
    else fprintf(p->stream, "%s\n", line);
    fflush(p->stream);
    p->drawn = p->terminal;
}

int progress_columns(const Progress *p)
{
    return p->terminal ? terminal_columns(p->stream) - 1 : INT_MAX;
}

void progress_update(Progress *p, double fraction, const char *format, ...)
{
    if (!p->stream) return;
    if (p->first < 0) p->first = fraction;
    double time = clock_seconds();
    if (time - p->printed < p->every) return;
    p->printed = time;

    char fields[512];
    va_list args;
    va_start(args, format);
    vsnprintf(fields, sizeof fields, format, args);
    va_end(args);

    Buf line = { 0 };
    put_progress(p, fmin(fraction, 1), fields, time, &line);
    draw(p, line.text);
    buf_free(&line);
}

void progress_clear(Progress *p)
{
    if (!p->drawn) return;
    fputs("\r\033[K", p->stream);
    fflush(p->stream);
    p->drawn = 0;
    p->printed = -HUGE_VAL;
}

void progress_line(Progress *p, const char *format, ...)
{
    if (!p->stream) return;
    progress_clear(p);
    va_list args;
    va_start(args, format);
    printable_vline(p->stream, format, args);
    va_end(args);
    fflush(p->stream);
}

static void put_fields(const char *fields, int columns, Buf *out)
{
    Buf field = { 0 };
    for (int used = 0; *fields;) {
        const char *end = strstr(fields, between);
        const size_t length = end ? (size_t)(end - fields) : strlen(fields);
        buf_clear(&field);
        if (used) buf_puts(&field, between);
        buf_add(&field, fields, length);
        const int width = unicode_columns(field.text), fits = used + width <= columns;
        if (used && !fits) buf_printf(out, "\n%*s", INDENT, "");
        buf_puts(out, used && !fits ? field.text + strlen(between) : field.text);
        used = used && !fits ? INDENT + width - (int)strlen(between) : used + width;
        fields += length + (end ? strlen(between) : 0);
    }
    buf_free(&field);
}

void progress_fields(Progress *p, const char *fields)
{
    Buf lines = { 0 };
    char *printable = xstrdup(fields);
    make_printable(printable);
    put_fields(printable, progress_columns(p), &lines);
    progress_clear(p);
    if (p->stream) fprintf(p->stream, "%s\n", lines.text);
    buf_free(&lines);
    free(printable);
}

void progress_end(Progress *p)
{
    progress_clear(p);
}

const char *progress_count(char text[COUNT_TEXT], double count)
{
    char digits[COUNT_TEXT];
    int length = snprintf(digits, sizeof digits, "%.0f", fmin(fmax(count, 0), 1e18)), put = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) text[put++] = ',';
        text[put++] = digits[i];
    }
    text[put] = '\0';
    return text;
}
