/* test_attn.c - the library: the same translations as the program's, from any thread; and errors as
 * values, also when each request for memory in turn is refused. That nothing leaks then is what the
 * address sanitizer says.
 *
 * The linker puts the functions __wrap_... below in the place of those of the C library.
 */
#include "lib/attn.h"

#include "base/mem.h"
#include "base/version.h"
#include "nn/score/score.h"
#include "toy.h"
#include "translate/alignment.h"
#include "translate/translator.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

enum { LINES = 12, FEW = 3, NBEST = 3 };

static const char *const lines[LINES] = {
    "I am calm. You are calm.", "", "Where is the cat?", "Thank you. Good night! He is here.",
    "zzz", "  ", "She is here. The cat sleeps.", "Good night!", "4711", "I am here.",
    "Thank you, thank you, thank you.", "The cat is calm. The cat is here. Where are you?",
};

static const char *const options[] = {
    "beam", "4", "nbest", "3", "alignment", "on", "threads", "2", NULL
};

/* ---- what the system refuses ---- */

static atomic_long left;        /* requests for memory until one is refused; 0: none will be */
static atomic_int  threads_left = INT_MAX;      /* that can be started */
static atomic_int  opened;      /* files that are open now */

static int is_refused(void)
{
    if (atomic_load(&left) <= 0) return 0;
    return atomic_fetch_sub(&left, 1) == 1;
}

/* Declares both, as the compiler wants it, and defines what stands in the place of the C library's. */
#define WRAPPED(type, name, ...) \
    type __real_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__)

#define ALLOCATES(name, given, ...) \
    WRAPPED(void *, name, __VA_ARGS__) { return is_refused() ? NULL : __real_##name given; }
ALLOCATES(malloc, (bytes), size_t bytes)
ALLOCATES(calloc, (count, size), size_t count, size_t size)
ALLOCATES(realloc, (old, bytes), void *old, size_t bytes)
ALLOCATES(aligned_alloc, (alignment, bytes), size_t alignment, size_t bytes)

WRAPPED(int, pthread_create, pthread_t *thread, const pthread_attr_t *attributes,
        void *(*work)(void *), void *context)
{
    if (atomic_fetch_sub(&threads_left, 1) <= 0) return EAGAIN;
    return __real_pthread_create(thread, attributes, work, context);
}

WRAPPED(int, open, const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    const int file = __real_open(path, flags, mode);
    if (file >= 0) atomic_fetch_add(&opened, 1);
    return file;
}

WRAPPED(int, close, int file)
{
    atomic_fetch_sub(&opened, 1);
    return __real_close(file);
}

/* ---- a model, and what it translates ---- */

typedef struct {
    Scratch         *scratch;
    Toy             *toy;
    attn_model      *model;
    attn_translator *translator;
} Case;

static void *made(void *object, const attn_error *error)
{
    if (!object) fail_msg("%s", error->text);
    return object;
}

static attn_model *load(const char *path)
{
    attn_error error = { "" };
    return made(attn_model_load(path, &error), &error);
}

static attn_translator *translator_of(const attn_model *model, const char *const *wanted)
{
    attn_error error = { "" };
    return made(attn_translator_new(model, wanted, &error), &error);
}

static attn_result *translated(attn_translator *translator)
{
    attn_error error = { "" };
    return made(attn_translate(translator, lines, LINES, &error), &error);
}

/* Instead of the toy's first model. */
static void take_model(Case *c, const char *const *wanted)
{
    Err e;
    assert_int_equal(model_save(&c->toy->model, c->toy->model_path, &e), 0);
    attn_translator_free(c->translator);
    attn_model_free(c->model);
    c->model = load(c->toy->model_path);
    c->translator = translator_of(c->model, wanted);
}

static int case_setup(void **state)
{
    Case *c = calloc(1, sizeof *c);
    scratch_setup((void **)&c->scratch);
    c->toy = toy_new(c->scratch, TOKENS_BPE, 1);
    take_model(c, options);
    *state = c;
    return 0;
}

static int case_teardown(void **state)
{
    Case *c = *state;
    attn_translator_free(c->translator);
    attn_model_free(c->model);
    toy_free(c->toy);
    scratch_teardown((void **)&c->scratch);
    free(c);
    return 0;
}

#define TEST_OF_CASE(name) UNIT_TEST_WITH(case_setup, case_teardown, name)

/* Of the first lines. */
static void assert_same(const attn_result *one, const attn_result *other, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(attn_result_count(one, i), attn_result_count(other, i));
        for (size_t k = 0; k < attn_result_count(one, i); k++) {
            assert_string_equal(attn_result_text(one, i, k), attn_result_text(other, i, k));
            assert_string_equal(attn_result_alignment(one, i, k),
                                attn_result_alignment(other, i, k));
            assert_true(attn_result_score(one, i, k) == attn_result_score(other, i, k));
        }
    }
}

/* The products may be OpenBLAS's here, which round otherwise. */
static void assert_same_hypothesis(const attn_result *result, size_t i, int k, const Translation *t,
                                   const Model *model)
{
    Buf links = { 0 };
    const LineHypothesis *h = &t->hypothesis[k];
    const size_t n = (size_t)k;
    buf_clear(&links);
    line_links(t, k, model, &links);
    assert_string_equal(attn_result_text(result, i, n), h->text);
    assert_string_equal(attn_result_alignment(result, i, n), links.text);
    assert_float_equal(attn_result_score(result, i, n), h->score, 1e-4);
    assert_float_equal(attn_result_log_probability(result, i, n), h->log_probability, 1e-3);
    buf_free(&links);
}

TEST_OF_CASE(translations_should_be_those_of_the_program)
{
    Case *c = *state;
    SearchOptions o = search_defaults();
    o.beam = 4;
    o.nbest = 3;
    o.precision = FIELD_AUTO;
    Translator *t = translator_new(&c->toy->model, 1, &o, c->toy->training.pool);
    Translations out = translator_run(t, lines, NULL, LINES);
    attn_result *result = translated(c->translator);
    for (size_t i = 0; i < LINES; i++) {
        assert_int_equal(attn_result_count(result, i), out.line[i].count ? out.line[i].count : 1);
        for (int k = 0; k < out.line[i].count; k++)
            assert_same_hypothesis(result, i, k, &out.line[i], &c->toy->model);
    }
    translations_free(&out);
    assert_int_equal(attn_result_count(result, 0), NBEST);
    translator_free(t);
    attn_result_free(result);
}

TEST_OF_CASE(what_is_not_there_should_be_no_value)
{
    Case *c = *state;
    attn_translator *plain = translator_of(c->model, NULL);
    attn_result *result = translated(plain), *nothing = attn_translate(plain, NULL, 0, NULL);
    assert_int_equal(attn_result_count(result, LINES), 0);
    assert_int_equal(attn_result_count(nothing, 0), 0);
    assert_null(attn_result_text(result, LINES, 0));
    assert_null(attn_result_text(result, 0, 1));
    assert_true(isnan(attn_result_score(result, 0, 1)));
    assert_true(isnan(attn_result_log_probability(result, 0, 1)));
    assert_null(attn_result_alignment(result, 0, 0));
    assert_int_equal(attn_result_count(result, 1), 1);          /* of a line without words */
    assert_string_equal(attn_result_text(result, 1, 0), "");
    assert_true(attn_result_score(result, 1, 0) == 0 && attn_result_log_probability(result, 1, 0) == 0);
    assert_string_equal(attn_version(), ATTN_VERSION);
    attn_result_free(nothing);
    attn_result_free(result);
    attn_translator_free(plain);
}

TEST_OF_CASE(what_is_drawn_should_depend_on_the_seed_alone_and_outlive_its_model)
{
    static const char *const draw[] = { "sample", "on", "alignment", "on", "temperature", "3",
                                        "nbest", "2", "seed", "7", NULL };
    Case *c = *state;
    take_model(c, draw);
    attn_result *one = translated(c->translator), *other = translated(c->translator);
    take_model(c, NULL);
    assert_same(one, other, LINES);
    assert_string_not_equal(attn_result_text(one, 0, 0), attn_result_text(one, 0, 1));
    attn_result_free(one);
    attn_result_free(other);
}

/* ---- threads ---- */

enum { THREADS = 8, RUNS = 3 };

typedef struct {
    const Case        *c;
    const attn_result *expected;
} Shared;

/* Half of the calls share a model and a translator, half have their own. */
static void *translate_often(void *context)
{
    const Shared *s = context;
    attn_model *model = load(s->c->toy->model_path);
    attn_translator *own = translator_of(model, options);
    for (int i = 0; i < RUNS; i++) {
        attn_result *shared = translated(s->c->translator), *alone = translated(own);
        assert_same(shared, s->expected, LINES);
        assert_same(alone, s->expected, LINES);
        attn_result_free(shared);
        attn_result_free(alone);
    }
    attn_translator_free(own);
    attn_model_free(model);
    return NULL;
}

static void while_threads_translate(const Case *c, void (*work)(const Case *c, const attn_result *expected))
{
    pthread_t thread[THREADS];
    const Shared shared = { c, translated(c->translator) };
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, translate_often, (void *)&shared), 0);
    if (work) work(c, shared.expected);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    attn_result_free((attn_result *)shared.expected);
}

/* What scripts/test-arm64 sets: qemu's threads do not survive a fork. */
static int is_emulated(void)
{
    return getenv("TIME_FACTOR") != NULL;
}

#if defined(__SANITIZE_THREAD__)
enum { IS_SANITIZED = 1, FORKS = 0 };       /* a child may start no threads */
#elif defined(__SANITIZE_ADDRESS__)
enum { IS_SANITIZED = 1, FORKS = 1 };
#else
enum { IS_SANITIZED = 0, FORKS = 1 };
#endif

/* Whether the translations are these; in a child, where no assertion ends the test. */
static int translates_alike(attn_translator *translator, const attn_result *expected)
{
    attn_result *result = attn_translate(translator, lines, LINES, NULL);
    int alike = result != NULL;
    for (size_t i = 0; alike && i < LINES; i++)
        alike = !strcmp(attn_result_text(result, i, 0), attn_result_text(expected, i, 0));
    attn_result_free(result);
    return alike;
}

/* With its parent's sessions, then with its own, and in a child of its own. */
static int works_as_child(const Case *c, const attn_result *expected, int generations)
{
    int status = 0;
    const pid_t child = fork();
    if (child) return waitpid(child, &status, 0) == child && status == 0;
    const int works = translates_alike(c->translator, expected)
                      && translates_alike(c->translator, expected)
                      && (generations == 1 || works_as_child(c, expected, generations - 1));
    attn_translator_free(c->translator);
    attn_model_free(c->model);
    _exit(!works);
}

static void make_children(const Case *c, const attn_result *expected)
{
    for (int i = 0; i < 3; i++)
        assert_true(works_as_child(c, expected, 2));
}

TEST_OF_CASE(a_child_should_translate_as_its_parent_does)
{
    if (!FORKS || is_emulated()) skip();
    Case *c = *state;
    attn_result *expected = translated(c->translator);
    make_children(c, expected);
    assert_true(translates_alike(c->translator, expected));
    attn_result_free(expected);
}

/* In a sanitizer's child malloc may be another thread's. */
TEST_OF_CASE(eight_threads_should_load_and_share_a_model_while_children_do)
{
    while_threads_translate(*state, IS_SANITIZED || is_emulated() ? NULL : make_children);
}

/* What attn.h says that a call needs: most of it holds the panels of a product in float. */
enum { STACK = 512 << 10, SENTENCES = 200 };

static void *work_on_small_stack(void *context)
{
    const Case *c = context;
    attn_error error = { "" };
    Buf line = { 0 };
    for (int i = 0; i < SENTENCES; i++)
        buf_puts(&line, "Where is the cat in 1990? ");
    attn_result *result = attn_translate(c->translator, (const char *const[]){ line.text }, 1, &error);
    buf_free(&line);
    return result;
}

TEST_OF_CASE(a_small_stack_should_be_enough)
{
    void *result = NULL;
    pthread_t thread;
    pthread_attr_t attributes;
    if (IS_SANITIZED || sizeof(real) == sizeof(double)) skip();     /* have larger frames */
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
    pthread_create(&thread, &attributes, work_on_small_stack, *state);
    pthread_join(thread, &result);
    assert_non_null(result);
    attn_result_free(result);
    pthread_attr_destroy(&attributes);
}

/* ---- errors ---- */

/* Options, or a second line, that are refused with this message. */
static void assert_refused(const Case *c, const char *const *wanted, const char *line, const char *message)
{
    attn_error error = { "" };
    const char *const two[] = { "I am calm.", line };
    if (wanted) assert_null(attn_translator_new(c->model, wanted, &error));
    else assert_null(attn_translate(c->translator, two, 2, &error));
    assert_string_equal(error.text, message);
}

#define REFUSED(message, ...) \
    assert_refused(c, (const char *const[]){ __VA_ARGS__, NULL }, NULL, message)

TEST_OF_CASE(lines_and_options_that_cannot_be_should_be_errors)
{
    Case *c = *state;
    assert_refused(c, NULL, "caf\xe9", "line 1: is not valid UTF-8");
    assert_refused(c, NULL, NULL, "line 1: is NULL");
    REFUSED("'beem' is not an option; did you mean 'beam'?", "beem", "3");
    REFUSED("'colour' is not an option", "colour", "always");
    REFUSED("beam: '0' is not a whole number from 1 to 100, or auto", "nbest", "1", "beam", "0");
    REFUSED("the option 'beam' has no value", "beam");
    REFUSED("nbest: 6 is more than the 5 translations that a beam of 5 keeps", "nbest", "6", "beam", "5");
    REFUSED("'seed' is for sampling; set 'sample' to on", "seed", "3");
    REFUSED("'sample' chooses words at random, without a beam; leave out 'beam'",
            "sample", "on", "beam", "2");
    REFUSED("'sample' chooses words at random, without a beam; leave out 'beam-threshold'",
            "sample", "on", "beam-threshold", "2");
    NetworkOptions network = c->toy->model.network;
    while (strcmp(attention_score_names[network.attention], "none"))
        network.attention++;
    toy_network(c->toy, &network);
    take_model(c, NULL);
    REFUSED("alignment: the model was trained with --attention none", "alignment", "on");
}

TEST_OF_CASE(what_overflows_should_be_an_error)
{
    attn_error error = { "" };
    if (sizeof(real) == sizeof(double)) skip();     /* has no such weights in F32 */
    Case *c = *state;
    for (size_t i = 0; i < c->toy->model.table->size; i++)
        c->toy->model.weights[i] = (real)1e38;
    take_model(c, NULL);
    assert_null(attn_translate(c->translator, lines, LINES, &error));
    assert_string_equal(error.text, "line 0: what the model computes of it is no number: its "
                        "weights are too large");
}

TEST_OF_CASE(threads_that_cannot_be_had_should_be_an_error)
{
    static const char *const four[] = { "threads", "4", NULL };
    attn_error error = { "" };
    Case *c = *state;
    attn_translator *team = translator_of(c->model, four), *alone = translator_of(c->model, NULL);
    atomic_store(&threads_left, 2);
    assert_null(attn_translate(team, lines, LINES, &error));
    attn_result_free(translated(alone));        /* needs none */
    atomic_store(&threads_left, INT_MAX);
    assert_string_equal(error.text, "cannot start 4 threads; try fewer");
    attn_result_free(translated(team));
    attn_translator_free(alone);
    attn_translator_free(team);
}

/* ---- no memory ---- */

/* Refuses one request after another; make returns an object, or NULL with an error. */
static void *when_refused(void *(*make)(void *context, attn_error *error), void *context)
{
    void *made = NULL;
    long n = 1;
    for (; !made; n++) {
        attn_error error = { "" };
        atomic_store(&left, n);
        made = make(context, &error);
        const int was_refused = atomic_exchange(&left, 0) <= 0;
        assert_true(made || (was_refused && *error.text));
        if (made && was_refused) fail_msg("request %ld: refused, and not noticed", n);
    }
    assert_true(n > 2);                         /* at least the first one was refused */
    return made;
}

static void *load_model(void *path, attn_error *error)
{
    return attn_model_load(path, error);
}

static void *make_translator(void *model, attn_error *error)
{
    return attn_translator_new(model, options, error);
}

static void *translate_lines(void *translator, attn_error *error)
{
    return attn_translate(translator, lines, FEW, error);
}

TEST_OF_CASE(each_refusal_of_memory_should_be_an_error_and_no_more)
{
    Case *c = *state;
    const int before = atomic_load(&opened);
    cJSON_Hooks counted = { .malloc_fn = __wrap_malloc, .free_fn = free };
    attn_result *expected = translated(c->translator);
    cJSON_InitHooks(&counted);
    attn_model *model = when_refused(load_model, c->toy->model_path);
    cJSON_InitHooks(NULL);
    attn_translator *translator = when_refused(make_translator, model);
    attn_result *result = when_refused(translate_lines, translator);
    attn_result *again = translated(translator);
    assert_int_equal(atomic_load(&opened), before);
    assert_same(result, expected, FEW);
    assert_same(again, expected, LINES);
    attn_result_free(again);
    attn_result_free(result);
    attn_result_free(expected);
    attn_translator_free(translator);
    attn_model_free(model);
}

int main(void) { return run_unit_tests(); }
