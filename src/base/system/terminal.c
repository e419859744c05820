/* terminal.c - asks the kernel and the environment. */
#include "base/system/terminal.h"

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

const char *const colour_words[] = { "auto", "always", "never", NULL };

Colours terminal_colours(FILE *stream, ColourWish wish)
{
    const char *depth = environment("COLORTERM");
    const int is_true = !strcmp(depth, "truecolor") || !strcmp(depth, "24bit");
    const int has_any = is_true || strstr(environment("TERM"), "256color");
    const int is_fit = terminal_is(stream) && !*environment("NO_COLOR") && has_any;
    if (wish == COLOUR_NEVER || (wish == COLOUR_AUTO && !is_fit)) return COLOURS_NONE;
    return is_true ? COLOURS_TRUE : COLOURS_256;
}
