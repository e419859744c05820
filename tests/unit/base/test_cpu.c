/* test_cpu.c - the sets of instructions that this CPU has, as Linux reports them. */
#include "base/buf.h"
#include "base/cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define NAME(macro, name) name,
static const char *const names[] = { CPU_SETS(NAME) };
enum { SETS = sizeof names / sizeof *names };

/* The word without '.' and '_' between blanks: Linux writes sse4_2 and avx512_vnni. */
static void add_word(Buf *out, const char *word, size_t length)
{
    buf_putc(out, ' ');
    for (size_t i = 0; i < length; i++)
        if (!strchr("._", word[i])) buf_putc(out, word[i]);
    buf_putc(out, ' ');
}

/* All flags of the first CPU; empty where there is no telling. */
static void read_flags(Buf *out)
{
    char line[8192];
    FILE *file = fopen("/proc/cpuinfo", "r");
    buf_clear(out);
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "flags", 5)) continue;
        for (const char *at = line; *at; at += strspn(at, " \t\n")) {
            const size_t length = strcspn(at, " \t\n");
            add_word(out, at, length);
            at += length;
        }
        break;
    }
    if (file) fclose(file);
}

static void a_set_should_be_lacking_where_the_system_knows_none(void **state)
{
    (void)state;
    Buf flags = { 0 }, word = { 0 };
    read_flags(&flags);
    if (!strstr(flags.text, " sse2 ")) skip();      /* no x86-64, or no Linux */
    for (int i = 0; i < SETS; i++) {
        const char *built_for[SETS];
        for (int k = 0; k < SETS; k++)
            built_for[k] = k == i ? "1" : "__OTHER__";
        buf_clear(&word);
        add_word(&word, names[i], strlen(names[i]));
        const char *lacking = cpu_lacks(built_for);
        if (strstr(flags.text, word.text)) assert_null(lacking);
        else assert_string_equal(lacking, names[i]);
    }
    buf_free(&flags);
    buf_free(&word);
}

static void what_this_program_was_built_for_should_be_here(void **state)
{
    (void)state;
    int built_for = 0;
    assert_null(cpu_lacks(cpu_built_for));
    for (int i = 0; i < SETS; i++)
        built_for += !strcmp(cpu_built_for[i], "1");
#ifdef __SSE4_2__
    assert_true(built_for > 0);
#else
    assert_int_equal(built_for, 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_should_be_lacking_where_the_system_knows_none),
        cmocka_unit_test(what_this_program_was_built_for_should_be_here),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
