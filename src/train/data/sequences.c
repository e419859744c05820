/* sequences.c - see sequences.h. */
#include "train/data/sequences.h"

#include "metrics/tokenize.h"
#include "text/unicode.h"

enum { LEAST_LINES = 1000, LINES_A_KIND = 20 };

/* The words of one side. */
typedef struct {
    StringTable words;
    ScriptCount scripts;
    long        lines, running;
} Side;

/* Counts the words between blanks. */
static void count_words(Side *side, Span line)
{
    const char *word = line.text, *end = line.text + line.length;
    for (const char *at = word; at < end;) {
        const char *blank = at;
        if (!unicode_is_space(unicode_next(&at))) continue;
        if (blank > word) side->running++, string_table_count(&side->words, word, (size_t)(blank - word), 1);
        word = at;
    }
    if (end > word) side->running++, string_table_count(&side->words, word, (size_t)(end - word), 1);
}

static void count_line(Side *side, Span line)
{
    Buf text = { 0 };
    buf_add(&text, line.text, line.length);
    script_count_add(&side->scripts, text.text);
    buf_free(&text);
    count_words(side, line);
    side->lines++;
}

static int is_sequence(const Side *side)
{
    long once = 0;
    for (size_t i = 0; i < side->words.count; i++)
        once += side->words.tally[i] == 1;
    if (side->lines < LEAST_LINES || script_count_lacks_blanks(&side->scripts)) return 0;
    return 2 * once > side->running || (long)side->words.count * LINES_A_KIND < side->lines;
}

static int is_text(Span side)
{
    return unicode_valid(side.text, side.length) && unicode_trimmed(side.text, side.length);
}

/* Whether the pair is none of those that were seen. */
static int is_new(StringTable *seen, const BitextLine *line)
{
    const size_t before = seen->count;
    Buf pair = { 0 };
    buf_add(&pair, line->source.text, line->source.length);
    buf_putc(&pair, '\t');
    buf_add(&pair, line->target.text, line->target.length);
    string_table_add(seen, pair.text, pair.length);
    buf_free(&pair);
    return seen->count > before;
}

int sequences_are(const Piece *piece, size_t count)
{
    Side source = { 0 }, target = { 0 };
    StringTable seen = { 0 };
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < piece[i].count; k++) {
            const BitextLine *line = &piece[i].line[k].text;
            if (line->reason != SKIP_REASONS || !is_text(line->source) || !is_text(line->target)) continue;
            if (!is_new(&seen, line)) continue;
            count_line(&source, line->source);
            count_line(&target, line->target);
        }
    const int found = is_sequence(&source) || is_sequence(&target);
    string_table_free(&seen);
    string_table_free(&source.words);
    string_table_free(&target.words);
    return found;
}
