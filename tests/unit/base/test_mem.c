/* test_mem.c - the arena that measures what it gives, and how memory that can't be had ends the
 * program. */
#include "base/mem.h"
#include "test.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ALIGNMENT = 64 };

static int aligned(const void *p)
{
    return (uintptr_t)p % ALIGNMENT == 0;
}

/* ---- the arena ---- */

enum { PIECES = 6 };
static const size_t piece_sizes[PIECES] = { 1, 63, 64, 65, 0, 1000 };

static void take_all(Arena *arena, char **piece)
{
    for (int i = 0; i < PIECES; i++)
        piece[i] = arena_take(arena, piece_sizes[i], 1);
}

UNIT_TEST(an_arena_should_give_aligned_pieces_as_it_measured_them)
{
    Arena arena = { 0 };
    char *piece[PIECES];
    take_all(&arena, piece);
    for (int i = 0; i < PIECES; i++)
        assert_null(piece[i]);
    const size_t measured = arena.used;
    assert_true(measured >= 1 + 63 + 64 + 65 + 1000);
    arena_reserve(&arena, measured);
    assert_int_equal(arena.used, 0);
    take_all(&arena, piece);
    assert_int_equal(arena.used, measured);
    assert_int_equal(arena.capacity, measured);
    for (int i = 0; i < PIECES; i++) {
        assert_true(aligned(piece[i]));
        memset(piece[i], i + 1, piece_sizes[i]);
    }
    for (int i = 0; i < PIECES; i++)
        for (size_t j = 0; j < piece_sizes[i]; j++)
            assert_int_equal(piece[i][j], i + 1);
    arena_free(&arena);
    assert_null(arena.block);
    assert_int_equal(arena.used + arena.capacity, 0);
    arena_reals(&arena, 160);
    arena_ints(&arena, 160);
    assert_int_equal(arena.used, 160 * (sizeof(real) + sizeof(int)));
    arena_reserve(&arena, 0);           /* ends the measuring, too */
    assert_non_null(arena_take(&arena, 0, 1));
    arena_free(&arena);
}

UNIT_TEST(reserving_should_keep_a_larger_block_and_empty_it)
{
    Arena arena = { 0 };
    arena_reserve(&arena, 1000);
    char *block = arena.block;
    char *first = arena_take(&arena, 500, 1);
    arena_reserve(&arena, 100);
    assert_ptr_equal(arena.block, block);
    assert_true(arena.capacity >= 1000);
    assert_ptr_equal(arena_take(&arena, 500, 1), first);
    arena_reserve(&arena, 100000);
    assert_true(arena.capacity >= 100000);
    assert_non_null(arena_take(&arena, 100000, 1));
    arena_free(&arena);
}

/* ---- the region ---- */

UNIT_TEST(pieces_of_a_region_should_be_aligned_and_stay_until_its_reset)
{
    enum { TAKEN = 3000 };
    Region region = { 0 };
    char *piece[TAKEN];
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < TAKEN; i++) {
            piece[i] = region_take(&region, i % 70, 1);
            assert_int_equal((uintptr_t)piece[i] % 16, 0);
            memset(piece[i], (int)i, i % 70);
        }
        for (size_t i = 0; i < TAKEN; i++)
            for (size_t j = 0; j < i % 70; j++)
                assert_int_equal((unsigned char)piece[i][j], (unsigned char)i);
        region_reset(&region);
    }
    region_free(&region);
    assert_null(region.slab);
}

UNIT_TEST(a_region_should_keep_its_largest_slab)
{
    Region region = { 0 };
    region_reset(&region);
    char *word = region_strndup(&region, "attention", 4);
    memset(region_take(&region, 100000, 1), 1, 100000);
    assert_string_equal(word, "atte");
    struct Slab *largest = region.slab;
    for (int i = 0; i < 100; i++) {
        region_reset(&region);
        memset(region_take(&region, 10000, 10), i, 100000);
        assert_ptr_equal(region.slab, largest);
    }
    region_free(&region);
}

/* ---- blocks ---- */

UNIT_TEST(blocks_should_never_be_null_and_cleared_where_they_say_so)
{
    void *nothing[] = { xmalloc(0, 8), xcalloc(8, 0), xrealloc(NULL, 0, 1), xaligned(0, 1) };
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        assert_non_null(nothing[i]);
        free(nothing[i]);
    }
    const char zeros[20000] = { 0 };
    char *used = xaligned(100, 200);        /* freed memory is given out again, with what stood in
                                               it */
    memset(used, 1, sizeof zeros);
    free(used);
    char *line = xaligned(100, 200), *cleared = xcalloc(50, 400);
    assert_memory_equal(cleared, zeros, sizeof zeros);
    assert_memory_equal(line, zeros, sizeof zeros);
    assert_true(aligned(line));
    free(cleared);
    free(line);
}

UNIT_TEST(a_growing_array_should_keep_its_items_and_rarely_move)
{
    int *items = NULL, times = 0;
    size_t capacity = 0;
    for (int i = 0; i < 100000; i++) {
        size_t before = capacity;
        items = grow(items, &capacity, (size_t)i + 1, sizeof *items);
        assert_true(capacity >= (size_t)i + 1);
        times += capacity != before;
        items[i] = i;
    }
    for (int i = 0; i < 100000; i++)
        assert_int_equal(items[i], i);
    assert_true(times < 30);
    items = grow(items, &capacity, 1000000, sizeof *items);
    assert_true(capacity >= 1000000);
    free(items);
}

/* ---- work in a Mem ---- */

static int order[4], released;      /* of things */

static void note_release(void *thing)
{
    order[released++] = *(int *)thing;
}

static void take_and_free(void *context)
{
    static const char zeros[5000] = { 0 };
    (void)context;
    assert_true(aligned(xaligned(100, 8)));
    char *text = xrealloc(xstrdup("attention"), 5000, 1), *cleared = xcalloc(50, 100),
         *lines = xaligned(5, 1 << 20);
    assert_string_equal(text, "attention");
    assert_memory_equal(cleared, zeros, sizeof zeros);
    memset(lines, 1, 5 << 20);
    xfree(text);
    xfree(lines);
    xfree(NULL);
    memset(xrealloc(NULL, 10, 1), 1, 10);
    memset(cleared, 1, 5000);
}

UNIT_TEST(blocks_in_a_mem_should_be_as_others_and_end_with_it)
{
    Err e;
    Mem *mem = mem_new();
    assert_null(mem_entered());
    for (int i = 0; i < 3; i++)
        assert_int_equal(mem_try(mem, take_and_free, NULL, &e), 0);
    assert_null(mem_entered());
    mem_free(mem);
    mem_free(NULL);
}

static void multiply_over_in_vain(void *context)
{
    (void)context;
    free(xmalloc(SIZE_MAX / 2 + 1, 2));
}

static void fail_inside(void *context)
{
    Err e;
    Mem *outer = mem_entered(), *mem = mem_new();
    assert_ptr_equal(outer, *(Mem **)context);
    assert_int_equal(mem_try(mem, multiply_over_in_vain, NULL, &e), -1);
    assert_non_null(strstr(e.text, "out of memory"));
    assert_ptr_equal(mem_entered(), outer);
    mem_free(mem);
    xstrdup("lost");
    die("%d is odd", 3);
}

UNIT_TEST(what_dies_in_a_mem_should_end_alone)
{
    Err e;
    Mem *mem = mem_new();
    assert_int_equal(mem_try(mem, fail_inside, &mem, &e), -1);
    assert_string_equal(e.text, "3 is odd");
    assert_null(mem_entered());
    mem_free(mem);
}

static void keep_things(void *context)
{
    for (int *thing = context; *thing; thing++)
        mem_keep(thing, note_release);
    mem_forget((int *)context + 1);
    mem_forget(&released);
}

UNIT_TEST(things_should_be_released_latest_first_unless_forgotten)
{
    Err e;
    int things[] = { 1, 2, 3, 0 };
    Mem *mem = mem_new();
    assert_int_equal(mem_try(mem, keep_things, things, &e), 0);
    assert_int_equal(released, 0);
    mem_free(mem);
    assert_int_equal(released, 2);
    assert_int_equal(order[0], 3);
    assert_int_equal(order[1], 1);
    keep_things(things);            /* in no Mem: nobody does */
    assert_int_equal(released, 2);
}

/* ---- refusals: each in a process of its own, which should end ---- */

/* The sanitizers' allocators shall refuse as malloc does, with NULL. */
const char *__asan_default_options(void);
const char *__tsan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }
const char *__tsan_default_options(void) { return "allocator_may_return_null=1"; }

/* The wait status of a process that runs `action`; what it wrote to stderr goes to `message`. */
static int ending(void (*action)(void), char *message, size_t size)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        action();
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t got;
    while ((got = read(ends[0], message + length, size - 1 - length)) > 0)
        length += (size_t)got;
    message[length] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void multiply_over(void) { free(xmalloc(SIZE_MAX / 2 + 1, 2)); }
static void clear_over(void)    { free(xcalloc(SIZE_MAX / 2 + 1, 2)); }
static void resize_over(void)   { free(xrealloc(NULL, SIZE_MAX / 2 + 1, 2)); }
static void align_over(void)    { free(xaligned(SIZE_MAX, 1)); }
static void take_over(void)     { region_take(&(Region){ 0 }, SIZE_MAX / 8 + 1, 8); }
static void ask_too_much(void)  { free(xmalloc(PTRDIFF_MAX / 2, 1)); }

static void measure_over(void)
{
    Arena arena = { 0 };
    arena_take(&arena, SIZE_MAX / 8 + 1, 8);
}

UNIT_TEST(sizes_beyond_memory_should_end_with_one_message_and_status_1)
{
    void (*const actions[])(void) = { multiply_over, clear_over, resize_over, align_over,
                                      measure_over, take_over, ask_too_much };
    char message[4096];
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        int status = ending(actions[i], message, sizeof message);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 1);
        assert_non_null(strstr(message, "attn: error: out of memory"));
    }
}

int main(void) { return run_unit_tests(); }
