/* clock.h - elapsed time. */
#ifndef ATTN_BASE_CLOCK_H
#define ATTN_BASE_CLOCK_H

/* clock_seconds - seconds since some moment in the past, by a clock that never jumps. */
double clock_seconds(void);

#endif
