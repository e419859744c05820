/* beam.h - the hypotheses that a search keeps for each sentence of a batch: unfinished ones are
 * rows of the next step, finished ones are sorted by their score.
 */
#ifndef ATTN_SEARCH_BEAM_H
#define ATTN_SEARCH_BEAM_H

#include "base/mem.h"
#include "search/forbidden_words.h"
#include "search/top_k.h"

/* An unfinished hypothesis. */
typedef struct {
    int    sentence;
    int    place;               /* in the beam of its sentence, when words are drawn */
    int    node;                /* its last word in the tree, or -1 */
    int    from;                /* its row in the step before, which holds its decoder state; in the
                                   first step its sentence */
    WordsWritten written;
    double log_probability;
} Row;

typedef struct {
    double score;               /* search_worth (search/search.h) */
    int    lacking;             /* placeholders of the source that it has not */
    int    node, length;        /* last word in the tree; number of words */
} Finished;

typedef struct {
    int       width;            /* places of a sentence, shared by unfinished and finished */
    Row      *row;              /* (rows) of this step; those of a sentence are neighbours, best
                                   first */
    int       rows;
    Row      *next;             /* (next_rows) of the next step */
    int       next_rows;
    Finished *finished;         /* (sentences, width) best first */
    int      *finished_count;   /* (sentences) */
} Beam;

/* beam_layout - takes the arrays from the arena (base/mem.h). */
void beam_layout(Beam *b, Arena *arena, int sentences, int width);

/* beam_begin - `places` empty hypotheses of each sentence. */
void beam_begin(Beam *b, int sentences, int places);

/* beam_extend - adds a row of the next step: that of the candidate, with its word as `node`. */
void beam_extend(Beam *b, const Candidate *c, int node);

/* beam_finish - adds a finished hypothesis in the order of the scores; behind those with its
 * score. */
void beam_finish(Beam *b, int sentence, Finished f);

/* beam_best - number k of the finished hypotheses of a sentence. */
const Finished *beam_best(const Beam *b, int sentence, int k);

/* beam_advance - the rows of the next step are now those of this step. */
void beam_advance(Beam *b);

#endif
