/* prefixes.c - a set of byte strings by their first bytes: which of them does a text begin with?
 *
 * The nodes are made level by level: those of one level are in the order of their strings, so what
 * is behind a node is a row, and the step to one of them is a search for a byte in it. */
#include "text/tokenizer/sentencepiece_file.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const Slice one = ((const PrefixString *)a)->text, other = ((const PrefixString *)b)->text;
    const size_t both = one.length < other.length ? one.length : other.length;
    const int order = memcmp(one.text, other.text, both);
    return order ? order : (one.length > other.length) - (one.length < other.length);
}

/* The sorted strings that begin like a node. */
typedef struct { size_t from, to; } Range;

/* Adds the nodes behind one, whose strings have `depth` bytes in common. */
static void add_behind(Prefixes *t, Range *range, int node, const PrefixString *string,
                       size_t depth)
{
    size_t i = range[node].from;
    const size_t end = range[node].to;
    PrefixNode *n = &t->node[node];
    n->value = -1;
    if (i < end && string[i].text.length == depth) n->value = string[i++].value;
    n->first = (int)t->count;
    while (i < end) {
        const unsigned char byte = (unsigned char)string[i].text.text[depth];
        const size_t from = i;
        while (i < end && (unsigned char)string[i].text.text[depth] == byte) i++;
        t->label[t->count] = byte;
        range[t->count++] = (Range){ from, i };
    }
    n->count = (int)t->count - n->first;
}

int prefixes_build(Prefixes *t, PrefixString *string, size_t count, int *twice)
{
    size_t most = 1;
    if (!count) return 0;
    for (size_t i = 0; i < count; i++)
        most += string[i].text.length;
    qsort(string, count, sizeof *string, compare);
    for (size_t i = 1; i < count; i++)
        if (slices_equal(string[i].text, string[i - 1].text)) {
            *twice = string[i].value;
            return -1;
        }
    SCOPED(xfree_at) Range *range = xmalloc(most, sizeof *range);
    t->node = xmalloc(most, sizeof *t->node);
    t->label = xmalloc(most, 1);
    t->label[0] = 0;
    t->count = 1;
    range[0] = (Range){ 0, count };
    for (size_t node = 0, depth = 0; node < t->count; depth++)
        for (const size_t level = t->count; node < level; node++)
            add_behind(t, range, (int)node, string, depth);
    return 0;
}

void prefixes_free(Prefixes *t)
{
    xfree(t->node);
    xfree(t->label);
    *t = (Prefixes){ 0 };
}

int prefixes_step(const Prefixes *t, int node, unsigned char byte)
{
    const PrefixNode *n = &t->node[node];
    const unsigned char *row = t->label + n->first, *found = memchr(row, byte, (size_t)n->count);
    return found ? n->first + (int)(found - row) : -1;
}

int prefixes_find(const Prefixes *t, Slice text)
{
    int node = t->count ? 0 : -1;
    for (size_t i = 0; i < text.length && node >= 0; i++)
        node = prefixes_step(t, node, (unsigned char)text.text[i]);
    return node < 0 ? -1 : t->node[node].value;
}

size_t prefixes_longest(const Prefixes *t, Slice text)
{
    size_t longest = 0;
    int node = t->count ? 0 : -1;
    for (size_t i = 0; i < text.length && node >= 0; i++) {
        node = prefixes_step(t, node, (unsigned char)text.text[i]);
        if (node >= 0 && t->node[node].value >= 0) longest = i + 1;
    }
    return longest;
}
