/* sentences.c - runs of a line, each with the kind of place that it ends at; sentences and chunks
 * are runs. */
#include "text/sentences.h"

#include "text/unicode.h"

#include <string.h>

enum { RUN_BYTES = 48, MOST_RUN_BYTES = 96 };  /* a longer run may be cut between characters; must
                                                  be */
enum { FIRST_EAST_ASIAN = 0x3000 };             /* of the characters that no blank separates */

/* Places to cut, from the worst to the best. */
typedef enum { CUT_INSIDE, CUT_BLANK, CUT_COMMA, CUT_CLAUSE, CUT_SENTENCE } Cut;

/* A chunk of the line from where it was looked for to `end`. */
typedef struct { const char *end; Cut cut; } Run;

/* ---- Characters ---- */

/* The cut that a punctuation mark allows behind it; CUT_INSIDE: none. */
static Cut cut_of(int32_t point)
{
    switch (point) {
    case '.': case '!': case '?': case 0x061F: case 0x06D4: case 0x0964: case 0x0965:
    case 0x2026: case 0x203C: case 0x2047: case 0x2048: case 0x2049: case 0x3002: case 0xFF01:
    case 0xFF0E: case 0xFF1F: case 0xFF61:
        return CUT_SENTENCE;
    case ';': case ':': case 0x061B: case 0xFF1A: case 0xFF1B:
        return CUT_CLAUSE;
    case ',': case 0x060C: case 0x3001: case 0xFF0C: case 0xFF64:
        return CUT_COMMA;
    default:
        return CUT_INSIDE;
    }
}

/* Quotes and brackets that close. German closes with U+201C. */
static int is_closing(int32_t point)
{
    switch (point) {
    case '"': case '\'': case ')': case ']': case '}': case 0xBB: case 0x2019: case 0x201C:
    case 0x201D: case 0x203A: case 0x3009: case 0x300B: case 0x300D: case 0x300F: case 0x3011:
    case 0x3015: case 0xFF09: case 0xFF3D: case 0xFF5D: case 0xFF63:
        return 1;
    default:
        return 0;
    }
}

/* Whether it belongs to the text before it in spite of a blank, as French has it: « Oui ! » The
 * straight quotes may as well open. */
static int belongs_before(int32_t point)
{
    return cut_of(point) || (is_closing(point) && point != '"' && point != '\'' && point != 0x201C);
}

/* Whether a cut before it would tear a character apart. */
static int combines(int32_t point)
{
    return unicode_is_mark(point) || unicode_is_ignorable(point);
}

static int32_t peek(const char *at)
{
    return unicode_next(&at);
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && unicode_is_space(peek(at)))
        unicode_next(&at);
    return at;
}

/* ---- Full stops that end no sentence ---- */

/* The run of letters and digits that ends at `stop`. */
static const char *last_word(const char *start, const char *stop)
{
    const char *word = start;
    for (const char *at = start; at < stop;) {
        int32_t point = unicode_next(&at);
        if (!unicode_is_letter(point) && !unicode_is_number(point) && !unicode_is_mark(point))
            word = at;
    }
    return word;
}

static int is_title(const char *word, size_t length)
{
    static const char *const titles[] = {
        "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Mt", "Gen", "Col", "Lt", "Sgt", "Capt", "Rev",
        "Mme", "Mlle", "MM",
        "Hr", "Fr", "Sr", "Sra", "Srta", "Dra", "Sig", "vs", NULL
    };
    for (const char *const *title = titles; *title; title++)
        if (strlen(*title) == length && !memcmp(*title, word, length)) return 1;
    return 0;
}

/* Whether the word before the full stop at `stop` is one that is written with it. */
static int is_abbreviation(const char *start, const char *stop)
{
    const char *word = last_word(start, stop), *at = word;
    if (word == stop) return 0;
    int32_t first = unicode_next(&at);
    if (at == stop) return 1;
    if (unicode_is_number(first)) return stop - word <= 2;
    return is_title(word, (size_t)(stop - word));
}

/* The first letter or digit behind the marks at `at`; U+0020 if there is none. */
static int32_t first_of_word(const char *at, const char *end)
{
    while (at < end && unicode_is_punctuation(peek(at)))
        unicode_next(&at);
    return at < end ? peek(at) : ' ';
}

/* Whether the mark at `mark`, of the run that begins at `start`, ends a sentence before `next`. */
static int ends_sentence(const char *start, const char *mark, const char *next, const char *end)
{
    int32_t point = first_of_word(next, end);
    if (unicode_is_lower(point)) return 0;
    return *mark != '.' || (!unicode_is_number(point) && !is_abbreviation(start, mark));
}

/* ---- Runs ---- */

/* The run that ends with the blanks before `next`; mark: the last one, behind which only closing
 * marks follow; or NULL. */
static Run run_to_blank(const char *start, const char *mark, const char *next, const char *end)
{
    Cut cut = mark ? cut_of(peek(mark)) : CUT_BLANK;
    if (cut == CUT_SENTENCE && next < end && !ends_sentence(start, mark, next, end))
        cut = CUT_BLANK;
    return (Run){ next, cut };
}

/* The run that starts at `start`, with the blanks behind it. */
static Run next_run(const char *start, const char *end)
{
    const char *mark = NULL;
    for (const char *at = start; at < end;) {
        int32_t point = peek(at);
        if (unicode_is_space(point)) {
            const char *next = skip_blanks(at, end);
            if (next == end || !belongs_before(peek(next)))
                return run_to_blank(start, mark, next, end);
            at = next;
            continue;
        }
        if (at - start >= MOST_RUN_BYTES) return (Run){ at, CUT_INSIDE };
        if (cut_of(point)) {
            mark = at;
        } else if (!is_closing(point) && !combines(point)) {
            if (mark && peek(mark) >= FIRST_EAST_ASIAN) return (Run){ at, cut_of(peek(mark)) };
            if (at - start >= RUN_BYTES) return (Run){ at, CUT_INSIDE };
            mark = NULL;
        }
        unicode_next(&at);
    }
    return (Run){ end, CUT_SENTENCE };
}

size_t sentence_length(const char *line, size_t length)
{
    const char *end = line + length;
    Run run = { line, CUT_INSIDE };
    while (run.end < end && run.cut != CUT_SENTENCE)
        run = next_run(run.end, end);
    return (size_t)(run.end - line);
}

size_t chunk_length(const Tokenizer *t, const char *line, size_t length, size_t most)
{
    const char *end = line + length, *cut_at = line;
    Cut best = CUT_INSIDE;
    Ids ids = { 0 };
    for (const char *at = line; at < end;) {
        Run run = next_run(at, end);
        tokenizer_encode(t, at, (size_t)(run.end - at), &ids, NULL);
        if (ids.count > most && cut_at > line) break;
        if (run.cut >= best || run.end == end) cut_at = run.end;
        if (run.cut > best) best = run.cut;
        at = run.end;
    }
    ids_free(&ids);
    return (size_t)(cut_at - line);
}

/* ---- Joints ---- */

/* The character before `at`; there is one. */
static int32_t point_before(const char *text, const char *at)
{
    do at--; while (at > text && (*at & 0xC0) == 0x80);
    return peek(at);
}

Joint joint_at(const char *line, size_t at)
{
    int32_t point = point_before(line, line + at);
    if (unicode_is_space(point)) return JOINT_BLANK;
    return point >= FIRST_EAST_ASIAN ? JOINT_SCRIPT : JOINT_NONE;
}

int joint_has_blank(Joint joint, const char *before, size_t length)
{
    if (!length) return 0;
    if (joint != JOINT_SCRIPT) return joint == JOINT_BLANK;
    return point_before(before, before + length) < FIRST_EAST_ASIAN;
}

void joint_add(Buf *out, Joint joint, const char *text)
{
    if (*text && joint_has_blank(joint, out->text, out->length)) buf_putc(out, ' ');
    buf_puts(out, text);
}
