/* prefix.c - reading line by line what the input reads in batches. */
#include "cmd/translate/prefix.h"

#include "base/mem.h"
#include "base/plural.h"
#include "text/unicode.h"

#include <stdlib.h>

int prefix_open(Prefix *given, const char *text, const char *path, Err *e)
{
    *given = (Prefix){ .text = text };
    return path && !(given->lines = lines_open(path, e)) ? -1 : 0;
}

int prefix_check(const char *text, size_t length, Err *e)
{
    if (length > PREFIX_BYTES)
        return err(e, "a translation can't be told to begin with %zu bytes; at most %d", length, PREFIX_BYTES);
    return unicode_valid(text, length) ? 0 : err(e, "invalid UTF-8, or a NUL byte");
}

/* Appends the next line of the file. */
static int keep_line(Prefix *given, Err *e)
{
    Err why;
    char *line;
    size_t length;
    int rc = lines_next(given->lines, &line, &length, e);
    if (rc < 0) return -1;
    if (!rc)
        return err(e, "%s: has only %ld line%s, the input has more", lines_name(given->lines),
                   lines_number(given->lines), plural((double)lines_number(given->lines)));
    if (prefix_check(line, length, &why))
        return err(e, "%s:%ld: %s", lines_name(given->lines), lines_number(given->lines), why.text);
    buf_add(&given->kept, line, length);
    buf_putc(&given->kept, '\0');
    return 0;
}

int prefix_next(Prefix *given, const char **text, size_t count, Err *e)
{
    size_t *start = xmalloc(count, sizeof *start), taken = 0;
    int rc = 0;
    buf_clear(&given->kept);
    for (; given->lines && taken < count && !rc; taken++) {
        start[taken] = given->kept.length;
        rc = keep_line(given, e);
    }
    for (size_t i = 0; i < count; i++)
        text[i] = given->lines ? (rc ? NULL : given->kept.text + start[i]) : given->text;
    free(start);
    return rc;
}

int prefix_end(Prefix *given, Err *e)
{
    char *line;
    size_t length;
    int rc = given->lines ? lines_next(given->lines, &line, &length, e) : 0;
    if (rc <= 0) return rc;
    return err(e, "%s:%ld: has more lines than the input", lines_name(given->lines), lines_number(given->lines));
}

void prefix_close(Prefix *given)
{
    if (given->lines) lines_close(given->lines);
    buf_free(&given->kept);
    *given = (Prefix){ 0 };
}
