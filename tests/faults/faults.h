/* faults.h - every call by which a file gets to the disk can be made to fail: open for writing, fdopen, fopen, fchmod,
 * fwrite, fflush, fsync, fclose, rename.
 *
 * Whatever is linked with faults.o has these calls of its own, which count themselves and go on to the C library,
 * unless it is their turn to fail. A failing call does nothing (fclose closes, as the real one does). fsync never does
 * anything, for a test pulls no plug and runs hundreds of times. Standard streams, and what is only read, are left
 * alone. The calls are the program's own: a write that stdio makes by itself, when its buffer is full, is not among
 * them; the full file systems of tests/cli/disk.bats are for those.
 *
 * A test program calls faults_between. The program tests/attn-faults, which is attn with faults.o, takes
 * ATTN_FAULTS=FIRST[-LAST] and appends what it made to fail to the file $ATTN_FAULTS_LOG, a name a line.
 */
#ifndef ATTN_TESTS_FAULTS_H
#define ATTN_TESTS_FAULTS_H

#include <limits.h>

enum { FAULTS_TO_THE_END = INT_MAX };

/* faults_between - counts anew; the calls first..last, from 1, fail. first = 0: none does. */
void faults_between(int first, int last);

int         faults_count(void);         /* calls since then */
const char *faults_name(void);          /* of the call that failed last, "fsync"; NULL: none did */

#endif
