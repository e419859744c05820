/* saved_request.h - the request of a training run as its state keeps it (Training.request), so that
 * `attn train --resume` needs only the options that change.
 *
 * JSON: "command", the command line; "folder", where relative names begin; "files", the corpus;
 * "workers"; "options", an object of strings, each as on the command line, exact to the last bit.
 * The strings are those of json_bytes.
 */
#ifndef ATTN_CMD_TRAIN_SAVED_REQUEST_H
#define ATTN_CMD_TRAIN_SAVED_REQUEST_H

#include "base/json.h"
#include "cmd/options.h"
#include "text/corpus/bitext.h"

enum { REQUEST_FILES = 1024 };      /* of a corpus, at most */

/* All zero: a run that does not resume. The strings are those of `json`. */
typedef struct {
    cJSON      *json;
    char       *state;              /* the file it was read from; owned */
    const char *command;
    const char *log, *curves;       /* the files that the run wrote; NULL: none */
    char       *file[REQUEST_FILES];    /* (files) */
    int         files, workers;
    int         network;            /* of an ensemble: the one that was in training, from 0 */
    double      earlier_seconds;    /* training time of those before */
} SavedRequest;

/* saved_request_text - the JSON text; the caller frees it. The first set holds the options of the
 * command itself. Only those that a resumed run needs are kept, not how messages look or whether to
 * replace files. */
char *saved_request_text(const OptionSet *sets, const char *command, const BitextFiles *files,
                         int workers);

/* saved_request_read - reads the request of a state file; -1 where there is no file, or another
 * program wrote it. saved_request_free releases in any case. */
int  saved_request_read(SavedRequest *saved, const char *state, Err *e);
void saved_request_free(SavedRequest *saved);

/* saved_request_apply - sets the options as they were. Their strings point into `saved`. */
int saved_request_apply(const SavedRequest *saved, const OptionSet *sets, Err *e);

/* saved_request_compare - -1 with the first option that differs now and may not (train/state.h:
 * state_may_differ). */
int saved_request_compare(const SavedRequest *saved, const OptionSet *sets, Err *e);

/* saved_request_command - appends one command for the whole run: the first command, followed by the
 * limits that have changed. */
void saved_request_command(const SavedRequest *saved, const OptionSet *sets, Buf *out);

#endif
