/* lexicon.h - the words that training knows, each as it is written inside a sentence, with its
 * count. A model file holds one for each language.
 *
 * It answers two questions about a word of new text:
 *   - its usual case (truecasing: Lita et al. 2003, "tRuEcasIng"): "the" for a sentence's first
 *     "The", "Tom" for "TOM", "I" for "i";
 *   - whether the network can know it. A name or a number that is not in the lexicon was never
 *   seen,
 *     or seen so rarely, and the same on both sides, that it is copied instead (text/copies.h).
 *
 * Counts are kept as powers of two, which is all that comparisons need.
 */
#ifndef ATTN_TEXT_LEXICON_H
#define ATTN_TEXT_LEXICON_H

#include "base/error.h"
#include "base/json.h"
#include "text/string_table.h"

typedef struct Lexicon Lexicon;

/* lexicon_language - its tag (text/letter_case.h); "" where it is not known, or the lexicon is NULL. */
const char *lexicon_language(const Lexicon *lexicon);

/* How the words of one side of a corpus are used: (words->count) each. */
typedef struct {
    const StringTable *words;       /* with marks of blanks, as words_split gives them */
    const long        *times;       /* occurrences */
    const long        *first;       /* those as the first word of a sentence */
    const long        *shared;      /* those where the other side of the pair has the same word */
    const char        *language;    /* its tag; NULL or "": not known */
} WordUse;

/* Entries; the rarest words of a larger text are left out. */
enum { LEXICON_MOST = 200000 };

/* lexicon_learn - the caller frees it with lexicon_free.
 *
 * The first word of a sentence says nothing about its case. A word that is capitalised there and
 * nowhere else is a name if the other side of its pairs mostly has it too, and otherwise counts for
 * its small form.
 * Left out, and so to be copied: names, codes and punctuation that occur fewer than 10 times and
 * are mostly the same on both sides; numbers, unless they occur 20 times and mostly are not (2:30,
 * half past two). Where all pairs are repeated, as most words of the text tell, so are these limits.
 */
Lexicon *lexicon_learn(const WordUse *use);
void     lexicon_free(Lexicon *lexicon);

/* lexicon_sum - the lexicon of two texts, from one of each: what either knows, with the sum of its
 * counts, in the language of the other. The caller frees it. */
Lexicon *lexicon_sum(const Lexicon *one, const Lexicon *other);

/* The functions below take a word without a mark.
 *
 * lexicon_count - how often the word was seen as it is written, rounded down to a power of two; 0:
 * never.
 * lexicon_knows - whether it was; of punctuation, whether each of its characters was.
 * lexicon_is_rare - whether the network has seen a mark too seldom to translate what has it: fewer
 * than 64 times, or once for 64 full stops. Where quotes were 512 to 65,536 full stops, it lost
 * quoted words ("No," he said); where they were 512 to 8,192, it translated them well.
 * lexicon_small - the word in small letters, or NULL if that form was never seen.
 * lexicon_usual - the most frequent form of the word, whatever its case; of equally frequent forms,
 * that in small letters. NULL: no form was seen. */
long        lexicon_count(const Lexicon *lexicon, const char *word, size_t length);
int         lexicon_knows(const Lexicon *lexicon, const char *word, size_t length);
int         lexicon_is_rare(const Lexicon *lexicon, const char *mark, size_t length);
const char *lexicon_small(const Lexicon *lexicon, const char *word, size_t length);
const char *lexicon_usual(const Lexicon *lexicon, const char *word, size_t length);

/* lexicon_to_json - an array: entry k is the words that were seen 2^k times or more, with a blank
 * between two. lexicon_from_json - of that language; NULL with a message for anything else. */
cJSON   *lexicon_to_json(const Lexicon *lexicon);
Lexicon *lexicon_from_json(const cJSON *json, const char *language, Err *e);

#endif
