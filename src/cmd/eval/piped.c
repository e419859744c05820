/* piped.c - a look for tabs, and one at standard input. */
#include "cmd/eval/piped.h"

#include "base/files/lines.h"

#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A pipe must not be read to find out what it is. */
static int is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* 1, 0, or -1 with a message. */
static int holds_tab(Lines *lines, Err *e)
{
    char *line;
    size_t length;
    int status;
    while ((status = lines_next(lines, &line, &length, e)) > 0)
        if (memchr(line, '\t', length)) return 1;
    return status;
}

int piped_reference(const char *path, Err *e)
{
    if (is_special(path)) return 0;
    Lines *lines = lines_open(path, e);
    int tab = lines ? holds_tab(lines, e) : -1;
    int found = tab < 0 ? -1 : !tab && lines_number(lines) > 0;
    lines_close(lines);
    return found;
}

int begins_with_pair(const char *path)
{
    Err ignored;
    char *line;
    size_t length;
    Lines *lines = is_special(path) ? NULL : lines_open(path, &ignored);
    const int has_line = lines && lines_next(lines, &line, &length, &ignored) > 0;
    const int found = has_line && memchr(line, '\t', length);
    lines_close(lines);
    return found;
}

/* The end of a pipe is an event too, but brings no bytes. */
static Piped look_into_pipe(void)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    int bytes = 0;
    const int has_event = poll(&input, 1, 0) > 0;
    if (!ioctl(STDIN_FILENO, FIONREAD, &bytes) && bytes > 0) return PIPED_LINES;
    return has_event ? PIPED_NOTHING : PIPED_SILENT;
}

Piped piped_input(void)
{
    struct stat status;
    if (fstat(STDIN_FILENO, &status)) return PIPED_NOTHING;
    if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) return look_into_pipe();
    const int is_unread = S_ISREG(status.st_mode) && status.st_size > 0
                          && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
    return is_unread ? PIPED_LINES : PIPED_NOTHING;
}

int piped_since(void)
{
    const Piped input = piped_input();
    if (input == PIPED_SILENT)
        warn("standard input is an open pipe that has brought nothing, and was not read: if a "
             "translation is to come, add --hyp -; if not, name the model with -m");
    return input == PIPED_LINES;
}
