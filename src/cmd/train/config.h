/* config.h - all that a training run is configured with: defaults, preset, configuration file, command line. */
#ifndef ATTN_CMD_TRAIN_CONFIG_H
#define ATTN_CMD_TRAIN_CONFIG_H

#include "cmd/train/origin.h"
#include "model/parameters.h"
#include "text/bitext.h"
#include "text/tokenizer.h"
#include "train/defaults.h"
#include "train/hyperparameters.h"

/* How the command itself behaves; no configuration file holds it. */
typedef struct {
    const char *output, *valid, *log, *curves, *config, *merges, *target_merges;
    int    preset, resume, force, dump_config, dry_run, log_every, quiet, verbose;
    double save_every, show_every;      /* seconds */
    double memory;              /* megabytes for training pairs */
} TrainOptions;

/* Which pairs of the corpus are used. */
enum { TRANSLATIONS_FIRST, TRANSLATIONS_ALL };
typedef struct {
    int    format;              /* FORMAT_... */
    int    holdout, pairs, max_bytes, equal_words, skip_duplicates, translations, strict;
    double max_ratio;
} PairOptions;

typedef struct {
    TrainOptions   own;
    PairOptions    pairs;
    TextOptions    text;
    NetworkOptions network;
    Hyperparameters         hyper;
} Config;

/* config_read - the command line over the configuration file over the preset over the defaults, or with --resume over what
 * the run was asked for when it began, which is left in *origin. Returns the number of operands, now in argv[1 ..]; -1
 * where a run can't be resumed, or not so. What makes no sense ends the program with status 2, --help with 0. */
int config_read(Config *c, int argc, char **argv, Origin *origin, Err *e);

/* config_request - what the state keeps (cmd/train/origin.h); the caller frees it.
 * config_command - appends the command of a resumed run, for the model's metadata. */
char *config_request(const Config *c, const char *command, const BitextFiles *files, int workers);
void  config_command(const Config *c, const Origin *origin, Buf *out);

/* config_settle - gives the options that are "auto" the values that suit a corpus of this size. -1: they don't go with
 * those that were chosen. */
int config_settle(Config *c, const CorpusSize *size, Err *e);

/* config_files - so many names as corpus files; ends the program where they can't be understood. */
BitextFiles config_files(const Config *c, int count, char **names);

/* config_to_json - as a configuration file; the caller owns it. config_print - the same to stdout.
 * config_help - the help of the command. */
cJSON *config_to_json(Config *c);
void config_print(Config *c);
void config_help(void);

#endif
