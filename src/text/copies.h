/* copies.h - text that a translation carries over as it is: rare names, long numbers, addresses, code, emoji. The network
 * sees a numbered placeholder in its place, and its translation has the same placeholder where the text goes (Luong et al.
 * 2015, "Addressing the Rare Word Problem in Neural Machine Translation", section 3.1; numbered as by Crego et al. 2016,
 * "SYSTRAN's Pure Neural Machine Translation Systems", section 3.2).
 *
 * Placeholders are entries of the vocabulary behind the special ones: COPIES_MOST of each kind, numbered in the order of the
 * source. Each stands for a whole word with U+2581 at its head. No text holds one: U+2581 is in no normal form.
 *
 * How often rare words of a language are the same in their translations is counted on the corpus itself (CopyPrior). So
 * English and French learn that rare capitalised words are copied, English and German that they are not, and no language
 * copies a script that the other side never has.
 */
#ifndef ATTN_TEXT_COPIES_H
#define ATTN_TEXT_COPIES_H

#include "base/error.h"
#include "base/json.h"
#include "text/string_table.h"
#include "text/words.h"

#include <stddef.h>

/* Names of two kinds, so that the network learns d'Anouk beside de Marie: whether the first letter without its marks is
 * one of A, E, I, O, U. COPY_OTHER: spans (text/patterns.h) and signs. */
typedef enum { COPY_NEVER, COPY_NUMBER, COPY_NAME, COPY_VOWEL_NAME, COPY_OTHER, COPY_KINDS } CopyKind;

enum { COPIES_MOST = 8, PLACEHOLDERS = (COPY_KINDS - 1) * COPIES_MOST };

/* placeholder_of - the entry for copy `number` of that kind, from 0, below PLACEHOLDERS.
 * placeholder_piece - the entry as the vocabulary has it.
 * placeholder_is - whether a word without marks is a placeholder. */
int         placeholder_of(CopyKind kind, int number);
const char *placeholder_piece(int placeholder);
int         placeholder_is(Slice word);

/* The copied texts of a line, in their order. Zero-initialise; copies_free releases. */
typedef struct {
    Words         text;                         /* each behind U+2581, with a NUL at its end */
    unsigned char placeholder[PLACEHOLDERS];    /* (text.count) the entry of each */
    int           number[COPY_KINDS];           /* how many there are of each kind */
} Copies;

/* copies_clear - leaves no text.
 * copies_next - the entry that the next copy of this kind gets; -1: there is none left.
 * copies_add - appends a text with that entry.
 * copies_at - text k; copies_word - the same behind U+2581, as a word of a line. Valid until the next is added.
 * copies_find - the number of the text with this entry, or -1. */
void        copies_clear(Copies *copies);
int         copies_next(const Copies *copies, CopyKind kind);
void        copies_add(Copies *copies, Slice text, CopyKind kind);
const char *copies_at(const Copies *copies, int k);
const char *copies_word(const Copies *copies, int k);
int         copies_find(const Copies *copies, int placeholder);
void        copies_free(Copies *copies);

/* ---- How often words are copied ---- */

/* The classes of a word, from the coarsest: COPY_LETTERS and so on; the script; the case; the place; the
 * length. */
enum { COPY_LETTERS = 0, COPY_DIGITS = -1, COPY_SPAN = -2, COPY_SIGN = -3, COPY_LEVELS = 5 };
typedef struct {
    short level[COPY_LEVELS];
    CopyKind kind;                  /* what the word would be copied as; COPY_NEVER: it never is */
} CopyClass;

/* copy_class - of a word without marks. is_first: it begins its line.
 * COPY_NEVER is an empty word. */
CopyClass copy_class(Slice word, int is_first);

/* The classes that were seen: each string is the levels that it has; tally: its words. Zero-initialise; copy_prior_free
 * releases.
 *
 * Words seen once or twice stand for those never seen (Good 1953, "The Population Frequencies of Species and the Estimation
 * of Population Parameters"). Their classes back off to coarser ones (the length goes first, then the place in the line,
 * then the case, then the script): P = (k + m P(parent)) / (n + m), of n words of a class k of which are the same, m = 5. A
 * class that has all words of its parent has the same P. Without any count P is 1/2 for words, 3/4 for the rest, which is no
 * word of a language. */
enum { COPY_CLASSES_MOST = 400 };
typedef struct {
    StringTable class;
    long       *same;                   /* (class.count) those of its words that are the same in their translations */
    size_t      capacity;
} CopyPrior;

/* A word is copied if P is larger. A name that is cut into subwords costs a reader more than a word that stays foreign: twice
 * as much makes it a third. */
#define COPY_THRESHOLD (1.0 / 3)

/* copy_prior_add - counts a rare word; is_same: its translations mostly have it.
 * copy_prior_merge - adds the counts of another.
 * copy_prior_of - P of a word of this class that was never seen. */
void   copy_prior_add(CopyPrior *prior, const CopyClass *class, int is_same);
void   copy_prior_merge(CopyPrior *prior, const CopyPrior *other);
double copy_prior_of(const CopyPrior *prior, const CopyClass *class);
void   copy_prior_free(CopyPrior *prior);

/* An array of arrays of numbers: the levels that a class has, its words, those that are the same. */
cJSON *copy_prior_to_json(const CopyPrior *prior);
int    copy_prior_from_json(CopyPrior *prior, const cJSON *json, Err *e);

#endif
