/* tagged_text.h - the text of a chunk's translation with the tags that its source lost. */
#ifndef ATTN_TRANSLATE_TAGGED_TEXT_H
#define ATTN_TRANSLATE_TAGGED_TEXT_H

#include "model/file/model_file.h"
#include "translate/translation.h"

/* tag_bytes - the bytes of the text of a hypothesis before each tag (translate/tag_projection.h): a
 * list for Chunk.tag_at, owned by the caller. The hypothesis has its attention. */
size_t *tag_bytes(const Chunk *chunk, const Hypothesis *h, const char *text, const Model *model);

/* What a line has of the text of a chunk's hypothesis. */
typedef struct {
    Buf    text;
    size_t kept;                /* bytes before the chunk's tail */
    long   grown;               /* bytes by which the first letter got longer */
} ChunkBody;

/* tagged_text_add - appends the body of the line's hypothesis k of a chunk with all its tags, nested as
 * in the source; those behind all of the source stand behind the tail: | Name : |
 * tag_text_add - appends what that has for tag `number`: of an aside its translation. */
void tagged_text_add(Buf *out, const Chunk *chunk, int k, const ChunkBody *body);
void tag_text_add(Buf *out, const Chunk *chunk, int k, int number);

#endif
