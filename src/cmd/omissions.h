/* omissions.h - what translations must not lose and a score hardly notices: numbers, names, negations.
 *
 * Words are runs of letters and marks, so that "Jean-Luc's" is three of them. Counted are, over all segments:
 *
 *   numbers    runs of the digits 0-9 in the source. Groups of three behind a comma, a dot or a blank are one number:
 *              1,000, 1.000 and 1 000 are the same. It is lost if the translation holds neither the number nor each of
 *              its groups. A number written in words counts as lost.
 *   names      words of the source that begin with a capital, do not stand at the start of a sentence, and occur as
 *              they are in every reference. Lost if the translation does not hold the word as it is.
 *   negations  segments whose source and whose every reference hold a word of negation. Lost if the translation holds
 *              none. Words of negation are not, n't, cannot, never, no, nobody, nothing and ne, n', pas, jamais, rien,
 *              personne: between other languages than English and French none is counted.
 *
 * How often something occurs does not matter. A sentence starts at the start of the line and behind each . ! ? and ….
 */
#ifndef ATTN_CMD_OMISSIONS_H
#define ATTN_CMD_OMISSIONS_H

#include "cmd/translated.h"

enum { OMIT_NUMBER, OMIT_NAME, OMIT_NEGATION, OMIT_KINDS };
enum { OMIT_EXAMPLES = 3 };

/* `what` as the source writes it, owned. */
typedef struct { size_t segment; char *what; } Omission;

typedef struct {
    long     lost, all;                     /* lost of all that were to be kept */
    Omission example[OMIT_EXAMPLES];        /* the first that were lost, as many as there are */
} OmissionCount;

typedef struct { OmissionCount kind[OMIT_KINDS]; } Omissions;

/* omissions_count - of t->translation; t->segments->source must be known. omissions_free releases. */
void omissions_count(Omissions *omissions, const Translated *t);
void omissions_free(Omissions *omissions);

/* A line "numbers: 3 of 120 missing" for each kind with its examples; or an object of
 * "numbers": {"missing": 3, "of": 120, "examples": [...]}, names and negations alike; an example is the object of
 * translated_to_json with "missing": what is. */
void   omissions_print(FILE *out, const Omissions *omissions, const Translated *t);
cJSON *omissions_to_json(const Omissions *omissions, const Translated *t);

#endif
