/* corpus_words.h - the words of a corpus as it writes them: which are names, and how it separates
 * the digits of its numbers.
 *
 * Words and sentences are those of tokens.h. A name is a word with a capital and a small letter
 * behind it, which inside source sentences has its capital at least nine times out of ten, and in
 * target sentences too where it occurs there.
 */
#ifndef ATTN_ANALYSIS_CORPUS_WORDS_H
#define ATTN_ANALYSIS_CORPUS_WORDS_H

#include "text/string_table.h"

/* Zero-initialise it; corpus_words_free releases. */
typedef struct {
    StringTable source, target;     /* the tally of a word: how often it is inside a sentence */
    long        commas, dots, blanks;       /* of the source: numbers with so separated groups */
} CorpusWords;

/* corpus_words_add - counts the words of a pair (valid UTF-8). */
void corpus_words_add(CorpusWords *words, const char *source, size_t source_length,
                      const char *target, size_t target_length);

/* corpus_words_has - whether either side has the word, as it is written. */
int corpus_words_has(const CorpusWords *words, const char *word, size_t length);

int corpus_words_is_name(const CorpusWords *words, const char *word, size_t length);

/* What the source puts between groups of three digits, most often, and before a fraction:
 * "," and "." where it has no such numbers. */
typedef struct { const char *group, *point; } NumberSeparators;
NumberSeparators corpus_words_separators(const CorpusWords *words);

void corpus_words_free(CorpusWords *words);

#endif
