/* attn.c - the library: models, translators, and what they translate.
 *
 * The layers below ask for memory, files and threads at any depth, and die() where they are refused.
 * So each object here lives in a Mem (base/mem.h) with all that belongs to it, and every call of those
 * layers is work in one: if it dies, the Mem is freed, and the call returns an error.
 */
#include "lib/attn.h"

#include "base/mem.h"
#include "base/strings.h"
#include "base/system/pool.h"
#include "base/version.h"
#include "linalg/precision.h"
#include "model/file/model_file.h"
#include "search/search_options.h"
#include "text/unicode.h"
#include "translate/alignment.h"
#include "translate/translator.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

_Static_assert(sizeof(attn_error) == sizeof(Err), "an Err is what users see as attn_error");

/* The message goes to the user, who may not want it; -1. */
static int report(attn_error *error, const Err *e)
{
    if (error) memcpy(error->text, e->text, sizeof error->text);
    return -1;
}

/* Makes an object in a Mem of its own (mem_entered). */
static int make(void (*work)(void *context), void *context, attn_error *error)
{
    Err e;
    Mem *mem = mem_new();
    if (mem && !mem_try(mem, work, context, &e)) return 0;
    if (!mem) err(&e, "out of memory");
    mem_free(mem);
    return report(error, &e);
}

const char *attn_version(void)
{
    return ATTN_VERSION;
}

/* ---- models ---- */

struct attn_model {
    Mem  *mem;
    Model model;
};

typedef struct {
    const char *path;
    attn_model *model;
} Loading;

static void load(void *context)
{
    Err e;
    Loading *l = context;
    l->model = xcalloc(1, sizeof *l->model);
    l->model->mem = mem_entered();
    if (model_load(&l->model->model, l->path, &e)) die("%s", e.text);
}

attn_model *attn_model_load(const char *path, attn_error *error)
{
    Loading l = { .path = path };
    return make(load, &l, error) ? NULL : l.model;
}

void attn_model_free(attn_model *model)
{
    if (model) mem_free(model->mem);
}

/* ---- options of a translator, by the tables of `attn translate` ---- */

typedef struct {
    SearchOptions search;
    int           threads;      /* 0: one a core */
    int           alignment;
} Settings;

#define AT(member) .offset = offsetof(Settings, member)
static const Field own_fields[] = {
    { .name = "threads", .kind = FIELD_INT, AT(threads), .low = 0, .high = 1024 },
    { .name = "alignment", .kind = FIELD_FLAG, AT(alignment) },
    { .name = "to", .kind = FIELD_WORD, AT(search.to) },
    { .name = NULL }
};

enum { TABLES = 3 };
static const Field *const tables[TABLES] = { own_fields, search_fields, sampling_fields };

static int set(Settings *s, const char *name, const char *value, Err *e)
{
    Err why;
    Suggestion similar = { .word = name };
    for (int i = 0; i < TABLES; i++) {
        const Field *field = fields_find(tables[i], name, strlen(name));
        void *object = i ? (void *)&s->search : s;
        for (const Field *other = tables[i]; !field && other->name; other++)
            suggestion_offer(&similar, other->name);
        if (!field) continue;
        if (!value) return err(e, "the option '%s' has no value", name);
        if (!field_set(field, object, value, &why)) return 0;
        return err(e, "%s", why.text + strspn(why.text, "-"));      /* "--beam: ..." */
    }
    if (!similar.best) return err(e, "'%.60s' is not an option", name);
    return err(e, "'%.60s' is not an option; did you mean '%s'?", name, similar.best);
}

static int has_name(const char *const *options, const char *name)
{
    for (; options && *options; options += 2)
        if (!strcmp(*options, name)) return 1;
    return 0;
}

static int check_sampling(const Settings *s, const char *const *options, Err *e)
{
    static const char *const beams[] = { "beam", "beam-threshold", NULL };
    for (const char *const *name = beams; *name && s->search.sample; name++)
        if (has_name(options, *name))
            return err(e, "'sample' chooses words at random, without a beam; leave out '%s'", *name);
    for (const Field *field = sampling_fields; field->name && !s->search.sample; field++)
        if (strcmp(field->name, "sample") && has_name(options, field->name))
            return err(e, "'%s' is for sampling; set 'sample' to on", field->name);
    return 0;
}

static int check_settings(const Settings *s, const char *const *options, const Model *model, Err *e)
{
    const SearchOptions *search = &s->search;
    if (check_sampling(s, options, e)) return -1;
    if (!search->sample && search->beam != FIELD_AUTO && search->nbest > search->beam)
        return err(e, "nbest: %d is more than the %d translations that a beam of %d keeps",
                   search->nbest, search->beam, search->beam);
    if (search->precision != FIELD_AUTO && !precision_works((Precision)search->precision))
        return err(e, "precision: this libattn has no products in %s",
                   precision_names[search->precision]);
    if (s->alignment && !network_has_attention(&model->network))
        return err(e, "alignment: the model was trained with --attention none");
    return target_check(model, "the model", search->to, e);
}

static int read_settings(Settings *s, const char *const *options, const Model *model, Err *e)
{
    *s = (Settings){ .search = search_defaults(), .threads = 1 };
    fields_automate(search_fields, &s->search);
    for (const char *const *at = options; at && *at; at += 2)
        if (set(s, at[0], at[1], e)) return -1;
    s->search.attention = s->alignment;
    return check_settings(s, options, model, e);
}

/* ---- sessions: what one call of attn_translate needs for itself ---- */

typedef struct {
    Mem        *mem;
    Pool       *pool;
    Translator *translator;     /* shares the weights of others */
} Session;

typedef struct {
    const Translator *shared;
    int               threads;
    Session          *session;
} Beginning;

static void begin(void *context)
{
    Beginning *b = context;
    Session *s = b->session = xcalloc(1, sizeof *s);
    s->mem = mem_entered();
    s->pool = pool_new(b->threads);
    s->translator = translator_share(b->shared, s->pool);
}

static void session_free(Session *s)
{
    if (s) mem_free(s->mem);
}

/* ---- translators ---- */

/* Sessions that are kept for calls to come; further calls at a time make some that end with them. */
enum { MOST_IDLE = 256 };

/* There is no lock, which a thread could hold while another one forks. */
struct attn_translator {
    Mem               *mem;
    const Model       *model;
    Settings           settings;
    Translator        *shared;              /* has the weights of all sessions, and never runs */
    _Atomic(Session *) idle[MOST_IDLE];     /* or NULL */
};

typedef struct {
    const Model       *model;
    const char *const *options;
    attn_translator   *translator;
} Making;

static void make_translator(void *context)
{
    Err e;
    Making *m = context;
    attn_translator *t = m->translator = xcalloc(1, sizeof *t);
    t->mem = mem_entered();
    t->model = m->model;
    if (read_settings(&t->settings, m->options, m->model, &e)) die("%s", e.text);
    t->shared = translator_new(m->model, 1, &t->settings.search, pool_new(1));
}

attn_translator *attn_translator_new(const attn_model *model, const char *const *options,
                                     attn_error *error)
{
    Making m = { .model = &model->model, .options = options };
    return make(make_translator, &m, error) ? NULL : m.translator;
}

void attn_translator_free(attn_translator *t)
{
    if (!t) return;
    for (int i = 0; i < MOST_IDLE; i++)
        session_free(t->idle[i]);
    mem_free(t->mem);
}

/* One that no other call has, or a new one. In a child those of its parent may have no threads: they
 * end here. */
static Session *take_session(attn_translator *t, attn_error *error)
{
    for (int i = 0; i < MOST_IDLE; i++) {
        Session *s = atomic_load(&t->idle[i]) ? atomic_exchange(&t->idle[i], NULL) : NULL;
        if (s && pool_is_whole(s->pool)) return s;
        session_free(s);
    }
    Beginning b = { .shared = t->shared, .threads = t->settings.threads };
    return make(begin, &b, error) ? NULL : b.session;
}

static void leave_session(attn_translator *t, Session *s)
{
    for (int i = 0; i < MOST_IDLE; i++) {
        Session *none = NULL;
        if (atomic_compare_exchange_strong(&t->idle[i], &none, s)) return;
    }
    session_free(s);
}

/* ---- results: translations as values that need neither model nor translator ---- */

typedef struct {
    char  *text, *alignment;        /* alignment NULL: not wanted */
    double log_probability, score;
} Best;

typedef struct {
    Best  *best;                    /* (count) */
    size_t count;
} Line;

struct attn_result {
    Mem   *mem;
    Line  *line;                    /* (count) */
    size_t count;
};

/* One call of attn_translate. */
typedef struct {
    Session           *session;
    const char *const *line;        /* (count) */
    size_t             count;
    Translations       translations;
    const Model       *aligned;     /* the model, for alignments; NULL: none are wanted */
    attn_error        *error;
    attn_result       *result;      /* NULL: an error */
} Call;

static Best best_of(const Translation *t, int k, const Model *aligned)
{
    Buf links = { 0 };
    if (aligned) buf_clear(&links);
    if (aligned && t->count) line_links(t, k, aligned, &links);
    if (!t->count) return (Best){ .text = xstrdup(""), .alignment = links.text };
    const LineHypothesis *h = &t->hypothesis[k];
    return (Best){ xstrdup(h->text), links.text, h->log_probability, h->score };
}

static void make_result(void *context)
{
    Call *c = context;
    attn_result *r = xmalloc(1, sizeof *r);
    *r = (attn_result){ mem_entered(), xmalloc(c->count, sizeof *r->line), c->count };
    for (size_t i = 0; i < c->count; i++) {
        const Translation *t = &c->translations.line[i];
        if (t->count && translation_is_void(t))
            die("line %zu: what the model computes of it is no number: its weights are too large",
                i);
        const int count = t->count ? t->count : 1;
        r->line[i] = (Line){ xmalloc((size_t)count, sizeof(Best)), (size_t)count };
        for (int k = 0; k < count; k++)
            r->line[i].best[k] = best_of(t, k, c->aligned);
    }
    c->result = r;
}

static void translate(void *context)
{
    Call *c = context;
    translator_restart(c->session->translator);
    c->translations = translator_run(c->session->translator, c->line, NULL, c->count);
    make(make_result, c, c->error);
    translations_free(&c->translations);
}

static int check_lines(const char *const *lines, size_t count, Err *e)
{
    for (size_t i = 0; i < count; i++) {
        if (!lines[i]) return err(e, "line %zu: is NULL", i);
        if (!unicode_valid(lines[i], strlen(lines[i])))
            return err(e, "line %zu: is not valid UTF-8", i);
    }
    return 0;
}

attn_result *attn_translate(attn_translator *translator, const char *const *lines, size_t count,
                            attn_error *error)
{
    Err e;
    Call c = { .line = lines, .count = count, .error = error,
               .aligned = translator->settings.alignment ? translator->model : NULL };
    if (check_lines(lines, count, &e)) {
        report(error, &e);
        return NULL;
    }
    c.session = take_session(translator, error);
    if (!c.session) return NULL;
    if (!mem_try(c.session->mem, translate, &c, &e)) {
        leave_session(translator, c.session);
        return c.result;
    }
    report(error, &e);
    session_free(c.session);
    attn_result_free(c.result);
    return NULL;
}

void attn_result_free(attn_result *result)
{
    if (result) mem_free(result->mem);
}

/* Translation k of a line; where there is none, what the functions below return then. */
static const Best *find(const attn_result *r, size_t line, size_t k)
{
    static const Best none = { NULL, NULL, NAN, NAN };
    return k < attn_result_count(r, line) ? &r->line[line].best[k] : &none;
}

size_t attn_result_count(const attn_result *r, size_t line)
{
    return line < r->count ? r->line[line].count : 0;
}

const char *attn_result_text(const attn_result *r, size_t line, size_t k)
{
    return find(r, line, k)->text;
}

double attn_result_log_probability(const attn_result *r, size_t line, size_t k)
{
    return find(r, line, k)->log_probability;
}

double attn_result_score(const attn_result *r, size_t line, size_t k)
{
    return find(r, line, k)->score;
}

const char *attn_result_alignment(const attn_result *r, size_t line, size_t k)
{
    return find(r, line, k)->alignment;
}
