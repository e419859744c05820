/* word_pieces.c - the table, filled once. */
#include "text/tokenizer/word_pieces.h"

#include "base/mem.h"

#include <stdlib.h>

static void encode(const Tokenizer *tokenizer, const StringTable *words, int word,
                   const BpeNoise *noise, Ids *ids)
{
    tokenizer_encode_word(tokenizer, string_table_text(words, word),
                          string_table_length(words, word), noise, ids);
}

void word_pieces_init(WordPieces *pieces, const Tokenizer *tokenizer, const StringTable *words)
{
    *pieces = (WordPieces){ .tokenizer = tokenizer, .words = words };
    pieces->end = xmalloc(words->count, sizeof *pieces->end);
    for (int word = 0; word < (int)words->count; word++) {
        encode(tokenizer, words, word, NULL, &pieces->ids);
        pieces->end[word] = pieces->ids.count;
    }
}

void word_pieces_free(WordPieces *pieces)
{
    ids_free(&pieces->ids);
    xfree(pieces->end);
    *pieces = (WordPieces){ 0 };
}

static size_t start_of(const WordPieces *pieces, int word)
{
    return word ? pieces->end[word - 1] : 0;
}

int word_pieces_length(const WordPieces *pieces, int word)
{
    return (int)(pieces->end[word] - start_of(pieces, word));
}

void word_pieces_add(const WordPieces *pieces, int word, const BpeNoise *noise, Ids *ids)
{
    if (noise) {
        encode(pieces->tokenizer, pieces->words, word, noise, ids);
        return;
    }
    for (size_t i = start_of(pieces, word); i < pieces->end[word]; i++)
        ids_add(ids, pieces->ids.id[i]);
}
