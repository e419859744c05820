/* lacking.c - a few texts by name, each of them short, the rest as a number. */
#include "cmd/lacking.h"

#include "text/unicode.h"

enum { MOST_NAMED = 3, MOST_CHARACTERS = 40 };

/* Whether it is U+FFFD only, which stands for no text and was warned of. */
static int is_repair(const char *text)
{
    while (*text)
        if (unicode_next(&text) != 0xFFFD) return 0;
    return 1;
}

static int is_lacking(const Stretch *stretch, int i)
{
    return stretch_lacks(stretch, i) && !is_repair(stretch->unknown[i]);
}

static void add_quoted(const char *text, Buf *out)
{
    const char *end = text;
    for (int i = 0; *end && i < MOST_CHARACTERS; i++)
        unicode_next(&end);
    buf_putc(out, '\'');
    buf_add(out, text, (size_t)(end - text));
    buf_puts(out, *end ? "…'" : "'");
}

int lacking_add(const Translation *t, Buf *out)
{
    int count = 0;
    for (size_t i = 0; i < t->stretches; i++)
        for (int k = 0; k < t->stretch[i].unknowns; k++) {
            if (!is_lacking(&t->stretch[i], k) || ++count > MOST_NAMED) continue;
            if (count > 1) buf_puts(out, ", ");
            add_quoted(t->stretch[i].unknown[k], out);
        }
    if (count > MOST_NAMED) buf_printf(out, " and %d more", count - MOST_NAMED);
    return count;
}
