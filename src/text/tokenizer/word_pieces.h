/* word_pieces.h - the ids of every word of a string table: a text that is stored as numbers of
 * words becomes tokens by looking them up.
 */
#ifndef ATTN_TEXT_TOKENIZER_WORD_PIECES_H
#define ATTN_TEXT_TOKENIZER_WORD_PIECES_H

#include "text/string_table.h"
#include "text/tokenizer/tokenizer.h"

typedef struct {
    const Tokenizer   *tokenizer;   /* borrowed, as the words are */
    const StringTable *words;
    Ids                ids;         /* of all words, one after another */
    size_t            *end;         /* (words->count) where each word's ids end in `ids` */
} WordPieces;

void word_pieces_init(WordPieces *pieces, const Tokenizer *tokenizer, const StringTable *words);
void word_pieces_free(WordPieces *pieces);

/* word_pieces_length - how many ids the word has without noise. */
int word_pieces_length(const WordPieces *pieces, int word);

/* word_pieces_add - appends the word's ids; noise (text/tokenizer/bpe.h) may be NULL. */
void word_pieces_add(const WordPieces *pieces, int word, const BpeNoise *noise, Ids *ids);

#endif
