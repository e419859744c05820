/* ranking.h - single sentences worth a look, by their sentence BLEU: the worst translated, or those on which two
 * systems differ most.
 *
 * Sentence BLEU is that of --sentence-level: orders that don't fit into the translation don't count, and an order
 * without a match is smoothed as the options say (exp unless the user wants another). Of equals the earlier comes
 * first.
 */
#ifndef ATTN_ANALYSIS_RANKING_H
#define ATTN_ANALYSIS_RANKING_H

#include "analysis/system_output.h"

typedef enum { RANK_WORST, RANK_DIFFERENCE } RankKind;

typedef struct {
    size_t segment;
    double bleu, rival;         /* of its translations; rival: 0 for RANK_WORST */
} Ranked;

typedef struct { RankKind kind; Ranked *row; size_t count; } Ranking;

/* ranking_make - at most `most` segments: of the lowest BLEU, or (RANK_DIFFERENCE, which needs t->rival) of the
 * largest difference; those without any are left out. ranking_free releases. */
Ranking ranking_make(RankKind kind, const SystemOutput *t, const BleuOptions *options, size_t most);
void    ranking_free(Ranking *ranking);

/* In text each segment in full below its scores, `width` digits; in JSON an array of system_output_to_json's objects with
 * "bleu": 12.5, or [12.5, 50]. */
void   ranking_print(FILE *out, const Ranking *ranking, const SystemOutput *t, int width);
cJSON *ranking_to_json(const Ranking *ranking, const SystemOutput *t, int width);

#endif
