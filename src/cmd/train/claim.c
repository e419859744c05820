/* claim.c - see claim.h. */
#include "cmd/train/claim.h"

#include "base/files/files.h"
#include "base/files/content.h"
#include "base/files/replace.h"
#include "base/mem.h"
#include "cmd/model_origin.h"
#include "cmd/outputs.h"
#include "train/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* ---- Whether the outputs can be written ---- */

/* No input is an output, and no two outputs are one file. */
static int check_distinct(const TrainOptions *own, const char *state, const char *lock,
                       const BitextFiles *files, Err *e)
{
    const Output outputs[] = {
        { own->output, "model", "-o" }, { state, "training state", "-o" },
        { lock, "lock of the model", "-o" }, { own->log, "log", "--log" },
        { own->curves, "curves", "--curves" }
    };
    const char *const options[] = { own->valid, own->config, own->merges, own->target_merges,
                                    own->init, own->replay };
    enum { OPTIONS = sizeof options / sizeof *options };
    const size_t count = OPTIONS + (size_t)files->count;
    const char **inputs = xmalloc(count, sizeof *inputs);
    memcpy(inputs, options, sizeof options);
    memcpy(inputs + OPTIONS, files->name, (size_t)files->count * sizeof *inputs);
    const CommandFiles all = { outputs, inputs, sizeof outputs / sizeof *outputs, count };
    int rc = outputs_check_distinct(&all, e);
    free(inputs);
    return rc;
}

/* Model and state are replaced by renaming, which a device or a pipe does not allow. */
static int check_writable(const char *path, Err *e)
{
    Replace r;
    struct stat status;
    if (!stat(path, &status) && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return err(e, "%s: is a device or a pipe, where no model can be kept; name a file with -o",
                   path);
    if (replace_open(&r, path, e)) return -1;
    replace_abort(&r);
    return 0;
}

/* The page of the curves is drawn from the log. */
static int check_curves(const TrainOptions *own, Err *e)
{
    struct stat log;
    Replace page;
    if (!own->curves) return 0;
    if (!stat(own->log, &log) && !S_ISREG(log.st_mode))
        return err(e, "%s: curves are drawn from the log, which must be a file for that", own->log);
    if (replace_open(&page, own->curves, e)) return -1;
    replace_abort(&page);
    return 0;
}

/* Fails now rather than after hours. Creates the folder models/. */
static int check_outputs(const TrainOptions *own, const char *state, const char *lock,
                         const BitextFiles *files, Err *e)
{
    if (!strncmp(own->output, "models/", 7) && mkdir("models", 0777) && errno != EEXIST)
        return err(e, "cannot make the folder 'models': %s", strerror(errno));
    return check_distinct(own, state, lock, files, e) || check_curves(own, e)
           || check_writable(own->output, e) || check_writable(state, e) ? -1 : 0;
}

/* ---- What exists already ---- */

/* ", 2026-11-22 14:03": the time of the last write. */
static void add_date(const char *path, Buf *out)
{
    char date[32];
    struct stat status;
    struct tm when;
    if (stat(path, &status) || !localtime_r(&status.st_mtime, &when)) return;
    if (strftime(date, sizeof date, ", %Y-%m-%d %H:%M", &when)) buf_puts(out, date);
}

static int refuse_model(const char *path, const cJSON *training, Err *e)
{
    Buf text = { 0 }, origin = { 0 };
    model_origin(training, &origin);
    buf_printf(&text, "%s: a model is there already", path);
    add_date(path, &text);
    if (origin.length) buf_printf(&text, ", %s", origin.text);
    err(e, "%s; --force replaces it, -o names another", text.text);
    buf_free(&origin);
    buf_free(&text);
    return -1;
}

static int check_old_model(const TrainOptions *own, Err *e)
{
    if (!output_exists(own->output)) return 0;
    cJSON *training = model_origin_load(own->output, e);
    if (!training) return -1;
    int rc = own->force || own->resume ? 0 : refuse_model(own->output, training, e);
    cJSON_Delete(training);
    return rc;
}

static int refuse_state(const char *path, const TrainingProgress *progress, Err *e)
{
    Buf text = { 0 };
    buf_printf(&text, "%s: is of a training that was interrupted after step %ld", path,
               progress->step);
    add_date(path, &text);
    err(e, "%s; --resume continues it, --force begins again, -o names another model", text.text);
    buf_free(&text);
    return -1;
}

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
    return own->force ? 0 : refuse_state(path, &progress, e);
}

static int begins_with(const char *path, const char *text)
{
    Err ignored;
    Content file;
    if (content_read(&file, path, &ignored)) return 0;
    int rc = file.size >= strlen(text) && !memcmp(file.data, text, strlen(text));
    content_free(&file);
    return rc;
}

/* A log or its page. The resumed run may write the file that it named before, if it looks like
 * one. */
static int check_old(const Output *output, const char *own, const char *beginning, Err *e)
{
    if (own && output->path && file_same(own, output->path) && begins_with(own, beginning))
        return 0;
    return output_refuse_existing(output, e);
}

static int check_old_outputs(const TrainOptions *own, const char *state, const SavedRequest *saved,
                             Err *e)
{
    const Output log = { own->log, "log", "--log" };
    const Output curves = { own->curves, "curves", "--curves" };
    if (check_old_state(own, state, e) || check_old_model(own, e)) return -1;
    if (own->force) return 0;
    return check_old(&log, saved->log, "{", e)
           || check_old(&curves, saved->curves, "<!DOCTYPE html>", e) ? -1 : 0;
}

/* ---- The claim ---- */

/* The same lock for all names of one output. */
static void lock_name(const char *model, Buf *out)
{
    char *name = file_behind_links(model);
    buf_printf(out, "%s.lock", name);
    free(name);
}

static int lock_outputs(const char *name, Lock *lock, Err *e)
{
    int rc = lock_take(lock, name, e);
    if (rc > 0)
        warn("%s: no locks here: see to it that no other attn train writes the same file", name);
    return rc < 0 ? -1 : 0;
}

/* Existing files are checked under the lock: no other run writes them now. */
int claim_outputs(const TrainOptions *own, const char *state, const BitextFiles *files,
                  const SavedRequest *saved, Lock *lock, Err *e)
{
    Buf name = { 0 };
    lock_name(own->output, &name);
    int rc = check_outputs(own, state, name.text, files, e) || lock_outputs(name.text, lock, e)
                     || check_old_outputs(own, state, saved, e) ? -1 : 0;
    buf_free(&name);
    return rc;
}
