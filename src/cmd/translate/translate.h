/* translate.h - the steps of `attn translate`: lines are read in batches, and each translation is
 * written in one of its forms; or a person asks for one at a prompt. */
#ifndef ATTN_CMD_TRANSLATE_TRANSLATE_H
#define ATTN_CMD_TRANSLATE_TRANSLATE_H

#include "base/files/lines.h"
#include "base/system/environment.h"
#include "cmd/cmd.h"
#include "cmd/models.h"
#include "cmd/progress.h"
#include "model/network.h"
#include "picture/heatmap.h"
#include "search/search_options.h"
#include "translate/translator.h"

/* ---- Input ---- */

/* The lines to translate, repaired where they are no valid text, in batches. A batch waits for its
 * first line only and takes the others that have arrived, so that a slow writer gets each
 * translation without delay, and a large file runs in large batches. */
typedef struct {
    size_t start;               /* where it begins in the text of its batch */
    long   number;              /* in its file, from 1 */
} InputLine;

/* Set the first members, zero the rest; input_free releases. */
typedef struct {
    size_t      most_lines;     /* of a batch, at least 1 */
    size_t      most_bytes;     /* of a line; the rest is cut off with a warning */
    int         is_wrapped;     /* lines that go on in the next one are joined (text/sentences.h):
                                   a batch ends behind a paragraph */
    Progress   *progress;       /* cleared before a warning is written */
    const char *prefix;         /* of all translations; NULL: none, or one a line: */
    Lines      *prefixes;       /* line n is that of line n of the input; NULL: no file */

    Buf         text;           /* the lines of the batch, valid UTF-8, each with a NUL */
    InputLine  *line;           /* (count) */
    size_t      count, capacity;
    Buf         prefix_text;    /* prefixes of the batch, each with a NUL */
    long        repaired, cut;  /* changed lines of all batches */
    long        beyond_ascii;   /* lines of all batches that are UTF-8, but not all ASCII */
} Input;

enum { MOST_WARNINGS = 5 };     /* of each kind, one a line; further ones are counted at the end */
enum { PREFIX_BYTES = 1000 };   /* of one prefix, at most */

/* input_batch - reads the next batch. 1: there may be more; 0: the end, with a last batch or
 * none; -1: an error, with the lines before it. */
int         input_batch(Input *in, Lines *lines, Err *e);
char       *input_line(Input *in, size_t i);    /* the caller may change it within its length */
void        input_report(const Input *in);      /* warns of the lines beyond MOST_WARNINGS */
void        input_free(Input *in);              /* closes the prefixes, too */

/* prefix_check - -1 where the text cannot be a prefix.
 * input_prefixes - those of the next `count` lines, valid until the next call; NULL without one. -1
 * where the file has fewer lines, or a line that cannot be a prefix.
 * input_end - after the last line of the input: -1 if the file of prefixes has more. */
int prefix_check(const char *text, size_t length, Err *e);
int input_prefixes(Input *in, const char **prefix, size_t count, Err *e);
int input_end(const Input *in, Err *e);

/* ---- Output ---- */

/* The forms of a translation. Text is appended to a Buf; nothing is printed. */
typedef struct {
    int     nbest;          /* above 1: a line for each hypothesis instead of one for the best */
    int     score;          /* the log-probability of the translation instead of its text */
    int     json;           /* one object a line, with all details */
    int     alternatives;   /* how many the object has for each target token */
    int     alignment;      /* the word alignment after a tab, or " ||| " in n-best lists */
    int     heatmap;        /* a picture of the attention below the translation */
    MapChoice map;          /* which attention pictures show */
    Colours colours;        /* of the heat map */
    int     columns;        /* of the page for the heat map */
    Gallery *gallery;       /* of pictures in a file; NULL: none */
} OutputFormat;

typedef struct {
    const char        *source;          /* the line as it was read */
    long               number;          /* of the line, from 0 */
    double             seconds;         /* its share of the time of its batch */
    const Translation *translation;
} TranslatedLine;

/* format_add - appends the line with a newline at its end. A translation without a hypothesis
 * (of an empty line) gives an empty line, or its equivalent in the other forms. */
void format_add(const TranslatedLine *line, const OutputFormat *format, const Model *model,
                Buf *out);

/* format_pictures - draws the attention of the best hypothesis as `format` says: appends it, or
 * draws it into the gallery; nothing without a hypothesis. source: the line. */
void format_pictures(const char *source, const Translation *translation, const OutputFormat *format,
                     const Model *model, Buf *out);

/* What became of source text that the network had no place for in its translation. */
typedef enum { UNTRANSLATED_LOST, UNTRANSLATED_BEHIND, UNTRANSLATED_KINDS } Untranslated;

extern const char *const untranslated_text[UNTRANSLATED_KINDS];     /* as a warning says it */

/* untranslated_add - appends such text of a line's best translation, in the form '寿司', '漢' and 2
 * more. Returns how many there are. U+FFFD, which marks repaired bytes, does not count.
 * unfamiliar_text - what a warning says of a text that the model hardly knows. */
int         untranslated_add(const Translation *t, Untranslated kind, Buf *out);
const char *unfamiliar_text(Unfamiliar kind);

/* ---- What a command line asks for ---- */

typedef struct {
    TextList      models;
    const char   *output, *prefix, *prefixes;
    const char   *heatmap;          /* a file; NULL: none */
    int           heatmap_of, heatmap_layer, heatmap_head;
    int           force, score, json, wrapped, alignment, colour, threads, quiet, verbose;
    SearchOptions search;
    OutputFormat  format;           /* what follows from these for each translation */
    Options       given;            /* what the command line holds beside the values */
    char *const  *file;             /* (files) to translate; "-": standard input */
    int           files;
    int           is_typed;         /* a person types a file */
} Request;

/* translate_request - the defaults, and over them the command line. Options that contradict each
 * other end the program as usage_error does. The caller frees r->given.
 * translate_describe - see Command.describe. */
void        translate_request(Request *r, int argc, char **argv);
Description translate_describe(void);

/* prompt_run - a conversation at a terminal, until Ctrl-D or :quit: a sentence is typed, its
 * translation printed below. Commands begin with a colon. */
void prompt_run(const Request *r, const Models *models);

#endif
