/* missing_copies.h - translations that lack copies of their source (text/copies.h): the network has ended
 * without a name or a number, and knows no place for it.
 *
 * There are two ways to have them. A search that waits for its copies, which must not end before, writes them,
 * often behind words that it would not have written ("... is full. no longer is full"). Or each is put into
 * the best translation, at the place where that is most probable. The more probable one of the two is taken; what
 * waited, if it lacks fewer, where targets can't be scored, the translation has no end, there are many places, or
 * several translations are wanted.
 */
#ifndef ATTN_TRANSLATE_MISSING_COPIES_H
#define ATTN_TRANSLATE_MISSING_COPIES_H

#include "model/batch.h"
#include "search/search_options.h"
#include "translate/translation.h"

/* The sentences of a batch, and what is found for each: nbest hypotheses at most, the best first. */
typedef struct {
    const Sentence *sentence;       /* (count) the number of each is that of its chunk */
    int             count, nbest;
    Hypothesis     *best;           /* (count, nbest) owned */
    int            *best_count;     /* (count) owned */
} Found;

void found_free(Found *found);

/* How translations are searched for, and scored where a sentence has a whole target. */
typedef struct Finder Finder;
struct Finder {
    Found (*search)(const Finder *finder, const Sentence *sentence, int count, const SearchOptions *options);
    Chunk *const        *chunk;         /* by the number of a sentence */
    const SearchOptions *options;       /* with strict_copies, which is how a search waits */
    int                  scores;        /* targets can be scored: not by networks from right to left alone */
};

/* missing_copies_complete - replaces the best hypothesis of each sentence, where it lacks copies, by one that has
 * them or lacks fewer, if one is found. */
void missing_copies_complete(const Finder *finder, Found *found);

#endif
