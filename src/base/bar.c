/* bar.c - whole blocks, and a part of one at the end. */
#include "base/bar.h"

#include <math.h>

enum { EIGHTHS = 8 };

int bar_draw(double fraction, int width, Buf *out)
{
    static const char *const part[EIGHTHS] = {
        "", "▏", "▎", "▍", "▌", "▋", "▊", "▉"
    };
    fraction = fmin(fmax(0, fraction), 1);      /* NaN is 0: fmax prefers the number */
    int eighths = (int)(fraction * width * EIGHTHS);
    for (int i = 0; i < eighths / EIGHTHS; i++) buf_puts(out, "█");
    buf_puts(out, part[eighths % EIGHTHS]);
    return (eighths + EIGHTHS - 1) / EIGHTHS;
}
