/* deferral.h - beam search that computes few normalisers and few logits.
 *
 * A step bounds all logits and the normalisers of all rows by products in 8 bits
 * (linalg/screen.h). It computes the logits of those words only that may be among the best or have
 * much of the probability. Where the bounds leave open which words are the best of a sentence, and
 * only there, the normalisers that decide are computed from all logits, those of several sentences
 * together. So the words are those of a search by all logits, to the last tie.
 *
 * The threshold alone is decided by the results in 8 bits: a word follows a row if their
 * log-probability in 8 bits, `rough`, is by no more than beam_threshold below that of the nbest-th
 * best of the sentence. That it is a little off doesn't matter, since what it leaves out next to
 * never wins; by exact log-probabilities it would want more normalisers than all else. Results in 8
 * bits depend on the row alone, so the words don't depend on what else is translated.
 */
#ifndef ATTN_SEARCH_DEFERRAL_H
#define ATTN_SEARCH_DEFERRAL_H

#include "search/forbidden_words.h"
#include "search/normalisers.h"
#include "search/scorer.h"
#include "search/search_options.h"
#include "search/top_k.h"

/* DEFERRAL_COLUMNS: words whose logits a step computes for one sentence at most. */
enum { DEFERRAL_COLUMNS = 128 };

/* What must not follow a row, and its logits there in 8 bits. */
typedef struct {
    ForbiddenWords words;
    real           logit[FORBIDDEN_MOST];
} ForbiddenLogits;

/* The candidates of a sentence: entries first .. first + count - 1. */
typedef struct {
    size_t first, count;
    int    is_open;             /* the best of them are not known yet */
} OpenChoice;

/* The arrays of a search of B sentences, R rows, V words and blocks of them, O outputs. */
typedef struct {
    Normalisers      normalisers;
    int             *normaliser;    /* (R) of each row of this step */
    Candidate       *entry;         /* (entries) owned */
    size_t           entries, capacity;
    OpenChoice      *choice;        /* (B) */
    ScreenRow       *screened;      /* (R) */
    real            *largest;       /* (R, blocks) */
    ForbiddenLogits *forbidden;     /* (beam) of the rows of a sentence */
    double          *base, *error;  /* (beam) of them: log-probability without the logit; how far
                                       its distance from that of the first is off */
    double          *rough_base;    /* (beam) log-probability in 8 bits without the logit */
    double          *cut;           /* (beam) the logit in 8 bits that the threshold asks for */
    Candidates       lowest;        /* (beam) the greatest lower bounds, or logits */
    Candidates       probable;      /* (beam) the most probable in 8 bits */
    real            *logit;         /* (beam, V) all logits of the rows of a sentence */
    int             *column;        /* (DEFERRAL_COLUMNS) */
    real            *result;        /* (beam, DEFERRAL_COLUMNS) */
    real            *room;          /* (DEFERRAL_COLUMNS, O + 1) */
    real            *x;             /* (chunk, O) of the normalisers that are computed */
} Deferral;

typedef struct Search Search;

/* deferral_is_possible - whether the search may work this way: with one network whose output layer
 * has a screen, for several hypotheses or bounds of probabilities, and nothing that needs all
 * probabilities. */
int deferral_is_possible(const Scorer *scorer, int scorers, const SearchOptions *options);

/* deferral_layout - takes the arrays from the arena.
 * deferral_free - releases those that are owned. */
void deferral_layout(Deferral *d, Arena *arena, const Search *s);
void deferral_free(Deferral *d);

/* deferral_expand - fills s->candidates after a step of the scorers, as expand_rows does; the
 * log-probabilities are estimates. */
void deferral_expand(Search *s, int position);

/* deferral_error - how far the log-probability of a node is off at most. */
double deferral_error(const Search *s, int node);

/* deferral_settle - sorts the finished hypotheses of all sentences: the nbest are certain, and which ones
 * are returned beside them. Their log-probabilities are exact where such are wanted. */
void deferral_settle(Search *s);

#endif
