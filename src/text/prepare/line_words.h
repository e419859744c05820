/* line_words.h - the words of a line, and the form that the network has of each: its usual case, plain
 * quotes and dashes.
 */
#ifndef ATTN_TEXT_PREPARE_LINE_WORDS_H
#define ATTN_TEXT_PREPARE_LINE_WORDS_H

#include "text/lexicon.h"
#include "text/prepare/truecase.h"
#include "text/tokenizer/tokenizer.h"

/* One language of a model. Borrowed. */
typedef struct {
    const Tokenizer *tokenizer;
    const Lexicon   *lexicon;           /* NULL: the model has none */
} Language;

typedef struct {
    Language       language;
    Words          words;               /* as they stand */
    unsigned char *where;               /* (words.count) WordPlace of each */
    SentenceCase   whole;
    Buf            form;                /* of the last word asked for */
} LineWords;

/* line_words_split - cuts a line of valid UTF-8 into its words.
 * line_words_settle - finds where each of the words stands, once they are final.
 * line_words_form - word i as the network would see it, were it not copied, with its mark; valid until
 * the next call for this line. */
void line_words_split(LineWords *line, Language language, const char *text, size_t length);
void line_words_settle(LineWords *line);
Buf *line_words_form(LineWords *line, size_t i);
void line_words_free(LineWords *line);

/* plain_marks - appends a text with plain quotes, apostrophes and dashes. */
void plain_marks(const char *text, size_t length, Buf *out);

#endif
