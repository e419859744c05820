/* segmentation.c - the table, filled once. */
#include "text/segmentation.h"

#include "base/mem.h"

#include <stdlib.h>

void segmentation_init(Segmentation *s, const Tokenizer *tokenizer, const Lexicon *words)
{
    *s = (Segmentation){ .tokenizer = tokenizer, .words = words };
    s->end = xmalloc(words->count, sizeof *s->end);
    for (int word = 0; word < (int)words->count; word++) {
        tokenizer_encode_word(tokenizer, lexicon_text(words, word), lexicon_length(words, word), NULL, &s->ids);
        s->end[word] = s->ids.count;
    }
}

void segmentation_free(Segmentation *s)
{
    ids_free(&s->ids);
    free(s->end);
    *s = (Segmentation){ 0 };
}

static size_t start_of(const Segmentation *s, int word)
{
    return word ? s->end[word - 1] : 0;
}

int segmentation_length(const Segmentation *s, int word)
{
    return (int)(s->end[word] - start_of(s, word));
}

void segmentation_add(const Segmentation *s, int word, const BpeNoise *noise, Ids *ids)
{
    if (noise) {
        tokenizer_encode_word(s->tokenizer, lexicon_text(s->words, word), lexicon_length(s->words, word), noise, ids);
        return;
    }
    for (size_t i = start_of(s, word); i < s->end[word]; i++)
        ids_add(ids, s->ids.id[i]);
}
