/* joining.c - see joining.h. */
#include "cmd/train/joining.h"

#include "base/launcher.h"

#include <fcntl.h>
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

Silence joining_silence(void)
{
    if (joining_is_first()) return (Silence){ -1 };
    const int output = divert(STDOUT_FILENO);
    if (output >= 0) close(output);
    return (Silence){ divert(STDERR_FILENO) };
}

void joining_speak(Silence silence)
{
    if (silence.error < 0) return;
    dup2(silence.error, STDERR_FILENO);
    close(silence.error);
}
