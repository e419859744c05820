/* copy_prior.h - how often rare words of a language are the same in their translations, counted on the corpus itself. So
 * English and French learn that rare capitalised words are copied, English and German that they are not, and no language
 * copies a script that the other side never has.
 *
 * Words seen once or twice stand for those never seen (Good 1953, "The Population Frequencies of Species and the Estimation
 * of Population Parameters"). Their classes back off to coarser ones (the length goes first, then the place in the line,
 * then the case, then the script): P = (k + m P(parent)) / (n + m), of n words of a class k of which are the same, m = 5. A
 * class that has all words of its parent has the same P. Without any count P is 1/2 for words, 3/4 for the rest, which is no
 * word of a language.
 */
#ifndef ATTN_TEXT_COPY_PRIOR_H
#define ATTN_TEXT_COPY_PRIOR_H

#include "base/error.h"
#include "base/json.h"
#include "text/copies.h"
#include "text/string_table.h"

#include <stddef.h>

/* The classes of a word, from the coarsest: COPY_LETTERS and so on; the script; the case; the place; the
 * length. */
enum { COPY_LETTERS = 0, COPY_DIGITS = -1, COPY_SPAN = -2, COPY_SIGN = -3, COPY_LEVELS = 5 };
typedef struct {
    short level[COPY_LEVELS];
    CopyKind kind;                  /* what the word would be copied as; COPY_NEVER: it never is */
} CopyClass;

/* copy_class - of a word without marks. is_first: it begins its line.
 * COPY_NEVER is an empty word. */
CopyClass copy_class(const char *word, size_t length, int is_first);

/* The classes that were seen: each string is the levels that it has; tally: its words. Zero-initialise; copy_prior_free
 * releases. */
enum { COPY_CLASSES_MOST = 400 };
typedef struct {
    StringTable class;
    long       *same;                   /* (class.count) those of its words that are the same in their translations */
    size_t      capacity;
} CopyPrior;

/* copy_prior_add - counts a rare word; is_same: its translations mostly have it.
 * copy_prior_of - P of a word of this class that was never seen.
 * copy_prior_share - the share of those that are the same among the words of COPY_LETTERS and so on; -1: there were none. */
void   copy_prior_add(CopyPrior *prior, const CopyClass *class, int is_same);
double copy_prior_of(const CopyPrior *prior, const CopyClass *class);
double copy_prior_share(const CopyPrior *prior, int first_level);

/* A word is copied if P is larger. A name that is cut into subwords costs a reader more than a word that stays foreign: twice
 * as much makes it a third. */
#define COPY_THRESHOLD (1.0 / 3)

void   copy_prior_free(CopyPrior *prior);

/* copy_prior_merge - adds the counts of another. */
void copy_prior_merge(CopyPrior *prior, const CopyPrior *other);

/* An array of arrays of numbers: the levels that a class has, its words, those that are the same. */
cJSON *copy_prior_to_json(const CopyPrior *prior);
int    copy_prior_from_json(CopyPrior *prior, const cJSON *json, Err *e);

#endif
