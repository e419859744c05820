/* portion.h - what one of several workers does of something that they do together. */
#ifndef ATTN_BASE_PORTION_H
#define ATTN_BASE_PORTION_H

/* (0, 1) is all of it. */
typedef struct { int worker, workers; } Portion;

#endif
