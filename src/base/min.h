/* min.h - the smaller of two numbers. */
#ifndef ATTN_BASE_MIN_H
#define ATTN_BASE_MIN_H

static inline int min_int(int a, int b)
{
    return a < b ? a : b;
}

#endif
