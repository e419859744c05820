/* settings.c - the tables of `attn translate`, and what it checks of them. */
#include "lib/settings.h"

#include "base/suggest.h"
#include "linalg/precision.h"

#include <string.h>

#define AT(member) .offset = offsetof(Settings, member)
static const Field own_fields[] = {
    { .name = "threads", .kind = FIELD_INT, AT(threads), .low = 0, .high = 1024 },
    { .name = "alignment", .kind = FIELD_FLAG, AT(alignment) },
    { .name = NULL }
};

/* The tables, and the object of each. */
enum { TABLES = 3 };
static const Field *const tables[TABLES] = { own_fields, search_fields, sampling_fields };

static void *object_of(int table, Settings *s)
{
    return tables[table] == own_fields ? (void *)s : &s->search;
}

static int refuse_name(const char *name, Err *e)
{
    Suggestion n = { .word = name };
    for (int i = 0; i < TABLES; i++)
        for (const Field *field = tables[i]; field->name; field++)
            suggestion_offer(&n, field->name);
    if (n.best) return err(e, "'%.60s' is not an option; did you mean '%s'?", name, n.best);
    return err(e, "'%.60s' is not an option", name);
}

/* Messages of the tables name an option with its dashes. */
static int set_field(const Field *field, void *object, const char *value, Err *e)
{
    Err why;
    if (!value) return err(e, "the option '%s' has no value", field->name);
    if (!field_set(field, object, value, &why)) return 0;
    return err(e, "%s", why.text + strspn(why.text, "-"));
}

static int set(Settings *s, const char *name, const char *value, Err *e)
{
    for (int i = 0; i < TABLES; i++) {
        const Field *field = fields_find(tables[i], name, strlen(name));
        if (field) return set_field(field, object_of(i, s), value, e);
    }
    return refuse_name(name, e);
}

static int has_name(const char *const *options, const char *name)
{
    for (; options && *options; options += 2)
        if (!strcmp(*options, name)) return 1;
    return 0;
}

static int check_sampling(const Settings *s, const char *const *options, Err *e)
{
    if (s->search.sample && has_name(options, "beam"))
        return err(e, "'sample' chooses words at random, without a beam; leave out 'beam'");
    if (s->search.sample && has_name(options, "beam-threshold"))
        return err(e, "'sample' chooses words at random, without a beam; leave out "
                      "'beam-threshold'");
    for (const Field *field = sampling_fields; field->name && !s->search.sample; field++)
        if (strcmp(field->name, "sample") && has_name(options, field->name))
            return err(e, "'%s' is for sampling; set 'sample' to on", field->name);
    return 0;
}

static int check(const Settings *s, const char *const *options, const Model *model, Err *e)
{
    const SearchOptions *search = &s->search;
    if (check_sampling(s, options, e)) return -1;
    if (!search->sample && search->nbest > search->beam)
        return err(e, "nbest: %d is more than the %d translations that a beam of %d keeps",
                   search->nbest, search->beam, search->beam);
    if (search->precision != FIELD_AUTO && !precision_works((Precision)search->precision))
        return err(e, "precision: this libattn has no products in %s",
                   precision_names[search->precision]);
    if (s->alignment && !network_has_attention(&model->network))
        return err(e, "alignment: the model was trained with --attention none");
    return 0;
}

int settings_read(Settings *s, const char *const *options, const Model *model, Err *e)
{
    *s = (Settings){ .search = search_defaults(), .threads = 1 };
    fields_automate(search_fields, &s->search);
    for (const char *const *at = options; at && *at; at += 2)
        if (set(s, at[0], at[1], e)) return -1;
    s->search.attention = s->alignment;
    return check(s, options, model, e);
}
