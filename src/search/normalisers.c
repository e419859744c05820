/* normalisers.c - what is known of normalisers, and what follows for hypotheses. */
#include "search/normalisers.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int normalisers_add(Normalisers *n, const real *x)
{
    const size_t width = (size_t)n->width, at = n->count++;
    n->list = grow(n->list, &n->capacity, n->count, sizeof *n->list);
    n->x = grow(n->x, &n->x_capacity, (n->count - n->first) * width, sizeof *n->x);
    n->list[at] = (Normaliser){ 0, INFINITY, 0 };
    memcpy(n->x + (at - n->first) * width, x, width * sizeof *x);
    return (int)at;
}

int normalisers_are_many(const Normalisers *n)
{
    enum { MANY = 1 << 22 };
    return (n->count - n->first) * (size_t)n->width > MANY;
}

void normalisers_forget(Normalisers *n)
{
    n->first = n->count;
}

const real *normalisers_x(const Normalisers *n, int normaliser)
{
    return n->x + ((size_t)normaliser - n->first) * (size_t)n->width;
}

void normalisers_free(Normalisers *n)
{
    free(n->list);
    free(n->x);
    free(n->wanted);
    free(n->part);
    *n = (Normalisers){ 0 };
}

/* ---- hypotheses ---- */

Extension extension_of(const HypothesisTree *t, int node)
{
    const Node *at = &t->node[node];
    return (Extension){ at->parent, at->id, at->normaliser, at->logit };
}

/* In the order in which a search by all logits adds. */
double extension_log_probability(const Normalisers *n, const HypothesisTree *t, const Extension *e)
{
    const double before = e->parent < 0 ? 0 : t->node[e->parent].log_probability;
    return before - n->list[e->normaliser].value + e->logit;
}

void normalisers_refresh(const Normalisers *n, HypothesisTree *t, int node)
{
    if (node < 0) return;
    normalisers_refresh(n, t, t->node[node].parent);
    const Extension e = extension_of(t, node);
    t->node[node].log_probability = extension_log_probability(n, t, &e);
}

/* ---- differences ---- */

/* Goes to what a hypothesis extends. */
static void shorten(const HypothesisTree *t, Weighed *a)
{
    if (--a->length) a->end = extension_of(t, a->end.parent);
}

/* The error of one normaliser, `share` times; a part of the whole if `part` is not NULL. */
static double error_of(const Normalisers *n, int normaliser, double share, ErrorPart *part,
                       size_t *parts)
{
    const double error = share * n->list[normaliser].error;
    if (share == 0 || error == 0) return 0;
    if (part) part[*parts] = (ErrorPart){ normaliser, error };
    ++*parts;
    return error;
}

/* What the normalisers that differ make up, and their parts: at most one for each word of both. */
static double difference(const Normalisers *n, const HypothesisTree *t, Weighed a, Weighed b,
                         ErrorPart *part, size_t *parts)
{
    double error = 0;
    *parts = 0;
    while (a.length || b.length) {
        const int of_a = a.end.normaliser, of_b = b.end.normaliser, longer = a.length - b.length;
        if (!longer && of_a == of_b) {
            error += error_of(n, of_a, fabs(a.share - b.share), part, parts);
            if (a.share == b.share) break;
        } else {
            if (longer >= 0) error += error_of(n, of_a, a.share, part, parts);
            if (longer <= 0) error += error_of(n, of_b, b.share, part, parts);
        }
        if (longer >= 0) shorten(t, &a);
        if (longer <= 0) shorten(t, &b);
    }
    return error;
}

double weighed_error(const Normalisers *n, const HypothesisTree *t, Weighed a, Weighed b)
{
    size_t parts;
    return difference(n, t, a, b, NULL, &parts);
}

static void want(Normalisers *n, int normaliser)
{
    if (n->list[normaliser].is_wanted) return;
    n->list[normaliser].is_wanted = 1;
    n->wanted = grow(n->wanted, &n->wanted_capacity, n->wanted_count + 1, sizeof *n->wanted);
    n->wanted[n->wanted_count++] = normaliser;
}

static int by_error(const void *a, const void *b)
{
    const ErrorPart *x = a, *y = b;
    return (x->error < y->error) - (x->error > y->error);
}

int normalisers_want(Normalisers *n, const HypothesisTree *t, Weighed a, Weighed b, double enough)
{
    size_t parts;
    n->part = grow(n->part, &n->part_capacity, (size_t)(a.length + b.length), sizeof *n->part);
    double error = difference(n, t, a, b, n->part, &parts);
    qsort(n->part, parts, sizeof *n->part, by_error);
    for (size_t i = 0; i < parts && !(error < enough); i++) {
        want(n, n->part[i].normaliser);
        error = isfinite(error) ? error - n->part[i].error : INFINITY;
    }
    return parts > 0;
}

int normalisers_want_all(Normalisers *n, const HypothesisTree *t, Extension end)
{
    const Weighed none = { end, 0, 1 };
    Weighed all = none;
    all.length = 1;
    for (int node = end.parent; node >= 0; node = t->node[node].parent)
        all.length++;
    return normalisers_want(n, t, all, none, 0);
}

int extension_goes_before(const Normalisers *n, const HypothesisTree *t, Extension a, Extension b)
{
    while (a.parent != b.parent) {
        const double of_a = extension_log_probability(n, t, &a);
        const double of_b = extension_log_probability(n, t, &b);
        if (of_a != of_b) return of_a > of_b;
        a = extension_of(t, a.parent);
        b = extension_of(t, b.parent);
    }
    return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
}
