/* alignment.h - the attention of one translation: its pieces on both sides, the matrix between
 * them, and the links between words that follow from it. A line that was translated in chunks
 * has one for each: no piece of a chunk attends to another. Knows nothing of models or
 * tokenizers. */
#ifndef ATTN_TRANSLATE_ALIGNMENT_H
#define ATTN_TRANSLATE_ALIGNMENT_H

#include "base/buf.h"

/* One column or row of the matrix. */
typedef struct {
    const char *text;       /* without the mark of a preceding blank */
    int         word;       /* the word of the line it is part of, from 0; -1: no word (<eos>) */
} Piece;

typedef struct {
    Piece       *source, *target;
    int          source_count, target_count;
    const float *weight;    /* (target_count, source_count) row-major, each row sums to 1 */
} Alignment;

/* alignment_links - appends the links in Pharaoh's form, "0-0 1-2": each target word j with the
 * source word i to which its pieces attend most, as i-j, in the order of j. chunk: (count) in
 * the order of the line; the numbers of words continue from chunk to chunk. A word in two chunks
 * takes the link of its part in the first. A word without a piece has no link. */
void alignment_links(const Alignment *chunk, size_t count, Buf *out);

#endif
