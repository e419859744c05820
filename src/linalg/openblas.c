/* openblas.c - OpenBLAS: how it is loaded, its products, and the memory that it needs. */
#include "linalg/openblas.h"

#include "base/error.h"
#include "base/mem.h"
#include "linalg/kernels.h"
#include "linalg/matmul.h"

#include <cblas.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- loading ---- */

#ifdef REAL_DOUBLE
#define cblas_gemm cblas_dgemm
#else
#define cblas_gemm cblas_sgemm
#endif

typedef struct {
    __typeof__(&cblas_gemm)            gemm;
    __typeof__(&openblas_get_config)   get_config;
    __typeof__(&openblas_get_corename) get_corename;
    /* Internal, in none of its headers: a buffer that is given back stays mapped for the next
     * product. NULL: this build of the library hides them. */
    void *(*memory_alloc)(int position);
    void  (*memory_free)(void *buffer);
} OpenBlas;

/* The kernels that suit this CPU where OpenBLAS may not know it; NULL: leave the choice to the
 * library, which knows all that are so old that they have nothing beyond their architecture's
 * first instructions, unless ATTN_CPU asks for just these. */
static const char *best_kernels(void)
{
    const Kernels *own = kernels_of_cpu();
    const char *asked = getenv("ATTN_CPU");
    return own->needs || (asked && *asked) ? own->openblas : NULL;
}

static void set(const char *name, const char *value)
{
    if (setenv(name, value, 1)) die("out of memory: %s could not be set", name);
}

/* What the library reads when it is loaded. */
static void set_environment(void)
{
    const char *wanted = getenv("ATTN_CORETYPE");
    const char *kernels = wanted && *wanted ? wanted : best_kernels();
    set("OPENBLAS_NUM_THREADS", "1");
    if (kernels && strcmp(kernels, "auto")) set("OPENBLAS_CORETYPE", kernels);
}

/* By the names that systems give to its binary interface. */
static void *open_library(void)
{
#ifdef __APPLE__
    static const char *const names[] = { "libopenblas.0.dylib", "libopenblas.dylib" };
#else
    static const char *const names[] = { "libopenblas.so.0", "libopenblas.so.3", "libopenblas.so" };
#endif
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
    }
    dlopen(names[0], RTLD_NOW | RTLD_LOCAL);        /* whose error is to be told */
    return NULL;
}

/* NULL where the library has no such function. */
static void find(void *library, const char *name, void *function)
{
    *(void **)function = dlsym(library, name);
}

static OpenBlas loaded;

/* Never unloaded: its buffers would be left without it. */
static void load(void)
{
    set_environment();
    void *library = open_library();
    if (!library)
        die("on this CPU OpenBLAS multiplies, and it cannot be loaded (%s); install it (Debian, "
            "Ubuntu: apt-get install libopenblas0)", dlerror());
    find(library, sizeof(real) == sizeof(float) ? "cblas_sgemm" : "cblas_dgemm", &loaded.gemm);
    find(library, "openblas_get_config", &loaded.get_config);
    find(library, "openblas_get_corename", &loaded.get_corename);
    find(library, "blas_memory_alloc", &loaded.memory_alloc);
    find(library, "blas_memory_free", &loaded.memory_free);
    if (!loaded.gemm || !loaded.get_config || !loaded.get_corename)
        die("the OpenBLAS that was loaded lacks functions; install another one");
}

/* Loads it at the first call, with one thread of its own for each of ours. Any thread may call it
 * at any time. Ends the program with a message where the library is missing. */
static const OpenBlas *openblas(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return &loaded;
}

/* ---- products ---- */

/* Between the rows of a matrix of `columns`, or of what it is the transpose of. cblas wants no less
 * than their width, even of the single row of which a vector may consist. */
static int row_distance(Operand o, int rows, int columns)
{
    const ptrdiff_t distance = o.column == 1 ? o.row : o.column;
    const int width = o.column == 1 ? columns : rows;
    return distance < width ? width : (int)distance;
}

/* The sums begin in C, as cblas wants it. */
static void begin_in_place(Result r, int m, int n)
{
    for (int i = 0; r.start && r.start != r.c && i < m; i++)
        memcpy(r.c + i * r.row, r.start + i * r.start_row, (size_t)n * sizeof *r.c);
}

void openblas_multiply(Result r, Operand a, Operand b, int m, int k, int n)
{
    begin_in_place(r, m, n);
    openblas()->gemm(CblasRowMajor, a.column == 1 ? CblasNoTrans : CblasTrans,
                          b.column == 1 ? CblasNoTrans : CblasTrans, m, n, k, 1, a.x,
                          row_distance(a, m, k), b.x, row_distance(b, k, n), r.start != NULL, r.c,
                          (int)r.row);
}

const char *openblas_library(void)
{
    return gemm_is_fastest() ? NULL : openblas()->get_config();
}

const char *openblas_kernels(void)
{
    return gemm_is_fastest() ? "none" : openblas()->get_corename();
}

/* ---- its memory ---- */

/* OpenBLAS's BUFFER_SIZE on x86-64; elsewhere it is smaller. */
enum { BUFFER_BYTES = 128 << 20 };

/* Whether so many buffers could be mapped, which are let go again. */
static int could_map(void **buffer, int count)
{
    int mapped = 0;
    for (; mapped < count; mapped++) {
        buffer[mapped] = mmap(NULL, BUFFER_BYTES, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (buffer[mapped] == MAP_FAILED) break;
    }
    for (int i = 0; i < mapped; i++)
        munmap(buffer[i], BUFFER_BYTES);
    return mapped == count;
}

static void map_for_good(const OpenBlas *library, void **buffer, int count)
{
    int taken = 0;
    while (taken < count && (buffer[taken] = library->memory_alloc(0)))
        taken++;
    if (taken < count) die("OpenBLAS serves no more than %d threads; set --threads", taken);
    for (int i = 0; i < count; i++)
        library->memory_free(buffer[i]);
}

void openblas_reserve(int threads)
{
    if (gemm_is_fastest()) return;
    void **buffer = xcalloc((size_t)threads, sizeof *buffer);
    if (!could_map(buffer, threads))
        die("out of memory: OpenBLAS needs %d MiB for each of %d threads; set fewer --threads or a "
            "higher limit (ulimit -v, ulimit -d)", BUFFER_BYTES >> 20, threads);
    const OpenBlas *library = openblas();      /* takes one when it starts */
    if (library->memory_alloc && library->memory_free) map_for_good(library, buffer, threads);
    xfree(buffer);
}
