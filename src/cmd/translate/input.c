/* input.c - reading, repairing, warning; joining the lines of a paragraph; the prefix of a line. */
#include "cmd/translate/translate.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/strings.h"
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

static void add_line(Input *in, const Lines *lines, const char *line, size_t length)
{
    length = bounded(in, lines, line, length);
    in->line = grow(in->line, &in->capacity, in->count + 1, sizeof *in->line);
    in->line[in->count++] = (InputLine){ .start = in->text.length, .number = lines_number(lines) };
    if (unicode_valid(line, length)) {
        buf_add(&in->text, line, length);
        in->beyond_ascii += !unicode_is_ascii(line, length);
    } else {
        const int places = unicode_repair(line, length, &in->text);
        /* in the first line that is not ASCII it means another encoding */
        const int other = !in->repaired && !in->beyond_ascii && !memchr(line, '\0', length);
        if (++in->repaired <= MOST_WARNINGS) {
            progress_clear(in->progress);
            warn("%s:%ld: invalid UTF-8 or NUL in %d place%s, now U+FFFD%s", lines_name(lines),
                 lines_number(lines), places, plural(places),
                 other ? UNICODE_ADVICE : "");
        }
    }
    buf_putc(&in->text, '\0');
}

/* Joins the lines of a paragraph, from line `first` on, that go on in the next one, without the
 * tabs that indent it. */
static void unwrap(Input *in, size_t first)
{
    size_t width = 0, kept = first + 1;         /* of the widest line, in characters */
    for (size_t i = first; i < in->count; i++) {
        const size_t characters = wrapping_width(input_line(in, i));
        if (characters > width) width = characters;
    }
    for (size_t i = first + 1; i < in->count; i++) {
        char *line = input_line(in, i);
        const size_t joined = in->line[i].start + strlen(line) - in->line[kept - 1].start;
        if (wrapping_goes_on(input_line(in, i - 1), line, width) && joined <= in->most_bytes) {
            line[-1] = ' ';
            for (; *line == ' ' || *line == '\t'; line++) *line = ' ';
        } else {
            in->line[kept++] = in->line[i];
        }
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

/* ---- Prefixes ---- */

int prefix_check(const char *text, size_t length, Err *e)
{
    if (length > PREFIX_BYTES)
        return err(e, "a prefix of %zu bytes; at most %d are possible", length, PREFIX_BYTES);
    return unicode_valid(text, length) ? 0 : err(e, "invalid UTF-8, or a NUL byte");
}

int input_prefixes(Input *in, const char **prefix, size_t count, Err *e)
{
    Err why;
    char *line;
    size_t length;
    buf_clear(&in->prefix_text);
    for (size_t i = 0; i < count && in->prefixes; i++) {
        const int rc = lines_next(in->prefixes, &line, &length, e);
        const char *name = lines_name(in->prefixes);
        const long number = lines_number(in->prefixes);
        if (rc < 0) return -1;
        if (!rc)
            return err(e, "%s: has only %ld line%s, the input has more", name, number,
                       plural((double)number));
        if (prefix_check(line, length, &why)) return err(e, "%s:%ld: %s", name, number, why.text);
        buf_add(&in->prefix_text, line, length);
        buf_putc(&in->prefix_text, '\0');
    }
    const char *text = in->prefix_text.text;
    for (size_t i = 0; i < count; i++) {
        prefix[i] = in->prefixes ? text : in->prefix;
        if (in->prefixes) text += strlen(text) + 1;
    }
    return 0;
}

int input_end(const Input *in, Err *e)
{
    char *line;
    size_t length;
    const int rc = in->prefixes ? lines_next(in->prefixes, &line, &length, e) : 0;
    if (rc <= 0) return rc;
    return err(e, "%s:%ld: has more lines than the input", lines_name(in->prefixes),
               lines_number(in->prefixes));
}

void input_free(Input *in)
{
    if (in->prefixes) lines_close(in->prefixes);
    buf_free(&in->text);
    buf_free(&in->prefix_text);
    free(in->line);
    *in = (Input){ 0 };
}
