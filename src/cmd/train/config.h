/* config.h - the configuration of a training run: defaults, preset, configuration file, command
 * line, the request of a run that is resumed, the model of --init. */
#ifndef ATTN_CMD_TRAIN_CONFIG_H
#define ATTN_CMD_TRAIN_CONFIG_H

#include "cmd/cmd.h"
#include "model/file/model_file.h"
#include "text/corpus/bitext.h"
#include "text/tokenizer/tokenizer.h"
#include "train/hyperparameters.h"

/* Options of the command itself; a configuration file has none of them. */
typedef struct {
    const char *output, *valid, *log, *curves, *config, *init, *replay, *vocabulary_file;
    int    exchange;            /* EXCHANGE_... */
    int    preset, resume, force, dump_config, dry_run, log_every, quiet, verbose;
    double save_every;          /* seconds */
    double memory;              /* megabytes for training pairs, and for a network */
} TrainOptions;

/* Which pairs of the corpus are used. */
enum { TRANSLATIONS_FIRST, TRANSLATIONS_ALL };
typedef struct {
    int    format, columns[2];  /* FORMAT_...; of each TSV */
    int    holdout, pairs, max_bytes, equal_words, skip_duplicates, translations, strict;
    double max_ratio;
} PairOptions;

extern const Field train_fields[];      /* of TrainOptions */
extern const Field pair_fields[];       /* of PairOptions */
extern const HelpText train_help;

/* The model that --init goes on from. */
typedef struct {
    Model model;
    Buf   path;                 /* of its file */
} InitModel;

/* The SentencePiece models of --vocabulary-file, source and target; one file: the same pointers. */
typedef struct {
    char      *path[2];
    Tokenizer *tokenizer[2];
} VocabularyFiles;

enum { REQUEST_FILES = 1024 };      /* of a corpus, at most */

/* The request of a run, as its state keeps it (Training.request), so that attn train --resume needs
 * only the options that change. JSON: "command", the command line; "files", the corpus; "workers";
 * "options", an object of strings, each as on the command line, exact to the last bit. The strings
 * are those of json_bytes, and belong to `json`. All zero: a run that does not resume. */
typedef struct {
    cJSON       *json;
    const cJSON *options;
    const char  *command;
    const char  *log, *curves;      /* the files that the run wrote; NULL: none */
    char        *file[REQUEST_FILES];   /* (files) */
    int          files, workers;
    int          network;           /* of an ensemble: the one that was in training, from 0 */
    double       earlier_seconds;   /* training time of those before */
} SavedRequest;

typedef struct {
    TrainOptions    own;
    PairOptions     pairs;
    TextOptions     text;
    int             is_recognised;      /* the corpus is one of sequences, which chose its tokens */
    NetworkOptions  network;
    LimitedNetwork  limited;    /* what config_settle made of it */
    Hyperparameters hyper;
    InitModel      *init;       /* of --init; NULL: none. Copies share it */
    VocabularyFiles vocabulary; /* NULL: none. Copies share it */
    SavedRequest    saved;      /* of the run that is resumed */
} Config;

/* config_bind - the tables of all options, with where they are in *c. */
enum { CONFIG_SETS = 6 };
void config_bind(OptionSet sets[CONFIG_SETS], Config *c);

/* config_read - the command line over the configuration file over the preset over the defaults,
 * or with --resume over the saved request of the run. *given is what the command line holds beside
 * the values. With --init, text and network are the model's. -1: the run cannot be resumed, or not
 * with these options, or there is no such model. A request that makes no sense ends the program
 * with status 2.
 * config_free - also after a failure. */
int  config_read(Config *c, int argc, char **argv, Options *given, Err *e);
void config_free(Config *c);

/* config_request - the request for the state, as JSON text; the caller frees it. Only those options
 * of the command itself are in it that a resumed run needs, not how messages look or whether to
 * replace files.
 * config_command - appends one command for the whole run: that of the saved request, followed by
 * the limits that have changed. */
char *config_request(Config *c, const char *command, const BitextFiles *files, int workers);
void  config_command(Config *c, Buf *out);

/* config_settle_text - gives those of text and pairs that are "auto" the values for a corpus of
 * sentences, or of sequences that are none (train/data/data.h).
 * config_settle - then gives the other ones the values for a corpus of this size. -1: these do not
 * fit the options that were given. */
void config_settle_text(Config *c, int is_sequence);
int  config_settle(Config *c, const CorpusSize *size, Err *e);

/* config_to_json - the object of a configuration file; the caller owns it.
 * config_print - prints it on stdout.
 * config_describe - see Command.describe. */
cJSON      *config_to_json(Config *c);
void        config_print(Config *c);
Description config_describe(void);

/* Presets are lists of options with their values, as a user would write them.
 * preset_names - for the option --preset; "none" comes first.
 * preset_apply - sets the options of the preset; -1 for one that no set has, or a wrong value. */
extern const char *const preset_names[];
int preset_apply(int preset, const OptionSet *sets, Err *e);

#endif
