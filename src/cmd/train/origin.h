/* origin.h - what a training was asked for when it began, as its state keeps it (Training.request),
 * so that `attn train --resume` needs to be told no more than what changes.
 *
 * JSON: command, the command line; folder, where relative names begin; files, the corpus; workers;
 * options, an object of strings, each as the command line would have it, exact to the last bit.
 */
#ifndef ATTN_CMD_TRAIN_ORIGIN_H
#define ATTN_CMD_TRAIN_ORIGIN_H

#include "base/json.h"
#include "cmd/options.h"
#include "text/bitext.h"

enum { ORIGIN_FILES = 1024 };       /* of a corpus, at most */

/* All zero: a run that doesn't resume. The texts are those of `json`. */
typedef struct {
    cJSON      *json;
    char       *state;              /* the file it was read from; owned */
    const char *command;
    const char *log, *curves;       /* what it wrote; NULL: nothing */
    char       *file[ORIGIN_FILES]; /* (files) */
    int         files, workers;
} Origin;

/* origin_text - the JSON text; the caller frees it. Of the options of the first set, which are those
 * of the command itself, it has what a run can't go on without: not how its messages look, nor how
 * it was to begin. */
char *origin_text(const OptionSet *sets, const char *command, const BitextFiles *files,
                  int workers);

/* origin_read - from a state; -1 where there is none, or it is another program's. origin_free
 * releases in any case. */
int  origin_read(Origin *origin, const char *state, Err *e);
void origin_free(Origin *origin);

/* origin_apply - sets the options as they were. They point into the origin. */
int origin_apply(const Origin *origin, const OptionSet *sets, Err *e);

/* origin_compare - -1 with the first option that is another now and may not be (train/state.h:
 * state_may_differ). */
int origin_compare(const Origin *origin, const OptionSet *sets, Err *e);

/* origin_command - the command that asks for all this at once: as it was, and behind it the limits
 * that have changed. */
void origin_command(const Origin *origin, const OptionSet *sets, Buf *out);

#endif
