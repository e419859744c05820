/* piece.h - a piece of the corpus: some thousand lines that one worker cleans, cuts into words and
 * counts by itself. Its words have numbers of their own; piece_number gives them those of the whole
 * corpus.
 *
 * The steps of all pieces of a round (train/data/reading.c):
 *   piece_read      in the order of the lines: copies them
 *   piece_judge     by several workers at once, each in a piece of its own
 *   (the reader decides in the order of the lines what becomes of each)
 *   piece_count     by several workers at once
 *   piece_number    in the order of the pieces, which gives each word of the corpus the number that
 *                   it would have if the lines were read one by one
 */
#ifndef ATTN_TRAIN_PIECE_H
#define ATTN_TRAIN_PIECE_H

#include "text/corpus/corpus.h"
#include "train/data/word_use.h"

typedef struct {
    BitextLine text;
    uint64_t   source;              /* corpus_source_hash */
    int        part;                /* Part; PARTS: the line is left out */
    int        words[LANGUAGES];    /* how many; of a validation pair only the source's */
} PieceLine;

/* Zero-initialise; piece_free releases. */
typedef struct {
    Buf         bytes;              /* of all lines */
    PieceLine  *line;               /* (count) */
    size_t      count, line_capacity;
    StringTable words;
    WordKinds   kinds;
    WordUses    train;              /* of the pairs of PART_TRAIN */
    Ids         numbers;            /* of the words of all pairs, sources and targets in turn */
    Words       split;              /* of one side */
    int        *number;             /* (words.count) of the piece's words in the corpus */
    size_t      number_capacity;
} Piece;

/* piece_read - reads up to `most` lines: 1; 0: there are no more; -1: an error behind them. */
int  piece_read(Piece *p, Bitext *bitext, long most, Err *e);
void piece_judge(Piece *p, const BitextOptions *cleaning);
void piece_count(Piece *p, const TextOptions *text);

/* piece_number - adds new words to `words` and their looks to `kinds`, the counts to `train`. */
void piece_number(Piece *p, StringTable *words, WordKinds *kinds, WordUses *train);
void piece_free(Piece *p);

#endif
