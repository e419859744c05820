/* faults.h - makes any call fail that writes a file to the disk: open for writing, fdopen, fopen,
 * fchmod, fwrite, fflush, fsync, fclose, rename.
 *
 * A program that is linked with faults.o has its own versions of these calls. They count themselves
 * and call the C library, unless it is their turn to fail. A failing call does nothing (fclose
 * closes the file, as the real one does). fsync never does anything: a test pulls no plug, and it
 * runs hundreds of times. The standard streams and files open for reading are left alone. Only the
 * program's own calls count: a write that stdio makes by itself, when its buffer is full, does not;
 * the full file systems of tests/cli/disk.bats test those.
 *
 * A test program calls faults_between. The program tests/attn-faults, which is attn with faults.o,
 * reads ATTN_FAULTS=FIRST[-LAST] and appends the name of each call that fails, one a line, to the
 * file $ATTN_FAULTS_LOG.
 */
#ifndef ATTN_TESTS_FAULTS_H
#define ATTN_TESTS_FAULTS_H

#include <limits.h>
#include <sys/types.h>

enum { FAULTS_TO_THE_END = INT_MAX };

/* faults_between - resets the count; the calls first..last, from 1, fail. first = 0: none fails. */
void faults_between(int first, int last);

int         faults_count(void);         /* calls since then */
const char *faults_name(void);          /* of the call that failed last, "fsync"; NULL: none did */
mode_t      faults_mode(void);          /* which the last file of fchmod had before */

#endif
