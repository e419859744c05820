/* ter.c - edit distance near the diagonal, the greedy search for shifts, and the score. */
#include "metrics/ter.h"

#include "base/min.h"
#include "base/mem.h"
#include "metrics/symbols.h"
#include "metrics/trie.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) .offset = offsetof(TerOptions, member)
const Field ter_fields[] = {
    { .group = "TER", .name = "ter-normalized", .kind = FIELD_FLAG, AT(words.normalized),
      .help = "cut off punctuation first, as tercom does" },
    { .name = "ter-no-punct", .kind = FIELD_FLAG, AT(words.no_punct), .help = "leave out . , ? : ; ! \" ( )" },
    { .name = "ter-asian-support", .kind = FIELD_FLAG, AT(words.asian),
      .help = "with one of these two: Chinese characters by themselves, Asian punctuation too" },
    { .name = "ter-case-sensitive", .kind = FIELD_FLAG, AT(case_sensitive), .help = "regard case" },
    { .name = NULL }
};

/* ---- Edit distance ----
 *
 * cost(i, j) is how many edits turn the first i words of the hypothesis into the first j of the reference. Only cells
 * near the line from one corner to the other are computed, so that memory and time are linear in the lengths; the
 * others are infinite. Rows of two hypotheses that are equal up to word i are equal up to row i. */

enum { BEAM = 25, INFINITE = INT_MAX / 2 };

/* The columns low..high-1 of a row, which begins at cost[at]. */
typedef struct { int low, high; size_t at; } Band;

typedef struct {
    const int32_t *reference;
    int            words, length;       /* of the hypothesis, of the reference */
    Band          *band;                /* (words + 1) */
    int           *cost;                /* rows of the hypothesis as it stands */
    int           *trial;               /* (2, widest) two rows of a candidate in turn */
    size_t         widest;
} Distance;

static int max(int a, int b) { return a > b ? a : b; }

/* Row i: the diagonal and `beam` columns on both sides, as sacreBLEU rounds them. The last row is whole. */
static Band band_of(int i, int words, int length)
{
    if (i == 0) return (Band){ .low = 0, .high = length + 1 };
    double slope = (double)length / words;
    int beam = slope / 2 > BEAM ? (int)ceil(slope / 2 + BEAM) : BEAM, diagonal = (int)floor(i * slope);
    int high = i == words ? length + 1 : min_int(length + 1, diagonal + beam);
    return (Band){ .low = max(0, diagonal - beam), .high = high };
}

static int cell(const int *row, const Band *band, int j)
{
    return j >= band->low && j < band->high ? row[j - band->low] : INFINITE;
}

/* Row i from the row above it, for the i-th word of a hypothesis. */
static void fill_row(const Distance *d, int i, int32_t word, const int *above, int *row)
{
    const Band *band = &d->band[i], *before = band - 1;
    int left = INFINITE;
    for (int j = band->low; j < band->high; j++) {
        int best = cell(above, before, j) + 1;
        if (j > 0) best = min_int(best, min_int(cell(above, before, j - 1) + (word != d->reference[j - 1]), left + 1));
        row[j - band->low] = left = min_int(best, INFINITE);
    }
}

static void distance_init(Distance *d, int words, const Symbols *reference)
{
    *d = (Distance){ .reference = reference->at, .words = words, .length = (int)reference->count };
    d->band = xmalloc((size_t)words + 1, sizeof *d->band);
    size_t cells = 0;
    for (int i = 0; i <= words; i++) {
        d->band[i] = band_of(i, words, d->length);
        d->band[i].at = cells;
        size_t width = (size_t)(d->band[i].high - d->band[i].low);
        if (width > d->widest) d->widest = width;
        cells += width;
    }
    d->cost = xmalloc(cells, sizeof *d->cost);
    d->trial = xmalloc(2 * d->widest, sizeof *d->trial);
    for (int j = 0; j <= d->length; j++) d->cost[j] = j;
}

static void distance_free(Distance *d)
{
    free(d->band);
    free(d->cost);
    free(d->trial);
}

static int last_cell(const Distance *d, const int *row)
{
    const Band *band = &d->band[d->words];
    return row[band->high - 1 - band->low];
}

/* The distance of the hypothesis as it stands. */
static int distance(Distance *d, const int32_t *hypothesis)
{
    for (int i = 1; i <= d->words; i++)
        fill_row(d, i, hypothesis[i - 1], d->cost + d->band[i - 1].at, d->cost + d->band[i].at);
    return last_cell(d, d->cost + d->band[d->words].at);
}

/* The distance of a candidate whose first `same` words are those of the hypothesis as it stands. */
static int model_evaluation_distance(Distance *d, const int32_t *candidate, int same)
{
    const int *above = d->cost + d->band[same].at;
    for (int i = same + 1; i <= d->words; i++) {
        int *row = d->trial + (i % 2 ? d->widest : 0);
        fill_row(d, i, candidate[i - 1], above, row);
        above = row;
    }
    return last_cell(d, above);
}

/* ---- Which words are wrong, and where they belong ---- */

typedef struct {
    int  *position;         /* (length) of each word of the reference: its place in the hypothesis, or that of the word
                             * before the gap where it is missing; -1: before the first */
    char *wrong_there;      /* (length) words of the reference without a match */
    char *wrong_here;       /* (words) words of the hypothesis without one */
} Alignment;

/* Walks back from the end. Of ways of equal cost it takes a match or substitution, then a word too many in the
 * hypothesis, then one that is missing. */
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
            a->wrong_here[i] = a->wrong_there[j] = (char)wrong;
        } else if (i > 0 && cell(d->cost + band[-1].at, band - 1, j) + 1 == here) {
            a->wrong_here[--i] = 1;
        } else {
            a->wrong_there[--j] = 1;
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
    int32_t   *words;           /* the hypothesis as it stands */
    int32_t   *shifted;         /* a candidate */
    int        edits;           /* distance of the words */
    int        candidates;      /* tried so far, in all rounds */
    Shift      best;            /* of this round; length 0: none */
} Search;

static int32_t *copy_words(int32_t *to, const int32_t *words, int from, int behind)
{
    memcpy(to, words + from, (size_t)(behind - from) * sizeof *to);
    return to + (behind - from);
}

/* Moves a run before the word `target`. A target inside the run counts from where the run has been taken out. */
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

/* More edits saved, then the longer run, then the one that starts first, then the first target. */
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
    shift.gain = s->edits - model_evaluation_distance(&s->distance, s->shifted, min_int(start, target));
    s->candidates++;
    if (is_better(&shift, &s->best)) s->best = shift;
}

static int any(const char *flags, int from, int length)
{
    return memchr(flags + from, 1, (size_t)length) != NULL;
}

/* Moves the run that stands at `start` here and at `there` in the reference: to behind what is aligned with the word
 * before it there, and with each of its own words. */
static void try_run(Search *s, int start, int there, int length)
{
    const Alignment *a = &s->alignment;
    if (!any(a->wrong_here, start, length) || !any(a->wrong_there, there, length)) return;
    if (a->position[there] >= start && a->position[there] < start + length) return;
    for (int word = there - 1, before = -1; word < there + length; word++) {
        int target = word < 0 ? 0 : a->position[word] + 1;
        if (target != before) try_shift(s, start, length, target);
        before = target;
    }
}

/* The best shift of the words as they stand; length 0: there is none. */
static void find_shift(Search *s)
{
    const Distance *d = &s->distance;
    s->best = (Shift){ .length = 0 };
    for (int start = 0; start < d->words; start++) {
        int behind = min_int(d->length, start + MAX_SHIFT_DISTANCE + 1);
        for (int there = max(0, start - MAX_SHIFT_DISTANCE); there < behind; there++) {
            int most = min_int(MAX_SHIFT_LENGTH, min_int(d->words - start, d->length - there));
            for (int n = 0; n < most && s->words[start + n] == d->reference[there + n]; n++) {
                try_run(s, start, there, n + 1);
                if (s->candidates >= MAX_CANDIDATES) return;
            }
        }
    }
}

/* Shifts until nothing is gained; edits that are left, and the shifts. When too many candidates were tried, the round
 * in which that happened is lost. */
static int shift_and_count(Search *s)
{
    for (int shifts = 0;; shifts++) {
        s->edits = distance(&s->distance, s->words);
        align(&s->distance, s->words, &s->alignment);
        find_shift(s);
        if (s->candidates >= MAX_CANDIDATES || !s->best.length || s->best.gain <= 0) return s->edits + shifts;
        shift_words(s->words, s->distance.words, &s->best, s->shifted);
        int32_t *now = s->shifted;
        s->shifted = s->words;
        s->words = now;
    }
}

int ter_edits(const Symbols *hypothesis, const Symbols *reference)
{
    if (reference->count == 0) return (int)hypothesis->count;
    if (hypothesis->count == 0) return (int)reference->count;
    Search s = { .words = xmalloc(hypothesis->count, sizeof *s.words),
                 .shifted = xmalloc(hypothesis->count, sizeof *s.shifted),
                 .alignment = { .position = xmalloc(reference->count, sizeof(int)),
                                .wrong_there = xmalloc(reference->count, 1),
                                .wrong_here = xmalloc(hypothesis->count, 1) } };
    distance_init(&s.distance, (int)hypothesis->count, reference);
    memcpy(s.words, hypothesis->at, hypothesis->count * sizeof *s.words);
    int edits = shift_and_count(&s);
    distance_free(&s.distance);
    free(s.words);
    free(s.shifted);
    free(s.alignment.position);
    free(s.alignment.wrong_there);
    free(s.alignment.wrong_here);
    return edits;
}

/* ---- The metric ---- */

static void read_line(const TerOptions *options, const char *text, Symbols *line)
{
    line_read(line, text);
    line_strip_right(line);
    if (!options->case_sensitive) line_lower(line);
    tokenize_tercom(&options->words, line);
}

/* sacreBLEU cuts references twice, when it takes them in and when it prepares them. Where it normalises, the second
 * pass finds possessives and full stops that the first has put a blank behind. */
static void read_reference(const TerOptions *options, const char *text, Symbols *line)
{
    read_line(options, text, line);
    if (!options->words.normalized) return;
    line_join_words(line);
    tokenize_tercom(&options->words, line);
}

enum { EDITS, LENGTH, WIDTH };

static void row_of(const void *options, const char *hypothesis, const char *const *references, int count, double *row)
{
    Symbols line = { 0 }, ours = { 0 }, theirs = { 0 };
    Trie vocabulary;
    read_line(options, hypothesis, &line);
    trie_init(&vocabulary, line.count);
    trie_learn_words(&vocabulary, &line, &ours);
    int fewest = INT_MAX, present = 0;
    long long length = 0;
    for (int r = 0; r < count; r++) {
        if (!references[r]) continue;
        read_reference(options, references[r], &line);
        trie_find_words(&vocabulary, &line, &theirs);
        fewest = min_int(fewest, ter_edits(&ours, &theirs));
        length += (long long)theirs.count;
        present++;
    }
    row[EDITS] = fewest;
    row[LENGTH] = (double)length / present;
    trie_free(&vocabulary);
    symbols_free(&theirs);
    symbols_free(&ours);
    symbols_free(&line);
}

static double score(const void *options, const double *sums, int single)
{
    (void)options;
    if (sums[LENGTH] <= 0) return sums[EDITS] > 0 ? 100 : 0;
    return 100 * (single ? (double)((float)sums[EDITS] / (float)sums[LENGTH]) : sums[EDITS] / sums[LENGTH]);
}

static void defaults(void *options)
{
    *(TerOptions *)options = (TerOptions){ .case_sensitive = 0 };
}

static int settle(void *at, const Use *use, Err *e)
{
    const TerOptions *options = at;
    (void)use;
    if (options->words.asian && !options->words.normalized && !options->words.no_punct)
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
    buf_printf(out, "case:%s|tok:tercom|norm:%s|punct:%s|asian:%s", options->case_sensitive ? "mixed" : "lc",
               options->words.normalized ? "yes" : "no", options->words.no_punct ? "no" : "yes",
               options->words.asian ? "yes" : "no");
}

const Metric metric_ter = {
    .name = "ter", .fields = ter_fields, .options_size = sizeof(TerOptions), .defaults = defaults, .settle = settle,
    .width = width, .stats = row_of, .score = score, .title = title, .signature = signature
};
