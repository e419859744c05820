/* score.c - the table of attention scores. */
#include "nn/score.h"

#include <stddef.h>

#define SCORE(score, name) &score_##score,
#define NAME(score, name) name,
const Score *const scores[] = { SCORE_TABLE(SCORE) NULL };
const char *const score_names[] = { SCORE_TABLE(NAME) NULL };
