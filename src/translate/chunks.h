/* chunks.h - lines to chunks, and chunks to ids. */
#ifndef ATTN_TRANSLATE_CHUNKS_H
#define ATTN_TRANSLATE_CHUNKS_H

#include "text/tokenizer.h"
#include "translate/translation.h"

enum { CHUNK_TOKENS = 80 };

typedef struct {
    const Tokenizer *source, *target;
    int              split;             /* a chunk is a sentence, not a line */
    int              keep_unknown;      /* the text of each <unk> of the source */
} Chunker;

/* chunk_line - the chunks of a line, nothing found yet; none if it has nothing that is seen. */
Translation chunk_line(const Chunker *cutter, const char *line);

/* chunk_whole - the same of a line as one chunk, however long, and if it is nothing but <eos>. */
Translation chunk_whole(const Chunker *cutter, const char *line);

/* give_words - what the translation of a chunk must begin with; complete: and nothing else, it ends there. */
void give_words(const Chunker *cutter, Chunk *chunk, const char *text, int complete);

#endif
