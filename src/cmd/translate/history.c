/* history.c - appending under a lock. */
#include "cmd/translate/history.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/files.h"
#include "base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REMEMBERED = 1000 };

/* ---- Where it is ---- */

/* Creates the folders above the last '/'; what fails shows when the file is opened. */
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

/* Opens the file for appending, and makes it. Where locks are known nobody else writes to it until it is closed, and
 * nobody puts another in its place. NULL where it can't be had, or is no file (some link it to /dev/null). */
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

/* Adds lines to the end of a file. libedit makes it private, and puts its heading where the stream stands at 0. */
static void write_lines(History *lines, FILE *stream)
{
    HistEvent event;
    fseek(stream, 0, SEEK_END);
    history(lines, &event, H_SAVE_FP, stream);
}

/* What could not be replaced is as long as before: the next program tries again. */
static void shorten(const Past *past)
{
    Err ignored;
    Replace file;
    if (replace_open(&file, past->path, &ignored)) return;
    write_lines(past->lines, file.stream);
    replace_commit(&file, &ignored);
}

static void forget_path(Past *past)
{
    free(past->path);
    past->path = NULL;
}

static void load(Past *past)
{
    HistEvent event;
    FILE *locked = open_locked(past->path);
    if (!locked) {
        forget_path(past);
        return;
    }
    fseek(locked, 0, SEEK_END);
    const int count = ftell(locked) ? history(past->lines, &event, H_LOAD, past->path) : 0;
    if (count > 2 * REMEMBERED) shorten(past);
    if (count < 0) {
        warn("%s: is no history of libedit; lines are not kept", past->path);
        forget_path(past);
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

void past_begin(Past *past)
{
    HistEvent event;
    *past = (Past){ .lines = history_of(REMEMBERED), .path = history_path() };
    history(past->lines, &event, H_SETUNIQUE, 1);
    if (past->path) load(past);
}

void past_end(Past *past)
{
    history_end(past->lines);
    forget_path(past);
}

/* The form of a line is libedit's secret: a history of this line alone is saved. */
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

void past_add(Past *past, const char *line)
{
    HistEvent event;
    const char *last = history(past->lines, &event, H_FIRST) < 0 ? "" : event.str;
    const int is_new = strcmp(last, line);
    history(past->lines, &event, H_ENTER, line);
    if (!is_new || !past->path || !append(past->path, line)) return;
    warn("%s: cannot be written: %s; lines are no longer kept", past->path, strerror(errno));
    forget_path(past);
}
