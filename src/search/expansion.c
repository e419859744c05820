/* expansion.c - logits to candidates. */
#include "search/expansion.h"

#include "base/random/rng.h"
#include "linalg/vector.h"
#include "search/banks.h"

#include <math.h>

/* From right to left what a placeholder stands behind is written after it. */
static void forbid_inside_words(const Search *s, const Row *row, real *logits)
{
    const unsigned char *breaks = s->rules->breaks;
    const unsigned copies = s->sources.most[row->sentence].copies;
    if (!breaks || row->node < 0 || !copies_among(copies, &s->tree.node[row->node].id, 1)) return;
    for (int id = 0; id < s->scorers.V; id++)
        if (!breaks[id]) logits[id] = FORBIDDEN;
}

/* Makes the logits of the words that must not follow a row FORBIDDEN. */
static void forbid(const Search *s, const Row *row, real *logits)
{
    const ForbiddenWords list = forbidden_words(&s->tree, row->node, row->written, &s->sources.most[row->sentence]);
    for (int i = 0; i < list.count; i++)
        logits[list.id[i]] = FORBIDDEN;
    if (s->rules->right_left) forbid_inside_words(s, row, logits);
}

/* The word of the prefix of a row at a position; -1: behind the prefix. */
static int prefix_word(const Search *s, const Row *row, int position)
{
    const Sentence *source = &s->sources.sentence[row->sentence];
    return position < source->target_length ? source->target[position] : -1;
}

/* A word drawn for a row; every draw has a random number of its own. */
static int draw(const Search *s, const Row *row, const real *logits, int position)
{
    const int number = s->sources.sentence[row->sentence].number;
    const uint64_t key = rng_key(s->options->seed, s->rules->first + (uint64_t)number, RNG_SAMPLE);
    const uint64_t counter = (uint64_t)row->place << 32 | (uint64_t)position;
    return sample_word(logits, s->scratch.p, s->scorers.V, &s->options->sampling,
                       rng_uniform(key, counter));
}

/* Row i has no numbers to choose a word by: its sentence gets <eos> and no other candidate. */
static void give_up(Search *s, int i)
{
    const Candidate none = { .log_probability = NAN, .row = i, .id = ID_EOS };
    const int sentence = s->beam.row[i].sentence;
    s->beam.finished_count[sentence] = 0;
    s->candidates[sentence].count = 0;
    candidates_add(&s->candidates[sentence], none);
    if (banks_has(s, sentence)) banks_begin(s, sentence, 0);
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
    return (double)(is_needed ? vector_log_sum_exp : vector_largest)(s->scratch.largest, logits,
                                                                    s->scorers.V);
}

/* The candidates behind row i: all words, or the one that the prefix has or that was drawn. */
static void expand_row(Search *s, int i, real *logits, int position)
{
    const Row *row = &s->beam.row[i];
    const int prefix = prefix_word(s, row, position);
    Candidates *list = &s->candidates[row->sentence];
    if (is_given_up(list)) return;
    const double total = log_total(s, logits);
    if (!isfinite(total)) {
        give_up(s, i);
        return;
    }
    const double base = row->log_probability - total;
    const LogitRow words = { logits, s->scratch.largest, s->scorers.V };
    if (s->alternatives) candidates_offer(&s->alternatives[i], &words, i, base);
    if (prefix < 0) forbid(s, row, logits);
    if (prefix >= 0 || s->options->sample) {
        const int id = prefix >= 0 ? prefix : draw(s, row, logits, position);
        candidates_add(list, (Candidate){ .log_probability = base + (double)logits[id], .row = i,
                                          .id = id });
    } else if (banks_has(s, row->sentence)) {
        banks_offer(s, i, logits, s->scratch.largest, base);
        return;
    } else {
        candidates_offer(list, &words, i, base);
    }
    /* all logits are FORBIDDEN */
    if (!list->count || (s->alternatives && !s->alternatives[i].count)) give_up(s, i);
}

/* By all logits. */
static void expand_by_logits(Search *s, int position)
{
    const int chunk = scorer_chunk(s->scorers.state);
    for (int at = 0; at < s->beam.rows; at += chunk) {
        const int rows = s->beam.rows - at < chunk ? s->beam.rows - at : chunk;
        real *logits = scorers_logits(s->scorers.state, s->scorers.count, at, rows);
        for (int i = 0; i < rows; i++)
            expand_row(s, at + i, logits + (size_t)i * (size_t)s->scorers.V, position);
    }
}

/* Empties the lists that a step fills. */
static void begin(Search *s)
{
    for (int i = 0; i < s->sources.count; i++) {
        s->candidates[i].count = 0;
        s->candidates[i].most = s->options->beam - s->beam.finished_count[i];
        if (banks_has(s, i)) banks_begin(s, i, s->candidates[i].most);
    }
    for (int i = 0; s->alternatives && i < s->beam.rows; i++)
        s->alternatives[i].count = 0;
}

void expand_rows(Search *s, int position)
{
    begin(s);
    expand_by_logits(s, position);
    for (int i = 0; i < s->sources.count; i++)
        if (banks_has(s, i)) banks_choose(s, i);
        else candidates_prune(&s->candidates[i], s->options->nbest, search_threshold(s->options));
}
