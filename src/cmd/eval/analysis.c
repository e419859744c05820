/* analysis.c - four closer looks at translations, each as text and as JSON: scores by the length of
 * the source, the worst sentences, those on which two systems differ, and repetitions. */
#include "cmd/eval/analysis.h"

#include "base/mem.h"
#include "base/strings.h"
#include "metrics/bleu.h"
#include "text/string_table.h"
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

int analysis_wanted(const AnalysisOptions *options)
{
    return options->by_length || options->worst || options->errors || options->diff;
}

/* ---- One segment ---- */

static const char *const *references_of(const SystemOutputs *outputs, size_t i)
{
    return (const char *const *)outputs->segments->reference[i];
}

static void print_segment(FILE *out, const SystemOutputs *outputs, size_t i)
{
    const Segments *segments = outputs->segments;
    const char *const *references = references_of(outputs, i), *const line = "  %-11s  %s";
    if (segments->source) printable_line(out, line, "source", segments->source[i]);
    printable_line(out, line, outputs->output[1] ? "first" : "translation", outputs->output[0][i]);
    if (outputs->output[1]) printable_line(out, line, "second", outputs->output[1][i]);
    for (int r = 0; r < segments->references[i]; r++)
        if (references[r]) printable_line(out, line, "reference", references[r]);
}

/* {"segment": i counted from 1, "source": ..., "translation": ..., "references": [...]}; with two
 * systems "translations": [..., ...] instead. */
static cJSON *segment_to_json(const SystemOutputs *outputs, size_t i)
{
    const Segments *segments = outputs->segments;
    const char *const *references = references_of(outputs, i);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "segment", (double)i + 1);
    if (segments->source) cJSON_AddStringToObject(object, "source", segments->source[i]);
    if (outputs->output[1]) {
        const char *const both[] = { outputs->output[0][i], outputs->output[1][i] };
        cJSON_AddItemToObject(object, "translations", cJSON_CreateStringArray(both, 2));
    } else {
        cJSON_AddStringToObject(object, "translation", outputs->output[0][i]);
    }
    cJSON *list = cJSON_AddArrayToObject(object, "references");
    for (int r = 0; r < segments->references[i]; r++)
        if (references[r]) cJSON_AddItemToArray(list, cJSON_CreateString(references[r]));
    return object;
}

/* ---- By length: figure 2 of Bahdanau, Cho and Bengio (2015) ---- */

/* The length of a source is its number of words between blanks. Bucket k has the lengths 5k+1 to
 * 5k+5, and its scores are the corpus scores of its segments. The last bucket has all greater
 * lengths, the first also sources without a word. */
enum { LENGTH_BUCKETS = 11, LENGTH_STEP = 5 };
typedef struct {
    size_t segments[LENGTH_BUCKETS];
    double score[METRICS][LENGTH_BUCKETS];      /* of the first system, where it is wanted */
} ByLength;

static int bucket_of(const char *source)
{
    int words = 0;
    for (int inside = 0; *source;) {
        const int blank = unicode_is_space(unicode_next(&source));
        words += !blank && !inside;
        inside = !blank;
    }
    const int bucket = words ? (words - 1) / LENGTH_STEP : 0;
    return bucket < LENGTH_BUCKETS ? bucket : LENGTH_BUCKETS - 1;
}

static ByLength score_by_length(const SystemOutputs *outputs, const MetricSet *set)
{
    const Segments *segments = outputs->segments;
    ByLength lengths = { 0 };
    for (size_t i = 0; i < segments->count; i++)
        lengths.segments[bucket_of(segments->source[i])]++;
    for (int m = 0; m < METRICS; m++) {
        double sums[LENGTH_BUCKETS][METRIC_MAX_WIDTH] = { 0 }, row[METRIC_MAX_WIDTH];
        if (!metric_set_has(set, m)) continue;
        for (size_t i = 0; i < segments->count; i++) {
            double *sum = sums[bucket_of(segments->source[i])];
            metrics[m]->stats(set->options[m], outputs->output[0][i], references_of(outputs, i),
                              segments->references[i], row);
            for (int k = 0; k < metrics[m]->width(set->options[m]); k++) sum[k] += row[k];
        }
        for (int k = 0; k < LENGTH_BUCKETS; k++)
            if (lengths.segments[k])
                lengths.score[m][k] = metrics[m]->score(set->options[m], sums[k], 0);
    }
    return lengths;
}

/* A table without empty buckets. A column is as wide as its title, or as 100 with all its digits.
 * The bar is that of the first score; 40 columns are a score of 100. */
static void print_by_length(FILE *out, const SystemOutputs *outputs, const MetricSet *set,
                            int width)
{
    enum { BAR_COLUMNS = 40 };
    const ByLength lengths = score_by_length(outputs, set);
    int column[METRICS], first = METRICS;
    Buf text = { 0 };
    fputs("\nScores by source length:\nwords  segments", out);
    for (int m = METRICS - 1; m >= 0; m--)
        if (metric_set_has(set, m)) first = m;
    for (int m = first; m < METRICS; m++) {
        if (!metric_set_has(set, m)) continue;
        buf_clear(&text);
        metrics[m]->title(set->options[m], &text);
        column[m] = (int)text.length > width + 4 ? (int)text.length : width + 4;
        fprintf(out, "  %*s", column[m], text.text);
    }
    fputc('\n', out);
    for (int k = 0; k < LENGTH_BUCKETS; k++) {
        if (!lengths.segments[k]) continue;
        buf_clear(&text);
        buf_printf(&text, "%d", k * LENGTH_STEP + 1);
        if (k < LENGTH_BUCKETS - 1) buf_printf(&text, "-%d", (k + 1) * LENGTH_STEP);
        else buf_putc(&text, '+');
        fprintf(out, "%5s  %8zu", text.text, lengths.segments[k]);
        for (int m = first; m < METRICS; m++)
            if (metric_set_has(set, m))
                fprintf(out, "  %*.*f", column[m], width, lengths.score[m][k]);
        buf_clear(&text);
        bar_draw(lengths.score[first][k] / 100, BAR_COLUMNS, &text);
        fprintf(out, "  %s\n", text.text);
    }
    buf_free(&text);
}

/* [{"from": 6, "to": 10, "segments": 200, "bleu": 45.2, "chrf": 60.3}, ...], with "to" null in the
 * last bucket. */
static cJSON *by_length_to_json(const SystemOutputs *outputs, const MetricSet *set, int width)
{
    const ByLength lengths = score_by_length(outputs, set);
    cJSON *array = cJSON_CreateArray();
    for (int k = 0; k < LENGTH_BUCKETS; k++) {
        if (!lengths.segments[k]) continue;
        cJSON *bucket = cJSON_CreateObject();
        cJSON_AddNumberToObject(bucket, "from", k * LENGTH_STEP + 1);
        if (k < LENGTH_BUCKETS - 1)
            cJSON_AddNumberToObject(bucket, "to", (k + 1) * LENGTH_STEP);
        else cJSON_AddNullToObject(bucket, "to");
        cJSON_AddNumberToObject(bucket, "segments", (double)lengths.segments[k]);
        for (int m = 0; m < METRICS; m++)
            if (metric_set_has(set, m))
                cJSON_AddItemToObject(bucket, metrics[m]->name,
                                      json_rounded(lengths.score[m][k], width));
        cJSON_AddItemToArray(array, bucket);
    }
    return array;
}

/* ---- Rankings by sentence BLEU ---- */

/* Sentence BLEU is that of --sentence-level: orders that do not fit into the translation do not
 * count, and the options choose the smoothing of orders without a match. */
typedef struct {
    size_t segment;
    double bleu[2];         /* of each system; [1] is 0 where one is ranked */
    double key;             /* the lowest comes first; of equals the earlier segment */
} Ranked;

typedef enum { RANK_WORST, RANK_DIFFERENCE } RankKind;

static double sentence_bleu(const SystemOutputs *outputs, int system, size_t i,
                            const BleuOptions *options)
{
    BleuOptions sentence = *options;
    BleuStats stats = { 0 };
    sentence.effective_order = 1;
    bleu_add(&stats, &sentence, outputs->output[system][i], references_of(outputs, i),
             outputs->segments->references[i]);
    return bleu_score(&stats, &sentence).score;
}

static int by_key(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    const int order = (x->key > y->key) - (x->key < y->key);
    return order ? order : (x->segment > y->segment) - (x->segment < y->segment);
}

/* At most `most` segments: those with the lowest BLEU of the first system, or those with the
 * largest difference between two, without segments of equal BLEU. The caller frees the array of
 * *count. */
static Ranked *rank(const SystemOutputs *outputs, RankKind kind, const BleuOptions *options,
                    int most, size_t *count)
{
    Ranked *rows = xmalloc(outputs->segments->count, sizeof *rows);
    *count = 0;
    for (size_t i = 0; i < outputs->segments->count; i++) {
        Ranked row = { i, { sentence_bleu(outputs, 0, i, options), 0 }, 0 };
        if (kind == RANK_DIFFERENCE) row.bleu[1] = sentence_bleu(outputs, 1, i, options);
        row.key = kind == RANK_WORST ? row.bleu[0] : -fabs(row.bleu[0] - row.bleu[1]);
        if (kind == RANK_WORST || row.key < 0) rows[(*count)++] = row;
    }
    qsort(rows, *count, sizeof *rows, by_key);
    if (*count > (size_t)most) *count = (size_t)most;
    return rows;
}

static void print_ranking(FILE *out, const SystemOutputs *outputs, RankKind kind, int most,
                          const MetricSet *set, int width)
{
    size_t count;
    Ranked *rows = rank(outputs, kind, set->options[METRIC_BLEU], most, &count);
    if (!count) fputs("\nNo sentence differs in BLEU.\n", out);
    else
        fprintf(out, "\n%zu sentence%s of the %s:\n", count, plural((double)count),
                kind == RANK_WORST ? "lowest BLEU" : "largest difference in BLEU");
    for (size_t i = 0; i < count; i++) {
        const Ranked *row = &rows[i];
        fprintf(out, "%ssegment %zu, BLEU %.*f", i ? "\n" : "", row->segment + 1, width,
                row->bleu[0]);
        if (kind == RANK_DIFFERENCE) fprintf(out, " and %.*f", width, row->bleu[1]);
        fputc('\n', out);
        print_segment(out, outputs, row->segment);
    }
    free(rows);
}

/* Segments with "bleu": 12.5, or [12.5, 50]. */
static cJSON *ranking_to_json(const SystemOutputs *outputs, RankKind kind, int most,
                              const MetricSet *set, int width)
{
    size_t count;
    Ranked *rows = rank(outputs, kind, set->options[METRIC_BLEU], most, &count);
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++) {
        cJSON *object = segment_to_json(outputs, rows[i].segment);
        cJSON *bleu = json_rounded(rows[i].bleu[0], width);
        if (kind == RANK_DIFFERENCE) {
            cJSON *both = cJSON_AddArrayToObject(object, "bleu");
            cJSON_AddItemToArray(both, bleu);
            cJSON_AddItemToArray(both, json_rounded(rows[i].bleu[1], width));
        } else {
            cJSON_AddItemToObject(object, "bleu", bleu);
        }
        cJSON_AddItemToArray(array, object);
    }
    free(rows);
    return array;
}

/* ---- Repetitions, as those of a network in a loop ---- */

/* A translation repeats itself where the same two to sixteen words occur three times in a row or
 * more, and more often than any such words do in its source and in each of its references: so a
 * reference that is scored against itself never does. A word is a run of letters, marks and
 * numbers; case and the characters between words do not matter. */
enum { FEWEST_WORDS = 2, MOST_WORDS = 16, FEWEST_TIMES = 3 };

typedef struct {
    Buf         text;               /* normalised, in lower case */
    StringTable table;
    int        *id;                 /* (count) the index of each word in the table; owned */
    const char **word, **end;       /* (count) where it is in the text; owned */
    size_t      count, id_capacity, word_capacity, end_capacity;
} WordList;

static int is_of_word(int32_t point)
{
    return unicode_is_letter(point) || unicode_is_mark(point) || unicode_is_number(point);
}

static WordList words_of(const char *text)
{
    WordList list = { 0 };
    buf_clear(&list.text);
    words_normalise(text, strlen(text), 1, &list.text);
    for (const char *at = list.text.text, *end; *at; at = end) {
        end = at;
        for (const char *next = at; *end && is_of_word(unicode_next(&next));) end = next;
        if (end == at) {
            unicode_next(&end);
            continue;
        }
        list.id = grow(list.id, &list.id_capacity, list.count + 1, sizeof *list.id);
        list.word = grow(list.word, &list.word_capacity, list.count + 1, sizeof *list.word);
        list.end = grow(list.end, &list.end_capacity, list.count + 1, sizeof *list.end);
        list.id[list.count] = string_table_add(&list.table, at, (size_t)(end - at));
        list.word[list.count] = at;
        list.end[list.count++] = end;
    }
    return list;
}

static void word_list_free(WordList *list)
{
    buf_free(&list->text);
    string_table_free(&list->table);
    free(list->id);
    free(list->word);
    free(list->end);
}

/* A phrase of `words` words, the first of them number `first`, that occurs `times` times in a
 * row. */
typedef struct { size_t first, words, times; } Run;

/* The run with the most occurrences: ids that equal those a fixed distance before. */
static Run longest_run(const WordList *list)
{
    Run best = { 0, 0, 1 };
    for (size_t words = FEWEST_WORDS; words <= MOST_WORDS; words++)
        for (size_t i = words, same = 0; i < list->count; i++) {
            same = list->id[i] == list->id[i - words] ? same + 1 : 0;
            if (same / words + 1 > best.times)
                best = (Run){ i + 1 - same - words, words, same / words + 1 };
        }
    return best;
}

static size_t most_times(const char *text)
{
    WordList list = words_of(text);
    const size_t times = longest_run(&list).times;
    word_list_free(&list);
    return times;
}

/* What the first system repeats in segment i, in lower case, for free(); NULL: nothing. */
static char *repetition_of(const SystemOutputs *outputs, size_t i)
{
    const Segments *segments = outputs->segments;
    const char *const *references = references_of(outputs, i);
    WordList list = words_of(outputs->output[0][i]);
    const Run run = longest_run(&list);
    int is_fault = run.times >= FEWEST_TIMES && run.times > most_times(segments->source[i]);
    for (int r = 0; is_fault && r < segments->references[i]; r++)
        is_fault = !references[r] || run.times > most_times(references[r]);
    char *words = NULL;
    if (is_fault) {
        const char *start = list.word[run.first], *end = list.end[run.first + run.words - 1];
        words = xstrndup(start, (size_t)(end - start));
    }
    word_list_free(&list);
    return words;
}

enum { REPETITION_EXAMPLES = 3 };
typedef struct {
    size_t count;
    size_t segment[REPETITION_EXAMPLES];    /* the first of them */
    char  *words[REPETITION_EXAMPLES];      /* owned */
} Repetitions;

static Repetitions find_repetitions(const SystemOutputs *outputs)
{
    Repetitions found = { 0 };
    for (size_t i = 0; i < outputs->segments->count; i++) {
        char *words = repetition_of(outputs, i);
        if (!words) continue;
        const size_t number = found.count++;
        if (number < REPETITION_EXAMPLES) {
            found.segment[number] = i;
            found.words[number] = words;
        } else {
            free(words);
        }
    }
    return found;
}

static void print_errors(FILE *out, const SystemOutputs *outputs)
{
    const Repetitions found = find_repetitions(outputs);
    const size_t all = outputs->segments->count;
    fputs("\nThe same words three times in a row, or more:\n", out);
    fprintf(out, "repeats: %zu of %zu segment%s\n", found.count, all, plural((double)all));
    for (int k = 0; k < REPETITION_EXAMPLES && found.words[k]; k++) {
        fputc('\n', out);
        printable_line(out, "segment %zu, %s", found.segment[k] + 1, found.words[k]);
        print_segment(out, outputs, found.segment[k]);
        free(found.words[k]);
    }
}

/* {"repeats": {"segments": 3, "of": 300, "examples": [...]}}; an example is a segment with the
 * words under "repeated". */
static cJSON *errors_to_json(const SystemOutputs *outputs)
{
    const Repetitions found = find_repetitions(outputs);
    cJSON *object = cJSON_CreateObject(), *repeats = cJSON_AddObjectToObject(object, "repeats");
    cJSON_AddNumberToObject(repeats, "segments", (double)found.count);
    cJSON_AddNumberToObject(repeats, "of", (double)outputs->segments->count);
    cJSON *examples = cJSON_AddArrayToObject(repeats, "examples");
    for (int k = 0; k < REPETITION_EXAMPLES && found.words[k]; k++) {
        cJSON *example = segment_to_json(outputs, found.segment[k]);
        cJSON_AddStringToObject(example, "repeated", found.words[k]);
        cJSON_AddItemToArray(examples, example);
        free(found.words[k]);
    }
    return object;
}

/* ---- All that is wanted ---- */

void analysis_print(FILE *out, const AnalysisOptions *options, const SystemOutputs *outputs,
                    const MetricSet *set, int width)
{
    if (options->by_length) print_by_length(out, outputs, set, width);
    if (options->worst) print_ranking(out, outputs, RANK_WORST, options->worst, set, width);
    if (options->errors) print_errors(out, outputs);
    if (options->diff) print_ranking(out, outputs, RANK_DIFFERENCE, options->diff, set, width);
}

void analysis_to_json(const AnalysisOptions *options, const SystemOutputs *outputs,
                      const MetricSet *set, int width, cJSON *object)
{
    if (options->by_length)
        cJSON_AddItemToObject(object, "by_length", by_length_to_json(outputs, set, width));
    if (options->worst)
        cJSON_AddItemToObject(object, "worst", ranking_to_json(outputs, RANK_WORST, options->worst,
                                                               set, width));
    if (options->errors) cJSON_AddItemToObject(object, "errors", errors_to_json(outputs));
    if (options->diff)
        cJSON_AddItemToObject(object, "diff", ranking_to_json(outputs, RANK_DIFFERENCE,
                                                              options->diff, set, width));
}
