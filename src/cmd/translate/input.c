/* input.c - reading, repairing, warning. */
#include "cmd/translate/input.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/plural.h"
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
    return other ? "; " LATIN1_ADVICE : "";
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
    in->start = grow(in->start, &in->capacity, in->count + 1, sizeof *in->start);
    in->start[in->count++] = in->text.length;
    if (!unicode_valid(line, length)) repair(in, lines, line, length);
    else {
        buf_add(&in->text, line, length);
        in->beyond_ascii += !unicode_is_ascii(line, length);
    }
    buf_putc(&in->text, '\0');
}

int input_batch(Input *in, Lines *lines, Err *e)
{
    char *line;
    size_t length;
    int rc;
    buf_clear(&in->text);
    in->count = 0;
    in->first = lines_number(lines) + 1;
    do {
        rc = lines_next(lines, &line, &length, e);
        if (rc > 0) add_line(in, lines, line, length);
    } while (rc > 0 && in->count < in->most_lines && in->text.length < BATCH_BYTES
             && lines_ready(lines));
    return rc;
}

char *input_line(Input *in, size_t i)
{
    return in->text.text + in->start[i];
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
    free(in->start);
    *in = (Input){ 0 };
}
