/* length_limit.c - see length_limit.h. */
#include "model/length_limit.h"

#include <math.h>

int length_limit_most(LengthLimit limit, int source)
{
    if (!(limit.ratio > 0)) return 2 * source + 10;
    return (int)(limit.ratio * source + 1.5 * limit.spread * sqrt(source + 1.0)) + 5;
}

LengthLimit length_limit_wider(LengthLimit one, LengthLimit other)
{
    if (!(one.ratio > 0) || !(other.ratio > 0)) return (LengthLimit){ 0, 0 };
    return (LengthLimit){ fmax(one.ratio, other.ratio), fmax(one.spread, other.spread) };
}
