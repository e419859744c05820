/* progress.c - an update reads the clock first, so that it costs next to nothing in every step. */
#include "cmd/progress.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/system/environment.h"
#include "cmd/help.h"
#include "text/unicode.h"

#include <limits.h>
#include <math.h>
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

static int progress_columns(const Progress *p)
{
    return p->terminal ? terminal_columns(p->stream) - 1 : INT_MAX;
}

/* "  3:21 left", from the speed so far. */
static void put_time_left(const Progress *p, double fraction, double time, Buf *out)
{
    double left = (1 - fraction) / (fraction - p->first) * (time - p->started);
    if (!(left >= 0 && left < 1e6)) return;     /* too little was done to say */
    buf_printf(out, "  %s left", progress_time(left).text);
}

/* "    42% ████████▍  FIELDS  3:21 left"; at a terminal the last fields are dropped until the
 * others fit. */
static void put_progress(const Progress *p, double fraction, char *fields, double time, Buf *out)
{
    SCOPED(buf_free) Buf left = { 0 };
    buf_clear(&left);
    if (fraction >= 0) {
        put_time_left(p, fraction, time, &left);
        buf_printf(out, "%3d%% ", (int)(fraction * 100));
    }
    if (p->terminal) {
        const int room = progress_columns(p) - (int)(out->length + left.length);
        while (*fields && unicode_columns(fields) > room - (fraction >= 0 ? LEAST_BAR + 1 : 0)) {
            char *last = fields;
            for (char *at = fields; (at = strstr(at, between)); at++) last = at;
            *last = '\0';
        }
        const int free = room - unicode_columns(fields) - 1;
        const int width = free < WIDEST_BAR ? free : WIDEST_BAR;
        if (fraction >= 0 && width > 0)
            buf_printf(out, "%*s", width - bar_draw(fraction, width, out) + 1, "");
    }
    buf_printf(out, "%s%s", fields, left.text);
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

    SCOPED(buf_free) Buf line = { 0 };
    put_progress(p, fmin(fraction, 1), fields, time, &line);
    if (p->terminal) fprintf(p->stream, "\r%s\033[K", line.text);
    else fprintf(p->stream, "%s\n", line.text);
    fflush(p->stream);
    p->drawn = p->terminal;
}

void progress_clear(Progress *p)
{
    if (!p->drawn) return;
    fputs("\r\033[K", p->stream);
    fflush(p->stream);
    p->drawn = 0;
    p->printed = -HUGE_VAL;
}

void progress_vline(Progress *p, int indent, const char *format, va_list args)
{
    SCOPED(buf_free) Buf text = { 0 }, lines = { 0 };
    if (!p->stream) return;
    buf_vprintf(&text, format, args);
    make_printable(text.text);
    wrap_words(text.text, 0, indent, progress_columns(p), &lines);
    progress_clear(p);
    fprintf(p->stream, "%s\n", lines.text);
    fflush(p->stream);
}

void progress_line(Progress *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    progress_vline(p, INDENT, format, args);
    va_end(args);
}

Count progress_count(double count)
{
    Count grouped;
    char digits[sizeof grouped.text];
    int length = snprintf(digits, sizeof digits, "%.0f", fmin(fmax(count, 0), 1e18)), put = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) grouped.text[put++] = ',';
        grouped.text[put++] = digits[i];
    }
    grouped.text[put] = '\0';
    return grouped;
}

Count progress_time(double seconds)
{
    Count time;
    const int all = (int)ceil(fmin(fmax(seconds, 0), 1e9));
    if (all >= 3600)
        snprintf(time.text, sizeof time.text, "%d:%02d:%02d", all / 3600, all / 60 % 60, all % 60);
    else snprintf(time.text, sizeof time.text, "%d:%02d", all / 60, all % 60);
    return time;
}
