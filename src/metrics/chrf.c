/* chrf.c - n-gram matches of a segment, and the score of their sum. */
#include "metrics/chrf.h"

#include "base/mem.h"
#include "metrics/symbols.h"

#include <string.h>

#define AT(member) .offset = offsetof(ChrfOptions, member)
const Field chrf_fields[] = {
    { .group = "chrF", .name = "chrf-char-order", .kind = FIELD_INT, AT(char_order),
      .low = 1, .high = CHRF_MAX_CHAR_ORDER, .value = "N",
      .help = "longest n-grams of characters" },
    { .name = "chrf-word-order", .kind = FIELD_INT, AT(word_order),
      .low = 0, .high = CHRF_MAX_WORD_ORDER, .value = "N",
      .help = "longest n-grams of words; 2 makes it chrF++" },
    { .name = "chrf-beta", .kind = FIELD_INT, AT(beta), .low = 1, .high = 100, .value = "N",
      .help = "how many times more recall counts than precision" },
    { .name = "chrf-whitespace", .kind = FIELD_FLAG, AT(whitespace),
      .help = "blanks are characters too" },
    { .name = "chrf-eps-smoothing", .kind = FIELD_FLAG, AT(eps),
      .help = "all orders count, with 1e-16 where one side has none, as in chrF++.py and NLTK" },
    { .name = "chrf-lowercase", .kind = FIELD_FLAG, AT(lowercase),
      .help = "chrF without regard to case" },
    { .name = NULL }
};

static const ChrfOptions defaults = { .char_order = 6, .word_order = 0, .beta = 2 };

ChrfOptions chrf_defaults(void)
{
    return defaults;
}

/* A hypothesis or a reference. */
typedef struct {
    Symbols characters;
    Symbols words;              /* ids in the vocabulary of the hypothesis */
} Line;

static void line_free(Line *line)
{
    symbols_free(&line->characters);
    symbols_free(&line->words);
}

static int is_ascii_punctuation(int32_t c)
{
    return c < 0x80 && strchr("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", c) != NULL;
}

/* Splits one punctuation mark off a word, at its end or else at its start. Returns the first part;
 * the second, which may be empty, is *rest. */
static Word split_punctuation(Word word, Word *rest)
{
    size_t first = word.count;
    if (word.count > 1 && is_ascii_punctuation(word.at[word.count - 1])) first = word.count - 1;
    else if (word.count > 1 && is_ascii_punctuation(word.at[0])) first = 1;
    *rest = (Word){ word.at + first, word.count - first };
    return (Word){ word.at, first };
}

static void read_words(const Symbols *line, Trie *vocabulary, int adds, Symbols *words)
{
    Word word, rest;
    for (size_t from = 0; line_next_word(line, &from, &word);) {
        word = split_punctuation(word, &rest);
        symbols_add(words, (int32_t)trie_word(vocabulary, adds, word));
        if (rest.count) symbols_add(words, (int32_t)trie_word(vocabulary, adds, rest));
    }
}

/* adds: the line is the hypothesis, whose words become the vocabulary; words of a reference that
 * are not in it become 0. */
static void read_line(Line *line, const ChrfOptions *options, const char *text, Trie *vocabulary,
                      int adds)
{
    line_read(&line->characters, text);
    if (options->lowercase) line_lower(&line->characters);
    if (adds) trie_init(vocabulary, line->characters.count);
    line->words.count = 0;
    if (options->word_order > 0) read_words(&line->characters, vocabulary, adds, &line->words);
    if (!options->whitespace) line_remove_blanks(&line->characters);
}

/* Sets the counts of the orders 1..ngrams->order of characters or words; those of order 1 are at
 * `first`. */
static void match(ChrfStats *stats, int first, Ngrams *ngrams, const Symbols *hypothesis,
                  const Symbols *reference)
{
    double matched[CHRF_MAX_ORDER] = { 0 };
    ngrams_reset(ngrams);
    ngrams_match(ngrams, reference, matched);
    for (int n = 1; n <= ngrams->order; n++) {
        const size_t total = ngrams_total(reference->count, n);
        const size_t own = total ? ngrams_total(hypothesis->count, n) : 0;
        stats->of[first + n - 1].hypothesis = (double)own;
        stats->of[first + n - 1].reference = (double)total;
        stats->of[first + n - 1].match = matched[n - 1];
    }
}

static double ratio(double part, double whole, int single)
{
    return single ? (double)((float)part / (float)whole) : part / whole;
}

/* The F-score of the mean precision and the mean recall, over the orders that both sides have. */
static double effective_score(const ChrfStats *stats, const ChrfOptions *options, int single)
{
    double precision = 0, recall = 0, weight = (double)options->beta * options->beta;
    int orders = 0;
    for (int i = 0; i < options->char_order + options->word_order; i++) {
        if (stats->of[i].hypothesis == 0 || stats->of[i].reference == 0) continue;
        precision += ratio(stats->of[i].match, stats->of[i].hypothesis, single);
        recall += ratio(stats->of[i].match, stats->of[i].reference, single);
        orders++;
    }
    if (precision + recall == 0) return 0;
    precision /= orders;
    recall /= orders;
    return 100 * ((1 + weight) * precision * recall / (weight * precision + recall));
}

/* The mean of the F-scores of all orders. */
static double smoothed_score(const ChrfStats *stats, const ChrfOptions *options, int single)
{
    double sum = 0, eps = 1e-16, weight = (double)options->beta * options->beta;
    int orders = options->char_order + options->word_order;
    for (int i = 0; i < orders; i++) {
        const double matched = stats->of[i].match;
        const double hypothesis = stats->of[i].hypothesis, reference = stats->of[i].reference;
        double precision = hypothesis > 0 ? ratio(matched, hypothesis, single) : eps;
        double recall = reference > 0 ? ratio(matched, reference, single) : eps;
        double both = weight * precision + recall;
        sum += both > 0 ? (1 + weight) * precision * recall / both : eps;
    }
    return 100 * sum / orders;
}

double chrf_score(const ChrfStats *stats, const ChrfOptions *options, int single)
{
    return (options->eps ? smoothed_score : effective_score)(stats, options, single);
}

void chrf_add(ChrfStats *stats, const ChrfOptions *options, const char *hypothesis,
              const char *const *references, int reference_count)
{
    SCOPED(line_free) Line own = { 0 }, reference = { 0 };
    SCOPED(trie_free) Trie vocabulary;
    SCOPED(ngrams_free) Ngrams characters, words;
    read_line(&own, options, hypothesis, &vocabulary, 1);
    ngrams_init(&characters, &own.characters, options->char_order);
    ngrams_init(&words, &own.words, options->word_order);

    ChrfStats best = { 0 };
    double best_score = -1;
    for (int r = 0; r < reference_count; r++) {
        ChrfStats matched = { 0 };
        read_line(&reference, options, references[r], &vocabulary, 0);
        match(&matched, 0, &characters, &own.characters, &reference.characters);
        match(&matched, options->char_order, &words, &own.words, &reference.words);
        double score = chrf_score(&matched, options, 0);
        if (score > best_score) {
            best_score = score;
            best = matched;
        }
    }
    for (int i = 0; i < CHRF_MAX_ORDER; i++) {
        stats->of[i].hypothesis += best.of[i].hypothesis;
        stats->of[i].reference += best.of[i].reference;
        stats->of[i].match += best.of[i].match;
    }
}

/* ---- The metric: a row is the front of a ChrfStats, three counts for each order ---- */

static int width(const void *at)
{
    const ChrfOptions *options = at;
    return 3 * (options->char_order + options->word_order);
}

static void stats_row(const void *options, const char *hypothesis, const char *const *references,
                      int count, double *row)
{
    ChrfStats stats = { 0 };
    chrf_add(&stats, options, hypothesis, references, count);
    memcpy(row, &stats, (size_t)width(options) * sizeof *row);
}

static double score(const void *options, const double *sums, int single)
{
    ChrfStats stats = { 0 };
    memcpy(&stats, sums, (size_t)width(options) * sizeof *sums);
    return chrf_score(&stats, options, single);
}

static void title(const void *at, Buf *out)
{
    const ChrfOptions *options = at;
    buf_printf(out, "chrF%d", options->beta);
    for (int i = 0; i < options->word_order; i++) buf_putc(out, '+');
}

static void signature(const void *at, Buf *out)
{
    const ChrfOptions *options = at;
    buf_printf(out, "case:%s|eff:%s|nc:%d|nw:%d|space:%s", options->lowercase ? "lc" : "mixed",
               options->eps ? "no" : "yes", options->char_order, options->word_order,
               options->whitespace ? "yes" : "no");
}

const Metric metric_chrf = {
    .name = "chrf", .fields = chrf_fields, .options_size = sizeof(ChrfOptions),
    .defaults = &defaults, .width = width, .stats = stats_row, .score = score, .title = title,
    .signature = signature
};

/* ---- chrF++: chrF with n-grams of words ---- */

static const Field no_fields[] = { { .name = NULL } };
enum { PLUS_WORD_ORDER = 2 };

static int settle_plus(void *at, const MetricUse *use, Err *e)
{
    ChrfOptions *options = at;
    (void)use;
    if (options->word_order)
        return err(e, "--chrf-word-order is of chrf; chrf++ is chrf with %d", PLUS_WORD_ORDER);
    options->word_order = PLUS_WORD_ORDER;
    return 0;
}

const Metric metric_chrf_plus = {
    .name = "chrf++", .variant_of = &metric_chrf, .fields = no_fields,
    .options_size = sizeof(ChrfOptions), .defaults = &defaults, .settle = settle_plus,
    .width = width, .stats = stats_row, .score = score, .title = title, .signature = signature
};
