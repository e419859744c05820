/* chunks.h - lines to chunks, and chunks to ids. */
#ifndef ATTN_TRANSLATE_CHUNKS_H
#define ATTN_TRANSLATE_CHUNKS_H

#include "text/tokenizer/tokenizer.h"
#include "translate/translation.h"

/* The most tokens of a chunk of a model that doesn't know how long its examples were, and of a line
 * that is not cut into sentences. A model of shorter examples takes so many at least. */
enum { CHUNK_TOKENS = 80, LEAST_TOKENS = 20 };

/* The most copies (text/copies.h) of a chunk that has words beside them: of more than four numbers
 * in a row a network leaves some out (data/tried.md). One that has more is cut shorter, but not
 * below FEWEST_TOKENS. */
enum { CHUNK_COPIES = 4, FEWEST_TOKENS = 10 };

typedef struct {
    Language         source, target;
    int              split;             /* a line is cut where the model needs it */
    int              longest;           /* Model.longest */
    int              language;          /* the token that each chunk begins with, as --to asks; 0:
                                           none */
    CopyFrom         copy;              /* of every chunk; COPY_NONE: no texts of
                                           <unk> are kept */
} Chunker;

/* chunk_line - a translation with the chunks of a line, without hypotheses; no chunks if the line
 * shows nothing.
 * chunk_whole - the same, but the line is one chunk, however long, even if that is nothing but
 * <eos>. */
Translation chunk_line(const Chunker *chunker, const char *line, Region *region);
Translation chunk_whole(const Chunker *chunker, const char *line, Region *region);

/* chunk_set_prefix - sets what the translation of a chunk begins with, behind the
 * mark of its line (translation.h), which the text may have as well. complete: it ends there. */
void chunk_set_prefix(const Chunker *chunker, Chunk *chunk, const char *text, int complete,
                      Region *region);

#endif
