/* openblas_setup.c - the environment and the memory that OpenBLAS needs. */
#include "linalg/openblas.h"

#include "base/error.h"
#include "base/mem.h"
#include "linalg/kernels.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- before it is loaded ---- */

/* The kernels that suit this CPU where OpenBLAS may not know it; NULL: leave the choice to the
 * library, which knows all that are so old that they have nothing beyond their architecture's
 * first instructions, unless ATTN_CPU asks for just these. */
static const char *best_kernels(void)
{
    const Kernels *own = kernels_of_cpu();
    const char *asked = getenv("ATTN_CPU");
    return own->needs || (asked && *asked) ? own->openblas : NULL;
}

/* Whether the environment already says so; else it does from now on. It must, or the program would
 * start again for ever. */
static int environment_says(const char *name, const char *value)
{
    const char *now = getenv(name);
    if (now && !strcmp(now, value)) return 1;
    if (setenv(name, value, 1)) die("out of memory: %s could not be set", name);
    return 0;
}

/* By its own path, not as /proc/self/exe: that would be its name in ps and top. */
static void start_again(char **argv)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length > 0) {
        path[length] = '\0';
        execv(path, argv);
    }
    openblas_set_num_threads(1);    /* no /proc: the program works all the same, only slower */
}

void openblas_setup(char **argv)
{
    const char *wanted = getenv("ATTN_CORETYPE");
    const char *kernels = wanted && *wanted ? wanted : best_kernels();
    int ready = environment_says("OPENBLAS_NUM_THREADS", "1");
    if (kernels && strcmp(kernels, "auto")) ready &= environment_says("OPENBLAS_CORETYPE", kernels);
    if (!ready) start_again(argv);
}

/* ulimit -v or -d */
static int memory_is_limited(void)
{
    struct rlimit space, data;
    return getrlimit(RLIMIT_AS, &space) || getrlimit(RLIMIT_DATA, &data)
        || space.rlim_cur != RLIM_INFINITY || data.rlim_cur != RLIM_INFINITY;
}

/* Even unused, OpenBLAS starts a thread a core when it is loaded, and each asks for its room for
 * ever where that is refused. */
void openblas_setup_if_used(char **argv)
{
    if (!gemm_is_fastest() || memory_is_limited()) openblas_setup(argv);
}

/* OpenBLAS's BUFFER_SIZE on x86-64; elsewhere it is smaller. */
enum { BUFFER_BYTES = 128 << 20 };

/* Internal functions of OpenBLAS, in none of its headers; other builds may hide them. A buffer
 * that is given back stays mapped for the next product. */
extern void *blas_memory_alloc(int position) __attribute__((weak));
extern void  blas_memory_free(void *buffer) __attribute__((weak));

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

static void map_for_good(void **buffer, int count)
{
    int taken = 0;
    while (taken < count && (buffer[taken] = blas_memory_alloc(0)))
        taken++;
    if (taken < count) die("OpenBLAS serves no more than %d threads; set --threads", taken);
    for (int i = 0; i < count; i++)
        blas_memory_free(buffer[i]);
}

void openblas_reserve(int threads)
{
    if (gemm_is_fastest()) return;
    void **buffer = xcalloc((size_t)threads, sizeof *buffer);
    if (!could_map(buffer, threads))
        die("out of memory: OpenBLAS needs %d MiB for each of %d threads; set fewer --threads or a "
            "higher limit (ulimit -v, ulimit -d)", BUFFER_BYTES >> 20, threads);
    if (blas_memory_alloc && blas_memory_free) map_for_good(buffer, threads);
    free(buffer);
}
