/* deferral.c - candidates within bounds, the choice of the best, and what is computed for it. */
#include "translate/deferral.h"

#include "base/finite.h"
#include "base/min.h"
#include "nn/hard_attention.h"
#include "translate/expansion.h"
#include "translate/search_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Words with as large a share of the sum of a row are computed, so that the sum is known well. */
static const double large_share = 0.01;

/* What is left of a distance when normalisers are computed, as a rule: most are off by much less
 * than they may be. */
static const double expected = 0.95;

/* Log-probabilities are sums of doubles: those nearer together may be in either order. */
static double sum_rounding(double log_probability)
{
    return 1e-9 * (1 + fabs(log_probability));
}

/* ---- when, and memory ---- */

static int has_prefix(const Sentence *sources, int count)
{
    for (int i = 0; i < count; i++)
        if (sources[i].target_length) return 1;
    return 0;
}

int deferral_is_possible(const Scorer *scorer, int scorers, const SearchOptions *o,
                         const Sentence *sources, int count)
{
    if (scorers > 1 || !scorer->screen || o->beam == 1 || o->sample || o->alternatives) return 0;
    return scorer->net.hard.choice != HARD_SAMPLED && !has_prefix(sources, count);
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
    d->lowest.candidate = arena_take(arena, beam, sizeof *d->lowest.candidate);
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

static ScorerState *scorer_of(const Search *s)
{
    return &s->scorers.state[0];
}

/* Candidate c as a hypothesis of `length` words. */
static Weighed weighed(const Search *s, const Candidate *c, int length)
{
    const Extension end = { s->beam.row[c->row].node, c->id, s->deferral.normaliser[c->row],
                            c->logit };
    return (Weighed){ end, length, 1 };
}

double deferral_error(const Search *s, int node)
{
    double error = 0;
    for (; node >= 0; node = s->tree.node[node].parent)
        error += s->deferral.normalisers.list[s->tree.node[node].normaliser].error;
    return error;
}

static double estimate(const Search *s, const Candidate *c)
{
    const Extension e = weighed(s, c, 1).end;
    return extension_log_probability(&s->deferral.normalisers, &s->tree, &e);
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
        f->score = search_score(s->options, s->tree.node[f->node].log_probability, f->length);
    }
}

/* ---- candidates ---- */

static void add_entry(Search *s, OpenChoice *choice, int row, int id, real logit)
{
    Deferral *d = &s->deferral;
    d->entry = grow(d->entry, &d->capacity, d->entries + 1, sizeof *d->entry);
    d->entry[d->entries++] = (Candidate){ .row = row, .id = id, .logit = (double)logit };
    choice->count++;
}

/* The rows of one sentence in this step. */
typedef struct { int sentence, first, count; } Rows;

static const real *output_of(const Search *s, int row)
{
    return scorer_of(s)->readout.output + (size_t)row * (size_t)s->scorers.O;
}

static void set_normaliser(Search *s, int row, double value, double error)
{
    Normaliser *n = &s->deferral.normalisers.list[s->deferral.normaliser[row]];
    n->value = value;
    n->error = error;
}

/* The best words behind a row, by all its logits. Returns whether there are any. */
static int collect_row(Search *s, OpenChoice *choice, int i, real *logits)
{
    const Row *row = &s->beam.row[i];
    const int V = s->scorers.V;
    if (!all_finite(logits, (size_t)V)) return 0;
    set_normaliser(s, i, (double)vector_log_sum_exp(s->scratch.largest, logits, V), 0);
    forbid(s, row, logits);
    Candidates best = s->deferral.lowest;
    best.count = 0;
    best.most = s->candidates[row->sentence].most;
    const LogitRow words = { logits, s->scratch.largest, V };
    candidates_offer(&best, &words, i, 0);
    for (int k = 0; k < best.count; k++)
        add_entry(s, choice, i, best.candidate[k].id, logits[best.candidate[k].id]);
    return choice->count > 0;
}

/* Where there are no bounds, or too many words within them: all logits take the place of those in 8
 * bits. */
static void collect_all(Search *s, const Rows *rows, real *rough)
{
    const Scorer *scorer = scorer_of(s)->scorer;
    const int V = s->scorers.V;
    OpenChoice *choice = &s->deferral.choice[rows->sentence];
    linear_forward(OVERWRITE, rough, V, output_of(s, rows->first), s->scorers.O, &scorer->w.output,
                   scorer->w.output_bias, rows->count);
    for (int i = 0; i < rows->count; i++)
        if (!collect_row(s, choice, rows->first + i, rough + (size_t)i * (size_t)V)) {
            give_up(s, rows->first + i);
            choice->is_open = 0;
            return;
        }
}

/* ---- candidates within bounds ---- */

/* The logits in 8 bits and the greatest of each block of row i of a sentence. */
static LogitRow rough_row(const Search *s, const Rows *rows, real *rough, int i)
{
    const size_t V = (size_t)s->scorers.V;
    const size_t blocks = (V + VECTOR_BLOCK - 1) / VECTOR_BLOCK;
    return (LogitRow){ rough + (size_t)i * V,
                       s->deferral.largest + (size_t)(rows->first + i) * blocks, (int)V };
}

static ScreenSum log_sum(const Search *s, const Rows *rows, real *rough, int i, int columns)
{
    const Deferral *d = &s->deferral;
    return screen_log_sum(scorer_of(s)->scorer->screen, &d->screened[rows->first + i],
                          rough_row(s, rows, rough, i).logit,
                          d->result + (size_t)i * (size_t)columns, d->column, columns);
}

/* Estimates the normalisers from the logits in 8 bits, and what the candidates of each row begin
 * with. Returns whether there are bounds. */
static int estimate_rows(Search *s, const Rows *rows, real *rough, int length)
{
    Deferral *d = &s->deferral;
    const Candidate first = { .row = rows->first };
    for (int i = 0; i < rows->count; i++) {
        const ScreenSum sum = log_sum(s, rows, rough, i, 0);
        const Candidate here = { .row = rows->first + i };
        if (!isfinite(sum.error)) return 0;
        set_normaliser(s, rows->first + i, sum.value, sum.error);
        d->base[i] = estimate(s, &here);
        d->error[i] = weighed_error(&d->normalisers, &s->tree, weighed(s, &here, length),
                                    weighed(s, &first, length));
    }
    return 1;
}

static void hide_forbidden(Search *s, const Rows *rows, real *rough)
{
    for (int i = 0; i < rows->count; i++) {
        ForbiddenLogits *f = &s->deferral.forbidden[i];
        real *logit = rough + (size_t)i * (size_t)s->scorers.V;
        f->words = forbidden_after(s, &s->beam.row[rows->first + i]);
        for (int k = 0; k < f->words.count; k++) {
            f->logit[k] = logit[f->words.id[k]];
            logit[f->words.id[k]] = FORBIDDEN;
        }
    }
}

/* The last one first: a word may be there twice. */
static void show_forbidden(Search *s, const Rows *rows, real *rough)
{
    for (int i = 0; i < rows->count; i++) {
        const ForbiddenLogits *f = &s->deferral.forbidden[i];
        for (int k = f->words.count - 1; k >= 0; k--)
            rough[(size_t)i * (size_t)s->scorers.V + (size_t)f->words.id[k]] = f->logit[k];
    }
}

/* What is certainly reached by as many candidates as the sentence has places. */
static double least_of_best(Search *s, const Rows *rows, real *rough)
{
    Deferral *d = &s->deferral;
    d->lowest.count = 0;
    d->lowest.most = s->candidates[rows->sentence].most;
    for (int i = 0; i < rows->count; i++) {
        const LogitRow words = rough_row(s, rows, rough, i);
        candidates_offer(&d->lowest, &words, rows->first + i,
                         d->base[i] - d->error[i] - d->screened[rows->first + i].most);
    }
    return d->lowest.count < d->lowest.most
               ? -INFINITY : d->lowest.candidate[d->lowest.most - 1].log_probability;
}

/* The logit in 8 bits from which on a word of row i may reach `least`. */
static double least_logit(const Deferral *d, const Rows *rows, int i, double least)
{
    return least - d->base[i] - d->error[i] - d->screened[rows->first + i].most;
}

static int is_among(int id, const int *list, int count)
{
    for (int i = 0; i < count; i++)
        if (list[i] == id) return 1;
    return 0;
}

/* Adds the words of a row from `least` on to the columns; returns how many those are then, or -1 if
 * they are too many. */
static int add_columns(int *column, int count, const LogitRow *words, double least)
{
    for (int start = 0, block = 0; start < words->V; start += VECTOR_BLOCK, block++) {
        if ((double)words->largest[block] < least) continue;
        const int end = min_int(start + VECTOR_BLOCK, words->V);
        for (int id = start; id < end; id++) {
            if ((double)words->logit[id] < least || words->logit[id] == FORBIDDEN) continue;
            if (is_among(id, column, count)) continue;
            if (count == DEFERRAL_COLUMNS) return -1;
            column[count++] = id;
        }
    }
    return count;
}

/* The words of all rows that may be among the best, or have at least `share` of a sum. */
static int columns_of(Search *s, const Rows *rows, real *rough, double least, double share)
{
    Deferral *d = &s->deferral;
    int count = 0;
    for (int i = 0; i < rows->count && count >= 0; i++) {
        const ScreenRow *row = &d->screened[rows->first + i];
        const LogitRow words = rough_row(s, rows, rough, i);
        const double large = row->greatest + log(share * row->sum);
        count = add_columns(d->column, count, &words,
                            fmin(large, least_logit(d, rows, i, least)));
    }
    return count;
}

/* With those of a large share, unless they are too many. */
static int choose_columns(Search *s, const Rows *rows, real *rough, double least)
{
    const int count = columns_of(s, rows, rough, least, large_share);
    return count < 0 ? columns_of(s, rows, rough, least, INFINITY) : count;
}

static int is_forbidden(const ForbiddenWords *words, int id)
{
    return is_among(id, words->id, words->count);
}

/* The columns become exact: with them, the normalisers are known better, and the candidates are
 * there. */
static void add_candidates(Search *s, const Rows *rows, real *rough, int columns, double least)
{
    Deferral *d = &s->deferral;
    for (int i = 0; i < rows->count; i++) {
        const int row = rows->first + i;
        const real *result = d->result + (size_t)i * (size_t)columns;
        const ScreenSum sum = log_sum(s, rows, rough, i, columns);
        for (int k = 0; k < columns; k++)
            if (d->base[i] + d->error[i] + (double)result[k] >= least
                && !is_forbidden(&d->forbidden[i].words, d->column[k]))
                add_entry(s, &d->choice[rows->sentence], row, d->column[k], result[k]);
        set_normaliser(s, row, sum.value, sum.error);
    }
}

static void collect(Search *s, const Rows *rows, real *rough, int length)
{
    Deferral *d = &s->deferral;
    if (!estimate_rows(s, rows, rough, length)) {
        collect_all(s, rows, rough);
        return;
    }
    hide_forbidden(s, rows, rough);
    const double least = least_of_best(s, rows, rough);
    const int columns = choose_columns(s, rows, rough, least);
    show_forbidden(s, rows, rough);
    if (columns <= 0) {
        collect_all(s, rows, rough);
        return;
    }
    screen_columns(scorer_of(s)->scorer->screen, d->result, output_of(s, rows->first), rows->count,
                   d->column, columns, d->room);
    add_candidates(s, rows, rough, columns, least);
}

/* The rows of the sentence of row i. */
static Rows rows_from(const Search *s, int i)
{
    Rows rows = { s->beam.row[i].sentence, i, 0 };
    while (i + rows.count < s->beam.rows && s->beam.row[i + rows.count].sentence == rows.sentence)
        rows.count++;
    return rows;
}

/* Rows from `at` on, of whole sentences, whose logits have room. */
static int group_from(const Search *s, int at, int room)
{
    int count = 0;
    while (at + count < s->beam.rows) {
        const int more = rows_from(s, at + count).count;
        if (count + more > room) break;
        count += more;
    }
    return count;
}

static void begin(Search *s)
{
    Deferral *d = &s->deferral;
    d->entries = 0;
    for (int i = 0; i < s->sources.count; i++)
        d->choice[i] = (OpenChoice){ 0, 0, 0 };
    for (int i = 0; i < s->beam.rows; i++)
        d->normaliser[i] = normalisers_add(&d->normalisers, output_of(s, i));
}

static void collect_candidates(Search *s, int length)
{
    Deferral *d = &s->deferral;
    ScorerState *scorer = scorer_of(s);
    const size_t blocks = (size_t)screen_blocks(scorer->scorer->screen);
    for (int at = 0, count; at < s->beam.rows; at += count) {
        count = group_from(s, at, scorer_chunk(scorer));
        real *rough = scorer_screen(scorer, d->screened + at, d->largest + (size_t)at * blocks, at,
                                    count);
        for (int i = 0; i < count;) {
            const Rows rows = rows_from(s, at + i);
            d->choice[rows.sentence] = (OpenChoice){ d->entries, 0, 1 };
            collect(s, &rows, rough + (size_t)i * (size_t)s->scorers.V, length);
            i += rows.count;
        }
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
    const int all = (int)n->wanted_count, chunk = scorer_chunk(scorer_of(s));
    for (int at = 0; at < all; at += chunk) {
        const int rows = min_int(chunk, all - at);
        for (int i = 0; i < rows; i++)
            memcpy(d->x + (size_t)i * O, normalisers_x(n, n->wanted[at + i]), O * sizeof *d->x);
        const real *logits = scorer_output_logits(scorer_of(s), d->x, rows);
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
    return extension_goes_before(&s->deferral.normalisers, &s->tree, weighed(s, a, 1).end,
                                 weighed(s, b, 1).end);
}

/* Sorts the first `most` of the entries; the others are behind them. */
static void sort_entries(Search *s, Candidate *entry, size_t count, size_t most)
{
    for (size_t i = 0; i < count; i++)
        entry[i].log_probability = estimate(s, &entry[i]);
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

/* Whether candidate a is certainly before b; else what decides is wanted. */
static int is_certain(Search *s, const Candidate *a, const Candidate *b, int length)
{
    Normalisers *n = &s->deferral.normalisers;
    const double distance = a->log_probability - b->log_probability;
    const double rounding = sum_rounding(a->log_probability);
    const Weighed of_a = weighed(s, a, length), of_b = weighed(s, b, length);
    if (a->row == b->row) return 1;
    if (distance > weighed_error(n, &s->tree, of_a, of_b) + rounding) return 1;
    if (normalisers_want(n, &s->tree, of_a, of_b, expected * distance - rounding)) return 0;
    const int wants_a = normalisers_want_all(n, &s->tree, of_a.end);
    const int wants_b = normalisers_want_all(n, &s->tree, of_b.end);
    return !wants_a && !wants_b;
}

/* Chooses the best candidates of a sentence, if it is certain which ones those are. */
static void choose(Search *s, int sentence, int length)
{
    Deferral *d = &s->deferral;
    OpenChoice *choice = &d->choice[sentence];
    Candidates *list = &s->candidates[sentence];
    Candidate *entry = d->entry + choice->first;
    const size_t most = choice->count < (size_t)list->most ? choice->count : (size_t)list->most;
    int certain = 1;
    sort_entries(s, entry, choice->count, most);
    for (size_t i = 0; i < most; i++)
        for (size_t k = most; k < choice->count; k++)
            if (!is_certain(s, &entry[i], &entry[k], length)) certain = 0;
    if (!certain) return;
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
    begin(s);
    collect_candidates(s, length);
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

/* Whether the best hypotheses of a sentence are sorted, and exact where they have to be; else what
 * is missing is wanted. */
static int is_settled(Search *s, int sentence)
{
    Finished *list = &s->beam.finished[(size_t)sentence * (size_t)s->beam.width];
    const int count = s->beam.finished_count[sentence], best = min_int(count, s->options->nbest);
    int settled = 1;
    refresh(s, sentence);
    sort_finished(s, list, count);
    for (int i = 0; i < best; i++)
        for (int k = i + 1; k < count; k++)
            if (!is_surely_better(s, &list[i], &list[k])) settled = 0;
    for (int i = 0; i < best && !s->options->scoreless; i++) {
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
