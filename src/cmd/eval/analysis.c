/* analysis.c - four closer looks at translations: scores by the length of the source, the worst
 * sentences, those on which two systems differ, and repetitions. Each is computed as JSON, and text
 * is printed from that. */
#include "cmd/eval/eval.h"

#include "base/mem.h"
#include "base/real.h"
#include "base/strings.h"
#include "metrics/bleu.h"
#include "text/unicode.h"
#include "text/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) .offset = offsetof(AnalysisOptions, member)
const Field analysis_fields[] = {
    { .group = "Looking closer", .name = "by-length", .kind = FIELD_FLAG, AT(by_length),
      .help = "the scores by the number of words in the source", .common = 1 },
    { .name = "worst", .kind = FIELD_INT, AT(worst), .low = 0, .high = 1e6, .value = "N",
      .help = "show the N sentences of the lowest sentence BLEU", .common = 1 },
    { .name = "errors", .kind = FIELD_FLAG, AT(errors),
      .help = "count translations that repeat themselves", .common = 1 },
    { .name = "diff", .kind = FIELD_INT, AT(diff), .low = 0, .high = 1e6, .value = "N",
      .help = "show the N sentences on which two --hyp differ most in sentence BLEU" },
    { .name = NULL }
};

/* ---- One segment ---- */

/* {"segment": i counted from 1, "source": ..., "translation": ..., "references": [...]}; with two
 * systems "translations": [..., ...] instead. */
static cJSON *segment_to_json(const TestSet *set, size_t i)
{
    const Segments *segments = &set->segments;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "segment", (double)i + 1);
    if (segments->source) cJSON_AddStringToObject(object, "source", segments->source[i]);
    if (set->system_count > 1) {
        const char *const both[] = { set->systems[0].line[i], set->systems[1].line[i] };
        cJSON_AddItemToObject(object, "translations", cJSON_CreateStringArray(both, 2));
    } else {
        cJSON_AddStringToObject(object, "translation", set->systems[0].line[i]);
    }
    cJSON_AddItemToObject(object, "references",
                          cJSON_CreateStringArray((const char *const *)segments->reference[i],
                                                  segments->references[i]));
    return object;
}

static void print_segment(FILE *out, const cJSON *segment)
{
    static const struct { const char *key, *name, *next; } rows[] = {
        { "source", "source", NULL }, { "translation", "translation", NULL },
        { "translations", "first", "second" }, { "references", "reference", "reference" },
    };
    const char *const line = "  %-11s  %s";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const cJSON *value = cJSON_GetObjectItem(segment, rows[i].key), *text;
        const char *name = rows[i].name;
        if (cJSON_IsString(value)) printable_line(out, line, name, value->valuestring);
        cJSON_ArrayForEach(text, value) {
            printable_line(out, line, name, text->valuestring);
            name = rows[i].next;
        }
    }
}

static double number_of(const cJSON *object, const char *key)
{
    return cJSON_GetNumberValue(cJSON_GetObjectItem(object, key));
}

/* ---- By length: figure 2 of Bahdanau, Cho and Bengio (2015) ---- */

/* The length of a source is its number of words between blanks. Bucket k has the lengths 5k+1 to
 * 5k+5, and its scores are the corpus scores of its segments. The last bucket has all greater
 * lengths, the first also sources without a word. */
enum { LENGTH_BUCKETS = 11, LENGTH_STEP = 5 };

static int bucket_of(const char *source)
{
    const int words = unicode_words(source, strlen(source));
    return words ? min_int((words - 1) / LENGTH_STEP, LENGTH_BUCKETS - 1) : 0;
}

static void add_statistics(double sums[METRICS][METRIC_MAX_WIDTH], const Hypotheses *all, size_t i,
                           const MetricSet *wanted)
{
    for (int m = 0; m < METRICS; m++) {
        double row[METRIC_MAX_WIDTH];
        if (!metric_set_has(wanted, m)) continue;
        metrics[m]->stats(wanted->options[m], all->hypothesis[i], all->reference[i],
                          all->references[i], row);
        for (int k = 0; k < metrics[m]->width(wanted->options[m]); k++) sums[m][k] += row[k];
    }
}

/* [{"from": 6, "to": 10, "segments": 200, "bleu": 45.2, "chrf": 60.3}, ...] without empty buckets;
 * "to" is null in the last. */
static cJSON *by_length_to_json(const TestSet *set, const MetricSet *wanted, int width)
{
    const Hypotheses all = test_set_hypotheses(set, 0);
    cJSON *array = cJSON_CreateArray();
    for (int b = 0; b < LENGTH_BUCKETS; b++) {
        double sums[METRICS][METRIC_MAX_WIDTH] = { 0 };
        int count = 0;
        for (size_t i = 0; i < all.count; i++) {
            if (bucket_of(set->segments.source[i]) != b) continue;
            add_statistics(sums, &all, i, wanted);
            count++;
        }
        if (!count) continue;
        cJSON *bucket = cJSON_CreateObject();
        cJSON_AddNumberToObject(bucket, "from", b * LENGTH_STEP + 1);
        if (b == LENGTH_BUCKETS - 1) cJSON_AddNullToObject(bucket, "to");
        else cJSON_AddNumberToObject(bucket, "to", (b + 1) * LENGTH_STEP);
        cJSON_AddNumberToObject(bucket, "segments", count);
        for (int m = 0; m < METRICS; m++) {
            if (!metric_set_has(wanted, m)) continue;
            const double score = metrics[m]->score(wanted->options[m], sums[m], 0);
            cJSON_AddItemToObject(bucket, metrics[m]->name, json_rounded(score, width));
        }
        cJSON_AddItemToArray(array, bucket);
    }
    return array;
}

/* A column is as wide as its title, or as 100 with all its digits. The bar is that of the first
 * score; 40 columns are a score of 100. */
static void print_by_length(FILE *out, const cJSON *buckets, const MetricSet *wanted, int width)
{
    enum { BAR_COLUMNS = 40 };
    int column[METRICS];
    SCOPED(buf_free) Buf text = { 0 };
    fputs("\nScores by source length:\nwords  segments", out);
    for (int m = 0; m < METRICS; m++) {
        if (!metric_set_has(wanted, m)) continue;
        buf_clear(&text);
        metrics[m]->title(wanted->options[m], &text);
        column[m] = (int)text.length > width + 4 ? (int)text.length : width + 4;
        fprintf(out, "  %*s", column[m], text.text);
    }
    fputc('\n', out);
    const cJSON *bucket;
    cJSON_ArrayForEach(bucket, buckets) {
        const cJSON *to = cJSON_GetObjectItem(bucket, "to");
        double first = -1;
        buf_clear(&text);
        buf_printf(&text, "%.0f", number_of(bucket, "from"));
        if (cJSON_IsNull(to)) buf_putc(&text, '+');
        else buf_printf(&text, "-%.0f", to->valuedouble);
        fprintf(out, "%5s  %8.0f", text.text, number_of(bucket, "segments"));
        for (int m = 0; m < METRICS; m++) {
            if (!metric_set_has(wanted, m)) continue;
            const double score = number_of(bucket, metrics[m]->name);
            fprintf(out, "  %*.*f", column[m], width, score);
            if (first < 0) first = score;
        }
        buf_clear(&text);
        bar_draw(first / 100, BAR_COLUMNS, &text);
        fprintf(out, "  %s\n", text.text);
    }
}

/* ---- Rankings by sentence BLEU ---- */

/* Sentence BLEU is that of --sentence-level: orders that do not fit into the translation do not
 * count, and the options choose the smoothing of orders without a match. */
typedef struct {
    size_t segment;
    double bleu[2];         /* of each system; [1] is 0 where there is one */
    double key;             /* the lowest comes first; of equals the earlier segment */
} Ranked;

static double sentence_bleu(const TestSet *set, int system, size_t i, const BleuOptions *options)
{
    const Hypotheses h = test_set_hypotheses(set, system);
    BleuOptions sentence = *options;
    BleuStats stats = { 0 };
    sentence.effective_order = 1;
    bleu_add(&stats, &sentence, h.hypothesis[i], h.reference[i], h.references[i]);
    return bleu_score(&stats, &sentence, 0).score;
}

static int by_key(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    const int order = (x->key > y->key) - (x->key < y->key);
    return order ? order : (x->segment > y->segment) - (x->segment < y->segment);
}

/* At most `most` segments: of one system those with the lowest BLEU, of two those with the largest
 * difference, without segments of equal BLEU. Each has "bleu": 12.5, or [12.5, 50]. */
static cJSON *ranking_to_json(const TestSet *set, const BleuOptions *options, int most, int width)
{
    const size_t segments = set->segments.count;
    const int compares = set->system_count > 1;
    SCOPED(xfree_at) Ranked *rows = xmalloc(segments, sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < segments; i++) {
        Ranked row = { .segment = i, .bleu = { sentence_bleu(set, 0, i, options) } };
        if (compares) row.bleu[1] = sentence_bleu(set, 1, i, options);
        row.key = compares ? -fabs(row.bleu[0] - row.bleu[1]) : row.bleu[0];
        if (!compares || row.key < 0) rows[count++] = row;
    }
    qsort(rows, count, sizeof *rows, by_key);
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < count && i < (size_t)most; i++) {
        cJSON *object = segment_to_json(set, rows[i].segment);
        cJSON *bleu = json_rounded(rows[i].bleu[0], width);
        if (compares) {
            cJSON *both = cJSON_AddArrayToObject(object, "bleu");
            cJSON_AddItemToArray(both, bleu);
            cJSON_AddItemToArray(both, json_rounded(rows[i].bleu[1], width));
        } else {
            cJSON_AddItemToObject(object, "bleu", bleu);
        }
        cJSON_AddItemToArray(array, object);
    }
    return array;
}

static void print_ranking(FILE *out, const cJSON *ranking, const char *title, int width)
{
    const int count = cJSON_GetArraySize(ranking);
    if (!count) fputs("\nNo sentence differs in BLEU.\n", out);
    else fprintf(out, "\n%d sentence%s of the %s:\n", count, plural(count), title);
    const cJSON *row;
    cJSON_ArrayForEach(row, ranking) {
        const cJSON *bleu = cJSON_GetObjectItem(row, "bleu");
        fprintf(out, "%ssegment %.0f, BLEU ", row == ranking->child ? "" : "\n",
                number_of(row, "segment"));
        if (cJSON_IsArray(bleu))
            fprintf(out, "%.*f and %.*f\n", width, bleu->child->valuedouble, width,
                    bleu->child->next->valuedouble);
        else fprintf(out, "%.*f\n", width, bleu->valuedouble);
        print_segment(out, row);
    }
}

/* ---- Repetitions, as those of a network in a loop ---- */

/* A translation repeats itself where the same two to sixteen words occur three times in a row or
 * more, and more often than any such words do in its source and in each of its references: so a
 * reference that is scored against itself never does. A word is a run of letters, marks and
 * numbers; case and the characters between words do not matter. */
enum { FEWEST_WORDS = 2, MOST_WORDS = 16, FEWEST_TIMES = 3 };

/* The words that occur most often in a row: from the first word of them to the last. */
typedef struct {
    size_t times;
    Slice  words;               /* in lower case, in the buffer of longest_run */
} Run;

static int is_of_word(int32_t point)
{
    return unicode_is_letter(point) || unicode_is_mark(point) || unicode_is_number(point);
}

static Run longest_run(const char *text, Buf *normal)
{
    SCOPED(xfree_at) Slice *word = NULL;
    size_t count = 0, capacity = 0;
    buf_clear(normal);
    words_normalise(text, strlen(text), 1, normal);
    for (const char *at = normal->text, *end; *at; at = end) {
        end = at;
        for (const char *next = at; *end && is_of_word(unicode_next(&next));) end = next;
        if (end == at) {
            unicode_next(&end);
            continue;
        }
        word = grow(word, &capacity, count + 1, sizeof *word);
        word[count++] = slice_between(at, end);
    }
    Run best = { .times = 1 };
    for (size_t words = FEWEST_WORDS; words <= MOST_WORDS; words++)
        for (size_t i = words, same = 0; i < count; i++) {
            same = slices_equal(word[i - words], word[i]) ? same + 1 : 0;
            if (same / words + 1 <= best.times) continue;
            const char *first = word[i + 1 - same - words].text;
            const Slice last = word[i - same];
            best = (Run){ same / words + 1, { first, (size_t)(last.text + last.length - first) } };
        }
    return best;
}

/* What the first system repeats in segment i, for free(); NULL: nothing. */
static char *repetition_of(const TestSet *set, size_t i)
{
    const Segments *segments = &set->segments;
    SCOPED(buf_free) Buf own = { 0 }, other = { 0 };
    const Run run = longest_run(set->systems[0].line[i], &own);
    int is_fault = run.times >= FEWEST_TIMES
                   && run.times > longest_run(segments->source[i], &other).times;
    for (int r = 0; is_fault && r < segments->references[i]; r++)
        is_fault = run.times > longest_run(segments->reference[i][r], &other).times;
    return is_fault ? xstrndup(run.words.text, run.words.length) : NULL;
}

/* {"repeats": {"segments": 3, "of": 300, "examples": [...]}}; an example is one of the first
 * segments with the words under "repeated". */
static cJSON *errors_to_json(const TestSet *set)
{
    enum { EXAMPLES = 3 };
    int count = 0;
    cJSON *examples = cJSON_CreateArray();
    for (size_t i = 0; i < set->segments.count; i++) {
        SCOPED(xfree_at) char *words = repetition_of(set, i);
        if (words && count++ < EXAMPLES) {
            cJSON *example = segment_to_json(set, i);
            cJSON_AddStringToObject(example, "repeated", words);
            cJSON_AddItemToArray(examples, example);
        }
    }
    cJSON *object = cJSON_CreateObject(), *repeats = cJSON_AddObjectToObject(object, "repeats");
    cJSON_AddNumberToObject(repeats, "segments", count);
    cJSON_AddNumberToObject(repeats, "of", (double)set->segments.count);
    cJSON_AddItemToObject(repeats, "examples", examples);
    return object;
}

static void print_errors(FILE *out, const cJSON *errors)
{
    const cJSON *repeats = cJSON_GetObjectItem(errors, "repeats"), *example;
    const double of = number_of(repeats, "of");
    fputs("\nThe same words three times in a row, or more:\n", out);
    fprintf(out, "repeats: %.0f of %.0f segment%s\n", number_of(repeats, "segments"), of,
            plural(of));
    cJSON_ArrayForEach(example, cJSON_GetObjectItem(repeats, "examples")) {
        fputc('\n', out);
        printable_line(out, "segment %.0f, %s", number_of(example, "segment"),
                       cJSON_GetObjectItem(example, "repeated")->valuestring);
        print_segment(out, example);
    }
}

/* ---- All that is wanted ---- */

void analysis_to_json(const AnalysisOptions *options, const TestSet *set, const MetricSet *wanted,
                      int width, cJSON *object)
{
    const BleuOptions *bleu = wanted->options[METRIC_BLEU];
    if (options->by_length)
        cJSON_AddItemToObject(object, "by_length", by_length_to_json(set, wanted, width));
    if (options->worst)
        cJSON_AddItemToObject(object, "worst", ranking_to_json(set, bleu, options->worst, width));
    if (options->errors) cJSON_AddItemToObject(object, "errors", errors_to_json(set));
    if (options->diff)
        cJSON_AddItemToObject(object, "diff", ranking_to_json(set, bleu, options->diff, width));
}

void analysis_print(FILE *out, const cJSON *object, const MetricSet *wanted, int width)
{
    const cJSON *by_length = cJSON_GetObjectItem(object, "by_length");
    const cJSON *worst = cJSON_GetObjectItem(object, "worst");
    const cJSON *errors = cJSON_GetObjectItem(object, "errors");
    const cJSON *diff = cJSON_GetObjectItem(object, "diff");
    if (by_length) print_by_length(out, by_length, wanted, width);
    if (worst) print_ranking(out, worst, "lowest BLEU", width);
    if (errors) print_errors(out, errors);
    if (diff) print_ranking(out, diff, "largest difference in BLEU", width);
}
