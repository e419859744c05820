/* joining.c - see joining.h. */
#include "cmd/train/joining.h"

#include "base/system/launcher.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int joining_is_first(void)
{
    return launcher_rank() == 0;
}

/* Lets the descriptor lead nowhere. Returns a copy of what it was, or -1. */
static int divert(int fd)
{
    const int copy = dup(fd), nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, fd);
        close(nowhere);
    }
    return copy;
}

void joining_wait(void)
{
    if (!joining_is_first()) nanosleep(&(struct timespec){ .tv_sec = 1 }, NULL);
}

static int is_silent;           /* for a function that exit calls */

static void wait_if_silent(void)
{
    if (is_silent) joining_wait();
    is_silent = 0;
}

Silence joining_silence(void)
{
    if (joining_is_first()) return (Silence){ -1 };
    is_silent = 1;
    atexit(wait_if_silent);
    const int output = divert(STDOUT_FILENO);
    if (output >= 0) close(output);
    return (Silence){ divert(STDERR_FILENO) };
}

void joining_speak(Silence silence)
{
    is_silent = 0;
    if (silence.error < 0) return;
    dup2(silence.error, STDERR_FILENO);
    close(silence.error);
}
