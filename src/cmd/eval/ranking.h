/* ranking.h - segments sorted by sentence BLEU: the lowest, or the largest differences between two
 * systems.
 *
 * Sentence BLEU is that of --sentence-level: orders that do not fit into the translation do not
 * count, and the options choose the smoothing of orders without a match. Segments of equal rank are
 * in the order of the test set.
 */
#ifndef ATTN_CMD_EVAL_RANKING_H
#define ATTN_CMD_EVAL_RANKING_H

#include "cmd/eval/system_outputs.h"

typedef enum { RANK_WORST, RANK_DIFFERENCE } RankKind;

typedef struct {
    size_t segment;
    double bleu[MAX_COMPARED_SYSTEMS];      /* of each system; [1] is 0 for RANK_WORST */
} Ranked;

typedef struct { RankKind kind; Ranked *row; size_t count; } Ranking;       /* row: (count) owned */

/* ranking_init - ranks at most `most` segments: those with the lowest BLEU of the first system, or,
 * with RANK_DIFFERENCE and two systems, those with the largest difference; segments of equal BLEU
 * are left out. ranking_free releases. */
void ranking_init(Ranking *ranking, RankKind kind, const SystemOutputs *outputs,
                  const BleuOptions *options, size_t most);
void ranking_free(Ranking *ranking);

/* Scores have `width` digits after the point. ranking_print - each segment in full below its
 * scores.
 * ranking_to_json - an array of system_outputs_to_json's objects with "bleu": 12.5, or [12.5, 50].
 * The caller owns it. */
void   ranking_print(FILE *out, const Ranking *ranking, const SystemOutputs *outputs, int width);
cJSON *ranking_to_json(const Ranking *ranking, const SystemOutputs *outputs, int width);

#endif
