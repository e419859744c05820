/* bleu.c - n-gram matches and lengths of a segment, and the score of their sum. */
#include "metrics/bleu.h"

#include "base/mem.h"
#include "metrics/symbols.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const char *const smoothings[] = { "exp", "floor", "add-k", "none", NULL };

#define AT(member) .offset = offsetof(BleuOptions, member)
const Field bleu_fields[] = {
    { .group = "BLEU", .name = "tokenize", .kind = FIELD_CHOICE, AT(tokenize),
      .choices = tokenize_names,
      .help = "how text is split into words; scores compare only with the same tokenizer",
      .common = 1 },
    { .name = "smooth", .kind = FIELD_CHOICE, AT(smooth), .choices = smoothings,
      .help = "the precision of n-gram orders without a match" },
    { .name = "smooth-value", .kind = FIELD_REAL, AT(smooth_value), .low = 0, .high = 1e6,
      .automatic = 1, .value = "X",
      .help = "what floor and add-k add; auto: 0.1 and 1" },
    { .name = "lowercase", .kind = FIELD_FLAG, AT(lowercase),
      .help = "BLEU without regard to case", .common = 1 },
    { .name = NULL }
};

static const BleuOptions defaults = { .tokenize = TOKENIZE_13A, .smooth = SMOOTH_EXP,
                                      .smooth_value = -HUGE_VAL };  /* auto (base/field.c) */

BleuOptions bleu_defaults(void)
{
    return defaults;
}

static void read_tokens(const BleuOptions *options, const char *text, Symbols *line)
{
    line_read(line, text);
    if (options->lowercase) line_lower(line);
    line_strip_right(line);
    tokenize(options->tokenize, line);
}

/* Whether length a is closer to the hypothesis length than length b, or as close and shorter. */
static int is_closer(size_t a, size_t b, size_t hypothesis)
{
    const size_t distance_a = a > hypothesis ? a - hypothesis : hypothesis - a;
    const size_t distance_b = b > hypothesis ? b - hypothesis : hypothesis - b;
    return distance_a < distance_b || (distance_a == distance_b && a < b);
}

void bleu_add(BleuStats *stats, const BleuOptions *options, const char *hypothesis,
              const char *const *references, int reference_count)
{
    SCOPED(symbols_free) Symbols line = { 0 }, words = { 0 };
    SCOPED(trie_free) Trie vocabulary;
    read_tokens(options, hypothesis, &line);
    trie_init(&vocabulary, line.count);
    trie_words(&vocabulary, 1, &line, &words);
    const size_t length = words.count;
    size_t closest = SIZE_MAX;
    for (int n = 1; n <= BLEU_ORDER; n++) stats->total[n - 1] += (double)ngrams_total(length, n);

    SCOPED(ngrams_free) Ngrams ngrams;
    ngrams_init(&ngrams, &words, BLEU_ORDER);
    for (int r = 0; r < reference_count; r++) {
        read_tokens(options, references[r], &line);
        trie_words(&vocabulary, 0, &line, &words);
        ngrams_match(&ngrams, &words, stats->correct);
        if (closest == SIZE_MAX || is_closer(words.count, closest, length)) closest = words.count;
    }
    stats->hypothesis_length += (double)length;
    stats->reference_length += (double)closest;
}

static double brevity_penalty(const BleuStats *stats)
{
    if (stats->hypothesis_length >= stats->reference_length) return 1;
    if (stats->hypothesis_length == 0) return 0;
    return exp(1 - stats->reference_length / stats->hypothesis_length);
}

static double smooth_value(const BleuOptions *options)
{
    if (options->smooth_value >= 0) return options->smooth_value;
    return options->smooth == SMOOTH_FLOOR ? 0.1 : 1;
}

/* Sets the precisions, smoothed as in Chen and Cherry (2014), "A Systematic Comparison of Smoothing
 * Techniques for Sentence-Level BLEU": floor is their method 1, add-k method 2, exp method 3.
 * single: as in metrics/metric.h. Returns the number of orders over which the score is averaged. */
static int smoothed_precisions(Bleu *bleu, const BleuOptions *options, int single)
{
    double halving = 1, value = smooth_value(options);
    int effective = BLEU_ORDER;
    for (int n = 1; n <= BLEU_ORDER; n++) {
        double added = options->smooth == SMOOTH_ADD_K && n > 1 ? value : 0;
        double correct = bleu->stats.correct[n - 1] + added;
        double total = bleu->stats.total[n - 1] + added;
        if (single) {
            correct = (float)correct;
            total = (float)total;
        }
        if (total == 0) break;
        if (options->effective_order) effective = n;
        if (correct > 0) bleu->precision[n - 1] = 100 * correct / total;
        else if (options->smooth == SMOOTH_EXP)
            bleu->precision[n - 1] = 100 / ((halving *= 2) * total);
        else if (options->smooth == SMOOTH_FLOOR) bleu->precision[n - 1] = 100 * value / total;
    }
    return effective;
}

/* The geometric mean of the first `orders` precisions; it is 0 if one of them is 0. */
static double mean_precision(const Bleu *bleu, int orders)
{
    double sum = 0;
    for (int n = 0; n < orders; n++) sum += log(bleu->precision[n]);
    return exp(sum / orders);
}

Bleu bleu_score(const BleuStats *stats, const BleuOptions *options, int single)
{
    Bleu bleu = { .stats = *stats, .brevity_penalty = brevity_penalty(stats) };
    if (stats->reference_length)
        bleu.ratio = stats->hypothesis_length / stats->reference_length;
    if (stats->correct[0] == 0) return bleu;        /* without a matching word the score is 0 */
    const int orders = smoothed_precisions(&bleu, options, single);
    bleu.score = bleu.brevity_penalty * mean_precision(&bleu, orders);
    return bleu;
}

/* ---- The metric: a row is a BleuStats ---- */

static int settle(void *at, const MetricUse *use, Err *e)
{
    BleuOptions *options = at;
    options->effective_order = use->sentence_level;
    if (options->smooth_value >= 0 && options->smooth != SMOOTH_FLOOR
        && options->smooth != SMOOTH_ADD_K)
        return err(e, "--smooth-value is for --smooth floor and --smooth add-k");
    if (use->randomised && options->smooth == SMOOTH_ADD_K
        && smooth_value(options) != floor(smooth_value(options)))
        return err(e, "--paired-ar takes a whole --smooth-value: sacreBLEU rounds %g down in the "
                      "trials, but not in the scores; --paired-bs takes any",
                   smooth_value(options));
    return 0;
}

static int width(const void *options)
{
    (void)options;
    return sizeof(BleuStats) / sizeof(double);
}

static void stats_row(const void *options, const char *hypothesis, const char *const *references,
                      int count, double *row)
{
    BleuStats stats = { 0 };
    bleu_add(&stats, options, hypothesis, references, count);
    memcpy(row, &stats, sizeof stats);
}

static Bleu bleu_of_row(const BleuOptions *options, const double *row, int single)
{
    BleuStats stats;
    memcpy(&stats, row, sizeof stats);
    return bleu_score(&stats, options, single);
}

static double score(const void *options, const double *sums, int single)
{
    return bleu_of_row(options, sums, single).score;
}

static void title(const void *options, Buf *out)
{
    (void)options;
    buf_puts(out, "BLEU");
}

static void signature(const void *at, Buf *out)
{
    const BleuOptions *options = at;
    buf_printf(out, "case:%s|eff:%s|tok:%s|smooth:%s", options->lowercase ? "lc" : "mixed",
               options->effective_order ? "yes" : "no", tokenize_names[options->tokenize],
               smoothings[options->smooth]);
    if (options->smooth == SMOOTH_FLOOR || options->smooth == SMOOTH_ADD_K)
        buf_printf(out, "[%.2f]", smooth_value(options));
}

/* "70.1/50.2/38.0/29.1 (BP = 0.987 ratio = 0.987 hyp_len = 7892 ref_len = 7995)" */
static void verbose(const void *options, const double *sums, Buf *out)
{
    Bleu bleu = bleu_of_row(options, sums, 0);
    for (int n = 0; n < BLEU_ORDER; n++) buf_printf(out, "%s%.1f", n ? "/" : "", bleu.precision[n]);
    buf_printf(out, " (BP = %.3f ratio = %.3f hyp_len = %.0f ref_len = %.0f)", bleu.brevity_penalty,
               bleu.ratio, bleu.stats.hypothesis_length, bleu.stats.reference_length);
}

const Metric metric_bleu = {
    .name = "bleu", .fields = bleu_fields, .options_size = sizeof(BleuOptions),
    .defaults = &defaults, .settle = settle, .width = width, .stats = stats_row, .score = score,
    .title = title, .signature = signature, .verbose = verbose
};
