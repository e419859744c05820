/* repetitions.c - words become numbers, and a run of equal numbers a fixed distance apart is a repetition. */
#include "analysis/repetitions.h"

#include "base/mem.h"
#include "base/printable.h"
#include "analysis/tokens.h"
#include "text/string_table.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST_WORDS = 2, MOST_WORDS = 16, FEWEST_TIMES = 3 };

/* ---- A line ---- */

typedef struct {
    Buf     text;                   /* normal, in lower case */
    StringTable lexicon;
    int    *id;                     /* (count) of each word */
    Token  *word;                   /* (count) */
    size_t  count, id_capacity, word_capacity;
} WordList;

static WordList words_of(const char *text)
{
    WordList line = { 0 };
    Token token;
    buf_clear(&line.text);
    words_normalise(text, strlen(text), 1, &line.text);
    for (Tokens at = tokens_start(line.text.text); tokens_next(&at, &token); line.count++) {
        line.id = grow(line.id, &line.id_capacity, line.count + 1, sizeof *line.id);
        line.word = grow(line.word, &line.word_capacity, line.count + 1, sizeof *line.word);
        line.id[line.count] = string_table_add(&line.lexicon, token.text, token.length);
        line.word[line.count] = token;
    }
    return line;
}

static void word_list_free(WordList *line)
{
    buf_free(&line->text);
    string_table_free(&line->lexicon);
    free(line->id);
    free(line->word);
}

/* `words` words from `first` on stand `times` times in a row. */
typedef struct { size_t first, words, times; } Run;

/* The run of the most times. */
static Run longest_run(const WordList *line)
{
    Run best = { 0, 0, 1 };
    for (size_t words = FEWEST_WORDS; words <= MOST_WORDS; words++)
        for (size_t i = words, same = 0; i < line->count; i++) {
            same = line->id[i] == line->id[i - words] ? same + 1 : 0;
            if (same / words + 1 > best.times) best = (Run){ i + 1 - same - words, words, same / words + 1 };
        }
    return best;
}

static size_t most_times(const char *text)
{
    WordList line = words_of(text);
    size_t times = longest_run(&line).times;
    word_list_free(&line);
    return times;
}

/* ---- A segment ---- */

/* As often as any words may stand in a row. */
static size_t times_allowed(const Segments *segments, size_t i)
{
    size_t allowed = most_times(segments->source[i]);
    for (int r = 0; r < segments->references[i]; r++) {
        const char *reference = segments->reference[i][r];
        size_t times = reference ? most_times(reference) : 0;
        if (times > allowed) allowed = times;
    }
    return allowed;
}

/* What translation i repeats; owned; NULL: nothing. */
static char *repeated(const SystemOutput *t, size_t i)
{
    char *what = NULL;
    WordList line = words_of(t->translation[i]);
    const Run run = longest_run(&line);
    if (run.times >= FEWEST_TIMES && run.times > times_allowed(t->segments, i)) {
        const Token *first = &line.word[run.first], *last = &line.word[run.first + run.words - 1];
        what = xstrndup(first->text, (size_t)(last->text + last->length - first->text));
    }
    word_list_free(&line);
    return what;
}

void repetitions_count(Repetitions *repetitions, const SystemOutput *t)
{
    *repetitions = (Repetitions){ .all = t->segments->count };
    for (size_t i = 0; i < t->segments->count; i++) {
        char *what = repeated(t, i);
        if (!what) continue;
        if (repetitions->count < REPETITION_EXAMPLES)
            repetitions->example[repetitions->count] = (Repetition){ i, what };
        else
            free(what);
        repetitions->count++;
    }
}

void repetitions_free(Repetitions *repetitions)
{
    for (int k = 0; k < REPETITION_EXAMPLES; k++) free(repetitions->example[k].what);
    *repetitions = (Repetitions){ 0 };
}

/* ---- Showing ---- */

void repetitions_print(FILE *out, const Repetitions *repetitions, const SystemOutput *t)
{
    fprintf(out, "repeats: %zu of %zu segment%s\n", repetitions->count, repetitions->all,
            repetitions->all == 1 ? "" : "s");
    for (int k = 0; k < REPETITION_EXAMPLES && repetitions->example[k].what; k++) {
        const Repetition *example = &repetitions->example[k];
        fputc('\n', out);
        printable_line(out, "segment %zu, %s", example->segment + 1, example->what);
        system_output_print(out, t, example->segment);
    }
}

cJSON *repetitions_to_json(const Repetitions *repetitions, const SystemOutput *t)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "segments", (double)repetitions->count);
    cJSON_AddNumberToObject(object, "of", (double)repetitions->all);
    cJSON *examples = cJSON_AddArrayToObject(object, "examples");
    for (int k = 0; k < REPETITION_EXAMPLES && repetitions->example[k].what; k++) {
        cJSON *example = system_output_to_json(t, repetitions->example[k].segment);
        cJSON_AddStringToObject(example, "repeated", repetitions->example[k].what);
        cJSON_AddItemToArray(examples, example);
    }
    return object;
}
