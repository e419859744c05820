/* heap.h - what a call of the library takes from the system, so that it can be given back whatever
 * happens: memory, open files, trees of cJSON.
 *
 * The layers below ask malloc, open and cJSON, and where memory is refused they end by die(), from
 * any depth, with blocks that only they know. In the program that is the end of the process. In the
 * library all these requests go to heap.c (the linker's --wrap), which keeps a list for each heap.
 * Objects of the library have a heap each; an object whose making failed, or whose state a failed
 * call has left half done, is released as a whole by its heap.
 */
#ifndef ATTN_LIB_HEAP_H
#define ATTN_LIB_HEAP_H

typedef struct Heap Heap;

Heap *heap_new(void);           /* NULL: memory is refused */
void  heap_free(Heap *heap);    /* with all that was taken from it and not given back; or NULL */

/* heap_enter - the requests of this thread now go to that heap; returns the one before, or NULL.
 * Any number of threads may use a heap, and release what others have taken. */
Heap *heap_enter(Heap *heap);

#endif
