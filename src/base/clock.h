/* clock.h - seconds. */
#ifndef ATTN_BASE_CLOCK_H
#define ATTN_BASE_CLOCK_H

/* clock_seconds - of a clock that never jumps, since some moment in the past. */
double clock_seconds(void);

#endif
