/* no_sync.c - fsync does nothing: a test pulls no plug, and thousands of saves would wait for the
 * disk. tests/run loads it before the C library (LD_PRELOAD); what has sanitizers, whose library
 * has to be the first, is linked with it. */
#include <unistd.h>

int fsync(int fd)
{
    (void)fd;
    return 0;
}
