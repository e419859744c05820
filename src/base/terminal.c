/* terminal.c - asks the kernel and the environment. */
#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_COLUMNS = 80 };

int terminal_is(FILE *stream)
{
    return isatty(fileno(stream));
}

int terminal_columns(FILE *stream)
{
    struct winsize size;
    if (!ioctl(fileno(stream), TIOCGWINSZ, &size) && size.ws_col > 0) return size.ws_col;
    return USUAL_COLUMNS;
}

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

Colours terminal_colours(FILE *stream)
{
    if (!terminal_is(stream) || *environment("NO_COLOR")) return COLOURS_NONE;
    const char *depth = environment("COLORTERM");
    if (!strcmp(depth, "truecolor") || !strcmp(depth, "24bit")) return COLOURS_TRUE;
    return strstr(environment("TERM"), "256color") ? COLOURS_256 : COLOURS_NONE;
}
