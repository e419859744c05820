/* notice_board.h - what few bytes each process shows to all others, where they share memory. */
#ifndef ATTN_TRAIN_MPI_NOTICE_BOARD_H
#define ATTN_TRAIN_MPI_NOTICE_BOARD_H

#include "train/update/processes.h"

/* At the beginning of a block of notice_board_size bytes, zero, which all share. */
typedef struct NoticeBoard NoticeBoard;
size_t notice_board_size(const Processes *p);

/* notice_fits - whether the processes share memory, and have room for so many bytes of each.
 * notice_show - shows the own bytes, 0 or more, and returns when all have shown theirs.
 * notice_of - what a process has shown; it stays until the next but one is shown. */
int         notice_fits(const Processes *p, size_t size);
void        notice_show(const Processes *p, const void *own, size_t size);
const void *notice_of(const Processes *p, int rank);

#endif
