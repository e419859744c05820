/* portion.h - the share of one worker in work that several do together. */
#ifndef ATTN_BASE_PORTION_H
#define ATTN_BASE_PORTION_H

/* { 0, 1 } is all of the work. */
typedef struct { int worker, workers; } Portion;

#endif
