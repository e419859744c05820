/* bitext.h - sentence pairs out of files, one at a time. Unusable pairs are left out, counted, and
 * reported with their places.
 *
 * A file is a TSV, of which two columns are source and target, or two files belong together line by
 * line. "-", gzip data, CRLF and a byte-order mark as in base/files/lines.h; trailing blanks are allowed. NUL bytes, directories, and two files with
 * different numbers of lines are errors.
 */
#ifndef ATTN_TEXT_CORPUS_BITEXT_H
#define ATTN_TEXT_CORPUS_BITEXT_H

#include "base/buf.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct { int source, target; } Columns;     /* of a TSV, from 1 */

/* Why a pair was left out. The first five are faults of the file, the others filters. */
typedef enum {
    SKIP_NO_TAB, SKIP_NO_COLUMN, SKIP_EMPTY, SKIP_INVALID_UTF8, SKIP_TOO_LONG,
    SKIP_RATIO, SKIP_EQUAL, SKIP_DUPLICATE, SKIP_REASONS
} SkipReason;
enum { SKIP_FAULTS = SKIP_RATIO, SKIP_EXAMPLES = 3 };

const char *skip_reason_text(SkipReason reason);          /* "no tab between source and target" */
const char *skip_reason_advice(SkipReason reason);        /* "; --skip-equal 0 keeps such pairs" and the like, or "" */

typedef struct {
    const char *const *name;    /* (count) borrowed */
    int count;
    int aligned;                /* 1: files come in twos, source and target, line by line; 0: each
                                   is a TSV */
    int guessed;                /* `aligned` was not asked for: two aligned files with a tab in
                                   line 1 each are an error */
    Columns columns;            /* of each TSV; 0: the first two, unless they look like no text */
} BitextFiles;

/* All zero: only what is no pair of texts is left out. */
typedef struct {
    int    max_bytes;           /* a longer side is SKIP_TOO_LONG; 0: no limit */
    double max_ratio;           /* (longer + 16) / (shorter + 16) bytes above this is SKIP_RATIO;
                                   0: no limit. The 16 allow for short sentences: "You bet." is
                                   "Je te le garantis." */
    int    equal_words;         /* equal sides of at least so many words are SKIP_EQUAL; 0: none.
                                   Shorter equal sides are names, "Taxi!" and the like */
    size_t duplicates;          /* SKIP_DUPLICATE: a pair that equals one of the first so many; 0:
                                   off. Pairs are compared by hashes (base/hash.h) */
    int    strict;              /* the first fault is an error: file:line: reason */
    long   max_pairs;           /* stop after so many pairs; 0: read all */
} BitextOptions;

/* file: an index into BitextFiles; line: from 1 */
typedef struct { int file; long line; } BitextPlace;

typedef struct {
    long        lines, pairs;           /* lines read, and pairs kept of them */
    long        skipped[SKIP_REASONS];
    long        all_skipped;
    long        quoted, markup;         /* of pairs: targets in quotation marks, as in CSV; sources
                                           from < to > */
    SkipReason  first_skipped;          /* the reason of the first */
    BitextPlace skipped_at[SKIP_REASONS][SKIP_EXAMPLES];    /* the first of each */
    uint64_t    hash;                   /* FNV-1a 64 of all kept pairs, "source TAB target LF",
                                           for the model's metadata */
} BitextReport;

/* One line of a TSV, or one of each of two aligned files. */
typedef struct {
    Slice        source, target;     /* both empty where a column is missing */
    BitextPlace place;              /* in the file of the source */
    SkipReason  reason;             /* why it is no pair; SKIP_REASONS: it is one */
    int         is_target;          /* the fault is one of the target */
    uint64_t    hash;               /* of the pair, to find duplicates */
} BitextLine;

typedef struct Bitext Bitext;

/* bitext_open - NULL with a message for a file that cannot be read; all are checked before the
 * first is read. The options and file names are borrowed. */
Bitext *bitext_open(const BitextFiles *files, const BitextOptions *options, Err *e);

/* The steps of a reader, which may judge many lines at once.
 *
 * bitext_wanted - the most pairs that may still be taken.
 * bitext_read - the next line, in the buffer of its file until the next call: 1; the end: 0; an
 * error: -1.
 * bitext_judge - sets what depends on this line alone, and trims its target. Several threads may
 * judge at once.
 * bitext_take - counts the line, which are to be taken in their order; 1: it is a pair; 0: it is
 * left out; -1: an error.
 * bitext_end - after all lines: -1 if there was no pair. */
long bitext_wanted(const Bitext *b);
int  bitext_read(Bitext *b, BitextLine *line, Err *e);
void bitext_judge(const BitextOptions *options, BitextLine *line);
int  bitext_take(Bitext *b, const BitextLine *line, Err *e);
int  bitext_end(const Bitext *b, Err *e);

const BitextReport *bitext_report(const Bitext *b);       /* so far; belongs to b */

void bitext_close(Bitext *b);                            /* NULL is allowed */

#endif
