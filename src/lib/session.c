/* session.c - every thread of a session works in attempts of its own. */
#include "lib/session.h"

#include "base/mem.h"
#include "base/system/pool.h"
#include "lib/attempt.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct Session {
    Heap       *heap;
    pid_t       process;        /* which started the threads */
    Pool       *pool;
    Translator *translator;
    Translations translations;
    atomic_int  failed;         /* a thread has: */
    Err         failure;        /* so; of the first */
};

/* ---- making one ---- */

/* A task of one thread of a session. */
typedef struct {
    PoolTask *task;
    void     *context;
    int       worker;
} Task;

static void perform(void *context)
{
    const Task *t = context;
    t->task(t->context, t->worker);
}

static void survive(void *guarded, PoolTask *task, void *context, int worker)
{
    Err e;
    Session *s = guarded;
    Task t = { task, context, worker };
    if (attempt(s->heap, perform, &t, &e) && !atomic_exchange(&s->failed, 1)) s->failure = e;
}

/* What other threads have left half done is not to be used. */
static void end_together(void *guarded)
{
    const Session *s = guarded;
    if (atomic_load(&s->failed)) die("%s", s->failure.text);
}

typedef struct {
    const Translator *shared;
    Heap             *heap;
    int               threads;
    Session          *session;      /* as far as it is made */
} Making;

static void make(void *context)
{
    Making *m = context;
    Session *s = m->session = xcalloc(1, sizeof *s);
    s->heap = m->heap;
    s->process = getpid();
    s->pool = pool_try(m->threads);
    if (!s->pool) die("cannot start %d threads", m->threads ? m->threads : pool_cores());
    pool_guard(s->pool, (PoolGuard){ survive, end_together, s });
    s->translator = translator_share(m->shared, s->pool);
}

/* Its threads take no signals, which are for those of the program. */
Session *session_new(const Translator *translator, int threads, Err *e)
{
    sigset_t all, before;
    Making m = { translator, heap_new(), threads, NULL };
    if (!m.heap) {
        err(e, "out of memory");
        return NULL;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = attempt(m.heap, make, &m, e);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed) return m.session;
    if (m.session) session_free(m.session);
    else heap_free(m.heap);
    return NULL;
}

int session_works(const Session *s)
{
    return s->process == getpid() || pool_workers(s->pool) == 1;
}

/* Threads that are not there cannot be joined; all else is in the heap. */
void session_free(Session *s)
{
    if (!s) return;
    if (!s->pool || session_works(s)) pool_free(s->pool);
    heap_free(s->heap);
}

/* ---- translating ---- */

typedef struct {
    Session           *session;
    const char *const *line;        /* (count) */
    size_t             count;
} Lines;

static void translate(void *context)
{
    const Lines *l = context;
    Session *s = l->session;
    translator_restart(s->translator);
    s->translations = translator_run(s->translator, l->line, l->count);
}

const Translation *session_run(Session *s, const char *const *lines, size_t count, Err *e)
{
    Lines l = { s, lines, count };
    return attempt(s->heap, translate, &l, e) ? NULL : s->translations.line;
}

void session_clear(Session *s)
{
    translations_free(&s->translations);
}
