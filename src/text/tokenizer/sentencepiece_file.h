/* sentencepiece_file.h - a SentencePiece model in memory, for those who read and use it
 * (sentencepiece.h is for all others). */
#ifndef ATTN_TEXT_TOKENIZER_SENTENCEPIECE_FILE_H
#define ATTN_TEXT_TOKENIZER_SENTENCEPIECE_FILE_H

#include "text/tokenizer/normaliser.h"
#include "text/tokenizer/sentencepiece.h"

typedef struct {
    size_t    text, length;         /* in SentencePiece.texts */
    float     score;                /* unigram: its log-probability; bpe: the higher, the earlier
                                     * it is made */
    PieceKind kind;
    int       byte;                 /* what a PIECE_BYTE stands for */
} Piece;

enum { MODEL_UNIGRAM = 1, MODEL_BPE, MODEL_WORD, MODEL_CHAR };

struct SentencePiece {
    Buf        bytes;               /* the file */
    Buf        texts;               /* of all pieces, with a NUL each */
    Piece     *piece;               /* (count) */
    size_t     count, capacity;
    int        model;               /* MODEL_... */
    Prefixes   prefixes;            /* of the pieces that text may have, and the unused ones */
    Normaliser normaliser;
    float      least, most;         /* scores of normal pieces; see read_scores */
    int        unknown;             /* id of <unk> */
    int        has_bytes;           /* byte fallback: */
    int        of_byte[256];        /* the id of each byte */
    Slice      unknown_text;        /* what is written for <unk> */
};

static inline Slice piece_text(const SentencePiece *s, int id)
{
    return (Slice){ sentencepiece_piece(s, id), s->piece[id].length };
}

#endif
