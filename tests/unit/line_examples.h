/* line_examples.h - training examples from lines of text, without files; and what they are as
 * ids. */
#ifndef ATTN_TESTS_LINE_EXAMPLES_H
#define ATTN_TESTS_LINE_EXAMPLES_H

#include "text/corpus/corpus.h"
#include "train/data/examples.h"

/* line_examples - pair i is source line i with target line i; memory: of the store, a small one
 * makes shards. */
void line_examples(Examples *x, const char *const *sources, const char *const *targets,
                   size_t count, const Tokenizer *source, const Tokenizer *target,
                   const ExampleOptions *options, size_t memory);

/* line_examples_with - the same with a lexicon for each side. */
void line_examples_with(Examples *x, const char *const *sources, const char *const *targets,
                        size_t count, const Tokenizer *source, const Tokenizer *target,
                        const Lexicon *const lexicon[LANGUAGES], const ExampleOptions *options,
                        size_t memory);

/* example_pairs - all pairs in the order of the shards, without dropout and copied words; for
 * pairs_free. */
void example_pairs(const Examples *x, Pairs *pairs);

#endif
