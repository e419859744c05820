/* disk_space.c - what is free, and what is needed. */
#include "cmd/train/disk_space.h"

#include "base/mem.h"
#include "train/updater.h"

#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

/* Bytes that this user may still write in the folder of that file. */
static double free_beside(const char *path)
{
    struct statvfs system;
    char *copy = xstrdup(path);
    int told = !statvfs(dirname(copy), &system) && system.f_blocks;
    free(copy);
    return told ? (double)system.f_bavail * (double)system.f_frsize : INFINITY;
}

/* Of an old file; 0 for what is none. */
static double bytes_of(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode) ? (double)status.st_size : 0;
}

/* An old file's room is free once it is replaced; while the state is replaced, the largest of these saves, there are two
 * of it. */
int disk_space_check(const char *model, const char *state, const ParameterTable *table, const Hyperparameters *hyper, Err *e)
{
    const double weights = (double)table->size * sizeof(float), block = (double)table->size * sizeof(real);
    const double once = updater_blocks(hyper) * block, all = weights + 2 * once - bytes_of(model) - bytes_of(state);
    const double needed = fmax(once, all), room = free_beside(model);
    if (needed <= room) return 0;
    return err(e, "%s: model and training state need %.1f MB, and the file system has %.1f MB left: make room, or name "
                  "another place with --output", model, needed / 1e6, room / 1e6);
}
