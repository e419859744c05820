/* omissions.h - what translations must not lose and a score hardly notices: numbers, names, negations.
 *
 * What the source holds counts where every reference holds it too, and is lost where the translation does not: so a
 * reference that is scored against itself loses nothing, and "cent" for "100" is no error where a reference says so.
 *
 *   numbers    runs of the digits 0-9. Groups of three behind a comma, a dot or a blank are one number: 1,000, 1.000
 *              and 1 000 are the same. A line holds a number if it holds the same digits, or each of its groups.
 *   names      words (runs of letters and marks: "Jean-Luc's" is three) that begin with a capital in the source and
 *              don't stand at the start of a sentence: of a line, or behind . ! ? or …. A line holds the word as it is.
 *   negations  one a segment, for any of the words not, n't, cannot, never, no, nobody, nothing and ne, n', pas,
 *              jamais, rien, personne: in languages other than English and French there are none.
 *
 * How often a line holds something does not matter.
 */
#ifndef ATTN_ANALYSIS_OMISSIONS_H
#define ATTN_ANALYSIS_OMISSIONS_H

#include "analysis/system_output.h"

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
void omissions_count(Omissions *omissions, const SystemOutput *t);
void omissions_free(Omissions *omissions);

/* A line "numbers: 3 of 120 missing" for each kind with its examples; or an object of
 * "numbers": {"missing": 3, "of": 120, "examples": [...]}, names and negations alike; an example is the object of
 * system_output_to_json with "missing": what is. */
void   omissions_print(FILE *out, const Omissions *omissions, const SystemOutput *t);
cJSON *omissions_to_json(const Omissions *omissions, const SystemOutput *t);

#endif
