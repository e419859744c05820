/* sequences.c - see sequences.h. */
#include "train/data/sequences.h"

#include "metrics/tokenize.h"
#include "text/string_table.h"
#include "text/unicode.h"

enum { LEAST_LINES = 1000, LINES_A_KIND = 20 };

/* The words of one side. */
typedef struct {
    StringTable words;
    ScriptCount scripts;
    long        lines, running;
} Side;

static void count_word(Side *side, const char *from, const char *to)
{
    if (from == to) return;
    side->running++;
    string_table_count(&side->words, slice_between(from, to), 1);
}

static void count_line(Side *side, Slice line)
{
    const char *word = line.text, *end = line.text + line.length;
    Buf text = { 0 };
    buf_add(&text, line.text, line.length);
    script_count_add(&side->scripts, text.text);
    buf_free(&text);
    for (const char *at = word; at < end;) {
        const char *blank = at;
        if (!unicode_is_space(unicode_next(&at))) continue;
        count_word(side, word, blank);
        word = at;
    }
    count_word(side, word, end);
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

static int is_text(Slice side)
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
    string_table_add(seen, buf_slice(&pair));
    buf_free(&pair);
    return seen->count > before;
}

int sequences_are(const BitextLine *line, size_t count)
{
    Side source = { 0 }, target = { 0 };
    StringTable seen = { 0 };
    for (; count--; line++) {
        if (line->reason != SKIP_REASONS || !is_text(line->source) || !is_text(line->target)
            || !is_new(&seen, line))
            continue;
        count_line(&source, line->source);
        count_line(&target, line->target);
    }
    const int found = is_sequence(&source) || is_sequence(&target);
    string_table_free(&seen);
    string_table_free(&source.words);
    string_table_free(&target.words);
    return found;
}
