/* kernels.c - the table, the choice of a row, and the vector functions, which are those of the
 * row. */
#include "linalg/kernels.h"

#include "base/system/cpu.h"

#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

/* What the Makefile compiles: in each line the sets of one file. */
#if defined __x86_64__
extern const Kernel kernel_float_sse2, kernel_float_avx2, kernel_float_avx512;
extern const Kernel kernel_bf16_sse2, kernel_bf16_avx2, kernel_bf16_avx512, kernel_bf16_avx512_bf16,
                    kernel_bf16_amx;
extern const Kernel kernel_int8_sse2, kernel_int8_avx2, kernel_int8_avx_vnni;
extern const Kernel kernel_int8_avx512_vnni, kernel_int8_amx;
extern const VectorKernels vector_sse2, vector_avx2, vector_avx512;
#elif defined __aarch64__
extern const Kernel kernel_float_neon;
extern const Kernel kernel_bf16_neon, kernel_bf16_bf16;
extern const Kernel kernel_int8_neon, kernel_int8_dotprod, kernel_int8_i8mm;
extern const VectorKernels vector_neon;
#else
extern const Kernel kernel_float_generic;
extern const Kernel kernel_bf16_generic;
extern const Kernel kernel_int8_generic;
extern const VectorKernels vector_generic;
#endif

/* In double OpenBLAS's kernels are left to multiply. */
enum { IN_FLOAT = sizeof(real) == sizeof(float) };

enum {
    AVX_VNNI = CPU_AVX2 | CPU_AVX_VNNI, AVX512 = CPU_AVX2 | CPU_AVX512,
    AVX512_VNNI = AVX512 | CPU_AVX512_VNNI, AVX512_BF16 = AVX512_VNNI | CPU_AVX512_BF16,
    AMX = AVX512_BF16 | CPU_AMX,
    I8MM = CPU_DOTPROD | CPU_I8MM, BF16 = CPU_DOTPROD | CPU_BF16, BF16_I8MM = BF16 | CPU_I8MM
};

#define KERNELS_OF(float_set, bf16_set, int8_set, vector_set) \
    { &kernel_float_##float_set, &kernel_bf16_##bf16_set, &kernel_int8_##int8_set }, \
    &vector_##vector_set

/* Each row is faster than those before it, unless is_slow says otherwise. */
static const Kernels table[] = {
#if defined __x86_64__
    { "sse2",        0,           0,        "Prescott", KERNELS_OF(sse2, sse2, sse2, sse2) },
    { "avx2",        CPU_AVX2,    IN_FLOAT, "Haswell",  KERNELS_OF(avx2, avx2, avx2, avx2) },
    { "avx_vnni",    AVX_VNNI,    IN_FLOAT, "Haswell",  KERNELS_OF(avx2, avx2, avx_vnni, avx2) },
    { "avx512",      AVX512,      IN_FLOAT, "SkylakeX", KERNELS_OF(avx512, avx512, avx2, avx512) },
    { "avx512_vnni", AVX512_VNNI, IN_FLOAT, "SkylakeX",
      KERNELS_OF(avx512, avx512, avx512_vnni, avx512) },
    { "avx512_bf16", AVX512_BF16, IN_FLOAT, "SkylakeX",
      KERNELS_OF(avx512, avx512_bf16, avx512_vnni, avx512) },
    { "amx",         AMX,         IN_FLOAT, "SkylakeX",
      KERNELS_OF(avx512, amx, amx, avx512) },
#elif defined __aarch64__
    { "neon",        0,           0,        NULL,       KERNELS_OF(neon, neon, neon, neon) },
    { "dotprod",     CPU_DOTPROD, 0,        NULL,       KERNELS_OF(neon, neon, dotprod, neon) },
    { "i8mm",        I8MM,        0,        NULL,       KERNELS_OF(neon, neon, i8mm, neon) },
    { "bf16",        BF16,        0,        NULL,       KERNELS_OF(neon, bf16, dotprod, neon) },
    { "bf16_i8mm",   BF16_I8MM,   0,        NULL,       KERNELS_OF(neon, bf16, i8mm, neon) },
#else
    { "generic",     0,           0,        NULL,
      KERNELS_OF(generic, generic, generic, generic) },
#endif
};
enum { ROWS = sizeof table / sizeof *table };

/* ---- the choice ---- */

static const Kernels *chosen;
static VectorKernels  vector;

const Kernels *kernels_of_cpu(void)
{
    return chosen;
}

const Kernels *kernels_row(int i)
{
    const unsigned sets = cpu_sets();
    for (int row = 0; row < ROWS; row++)
        if ((table[row].needs & sets) == table[row].needs && i-- == 0) return &table[row];
    return NULL;
}

/* Without AMX Intel's CPUs multiply pairs of bfloat16 more slowly than numbers of 32 bits: a Xeon
 * trained --preset bench at 6,463 target tokens/s in bf16, at 8,504 in float. */
static int is_slow(const Kernels *row)
{
    return row->needs == AVX512_BF16 && !cpu_is_amd();
}

void kernels_take(const Kernels *row)
{
    chosen = row;
    vector = *row->vector;
}

int kernels_choose(const char *name)
{
    const Kernels *row, *wanted = NULL, *usual = NULL;
    for (int i = 0; (row = kernels_row(i)); i++) {
        if (!is_slow(row)) usual = row;
        if (name && !strcmp(row->name, name)) wanted = row;
    }
    kernels_take(wanted ? wanted : usual);
    return wanted || !name || !*name ? 0 : -1;
}

/* Before main, so that no thread sees it happen. */
__attribute__((constructor)) static void choose_before_main(void)
{
    kernels_choose(getenv("ATTN_CPU"));
}

int kernels_check(Err *e)
{
    const char *name = getenv("ATTN_CPU");
    char names[128] = "";
    if (!name || !*name || !strcmp(chosen->name, name)) return 0;
    for (int i = 0; kernels_row(i); i++) {
        if (i) strcat(names, ", ");
        strcat(names, kernels_row(i)->name);
    }
    return err(e, "ATTN_CPU: '%s' is none of what this CPU has: %s", name, names);
}

/* ---- precisions ---- */

#define TO_LEARN_WITH [PRECISION_FLOAT] = "float", [PRECISION_BF16] = "bf16"
const char *const precision_names[] = { TO_LEARN_WITH, [PRECISION_INT8] = "int8", NULL };
const char *const learning_precision_names[] = { TO_LEARN_WITH, NULL };

int precision_works(Precision precision)
{
    return kernels_of_cpu()->of[precision]->values > 0;
}

int precision_is_fast(Precision precision)
{
    return precision == PRECISION_FLOAT || kernels_of_cpu()->of[precision]->values > 1;
}

/* ---- the vector functions ---- */

#define RETURN_void
#define RETURN_real   return
#define RETURN_double return
#define CALL(type, name, parameters, arguments) \
    type vector_##name parameters { RETURN_##type vector.name arguments; }
VECTOR_FUNCTIONS(CALL)
