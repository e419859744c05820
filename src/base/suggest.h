/* suggest.h - "did you mean ...?": the known word closest to a mistyped one.
 *
 *     Suggestion n = { .word = "transalte" };
 *     suggestion_offer(&n, "train");
 *     suggestion_offer(&n, "translate");
 *     n.best                               "translate"; NULL when nothing offered was close enough
 */
#ifndef ATTN_BASE_SUGGEST_H
#define ATTN_BASE_SUGGEST_H

#include <stddef.h>

typedef struct {
    const char *word;       /* what was typed */
    const char *best;       /* the closest candidate so far, or NULL; not copied */
    size_t      distance;   /* of `best` */
} Suggestion;

/* suggestion_offer - keeps the candidate if it is closer than all before and its distance
 * (insertions, deletions, substitutions and swaps of neighbours, whatever the case) is at most a
 * third of its length. A candidate that `word` abbreviates to three letters or more is close too,
 * and one that begins it and is half of it: "evaluate" finds "eval". */
void suggestion_offer(Suggestion *n, const char *candidate);

#endif
