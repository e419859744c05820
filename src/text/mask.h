/* mask.h - the one way of a line to the network, for training, validation and translation: its words in their usual case
 * (lexicon_form), and placeholders (text/copies.h) for those that a translation copies.
 *
 * What is masked is proposed from the source alone, since that is all that translation has: words that the lexicon does not
 * know, if words of their class are copied (text/copies.h), and words with characters that the vocabulary lacks. In a pair, a
 * proposal that the target lacks is no placeholder on either side. So every placeholder that translation writes has been learned in
 * its surroundings.
 *
 * A source is folded (words_fold), a target is left as it is. Where a model has no lexicon, words stay as they stand.
 */
#ifndef ATTN_TEXT_MASK_H
#define ATTN_TEXT_MASK_H

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

/* A line of the source. Zero-initialise; masked_line_free releases. */
typedef struct {
    Words      words;
    Copies     copies;
    OutputCase output;
} MaskedLine;

void masked_line_free(MaskedLine *m);

/* mask_line - replaces *m by a line of valid UTF-8. From the (COPIES_MOST + 1)-th copy of a kind on, words stay words.
 *   at: (count) bytes of the line, rising, where tags were taken out (text/markup.h): words end there. word: (count) becomes
 *   the number of m->words before each.
 * mask_pair - the same for the source of a pair, and replaces `words` by those of its target. */
void mask_line(MaskedLine *m, Language language, const char *line, size_t length, const size_t *at, size_t *word, size_t count);
void mask_pair(MaskedLine *m, Words *words, Language source, Language target, const char *line, const char *translation);

/* mask_target - replaces `words` by those of a translation, in which the copies of its source are placeholders, each
 * once. */
void mask_target(Words *words, Language language, const char *line, size_t length, const Copies *copies);

/* mask_word - replaces `form` by a word as the network sees it, with its marks, if it is not copied. Returns what words of
 * its class are copied as; *is_known: this one is not, since the lexicon has it. */
CopyKind mask_word(const TextOptions *options, const Lexicon *lexicon, Slice word, WordPlace place,
                   Buf *form, int *is_known);

/* mask_case_of - the case of a translation that begins as this text does: CASE_AS_WRITTEN if its first letter with case is
 * a small one, and not written on to a number, else CASE_FIRST_CAPITAL. */
OutputCase mask_case_of(Slice line);

/* mask_output - appends the text of a translation with the case that its source asks for, but for the bytes that are copied
 * (count, in their order). language: as in unicode_case. */
typedef struct { size_t start, end; } CopiedBytes;
void mask_output(const char *text, size_t length, OutputCase output, const char *language, const CopiedBytes *copied,
                 size_t count, Buf *out);

/* word_breaks - a flag for each entry of a vocabulary: whether a placeholder may stand behind it. That stands for a word, with
 * the mark of one, so it ends whatever word was written before it; but none stands behind a mark that ends a sentence. The
 * caller frees the array. */
unsigned char *word_breaks(const Tokenizer *t);

#endif
