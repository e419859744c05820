/* score.c - the table of attention scores. */
#include "nn/score.h"

#include "nn/score_additive.h"

#include <stddef.h>

/* One row a score; --attention and the model file use the names. */
#define TABLE(ROW) \
    ROW(additive)

#define SCORE(name) &score_##name,
#define NAME(name) #name,
const Score *const scores[] = { TABLE(SCORE) NULL };
const char *const score_names[] = { TABLE(NAME) NULL };
