/* progress.c - an update reads the clock first, so that it costs next to nothing in every step. */
#include "cmd/progress.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/system/environment.h"
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

/* Drops the last fields until the others fit. */
static void drop_fields(char *fields, int columns)
{
    while (*fields && unicode_columns(fields) > columns) {
        char *last = fields;
        for (char *at = fields; (at = strstr(at, between)); at++) last = at;
        *last = '\0';
    }
}

/* "    42% ████████▍  FIELDS  3:21 left" */
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
    if (p->terminal && fraction >= 0) {
        columns -= unicode_columns(fields) + 1;
        const int width = columns > WIDEST_BAR ? WIDEST_BAR : columns > 0 ? columns : 0;
        const int drawn = bar_draw(fraction, width, out);
        buf_printf(out, "%*s", width - drawn + 1, "");
    }
    buf_printf(out, "%s%s", fields, left.text);
    buf_free(&left);
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
    const char *end = line.text;            /* what fits, so that it never wraps */
    for (int columns = progress_columns(p); *end;) {
        const char *next = end;
        columns -= unicode_width(unicode_next(&next));
        if (columns < 0) break;
        end = next;
    }
    if (p->terminal) fprintf(p->stream, "\r%.*s\033[K", (int)(end - line.text), line.text);
    else fprintf(p->stream, "%s\n", line.text);
    fflush(p->stream);
    p->drawn = p->terminal;
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

void progress_fields(Progress *p, const char *fields)
{
    const int columns = progress_columns(p);
    char *text = xstrdup(fields), *next = text;
    Buf lines = { 0 };
    make_printable(text);
    for (int used = 0; next;) {
        char *field = next;
        next = strstr(field, between);
        if (next) {
            *next = '\0';
            next += strlen(between);
        }
        const int width = unicode_columns(field);
        const int fits = used + (int)strlen(between) + width <= columns;
        if (used && fits) buf_puts(&lines, between);
        else if (used) buf_printf(&lines, "\n%*s", INDENT, "");
        buf_puts(&lines, field);
        used = !used ? width : fits ? used + (int)strlen(between) + width : INDENT + width;
    }
    progress_clear(p);
    if (p->stream) fprintf(p->stream, "%s\n", lines.text);
    buf_free(&lines);
    free(text);
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
