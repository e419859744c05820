/* score.c - the table of attention scores. */
#include "nn/score/score.h"

#include <stddef.h>

#define SCORE(score, name) &score_##score,
#define NAME(score, name) name,
const AttentionScore *const attention_scores[] = { SCORE_TABLE(SCORE) NULL };
const char *const attention_score_names[] = { SCORE_TABLE(NAME) NULL };
