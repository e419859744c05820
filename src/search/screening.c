/* screening.c - bounds of all logits, and the candidates that are within them. */
#include "search/screening.h"

#include "base/mem.h"
#include "base/min.h"
#include "search/banks.h"
#include "search/expansion.h"

#include <math.h>
#include <string.h>

/* Words with as large a share of the sum of a row are computed, so that the sum is known well: of one row
 * so many at most. */
enum { MOST_LARGE = 100 };
static const double large_share = 1.0 / MOST_LARGE;
_Static_assert((int)MOST_LARGE < (int)DEFERRAL_COLUMNS, "there is room for those of a row and another word");

/* ---- candidates and rows ---- */

Weighed candidate_weighed(const Search *s, const Candidate *c, int length)
{
    const Extension end = { s->beam.row[c->row].node, c->id, s->deferral.normaliser[c->row],
                            c->logit };
    return (Weighed){ end, length, 1 };
}

double candidate_estimate(const Search *s, const Candidate *c)
{
    const Extension e = candidate_weighed(s, c, 1).end;
    return extension_log_probability(&s->deferral.normalisers, &s->tree, &e);
}

static void add_entry(Search *s, OpenChoice *choice, Candidate c)
{
    Deferral *d = &s->deferral;
    d->entry = grow(d->entry, &d->capacity, d->entries + 1, sizeof *d->entry);
    d->entry[d->entries++] = c;
    choice->count++;
}

/* The rows of one sentence in this step. */
typedef struct { int sentence, first, count; } Rows;

static const real *output_of(const Search *s, int row)
{
    return s->scorers.state->readout.output + (size_t)row * (size_t)s->scorers.O;
}

static void set_normaliser(Search *s, int row, double value, double error)
{
    Normaliser *n = &s->deferral.normalisers.list[s->deferral.normaliser[row]];
    n->value = value;
    n->error = error;
}

/* ---- rows ---- */

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
    return screen_log_sum(s->scorers.state->scorer->screen, &d->screened[rows->first + i],
                          rough_row(s, rows, rough, i).logit,
                          d->result + (size_t)i * (size_t)columns, d->column, columns);
}

/* Estimates the normalisers from the logits in 8 bits, and what the candidates of each row begin
 * with. Returns whether there are bounds: the logits in 8 bits decide that, since a sum whose terms
 * are off by less than a factor of e has a bound, with Gram matrices or without. */
static int estimate_rows(Search *s, const Rows *rows, real *rough, int length)
{
    Deferral *d = &s->deferral;
    const Candidate first = { .row = rows->first };
    for (int i = 0; i < rows->count; i++) {
        const ScreenSum sum = log_sum(s, rows, rough, i, 0);
        const ScreenRow *screened = &d->screened[rows->first + i];
        const Candidate here = { .row = rows->first + i };
        if (!isfinite(sum.error)) return 0;
        set_normaliser(s, rows->first + i, sum.value, sum.error);
        d->base[i] = candidate_estimate(s, &here);
        d->error[i] = weighed_error(&d->normalisers, &s->tree, candidate_weighed(s, &here, length),
                                    candidate_weighed(s, &first, length));
        d->rough_base[i] = s->beam.row[rows->first + i].rough - screened->greatest
                         - log(screened->sum);
    }
    return 1;
}

/* All logits and the normalisers of a sentence. Gives it up and returns -1 where a row has no
 * numbers. */
static int compute_rows(Search *s, const Rows *rows)
{
    Deferral *d = &s->deferral;
    const Scorer *scorer = s->scorers.state->scorer;
    const int V = s->scorers.V;
    linear_forward(OVERWRITE, d->logit, V, output_of(s, rows->first), s->scorers.O,
                   &scorer->w.output, scorer->w.output_bias, rows->count);
    for (int i = 0; i < rows->count; i++) {
        const double normaliser = (double)vector_log_sum_exp(
            s->scratch.largest, d->logit + (size_t)i * (size_t)V, V);
        if (!isfinite(normaliser)) {
            give_up(s, rows->first + i);
            d->choice[rows->sentence].is_open = 0;
            return -1;
        }
        set_normaliser(s, rows->first + i, normaliser, 0);
    }
    return 0;
}

/* Where there are no bounds: all logits take the place of those in 8 bits. */
static void take_logits(Search *s, const Rows *rows, real *rough)
{
    Deferral *d = &s->deferral;
    const size_t V = (size_t)s->scorers.V, blocks = (V + VECTOR_BLOCK - 1) / VECTOR_BLOCK;
    memcpy(rough, d->logit, (size_t)rows->count * V * sizeof *rough);
    for (int i = 0; i < rows->count; i++) {
        const int row = rows->first + i;
        vector_largest(d->largest + (size_t)row * blocks, rough + (size_t)i * V, (int)V);
        d->rough_base[i] = s->beam.row[row].rough
                         - d->normalisers.list[d->normaliser[row]].value;
    }
}

/* ---- the threshold ---- */

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

/* The logits in 8 bits that are within the threshold. */
static void set_cuts(Search *s, const Rows *rows, real *rough)
{
    Deferral *d = &s->deferral;
    const int nbest = s->options->nbest;
    double least = -INFINITY;
    d->probable.count = 0;
    d->probable.most = nbest;
    for (int i = 0; i < rows->count; i++) {
        const LogitRow words = rough_row(s, rows, rough, i);
        candidates_offer(&d->probable, &words, i, d->rough_base[i]);
    }
    if (d->probable.count == nbest)
        least = d->probable.candidate[nbest - 1].log_probability - search_threshold(s->options);
    for (int i = 0; i < rows->count; i++) {
        const double rounding = 1e-9 * (1 + fabs(least) + fabs(d->rough_base[i]));
        d->cut[i] = isinf(least) ? least : least - d->rough_base[i] - rounding;
    }
}

/* Word `id` behind row i, with its logit, if it is within the threshold. */
static void add_candidate(Search *s, const Rows *rows, const real *rough, int i, int id, real logit)
{
    const Deferral *d = &s->deferral;
    const double in_8_bits = (double)rough[(size_t)i * (size_t)s->scorers.V + (size_t)id];
    if (in_8_bits >= d->cut[i])
        add_entry(s, &s->deferral.choice[rows->sentence],
                  (Candidate){ .row = rows->first + i, .id = id, .logit = (double)logit,
                               .rough = d->rough_base[i] + in_8_bits });
}

/* ---- candidates by all logits ---- */

/* The best words behind row i of a sentence that are within the threshold. */
static void collect_row(Search *s, const Rows *rows, const real *rough, int i)
{
    Deferral *d = &s->deferral;
    const int V = s->scorers.V;
    real *logit = d->logit + (size_t)i * (size_t)V;
    for (int id = 0; id < V; id++) {
        const real in_8_bits = rough[(size_t)i * (size_t)V + (size_t)id];
        if (in_8_bits == FORBIDDEN || (double)in_8_bits < d->cut[i]) logit[id] = FORBIDDEN;
    }
    vector_largest(s->scratch.largest, logit, V);
    const LogitRow words = { logit, s->scratch.largest, V };
    d->lowest.count = 0;
    d->lowest.most = s->candidates[rows->sentence].most;
    candidates_offer(&d->lowest, &words, i, 0);
    for (int k = 0; k < d->lowest.count; k++) {
        const int id = d->lowest.candidate[k].id;
        add_candidate(s, rows, rough, i, id, logit[id]);
    }
}

/* Of a sentence whose logits are computed. */
static void collect_all(Search *s, const Rows *rows, const real *rough)
{
    OpenChoice *choice = &s->deferral.choice[rows->sentence];
    for (int i = 0; i < rows->count; i++)
        collect_row(s, rows, rough, i);
    if (choice->count) return;
    give_up(s, rows->first);        /* all words are forbidden */
    choice->is_open = 0;
}

/* Of a sentence whose places are divided. All of its normalisers are exact. */
static void collect_by_banks(Search *s, const Rows *rows)
{
    Deferral *d = &s->deferral;
    Candidates *list = &s->candidates[rows->sentence];
    for (int i = 0; i < rows->count; i++) {
        const int row = rows->first + i;
        real *logit = d->logit + (size_t)i * (size_t)s->scorers.V;
        const Candidate here = { .row = row };
        vector_largest(s->scratch.largest, logit, s->scorers.V);
        forbid(s, &s->beam.row[row], logit);
        banks_offer(s, row, logit, s->scratch.largest, candidate_estimate(s, &here));
    }
    banks_choose(s, rows->sentence);
    for (int k = 0; k < list->count; k++)
        list->candidate[k].log_probability = candidate_estimate(s, &list->candidate[k]);
    d->choice[rows->sentence].is_open = 0;
}

/* ---- candidates within bounds ---- */

/* Whether a sentence has no more words within the threshold than places: then all of them stay. */
static int has_place_for_all(const Search *s, const Rows *rows, real *rough)
{
    int left = s->candidates[rows->sentence].most;
    for (int i = 0; i < rows->count; i++) {
        const LogitRow words = rough_row(s, rows, rough, i);
        for (int start = 0, block = 0; start < words.V; start += VECTOR_BLOCK, block++) {
            if ((double)words.largest[block] < s->deferral.cut[i]) continue;
            for (int id = start; id < min_int(start + VECTOR_BLOCK, words.V); id++)
                if ((double)words.logit[id] >= s->deferral.cut[i] && left-- == 0) return 0;
        }
    }
    return 1;
}

/* What certainly as many candidates within the threshold reach as the sentence has places. */
static double least_of_best(Search *s, const Rows *rows, real *rough)
{
    Deferral *d = &s->deferral;
    const int places = s->candidates[rows->sentence].most;
    d->lowest.count = 0;
    d->lowest.most = places;
    for (int i = 0; i < rows->count; i++) {
        const LogitRow words = rough_row(s, rows, rough, i);
        candidates_offer(&d->lowest, &words, i,
                         d->base[i] - d->error[i] - d->screened[rows->first + i].most);
    }
    for (int k = 0; k < d->lowest.count; k++) {
        const Candidate *c = &d->lowest.candidate[k];
        const real in_8_bits = rough_row(s, rows, rough, c->row).logit[c->id];
        if ((double)in_8_bits < d->cut[c->row]) return -INFINITY;
    }
    return d->lowest.count < places ? -INFINITY : d->lowest.candidate[places - 1].log_probability;
}

/* The logit in 8 bits from which on a word of row i is within the threshold and may reach `least`. */
static double least_logit(const Deferral *d, const Rows *rows, int i, double least)
{
    return fmax(d->cut[i],
                least - d->base[i] - d->error[i] - d->screened[rows->first + i].most);
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

/* The logit in 8 bits from which on a word has at least `share` of the sum of its row. */
static double logit_of_share(const ScreenRow *row, double share)
{
    return row->greatest + log(share * row->sum);
}

/* The words of all rows that may be among the best, or have at least `share` of a sum. */
static int columns_of(Search *s, const Rows *rows, real *rough, double least, double share)
{
    Deferral *d = &s->deferral;
    int count = 0;
    for (int i = 0; i < rows->count && count >= 0; i++) {
        const LogitRow words = rough_row(s, rows, rough, i);
        const double large = logit_of_share(&d->screened[rows->first + i], share);
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
        const real *result = d->result + (size_t)i * (size_t)columns;
        const ScreenSum sum = log_sum(s, rows, rough, i, columns);
        for (int k = 0; k < columns; k++)
            if (d->base[i] + d->error[i] + (double)result[k] >= least
                && !is_forbidden(&d->forbidden[i].words, d->column[k]))
                add_candidate(s, rows, rough, i, d->column[k], result[k]);
        set_normaliser(s, rows->first + i, sum.value, sum.error);
    }
}

/* Returns whether it found some: not where too many words, or none, are within the bounds. */
static int collect_within_bounds(Search *s, const Rows *rows, real *rough)
{
    Deferral *d = &s->deferral;
    const double least = has_place_for_all(s, rows, rough) ? -INFINITY
                       : least_of_best(s, rows, rough);
    const int columns = choose_columns(s, rows, rough, least);
    if (columns <= 0) return 0;
    show_forbidden(s, rows, rough);
    screen_columns(s->scorers.state->scorer->screen, d->result, output_of(s, rows->first),
                   rows->count, d->column, columns, d->room);
    add_candidates(s, rows, rough, columns, least);
    return 1;
}

/* ---- the candidate of a prefix ---- */

/* Bounds the normaliser of the one row that a sentence has within its prefix; returns the logit of its
 * word. */
static real bound_forced(Search *s, const Rows *rows, real *rough, int id)
{
    Deferral *d = &s->deferral;
    const LogitRow words = rough_row(s, rows, rough, 0);
    d->column[0] = id;
    const int columns = add_columns(d->column, 1, &words,
                                    logit_of_share(&d->screened[rows->first], large_share));
    screen_columns(s->scorers.state->scorer->screen, d->result, output_of(s, rows->first), 1,
                   d->column, columns, d->room);
    const ScreenSum sum = log_sum(s, rows, rough, 0, columns);
    set_normaliser(s, rows->first, sum.value, sum.error);
    return d->result[0];
}

static void collect_forced(Search *s, const Rows *rows, real *rough, int id, int is_bounded)
{
    const double in_8_bits = (double)rough[id];
    const real logit = is_bounded ? bound_forced(s, rows, rough, id) : rough[id];
    add_entry(s, &s->deferral.choice[rows->sentence],
              (Candidate){ .row = rows->first, .id = id, .logit = (double)logit,
                           .rough = s->deferral.rough_base[0] + in_8_bits });
}

/* ---- all ---- */

static void collect(Search *s, const Rows *rows, real *rough, int length)
{
    const int is_banked = banks_has(s, rows->sentence);
    const int is_bounded = !is_banked && estimate_rows(s, rows, rough, length);
    const int forced = prefix_word(s, &s->beam.row[rows->first], length - 1);
    if (!is_bounded) {
        if (compute_rows(s, rows)) return;
        take_logits(s, rows, rough);
    }
    if (forced >= 0) {
        collect_forced(s, rows, rough, forced, is_bounded);
        return;
    }
    if (is_banked) {
        collect_by_banks(s, rows);
        return;
    }
    hide_forbidden(s, rows, rough);
    set_cuts(s, rows, rough);
    if (is_bounded && collect_within_bounds(s, rows, rough)) return;
    if (is_bounded && compute_rows(s, rows)) return;
    collect_all(s, rows, rough);
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

void screening_collect(Search *s, int length)
{
    Deferral *d = &s->deferral;
    ScorerState *scorer = s->scorers.state;
    const size_t blocks = (size_t)screen_blocks(scorer->scorer->screen);
    begin(s);
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
