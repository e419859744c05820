/* lesser.h - the smaller of two numbers. */
#ifndef ATTN_BASE_LESSER_H
#define ATTN_BASE_LESSER_H

static inline int lesser(int a, int b)
{
    return a < b ? a : b;
}

#endif
