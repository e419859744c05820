/* nearest_file.c - a look at all names in a folder. */
#include "cmd/nearest_file.h"

#include "base/mem.h"
#include "base/suffix.h"
#include "base/suggest.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* Replaces *best by the name if that is nearer. */
static void offer(Suggestion *nearest, char **best, const char *name)
{
    suggestion_offer(nearest, name);
    if (nearest->best != name) return;
    free(*best);
    nearest->best = *best = xstrdup(name);
}

void nearest_file(const char *path, const char *ending, Buf *out)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    Suggestion nearest = { .word = path + length };
    Buf folder = { 0 };
    char *best = NULL;
    buf_add(&folder, length ? path : "./", length ? length : 2);
    DIR *names = opendir(folder.text);
    for (struct dirent *entry; names && (entry = readdir(names));)
        if (ends_with(entry->d_name, ending)) offer(&nearest, &best, entry->d_name);
    if (names) closedir(names);
    if (best) buf_printf(out, "%.*s%s", (int)length, path, best);
    buf_free(&folder);
    free(best);
}
