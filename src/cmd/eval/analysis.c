/* analysis.c - the options, and each analysis as text and as JSON. */
#include "cmd/eval/analysis.h"

#include "cmd/eval/by_length.h"
#include "cmd/eval/ranking.h"
#include "cmd/eval/repetitions.h"
#include "base/plural.h"

#define AT(member) .offset = offsetof(AnalysisOptions, member)
const Field analysis_fields[] = {
    { .group = "Looking closer", .name = "by-length", .kind = FIELD_FLAG, AT(by_length),
      .help = "the scores by the number of words in the source",
      .common = 1,
      .reason = "It shows whether a system loses long sentences.",
      .related = "src metrics" },
    { .name = "worst", .kind = FIELD_INT, AT(worst), .low = 0, .high = 1e6, .value = "N",
      .help = "show the N sentences of the lowest sentence BLEU",
      .common = 1,
      .reason = "Reading them is the quickest way to see what is wrong.",
      .related = "errors sentence-level" },
    { .name = "errors", .kind = FIELD_FLAG, AT(errors),
      .help = "count translations that repeat themselves",
      .common = 1,
      .reason = "A network can write the same words again and again; a score hardly tells.",
      .related = "src worst" },
    { .name = "diff", .kind = FIELD_INT, AT(diff), .low = 0, .high = 1e6, .value = "N",
      .help = "show the N sentences on which two --hyp differ most in sentence BLEU",
      .reason = "The sentences where two systems differ say more than the difference of their "
                "scores.",
      .related = "hyp paired-bs" },
    { .name = NULL }
};

int analysis_wanted(const AnalysisOptions *options)
{
    return options->by_length || options->worst || options->errors || options->diff;
}

/* ---- By length ---- */

static void print_by_length(FILE *out, const SystemOutputs *outputs, const ScoreOptions *score)
{
    ByLength lengths = by_length_of(outputs, &score->metrics);
    fputs("\nScores by source length:\n", out);
    by_length_print(out, &lengths, &score->metrics, score->width);
}

static cJSON *by_length_object(const SystemOutputs *outputs, const ScoreOptions *score)
{
    ByLength lengths = by_length_of(outputs, &score->metrics);
    return by_length_to_json(&lengths, &score->metrics, score->width);
}

/* ---- Ranking ---- */

static Ranking rank(RankKind kind, int most, const SystemOutputs *outputs,
                    const ScoreOptions *score)
{
    Ranking ranking;
    ranking_init(&ranking, kind, outputs, score->metrics.options[METRIC_BLEU], (size_t)most);
    return ranking;
}

static void print_ranking(FILE *out, RankKind kind, int most, const SystemOutputs *outputs,
                          const ScoreOptions *score)
{
    Ranking ranking = rank(kind, most, outputs, score);
    if (ranking.count)
        fprintf(out, "\n%zu sentence%s of the %s:\n", ranking.count, plural((double)ranking.count),
                kind == RANK_WORST ? "lowest BLEU" : "largest difference in BLEU");
    else
        fputs("\nNo sentence differs in BLEU.\n", out);
    ranking_print(out, &ranking, outputs, score->width);
    ranking_free(&ranking);
}

static cJSON *ranking_array(RankKind kind, int most, const SystemOutputs *outputs,
                            const ScoreOptions *score)
{
    Ranking ranking = rank(kind, most, outputs, score);
    cJSON *array = ranking_to_json(&ranking, outputs, score->width);
    ranking_free(&ranking);
    return array;
}

/* ---- Errors ---- */

static void print_errors(FILE *out, const SystemOutputs *outputs)
{
    Repetitions repetitions;
    repetitions_init(&repetitions, outputs);
    fputs("\nThe same words three times in a row, or more:\n", out);
    repetitions_print(out, &repetitions, outputs);
    repetitions_free(&repetitions);
}

static cJSON *errors_object(const SystemOutputs *outputs)
{
    Repetitions repetitions;
    cJSON *object = cJSON_CreateObject();
    repetitions_init(&repetitions, outputs);
    cJSON_AddItemToObject(object, "repeats", repetitions_to_json(&repetitions, outputs));
    repetitions_free(&repetitions);
    return object;
}

/* ---- All that is wanted ---- */

void analysis_print(FILE *out, const AnalysisOptions *options, const SystemOutputs *outputs,
                    const ScoreOptions *score)
{
    if (options->by_length) print_by_length(out, outputs, score);
    if (options->worst) print_ranking(out, RANK_WORST, options->worst, outputs, score);
    if (options->errors) print_errors(out, outputs);
    if (options->diff) print_ranking(out, RANK_DIFFERENCE, options->diff, outputs, score);
}

void analysis_to_json(const AnalysisOptions *options, const SystemOutputs *outputs,
                      const ScoreOptions *score, cJSON *object)
{
    if (options->by_length)
        cJSON_AddItemToObject(object, "by_length", by_length_object(outputs, score));
    if (options->worst)
        cJSON_AddItemToObject(object, "worst",
                              ranking_array(RANK_WORST, options->worst, outputs, score));
    if (options->errors) cJSON_AddItemToObject(object, "errors", errors_object(outputs));
    if (options->diff)
        cJSON_AddItemToObject(object, "diff",
                              ranking_array(RANK_DIFFERENCE, options->diff, outputs, score));
}
