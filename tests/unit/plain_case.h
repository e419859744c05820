/* plain_case.h - tokenizers with the SentencePiece models of tests/data/sentencepiece. */
#ifndef ATTN_TESTS_PLAIN_CASE_H
#define ATTN_TESTS_PLAIN_CASE_H

#include "base/files/files.h"
#include "text/tokenizer/tokenizer.h"

/* segmenter_file - the content of NAME.spm; for content_free.
 * segmenter_case - the model in it.
 * plain_case - a tokenizer with it for both sides. piece: (count) its vocabulary, or NULL: all pieces. */
Content        segmenter_file(const char *name);
SentencePiece *segmenter_case(const char *name);
Tokenizer     *plain_case(const char *name, const char *const *piece, size_t count);

#endif
