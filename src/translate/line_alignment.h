/* line_alignment.h - the attention of a translated line, by the words of the line.
 *
 * Words are what blanks separate, counted from 0; in a model of words its tokens, of which
 * punctuation is one.
 */
#ifndef ATTN_TRANSLATE_LINE_ALIGNMENT_H
#define ATTN_TRANSLATE_LINE_ALIGNMENT_H

#include "model/file/model_file.h"
#include "translate/alignment.h"
#include "translate/translation.h"

/* line_alignments - the attention of hypothesis k over a line, one alignment a chunk. The pieces
 * have the texts that the vocabulary has for them, and borrow them, as the weights. */
Alignment *line_alignments(const Translation *t, int k, const Model *model);
void       line_alignments_free(Alignment *list, size_t count);

/* line_links - appends the links between the words of hypothesis k (alignment_links). */
void line_links(const Translation *t, int k, const Model *model, Buf *out);

#endif
