/* chunk_tags.h - moves the tags that were taken out of a line (text/markup/markup.h) to its chunks.
 */
#ifndef ATTN_TRANSLATE_CHUNK_TAGS_H
#define ATTN_TRANSLATE_CHUNK_TAGS_H

#include "translate/translation.h"

/* The tags of a line that no chunk has yet, in the order of the line. Borrowed. */
typedef struct { const Tag *tag; size_t count; } TagsLeft;

/* tags_up_to - how many of them stand before byte `at` of the plain line, or there and belong to
 * what is before them. */
size_t tags_up_to(const TagsLeft *left, size_t at);

/* tags_to_chunk - moves the first `count` to a chunk that has none. source: (count) ids of the
 * chunk before each. Those stand alone whose partners are elsewhere.
 * tags_to_end - moves all that are left to the end of a chunk.
 * tags_to_mark - moves the first `count` to the mark of a chunk, line[at .. end): returns the mark
 * with them, owned by the caller; NULL: it is empty. */
void  tags_to_chunk(TagsLeft *left, size_t count, const size_t *source, Language target,
                    Chunk *chunk);
void  tags_to_end(TagsLeft *left, Language target, Chunk *chunk);
char *tags_to_mark(TagsLeft *left, size_t count, const char *line, size_t at, size_t end);

#endif
