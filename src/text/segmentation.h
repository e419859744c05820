/* segmentation.h - every word of a table as ids of a vocabulary: a text of word numbers becomes tokens by looking up.
 */
#ifndef ATTN_TEXT_SEGMENTATION_H
#define ATTN_TEXT_SEGMENTATION_H

#include "text/lexicon.h"
#include "text/tokenizer.h"

typedef struct {
    const Tokenizer *tokenizer;     /* borrowed, as the words are */
    const Lexicon   *words;
    Ids              ids;           /* of all words, one after another */
    size_t          *end;           /* (words->count) */
} Segmentation;

void segmentation_init(Segmentation *s, const Tokenizer *tokenizer, const Lexicon *words);
void segmentation_free(Segmentation *s);

/* segmentation_length - how many ids the word is, without noise. */
int segmentation_length(const Segmentation *s, int word);

/* segmentation_add - appends the word's ids; noise (text/bpe.h) may be NULL. */
void segmentation_add(const Segmentation *s, int word, const BpeNoise *noise, Ids *ids);

#endif
