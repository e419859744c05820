/* config.h - the configuration of a training run: defaults, preset, configuration file, command
 * line. */
#ifndef ATTN_CMD_TRAIN_CONFIG_H
#define ATTN_CMD_TRAIN_CONFIG_H

#include "cmd/cmd.h"
#include "cmd/train/init.h"
#include "cmd/train/saved_request.h"
#include "model/parameters.h"
#include "text/corpus/bitext.h"
#include "text/tokenizer/tokenizer.h"
#include "train/hyperparameters/defaults.h"
#include "train/hyperparameters/hyperparameters.h"
#include "train/hyperparameters/memory_estimate.h"

/* Options of the command itself; a configuration file has none of them. */
typedef struct {
    const char *output, *valid, *log, *curves, *config, *merges, *target_merges, *init,
               *replay;
    int    exchange;            /* EXCHANGE_... */
    int    preset, resume, force, dump_config, dry_run, log_every, quiet, verbose;
    double save_every, show_every;      /* seconds */
    double memory;              /* megabytes for training pairs, and for a network */
} TrainOptions;

/* Which pairs of the corpus are used. */
enum { TRANSLATIONS_FIRST, TRANSLATIONS_ALL };
typedef struct {
    int    format, columns[2];  /* FORMAT_...; of each TSV */
    int    holdout, pairs, max_bytes, equal_words, skip_duplicates, translations, strict;
    double max_ratio;
} PairOptions;

typedef struct {
    TrainOptions    own;
    PairOptions     pairs;
    TextOptions     text;
    int             is_recognised;      /* the corpus is one of sequences, and that chose their tokens */
    NetworkOptions  network;
    LimitedNetwork  limited;    /* what config_settle made of it */
    Hyperparameters hyper;
    InitModel      *init;       /* of --init; NULL: none. Copies share it */
} Config;

/* config_read - the command line over the configuration file over the preset over the defaults,
 * or with --resume over the saved request of the run, which *saved then holds. *given is what
 * the command line holds beside the values. With --init, text and network are the model's. -1: the
 * run cannot be resumed, or not with these options, or there is no such model. A request that makes
 * no sense ends the program with status 2, --help with 0.
 * config_free - also after a failure. */
int  config_read(Config *c, int argc, char **argv, Options *given, SavedRequest *saved, Err *e);
void config_free(Config *c);

/* config_request - the request as the state keeps it (cmd/train/saved_request.h); the caller
 * frees it.
 * config_command - appends the command of a resumed run, for the model's metadata. */
char *config_request(const Config *c, const char *command, const BitextFiles *files, int workers);
void  config_command(const Config *c, const SavedRequest *saved, Buf *out);

/* config_settle_text - gives those of text and pairs that are "auto" the values for a corpus of sentences, or of sequences
 * that are none (train/data/sequences.h).
 * config_settle - then gives the other ones the values for a corpus of this size. -1: these do not fit the options that
 * were given. */
void config_settle_text(Config *c, int is_sequence);
int config_settle(Config *c, const CorpusSize *size, Err *e);

/* config_files - the corpus of these names (count); a count that fits no format ends the
 * program. */
BitextFiles config_files(const Config *c, int count, char **names);

/* config_to_json - the object of a configuration file; the caller owns it.
 * config_print - prints it on stdout.
 * config_describe - see Command.describe. */
cJSON *config_to_json(Config *c);
void config_print(Config *c);
Description config_describe(void);

#endif
