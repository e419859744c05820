/* robust.h - `attn eval --robust`: how much of a translation stays right when the sources of a
 * corpus are altered (analysis/robust_lines.h). */
#ifndef ATTN_CMD_EVAL_ROBUST_H
#define ATTN_CMD_EVAL_ROBUST_H

#include "base/field.h"
#include "cmd/eval/score.h"
#include "search/search_options.h"
#include "text/corpus/bitext.h"

typedef struct {
    int         wanted;
    const char *save;           /* the altered sources go there, and nothing is translated; NULL:
                                   they are translated */
} RobustOptions;

extern const Field robust_fields[];         /* --robust --robust-save */

/* Nothing is owned. */
typedef struct {
    BitextFiles          files;
    int                  part, first_reference;     /* a Part, or -1 for all */
    const TextList      *models, *hypotheses;       /* hypotheses: finished translations of the
                                                       altered sources; none: models translate */
    const char          *save, *save_sources;       /* NULL: not wanted */
    const SearchOptions *search;
    const ScoreOptions  *score;
    int                  threads, quiet;
    int                  listens;               /* Request.listens */
} RobustRequest;

/* robust_run - measures and prints, or writes the altered sources. Returns an exit status, or
 * PIPED_AGAIN. */
int robust_run(const RobustRequest *request);

#endif
