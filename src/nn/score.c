/* score.c - the table of attention scores. */
#include "nn/score.h"

#include "nn/score_additive.h"
#include "nn/score_concat.h"
#include "nn/score_dot.h"
#include "nn/score_general.h"
#include "nn/score_local_p.h"
#include "nn/score_location.h"
#include "nn/score_none.h"

#include <stddef.h>

/* One row a score; --attention and the model file use the names. */
#define TABLE(ROW) \
    ROW(additive, "additive") \
    ROW(dot, "dot") \
    ROW(scaled_dot, "scaled-dot") \
    ROW(general, "general") \
    ROW(concat, "concat") \
    ROW(location, "location") \
    ROW(local_p, "local-p") \
    ROW(none, "none")

#define SCORE(score, name) &score_##score,
#define NAME(score, name) name,
const Score *const scores[] = { TABLE(SCORE) NULL };
const char *const score_names[] = { TABLE(NAME) NULL };
