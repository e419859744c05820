/* progress.c - looks at the clock first, so that calling it in every step costs nothing. */
#include "cmd/progress.h"

#include "base/buf.h"
#include "base/clock.h"
#include "cmd/bar.h"
#include "base/printable.h"
#include "base/terminal.h"
#include "text/unicode.h"

#include <math.h>
#include <stdarg.h>

enum { WIDEST_BAR = 24 };
#define REDRAW_SECONDS 0.1

void progress_start(Progress *p, FILE *stream, int quiet, double every)
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
    if (!(left >= 0 && left < 1e6)) return;     /* nothing was done yet, or next to nothing */
    int seconds = (int)ceil(left);
    if (seconds >= 3600) buf_printf(out, "  %d:%02d:%02d left", seconds / 3600, seconds / 60 % 60, seconds % 60);
    else buf_printf(out, "  %d:%02d left", seconds / 60, seconds % 60);
}

static void put_progress(const Progress *p, double fraction, const char *fields, double time, Buf *out)
{
    Buf left = { 0 };
    buf_clear(&left);
    if (fraction >= 0) {
        put_time_left(p, fraction, time, &left);
        buf_printf(out, "%3d%% ", (int)(fraction * 100));
    }
    if (fraction >= 0 && p->terminal) {
        int taken = 5 + 2 + unicode_columns(fields) + (int)left.length, room = terminal_columns(p->stream) - 1 - taken;
        int width = room > WIDEST_BAR ? WIDEST_BAR : room > 0 ? room : 0;
        int drawn = bar_draw(fraction, width, out);
        buf_printf(out, "%*s", width - drawn + 1, "");
    }
    buf_printf(out, "%s%s", fields, left.text);
    buf_free(&left);
}

/* As many characters of the line as the terminal is wide, so that it never wraps. */
static int that_fit(const char *line, int columns)
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
    if (p->terminal) fprintf(p->stream, "\r%.*s\033[K", that_fit(line, terminal_columns(p->stream) - 1), line);
    else fprintf(p->stream, "%s\n", line);
    fflush(p->stream);
    p->drawn = p->terminal;
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
