/* chunks.h - lines to chunks, and chunks to ids. */
#ifndef ATTN_TRANSLATE_CHUNKS_H
#define ATTN_TRANSLATE_CHUNKS_H

#include "text/tokenizer.h"
#include "translate/translation.h"

enum { CHUNK_TOKENS = 80 };

typedef struct {
    Language         source, target;
    int              split;             /* a chunk is a sentence, not a line */
    CopyFrom         copy;              /* of every chunk; COPY_NONE: no texts of
                                           <unk> are kept */
} Chunker;

/* chunk_line - a translation with the chunks of a line, without hypotheses; no chunks if the line
 * shows nothing. */
Translation chunk_line(const Chunker *chunker, const char *line);

/* chunk_whole - the same, but the line is one chunk, however long, even if that is nothing but
 * <eos>. */
Translation chunk_whole(const Chunker *chunker, const char *line);

/* chunk_set_prefix - sets what the translation of a chunk begins with, once a chunk. complete: it
 * ends there. */
void chunk_set_prefix(const Chunker *chunker, Chunk *chunk, const char *text, int complete);

#endif
