/* yaml.c - reads a mapping of scalars and lists, character by character. */
#include "import/yaml.h"

#include "text/unicode.h"

#include <stdlib.h>

typedef struct {
    const char *at, *end;
    int         line;
    Buf         scalar;         /* the last one */
    Err        *e;
} Reader;

static int refuse(Reader *r, const char *what)
{
    return err(r->e, "line %d: %s", r->line, what);
}

/* ---- Blanks and lines ---- */

static int here(const Reader *r)
{
    return r->at < r->end ? (unsigned char)*r->at : -1;
}

static int next(const Reader *r)
{
    return r->end - r->at > 1 ? (unsigned char)r->at[1] : -1;
}

static int is_break(int c)
{
    return c == '\n' || c == '\r' || c < 0;
}

static int is_blank(int c)
{
    return c == ' ' || c == '\t' || is_break(c);
}

static void skip_one(Reader *r)
{
    if (here(r) == '\n') r->line++;
    r->at++;
}

/* Blanks in the line, and a comment behind one. */
static void skip_blanks(Reader *r)
{
    while (here(r) == ' ' || here(r) == '\t')
        r->at++;
    if (here(r) == '#')
        while (!is_break(here(r))) r->at++;
}

/* Up to the next line that has something; returns its indent. */
static int skip_lines(Reader *r)
{
    const char *start = r->at;
    for (;;) {
        skip_blanks(r);
        if (here(r) < 0 || !is_break(here(r))) return (int)(r->at - start);
        skip_one(r);
        start = r->at;
    }
}

/* ---- Scalars ---- */

/* \xE9, é or \U000000E9: so many digits. */
static int read_code(Reader *r, int digits)
{
    uint32_t point = 0;
    for (int i = 0; i < digits; i++, r->at++) {
        const int c = here(r), low = c | 0x20;
        if (c >= '0' && c <= '9') point = point << 4 | (uint32_t)(c - '0');
        else if (low >= 'a' && low <= 'f') point = point << 4 | (uint32_t)(low - 'a' + 10);
        else return refuse(r, "an escape has no hexadecimal digits");
    }
    if (!point || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000))
        return refuse(r, "an escape is no character");
    unicode_append(&r->scalar, (int32_t)point);
    return 0;
}

/* Behind a backslash. */
static int read_escape(Reader *r)
{
    static const char letters[] = "abtnvfre \"/\\N_LP";
    static const int32_t points[] = { 7, 8, 9, 10, 11, 12, 13, 27, ' ', '"', '/', '\\',
                                       0x85, 0xA0, 0x2028, 0x2029 };
    const int c = here(r);
    if (c == '\n' || c == '\r') {               /* the line goes on, without what begins the next */
        while (here(r) >= 0 && is_blank(here(r))) skip_one(r);
        return 0;
    }
    r->at++;
    if (c == 'x') return read_code(r, 2);
    if (c == 'u') return read_code(r, 4);
    if (c == 'U') return read_code(r, 8);
    const char *found = c > 0 ? strchr(letters, c) : NULL;
    if (!found) return refuse(r, "an escape is unknown");
    unicode_append(&r->scalar, points[found - letters]);
    return 0;
}

static int read_quoted(Reader *r)
{
    const int quote = here(r);
    for (r->at++; here(r) >= 0;) {
        const int c = here(r);
        if (c == quote && quote == '\'' && next(r) == quote) {
            buf_putc(&r->scalar, (char)c);
            r->at += 2;
        } else if (c == quote) {
            r->at++;
            return 0;
        } else if (c == '\\' && quote == '"') {
            r->at++;
            if (read_escape(r)) return -1;
        } else if (is_break(c) || !c) {
            return refuse(r, c ? "a quoted text has no end in its line" : "a NUL byte");
        } else {
            buf_putc(&r->scalar, (char)c);
            r->at++;
        }
    }
    return refuse(r, "a quoted text has no end");
}

/* Up to ": ", a comment or the end of the line; in brackets up to a comma or a bracket. */
static int read_plain(Reader *r, int in_list)
{
    const char *start = r->at, *last = start;
    const int c = here(r);
    if (c > 0 && strchr("&*!|>%@`{}]", c))
        return refuse(r, "YAML's anchors, aliases, tags, block texts and mappings in braces are "
                         "not read");
    while (!is_break(here(r))) {
        const int at = here(r);
        if (at == ':' && is_blank(next(r))) break;
        if (at == '#' && r->at > start && is_blank((unsigned char)r->at[-1])) break;
        if (in_list && (at == ',' || at == ']')) break;
        if (!at) return refuse(r, "a NUL byte");
        r->at++;
        if (!is_blank(at)) last = r->at;
    }
    buf_add(&r->scalar, start, (size_t)(last - start));
    return 0;
}

static int read_scalar(Reader *r, int in_list)
{
    buf_clear(&r->scalar);
    return here(r) == '"' || here(r) == '\'' ? read_quoted(r) : read_plain(r, in_list);
}

/* ---- The mapping ---- */

static Slice keep(Yaml *yaml, const Buf *text)
{
    return (Slice){ region_strndup(&yaml->text, text->text, text->length), text->length };
}

static void add(Yaml *yaml, Slice key, int item, const Buf *value)
{
    yaml->entry = grow(yaml->entry, &yaml->capacity, yaml->count + 1, sizeof *yaml->entry);
    yaml->entry[yaml->count++] = (YamlEntry){ key, keep(yaml, value), item };
}

/* [1, 2] */
static int read_brackets(Reader *r, Yaml *yaml, Slice key)
{
    r->at++;
    for (int item = 0;; item++) {
        skip_lines(r);
        if (here(r) == ']') break;
        if (here(r) == '[') return refuse(r, "a list in a list is not read");
        if (here(r) < 0 || read_scalar(r, 1)) return here(r) < 0 ? refuse(r, "a list has no end")
                                                                 : -1;
        add(yaml, key, item, &r->scalar);
        skip_lines(r);
        if (here(r) == ',') r->at++;
        else if (here(r) != ']') return refuse(r, "a list has no end");
    }
    r->at++;
    return 0;
}

/* Lines of "- value"; other indented lines are a mapping, which is skipped. */
static int read_lines(Reader *r, Yaml *yaml, Slice key)
{
    const char *before = r->at;
    int item = 0, line = r->line, indent = skip_lines(r);
    while (here(r) == '-' && is_blank(next(r))) {
        r->at++;
        skip_blanks(r);
        const int is_nested = here(r) == '-' && is_blank(next(r));
        if (!is_nested && read_scalar(r, 0)) return -1;
        add(yaml, key, item++, &r->scalar);
        skip_blanks(r);
        if (!is_break(here(r))) return refuse(r, "a list of other lists or mappings is not read");
        before = r->at;
        line = r->line;
        indent = skip_lines(r);
    }
    while (!item && indent > 0 && here(r) >= 0) {
        while (!is_break(here(r))) r->at++;
        before = r->at;
        line = r->line;
        indent = skip_lines(r);
    }
    r->at = before;
    r->line = line;
    return 0;
}

static int read_value(Reader *r, Yaml *yaml, Slice key)
{
    skip_blanks(r);
    if (here(r) == '[') {
        if (read_brackets(r, yaml, key)) return -1;
    } else if (is_break(here(r))) {
        return read_lines(r, yaml, key);
    } else {
        if (read_scalar(r, 0)) return -1;
        add(yaml, key, -1, &r->scalar);
    }
    skip_blanks(r);
    return is_break(here(r)) ? 0 : refuse(r, "there is more behind a value");
}

/* A key, which may stand behind "? ", and its value. */
static int read_entry(Reader *r, Yaml *yaml)
{
    const int is_marked = here(r) == '?' && is_blank(next(r));
    if (is_marked) {
        r->at++;
        skip_blanks(r);
    }
    if (read_scalar(r, 0)) return -1;
    const Slice key = keep(yaml, &r->scalar);
    if (is_marked) skip_lines(r);
    else skip_blanks(r);
    if (here(r) != ':' || !is_blank(next(r))) return refuse(r, "no \": \" behind a key");
    r->at++;
    return read_value(r, yaml, key);
}

/* A directive, or the marks of a document's start and end. */
static int is_mark(const Reader *r)
{
    const size_t rest = (size_t)(r->end - r->at);
    return (rest >= 4 && (!memcmp(r->at, "%YAM", 4) || !memcmp(r->at, "%TAG", 4)))
        || (rest >= 3 && (!memcmp(r->at, "---", 3) || !memcmp(r->at, "...", 3))
            && is_blank(rest > 3 ? (unsigned char)r->at[3] : -1));
}

static int read_all(Reader *r, Yaml *yaml)
{
    for (;;) {
        const int indent = skip_lines(r);
        if (here(r) < 0) return 0;
        if (is_mark(r)) {
            while (!is_break(here(r))) r->at++;
            continue;
        }
        if (indent) return refuse(r, "it is indented where a key should begin");
        if (read_entry(r, yaml)) return -1;
    }
}

int yaml_read(Yaml *yaml, Slice file, Err *e)
{
    Reader r = { .at = file.text, .end = file.text + file.length, .line = 1, .e = e };
    if (file.length >= 3 && !memcmp(file.text, "\xEF\xBB\xBF", 3)) r.at += 3;
    const int failed = read_all(&r, yaml);
    buf_free(&r.scalar);
    return failed;
}

const char *yaml_text(const Yaml *yaml, const char *key)
{
    for (size_t i = 0; i < yaml->count; i++)
        if (yaml->entry[i].item < 0 && !strcmp(yaml->entry[i].key.text, key))
            return yaml->entry[i].value.text;
    return NULL;
}

void yaml_free(Yaml *yaml)
{
    xfree(yaml->entry);
    region_free(&yaml->text);
    *yaml = (Yaml){ 0 };
}
