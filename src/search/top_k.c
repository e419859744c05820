/* top_k.c - selecting and drawing words. */
#include "search/top_k.h"

#include "linalg/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

static int better(const Candidate *a, const Candidate *b)
{
    if (a->log_probability != b->log_probability) return a->log_probability > b->log_probability;
    if (a->row != b->row) return a->row < b->row;
    return a->id < b->id;
}

/* Whether nothing so probable can enter the list. */
static int is_below(const Candidates *list, double log_probability)
{
    return list->count == list->most
        && log_probability < list->candidate[list->most - 1].log_probability;
}

void candidates_add(Candidates *list, Candidate c)
{
    if (list->count == list->most) {
        if (!better(&c, &list->candidate[list->most - 1])) return;
        --list->count;
    }
    int at = list->count++;
    for (; at > 0 && better(&c, &list->candidate[at - 1]); at--)
        list->candidate[at] = list->candidate[at - 1];
    list->candidate[at] = c;
}

/* The words of one block. */
static void offer_block(Candidates *list, const LogitRow *words, int block, int row, double base)
{
    const int start = block * VECTOR_BLOCK;
    const int end = words->V - start < VECTOR_BLOCK ? words->V : start + VECTOR_BLOCK;
    for (int id = start; id < end; id++) {
        const double log_probability = base + (double)words->logit[id];
        if (words->logit[id] != FORBIDDEN && !is_below(list, log_probability))
            candidates_add(list, (Candidate){ .log_probability = log_probability, .row = row,
                                              .id = id });
    }
}

/* The most promising block first: then few others have words that are not below. */
void candidates_offer(Candidates *list, const LogitRow *words, int row, double base)
{
    const int blocks = (words->V + VECTOR_BLOCK - 1) / VECTOR_BLOCK;
    int first = 0;
    for (int block = 1; block < blocks; block++)
        if (words->largest[block] > words->largest[first]) first = block;
    offer_block(list, words, first, row, base);
    for (int block = 0; block < blocks; block++)
        if (block != first && !is_below(list, base + (double)words->largest[block]))
            offer_block(list, words, block, row, base);
}

void candidates_prune(Candidates *list, int nbest, double threshold)
{
    if (list->count < nbest) return;
    const double least = list->candidate[nbest - 1].log_probability - threshold;
    while (list->candidate[list->count - 1].log_probability < least)
        list->count--;
}

/* ---- drawing ---- */

/* How much of p (V) lies at or above a threshold: the number of words, or their probability. */
typedef double Measure(const real *p, int V, real threshold);

/* The greatest threshold with at least `enough` at or above it. Halving the interval down to
 * neighbouring numbers needs some forty passes of vector code: less than sorting. */
static real threshold_of(const real *p, int V, Measure *measure, double enough)
{
    real low = 0, high = 1;
    if (measure(p, V, high) >= enough) return high;
    for (real middle; (middle = low + (high - low) / 2) > low && middle < high;) {
        if (measure(p, V, middle) >= enough) low = middle;
        else high = middle;
    }
    return low;
}

/* The words that stay have at least this probability. */
static real cut_of(const real *p, int V, const Sampling *how)
{
    real cut = 0;
    if (how->top_k && how->top_k < V) cut = threshold_of(p, V, vector_count_from, how->top_k);
    if (how->top_p >= 1) return cut;
    const double share = how->top_p * vector_sum_from(p, V, cut);
    /* above 0, so that a word has it; never below cut */
    return threshold_of(p, V, vector_sum_from, fmax(share, DBL_MIN));
}

int sample_word(const real *logit, real *p, int V, const Sampling *how, double uniform)
{
    memcpy(p, logit, (size_t)V * sizeof *p);
    vector_scale(p, (real)(1 / how->temperature), (size_t)V);
    vector_softmax(p, V);
    const real cut = cut_of(p, V, how);
    double left = uniform * vector_sum_from(p, V, cut);
    int last = 0;
    for (int id = 0; id < V; id++) {
        if (p[id] < cut || p[id] <= 0) continue;
        last = id;
        left -= (double)p[id];
        if (left < 0) break;
    }
    return last;
}
