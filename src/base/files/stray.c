/* stray.c - a table of names that a signal handler can read at any moment. */
#include "base/files/stray.h"

#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static _Atomic(const char *) strays[STRAYS_MOST];       /* NULL: a free place */

/* Replaces the first `from` in the table by `to`. */
static void exchange(const char *from, const char *to)
{
    for (int i = 0; i < STRAYS_MOST; i++) {
        const char *expected = from;
        if (atomic_compare_exchange_strong(&strays[i], &expected, to)) return;
    }
}

void stray_add(const char *path)
{
    exchange(NULL, path);
}

void stray_forget(const char *path)
{
    if (path) exchange(path, NULL);
}

void stray_remove_all(void)
{
    for (int i = 0; i < STRAYS_MOST; i++) {
        const char *path = atomic_load(&strays[i]);
        if (path) unlink(path);
    }
}
