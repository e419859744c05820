/* history.c - appending under a lock. */
#include "cmd/translate/history.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/files/files.h"
#include "base/files/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEPT_LINES = 1000 };

/* ---- The path ---- */

/* Creates the folders of the path. A failure shows when the file is opened. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

static char *history_path(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    Buf path = { 0 };
    if (state && *state == '/') buf_printf(&path, "%s/attn/history", state);
    else if (home && *home) buf_printf(&path, "%s/.local/state/attn/history", home);
    else return NULL;
    make_folders(path.text);
    return path.text;
}

/* ---- The file ---- */

/* Opens or creates the file for appending, under a lock: until it is closed, no other program
 * writes or replaces it. NULL where it cannot be opened, or is no regular file (some people link
 * it to /dev/null). */
static FILE *open_locked(const char *path)
{
    struct stat status;
    for (int fd; (fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600)) >= 0; close(fd)) {
        if (fstat(fd, &status) || !S_ISREG(status.st_mode)) {
            close(fd);
            return NULL;
        }
        flock(fd, LOCK_EX);
        if (file_is_at(fd, path)) return fdopen(fd, "a");
    }
    return NULL;
}

/* Appends lines to the file, which becomes private: that libedit made it so ended with 20250104. It
 * writes its heading where the position is 0. */
static void write_lines(History *lines, FILE *stream)
{
    HistEvent event;
    fchmod(fileno(stream), 0600);
    fseek(stream, 0, SEEK_END);
    history(lines, &event, H_SAVE_FP, stream);
}

/* Keeps the last lines only. After a failure the file is as before, and the next program tries
 * again. */
static void shorten(const LineHistory *typed)
{
    Err ignored;
    Replace file;
    if (replace_open(&file, typed->path, &ignored)) return;
    write_lines(typed->lines, file.stream);
    replace_commit(&file, &ignored);
}

static void forget_path(LineHistory *typed)
{
    free(typed->path);
    typed->path = NULL;
}

static void load(LineHistory *typed)
{
    HistEvent event;
    FILE *locked = open_locked(typed->path);
    if (!locked) {
        forget_path(typed);
        return;
    }
    fseek(locked, 0, SEEK_END);
    const int count = ftell(locked) ? history(typed->lines, &event, H_LOAD, typed->path) : 0;
    if (count > 2 * KEPT_LINES) shorten(typed);
    if (count < 0) {
        warn("%s: is no history of libedit; lines are not kept", typed->path);
        forget_path(typed);
    }
    fclose(locked);
}

static History *history_of(int size)
{
    HistEvent event;
    History *lines = history_init();
    if (!lines) die("cannot remember lines");
    history(lines, &event, H_SETSIZE, size);
    return lines;
}

void line_history_open(LineHistory *typed)
{
    HistEvent event;
    *typed = (LineHistory){ .lines = history_of(KEPT_LINES), .path = history_path() };
    history(typed->lines, &event, H_SETUNIQUE, 1);
    if (typed->path) load(typed);
}

void line_history_close(LineHistory *typed)
{
    history_end(typed->lines);
    forget_path(typed);
}

/* Only libedit knows the format of a line: a history with this line alone is saved. */
static int append(const char *path, const char *line)
{
    HistEvent event;
    FILE *stream = open_locked(path);
    if (!stream) return -1;
    History *one = history_of(1);
    history(one, &event, H_ENTER, line);
    write_lines(one, stream);
    history_end(one);
    return fclose(stream);
}

void line_history_add(LineHistory *typed, const char *line)
{
    HistEvent event;
    const char *last = history(typed->lines, &event, H_FIRST) < 0 ? "" : event.str;
    const int is_new = strcmp(last, line);
    history(typed->lines, &event, H_ENTER, line);
    if (!is_new || !typed->path || !append(typed->path, line)) return;
    warn("%s: cannot be written: %s; lines are no longer kept", typed->path, strerror(errno));
    forget_path(typed);
}
