/* mapping.c - fills the table of parameters from named arrays, by rules. */
#include "import/mapping.h"

#include "base/mem.h"
#include "base/strings.h"

#include <stdlib.h>
#include <string.h>

static const char *const sides[] = { "encoder", "decoder" };

/* ---- Names ---- */

typedef struct { int side, layer, is_bias; } Place;

/* The words of a rule's braces for matrices and gains, and for biases. */
static const char *const words[][3] = {
    { "{weight}", "weight", "bias" }, { "{W}", "W", "b" }, { "{scale}", "scale", "bias" },
    { "{gamma}", "gamma", "beta" }
};
enum { WORDS = sizeof words / sizeof *words };

static int begins(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

/* What stands in the braces of a pattern that the name of a parameter has. */
static Place place_of(const char *name)
{
    static const char layers[] = ".layers.";
    const char *layer = strstr(name, layers);
    return (Place){ begins(name, sides[SIDE_TARGET]), layer ? atoi(layer + sizeof layers - 1) : 0,
                    ends_with(name, "bias") };
}

static void expand(const char *pattern, Place place, Buf *out)
{
    buf_clear(out);
    while (*pattern) {
        int w = 0;
        while (w < WORDS && !begins(pattern, words[w][0])) w++;
        if (w < WORDS) buf_puts(out, words[w][1 + place.is_bias]);
        else if (begins(pattern, "{side}")) buf_puts(out, sides[place.side]);
        else if (begins(pattern, "{n}") || begins(pattern, "{N}"))
            buf_printf(out, "%d", place.layer + (pattern[1] == 'N'));
        else buf_putc(out, *pattern);
        pattern += *pattern == '{' ? strcspn(pattern, "}") + 1 : 1;
    }
}

/* ---- One parameter ---- */

/* The arrays of a parameter, one below the other. */
typedef struct {
    const Array *part[RULE_PARTS];
    int          count;
    int          is_transposed;
} Parts;

/* All arrays of a rule, or none; *missing becomes the first name that is not there. */
static int find_parts(const Mapping *m, const Rule *rule, Place place, Parts *parts, Buf *missing)
{
    SCOPED(buf_free) Buf name = { 0 };
    if (m->layer[place.side]) place.layer = m->layer[place.side][place.layer];
    parts->is_transposed = rule->is_transposed;
    for (parts->count = 0; parts->count < RULE_PARTS && rule->foreign[parts->count];) {
        expand(rule->foreign[parts->count], place, &name);
        const Array *a = arrays_find(m->arrays, name.text);
        if (!a && !missing->length) buf_puts(missing, name.text);
        if (!a) return 0;
        parts->part[parts->count++] = a;
    }
    return 1;
}

static int find(const Mapping *m, const char *name, Parts *parts, Buf *missing)
{
    const Place place = place_of(name);
    SCOPED(buf_free) Buf own = { 0 };
    for (const Rule *rule = m->rules; rule->own; rule++) {
        expand(rule->own, place, &own);
        if (!strcmp(own.text, name) && find_parts(m, rule, place, parts, missing)) return 1;
    }
    parts->count = 0;
    return 0;
}

/* ---- Its values; where `out` is NULL they are only checked ---- */

static int refuse_shape(const Array *a, size_t rows, const Parameter *p, Err *e)
{
    SCOPED(buf_free) Buf shape = { 0 };
    for (int i = 0; i < a->rank; i++)
        buf_printf(&shape, "%s%zu", i ? ", " : "", a->shape[i]);
    return err(e, "array \"%s\" has the shape [%s], where the network has %zu rows of %d", a->name,
               shape.text ? shape.text : "", rows, p->columns ? p->columns : 1);
}

/* How many rows of a parameter an array has; 0: it is none of them. */
static size_t rows_in(const Array *a, int is_transposed, const Parameter *p)
{
    const size_t width = p->columns ? (size_t)p->columns : 1, rows = array_count(a) / width;
    const size_t columns = is_transposed ? rows : width;
    const int fits = !p->columns || a->rank < 2 || array_columns(a) == columns;
    return fits && rows * width == array_count(a) ? rows : 0;
}

/* The rows of a vocabulary in the order of attn's ids. */
static int take_rows(const VocabularyRows *v, const Array *a, int is_transposed, const Parameter *p,
                     real *out, Err *e)
{
    const size_t width = p->columns ? (size_t)p->columns : 1, rows = rows_in(a, is_transposed, p);
    if (!rows) return refuse_shape(a, is_transposed ? array_columns(a) : array_rows(a), p, e);
    if (!out) return 0;
    SCOPED(xfree_at) real *x = xmalloc(rows * width, sizeof *x);
    array_reals(a, is_transposed, x);
    for (int id = 0; id < v->count; id++) {
        const int row = p->columns && id == ID_BOS && v->start >= 0 ? v->start : v->row[id];
        if (row >= 0 && (size_t)row >= rows)
            return err(e, "array \"%s\" has %zu rows, but the vocabulary an entry with the number "
                          "%d: it is another model's vocabulary", a->name, rows, row);
        for (size_t j = 0; j < width; j++)
            *out++ = row >= 0 ? x[(size_t)row * width + j] : p->columns ? 0 : NEVER_WRITTEN;
    }
    return 0;
}

/* The vocabulary whose entries the rows of a parameter are, or NULL. */
static const VocabularyRows *vocabulary_of(const Mapping *m, const Parameter *p)
{
    if (!strcmp(p->name, "encoder.embedding.weight")) return &m->vocabulary[SIDE_SOURCE];
    return strcmp(p->name, "decoder.embedding.weight") && !begins(p->name, "readout.output.")
           ? NULL : &m->vocabulary[SIDE_TARGET];
}

static int take_parameter(const Mapping *m, const Parameter *p, const Parts *parts, real *out,
                          Err *e)
{
    const VocabularyRows *v = vocabulary_of(m, p);
    if (v && parts->count)
        return take_rows(v, parts->part[0], parts->is_transposed, p, out, e);
    for (int id = 0; v && out && id < v->count; id++)    /* an output bias that the model lacks */
        out[id] = v->row[id] < 0 ? NEVER_WRITTEN : 0;
    size_t room = parts->count ? (size_t)p->rows : 0;
    for (int i = 0; i < parts->count; i++) {
        const Array *a = parts->part[i];
        const size_t rows = rows_in(a, parts->is_transposed, p);
        if (!rows || rows > room) return refuse_shape(a, room, p, e);
        if (out) array_reals(a, parts->is_transposed, out);
        if (out) out += array_count(a);
        room -= rows;
    }
    return !room ? 0 : err(e, "array \"%s\" is too small for the network", parts->part[0]->name);
}

/* ---- All of them ---- */

static int is_ignored(const Mapping *m, const char *name)
{
    for (const char *const *end = m->ignored; *end; end++)
        if (ends_with(name, *end)) return 1;
    return 0;
}

/* Whether it is another name of an array that was used: they are tied. */
static int is_tied(const Arrays *arrays, const Array *a, const char *used)
{
    for (size_t i = 0; i < arrays->count; i++)
        if (used[i] && a->rank == 2 && arrays_are_same(a, &arrays->array[i])) return 1;
    return 0;
}

static int check_used(const Mapping *m, const char *used, Err *e)
{
    for (size_t i = 0; i < m->arrays->count; i++) {
        const Array *a = &m->arrays->array[i];
        if (!used[i] && !is_ignored(m, a->name) && !is_tied(m->arrays, a, used))
            return err(e, "array \"%.80s\" is of a network that attn does not have", a->name);
    }
    return 0;
}

/* Without weights it only checks. */
static int take_all(const Mapping *m, const ParameterTable *table, real *weights, char *used,
                    Err *e)
{
    for (int i = 0; i < table->count; i++) {
        const Parameter *p = &table->row[i];
        SCOPED(buf_free) Buf missing = { 0 };
        Parts parts = { 0 };
        const int found = find(m, p->name, &parts, &missing);
        if (!found && (!ends_with(p->name, "bias") || strstr(p->name, "norm")))
            return err(e, "array \"%.80s\" is missing", missing.length ? missing.text : p->name);
        if (take_parameter(m, p, &parts, weights ? weights + p->at : NULL, e)) return -1;
        for (int k = 0; k < parts.count; k++)
            used[parts.part[k] - m->arrays->array] = 1;
    }
    return 0;
}

/* Memory is taken once all values are there: so no option alone asks for much. */
int mapping_apply(const Mapping *mapping, Model *model, Err *e)
{
    SCOPED(xfree_at) char *used = xcalloc(mapping->arrays->count + 1, 1);
    model->table = parameters_new(&model->network, mapping->vocabulary[SIDE_SOURCE].count,
                                  mapping->vocabulary[SIDE_TARGET].count);
    if (take_all(mapping, model->table, NULL, used, e) || check_used(mapping, used, e)) return -1;
    model->weights = xaligned(model->table->size, sizeof *model->weights);
    return take_all(mapping, model->table, model->weights, used, e);
}
