/* scratch.c - a folder under /tmp, removed at the end of a test with all that is in it. */
#include "scratch.h"

#include "base/mem.h"

#include <dirent.h>
#include <ftw.h>

int scratch_setup(void **state)
{
    Scratch *s = xcalloc(1, sizeof *s);
    strcpy(s->folder, "/tmp/attn-test-XXXXXX");
    *state = s;
    return mkdtemp(s->folder) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

int scratch_teardown(void **state)
{
    enum { OPEN = 8 };
    Scratch *s = *state;
    const int status = nftw(s->folder, remove_one, OPEN, FTW_DEPTH | FTW_PHYS);
    for (int i = 0; i < SCRATCH_PATHS; i++)
        free(s->path[i]);
    free(s);
    return status;
}

const char *scratch_path(Scratch *s, const char *name)
{
    char **path = &s->path[s->next++ % SCRATCH_PATHS];
    size_t size = strlen(s->folder) + strlen(name) + 2;
    *path = xrealloc(*path, size, 1);
    snprintf(*path, size, "%s/%s", s->folder, name);
    return *path;
}

const char *scratch_write(Scratch *s, const char *name, const char *bytes, size_t length)
{
    const char *path = scratch_path(s, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return path;
}

const char *scratch_puts(Scratch *s, const char *name, const char *text)
{
    return scratch_write(s, name, text, strlen(text));
}

static int is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

int scratch_files(const Scratch *s)
{
    int count = 0;
    DIR *folder = opendir(s->folder);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        count += !is_dots(entry->d_name);
    closedir(folder);
    return count;
}

int exists(const char *path)
{
    return access(path, F_OK) == 0;
}

Content read_file(const char *path)
{
    Err e;
    Content file;
    if (content_read(&file, path, &e)) fail_msg("%s (run from the top of the project)", e.text);
    return file;
}
