/* analysis.c - the options, and one after another what they ask for. */
#include "cmd/eval/analysis.h"

#include "analysis/by_length.h"
#include "analysis/omissions.h"
#include "analysis/ranking.h"
#include "analysis/repetitions.h"

#define AT(member) .offset = offsetof(AnalysisOptions, member)
const Field analysis_fields[] = {
    { .group = "Looking closer", .name = "by-length", .kind = FIELD_FLAG, AT(by_length),
      .help = "the scores by the number of words in the source" },
    { .name = "worst", .kind = FIELD_INT, AT(worst), .low = 0, .high = 1e6, .value = "N",
      .help = "show the N sentences of the lowest sentence BLEU" },
    { .name = "errors", .kind = FIELD_FLAG, AT(errors),
      .help = "count numbers, names and negations of the source that are lost in translation, and translations that "
              "repeat themselves" },
    { .name = "diff", .kind = FIELD_INT, AT(diff), .low = 0, .high = 1e6, .value = "N",
      .help = "show the N sentences on which two --hyp differ most in sentence BLEU" },
    { .name = NULL }
};

int analysis_wanted(const AnalysisOptions *options)
{
    return options->by_length || options->worst || options->errors || options->diff;
}

/* ---- Text ---- */

static void print_by_length(FILE *out, const SystemOutput *t, const ScoreOptions *score)
{
    ByLength lengths = by_length(t, score);
    fputs("\nScores by source length:\n", out);
    by_length_print(out, &lengths, score);
}

static void print_ranking(FILE *out, RankKind kind, int most, const SystemOutput *t, const ScoreOptions *score)
{
    Ranking ranking = ranking_make(kind, t, score_options(score, "bleu"), (size_t)most);
    if (ranking.count)
        fprintf(out, "\n%zu sentence%s of the %s:\n", ranking.count, ranking.count == 1 ? "" : "s",
                kind == RANK_WORST ? "lowest BLEU" : "largest difference in BLEU");
    else
        fputs("\nNo sentence differs in BLEU.\n", out);
    ranking_print(out, &ranking, t, score->width);
    ranking_free(&ranking);
}

static void print_omissions(FILE *out, const SystemOutput *t)
{
    Omissions omissions;
    omissions_count(&omissions, t);
    fputs("\nOf the source missing in the translation:\n", out);
    omissions_print(out, &omissions, t);
    omissions_free(&omissions);
}

static void print_repetitions(FILE *out, const SystemOutput *t)
{
    Repetitions repetitions;
    repetitions_count(&repetitions, t);
    fputs("\nThe same words three times in a row, or more:\n", out);
    repetitions_print(out, &repetitions, t);
    repetitions_free(&repetitions);
}

void analysis_print(FILE *out, const AnalysisOptions *options, const SystemOutput *t, const ScoreOptions *score)
{
    if (options->by_length) print_by_length(out, t, score);
    if (options->worst) print_ranking(out, RANK_WORST, options->worst, t, score);
    if (options->errors) {
        print_omissions(out, t);
        print_repetitions(out, t);
    }
    if (options->diff) print_ranking(out, RANK_DIFFERENCE, options->diff, t, score);
}

/* ---- JSON ---- */

static cJSON *by_length_in_json(const SystemOutput *t, const ScoreOptions *score)
{
    ByLength lengths = by_length(t, score);
    return by_length_to_json(&lengths, score);
}

static cJSON *ranking_in_json(RankKind kind, int most, const SystemOutput *t, const ScoreOptions *score)
{
    Ranking ranking = ranking_make(kind, t, score_options(score, "bleu"), (size_t)most);
    cJSON *array = ranking_to_json(&ranking, t, score->width);
    ranking_free(&ranking);
    return array;
}

static cJSON *errors_in_json(const SystemOutput *t)
{
    Omissions omissions;
    Repetitions repetitions;
    omissions_count(&omissions, t);
    repetitions_count(&repetitions, t);
    cJSON *object = omissions_to_json(&omissions, t);
    cJSON_AddItemToObject(object, "repeats", repetitions_to_json(&repetitions, t));
    omissions_free(&omissions);
    repetitions_free(&repetitions);
    return object;
}

void analysis_to_json(const AnalysisOptions *options, const SystemOutput *t, const ScoreOptions *score, cJSON *object)
{
    if (options->by_length) cJSON_AddItemToObject(object, "by_length", by_length_in_json(t, score));
    if (options->worst) cJSON_AddItemToObject(object, "worst", ranking_in_json(RANK_WORST, options->worst, t, score));
    if (options->errors) cJSON_AddItemToObject(object, "errors", errors_in_json(t));
    if (options->diff) cJSON_AddItemToObject(object, "diff", ranking_in_json(RANK_DIFFERENCE, options->diff, t, score));
}
