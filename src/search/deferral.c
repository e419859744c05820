/* deferral.c - the choice of the best candidates and hypotheses, and what is computed for it. */
#include "search/deferral.h"

#include "base/min.h"
#include "nn/hard_attention.h"
#include "search/expansion.h"
#include "search/screening.h"
#include "search/search_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is left of a distance when normalisers are computed, as a rule: most are off by much less
 * than they may be. */
static const double expected = 0.95;

/* Log-probabilities are sums of doubles: those nearer together may be in either order. */
static double sum_rounding(double log_probability)
{
    return 1e-9 * (1 + fabs(log_probability));
}

/* ---- when, and memory ---- */

int deferral_is_possible(const Scorer *scorer, int scorers, const SearchOptions *o)
{
    const int pays = o->beam > 1 || o->probabilities == PROBABILITIES_BOUNDED;
    if (scorers > 1 || !scorer->screen || !pays || o->sample || o->alternatives) return 0;
    return scorer->net.hard.choice != HARD_SAMPLED;
}

void deferral_layout(Deferral *d, Arena *arena, const Search *s)
{
    const size_t B = (size_t)s->sources.count, beam = (size_t)s->options->beam, R = B * beam;
    const size_t V = (size_t)s->scorers.V, O = (size_t)s->scorers.O;
    const size_t blocks = (V + VECTOR_BLOCK - 1) / VECTOR_BLOCK;
    d->normalisers.width = s->scorers.O;
    d->normaliser = arena_ints(arena, R);
    d->choice = arena_take(arena, B, sizeof *d->choice);
    d->screened = arena_take(arena, R, sizeof *d->screened);
    d->largest = arena_reals(arena, R * blocks);
    d->forbidden = arena_take(arena, beam, sizeof *d->forbidden);
    d->base = arena_take(arena, beam, sizeof *d->base);
    d->error = arena_take(arena, beam, sizeof *d->error);
    d->rough_base = arena_take(arena, beam, sizeof *d->rough_base);
    d->cut = arena_take(arena, beam, sizeof *d->cut);
    d->lowest.candidate = arena_take(arena, beam, sizeof *d->lowest.candidate);
    d->probable.candidate = arena_take(arena, beam, sizeof *d->probable.candidate);
    d->logit = arena_reals(arena, beam * V);
    d->column = arena_ints(arena, DEFERRAL_COLUMNS);
    d->result = arena_reals(arena, beam * DEFERRAL_COLUMNS);
    d->room = arena_reals(arena, DEFERRAL_COLUMNS * (O + 1));
    d->x = arena_reals(arena, R * O);
}

void deferral_free(Deferral *d)
{
    normalisers_free(&d->normalisers);
    free(d->entry);
    d->entry = NULL;
}

/* ---- hypotheses ---- */

double deferral_error(const Search *s, int node)
{
    double error = 0;
    for (; node >= 0; node = s->tree.node[node].parent)
        error += s->deferral.normalisers.list[s->tree.node[node].normaliser].error;
    return error;
}

/* After normalisers have become exact: all that follows from them in a sentence. */
static void refresh(Search *s, int sentence)
{
    Beam *b = &s->beam;
    for (int i = 0; i < b->rows; i++) {
        Row *row = &b->row[i];
        if (row->sentence != sentence || row->node < 0) continue;
        normalisers_refresh(&s->deferral.normalisers, &s->tree, row->node);
        row->log_probability = s->tree.node[row->node].log_probability;
    }
    for (int k = 0; k < b->finished_count[sentence]; k++) {
        Finished *f = &b->finished[(size_t)sentence * (size_t)b->width + (size_t)k];
        normalisers_refresh(&s->deferral.normalisers, &s->tree, f->node);
        f->score = search_worth(s->options, s->scorers.V, s->tree.node[f->node].log_probability, f->lacking,
                                f->length);
    }
}

/* ---- the best ---- */

/* Computes the normalisers that are wanted. They are finite: what is not finite had no bounds, and
 * was computed before. */
static void compute_wanted(Search *s)
{
    Deferral *d = &s->deferral;
    Normalisers *n = &d->normalisers;
    const size_t O = (size_t)s->scorers.O, V = (size_t)s->scorers.V;
    const int all = (int)n->wanted_count, chunk = scorer_chunk(s->scorers.state);
    for (int at = 0; at < all; at += chunk) {
        const int rows = min_int(chunk, all - at);
        for (int i = 0; i < rows; i++)
            memcpy(d->x + (size_t)i * O, normalisers_x(n, n->wanted[at + i]), O * sizeof *d->x);
        const real *logits = scorer_output_logits(s->scorers.state, d->x, rows);
        for (int i = 0; i < rows; i++) {
            const real sum = vector_log_sum_exp(s->scratch.largest, logits + (size_t)i * V, (int)V);
            n->list[n->wanted[at + i]] = (Normaliser){ (double)sum, 0, 0 };
        }
    }
    n->wanted_count = 0;
}

static int goes_before(const Search *s, const Candidate *a, const Candidate *b)
{
    if (a->log_probability != b->log_probability) return a->log_probability > b->log_probability;
    return extension_goes_before(&s->deferral.normalisers, &s->tree, candidate_weighed(s, a, 1).end,
                                 candidate_weighed(s, b, 1).end);
}

/* Sorts the first `most` of the entries; the others are behind them. */
static void sort_entries(Search *s, Candidate *entry, size_t count, size_t most)
{
    for (size_t i = 0; i < count; i++)
        entry[i].log_probability = candidate_estimate(s, &entry[i]);
    for (size_t i = 1; i < count; i++) {
        const Candidate c = entry[i];
        size_t at = i < most ? i : most;
        if (i >= most) {
            if (!goes_before(s, &c, &entry[most - 1])) continue;
            entry[i] = entry[--at];
        }
        for (; at > 0 && goes_before(s, &c, &entry[at - 1]); at--)
            entry[at] = entry[at - 1];
        entry[at] = c;
    }
}

/* Whether it is certain which of two candidates is before the other: as the estimates say. Else what
 * decides is wanted. */
static int is_certain(Search *s, const Candidate *a, const Candidate *b, int length)
{
    Normalisers *n = &s->deferral.normalisers;
    const double distance = fabs(a->log_probability - b->log_probability);
    const double rounding = sum_rounding(a->log_probability);
    const Weighed of_a = candidate_weighed(s, a, length), of_b = candidate_weighed(s, b, length);
    if (a->row == b->row) return 1;
    if (distance > weighed_error(n, &s->tree, of_a, of_b) + rounding) return 1;
    if (normalisers_want(n, &s->tree, of_a, of_b, expected * distance - rounding)) return 0;
    const int wants_a = normalisers_want_all(n, &s->tree, of_a.end);
    const int wants_b = normalisers_want_all(n, &s->tree, of_b.end);
    return !wants_a && !wants_b;
}

/* Whether it is certain that the first `most` entries are before the others. */
static int are_best_certain(Search *s, const Candidate *entry, size_t count, size_t most,
                            int length)
{
    int certain = 1;
    for (size_t i = 0; i < most; i++)
        for (size_t k = most; k < count; k++)
            if (!is_certain(s, &entry[i], &entry[k], length)) certain = 0;
    return certain;
}

/* Chooses the best candidates of a sentence, if it is certain which ones those are. */
static void choose(Search *s, int sentence, int length)
{
    Deferral *d = &s->deferral;
    OpenChoice *choice = &d->choice[sentence];
    Candidates *list = &s->candidates[sentence];
    Candidate *entry = d->entry + choice->first;
    const size_t count = choice->count, places = (size_t)list->most;
    const size_t most = count < places ? count : places;
    sort_entries(s, entry, count, most);
    if (!are_best_certain(s, entry, count, most, length)) return;
    memcpy(list->candidate, entry, most * sizeof *entry);
    list->count = (int)most;
    choice->is_open = 0;
}

/* Computes all normalisers that may ever be wanted, and gives up the memory of all. */
static void forget(Search *s)
{
    Normalisers *n = &s->deferral.normalisers;
    for (int i = 0; i < s->beam.rows; i++)
        if (s->beam.row[i].node >= 0)
            normalisers_want_all(n, &s->tree, extension_of(&s->tree, s->beam.row[i].node));
    for (int i = 0; i < s->sources.count; i++)
        for (int k = 0; k < s->beam.finished_count[i]; k++)
            normalisers_want_all(n, &s->tree,
                                 extension_of(&s->tree, beam_best(&s->beam, i, k)->node));
    compute_wanted(s);
    for (int i = 0; i < s->sources.count; i++)
        refresh(s, i);
    normalisers_forget(n);
}

void deferral_expand(Search *s, int position)
{
    const int length = position + 1;
    expansion_begin(s);
    if (normalisers_are_many(&s->deferral.normalisers)) forget(s);
    screening_collect(s, length);
    for (int open = 1; open;) {
        open = 0;
        for (int i = 0; i < s->sources.count; i++) {
            if (!s->deferral.choice[i].is_open) continue;
            choose(s, i, length);
            open |= s->deferral.choice[i].is_open;
        }
        compute_wanted(s);
        for (int i = 0; i < s->sources.count && open; i++)
            if (s->deferral.choice[i].is_open) refresh(s, i);
    }
}

/* ---- the end ---- */

static Weighed weighed_finished(const Search *s, const Finished *f)
{
    return (Weighed){ extension_of(&s->tree, f->node), f->length,
                      search_score(s->options, 1, f->length) };
}

/* The better score; of equal ones, the one that was finished before. */
static int is_better(const Search *s, const Finished *a, const Finished *b)
{
    if (a->score != b->score) return a->score > b->score;
    if (a->length != b->length) return a->length < b->length;
    return extension_goes_before(&s->deferral.normalisers, &s->tree,
                                 extension_of(&s->tree, a->node), extension_of(&s->tree, b->node));
}

static void sort_finished(Search *s, Finished *list, int count)
{
    for (int i = 1; i < count; i++) {
        const Finished f = list[i];
        int at = i;
        for (; at > 0 && is_better(s, &f, &list[at - 1]); at--)
            list[at] = list[at - 1];
        list[at] = f;
    }
}

static int is_surely_better(Search *s, const Finished *a, const Finished *b)
{
    Normalisers *n = &s->deferral.normalisers;
    const Weighed of_a = weighed_finished(s, a), of_b = weighed_finished(s, b);
    const double distance = a->score - b->score, rounding = sum_rounding(a->score);
    if (distance > weighed_error(n, &s->tree, of_a, of_b) + rounding) return 1;
    if (normalisers_want(n, &s->tree, of_a, of_b, expected * distance - rounding)) return 0;
    const int wants_a = normalisers_want_all(n, &s->tree, of_a.end);
    const int wants_b = normalisers_want_all(n, &s->tree, of_b.end);
    return !wants_a && !wants_b;
}

/* Whether the nbest hypotheses of a sentence are sorted, and those that are returned beside them the next
 * best, in any order; and exact where they have to be. Else what is missing is wanted. */
static int is_settled(Search *s, int sentence)
{
    Finished *list = &s->beam.finished[(size_t)sentence * (size_t)s->beam.width];
    const int count = s->beam.finished_count[sentence], nbest = s->options->nbest;
    const int best = min_int(count, search_places(s->options));
    const int is_exact = s->options->probabilities == PROBABILITIES_EXACT;
    int settled = 1;
    refresh(s, sentence);
    sort_finished(s, list, count);
    for (int i = 0; i < best; i++)
        for (int k = i < nbest ? i + 1 : best; k < count; k++)
            if (!is_surely_better(s, &list[i], &list[k])) settled = 0;
    for (int i = 0; i < best && is_exact; i++) {
        const Extension end = extension_of(&s->tree, list[i].node);
        if (normalisers_want_all(&s->deferral.normalisers, &s->tree, end)) settled = 0;
    }
    return settled;
}

void deferral_settle(Search *s)
{
    for (int settled = 0; !settled;) {
        settled = 1;
        for (int i = 0; i < s->sources.count; i++)
            settled &= is_settled(s, i);
        compute_wanted(s);
    }
}
