/* expansion.c - from the logits of all rows to the best candidates of each sentence. */
#include "search/expansion.h"

#include "base/random/rng.h"
#include "base/real.h"
#include "linalg/vector.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- the limits of a sentence ---- */

/* The largest number of successive occurrences of the same `period` words. */
static int occurrences(const Sentence *source, int period)
{
    int most = 1;
    for (int i = period, same = 0; i < source->source_length; i++) {
        same = source->source[i] == source->source[i - period] ? same + 1 : 0;
        if (same / period + 1 > most) most = same / period + 1;
    }
    return most;
}

static int most_repeats(const Sentence *source, int repeats)
{
    int most = repeats;
    if (!most) return 0;
    for (int period = 1; period <= LONGEST_LOOP; period++) {
        const int times = occurrences(source, period);
        if (times > most) most = times;
    }
    return min_int(most, REPEATS_MOST);
}

WordLimits word_limits_of(const Sentence *source, const SearchRules *rules)
{
    WordLimits most = { .repeats = most_repeats(source, rules->options->repeats),
                        .placeholders = rules->placeholders,
                        .breaks = rules->right_left ? NULL : rules->breaks };
    for (int i = 0; i < source->source_length; i++) {
        most.unknowns += source->source[i] == ID_UNK;
        if (most.placeholders) most.copies |= placeholder_bit(source->source[i]);
    }
    if (rules->copy != COPY_UNKNOWN) most.unknowns = INT_MAX;
    return most;
}

int copies_lacking(unsigned copies, const int *ids, int count)
{
    for (int i = 0; i < count; i++)
        copies &= ~placeholder_bit(ids[i]);
    return __builtin_popcount(copies);
}

/* ---- what must not follow ---- */

/* Whether word (count), latest first, is periodic where the next word would end occurrence number
 * times + 1 of the same `period` words. That word is word[period - 1]. */
static int is_loop(const int *word, int count, int period, int times)
{
    const int needed = (times + 1) * period - 1;
    if (count < needed) return 0;
    for (int i = 0; i + period < needed; i++)
        if (word[i] != word[i + period]) return 0;
    return 1;
}

static void forbid_loops(real *logits, const Node *last, int times)
{
    enum { MOST = (REPEATS_MOST + 1) * LONGEST_LOOP };
    int word[MOST], count = 0;
    if (!times) return;
    for (; last && count < (times + 1) * LONGEST_LOOP; last = last->parent)
        word[count++] = last->id;
    for (int period = 1; period <= LONGEST_LOOP; period++)
        if (is_loop(word, count, period, times) && word[period - 1] != ID_UNK)
            logits[word[period - 1]] = FORBIDDEN;
}

void forbid_words(real *logits, const Node *last, WordsWritten written, const WordLimits *most)
{
    const int may_begin = !last || !most->breaks || most->breaks[last->id];
    const unsigned missing = may_begin ? most->copies & ~written.copies : 0;
    for (int id = 0; id < ID_SPECIALS; id++)
        if (id != ID_EOS && (id != ID_UNK || written.unknowns >= most->unknowns))
            logits[id] = FORBIDDEN;
    for (int id = ID_SPECIALS; most->placeholders && id < ID_SPECIALS + PLACEHOLDERS; id++)
        if (!(missing & placeholder_bit(id))) logits[id] = FORBIDDEN;
    forbid_loops(logits, last, most->repeats);
}

/* From right to left what a placeholder stands behind is written after it. */
static void forbid_inside_words(const Search *s, const Row *row, real *logits)
{
    const unsigned char *breaks = s->rules->breaks;
    const unsigned copies = s->limits[row->sentence].copies;
    if (!s->rules->right_left || !breaks) return;
    if (!row->last || !(copies & placeholder_bit(row->last->id))) return;
    for (int id = 0; id < s->V; id++)
        if (!breaks[id]) logits[id] = FORBIDDEN;
}

/* ---- the best words of a row ---- */

Candidates *candidates_new(Region *region, size_t lists, int most)
{
    Candidates *list = region_take(region, lists, sizeof *list);
    Candidate *room = region_take(region, lists * (size_t)most, sizeof *room);
    for (size_t i = 0; i < lists; i++)
        list[i] = (Candidates){ .candidate = room + i * (size_t)most, .most = most };
    return list;
}

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

/* Adds one if it belongs among the best. */
static void candidates_add(Candidates *list, Candidate c)
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

static void offer_block(Candidates *list, const LogitRow *words, int block, int row, double base)
{
    const int start = block * VECTOR_BLOCK, end = min_int(words->V, start + VECTOR_BLOCK);
    for (int id = start; id < end; id++) {
        const double log_probability = base + (double)words->logit[id];
        if (words->logit[id] != FORBIDDEN && !is_below(list, log_probability))
            candidates_add(list, (Candidate){ log_probability, row, id });
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

/* Removes those by more than the threshold below number nbest, from 1. */
static void candidates_prune(Candidates *list, const SearchOptions *options)
{
    const double threshold = options->beam_threshold;
    if (list->count < options->nbest || threshold <= 0) return;
    const double least = list->candidate[options->nbest - 1].log_probability - threshold;
    while (list->candidate[list->count - 1].log_probability < least)
        list->count--;
}

/* ---- a word drawn ---- */

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

/* A word drawn for a row; every draw has a random number of its own. */
static int draw(const Search *s, const Row *row, const real *logits, int position)
{
    const int number = s->sentence[row->sentence].number;
    const uint64_t key = rng_key(s->options->seed, s->rules->first + (uint64_t)number, RNG_SAMPLE);
    const uint64_t counter = (uint64_t)row->place << 32 | (uint64_t)position;
    return sample_word(logits, s->p, s->V, &s->options->sampling, rng_uniform(key, counter));
}

/* ---- banks ---- */

Candidates **banks_new(const Search *s)
{
    const SearchOptions *o = s->options;
    if (!s->rules->placeholders || o->beam == 1 || o->sample) return NULL;
    Candidates **banks = region_take(s->memory, (size_t)s->count, sizeof *banks);
    for (int i = 0; i < s->count; i++) {
        const int copies = __builtin_popcount(s->limits[i].copies);
        banks[i] = copies ? candidates_new(s->memory, (size_t)copies + 1, o->beam) : NULL;
    }
    return banks;
}

/* The banks of a sentence and their number; NULL: its places are not divided. */
static Candidates *banks_of(const Search *s, int sentence, int *count)
{
    *count = __builtin_popcount(s->limits[sentence].copies) + 1;
    return s->banks ? s->banks[sentence] : NULL;
}

/* Adds the words of row i that belong among the best: log P = base + logit. Makes the logits of
 * placeholders FORBIDDEN. */
static void banks_offer(Search *s, int i, real *logits, double base)
{
    const Row *row = &s->row[i];
    const unsigned written = row->written.copies & s->limits[row->sentence].copies;
    Candidates *bank = s->banks[row->sentence] + __builtin_popcount(written);
    const double least = row->log_probability - log(s->V);
    for (int id = ID_SPECIALS; id < ID_SPECIALS + PLACEHOLDERS; id++) {
        const double log_probability = base + (double)logits[id];
        if (logits[id] == FORBIDDEN) continue;
        logits[id] = FORBIDDEN;
        if (log_probability >= least)
            candidates_add(bank + 1, (Candidate){ log_probability, i, id });
    }
    candidates_offer(bank, &(LogitRow){ logits, s->largest, s->V }, i, base);
}

/* Gives what bank k has no candidates for to its nearest neighbours, those with fewer placeholders
 * first. */
static void give_away(const Candidates *bank, int banks, int *taken, int k, int spare)
{
    for (int distance = 1; distance < banks && spare; distance++)
        for (int side = -1; side <= 1; side += 2) {
            const int other = k + side * distance;
            if (other < 0 || other >= banks) continue;
            const int more = min_int(spare, bank[other].count - taken[other]);
            taken[other] += more;
            spare -= more;
        }
}

/* The candidates become the best of all banks. */
static void banks_choose(const Search *s, Candidates *list, Candidates *bank, int banks)
{
    int taken[PLACEHOLDERS + 1], spare[PLACEHOLDERS + 1];
    for (int k = 0; k < banks; k++) {
        const int share = (k + 1) * list->most / banks - k * list->most / banks;
        candidates_prune(&bank[k], s->options);
        taken[k] = min_int(share, bank[k].count);
        spare[k] = share - taken[k];
    }
    for (int k = 0; k < banks; k++)
        give_away(bank, banks, taken, k, spare[k]);
    for (int k = 0; k < banks; k++)
        for (int i = 0; i < taken[k]; i++)
            candidates_add(list, bank[k].candidate[i]);
}

/* ---- all rows ---- */

/* Empties the lists of a sentence for a step with so many places. */
static void empty(Search *s, int sentence, int places)
{
    int banks;
    Candidates *bank = banks_of(s, sentence, &banks);
    s->candidates[sentence].count = 0;
    s->candidates[sentence].most = places;
    for (int k = 0; bank && k < banks; k++) {
        bank[k].count = 0;
        bank[k].most = places;
    }
}

/* Row i has no numbers to choose a word by: its sentence gets <eos> and no other candidate. */
static void give_up(Search *s, int i)
{
    const Candidate none = { .log_probability = NAN, .row = i, .id = ID_EOS };
    const int sentence = s->row[i].sentence;
    s->finished_count[sentence] = 0;
    empty(s, sentence, 1);
    candidates_add(&s->candidates[sentence], none);
    if (s->alternatives) candidates_add(&s->alternatives[i], none);
}

static int is_given_up(const Candidates *list)
{
    return list->count && isnan(list->candidate[0].log_probability);
}

/* log of the sum of exp of a row, not finite where one of them is NaN or +infinity. Greedy search
 * needs it for probabilities only: any number that is the same for all words of the row keeps their
 * order. */
static double log_total(const Search *s, const real *logits)
{
    const SearchOptions *o = s->options;
    const int is_needed = o->probabilities || o->alternatives || o->beam > 1 || o->sample;
    return (double)(is_needed ? vector_log_sum_exp : vector_largest)(s->largest, logits, s->V);
}

/* The candidates behind row i: all words, or the one that the prefix has or that was drawn. */
static void expand_row(Search *s, int i, real *logits, int position)
{
    const Row *row = &s->row[i];
    const Sentence *source = &s->sentence[row->sentence];
    const int has_prefix = position < source->target_length;
    Candidates *list = &s->candidates[row->sentence];
    if (is_given_up(list)) return;
    const double total = log_total(s, logits);
    if (!isfinite(total)) {
        give_up(s, i);
        return;
    }
    const double base = row->log_probability - total;
    const LogitRow words = { logits, s->largest, s->V };
    if (s->alternatives) candidates_offer(&s->alternatives[i], &words, i, base);
    if (!has_prefix) {
        forbid_words(logits, row->last, row->written, &s->limits[row->sentence]);
        forbid_inside_words(s, row, logits);
        for (int k = 0; k < s->rules->forbidden_count; k++)
            logits[s->rules->forbidden[k]] = FORBIDDEN;
    }
    if (has_prefix || s->options->sample) {
        const int id = has_prefix ? source->target[position] : draw(s, row, logits, position);
        candidates_add(list, (Candidate){ base + (double)logits[id], i, id });
    } else if (s->banks && s->banks[row->sentence]) {
        banks_offer(s, i, logits, base);
        return;
    } else {
        candidates_offer(list, &words, i, base);
    }
    /* all logits are FORBIDDEN */
    if (!list->count || (s->alternatives && !s->alternatives[i].count)) give_up(s, i);
}

void expand_rows(Search *s, int position)
{
    const int chunk = s->scorer->readout.chunk;
    for (int i = 0; i < s->count; i++)
        empty(s, i, s->options->beam - s->finished_count[i]);
    for (int i = 0; s->alternatives && i < s->rows; i++)
        s->alternatives[i].count = 0;
    for (int at = 0; at < s->rows; at += chunk) {
        const int rows = min_int(s->rows - at, chunk);
        real *logits = scorers_logits(s->scorer, s->scorers, at, rows);
        for (int i = 0; i < rows; i++)
            expand_row(s, at + i, logits + (size_t)i * (size_t)s->V, position);
    }
    for (int i = 0; i < s->count; i++) {
        int banks;
        Candidates *bank = banks_of(s, i, &banks);
        if (bank) banks_choose(s, &s->candidates[i], bank, banks);
        else candidates_prune(&s->candidates[i], s->options);
    }
}
