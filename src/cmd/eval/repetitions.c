/* repetitions.c - words become ids; a run of ids that equal those a fixed distance before is a
 * repetition. */
#include "cmd/eval/repetitions.h"

#include "base/mem.h"
#include "base/plural.h"
#include "base/printable.h"
#include "text/string_table.h"
#include "text/unicode.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST_WORDS = 2, MOST_WORDS = 16, FEWEST_TIMES = 3 };

/* ---- A line ---- */

typedef struct { const char *at, *end; } WordSpan;

typedef struct {
    Buf         text;               /* normalised, in lower case */
    StringTable table;
    int        *id;                 /* (count) the index of each word in the table; owned */
    WordSpan   *word;               /* (count) owned */
    size_t      count, id_capacity, word_capacity;
} WordList;

static int is_of_word(int32_t point)
{
    return unicode_is_letter(point) || unicode_is_mark(point) || unicode_is_number(point);
}

static const char *word_end(const char *at)
{
    for (const char *next = at; *at && is_of_word(unicode_next(&next)); at = next) {}
    return at;
}

static void add_word(WordList *line, WordSpan word)
{
    line->id = grow(line->id, &line->id_capacity, line->count + 1, sizeof *line->id);
    line->word = grow(line->word, &line->word_capacity, line->count + 1, sizeof *line->word);
    line->id[line->count] = string_table_add(&line->table, word.at, (size_t)(word.end - word.at));
    line->word[line->count++] = word;
}

static WordList words_of(const char *text)
{
    WordList line = { 0 };
    buf_clear(&line.text);
    words_normalise(text, strlen(text), 1, &line.text);
    for (const char *at = line.text.text, *end; *at; at = end) {
        end = word_end(at);
        if (end > at) add_word(&line, (WordSpan){ at, end });
        else unicode_next(&end);
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

static void add_repetition(Repetitions *repetitions, size_t segment, const WordList *line, Run run)
{
    const char *at = line->word[run.first].at, *end = line->word[run.first + run.words - 1].end;
    const size_t number = repetitions->count++;
    if (number >= REPETITION_EXAMPLES) return;
    repetitions->segment[number] = segment;
    repetitions->words[number] = xstrndup(at, (size_t)(end - at));
}

static void count_segment(Repetitions *repetitions, const SystemOutputs *outputs, size_t i)
{
    WordList line = words_of(outputs->output[0][i]);
    const Run run = longest_run(&line);
    if (run.times >= FEWEST_TIMES && run.times > times_allowed(outputs->segments, i))
        add_repetition(repetitions, i, &line, run);
    word_list_free(&line);
}

void repetitions_init(Repetitions *repetitions, const SystemOutputs *outputs)
{
    *repetitions = (Repetitions){ .all = outputs->segments->count };
    for (size_t i = 0; i < outputs->segments->count; i++) count_segment(repetitions, outputs, i);
}

void repetitions_free(Repetitions *repetitions)
{
    for (int k = 0; k < REPETITION_EXAMPLES; k++) free(repetitions->words[k]);
    *repetitions = (Repetitions){ 0 };
}

/* ---- Printing ---- */

void repetitions_print(FILE *out, const Repetitions *repetitions, const SystemOutputs *outputs)
{
    fprintf(out, "repeats: %zu of %zu segment%s\n", repetitions->count, repetitions->all,
            plural((double)repetitions->all));
    for (int k = 0; k < REPETITION_EXAMPLES && repetitions->words[k]; k++) {
        fputc('\n', out);
        printable_line(out, "segment %zu, %s", repetitions->segment[k] + 1, repetitions->words[k]);
        system_outputs_print(out, outputs, repetitions->segment[k]);
    }
}

cJSON *repetitions_to_json(const Repetitions *repetitions, const SystemOutputs *outputs)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "segments", (double)repetitions->count);
    cJSON_AddNumberToObject(object, "of", (double)repetitions->all);
    cJSON *examples = cJSON_AddArrayToObject(object, "examples");
    for (int k = 0; k < REPETITION_EXAMPLES && repetitions->words[k]; k++) {
        cJSON *example = system_outputs_to_json(outputs, repetitions->segment[k]);
        cJSON_AddStringToObject(example, "repeated", repetitions->words[k]);
        cJSON_AddItemToArray(examples, example);
    }
    return object;
}
