/* prefix.c - one prefix, or a file of them. */
#include "cmd/translate/prefix.h"

#include "base/mem.h"
#include "base/plural.h"
#include "text/unicode.h"

#include <stdlib.h>

int prefix_open(Prefix *prefix, const char *text, const char *path, Err *e)
{
    *prefix = (Prefix){ .text = text };
    return path && !(prefix->lines = lines_open(path, e)) ? -1 : 0;
}

int prefix_check(const char *text, size_t length, Err *e)
{
    if (length > PREFIX_BYTES)
        return err(e, "a prefix of %zu bytes; at most %d are possible", length, PREFIX_BYTES);
    return unicode_valid(text, length) ? 0 : err(e, "invalid UTF-8, or a NUL byte");
}

/* Appends the next line of the file. */
static int read_line(Prefix *prefix, Err *e)
{
    Err why;
    char *line;
    size_t length;
    int rc = lines_next(prefix->lines, &line, &length, e);
    if (rc < 0) return -1;
    if (!rc)
        return err(e, "%s: has only %ld line%s, the input has more", lines_name(prefix->lines),
                   lines_number(prefix->lines), plural((double)lines_number(prefix->lines)));
    if (prefix_check(line, length, &why))
        return err(e, "%s:%ld: %s", lines_name(prefix->lines), lines_number(prefix->lines),
                   why.text);
    buf_add(&prefix->texts, line, length);
    buf_putc(&prefix->texts, '\0');
    return 0;
}

int prefix_next(Prefix *prefix, const char **text, size_t count, Err *e)
{
    size_t *start = xmalloc(count, sizeof *start), taken = 0;
    int rc = 0;
    buf_clear(&prefix->texts);
    for (; prefix->lines && taken < count && !rc; taken++) {
        start[taken] = prefix->texts.length;
        rc = read_line(prefix, e);
    }
    for (size_t i = 0; i < count; i++)
        text[i] = prefix->lines ? (rc ? NULL : prefix->texts.text + start[i]) : prefix->text;
    free(start);
    return rc;
}

int prefix_end(Prefix *prefix, Err *e)
{
    char *line;
    size_t length;
    int rc = prefix->lines ? lines_next(prefix->lines, &line, &length, e) : 0;
    if (rc <= 0) return rc;
    return err(e, "%s:%ld: has more lines than the input", lines_name(prefix->lines),
               lines_number(prefix->lines));
}

void prefix_close(Prefix *prefix)
{
    if (prefix->lines) lines_close(prefix->lines);
    buf_free(&prefix->texts);
    *prefix = (Prefix){ 0 };
}
