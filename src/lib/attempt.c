/* attempt.c - die() as the end of an attempt. */
#include "lib/attempt.h"

#include <setjmp.h>
#include <stdio.h>

typedef struct {
    jmp_buf end;
    Err    *error;
} Attempt;

static _Thread_local Attempt *current;

void die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(current->error->text, sizeof current->error->text, format, args);
    va_end(args);
    longjmp(current->end, 1);
}

/* What assert() calls. */
_Noreturn void __wrap___assert_fail(const char *claim, const char *file, unsigned line,
                                    const char *function);

void __wrap___assert_fail(const char *claim, const char *file, unsigned line, const char *function)
{
    die("a fault of libattn, please report it: %s:%u: %s: not %s", file, line, function, claim);
}

static int run(Attempt *attempt, void (*work)(void *context), void *context)
{
    if (setjmp(attempt->end)) return -1;
    work(context);
    return 0;
}

int attempt(Heap *heap, void (*work)(void *context), void *context, Err *e)
{
    Attempt mine = { .error = e }, *outer = current;
    Heap *before = heap_enter(heap);
    current = &mine;
    const int rc = run(&mine, work, context);
    current = outer;
    heap_enter(before);
    return rc;
}
