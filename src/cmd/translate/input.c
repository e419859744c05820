/* input.c - reading, repairing, warning. */
#include "cmd/translate/input.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/plural.h"
#include "text/sentences.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* a batch with so many takes no further line: this bounds its memory */
enum { BATCH_BYTES = 1 << 16 };

/* The length of the line, cut to most_bytes between two characters. */
static size_t bounded(Input *in, const Lines *lines, const char *line, size_t length)
{
    size_t most = in->most_bytes;
    if (length <= most) return length;
    while (most > 0 && (line[most] & 0xC0) == 0x80)
        most--;
    if (++in->cut <= MOST_WARNINGS) {
        progress_clear(in->progress);
        warn("%s:%ld: only the first %zu of %zu bytes are translated", lines_name(lines),
             lines_number(lines), most, length);
    }
    return most;
}

/* Invalid UTF-8 in the first line that is not ASCII means another encoding. */
static const char *advice_for(const Input *in, const char *line, size_t length)
{
    const int other = in->repaired == 1 && !in->beyond_ascii && !memchr(line, '\0', length);
    return other ? UNICODE_ADVICE : "";
}

static void repair(Input *in, const Lines *lines, const char *line, size_t length)
{
    int places = unicode_repair(line, length, &in->text);
    if (++in->repaired > MOST_WARNINGS) return;
    progress_clear(in->progress);
    warn("%s:%ld: invalid UTF-8 or NUL in %d place%s, now U+FFFD%s", lines_name(lines),
         lines_number(lines), places, plural(places), advice_for(in, line, length));
}

static void add_line(Input *in, const Lines *lines, const char *line, size_t length)
{
    length = bounded(in, lines, line, length);
    in->line = grow(in->line, &in->capacity, in->count + 1, sizeof *in->line);
    in->line[in->count++] = (InputLine){ .start = in->text.length, .number = lines_number(lines) };
    if (!unicode_valid(line, length)) repair(in, lines, line, length);
    else {
        buf_add(&in->text, line, length);
        in->beyond_ascii += !unicode_is_ascii(line, length);
    }
    buf_putc(&in->text, '\0');
}

/* The characters of the widest line of text from line `first` on. */
static size_t width_of(Input *in, size_t first)
{
    size_t width = 0;
    for (size_t i = first; i < in->count; i++) {
        const size_t characters = wrapping_width(input_line(in, i));
        if (characters > width) width = characters;
    }
    return width;
}

/* Joins a line to the one before, without the tabs that indent it. */
static void join(Input *in, size_t i)
{
    char *line = input_line(in, i);
    line[-1] = ' ';
    for (; *line == ' ' || *line == '\t'; line++)
        *line = ' ';
}

/* Joins the lines of a paragraph, from line `first` on, that go on in the next one. */
static void unwrap(Input *in, size_t first)
{
    const size_t width = width_of(in, first);
    size_t kept = first + 1;
    for (size_t i = first + 1; i < in->count; i++) {
        const size_t end = in->line[i].start + strlen(input_line(in, i));
        const size_t joined = end - in->line[kept - 1].start;
        const int goes_on = wrapping_goes_on(input_line(in, i - 1), input_line(in, i), width);
        if (goes_on && joined <= in->most_bytes) join(in, i);
        else in->line[kept++] = in->line[i];
    }
    if (kept < in->count) in->count = kept;
}

/* Reads a line; with wrapped text a paragraph, with the line behind it. */
static int read_lines(Input *in, Lines *lines, Err *e)
{
    const size_t first = in->count;
    char *line;
    size_t length;
    int rc, is_inside;
    do {
        rc = lines_next(lines, &line, &length, e);
        if (rc > 0) add_line(in, lines, line, length);
        is_inside = in->is_wrapped && rc > 0 && in->text.length < LINE_BYTES
                    && unicode_shows(input_line(in, in->count - 1));
    } while (is_inside);
    if (in->is_wrapped) unwrap(in, first);
    return rc;
}

int input_batch(Input *in, Lines *lines, Err *e)
{
    int rc;
    buf_clear(&in->text);
    in->count = 0;
    do {
        rc = read_lines(in, lines, e);
    } while (rc > 0 && in->count < in->most_lines && in->text.length < BATCH_BYTES
             && lines_ready(lines));
    return rc;
}

char *input_line(Input *in, size_t i)
{
    return in->text.text + in->line[i].start;
}

void input_report(const Input *in)
{
    if (in->repaired > MOST_WARNINGS)
        warn("%ld lines in all had invalid UTF-8 or NUL", in->repaired);
    if (in->cut > MOST_WARNINGS) warn("%ld lines in all were too long and cut", in->cut);
}

void input_free(Input *in)
{
    buf_free(&in->text);
    free(in->line);
    *in = (Input){ 0 };
}
