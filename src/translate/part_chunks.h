/* part_chunks.h - the parts of a line as chunks, for translate/chunks.c, which finds them. */
#ifndef ATTN_TRANSLATE_PART_CHUNKS_H
#define ATTN_TRANSLATE_PART_CHUNKS_H

#include "translate/chunk_tags.h"
#include "translate/chunks.h"

/* A line that is being cut. */
typedef struct {
    const Chunker *chunker;
    const char    *line;
    unsigned       marks;       /* that part its sentences */
    int            is_aside;    /* it begins and ends inside a sentence */
    TagsLeft       left;
    Translation    out;
    size_t         capacity;    /* of its chunks */
} Cutting;

/* A part of the line that becomes a chunk: line[text .. end), and the mark before it. */
typedef struct {
    size_t at, text, end;
    int    inside, unfinished;  /* a part of a sentence: begins inside it; ends inside it, without a
                                 * stop, or in an ellipsis that the network hardly knows */
    size_t close;               /* of an aside, the first mark of which is the part's: where what
                                 * it encloses ends; else 0 */
} Part;

/* All append to the chunks of the line.
 *
 * part_to_chunk - makes a part a chunk, or nothing if it has no tokens. Returns 0, and makes nothing,
 * if it has more than so many tokens, or more than so many copies beside words.
 * clause_to_chunk - the same for a part of a sentence, which is translated as a sentence.
 * line_to_chunk - makes the whole line one, even if it has nothing but <eos>. */
int  part_to_chunk(Cutting *c, const Part *part, size_t tokens, size_t copies);
int  clause_to_chunk(Cutting *c, const Part *part, size_t copies);
void line_to_chunk(Cutting *c);

/* chunk_of_copy - a chunk of a whole line, in one word, whose translation is the line. */
Chunk chunk_of_copy(const Chunker *chunker, const char *line);

/* part_has_stop - whether a text ends in a stop that the network knows: in none where training has
 * seldom seen the ellipsis at its end.
 * part_lacks_stop - whether the translation of a part that ends without a stop has none either: the
 * part is the last of a line, or of a block. */
int part_has_stop(const Cutting *c, const char *text, size_t length);
int part_lacks_stop(const Cutting *c, const Part *part);

/* chunk_begin_with - sets what the translation of a chunk begins with, in place of what was set
 * before. complete: it ends there. */
void chunk_begin_with(const Chunker *chunker, Chunk *chunk, const char *text, size_t length,
                      int complete);

#endif
