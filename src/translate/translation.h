/* translation.h - the translation of a line: that of its chunks, and the texts made of theirs.
 *
 * A chunk is a part of a line that is translated by itself: all of it, some sentences, or less than
 * one (translate/translator.h).
 */
#ifndef ATTN_TRANSLATE_TRANSLATION_H
#define ATTN_TRANSLATE_TRANSLATION_H

#include "model/file/model_file.h"
#include "search/hypothesis.h"
#include "text/mask.h"
#include "text/sentences.h"

#include <stddef.h>

/* A tag that was taken out of a chunk's source (text/markup.h). */
typedef struct {
    const char *written;
    int   source;               /* pieces of the source before it */
    int   to_partner, is_behind, words;     /* as in the line */
} ChunkTag;

typedef struct {
    const int *source_ids;      /* (source_length) with <eos> */
    int    source_length;
    Joint  joint;               /* how its translation follows the one before; of the first:
                                   JOINT_NONE */
    const char *mark;           /* what the line has before it and keeps: a bullet with its blanks;
                                   NULL: nothing */
    unsigned signs;             /* those that are written as entities: a set of
                                   text/markup.h */
    ChunkTag *tag;              /* (tags) in the order of the source */
    int    tags;
    CopyFrom copy;              /* what replaces the <unk> of its translation */
    const char **unknown;       /* (unknowns) the text of each <unk> among the ids, in order; none
                                   with COPY_NONE */
    int    unknowns;
    Copies copies;              /* what its placeholders stand for */
    int    is_all_copied;       /* its translation is given: the copies and marks of the source */
    OutputCase output;          /* the case of its translation, which is in */
    const char *language;       /* (text/lexicon.h), that of a lexicon; NULL: not known */
    const int *prefix_ids;      /* (prefix_length) what its translation begins with */
    int    prefix_length;
    const char **prefix_unknown;    /* (prefix_unknowns) the text of each <unk> among these */
    int    prefix_unknowns;
    Hypothesis *hypothesis;     /* (count) best first; attention and alternatives only where the
                                   options ask for them */
    const char **text;          /* (count) their texts, each <unk> and placeholder replaced by what
                                   it copies; without tags */
    size_t **tag_at;            /* (count) lists of the bytes of the text before each tag */
    int    count;               /* 1..nbest */
} Chunk;

/* Hypothesis k of a line is hypothesis k of each chunk, or the last where a chunk has fewer. */
typedef struct {
    const char *text;           /* plain text without a line end of any kind */
    double log_probability;     /* natural, summed over all tokens, each <eos> included; or NaN:
                                   translation_is_void */
    double score;               /* mean over the chunks of the hypotheses' scores
                                   (search/hypothesis.h); the first is that of a search for one
                                   translation, and those of the others may be above it */
} LineHypothesis;

typedef struct {
    Chunk          *chunk;      /* (chunks) in the order of the line */
    size_t          chunks;     /* 0 for a line without words */
    int             source_words;       /* of the line, between blanks */
    LineHypothesis *hypothesis; /* (count) best first */
    int             count;      /* 1..nbest; 0 for a line without words */
} Translation;

/* What a call of the translator returns. All of it is in its regions, one of each thread. */
typedef struct {
    Translation *line;          /* (count) in the order of the lines */
    size_t       count;
    Region      *region;        /* (regions) */
    int          regions;
} Translations;

void translations_free(Translations *all);

/* translation_is_cut - whether the limit of the length has ended the best translation of a chunk.
 * translation_is_void - whether the network overflowed, so that no number or word here means
 * anything (search/hypothesis.h). */
int translation_is_cut(const Translation *t);
int translation_is_void(const Translation *t);

/* chunk_part_of - the number of the chunk's hypothesis in the line's hypothesis k: the last where
 * the chunk has fewer.
 * chunk_hypothesis - that hypothesis. */
int               chunk_part_of(const Chunk *chunk, int k);
const Hypothesis *chunk_hypothesis(const Chunk *chunk, int k);

/* chunk_copied_word - what the placeholder with this id stands for, as a word (copies_word); NULL:
 * it is none of this chunk.
 * chunk_source_text - the text of piece i of the source: what an <unk> or a placeholder replaces,
 * else the piece.
 * chunk_replacements - (length of the hypothesis) the text of each piece of a hypothesis of this
 * chunk; NULL: it is the piece itself. Or NULL: no piece is replaced. The <unk> of the prefix have
 * their own texts. The hypothesis has its attention wherever the chunk has an <unk> to copy. */
const char  *chunk_copied_word(const Chunk *chunk, int id);
const char  *chunk_source_text(const Chunk *chunk, int i, const Tokenizer *source);
const char **chunk_replacements(const Chunk *chunk, const Hypothesis *h, const Tokenizer *source,
                                Region *region);

/* chunk_is_given - whether the prefix is all of the translation.
 * chunk_lacks_copy - whether a hypothesis of this chunk has not copy `number`, and is not given:
 * then the copy is behind its text. */
int chunk_is_given(const Chunk *chunk);
int chunk_lacks_copy(const Chunk *chunk, const Hypothesis *h, int number);

/* chunk_text - the text of a hypothesis of this chunk, and behind it what it lacks, each after a
 * blank.
 * chunk_text_before - the text of its first `pieces`, as it is in the whole. */
const char *chunk_text(const Chunk *chunk, const Hypothesis *h, const Model *model, Region *region);
const char *chunk_text_before(const Chunk *chunk, const Hypothesis *h, int pieces,
                              const Model *model, Region *region);

/* chunk_add - appends the part of the line's hypothesis k that a chunk has, with its mark and tags.
 * translation_join - makes the hypotheses of the line from those of its chunks. */
void chunk_add(Buf *line, const Chunk *chunk, int k);
void translation_join(Translation *t, Region *region);

/* ---- Whether a text is in the language of the source (unfamiliar.c) ---- */

/* UNFAMILIAR_TARGET: it is rather in the language of the translation; UNFAMILIAR_WORDS: few words
 * are known. */
typedef enum { UNFAMILIAR_NOT, UNFAMILIAR_TARGET, UNFAMILIAR_WORDS } Unfamiliar;

/* All zero before the first line of a text. */
typedef struct { int words, target, unknown; } UnfamiliarWalks;

/* unfamiliar_add - goes on with the source of a line. Returns what is found, once for a text at
 * most. */
Unfamiliar unfamiliar_add(UnfamiliarWalks *w, const Translation *t, Language source,
                          Language target);

#endif
