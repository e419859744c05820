/* ranking.c - score every sentence, sort, keep the first. */
#include "analysis/ranking.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

static double sentence_bleu(const SystemOutput *t, const char *const *translation, size_t i, const BleuOptions *options)
{
    BleuOptions sentence = *options;
    BleuStats stats = { 0 };
    sentence.effective_order = 1;
    system_output_bleu(t, translation, i, &sentence, &stats);
    return bleu_score(&stats, &sentence).score;
}

static int by_place(const Ranked *x, const Ranked *y)
{
    return (x->segment > y->segment) - (x->segment < y->segment);
}

static int lower_bleu_first(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    int order = (x->bleu > y->bleu) - (x->bleu < y->bleu);
    return order ? order : by_place(x, y);
}

static double difference(const Ranked *row)
{
    return fabs(row->bleu - row->rival);
}

static int larger_difference_first(const void *a, const void *b)
{
    double x = difference(a), y = difference(b);
    int order = (x < y) - (x > y);
    return order ? order : by_place(a, b);
}

Ranking ranking_make(RankKind kind, const SystemOutput *t, const BleuOptions *options, size_t most)
{
    size_t count = t->segments->count;
    Ranking ranking = { .kind = kind, .row = xmalloc(count, sizeof *ranking.row) };
    for (size_t i = 0; i < count; i++) {
        Ranked row = { .segment = i, .bleu = sentence_bleu(t, t->translation, i, options) };
        if (kind == RANK_DIFFERENCE) row.rival = sentence_bleu(t, t->rival, i, options);
        if (kind == RANK_WORST || difference(&row) > 0) ranking.row[ranking.count++] = row;
    }
    qsort(ranking.row, ranking.count, sizeof *ranking.row,
          kind == RANK_WORST ? lower_bleu_first : larger_difference_first);
    if (ranking.count > most) ranking.count = most;
    return ranking;
}

void ranking_free(Ranking *ranking)
{
    free(ranking->row);
    *ranking = (Ranking){ 0 };
}

void ranking_print(FILE *out, const Ranking *ranking, const SystemOutput *t, int width)
{
    for (size_t i = 0; i < ranking->count; i++) {
        const Ranked *row = &ranking->row[i];
        fprintf(out, "%ssegment %zu, BLEU %.*f", i ? "\n" : "", row->segment + 1, width, row->bleu);
        if (ranking->kind == RANK_DIFFERENCE) fprintf(out, " and %.*f", width, row->rival);
        fputc('\n', out);
        system_output_print(out, t, row->segment);
    }
}

cJSON *ranking_to_json(const Ranking *ranking, const SystemOutput *t, int width)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < ranking->count; i++) {
        const Ranked *row = &ranking->row[i];
        cJSON *object = system_output_to_json(t, row->segment), *bleu = json_rounded(row->bleu, width);
        if (ranking->kind == RANK_DIFFERENCE) {
            cJSON *both = cJSON_AddArrayToObject(object, "bleu");
            cJSON_AddItemToArray(both, bleu);
            cJSON_AddItemToArray(both, json_rounded(row->rival, width));
        } else {
            cJSON_AddItemToObject(object, "bleu", bleu);
        }
        cJSON_AddItemToArray(array, object);
    }
    return array;
}
