/* word_pieces.h - every word of a table as ids of a vocabulary: a text of word numbers becomes
 * tokens by looking up.
 */
#ifndef ATTN_TEXT_WORD_PIECES_H
#define ATTN_TEXT_WORD_PIECES_H

#include "text/string_table.h"
#include "text/tokenizer.h"

typedef struct {
    const Tokenizer *tokenizer;     /* borrowed, as the words are */
    const StringTable   *words;
    Ids              ids;           /* of all words, one after another */
    size_t          *end;           /* (words->count) */
} WordPieces;

void word_pieces_init(WordPieces *s, const Tokenizer *tokenizer, const StringTable *words);
void word_pieces_free(WordPieces *s);

/* word_pieces_length - how many ids the word is, without noise. */
int word_pieces_length(const WordPieces *s, int word);

/* word_pieces_add - appends the word's ids; noise (text/bpe.h) may be NULL. */
void word_pieces_add(const WordPieces *s, int word, const BpeNoise *noise, Ids *ids);

#endif
