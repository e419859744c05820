/* layout.c - columns are judged by what nearly all of their cells hold. What is learned by mistake has
 * text beside it that was meant, so that only such a file is refused: numbers may be translated too.
 *
 * A program that quotes cells quotes all, or those alone that need it; and then some have marks
 * inside, doubled. Text has marks for reasons of its own, around a part of a cell or with single ones
 * inside, and is left as it is.
 */
#include "text/corpus/layout.h"

#include "base/files/lines.h"
#include "text/unicode.h"

#include <string.h>

enum { COLUMNS_SEEN = 32 };

/* How many cells hold what. */
typedef struct {
    long texts;             /* letters, and no id */
    long others;            /* numbers, ids, addresses: digits without letters; one word with a digit, or a sign between
                             * letters */
    long same;              /* the word of the line before */
    Slice last;
    long cells;             /* that are not empty; of them: */
    long marked;            /* with quotation marks anywhere */
    long quoted;            /* quoted */
    long in_need;           /* that have to be, or as spreadsheets see it: with marks, commas */
    long doubled;           /* with marks inside */
} Column;

typedef struct {
    Column column[COLUMNS_SEEN];
    long   lines;           /* with a tab */
} Looks;

/* ---- Counting ---- */

static int joins_words(int32_t point)
{
    return point < 0x80 && strchr("_/\\@:.", point);
}

/* Whether marks stand around the cell, and inside two by two. */
static int is_quoted(Slice cell, int *is_doubled)
{
    *is_doubled = 0;
    if (cell.length < 2 || *cell.text != '"') return 0;
    const char *at = cell.text + 1, *end = cell.text + cell.length - 1;
    if (*end != '"') return 0;
    for (; (at = memchr(at, '"', (size_t)(end - at))); at += 2) {
        if (at[1] != '"' || at + 1 == end) return 0;
        *is_doubled = 1;
    }
    return 1;
}

static void see_marks(Column *column, Slice cell)
{
    int is_doubled;
    column->cells += cell.length > 0;
    if (!memchr(cell.text, '"', cell.length)) return;
    column->marked++;
    if (!is_quoted(cell, &is_doubled)) return;
    column->quoted++;
    column->doubled += is_doubled;
    column->in_need += is_doubled || memchr(cell.text, ',', cell.length)
                       || memchr(cell.text, ';', cell.length);
}

static void see_cell(Column *column, Slice cell)
{
    int letters = 0, digits = 0, blanks = 0, joints = 0;
    if (!unicode_valid(cell.text, cell.length)) {
        column->texts++;
        return;
    }
    cell.length = unicode_trimmed(cell.text, cell.length);
    see_marks(column, cell);
    for (const char *at = cell.text, *end = at + cell.length; at < end;) {
        const int32_t point = unicode_next(&at);
        letters += unicode_is_letter(point);
        digits += unicode_is_number(point);
        blanks += unicode_is_space(point);
        joints += joins_words(point) && at < end;
    }
    const int is_word = cell.length && !blanks, is_other = letters ? is_word && (digits || joints) : digits > 0;
    column->texts += letters && !is_other;
    column->others += is_other;
    column->same += is_word && cell.length == column->last.length
                    && !memcmp(cell.text, column->last.text, cell.length);
    column->last = cell;
}

static void see_line(Looks *looks, Slice line)
{
    Slice cell;
    if (!memchr(line.text, '\t', line.length)) return;
    for (int i = 0; i < COLUMNS_SEEN && (cell = layout_cell(line, i + 1)).text; i++)
        see_cell(&looks->column[i], cell);
    looks->lines++;
}

/* Sees each line that is there as a whole. */
static void see_lines(Looks *looks, const char *text, size_t length)
{
    const char *const end = text + length;
    const int newline = memchr(text, '\n', length) ? '\n' : '\r';
    for (const char *next; text < end; text = next + 1) {
        next = memchr(text, newline, (size_t)(end - text));
        if (!next && length >= PEEK_BYTES) return;
        if (!next) next = end;
        see_line(looks, (Slice){ text, (size_t)(next - text) });
    }
}

/* ---- Judging ---- */

enum { NEARLY_ALL = 90 };       /* percent */

/* What a column holds that is no text, in percent of the lines; NULL: it may be text. */
typedef struct { const char *what; int percent; } Content;

static Content other_content(const Column *c, long lines)
{
    enum { LINES_TO_SEE_THE_SAME = 10 };
    const Content contents[] = {
        { "numbers, ids or addresses", (int)(100 * c->others / lines) },
        { "the same word", lines < LINES_TO_SEE_THE_SAME ? 0 : (int)(100 * c->same / lines) },
    };
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++)
        if (contents[i].percent >= NEARLY_ALL) return contents[i];
    return (Content){ NULL, 0 };
}

/* The next column of text behind this one; 0: none. */
static int next_text(const Looks *looks, int column)
{
    for (; column < COLUMNS_SEEN; column++) {
        const Column *c = &looks->column[column];
        if (2 * c->texts >= looks->lines && !other_content(c, looks->lines).what) return column + 1;
    }
    return 0;
}

/* The first two columns: -1 if one of them is no text, and a further one is. */
static int check_columns(const Looks *looks, const char *name, Err *e)
{
    const Content one = other_content(&looks->column[0], looks->lines);
    const Content other = one.what ? one : other_content(&looks->column[1], looks->lines);
    const int column = one.what ? 1 : 2, first = next_text(looks, 0);
    if (!other.what || !next_text(looks, 2)) return 0;
    const int second = next_text(looks, first);
    if (!second)
        return err(e, "%s: column %d holds %s in %d %% of the lines, and only column %d holds text, "
                      "but a pair needs two; --columns 1,2 takes the first two all the same", name,
                   column, other.what, other.percent, first);
    return err(e, "%s: column %d holds %s in %d %% of the lines; columns %d and %d hold text: "
                  "--columns %d,%d takes them, --columns 1,2 the first two all the same", name,
               column, other.what, other.percent, first, second, first, second);
}

/* Both sides together: percent of the cells that are quoted, if the marks are no part of the text. */
static int quoted_cells(const Looks *looks, Columns columns)
{
    enum { CELLS_TO_SEE_ALL = 10, AS_GOOD_AS_ALL = 98 };
    const int both[] = { columns.source, columns.target };
    Column sum = { .cells = 0 };
    for (int i = 0; i < 2 && both[i] <= COLUMNS_SEEN; i++) {
        const Column *c = &looks->column[both[i] - 1];
        sum.cells += c->cells;
        sum.marked += c->marked;
        sum.quoted += c->quoted;
        sum.in_need += c->in_need;
        sum.doubled += c->doubled;
    }
    const int all = sum.cells >= CELLS_TO_SEE_ALL && 100 * sum.quoted >= NEARLY_ALL * sum.cells;
    const int needed = sum.doubled && 100 * sum.in_need >= AS_GOOD_AS_ALL * sum.quoted;
    if (!(all || needed) || 100 * sum.quoted < AS_GOOD_AS_ALL * sum.marked) return 0;
    return (int)((100 * sum.quoted + sum.cells - 1) / sum.cells);
}

int layout_find(Layout *layout, const char *name, const Columns *columns, const char *text,
                size_t length, Err *e)
{
    Looks looks = { .lines = 0 };
    *layout = (Layout){ .columns = { 1, 2 } };
    if (columns && columns->source) layout->columns = *columns;
    see_lines(&looks, text, length);
    if (!columns || !looks.lines) return 0;
    if (!columns->source && check_columns(&looks, name, e)) return -1;
    layout->quoted = quoted_cells(&looks, layout->columns);
    return 0;
}

Slice layout_cell(Slice line, int column)
{
    const char *const end = line.text + line.length, *at = line.text;
    while (--column) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        if (!tab) return (Slice){ NULL, 0 };
        at = tab + 1;
    }
    const char *tab = memchr(at, '\t', (size_t)(end - at));
    return (Slice){ at, (size_t)((tab ? tab : end) - at) };
}

Slice layout_unquoted(Slice cell)
{
    int is_doubled;
    char *to = (char *)cell.text;
    if (!is_quoted(cell, &is_doubled)) return cell;
    for (const char *at = cell.text + 1, *end = cell.text + cell.length - 1; at < end; at++) {
        *to++ = *at;
        at += *at == '"';
    }
    return (Slice){ cell.text, (size_t)(to - cell.text) };
}
