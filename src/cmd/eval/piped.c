/* piped.c - a look at standard input. */
#include "cmd/eval/piped.h"

#include "base/error.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

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
