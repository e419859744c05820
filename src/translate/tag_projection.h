/* tag_projection.h - where the tags that were taken out of a source go in its translation, by the
 * attention of the network ("detag and project": Hanneman and Dinu 2020, section 3; as markup is
 * put back from alignments by Müller 2017, "Treatment of Markup in Statistical Machine
 * Translation").
 */
#ifndef ATTN_TRANSLATE_TAG_PROJECTION_H
#define ATTN_TRANSLATE_TAG_PROJECTION_H

#include "translate/translation.h"

/* tag_projection - (chunk->tags) the number of pieces of a hypothesis before each tag. The
 * hypothesis has its attention.
 *
 * A pair encloses the words t of the translation, one after another, that have the largest sum of
 * m(t) - 1/2, where m(t) is the attention of t to what the pair encloses in the source; if that is
 * negative for all, the word of the largest m(t). A tag alone stands before the word that attends
 * most to the word behind it in the source, or behind that which attends most to the word before.
 * Tags in a pair stay in it, and pairs take no words of those beside them; tags alone keep their
 * order. No tag cuts a word, none stands before the end of the chunk's prefix, and punctuation at
 * the ends of what a pair encloses is left out where the source has none. */
int *tag_projection(const Chunk *chunk, const Hypothesis *h, const Model *model, Region *region);

/* tag_bytes - at, (chunk->tags), becomes the bytes of the text of a hypothesis before each tag. The
 * hypothesis has its attention. */
void tag_bytes(size_t *at, const Chunk *chunk, const Hypothesis *h, const char *text,
               const Model *model, Region *region);

/* tagged_text_add - appends the text of the line's hypothesis k of a chunk with its tags, nested as
 * in the source, and with entities for the signs that the source has as such. */
void tagged_text_add(Buf *out, const Chunk *chunk, int k);

#endif
