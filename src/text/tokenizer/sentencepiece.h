/* sentencepiece.h - a SentencePiece model: a line to pieces, and pieces to a line.
 *
 * Sources: Kudo and Richardson 2018, "SentencePiece: A simple and language independent subword
 * tokenizer and detokenizer for Neural Text Processing"; Kudo 2018, "Subword Regularization",
 * section 3.1 (unigram); Sennrich, Haddow and Birch 2016 (bpe); the file is the message ModelProto
 * of sentencepiece_model.proto. Pieces and text are those of spm_encode and spm_decode 0.1.97.
 *
 * A line goes whole into it: the normaliser of the file (its character map, its blanks) is all that
 * is done before, and a blank is a character like others, U+2581. A character that no piece has is
 * unknown; or its bytes are pieces of their own, <0xE2>, where the file has them (byte fallback).
 * What is a symbol of the user's is one piece wherever it stands.
 */
#ifndef ATTN_TEXT_TOKENIZER_SENTENCEPIECE_H
#define ATTN_TEXT_TOKENIZER_SENTENCEPIECE_H

#include "base/buf.h"
#include "base/error.h"
#include "text/tokenizer/bpe.h"
#include "text/words.h"

#include <stddef.h>

/* Read only: several threads may use one at once. */
typedef struct SentencePiece SentencePiece;

/* The kinds of pieces, by their numbers in the file. Text is cut into NORMAL and USER_DEFINED ones,
 * unknown text, and BYTE. CONTROL: </s> and the like, which no text has. */
typedef enum {
    PIECE_NORMAL = 1, PIECE_UNKNOWN, PIECE_CONTROL, PIECE_USER_DEFINED, PIECE_UNUSED, PIECE_BYTE
} PieceKind;

/* sentencepiece_new - of the content of a .spm or .model file, which it copies. NULL with a message
 * that doesn't name the file: it trusts nothing. Models of whole words and of characters, and those
 * that encode case, are refused.
 * sentencepiece_bytes - that content. */
SentencePiece *sentencepiece_new(const void *bytes, size_t size, Err *e);
void           sentencepiece_free(SentencePiece *s);
Slice          sentencepiece_bytes(const SentencePiece *s);

/* sentencepiece_size - how many pieces there are.
 * sentencepiece_piece, sentencepiece_kind - a piece as text, NUL-terminated, and its kind. */
int         sentencepiece_size(const SentencePiece *s);
const char *sentencepiece_piece(const SentencePiece *s, int id);
PieceKind   sentencepiece_kind(const SentencePiece *s, int id);

/* sentencepiece_encode - appends the ids of a line, and to `words` the text of each piece, of an
 * unknown one that of the normalised line; either may be NULL. Unknown neighbours are one piece. */
void sentencepiece_encode(const SentencePiece *s, const char *line, size_t length, Ids *ids,
                          Words *words);

/* sentencepiece_decode - appends the line of some pieces (count): their ids with their texts. An id
 * of -1: the model lacks the piece, whose text has U+2581 for a blank as all have. The text of an
 * unknown piece is written as it is; NULL: the model's own for such pieces. text: (count) becomes
 * what the line has of each (text/words.h); or NULL. */
void sentencepiece_decode(const SentencePiece *s, const int *id, const char *const *piece,
                          size_t count, PieceText *text, Buf *out);

#endif
