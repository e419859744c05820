/* translation.c - stretches to lines. */
#include "translate/translation.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The line's hypothesis k, as one of a stretch: the last where that has fewer. */
static int part_of(const Stretch *stretch, int k)
{
    return k < stretch->count ? k : stretch->count - 1;
}

const Found *stretch_found(const Stretch *stretch, int k)
{
    return &stretch->found[part_of(stretch, k)];
}

int stretch_lacks(const Stretch *stretch, int i)
{
    return !strstr(stretch->text[0], stretch->unknown[i]);
}

/* What some reader takes for the end of a line becomes a blank: words of the textbook, and foreign vocabularies, may
 * hold it. */
static void add_on_one_line(const char *text, Buf *out)
{
    while (*text) {
        const char *character = text;
        int32_t point = unicode_next(&text);
        if (point == 0x2028 || point == 0x2029 || unicode_is_control(point)) buf_putc(out, ' ');
        else buf_add(out, character, (size_t)(text - character));
    }
}

static Hypothesis hypothesis_of(const Translation *line, int k)
{
    Hypothesis h = { 0 };
    Buf whole = { 0 }, text = { 0 };
    for (size_t i = 0; i < line->stretches; i++) {
        const Stretch *stretch = &line->stretch[i];
        const Found *found = stretch_found(stretch, k);
        joint_add(&whole, stretch->joint, stretch->text[part_of(stretch, k)]);
        h.log_probability += found->log_probability;
        h.score += found->score / (double)line->stretches;
    }
    buf_clear(&text);
    add_on_one_line(whole.text, &text);
    buf_free(&whole);
    h.text = text.text;
    return h;
}

void translation_join(Translation *t)
{
    for (size_t i = 0; i < t->stretches; i++)
        if (t->stretch[i].count > t->count) t->count = t->stretch[i].count;
    t->hypothesis = xcalloc((size_t)t->count, sizeof *t->hypothesis);
    for (int k = 0; k < t->count; k++)
        t->hypothesis[k] = hypothesis_of(t, k);
}

int translation_is_void(const Translation *t)
{
    return t->count && isnan(t->hypothesis[0].log_probability);
}

static void texts_free(char **text, int count)
{
    for (int i = 0; i < count; i++)
        free(text[i]);
    free(text);
}

static void stretch_free(Stretch *stretch)
{
    for (int k = 0; k < stretch->count; k++)
        found_free(&stretch->found[k]);
    free(stretch->found);
    texts_free(stretch->text, stretch->count);
    texts_free(stretch->unknown, stretch->unknowns);
    texts_free(stretch->given_unknown, stretch->given_unknowns);
    free(stretch->given_ids);
    free(stretch->source_ids);
}

void translation_free(Translation *t)
{
    for (size_t i = 0; i < t->stretches; i++)
        stretch_free(&t->stretch[i]);
    for (int k = 0; k < t->count; k++)
        free(t->hypothesis[k].text);
    free(t->stretch);
    free(t->hypothesis);
    *t = (Translation){ 0 };
}
