/* plain.h - the kinds of tokens that take a line as it is (tokenizer.h: sentencepiece, whitespace):
 * the part of the tokenizer that they don't share with the others. */
#ifndef ATTN_TEXT_TOKENIZER_PLAIN_H
#define ATTN_TEXT_TOKENIZER_PLAIN_H

#include "text/tokenizer/tokenizer.h"

/* plain_split - as tokenizer_split. A token like >>fra<< at the beginning of the line is a word if
 * the vocabulary has it.
 * plain_join - appends the line of these ids (count), of kind sentencepiece, without blanks at its
 *   end. piece: (count) the text of each: its own, or what replaces it; "" for <pad>, <bos> and
 *   <eos>. text: as in tokenizer_decode. */
void plain_split(const Tokenizer *t, const char *line, size_t length, Words *words);
void plain_join(const Tokenizer *t, const int *ids, const char *const *piece, size_t count,
                PieceText *text, Buf *out);

/* plain_prepare_opus - appends a line as OPUS-MT's preprocess-spm.sh gives it to SentencePiece:
 * Chinese punctuation and the like as ASCII has it, blanks for controls. */
void plain_prepare_opus(const char *line, size_t length, Buf *out);

#endif
