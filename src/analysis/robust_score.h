/* robust_score.h - how much of a translation stays right in each row of analysis/robust_lines.h.
 *
 *   rows of what is to be kept   the share of the items that the translation holds exactly, as
 *                                often as the source (kept_item_times)
 *   rows of BLEU                 the BLEU of the altered sources' translations as a share of the
 *                                BLEU of the plain ones'. A sentence without an altered line counts
 *                                with its plain translation in both. The rows about case are scored
 *                                without regard to it; where the final mark of the source is left
 *                                out, so are those of translations and references. A reference of
 *                                joined sentences is their first references, their second ones, and
 *                                so on, where one has fewer its last.
 */
#ifndef ATTN_ANALYSIS_ROBUST_SCORE_H
#define ATTN_ANALYSIS_ROBUST_SCORE_H

#include "analysis/robust_lines.h"
#include "metrics/bleu.h"

typedef struct {
    size_t lines;               /* of the row */
    size_t measured;            /* items, or altered sentences; 0: the other numbers are 0 */
    size_t kept;                /* of the items */
    double bleu, plain;         /* of the row and of the plain translations, 0..100 */
    double share;               /* percent */
} RobustScore;

/* robust_score - output: (lines->count) the translation of each line. The plain row has its BLEU,
 * and a share of 100. */
RobustScore robust_score(const RobustLines *lines, RobustRow row, const char *const *output,
                         const BleuOptions *options);

#endif
