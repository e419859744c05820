/* train_outputs.c - see train_outputs.h. */
#include "cmd/train_outputs.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    if (!a || !b) return 0;
    if (!strcmp(a, b)) return 1;        /* neither may be there yet */
    return !stat(a, &x) && !stat(b, &y) && S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* What is read must not be what is written. */
static int check_inputs(const char *output, const TrainOptions *own, const BitextFiles *files, Err *e)
{
    int read = is_same_file(output, own->valid) || is_same_file(output, own->config)
               || is_same_file(output, own->merges) || is_same_file(output, own->target_merges);
    for (int i = 0; i < files->count; i++)
        read |= is_same_file(output, files->name[i]);
    return read ? err(e, "'%s' is read: it cannot be written too", output) : 0;
}

/* Model and state are replaced by renaming, which a device or a pipe would not survive or not be part of. */
static int check_writable(const char *path, Err *e)
{
    Replace r;
    struct stat status;
    if (!stat(path, &status) && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return err(e, "%s: is a device or a pipe, where no model can be kept; name a file with -o", path);
    if (replace_begin(&r, path, e)) return -1;
    replace_abort(&r);
    return 0;
}

/* The page of the curves, which are drawn from the log. */
static int check_curves(const TrainOptions *own, const BitextFiles *files, Err *e)
{
    struct stat log;
    Replace page;
    if (!own->curves) return 0;
    if (check_inputs(own->curves, own, files, e)) return -1;
    if (is_same_file(own->curves, own->log) || is_same_file(own->curves, own->output))
        return err(e, "'%s' cannot be the curves and the %s too", own->curves,
                   is_same_file(own->curves, own->log) ? "log" : "model");
    if (!stat(own->log, &log) && !S_ISREG(log.st_mode))
        return err(e, "%s: curves are drawn from the log, which must be a file for that", own->log);
    if (replace_begin(&page, own->curves, e)) return -1;
    replace_abort(&page);
    return 0;
}

/* Found now rather than after hours: whether model and state can be written. The folder models/ is made. */
static int check_outputs(const TrainOptions *own, const char *state, const BitextFiles *files, Err *e)
{
    const char *model = own->output;
    if (!strncmp(model, "models/", 7) && mkdir("models", 0777) && errno != EEXIST)
        return err(e, "cannot make the folder 'models': %s", strerror(errno));
    if (check_inputs(model, own, files, e) || check_inputs(state, own, files, e)) return -1;
    if (own->log && check_inputs(own->log, own, files, e)) return -1;
    if (is_same_file(own->log, model) || is_same_file(own->log, state))
        return err(e, "'%s' cannot be the log and the model too", own->log);
    if (check_curves(own, files, e)) return -1;
    return check_writable(model, e) || check_writable(state, e) ? -1 : 0;
}

/* The lock that two runs with one output share, by whatever name they call it. */
static void lock_name(const char *model, Buf *out)
{
    char *resolved = realpath(model, NULL);
    buf_printf(out, "%s.lock", resolved ? resolved : model);
    free(resolved);
}

/* From here on this process alone writes model and state. */
static int lock_outputs(const TrainOptions *own, const BitextFiles *files, Lock *lock, Err *e)
{
    const char *model = own->output;
    Buf name = { 0 };
    lock_name(model, &name);
    int rc = check_inputs(name.text, own, files, e);
    if (!rc) rc = lock_take(lock, name.text, e);
    if (!rc && is_same_file(own->log, name.text))
        rc = err(e, "'%s' is the lock of the model: name another log", own->log);
    if (rc > 0) warn("%s: no locks here: see to it that no other attn train writes the same file", name.text);
    buf_free(&name);
    return rc < 0 ? -1 : 0;
}

int outputs_claim(const TrainOptions *own, const char *state, const BitextFiles *files, Lock *lock, Err *e)
{
    return check_outputs(own, state, files, e) || lock_outputs(own, files, lock, e) ? -1 : 0;
}

int outputs_open_log(const TrainOptions *own, FILE **log, Err *e)
{
    const char *path = own->log;
    if (!path) return 0;
    if (!(*log = fopen(path, "a"))) return err(e, "cannot write '%s': %s", path, strerror(errno));
    return is_same_file(path, own->output) ? err(e, "'%s' cannot be the log and the model too", path) : 0;
}
