/* model_path.c - the folders of models, and what is in them. */
#include "cmd/model_path.h"

#include "base/suffix.h"
#include "cmd/cmd.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXTENSION ".safetensors"
#define MODELS    "models"
#define INSTALLED "/share/attn/models"
#define OF_USER   "/attn/models"

enum { FOLDERS = 4 };
typedef struct { Buf folder[FOLDERS]; } Search;     /* an empty one: there is none */

/* ---- The folders ---- */

/* The folder of the running program, so that an installation may move, or one of those above it; that of
 * packages where there is no /proc, as in a bare chroot. */
static void add_program_folder(Buf *out, int above)
{
    char path[4096] = "/usr/bin/attn";
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length > 0) path[length] = '\0';
    for (int folders = 0; folders <= above; folders++) {
        char *slash = strrchr(path, '/');
        if (slash) *slash = '\0';
    }
    buf_puts(out, path);
}

static int are_same(const char *path, const char *other)
{
    struct stat one, two;
    return !stat(path, &one) && !stat(other, &two) && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

/* That of a program that was built and not installed, unless it is there already, or not at all. */
static void add_built_folder(Buf *out)
{
    struct stat status;
    add_program_folder(out, 0);
    buf_puts(out, "/" MODELS);
    const int is_folder = !stat(out->text, &status) && S_ISDIR(status.st_mode);
    if (!is_folder || are_same(out->text, MODELS)) buf_clear(out);
}

/* By the XDG Base Directory Specification, which allows only absolute paths. */
static void add_data_folder(Buf *out)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && *data == '/') buf_puts(out, data);
    else if (home && *home) buf_printf(out, "%s/.local/share", home);
}

static Search search_new(void)
{
    Search s = { 0 };
    buf_puts(&s.folder[0], MODELS);
    add_built_folder(&s.folder[1]);
    add_program_folder(&s.folder[2], 1);
    buf_puts(&s.folder[2], INSTALLED);
    add_data_folder(&s.folder[3]);
    if (s.folder[3].length) buf_puts(&s.folder[3], OF_USER);
    return s;
}

static void search_free(Search *s)
{
    for (int i = 0; i < FOLDERS; i++)
        buf_free(&s->folder[i]);
}

static int is_file(const char *path)
{
    struct stat status;
    return !stat(path, &status) && !S_ISDIR(status.st_mode);
}

/* Whether the file begins as one of safetensors does: 8 bytes of a length, then '{'. */
static int begins_as_model(const char *path)
{
    char start[9];
    struct stat status;
    if (stat(path, &status) || !S_ISREG(status.st_mode)) return 0;
    FILE *file = fopen(path, "rb");
    const int is_long = file && fread(start, 1, sizeof start, file) == sizeof start;
    if (file) fclose(file);
    return is_long && start[8] == '{';
}

/* Whether one of the folders has the model; *path is then its file. */
static int find(const Search *s, const char *name, Buf *path)
{
    for (int i = 0; i < FOLDERS; i++) {
        if (!s->folder[i].length) continue;
        buf_clear(path);
        buf_printf(path, "%s/%s%s", s->folder[i].text, name,
                   ends_with(name, EXTENSION) ? "" : EXTENSION);
        if (is_file(path->text)) return 1;
    }
    return 0;
}

/* ---- What is there instead ---- */

int is_model_name(const char *name)
{
    return has_extension(name, EXTENSION);
}

static int is_model(const struct dirent *entry)
{
    return is_model_name(entry->d_name);
}

/* "models (attn, demo)" */
static void add_folder(const char *folder, Buf *out)
{
    struct dirent **entry;
    const int count = scandir(folder, &entry, is_model, alphasort);
    buf_printf(out, "%s (", folder);
    for (int i = 0; i < count; i++) {
        const char *name = entry[i]->d_name;
        buf_printf(out, "%s%.*s", i ? ", " : "", (int)(strlen(name) - strlen(EXTENSION)), name);
        free(entry[i]);
    }
    if (count >= 0) free(entry);
    buf_puts(out, count > 0 ? ")" : "none)");
}

static void refuse(const Search *s, const char *name, Err *e)
{
    Buf folders = { 0 };
    for (int i = 0; i < FOLDERS; i++) {
        if (!s->folder[i].length) continue;
        if (folders.length) buf_puts(&folders, ", ");
        add_folder(s->folder[i].text, &folders);
    }
    err(e, "there is no model '%s': no file of that name is one, and it is not among those in %s", name, folders.text);
    buf_free(&folders);
}

/* ---- Names ---- */

int model_path(const char *name, Buf *path, Err *e)
{
    Search s = search_new();
    const int is_path = strchr(name, '/') || begins_as_model(name);
    const int is_found = !is_path && find(&s, name, path);
    if (!is_found) {
        buf_clear(path);
        buf_puts(path, name);
    }
    const int failed = !is_path && !is_found && (!is_file(name) || are_same(name, "/proc/self/exe"));
    if (failed) refuse(&s, name, e);
    search_free(&s);
    return failed ? -1 : 0;
}

int model_path_usual(Buf *path, Err *e)
{
    static const char *const names[] = { "attn", "eng-fra", NULL };
    const char *named = getenv("ATTN_MODEL");
    if (named && *named) return model_path(named, path, e);
    Search s = search_new();
    const char *const *name = names;
    while (*name && !find(&s, *name, path)) name++;
    if (!*name) {
        buf_clear(path);
        buf_puts(path, default_model());
    }
    search_free(&s);
    return 0;
}
