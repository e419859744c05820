/* settings.h - the options of a translator, from names and values. */
#ifndef ATTN_LIB_SETTINGS_H
#define ATTN_LIB_SETTINGS_H

#include "base/error.h"
#include "model/file/model_file.h"
#include "search/search_options.h"

typedef struct {
    SearchOptions search;
    int           threads;      /* 0: one a core */
    int           alignment;
} Settings;

/* settings_read - options: names and values in turn, ended by NULL; NULL: none. -1 for a name that
 * is none, a value out of range, and what these options or the model cannot do together. */
int settings_read(Settings *settings, const char *const *options, const Model *model, Err *e);

#endif
