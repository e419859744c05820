/* robust_lines.h - the sources of a test set as people type them: names and numbers that training
 * never saw, addresses, capitals, no full stop, typing errors. By rules; the same seed gives the
 * same lines.
 *
 * Each row measures one alteration, in one of two ways (analysis/robust_score.h):
 *
 *   kept    Something that must not be translated takes the place of a word, or is added
 *           (analysis/kept_items.h), in 500 lines. Where a corpus has fewer places, they are used
 *           again with other things, at most 50 times; where it has more, so many are taken, evenly
 *           spread.
 *   BLEU    The plain source as a whole is altered. All these rows alter the same sentences; of
 *           more than 2,000 so many are taken, evenly spread. A sentence that a rule can't alter
 *           gets no line.
 *
 *   row             what is altered
 *   plain           nothing
 *   names           kept_names
 *   numbers         kept_numbers
 *   verbatim        kept_verbatim_name, and as many lines of kept_verbatim_end
 *   capitals        NOISE_CAPITALS (text/noise.h); the next rows are its other rules too
 *   small           NOISE_SMALL
 *   small_no_final  NOISE_SMALL of what NOISE_FINAL alters
 *   apostrophe, marks, swap, drop, double, neighbour, accents
 *   joined          three sentences in a line, each with a mark at its end
 *   bullet          the item of a list: behind -, *, U+2022 or a number
 *   emoji           the sentence with an emoji behind it
 *   no_apostrophes  NOISE_NO_APOSTROPHES
 *   tags            a word in ROBUST_TAG and ROBUST_END_TAG; without them its translation is measured
 *   aside           a made-up name in parentheses between two words; without it its translation is
 *                   measured
 */
#ifndef ATTN_ANALYSIS_ROBUST_LINES_H
#define ATTN_ANALYSIS_ROBUST_LINES_H

#include "analysis/kept_items.h"
#include "text/corpus/segments.h"

typedef enum {
    ROBUST_PLAIN, ROBUST_NAMES, ROBUST_NUMBERS, ROBUST_VERBATIM, ROBUST_CAPITALS, ROBUST_SMALL,
    ROBUST_SMALL_NO_FINAL, ROBUST_APOSTROPHE, ROBUST_MARKS, ROBUST_SWAP, ROBUST_DROP,
    ROBUST_DOUBLE, ROBUST_NEIGHBOUR, ROBUST_ACCENTS, ROBUST_JOINED, ROBUST_BULLET, ROBUST_EMOJI,
    ROBUST_NO_APOSTROPHES, ROBUST_TAGS, ROBUST_ASIDE,
    ROBUST_ROWS
} RobustRow;

#define ROBUST_TAG     "<b>"
#define ROBUST_END_TAG "</b>"

/* JOINED: sentences that become one line. */
enum { JOINED = 3 };

typedef struct {
    const Segments *segments;
    uint64_t        seed;
    const char    **source;         /* (count) what is to be translated, row by row, the plain row
                                       first; the texts are owned too */
    size_t         *origin;         /* (count) plain row: the segment; rows of BLEU: the plain line
                                       that was altered, or the first of those that were joined */
    size_t          count, source_capacity, origin_capacity;
    size_t          first[ROBUST_ROWS + 1];     /* a row has the lines first[row] ..
                                                   first[row + 1] - 1 */
    KeptItems       items;          /* in the order of their lines */
} RobustLines;

const char *robust_row_name(RobustRow row);         /* "small_no_final" */
const char *robust_row_title(RobustRow row);        /* "small letters, no final mark" */
int         robust_row_is_kept(RobustRow row);      /* else it is measured by BLEU */

/* robust_add_around - appends a text with what the row puts around plain line `number`: a bullet
 * before it, an emoji behind it; other rows nothing. */
void robust_add_around(const RobustLines *lines, RobustRow row, size_t number, const char *text,
                       Buf *out);

/* robust_add_aside - appends the aside that plain line `number` gets, with the blank before it. */
void robust_add_aside(const RobustLines *lines, size_t number, Buf *out);

/* robust_lines_init - makes all lines. The segments are borrowed, the words are not needed
 * afterwards. robust_lines_free releases. */
void robust_lines_init(RobustLines *lines, const Segments *segments, const CorpusWords *words,
                       uint64_t seed);
void robust_lines_free(RobustLines *lines);

#endif
