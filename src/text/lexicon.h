/* lexicon.h - the words that training knows, each as it is written inside a sentence, with its
 * count. A model file holds one for each language.
 *
 * It answers questions about a word of new text:
 *   - its usual case (truecasing: Lita et al. 2003, "tRuEcasIng"), so that the network sees one form of HELLO, Hello and
 *     hello: "the" for a sentence's first "The", "Tom" for "TOM", "I" for "i";
 *   - whether it is an abbreviation, whose full stop ends no sentence. In a corpus of sentences a line ends where they do; so
 *     that is a word with a full stop inside lines twice or more, more often than at their ends, and not only now and then (cf.
 *     Kiss and Strunk 2006, "Unsupervised Multilingual Sentence Boundary Detection");
 *   - whether the network can know it. A word that is not in the lexicon was never seen, or so rarely, and so often the
 *     same on both sides, that it is copied instead, if words of its class are (text/copies.h).
 *
 * Counts are kept as powers of two, which is all that comparisons need.
 */
#ifndef ATTN_TEXT_LEXICON_H
#define ATTN_TEXT_LEXICON_H

#include "base/error.h"
#include "base/json.h"
#include "text/copies.h"
#include "text/string_table.h"
#include "text/unicode.h"

/* ---- Small letters and capitals ---- */

/* What letters a word has; beside letters with case, other characters count for nothing. */
typedef enum {
    SHAPE_NONE,             /* neither letters nor digits: punctuation, symbols */
    SHAPE_UNCASED,          /* digits, or letters without case */
    SHAPE_SMALL,            /* small letters: calm */
    SHAPE_CAPITAL,          /* one capital and no other letter: I */
    SHAPE_CAPITALISED,      /* a capital, then small letters: Tom */
    SHAPE_CAPITALS,         /* two capitals or more, no small letter: NATO */
    SHAPE_MIXED             /* others: McAllister, iPhone */
} Shape;

Shape letter_case_shape(Slice word);

/* The case of a sentence as a whole. */
typedef enum {
    CASE_USUAL,
    CASE_SMALL,             /* no capital anywhere */
    CASE_CAPITALS,          /* no small letter, and a word of two capitals */
    CASE_TITLE              /* most words behind the first are capitalised, at least three */
} SentenceCase;

/* Where a word is, which decides what its case says. */
typedef enum {
    PLACE_FIRST,            /* the first word of a usual sentence, or any of a title */
    PLACE_INSIDE,           /* another word of such a sentence */
    PLACE_SMALL,            /* in a sentence of small letters alone */
    PLACE_CAPITALS,         /* in a sentence of capitals alone */
    WORD_PLACES
} WordPlace;

/* sentence_case - of the Shape of each of its words; place: (count) becomes the place of each. */
SentenceCase sentence_case(const unsigned char *shape, size_t count, unsigned char *place);

/* ---- The lexicon ---- */

/* Read only. */
typedef struct {
    StringTable form;           /* words as they are written; tally: count */
    StringTable other;          /* in small letters: the words that have another form; tally: the
                                   most frequent of those, a number in `form` */
    char        language[LANGUAGE_BYTES];       /* its tag; "": not known */
    CopyPrior   prior;          /* which of its rare words are the same in their translations */
    StringTable abbreviation;
} Lexicon;

/* lexicon_language - its tag; "" where it is not known, or the lexicon is NULL. */
const char *lexicon_language(const Lexicon *lexicon);

/* How the words of one side of a corpus are used: (words->count) each. */
typedef struct {
    const StringTable *words;       /* with marks of blanks, as words_split gives them */
    const long        *times;       /* occurrences */
    const long        *first;       /* those as the first word of a sentence */
    const long        *shared;      /* those where the other side of the pair has the same word */
    const long        *stopped;     /* those before a full stop inside the line, and at its end; or NULL */
    const long        *ended;
    const char        *language;    /* its tag; NULL or "": not known */
} WordUse;

/* The most entries: the rarest words of a larger text are left out. The most abbreviations. */
enum { LEXICON_MOST = 200000, ABBREVIATIONS_MOST = 200 };

/* lexicon_learn - the caller frees it with lexicon_free.
 *
 * The first word of a sentence says nothing about its case. A word that is capitalised there and
 * nowhere else is a name if the other side of its pairs mostly has it too, and otherwise counts for
 * its small form.
 * Left out, and so to be copied: words seen fewer than 10 times, numbers fewer than 300, which are mostly the same on both
 * sides, and of a class that is copied (COPY_THRESHOLD). Where all pairs are repeated, as most words of the text tell, so
 * are these limits. */
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
 * lexicon_copied_as - what the word is copied as if the lexicon does not know it; COPY_NEVER: words of its class are
 *   translated.
 *   is_first: it begins its line.
 * lexicon_usual - the most frequent form of the word, whatever its case; of equally frequent forms,
 * that in small letters. NULL: no form was seen.
 * lexicon_form - the word in its usual case; NULL: as it stands. That is lexicon_usual, except that
 *   - inside a usual sentence a form that was seen at all stays ("May", "may"), and a capitalised
 *     word that was not stays too: it is a name;
 *   - a capitalised word that begins a sentence is small if it was seen small as often as so;
 *   - in a sentence of small letters a small form stays unless another is four times as frequent. */
long        lexicon_count(const Lexicon *lexicon, Slice word);
int         lexicon_knows(const Lexicon *lexicon, Slice word);
int         lexicon_is_abbreviation(const Lexicon *lexicon, Slice word);
CopyKind    lexicon_copied_as(const Lexicon *lexicon, Slice word, int is_first);
const char *lexicon_usual(const Lexicon *lexicon, Slice word);
const char *lexicon_form(const Lexicon *lexicon, Slice word, WordPlace place);

/* lexicon_to_json - an object: entry k of "words" is the words that were seen 2^k times or more, with a blank between
 * two; "copied" is the prior; "abbreviations", with a blank between two.
 * lexicon_from_json - of that language; NULL with a message for anything else. */
cJSON   *lexicon_to_json(const Lexicon *lexicon);
Lexicon *lexicon_from_json(const cJSON *json, const char *language, Err *e);

#endif
