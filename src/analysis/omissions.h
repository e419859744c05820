/* omissions.h - numbers, names and negations that a translation loses; scores hardly measure them.
 *
 * An item of the source counts where every reference has it too, and it is lost where the
 * translation lacks it. So a reference that is scored against itself loses nothing, and "cent" for
 * "100" is no error where a reference has it.
 *
 *   numbers    runs of the digits 0-9. Groups of three after a comma, a dot or a blank are one
 *              number: 1,000, 1.000 and 1 000 are the same. A line has a number if it has the same
 *              digits, or each of its groups.
 *   names      words (runs of letters and marks: "Jean-Luc's" is three) that begin with a capital
 *              in the source and are not the first of a sentence: of a line, or after . ! ? or ….
 *              A line has a name if it has the same word.
 *   negations  at most one in a segment, for any of the words not, n't, cannot, never, no, nobody,
 *              nothing and ne, n', pas, jamais, rien, personne: other languages than English and
 *              French have none.
 *
 * How often a line has an item does not matter.
 */
#ifndef ATTN_ANALYSIS_OMISSIONS_H
#define ATTN_ANALYSIS_OMISSIONS_H

#include "analysis/fault_examples.h"

enum { OMIT_NUMBER, OMIT_NAME, OMIT_NEGATION, OMIT_KINDS };

typedef struct {
    long          lost, all;        /* how many are lost, of all that are to be kept */
    FaultExamples examples;         /* the first that are lost, as the source has them */
} OmissionCount;

typedef struct { OmissionCount kind[OMIT_KINDS]; } Omissions;

/* omissions_init - counts those of the first system; outputs->segments->source must be known.
 * omissions_free releases. */
void omissions_init(Omissions *omissions, const SystemOutputs *outputs);
void omissions_free(Omissions *omissions);

/* omissions_print - a line "numbers: 3 of 120 missing" for each kind, with its examples.
 * omissions_to_json - an object of "numbers": {"missing": 3, "of": 120, "examples": [...]}, names
 * and negations alike; an example is an object of system_outputs_to_json with the words under
 * "missing". The caller owns it. */
void   omissions_print(FILE *out, const Omissions *omissions, const SystemOutputs *outputs);
cJSON *omissions_to_json(const Omissions *omissions, const SystemOutputs *outputs);

#endif
