/* merges.c - the table of merges, and reading and writing it in subword-nmt's format. */
#include "text/tokenizer/merges.h"

#include "base/files/lines.h"
#include "base/mem.h"
#include "text/unicode.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

#define VERSION "#version:"

/* ---- The table ---- */

static int add_product(StringTable *symbols, Pair pair)
{
    Buf text = { 0 };
    buf_add(&text, string_table_text(symbols, pair.left), string_table_length(symbols, pair.left));
    buf_add(&text, string_table_text(symbols, pair.right),
            string_table_length(symbols, pair.right));
    int id = string_table_add(symbols, text.text, text.length);
    buf_free(&text);
    return id;
}

int merges_add(Merges *m, Pair pair)
{
    size_t rank = m->pairs.count;
    if ((size_t)string_table_add(&m->pairs, &pair, sizeof pair) < rank) return -1;
    m->product = grow(m->product, &m->capacity, rank + 1, sizeof *m->product);
    m->product[rank] = add_product(&m->symbols, pair);
    if (strstr(string_table_text(&m->symbols, m->product[rank]), WORD_MARK)) m->marked = 1;
    return 0;
}

int merges_add_text(Merges *m, const char *left, size_t left_length, const char *right,
                    size_t right_length)
{
    int first = string_table_add(&m->symbols, left, left_length);
    return merges_add(m, (Pair){ first, string_table_add(&m->symbols, right, right_length) });
}

Pair merges_pair(const Merges *m, size_t rank)
{
    Pair pair;
    memcpy(&pair, string_table_text(&m->pairs, (int)rank), sizeof pair);
    return pair;
}

int merges_rank(const Merges *m, int left, int right)
{
    Pair pair = { left, right };
    return left < 0 || right < 0 ? -1 : string_table_find(&m->pairs, &pair, sizeof pair);
}

void merges_copy(Merges *to, const Merges *from)
{
    to->end = from->end;
    for (size_t rank = 0; rank < from->pairs.count; rank++) {
        Pair pair = merges_pair(from, rank);
        merges_add_text(to, string_table_text(&from->symbols, pair.left),
                        string_table_length(&from->symbols, pair.left),
                        string_table_text(&from->symbols, pair.right),
                        string_table_length(&from->symbols, pair.right));
    }
}

void merges_free(Merges *m)
{
    string_table_free(&m->symbols);
    string_table_free(&m->pairs);
    xfree(m->product);
    *m = (Merges){ 0 };
}

int symbol_valid(const char *text, size_t length)
{
    if (!length || !unicode_valid(text, length)) return 0;
    for (const char *at = text; at < text + length;) {
        int32_t point = unicode_next(&at);
        if (point == ' ' || unicode_is_control(point)) return 0;
    }
    return 1;
}

/* ---- The file ---- */

/* What follows VERSION in a line, or NULL if the line doesn't begin so. */
static const char *version_in(const char *line)
{
    if (strncmp(line, VERSION, strlen(VERSION))) return NULL;
    line += strlen(VERSION);
    return line + strspn(line, " ");
}

static int is_known(const char *version)
{
    return !strcmp(version, "0.1") || !strcmp(version, "0.2");
}

static int read_version(Merges *m, const char *version, long line, Err *e)
{
    if (!is_known(version))
        return err(e, "version '%.60s' of subword-nmt's codes is not known; 0.1 and 0.2 are",
                   version);
    if (line > 1)
        return err(e, "a version belongs into the first line; give one file of codes, not several "
                   "in one");
    m->end = strcmp(version, "0.1") ? WORD_END_ATTACHED : WORD_END_SEPARATE;
    return 0;
}

static int read_merge(Merges *m, const char *line, size_t length, Err *e)
{
    const char *blank = memchr(line, ' ', length), *right = blank ? blank + 1 : line + length;
    size_t left_length = blank ? (size_t)(blank - line) : 0;
    size_t right_length = (size_t)(line + length - right);
    if (!symbol_valid(line, left_length) || !symbol_valid(right, right_length))
        return err(e, "'%.60s' is not a merge, two symbols with a blank between them; give a file "
                   "of codes that subword-nmt or attn info --merges wrote", line);
    merges_add_text(m, line, left_length, right, right_length);
    return 0;
}

/* Behind the first line "#version: x" is a merge, for a text may hold that word, unless it is a
 * version for sure. */
static int read_line(Merges *m, char *line, size_t length, long number, Err *e)
{
    for (; length && *line == ' '; length--)
        line++;
    while (length && line[length - 1] == ' ')
        length--;
    line[length] = '\0';
    const char *version = version_in(line);
    if (version && (number == 1 || is_known(version))) return read_version(m, version, number, e);
    return length ? read_merge(m, line, length, e) : 0;
}

static int read_lines(Merges *m, Lines *lines, Err *e)
{
    char *line;
    size_t length;
    int more;
    Err why;
    m->end = WORD_END_SEPARATE;
    while ((more = lines_next(lines, &line, &length, e)) > 0)
        if (read_line(m, line, length, lines_number(lines), &why))
            return err(e, "%s:%ld: %s", lines_name(lines), lines_number(lines), why.text);
    if (more < 0) return -1;
    return m->pairs.count ? 0 : err(e, "%s: no merges in it", lines_name(lines));
}

int merges_read(Merges *m, const char *path, Err *e)
{
    Lines *lines = lines_open(path, e);
    if (!lines) return -1;
    int failed = read_lines(m, lines, e);
    lines_close(lines);
    if (failed) merges_free(m);
    return failed;
}

void merges_line(const Merges *m, size_t rank, Buf *out)
{
    Pair pair = merges_pair(m, rank);
    buf_puts(out, string_table_text(&m->symbols, pair.left));
    buf_putc(out, ' ');
    buf_puts(out, string_table_text(&m->symbols, pair.right));
}

void merges_write(const Merges *m, Buf *out)
{
    buf_printf(out, VERSION " %s\n", m->end == WORD_END_ATTACHED ? "0.2" : "0.1");
    for (size_t rank = 0; rank < m->pairs.count; rank++) {
        merges_line(m, rank, out);
        buf_putc(out, '\n');
    }
}
