/* tokenizer_case.h - lines to learn from, and what every tokenizer must do with a line. */
#ifndef ATTN_TESTS_TOKENIZER_CASE_H
#define ATTN_TESTS_TOKENIZER_CASE_H

#include "text/tokenizer/tokenizer.h"

enum { FRENCH_LINES = 6, GENERATED_LINES = 3000 };
extern const char *const french_lines[FRENCH_LINES];

/* learned_french - a tokenizer of that kind and size of vocabulary, learned from french_lines. */
Tokenizer *learned_french(int tokens, int vocabulary);

/* through_json - the tokenizer saved and loaded again; the first one is freed. */
Tokenizer *through_json(Tokenizer *t);

Ids encoded(const Tokenizer *t, const char *line);

/* assert_round_trip - the line, encoded and decoded, is `expected`. assert_comes_back - so it is
 * when each <unk> is replaced by its text. */
void assert_round_trip(const Tokenizer *t, const char *line, const char *expected);
void assert_comes_back(const Tokenizer *t, const char *line, const char *expected);

/* pieces_of - replaces `out` by the pieces of a line joined by '|', with '_' for the mark.
 * assert_pieces - they are `expected`. */
void pieces_of(const Tokenizer *t, const char *line, Buf *out);
void assert_pieces(const Tokenizer *t, const char *line, const char *expected);

/* Lines of random_text.h; generated_free. */
typedef struct { char *line[GENERATED_LINES]; } Generated;
Generated *generated_new(void);
void       generated_free(Generated *g);

/* assert_all_come_back - assert_comes_back with each line and its normal form. */
void assert_all_come_back(const Tokenizer *t, const Generated *g);

#endif
