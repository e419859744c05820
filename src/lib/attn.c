/* attn.c - models and translators of the library: each has its heap, which holds the object itself
 * and all that belongs to it.
 */
#include "lib/attn.h"

#include "base/mem.h"
#include "base/version.h"
#include "lib/attempt.h"
#include "lib/result.h"
#include "lib/session.h"
#include "lib/settings.h"
#include "text/unicode.h"

#include <stdatomic.h>
#include <string.h>

_Static_assert(sizeof(attn_error) == sizeof(Err), "an Err is what users see as attn_error");

struct attn_model {
    Heap *heap;
    Model model;
};

/* What is kept for calls to come; further calls at a time make sessions that end with them. */
enum { MOST_IDLE = 256 };

/* There is no lock, which a thread could hold while another one forks. */
struct attn_translator {
    Heap              *heap;
    const Model       *model;
    Settings           settings;
    Translator        *shared;              /* has the weights of all sessions, and never runs */
    _Atomic(Session *) idle[MOST_IDLE];     /* or NULL */
};

const char *attn_version(void)
{
    return ATTN_VERSION;
}

/* A message as users see it; NULL: they do not want it. */
static void report(attn_error *error, const Err *e)
{
    if (error) memcpy(error->text, e->text, sizeof error->text);
}

/* ---- models ---- */

typedef struct {
    const char *path;
    Heap       *heap;
    attn_model *model;
    int         failed;
    Err        *error;
} Loading;

static void load(void *context)
{
    Loading *l = context;
    l->model = xcalloc(1, sizeof *l->model);
    l->model->heap = l->heap;
    l->failed = model_load(&l->model->model, l->path, l->error);
}

static attn_model *load_model(const char *path, Err *e)
{
    Loading l = { .path = path, .heap = heap_new(), .error = e };
    if (!l.heap) err(e, "out of memory");
    else if (!attempt(l.heap, load, &l, e) && !l.failed) return l.model;
    heap_free(l.heap);
    return NULL;
}

attn_model *attn_model_load(const char *path, attn_error *error)
{
    Err e;
    attn_model *model = load_model(path, &e);
    if (!model) report(error, &e);
    return model;
}

void attn_model_free(attn_model *model)
{
    if (model) heap_free(model->heap);
}

/* ---- translators ---- */

typedef struct {
    const Model       *model;
    const char *const *options;
    Heap              *heap;
    attn_translator   *translator;
    int                failed;
    Err               *error;
} Making;

static void make(void *context)
{
    Making *m = context;
    attn_translator *t = m->translator = xcalloc(1, sizeof *t);
    t->heap = m->heap;
    t->model = m->model;
    m->failed = settings_read(&t->settings, m->options, m->model, m->error);
    if (!m->failed) t->shared = translator_new(m->model, &t->settings.search, pool_try(1));
}

static attn_translator *translator_for(const Model *model, const char *const *options, Err *e)
{
    Making m = { .model = model, .options = options, .heap = heap_new(), .error = e };
    if (!m.heap) err(e, "out of memory");
    else if (!attempt(m.heap, make, &m, e) && !m.failed) return m.translator;
    heap_free(m.heap);
    return NULL;
}

attn_translator *attn_translator_new(const attn_model *model, const char *const *options,
                                     attn_error *error)
{
    Err e;
    attn_translator *translator = translator_for(&model->model, options, &e);
    if (!translator) report(error, &e);
    return translator;
}

void attn_translator_free(attn_translator *t)
{
    if (!t) return;
    for (int i = 0; i < MOST_IDLE; i++)
        session_free(t->idle[i]);
    heap_free(t->heap);
}

/* ---- translating ---- */

/* In a child those of its parent may have no threads: they end here. */
static Session *take_session(attn_translator *t, Err *e)
{
    for (int i = 0; i < MOST_IDLE; i++) {
        Session *s = atomic_load(&t->idle[i]) ? atomic_exchange(&t->idle[i], NULL) : NULL;
        if (s && session_works(s)) return s;
        session_free(s);
    }
    return session_new(t->shared, t->settings.threads, e);
}

static void leave_session(attn_translator *t, Session *s)
{
    session_clear(s);
    for (int i = 0; i < MOST_IDLE; i++) {
        Session *none = NULL;
        if (atomic_compare_exchange_strong(&t->idle[i], &none, s)) return;
    }
    session_free(s);
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

static attn_result *translate(attn_translator *t, const char *const *lines, size_t count, Err *e)
{
    if (check_lines(lines, count, e)) return NULL;
    Session *s = take_session(t, e);
    const Translation *translations = s ? session_run(s, lines, count, e) : NULL;
    if (!translations) {
        session_free(s);
        return NULL;
    }
    const Model *aligned = t->settings.alignment ? t->model : NULL;
    attn_result *result = result_new(translations, count, aligned, e);
    leave_session(t, s);
    return result;
}

attn_result *attn_translate(attn_translator *translator, const char *const *lines, size_t count,
                            attn_error *error)
{
    Err e;
    attn_result *result = translate(translator, lines, count, &e);
    if (!result) report(error, &e);
    return result;
}
