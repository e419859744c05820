/* attempt.h - work that may die: where the program would end with a message, the attempt ends with
 * an error.
 *
 * The library has its own die(), in the place of base/message.c, which the linker leaves out. It
 * jumps (longjmp) to the attempt of its thread; an attempt inside another ends alone.
 */
#ifndef ATTN_LIB_ATTEMPT_H
#define ATTN_LIB_ATTEMPT_H

#include "base/error.h"
#include "lib/heap.h"

/* attempt - calls work(context), whose requests go to the heap; -1 and a message where it dies. What
 * it had taken is then still in the heap, and nothing that it was about to change may be used:
 * the heap is to be freed. */
int attempt(Heap *heap, void (*work)(void *context), void *context, Err *e);

#endif
