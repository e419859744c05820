/* test_cpu.c - the sets of instructions that this CPU has, as Linux reports them. */
#include "base/buf.h"
#include "base/system/cpu.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

/* Each set, and what Linux calls all that belongs to it, without '_'. */
static const struct { CpuSet set; const char *flags[4]; } sets[] = {
    { CPU_AVX2, { " avx2 ", " fma " } }, { CPU_AVX_VNNI, { " avxvnni " } },
    { CPU_AVX512, { " avx512f ", " avx512bw ", " avx512dq ", " avx512vl " } },
    { CPU_AVX512_VNNI, { " avx512vnni " } }, { CPU_AVX512_BF16, { " avx512bf16 " } },
    { CPU_DOTPROD, { " asimddp " } }, { CPU_BF16, { " bf16 " } },
    { CPU_I8MM, { " i8mm " } }, { CPU_AMX, { " amxtile ", " amxint8 ", " amxbf16 " } },
};
enum { SETS = sizeof sets / sizeof *sets };

/* The word without '_' between blanks: Linux writes avx512_vnni, but avx512bw. */
static void add_word(Buf *out, const char *word, size_t length)
{
    buf_putc(out, ' ');
    for (size_t i = 0; i < length; i++)
        if (word[i] != '_') buf_putc(out, word[i]);
    buf_putc(out, ' ');
}

/* All flags of the first CPU; empty where there is no telling, as where another one is emulated. */
#ifdef __x86_64__
#define FLAGS "flags"
#else
#define FLAGS "Features"
#endif

static void read_flags(Buf *out)
{
    char line[8192];
    FILE *file = fopen("/proc/cpuinfo", "r");
    buf_clear(out);
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, FLAGS, strlen(FLAGS))) continue;
        for (const char *at = line; *at; at += strspn(at, " \t\n")) {
            const size_t length = strcspn(at, " \t\n");
            add_word(out, at, length);
            at += length;
        }
        break;
    }
    if (file) fclose(file);
}

UNIT_TEST(the_sets_should_be_those_that_the_system_knows)
{
    Buf flags = { 0 };
    read_flags(&flags);
    if (!flags.length) skip();      /* no Linux, or no such CPU */
    for (int i = 0; i < SETS; i++) {
        int has_all = 1;
        for (int k = 0; k < 4 && sets[i].flags[k]; k++)
            has_all &= strstr(flags.text, sets[i].flags[k]) != NULL;
        assert_int_equal((cpu_sets() & sets[i].set) != 0, has_all);
    }
    buf_free(&flags);
}

int main(void) { return run_unit_tests(); }
