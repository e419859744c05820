/* scratch.h - a folder of its own for each test, gone afterwards: give scratch_setup and scratch_teardown to cmocka. */
#ifndef ATTN_TESTS_SCRATCH_H
#define ATTN_TESTS_SCRATCH_H

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

enum { SCRATCH_PATHS = 8 };

typedef struct {
    char  folder[64];
    char *path[SCRATCH_PATHS];          /* the last ones that scratch_path returned */
    int   next;
} Scratch;

/* Whether an entry of a folder is a file of the test's. */
static inline int scratch_counts(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static inline int scratch_setup(void **state)
{
    Scratch *s = calloc(1, sizeof *s);
    strcpy(s->folder, "/tmp/attn-test-XXXXXX");
    *state = s;
    return mkdtemp(s->folder) ? 0 : -1;
}

/* scratch_path - the path of a name in the folder; the last SCRATCH_PATHS of them are valid. */
static inline const char *scratch_path(Scratch *s, const char *name)
{
    char **path = &s->path[s->next++ % SCRATCH_PATHS];
    size_t size = strlen(s->folder) + strlen(name) + 2;
    *path = realloc(*path, size);
    assert_non_null(*path);
    snprintf(*path, size, "%s/%s", s->folder, name);
    return *path;
}

static inline int scratch_teardown(void **state)
{
    Scratch *s = *state;
    DIR *folder = opendir(s->folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (scratch_counts(entry)) remove(scratch_path(s, entry->d_name));
    if (folder) closedir(folder);
    int status = rmdir(s->folder);
    for (int i = 0; i < SCRATCH_PATHS; i++)
        free(s->path[i]);
    free(s);
    return status;
}

static inline int scratch_files(const Scratch *s)
{
    int count = 0;
    DIR *folder = opendir(s->folder);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        count += scratch_counts(entry);
    closedir(folder);
    return count;
}

/* scratch_write - a file of these bytes; its path. */
static inline const char *scratch_write(Scratch *s, const char *name, const char *bytes, size_t length)
{
    const char *path = scratch_path(s, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char *scratch_puts(Scratch *s, const char *name, const char *text)
{
    return scratch_write(s, name, text, strlen(text));
}

#endif
