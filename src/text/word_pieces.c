/* word_pieces.c - the table, filled once. */
#include "text/word_pieces.h"

#include "base/mem.h"

#include <stdlib.h>

void word_pieces_init(WordPieces *s, const Tokenizer *tokenizer, const StringTable *words)
{
    *s = (WordPieces){ .tokenizer = tokenizer, .words = words };
    s->end = xmalloc(words->count, sizeof *s->end);
    for (int word = 0; word < (int)words->count; word++) {
        tokenizer_encode_word(tokenizer, string_table_text(words, word), string_table_length(words, word), NULL, &s->ids);
        s->end[word] = s->ids.count;
    }
}

void word_pieces_free(WordPieces *s)
{
    ids_free(&s->ids);
    free(s->end);
    *s = (WordPieces){ 0 };
}

static size_t start_of(const WordPieces *s, int word)
{
    return word ? s->end[word - 1] : 0;
}

int word_pieces_length(const WordPieces *s, int word)
{
    return (int)(s->end[word] - start_of(s, word));
}

void word_pieces_add(const WordPieces *s, int word, const BpeNoise *noise, Ids *ids)
{
    if (noise) {
        tokenizer_encode_word(s->tokenizer, string_table_text(s->words, word), string_table_length(s->words, word), noise, ids);
        return;
    }
    for (size_t i = start_of(s, word); i < s->end[word]; i++)
        ids_add(ids, s->ids.id[i]);
}
