/* bpe_case.h - merges written down in a test, and the parts that they make of a word. */
#ifndef ATTN_TESTS_BPE_CASE_H
#define ATTN_TESTS_BPE_CASE_H

#include "text/tokenizer/bpe.h"

/* merges_of - these pairs of symbols, the best first; for merges_free. */
Merges merges_of(WordEnd end, const char *const (*pair)[2], int count);

/* assert_parts - bpe_segment makes these parts of the word, joined by '|'; noise may be NULL. */
void assert_parts(const Merges *merges, const char *word, const BpeNoise *noise,
                  const char *expected);

#endif
