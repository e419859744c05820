/* ranking.c - scores every segment, sorts, keeps the first. */
#include "cmd/eval/ranking.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

static double sentence_bleu(const SystemOutputs *outputs, int system, size_t i,
                            const BleuOptions *options)
{
    BleuOptions sentence = *options;
    BleuStats stats = { 0 };
    sentence.effective_order = 1;
    system_outputs_bleu(outputs, system, i, &sentence, &stats);
    return bleu_score(&stats, &sentence).score;
}

static int by_segment(const Ranked *x, const Ranked *y)
{
    return (x->segment > y->segment) - (x->segment < y->segment);
}

static int lower_bleu_first(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    int order = (x->bleu[0] > y->bleu[0]) - (x->bleu[0] < y->bleu[0]);
    return order ? order : by_segment(x, y);
}

static double difference(const Ranked *row)
{
    return fabs(row->bleu[0] - row->bleu[1]);
}

static int larger_difference_first(const void *a, const void *b)
{
    double x = difference(a), y = difference(b);
    int order = (x < y) - (x > y);
    return order ? order : by_segment(a, b);
}

void ranking_init(Ranking *ranking, RankKind kind, const SystemOutputs *outputs,
                  const BleuOptions *options, size_t most)
{
    size_t count = outputs->segments->count;
    *ranking = (Ranking){ .kind = kind, .row = xmalloc(count, sizeof *ranking->row) };
    for (size_t i = 0; i < count; i++) {
        Ranked row = { .segment = i, .bleu = { sentence_bleu(outputs, 0, i, options) } };
        if (kind == RANK_DIFFERENCE) row.bleu[1] = sentence_bleu(outputs, 1, i, options);
        if (kind == RANK_WORST || difference(&row) > 0) ranking->row[ranking->count++] = row;
    }
    qsort(ranking->row, ranking->count, sizeof *ranking->row,
          kind == RANK_WORST ? lower_bleu_first : larger_difference_first);
    if (ranking->count > most) ranking->count = most;
}

void ranking_free(Ranking *ranking)
{
    free(ranking->row);
    *ranking = (Ranking){ 0 };
}

void ranking_print(FILE *out, const Ranking *ranking, const SystemOutputs *outputs, int width)
{
    for (size_t i = 0; i < ranking->count; i++) {
        const Ranked *row = &ranking->row[i];
        fprintf(out, "%ssegment %zu, BLEU %.*f", i ? "\n" : "", row->segment + 1, width,
                row->bleu[0]);
        if (ranking->kind == RANK_DIFFERENCE) fprintf(out, " and %.*f", width, row->bleu[1]);
        fputc('\n', out);
        system_outputs_print(out, outputs, row->segment);
    }
}

cJSON *ranking_to_json(const Ranking *ranking, const SystemOutputs *outputs, int width)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < ranking->count; i++) {
        const Ranked *row = &ranking->row[i];
        cJSON *object = system_outputs_to_json(outputs, row->segment);
        cJSON *bleu = json_rounded(row->bleu[0], width);
        if (ranking->kind == RANK_DIFFERENCE) {
            cJSON *both = cJSON_AddArrayToObject(object, "bleu");
            cJSON_AddItemToArray(both, bleu);
            cJSON_AddItemToArray(both, json_rounded(row->bleu[1], width));
        } else {
            cJSON_AddItemToObject(object, "bleu", bleu);
        }
        cJSON_AddItemToArray(array, object);
    }
    return array;
}
