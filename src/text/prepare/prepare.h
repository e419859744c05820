/* prepare.h - lines as the network sees them: words in their usual case, plain quotes and dashes,
 * placeholders for what is copied.
 *
 * Where a model has no lexicon, words stay as they stand and nothing is copied. Else a word is copied if it
 * is of a kind that is (text/copies.h) and the lexicon doesn't know it, or if the vocabulary lacks its
 * letters. Unknown names beside each other are one copy, as in training (train/data/examples.c).
 */
#ifndef ATTN_TEXT_PREPARE_PREPARE_H
#define ATTN_TEXT_PREPARE_PREPARE_H

#include "text/copies.h"
#include "text/lexicon.h"
#include "text/tokenizer/tokenizer.h"

/* One language of a model. Borrowed. */
typedef struct {
    const Tokenizer *tokenizer;
    const Lexicon   *lexicon;           /* NULL: the model has none */
} Language;

/* How the first letter and the capitals of a translation follow the source. */
typedef enum { CASE_AS_WRITTEN, CASE_FIRST_CAPITAL, CASE_ALL_CAPITALS } OutputCase;

/* A line of the source. Zero-initialise; prepared_free releases. */
typedef struct {
    Words      words;
    Copies     copies;
    OutputCase output;
} Prepared;

void prepared_free(Prepared *p);

/* prepare_source - replaces *p by a line of valid UTF-8. From the (COPIES_MOST + 1)-th copy on,
 * words stay words. */
void prepare_source(Prepared *p, Language language, const char *line, size_t length);

/* prepare_source_around - the same for a line with tags taken out (text/markup/markup.h), where each
 * word and each copy ends. at: (count) bytes of the line before each, rising; word: (count) becomes the
 * number of p->words before it. The language has a lexicon. */
void prepare_source_around(Prepared *p, Language language, const char *line, size_t length,
                           const size_t *at, size_t *word, size_t count);

/* prepare_target - replaces `words` by those of a line of the other language, where the copies of
 * its source are placeholders too, each once. */
void prepare_target(Words *words, Language language, const char *line, size_t length,
                    const Copies *copies);

/* prepare_case_of - the case of a translation that begins as this text does: CASE_AS_WRITTEN if its
 * first letter with case is a small one, and not written on to a number, else CASE_FIRST_CAPITAL. */
OutputCase prepare_case_of(const char *line, size_t length);

/* prepare_output - appends the text of a translation with the case that its source asks for. A
 * character COPY_SIGN of `text` is replaced by the next of `copies` (count). language: as in
 * text/letter_case.h. */
#define COPY_SIGN '\x1A'
void prepare_output(const char *text, OutputCase output, const char *language, const char *const *copies,
                    size_t count, Buf *out);

/* plain_marks - appends a text with plain quotes, apostrophes and dashes. */
void plain_marks(const char *text, size_t length, Buf *out);

#endif
