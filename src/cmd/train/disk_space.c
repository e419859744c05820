/* disk_space.c - free space and needed space. */
#include "cmd/train/disk_space.h"

#include "base/mem.h"
#include "train/update/updater.h"

#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

/* Bytes that this user may still write in the folder of the file. */
static double free_beside(const char *path)
{
    struct statvfs system;
    char *copy = xstrdup(path);
    int known = !statvfs(dirname(copy), &system) && system.f_blocks;
    free(copy);
    return known ? (double)system.f_bavail * (double)system.f_frsize : INFINITY;
}

/* The size of an existing file; 0 for none. */
static double bytes_of(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode) ? (double)status.st_size : 0;
}

/* An old file is free space once it is replaced. The state is the largest file, and exists twice
 * while it is replaced; so does a model, when it gets the last network of an ensemble. */
int disk_space_check(const char *model, const char *state, const ParameterTable *table,
                     const Hyperparameters *hyper, Err *e)
{
    const double size = (double)table->size, old = bytes_of(model) + bytes_of(state);
    const double weights = hyper->ensemble * size * sizeof(float), block = size * sizeof(real);
    const double once = updater_blocks(hyper) * block, available = free_beside(model);
    const double grown = once + 2 * weights, saved = weights + 2 * once;
    const double needed = fmax(once, fmax(hyper->ensemble > 1 ? grown : 0, saved) - old);
    if (needed <= available) return 0;
    return err(e, "%s: model and training state need %.1f MB, and the file system has %.1f MB "
                  "left: free some space, or name another place with --output", model, needed / 1e6,
                  available / 1e6);
}
