/* claim.c - the right of one run to write its model, training state, log and curves. */
#include "base/files/files.h"
#include "base/files/replace.h"
#include "base/mem.h"
#include "cmd/models.h"
#include "cmd/outputs.h"
#include "cmd/train/train.h"
#include "train/checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Whether a file can be made there, and take the place of what is there. A model replaces a file by
 * renaming, which a device or a pipe does not allow. */
static int check_writable(const char *path, int is_model, Err *e)
{
    struct stat status;
    Replace file;
    if (is_model && !stat(path, &status) && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return err(e, "%s: is a device or a pipe, where no model can be kept; name a file with -o",
                   path);
    if (replace_open(&file, path, e)) return -1;
    replace_abort(&file);
    return 0;
}

/* Whether all outputs can be written, so that this fails now rather than after hours; no input is
 * an output, and no two outputs are one file. Creates the folder models/. */
static int check_outputs(const TrainOptions *own, const char *state, const char *lock,
                         const BitextFiles *files, Err *e)
{
    const Output outputs[] = {
        { own->output, "model", "-o" }, { state, "training state", "-o" },
        { lock, "lock of the model", "-o" }, { own->log, "log", "--log" },
        { own->curves, "curves", "--curves" }
    };
    const char *const options[] = { own->valid, own->config, own->init, own->replay };
    enum { OPTIONS = sizeof options / sizeof *options };
    const size_t count = OPTIONS + (size_t)files->count;
    struct stat log;
    if (!strncmp(own->output, "models/", 7) && mkdir("models", 0777) && errno != EEXIST)
        return err(e, "cannot make the folder 'models': %s", strerror(errno));
    const char **inputs = xmalloc(count, sizeof *inputs);
    memcpy(inputs, options, sizeof options);
    memcpy(inputs + OPTIONS, files->name, (size_t)files->count * sizeof *inputs);
    const CommandFiles all = { outputs, inputs, sizeof outputs / sizeof *outputs, count };
    const int rc = outputs_check_distinct(&all, e);
    free(inputs);
    if (rc) return -1;
    if (own->curves && !stat(own->log, &log) && !S_ISREG(log.st_mode))
        return err(e, "%s: curves are drawn from the log, which must be a file for that", own->log);
    return (own->curves && check_writable(own->curves, 0, e)) || check_writable(own->output, 1, e)
           || check_writable(state, 1, e) ? -1 : 0;
}

/* ---- What exists already ---- */

static int check_old_state(const TrainOptions *own, const char *path, Err *e)
{
    Err why;
    TrainingProgress progress;
    char *request;
    if (own->resume || !output_exists(path)) return 0;        /* a resumed run has read it */
    if (state_peek(path, &progress, &request, &why))
        return err(e, "%s: is there already and is no training state of this version, so it is not "
                      "replaced; move it away, or name another model with -o", path);
    free(request);
    if (own->force) return 0;
    return err(e, "%s: is of a training that was interrupted after step %ld; --resume continues "
                  "it, --force begins again, -o names another model", path, progress.step);
}

static int check_old_model(const TrainOptions *own, Err *e)
{
    if (!output_exists(own->output)) return 0;
    if (model_check_replaceable(own->output, e)) return -1;
    if (own->force || own->resume) return 0;
    return err(e, "%s: a model is there already; --force replaces it, -o names another",
               own->output);
}

/* A log or its page. The resumed run may write the file that it named before, if it begins like
 * one. */
static int check_old(const Output *output, const char *own, int first, Err *e)
{
    FILE *file = own && output->path && file_same(own, output->path) ? fopen(own, "r") : NULL;
    const int is_own = file && getc(file) == first;
    if (file) fclose(file);
    return is_own ? 0 : output_refuse_existing(output, e);
}

/* ---- The claim ---- */

/* Existing files are checked under the lock, which all names of one output share: no other run
 * writes them now. */
int claim_outputs(const Config *c, const char *state, const BitextFiles *files, Lock *lock, Err *e)
{
    const TrainOptions *own = &c->own;
    const Output log = { own->log, "log", "--log" };
    const Output curves = { own->curves, "curves", "--curves" };
    char *real_name = file_behind_links(own->output);
    SCOPED(buf_free) Buf name = { 0 };
    buf_printf(&name, "%s.lock", real_name);
    int rc = check_outputs(own, state, name.text, files, e);
    const int locked = rc ? -1 : lock_take(lock, name.text, e);
    if (locked > 0)
        warn("%s: no locks here: see to it that no other attn train writes the same file",
             name.text);
    if (locked < 0 || check_old_state(own, state, e) || check_old_model(own, e)) rc = -1;
    else if (!own->force)
        rc = check_old(&log, c->saved.log, '{', e) || check_old(&curves, c->saved.curves, '<', e)
             ? -1 : 0;
    free(real_name);
    return rc;
}
