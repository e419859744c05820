/* alignment.h - the attention of a translated line: its pieces on both sides, the matrix between
 * them, and the links between words that follow from it.
 *
 * A line that was translated in chunks has one alignment for each: no piece of a chunk attends to
 * another. Words are what blanks separate, counted from 0 through the line; in a model of words its
 * tokens, of which punctuation is one.
 */
#ifndef ATTN_TRANSLATE_ALIGNMENT_H
#define ATTN_TRANSLATE_ALIGNMENT_H

#include "translate/translation.h"

/* One column or row of the matrix. */
typedef struct {
    const char *text;       /* as the vocabulary has it, without the mark of a preceding blank */
    int         word;       /* the word of the line it is part of; -1: no word (<eos>) */
} Piece;

typedef struct {
    Piece       *source, *target;
    int          source_count, target_count;
    const float *weight;    /* (target_count, source_count) row-major, each row sums to 1 */
} Alignment;

/* line_alignments - the attention of hypothesis k over a line, one alignment a chunk. They borrow
 * from the translation. */
Alignment *line_alignments(const Translation *t, int k, const Model *model, Region *region);

/* alignment_links - appends the links in Pharaoh's form, "0-0 1-2": each target word j with the
 * source word i to which its pieces attend most, as i-j, in the order of j. chunk: (count) in the
 * order of the line. A word in two chunks takes the link of its part in the first. A word without a
 * piece has no link.
 * line_links - the same for hypothesis k of a line. */
void alignment_links(const Alignment *chunk, size_t count, Buf *out, Region *region);
void line_links(const Translation *t, int k, const Model *model, Buf *out);

#endif
