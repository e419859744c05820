/* progress.h - the progress of a long piece of work, on stderr.
 *
 * At a terminal one line is redrawn, at most ten times a second:
 *     42% ████████▍            epoch 3/10  loss 2.345  12,345 tokens/s  3:21 left
 * Two blanks separate fields. Where not all of them fit, the last are dropped first; the
 * percentage and the time left stay.
 *
 * Elsewhere (a file, a pipe, a log) a plain line is printed, at most one in `every` seconds. A
 * quiet progress prints nothing.
 *
 *     Progress p;
 *     progress_init(&p, stderr, quiet, 10);
 *     while (...) {
 *         progress_update(&p, done / all, "epoch %d  loss %.3f", ...);      cheap, rarely prints
 *         progress_line(&p, "epoch 1: BLEU 31.2");                          a line that stays
 *     }
 *     progress_clear(&p);
 */
#ifndef ATTN_CMD_PROGRESS_H
#define ATTN_CMD_PROGRESS_H

#include <stdarg.h>
#include <stdio.h>

typedef struct {
    FILE  *stream;          /* NULL: quiet */
    int    terminal;
    double every;           /* least seconds between two lines */
    double started;         /* seconds of the monotonic clock, from here on */
    double printed;         /* when the last line was drawn */
    double first;           /* the fraction at the first update, not 0 in a resumed run */
    int    drawn;           /* the bar is on the screen */
} Progress;

void progress_init(Progress *p, FILE *stream, int quiet, double every);

/* progress_update - fraction is 0 to 1; negative: unknown, no bar and no time left. */
void progress_update(Progress *p, double fraction, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));

/* progress_line - prints a line that stays; at a terminal it is wrapped.
 * progress_vline - with further lines indented by so many columns.
 * progress_clear - wipes the bar, so that others can write to the stream; the next update draws it
 * again. */
void progress_line(Progress *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void progress_vline(Progress *p, int indent, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));
void progress_clear(Progress *p);

/* For the lines above. Their text lives as long as the full expression, a call of printf.
 * progress_count - "12,345".
 * progress_time - "3:21", or with hours "1:03:21". */
typedef struct { char text[32]; } Count;
Count progress_count(double count);
Count progress_time(double seconds);

#endif
