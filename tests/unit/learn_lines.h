/* learn_lines.h - a tokenizer for a few lines of text. */
#ifndef ATTN_TESTS_LEARN_LINES_H
#define ATTN_TESTS_LEARN_LINES_H

#include "text/tokenizer/tokenizer.h"

/* learn_lines - from the words of `count` lines. */
Tokenizer *learn_lines(const TextOptions *options, const char *const *lines, size_t count);

/* count_lines - adds the words of the lines, as tokenizer_split gives them, to the table's
 * tallies. */
void count_lines(const TextOptions *options, const char *const *lines, size_t count,
                 StringTable *words);

#endif
