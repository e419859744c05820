/* ter.c - the edit distance near the diagonal, the greedy search for shifts, and the score. */
#include "metrics/ter.h"

#include "base/mem.h"
#include "base/real.h"
#include "metrics/symbols.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) .offset = offsetof(TerOptions, member)
const Field ter_fields[] = {
    { .group = "TER", .name = "ter-normalized", .kind = FIELD_FLAG, AT(tercom.normalized),
      .help = "split off punctuation first, as tercom does" },
    { .name = "ter-no-punct", .kind = FIELD_FLAG, AT(tercom.no_punct),
      .help = "leave out . , ? : ; ! \" ( )" },
    { .name = "ter-asian-support", .kind = FIELD_FLAG, AT(tercom.asian),
      .help = "with one of these two: Chinese characters by themselves, Asian punctuation too" },
    { .name = "ter-case-sensitive", .kind = FIELD_FLAG, AT(case_sensitive), .help = "regard case" },
    { .name = NULL }
};

/* ---- Edit distance ----
 *
 * cost(i, j) is the number of edits that turn the first i words of the hypothesis into the first j
 * of the reference. Only cells near the diagonal from (0, 0) to the last cell are computed, so that
 * memory and time are linear in the lengths; the others are infinite. Two hypotheses that are equal
 * up to word i have equal rows up to row i. */

enum { BEAM = 25, INFINITE = INT_MAX / 2 };

/* A row has the columns low..high-1; column low is cost[at]. */
typedef struct { int low, high; size_t at; } Band;

typedef struct {
    const int32_t *reference;
    int            words, length;       /* of the hypothesis, of the reference */
    Band          *band;                /* (words + 1) */
    int           *cost;                /* the rows of the current hypothesis */
    int           *candidate_rows;      /* (2, widest) the last two rows of a candidate */
    size_t         widest;
} Distance;

static int max(int a, int b) { return a > b ? a : b; }

/* Row i has the diagonal and `beam` columns on both sides, rounded as in sacreBLEU. The last row is
 * whole. */
static Band band_of(int i, int words, int length)
{
    if (i == 0) return (Band){ .low = 0, .high = length + 1 };
    double slope = (double)length / words;
    int beam = slope / 2 > BEAM ? (int)ceil(slope / 2 + BEAM) : BEAM;
    int diagonal = (int)floor(i * slope);
    int high = i == words ? length + 1 : min_int(length + 1, diagonal + beam);
    return (Band){ .low = max(0, diagonal - beam), .high = high };
}

static int cell(const int *row, const Band *band, int j)
{
    return j >= band->low && j < band->high ? row[j - band->low] : INFINITE;
}

/* Computes row i, of the i-th word of a hypothesis, from the row above it. */
static void fill_row(const Distance *d, int i, int32_t word, const int *above, int *row)
{
    const Band *band = &d->band[i], *before = band - 1;
    int left = INFINITE;
    for (int j = band->low; j < band->high; j++) {
        int best = cell(above, before, j) + 1;
        if (j > 0) {
            int substituted = cell(above, before, j - 1) + (word != d->reference[j - 1]);
            best = min_int(best, min_int(substituted, left + 1));
        }
        row[j - band->low] = left = min_int(best, INFINITE);
    }
}

static void distance_init(Distance *d, int words, const Symbols *reference, Region *region)
{
    *d = (Distance){ .reference = reference->at, .words = words, .length = (int)reference->count };
    d->band = region_take(region, (size_t)words + 1, sizeof *d->band);
    size_t cells = 0;
    for (int i = 0; i <= words; i++) {
        d->band[i] = band_of(i, words, d->length);
        d->band[i].at = cells;
        size_t width = (size_t)(d->band[i].high - d->band[i].low);
        if (width > d->widest) d->widest = width;
        cells += width;
    }
    d->cost = region_take(region, cells, sizeof *d->cost);
    d->candidate_rows = region_take(region, 2 * d->widest, sizeof *d->candidate_rows);
    for (int j = 0; j <= d->length; j++) d->cost[j] = j;
}

static int last_cell(const Distance *d, const int *row)
{
    const Band *band = &d->band[d->words];
    return row[band->high - 1 - band->low];
}

/* The distance of the current hypothesis; sets its rows. */
static int distance(Distance *d, const int32_t *hypothesis)
{
    for (int i = 1; i <= d->words; i++)
        fill_row(d, i, hypothesis[i - 1], d->cost + d->band[i - 1].at, d->cost + d->band[i].at);
    return last_cell(d, d->cost + d->band[d->words].at);
}

/* The distance of a candidate whose first `same` words are those of the current hypothesis. */
static int candidate_distance(Distance *d, const int32_t *candidate, int same)
{
    const int *above = d->cost + d->band[same].at;
    for (int i = same + 1; i <= d->words; i++) {
        int *row = d->candidate_rows + (i % 2 ? d->widest : 0);
        fill_row(d, i, candidate[i - 1], above, row);
        above = row;
    }
    return last_cell(d, above);
}

/* ---- Alignment: which words are wrong, and where they belong ---- */

typedef struct {
    int  *position;             /* (length) of each word of the reference: its position in the
                                   hypothesis, or for a missing word that of the word before the
                                   gap; -1: the gap is before the first word */
    char *reference_errors;     /* (length) 1: a word of the reference without a match */
    char *hypothesis_errors;    /* (words) 1: a word of the hypothesis without a match */
} Alignment;

/* Goes back from the last cell. Among paths of equal cost it prefers a match or substitution, then
 * an extra word in the hypothesis, then a missing word. */
static void align(const Distance *d, const int32_t *hypothesis, Alignment *a)
{
    for (int i = d->words, j = d->length; i > 0 || j > 0;) {
        const Band *band = &d->band[i];
        int here = cell(d->cost + band->at, band, j);
        int wrong = i > 0 && j > 0 && hypothesis[i - 1] != d->reference[j - 1];
        if (i > 0 && j > 0 && cell(d->cost + band[-1].at, band - 1, j - 1) + wrong == here) {
            i--;
            j--;
            a->position[j] = i;
            a->hypothesis_errors[i] = a->reference_errors[j] = (char)wrong;
        } else if (i > 0 && cell(d->cost + band[-1].at, band - 1, j) + 1 == here) {
            a->hypothesis_errors[--i] = 1;
        } else {
            a->reference_errors[--j] = 1;
            a->position[j] = i - 1;
        }
    }
}

/* ---- Shifts ---- */

enum { MAX_SHIFT_LENGTH = 10, MAX_SHIFT_DISTANCE = 50, MAX_CANDIDATES = 1000 };

typedef struct { int start, length, target, gain; } Shift;

typedef struct {
    Distance   distance;
    Alignment  alignment;
    int32_t   *words;           /* the current hypothesis */
    int32_t   *shifted;         /* a candidate */
    int        edits;           /* the distance of the current hypothesis */
    int        candidates;      /* how many were tried, in all rounds */
    Shift      best;            /* the best of this round; length 0: none */
} Search;

static int32_t *copy_words(int32_t *to, const int32_t *words, int from, int behind)
{
    memcpy(to, words + from, (size_t)(behind - from) * sizeof *to);
    return to + (behind - from);
}

/* Moves a phrase before the word `target`. A target inside the phrase is counted from the gap that
 * it leaves. */
static void shift_words(const int32_t *words, int count, const Shift *shift, int32_t *shifted)
{
    int start = shift->start, behind = start + shift->length, target = shift->target;
    if (target < start) {
        shifted = copy_words(shifted, words, 0, target);
        shifted = copy_words(shifted, words, start, behind);
        shifted = copy_words(shifted, words, target, start);
        copy_words(shifted, words, behind, count);
    } else {
        int rest = target > behind ? target : min_int(shift->length + target, count);
        shifted = copy_words(shifted, words, 0, start);
        shifted = copy_words(shifted, words, behind, rest);
        shifted = copy_words(shifted, words, start, behind);
        copy_words(shifted, words, rest, count);
    }
}

/* The better shift saves more edits; then it is longer, starts earlier, or has the earlier
 * target. */
static int is_better(const Shift *a, const Shift *b)
{
    if (!b->length || a->gain != b->gain) return !b->length || a->gain > b->gain;
    if (a->length != b->length) return a->length > b->length;
    if (a->start != b->start) return a->start < b->start;
    return a->target < b->target;
}

static void try_shift(Search *s, int start, int length, int target)
{
    Shift shift = { start, length, target, 0 };
    shift_words(s->words, s->distance.words, &shift, s->shifted);
    shift.gain = s->edits - candidate_distance(&s->distance, s->shifted, min_int(start, target));
    s->candidates++;
    if (is_better(&shift, &s->best)) s->best = shift;
}

static int any(const char *flags, int from, int length)
{
    return memchr(flags + from, 1, (size_t)length) != NULL;
}

/* Tries to move the phrase that is at `start` in the hypothesis and at `in_reference` in the
 * reference. The targets follow the words that are aligned with the word before the phrase in the
 * reference, and with each word of it. */
static void try_phrase(Search *s, int start, int in_reference, int length)
{
    const Alignment *a = &s->alignment;
    const int position = a->position[in_reference];
    if (!any(a->hypothesis_errors, start, length)) return;
    if (!any(a->reference_errors, in_reference, length)) return;
    if (position >= start && position < start + length) return;
    for (int word = in_reference - 1, previous = -1; word < in_reference + length; word++) {
        int target = word < 0 ? 0 : a->position[word] + 1;
        if (target != previous) try_shift(s, start, length, target);
        previous = target;
    }
}

/* Sets s->best to the best shift of the current hypothesis. */
static void find_shift(Search *s)
{
    const Distance *d = &s->distance;
    s->best = (Shift){ .length = 0 };
    for (int start = 0; start < d->words; start++) {
        int end = min_int(d->length, start + MAX_SHIFT_DISTANCE + 1);
        for (int i = max(0, start - MAX_SHIFT_DISTANCE); i < end; i++) {
            int longest = min_int(MAX_SHIFT_LENGTH, min_int(d->words - start, d->length - i));
            for (int n = 0; n < longest && s->words[start + n] == d->reference[i + n]; n++) {
                try_phrase(s, start, i, n + 1);
                if (s->candidates >= MAX_CANDIDATES) return;
            }
        }
    }
}

/* Shifts while that saves edits; returns the remaining edits and the shifts together. The round in
 * which the number of candidates reaches its limit is discarded. */
static int shift_and_count(Search *s)
{
    for (int shifts = 0;; shifts++) {
        s->edits = distance(&s->distance, s->words);
        align(&s->distance, s->words, &s->alignment);
        find_shift(s);
        if (s->candidates >= MAX_CANDIDATES || !s->best.length || s->best.gain <= 0)
            return s->edits + shifts;
        shift_words(s->words, s->distance.words, &s->best, s->shifted);
        int32_t *shifted = s->shifted;
        s->shifted = s->words;
        s->words = shifted;
    }
}

int ter_edits(const Symbols *hypothesis, const Symbols *reference)
{
    if (reference->count == 0) return (int)hypothesis->count;
    if (hypothesis->count == 0) return (int)reference->count;
    SCOPED(region_free) Region region = { 0 };
    Search s = { .words = region_take(&region, hypothesis->count, sizeof *s.words),
                 .shifted = region_take(&region, hypothesis->count, sizeof *s.shifted),
                 .alignment = { .position = region_take(&region, reference->count, sizeof(int)),
                                .reference_errors = region_take(&region, reference->count, 1),
                                .hypothesis_errors = region_take(&region, hypothesis->count, 1) } };
    distance_init(&s.distance, (int)hypothesis->count, reference, &region);
    memcpy(s.words, hypothesis->at, hypothesis->count * sizeof *s.words);
    return shift_and_count(&s);
}

/* ---- The metric ---- */

static void read_line(const TerOptions *options, const char *text, Symbols *line)
{
    line_read(line, text);
    line_strip_right(line);
    if (!options->case_sensitive) line_lower(line);
    tokenize_tercom(&options->tercom, line);
}

/* sacreBLEU normalises references twice. The second pass finds possessives and full stops that the
 * first has put a blank behind. */
static void read_reference(const TerOptions *options, const char *text, Symbols *line)
{
    read_line(options, text, line);
    if (!options->tercom.normalized) return;
    line_join_words(line);
    tokenize_tercom(&options->tercom, line);
}

enum { EDITS, LENGTH, WIDTH };

static void stats_row(const void *options, const char *hypothesis, const char *const *references,
                      int count, double *row)
{
    SCOPED(symbols_free) Symbols line = { 0 }, words = { 0 }, reference = { 0 };
    SCOPED(trie_free) Trie vocabulary;
    read_line(options, hypothesis, &line);
    trie_init(&vocabulary, line.count);
    trie_words(&vocabulary, 1, &line, &words);
    int fewest = INT_MAX;
    long long length = 0;
    for (int r = 0; r < count; r++) {
        read_reference(options, references[r], &line);
        trie_words(&vocabulary, 0, &line, &reference);
        fewest = min_int(fewest, ter_edits(&words, &reference));
        length += (long long)reference.count;
    }
    row[EDITS] = fewest;
    row[LENGTH] = (double)length / count;
}

static double score(const void *options, const double *sums, int single)
{
    (void)options;
    if (sums[LENGTH] <= 0) return sums[EDITS] > 0 ? 100 : 0;
    if (single) return 100 * (double)((float)sums[EDITS] / (float)sums[LENGTH]);
    return 100 * (sums[EDITS] / sums[LENGTH]);
}

static const TerOptions defaults = { .case_sensitive = 0 };

static int settle(void *at, const MetricUse *use, Err *e)
{
    const TerOptions *options = at;
    (void)use;
    if (options->tercom.asian && !options->tercom.normalized && !options->tercom.no_punct)
        return err(e, "--ter-asian-support is for --ter-normalized and --ter-no-punct");
    return 0;
}

static int width(const void *options)
{
    (void)options;
    return WIDTH;
}

static void title(const void *options, Buf *out)
{
    (void)options;
    buf_puts(out, "TER");
}

static void signature(const void *at, Buf *out)
{
    const TerOptions *options = at;
    buf_printf(out, "case:%s|tok:tercom|norm:%s|punct:%s|asian:%s",
               options->case_sensitive ? "mixed" : "lc",
               options->tercom.normalized ? "yes" : "no", options->tercom.no_punct ? "no" : "yes",
               options->tercom.asian ? "yes" : "no");
}

const Metric metric_ter = {
    .name = "ter", .fields = ter_fields, .options_size = sizeof(TerOptions), .defaults = &defaults,
    .settle = settle, .width = width, .stats = stats_row, .score = score,
    .title = title, .signature = signature
};
