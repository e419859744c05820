/* sentencepiece_file.h - a SentencePiece model in memory, for those who read and use it
 * (sentencepiece.h is for all others). */
#ifndef ATTN_TEXT_TOKENIZER_SENTENCEPIECE_FILE_H
#define ATTN_TEXT_TOKENIZER_SENTENCEPIECE_FILE_H

#include "text/tokenizer/sentencepiece.h"

/* A set of byte strings by their first bytes (prefixes.c). A node is a beginning that some string
 * has: the nodes behind it, and the value of the string that it is, or -1. */
typedef struct { int first, count, value; } PrefixNode;

/* Zero-initialise; prefixes_free releases. */
typedef struct {
    PrefixNode    *node;            /* (count) the root first; none: the set is empty */
    unsigned char *label;           /* (count) last byte of each */
    size_t         count;
} Prefixes;

typedef struct { Slice text; int value; } PrefixString;

/* prefixes_build - of these strings (count), which are not empty; sorts them. -1: one occurs twice;
 * *twice is its value.
 * prefixes_step - the node behind this one by a byte, or -1. The root is 0.
 * prefixes_find - the value of a whole text, or -1.
 * prefixes_longest - the bytes of the longest string that the text begins with; 0: it begins with
 * none. */
int    prefixes_build(Prefixes *t, PrefixString *string, size_t count, int *twice);
void   prefixes_free(Prefixes *t);
int    prefixes_step(const Prefixes *t, int node, unsigned char byte);
int    prefixes_find(const Prefixes *t, Slice text);
size_t prefixes_longest(const Prefixes *t, Slice text);

/* How a line becomes what is cut (normaliser.c). */
typedef struct {
    Slice    units, replacements;   /* of the character map, borrowed: a double array of 32-bit
                                     * units, and strings with a NUL each; empty: there is none */
    Prefixes symbols;               /* the user's */
    int      adds_blank, blank_is_behind;       /* one before the line; or behind it */
    int      removes_blanks, escapes_blanks;
} Normaliser;

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

/* normaliser_set_map - takes the bytes of a precompiled_charsmap apart, which it borrows. -1 with a
 * message for damage.
 * normaliser_apply - appends a line. What it appends is valid UTF-8, whatever line and map are.
 * valid_character - the bytes of the character that a text begins with; 0: its first byte begins
 * none, and is read as REPLACEMENT_CHARACTER. */
#define REPLACEMENT_CHARACTER "\xEF\xBF\xBD"
enum { REPLACEMENT_BYTES = 256 };   /* of a replacement, and of the text for <unk>: a file may not
                                     * make much of little */
int    normaliser_set_map(Normaliser *n, Slice map, Err *e);
void   normaliser_apply(const Normaliser *n, Slice line, Buf *out);
size_t valid_character(Slice text);

static inline Slice piece_text(const SentencePiece *s, int id)
{
    return (Slice){ sentencepiece_piece(s, id), s->piece[id].length };
}

#endif
