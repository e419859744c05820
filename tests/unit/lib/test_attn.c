/* test_attn.c - the library: the same translations as the program's, from any thread; and errors as
 * values, also when each request for memory in turn is refused. That nothing leaks then is what the
 * address sanitizer says.
 *
 * The linker puts the functions __wrap_... below in the place of those of the C library.
 */
#include "lib/attn.h"

#include "base/mem.h"
#include "base/version.h"
#include "linalg/gemm.h"
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

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
int   __real_posix_memalign(void **block, size_t alignment, size_t bytes);
int   __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                            void *(*work)(void *), void *context);
int   __real_open(const char *path, int flags, ...);
int   __real_close(int file);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
int   __wrap_posix_memalign(void **block, size_t alignment, size_t bytes);
int   __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                            void *(*work)(void *), void *context);
int   __wrap_open(const char *path, int flags, ...);
int   __wrap_close(int file);

void *__wrap_malloc(size_t bytes)
{
    return is_refused() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return is_refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return is_refused() ? NULL : __real_realloc(old, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return is_refused() ? NULL : __real_aligned_alloc(alignment, bytes);
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t bytes)
{
    return is_refused() ? ENOMEM : __real_posix_memalign(block, alignment, bytes);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*work)(void *), void *context)
{
    if (atomic_fetch_sub(&threads_left, 1) <= 0) return EAGAIN;
    return __real_pthread_create(thread, attributes, work, context);
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    const int file = __real_open(path, flags, mode);
    if (file >= 0) atomic_fetch_add(&opened, 1);
    return file;
}

int __wrap_close(int file)
{
    atomic_fetch_sub(&opened, 1);
    return __real_close(file);
}

/* ---- a model, and what it translates ---- */

typedef struct {
    Toy             *toy;
    attn_model      *model;
    attn_translator *translator;
} Case;

static attn_model *load(const char *path)
{
    attn_error error = { "" };
    attn_model *model = attn_model_load(path, &error);
    if (!model) fail_msg("%s", error.text);
    return model;
}

static attn_translator *translator_of(const attn_model *model, const char *const *wanted)
{
    attn_error error = { "" };
    attn_translator *translator = attn_translator_new(model, wanted, &error);
    if (!translator) fail_msg("%s", error.text);
    return translator;
}

static attn_result *translated(attn_translator *translator)
{
    attn_error error = { "" };
    attn_result *result = attn_translate(translator, lines, LINES, &error);
    if (!result) fail_msg("%s", error.text);
    return result;
}

static Case case_new(Scratch *scratch)
{
    Err e;
    Case c = { .toy = toy_new(scratch, TOKENS_BPE, 1) };
    assert_int_equal(model_save(&c.toy->model, c.toy->model_path, &e), 0);
    c.model = load(c.toy->model_path);
    c.translator = translator_of(c.model, options);
    return c;
}

static void case_free(Case *c)
{
    attn_translator_free(c->translator);
    attn_model_free(c->model);
    toy_free(c->toy);
}

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

static void assert_same_results(const attn_result *one, const attn_result *other)
{
    assert_same(one, other, LINES);
}

static SearchOptions same_options(void)
{
    SearchOptions o = search_defaults();
    o.beam = 4;
    o.nbest = 3;
    o.precision = FIELD_AUTO;
    return o;
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

static void translations_should_be_those_of_the_program(void **state)
{
    Case c = case_new(*state);
    const SearchOptions o = same_options();
    Translator *t = translator_new(&c.toy->model, &o, c.toy->training.pool);
    Translations out = translator_run(t, lines, LINES);
    attn_result *result = translated(c.translator);
    for (size_t i = 0; i < LINES; i++) {
        assert_int_equal(attn_result_count(result, i), out.line[i].count ? out.line[i].count : 1);
        for (int k = 0; k < out.line[i].count; k++)
            assert_same_hypothesis(result, i, k, &out.line[i], &c.toy->model);
    }
    translations_free(&out);
    assert_int_equal(attn_result_count(result, 0), NBEST);
    translator_free(t);
    attn_result_free(result);
    case_free(&c);
}

static void a_line_without_words_should_be_an_empty_translation(void **state)
{
    Case c = case_new(*state);
    attn_result *result = translated(c.translator);
    assert_int_equal(attn_result_count(result, 1), 1);
    assert_string_equal(attn_result_text(result, 1, 0), "");
    assert_string_equal(attn_result_alignment(result, 1, 0), "");
    assert_true(attn_result_score(result, 1, 0) == 0);
    assert_true(attn_result_log_probability(result, 1, 0) == 0);
    attn_result_free(result);
    case_free(&c);
}

static void what_is_not_there_should_be_no_value(void **state)
{
    Case c = case_new(*state);
    attn_translator *plain = translator_of(c.model, NULL);
    attn_result *result = translated(plain), *nothing = attn_translate(plain, NULL, 0, NULL);
    assert_int_equal(attn_result_count(result, LINES), 0);
    assert_int_equal(attn_result_count(nothing, 0), 0);
    assert_null(attn_result_text(result, LINES, 0));
    assert_null(attn_result_text(result, 0, 1));
    assert_true(isnan(attn_result_score(result, 0, 1)));
    assert_true(isnan(attn_result_log_probability(result, 0, 1)));
    assert_null(attn_result_alignment(result, 0, 0));
    attn_result_free(nothing);
    attn_result_free(result);
    attn_translator_free(plain);
    case_free(&c);
}

static void the_version_should_be_that_of_the_program(void **state)
{
    assert_string_equal(attn_version(), ATTN_VERSION);
}

static void a_result_should_outlive_its_model(void **state)
{
    Case c = case_new(*state);
    attn_result *result = translated(c.translator), *again = translated(c.translator);
    case_free(&c);
    assert_same_results(result, again);
    attn_result_free(result);
    attn_result_free(again);
}

static void what_is_drawn_should_depend_on_the_seed_alone(void **state)
{
    static const char *const draw[] = { "sample", "on", "alignment", "on", "temperature", "3",
                                        "nbest", "2", "seed", "7", NULL };
    Case c = case_new(*state);
    attn_translator *translator = translator_of(c.model, draw);
    attn_result *one = translated(translator), *other = translated(translator);
    assert_same_results(one, other);
    assert_string_not_equal(attn_result_text(one, 0, 0), attn_result_text(one, 0, 1));
    attn_result_free(one);
    attn_result_free(other);
    attn_translator_free(translator);
    case_free(&c);
}

/* ---- threads ---- */

enum { THREADS = 8, RUNS = 3 };

typedef struct {
    const Case        *c;
    const attn_result *expected;
} Shared;

/* Half of the calls share a translator, half have their own. */
static void *translate_often(void *context)
{
    const Shared *s = context;
    attn_translator *own = translator_of(s->c->model, options);
    for (int i = 0; i < RUNS; i++) {
        attn_result *shared = translated(s->c->translator), *alone = translated(own);
        assert_same_results(shared, s->expected);
        assert_same_results(alone, s->expected);
        attn_result_free(shared);
        attn_result_free(alone);
    }
    attn_translator_free(own);
    return NULL;
}

static void eight_threads_should_share_a_model(void **state)
{
    Case c = case_new(*state);
    pthread_t thread[THREADS];
    attn_translator *first = translator_of(c.model, options);
    Shared shared = { &c, translated(first) };
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, translate_often, &shared), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    attn_result_free((attn_result *)shared.expected);
    attn_translator_free(first);
    case_free(&c);
}

static void *load_often(void *context)
{
    for (int i = 0; i < RUNS; i++)
        attn_model_free(load(context));
    return NULL;
}

static void threads_should_load_at_the_same_time(void **state)
{
    Case c = case_new(*state);
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, load_often, c.toy->model_path);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    case_free(&c);
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
static int works_as_child(Case *c, const attn_result *expected, int generations)
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

static void a_child_should_translate_as_its_parent_does(void **state)
{
    if (!FORKS || is_emulated()) skip();
    Case c = case_new(*state);
    attn_result *expected = translated(c.translator);
    assert_true(works_as_child(&c, expected, 2));
    assert_true(translates_alike(c.translator, expected));
    attn_result_free(expected);
    case_free(&c);
}

static void a_child_should_translate_while_other_threads_do(void **state)
{
    if (IS_SANITIZED || is_emulated()) skip();      /* malloc may be another thread's there */
    Case c = case_new(*state);
    pthread_t thread[THREADS];
    Shared shared = { &c, translated(c.translator) };
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, translate_often, &shared), 0);
    for (int i = 0; i < THREADS; i++)
        assert_true(works_as_child(&c, shared.expected, 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    attn_result_free((attn_result *)shared.expected);
    case_free(&c);
}

/* What attn.h says that a call needs: most of it holds the panels of a product in float. */
enum { STACK = 512 << 10, SENTENCES = 200 };

static void *work_on_small_stack(void *path)
{
    static const char sentence[] = "Where is the cat in 1990? ";
    attn_error error = { "" };
    Buf line = { 0 };
    for (int i = 0; i < SENTENCES; i++)
        buf_puts(&line, sentence);
    attn_model *model = load(path);
    attn_translator *translator = translator_of(model, options);
    attn_result *result = attn_translate(translator, (const char *const[]){ line.text }, 1, &error);
    attn_translator_free(translator);
    attn_model_free(model);
    buf_free(&line);
    return result;
}

static void a_small_stack_should_be_enough(void **state)
{
    void *result = NULL;
    pthread_t thread;
    pthread_attr_t attributes;
    if (IS_SANITIZED || sizeof(real) == sizeof(double)) skip();     /* have larger frames */
    Case c = case_new(*state);
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
    pthread_create(&thread, &attributes, work_on_small_stack, c.toy->model_path);
    pthread_join(thread, &result);
    assert_non_null(result);
    attn_result_free(result);
    pthread_attr_destroy(&attributes);
    case_free(&c);
}

/* ---- errors ---- */

static void assert_not_loaded(const char *path, const char *message)
{
    attn_error error = { "" };
    assert_null(attn_model_load(path, NULL));
    assert_null(attn_model_load(path, &error));
    if (!strstr(error.text, message)) fail_msg("%s: %s", message, error.text);
}

static void what_is_no_model_should_be_an_error(void **state)
{
    Case c = case_new(*state);
    assert_not_loaded(scratch_path(*state, "none"), "cannot be opened: No such file or directory");
    assert_not_loaded(scratch_puts(*state, "text", "I am calm.\n"), "is not a safetensors file");
    assert_not_loaded(((Scratch *)*state)->folder, "is a directory, not a file");
    case_free(&c);
}

/* A model file cut off at each of many places, and with a byte changed there. */
static void a_damaged_model_should_be_an_error_or_another_model(void **state)
{
    Case c = case_new(*state);
    enum { MOST = 1 << 20 };
    char *bytes = xmalloc(MOST, 1);
    FILE *file = fopen(c.toy->model_path, "rb");
    const size_t size = fread(bytes, 1, MOST, file);
    fclose(file);
    for (size_t at = 0; at < size; at += size / 40 + 1) {
        assert_not_loaded(scratch_write(*state, "cut", bytes, at), "/cut: ");
        bytes[at] ^= 0x55;
        attn_model_free(attn_model_load(scratch_write(*state, "changed", bytes, size), NULL));
        bytes[at] ^= 0x55;
    }
    free(bytes);
    case_free(&c);
}

static void assert_line_refused(attn_translator *t, const char *line, const char *message)
{
    attn_error error = { "" };
    const char *const three[] = { "I am calm.", line, "You are calm." };
    assert_null(attn_translate(t, three, 3, &error));
    assert_string_equal(error.text, message);
}

static void what_is_no_text_should_be_an_error(void **state)
{
    Case c = case_new(*state);
    assert_line_refused(c.translator, "caf\xe9", "line 1: is not valid UTF-8");
    assert_line_refused(c.translator, NULL, "line 1: is NULL");
    case_free(&c);
}

static void assert_option_refused(const Case *c, const char *const *wanted, const char *message)
{
    attn_error error = { "" };
    assert_null(attn_translator_new(c->model, wanted, &error));
    assert_string_equal(error.text, message);
}

#define REFUSED(message, ...) \
    assert_option_refused(&c, (const char *const[]){ __VA_ARGS__, NULL }, message)

static void options_that_cannot_be_should_be_errors(void **state)
{
    Case c = case_new(*state);
    REFUSED("'beem' is not an option; did you mean 'beam'?", "beem", "3");
    REFUSED("'colour' is not an option", "colour", "always");
    REFUSED("beam: '0' is not a whole number from 1 to 100", "nbest", "1", "beam", "0");
    REFUSED("the option 'beam' has no value", "beam");
    REFUSED("nbest: 6 is more than the 5 translations that a beam of 5 keeps", "nbest", "6");
    REFUSED("'seed' is for sampling; set 'sample' to on", "seed", "3");
    REFUSED("'sample' chooses words at random, without a beam; leave out 'beam'",
            "sample", "on", "beam", "2");
    REFUSED("'sample' chooses words at random, without a beam; leave out 'beam-threshold'",
            "sample", "on", "beam-threshold", "2");
    case_free(&c);
}

static void a_precision_should_be_refused_only_where_there_are_no_products_in_it(void **state)
{
    attn_error error = { "" };
    Case c = case_new(*state);
    for (int i = 0; precision_names[i]; i++) {
        const char *const wanted[] = { "precision", precision_names[i], NULL };
        attn_translator *translator = attn_translator_new(c.model, wanted, &error);
        assert_int_equal(translator != NULL, gemm_has((Precision)i));
        if (!translator) assert_non_null(strstr(error.text, "precision: this libattn has no products in "));
        attn_translator_free(translator);
    }
    case_free(&c);
}

static void a_model_without_attention_should_have_no_alignment(void **state)
{
    Err e;
    Case c = case_new(*state);
    NetworkOptions network = c.toy->model.network;
    while (strcmp(attention_score_names[network.attention], "none"))
        network.attention++;
    toy_network(c.toy, &network);
    assert_int_equal(model_save(&c.toy->model, c.toy->model_path, &e), 0);
    attn_model_free(c.model);
    attn_translator_free(c.translator);
    c.translator = NULL;
    c.model = load(c.toy->model_path);
    REFUSED("alignment: the model was trained with --attention none", "alignment", "on");
    case_free(&c);
}

static void what_overflows_should_be_an_error(void **state)
{
    Err e;
    attn_error error = { "" };
    if (sizeof(real) == sizeof(double)) skip();     /* has no such weights in F32 */
    Case c = case_new(*state);
    for (size_t i = 0; i < c.toy->model.table->size; i++)
        c.toy->model.weights[i] = (real)1e38;
    assert_int_equal(model_save(&c.toy->model, c.toy->model_path, &e), 0);
    attn_model *model = load(c.toy->model_path);
    attn_translator *translator = translator_of(model, NULL);
    assert_null(attn_translate(translator, lines, LINES, &error));
    assert_string_equal(error.text, "line 0: what the model computes of it is no number: its "
                        "weights are too large");
    attn_translator_free(translator);
    attn_model_free(model);
    case_free(&c);
}

static void threads_that_cannot_be_had_should_be_an_error(void **state)
{
    static const char *const four[] = { "threads", "4", NULL };
    attn_error error = { "" };
    Case c = case_new(*state);
    attn_translator *team = translator_of(c.model, four), *alone = translator_of(c.model, NULL);
    atomic_store(&threads_left, 2);
    assert_null(attn_translate(team, lines, LINES, &error));
    attn_result_free(translated(alone));        /* needs none */
    atomic_store(&threads_left, INT_MAX);
    assert_string_equal(error.text, "cannot start 4 threads; try fewer");
    attn_result_free(translated(team));
    attn_translator_free(alone);
    attn_translator_free(team);
    case_free(&c);
}

/* ---- no memory ---- */

/* Refuses one request after another; make returns an object, or NULL with an error. */
static void *when_refused(void *(*make)(void *context, attn_error *error), void *context)
{
    void *made = NULL;
    for (long n = 1; !made; n++) {
        attn_error error = { "" };
        atomic_store(&left, n);
        made = make(context, &error);
        const int was_refused = atomic_exchange(&left, 0) <= 0;
        assert_true(made || (was_refused && *error.text));
        if (made && was_refused) fail_msg("request %ld: refused, and not noticed", n);
    }
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

static void each_refusal_of_memory_should_be_an_error_and_no_more(void **state)
{
    Case c = case_new(*state);
    const int before = atomic_load(&opened);
    cJSON_Hooks counted = { .malloc_fn = __wrap_malloc, .free_fn = free };
    attn_result *expected = translated(c.translator);
    cJSON_InitHooks(&counted);
    attn_model *model = when_refused(load_model, c.toy->model_path);
    cJSON_InitHooks(NULL);
    attn_translator *translator = when_refused(make_translator, model);
    attn_result *result = when_refused(translate_lines, translator);
    attn_result *again = translated(translator);
    assert_int_equal(atomic_load(&opened), before);
    assert_same(result, expected, FEW);
    assert_same_results(again, expected);
    attn_result_free(again);
    attn_result_free(result);
    attn_result_free(expected);
    attn_translator_free(translator);
    attn_model_free(model);
    case_free(&c);
}

static void twenty_loads_should_leave_nothing(void **state)
{
    Case c = case_new(*state);
    const int before = atomic_load(&opened);
    for (int i = 0; i < 20; i++) {
        attn_model *model = load(c.toy->model_path);
        attn_translator *translator = translator_of(model, options);
        attn_result_free(translated(translator));
        attn_translator_free(translator);
        attn_model_free(model);
    }
    assert_int_equal(atomic_load(&opened), before);
    attn_result_free(NULL);
    attn_translator_free(NULL);
    attn_model_free(NULL);
    case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(translations_should_be_those_of_the_program),
        in_scratch(a_line_without_words_should_be_an_empty_translation),
        in_scratch(what_is_not_there_should_be_no_value),
        cmocka_unit_test(the_version_should_be_that_of_the_program),
        in_scratch(a_result_should_outlive_its_model),
        in_scratch(what_is_drawn_should_depend_on_the_seed_alone),
        in_scratch(eight_threads_should_share_a_model),
        in_scratch(threads_should_load_at_the_same_time),
        in_scratch(a_child_should_translate_as_its_parent_does),
        in_scratch(a_child_should_translate_while_other_threads_do),
        in_scratch(a_small_stack_should_be_enough),
        in_scratch(what_is_no_model_should_be_an_error),
        in_scratch(a_damaged_model_should_be_an_error_or_another_model),
        in_scratch(what_is_no_text_should_be_an_error),
        in_scratch(options_that_cannot_be_should_be_errors),
        in_scratch(a_precision_should_be_refused_only_where_there_are_no_products_in_it),
        in_scratch(a_model_without_attention_should_have_no_alignment),
        in_scratch(what_overflows_should_be_an_error),
        in_scratch(threads_that_cannot_be_had_should_be_an_error),
        in_scratch(each_refusal_of_memory_should_be_an_error_and_no_more),
        in_scratch(twenty_loads_should_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
