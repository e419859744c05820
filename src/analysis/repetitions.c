/* repetitions.c - words become ids; a run of ids that equal those a fixed distance before is a
 * repetition. */
#include "analysis/repetitions.h"

#include "analysis/tokens.h"
#include "base/mem.h"
#include "base/plural.h"
#include "text/string_table.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST_WORDS = 2, MOST_WORDS = 16, FEWEST_TIMES = 3 };

/* ---- A line ---- */

typedef struct {
    Buf         text;               /* normalised, in lower case */
    StringTable table;
    int        *id;                 /* (count) the index of each word in the table; owned */
    Token      *word;               /* (count) owned */
    size_t      count, id_capacity, word_capacity;
} WordList;

static WordList words_of(const char *text)
{
    WordList line = { 0 };
    Token token;
    buf_clear(&line.text);
    words_normalise(text, strlen(text), 1, &line.text);
    for (Tokens at = tokens_of(line.text.text); tokens_next(&at, &token); line.count++) {
        line.id = grow(line.id, &line.id_capacity, line.count + 1, sizeof *line.id);
        line.word = grow(line.word, &line.word_capacity, line.count + 1, sizeof *line.word);
        line.id[line.count] = string_table_add(&line.table, token.text, token.length);
        line.word[line.count] = token;
    }
    return line;
}

static void word_list_free(WordList *line)
{
    buf_free(&line->text);
    string_table_free(&line->table);
    free(line->id);
    free(line->word);
}

/* A phrase of `words` words, the first of them number `first`, that occurs `times` times in a
 * row. */
typedef struct { size_t first, words, times; } Run;

/* The run with the most occurrences. */
static Run longest_run(const WordList *line)
{
    Run best = { 0, 0, 1 };
    for (size_t words = FEWEST_WORDS; words <= MOST_WORDS; words++)
        for (size_t i = words, same = 0; i < line->count; i++) {
            same = line->id[i] == line->id[i - words] ? same + 1 : 0;
            if (same / words + 1 > best.times)
                best = (Run){ i + 1 - same - words, words, same / words + 1 };
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

/* The most occurrences in a row that are no fault: those of the source and of the references. */
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

static void count_segment(Repetitions *repetitions, const SystemOutputs *outputs, size_t i)
{
    WordList line = words_of(outputs->output[0][i]);
    const Run run = longest_run(&line);
    if (run.times >= FEWEST_TIMES && run.times > times_allowed(outputs->segments, i)) {
        const Token *first = &line.word[run.first], *last = &line.word[run.first + run.words - 1];
        fault_examples_add(&repetitions->examples, i, first->text,
                     (size_t)(last->text + last->length - first->text));
        repetitions->count++;
    }
    word_list_free(&line);
}

void repetitions_init(Repetitions *repetitions, const SystemOutputs *outputs)
{
    *repetitions = (Repetitions){ .all = outputs->segments->count };
    for (size_t i = 0; i < outputs->segments->count; i++) count_segment(repetitions, outputs, i);
}

void repetitions_free(Repetitions *repetitions)
{
    fault_examples_free(&repetitions->examples);
    *repetitions = (Repetitions){ 0 };
}

/* ---- Printing ---- */

void repetitions_print(FILE *out, const Repetitions *repetitions, const SystemOutputs *outputs)
{
    fprintf(out, "repeats: %zu of %zu segment%s\n", repetitions->count, repetitions->all,
            plural((double)repetitions->all));
    fault_examples_print(out, &repetitions->examples, outputs);
}

cJSON *repetitions_to_json(const Repetitions *repetitions, const SystemOutputs *outputs)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "segments", (double)repetitions->count);
    cJSON_AddNumberToObject(object, "of", (double)repetitions->all);
    cJSON_AddItemToObject(object, "examples",
                          fault_examples_to_json(&repetitions->examples, outputs, "repeated"));
    return object;
}
