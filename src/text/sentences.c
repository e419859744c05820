/* sentences.c - runs of a line, each with the kind of place that it ends at; sentences and chunks
 * are runs. No word is known here, only marks: a wrong cut costs more than a missed one. */
#include "text/sentences.h"

#include "base/mem.h"
#include "text/patterns.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

enum { RUN_BYTES = 48, MOST_RUN_BYTES = 96 };  /* a longer run may be cut between characters; must
                                                  be */
enum { FIRST_EAST_ASIAN = 0x3000 };             /* of the characters that no blank separates */

/* Places to cut, from the worst to the best. */
typedef enum { CUT_INSIDE, CUT_BLANK, CUT_COMMA, CUT_COLON, CUT_SEMICOLON, CUT_SENTENCE } Cut;

/* A run of the line from where it was looked for to `end`. */
typedef struct { const char *end; Cut cut; } Run;

/* ---- Characters ---- */

/* The cut that a mark allows behind it; CUT_INSIDE: none. */
static Cut cut_of(int32_t point)
{
    switch (point) {
    case ';': case 0x61B: case 0xFF1B:                          return CUT_SEMICOLON;
    case ':': case 0xFF1A:                                      return CUT_COLON;
    case ',': case 0x60C: case 0x3001: case 0xFF0C: case 0xFF64: return CUT_COMMA;
    default:                                                    return unicode_is_final_mark(point) ? CUT_SENTENCE : CUT_INSIDE;
    }
}

/* Quotes and brackets that close. German closes with U+201C and U+00AB. */
static int is_closing(int32_t point)
{
    return unicode_closes(point) || point == '"' || point == '\'' || point == 0x201C || point == 0xAB;
}

/* Whether the mark at `at` belongs to the text before it in spite of a blank, as French has it: « Oui ! » Quotes
 * with one side alone are sure, and no word begins with it. */
static int belongs_before(const char *at, const char *end)
{
    const int32_t point = unicode_next(&at);
    return (cut_of(point) || unicode_closes(point)) && (at == end || !unicode_is_word_character(unicode_at(at)));
}

/* Whether a cut before it would tear a character apart. */
static int combines(int32_t point)
{
    return unicode_is_mark(point) || unicode_is_ignorable(point);
}

/* ---- Ends of sentences ---- */

/* Whether the full stop at `stop` is that of an initial, a capital that is a word by itself, or of an abbreviation
 * (text/lexicon.h). */
static int is_abbreviated(const Lexicon *lexicon, const char *line, const char *stop)
{
    const int32_t last = unicode_before(line, stop);
    const char *start = stop;
    if (unicode_lower(last) != last) {
        do start--; while ((*start & 0xC0) == 0x80);
        if (!unicode_is_word_character(unicode_before(line, start))) return 1;
    }
    start = stop;
    while (start > line && (unicode_is_word_character(unicode_before(line, start)) || start[-1] == '.'))
        do start--; while ((*start & 0xC0) == 0x80);
    while (start < stop && *start == '.')
        start++;
    return lexicon_is_abbreviation(lexicon, slice_between(start, stop));
}

/* Whether the mark at `mark` ends a sentence that begins at `line` before `next`. */
static int ends_sentence(const Lexicon *lexicon, const char *line, const char *mark, const char *next, const char *end)
{
    while (next < end && unicode_is_punctuation(unicode_at(next)))
        unicode_next(&next);
    const int32_t first = next < end ? unicode_at(next) : ' ';
    if (unicode_is_lower(first)) return 0;
    return *mark != '.' || (!unicode_is_number(first) && !is_abbreviated(lexicon, line, mark));
}

/* ---- Runs ---- */

/* Behind the address, code or the like that reaches beyond `at` of a run without blanks; `at`: none does. */
static const char *behind_span(const char *start, const char *at, const char *end)
{
    enum { REACH = 512 };           /* bytes that are looked at */
    size_t reach = (size_t)(end - start);
    if (reach > REACH)
        for (reach = REACH; (start[reach] & 0xC0) == 0x80;) reach--;
    const char *blank = memchr(start, ' ', reach);
    SCOPED(spans_free) PatternSpans spans = { 0 };
    patterns_find(start, blank ? (size_t)(blank - start) : reach, &spans);
    for (size_t k = 0; k < spans.count; k++)
        if (start + spans.span[k].start < at && start + spans.span[k].end > at) at = start + spans.span[k].end;
    return at;
}

/* The run that starts at `start`, with the blanks behind it, in a sentence that begins at
 * `line`. */
static Run next_run(const Lexicon *lexicon, const char *line, const char *start, const char *end)
{
    const char *mark = NULL, *from = start;     /* the last mark, behind which only closing marks follow; as far as there is no
                                                 * place to cut */
    int is_long = 0;
    for (const char *at = start; at < end;) {
        const int32_t point = unicode_at(at);
        if (unicode_is_space(point)) {
            const char *next = unicode_skip_blanks(at, end);
            if (next == end || !belongs_before(next, end)) {
                const Cut cut = mark ? cut_of(unicode_at(mark)) : CUT_BLANK;
                const int is_inside = cut == CUT_SENTENCE && next < end && !ends_sentence(lexicon, line, mark, next, end);
                return (Run){ next, is_inside ? CUT_BLANK : cut };
            }
            at = next;
            continue;
        }
        if (!is_long && at - start >= RUN_BYTES) {
            is_long = 1;
            const char *stop = behind_span(start, at, end);
            if (stop > at) {
                at = from = stop;
                continue;
            }
        }
        if (at - from >= MOST_RUN_BYTES) return (Run){ at, CUT_INSIDE };
        if (cut_of(point)) {
            mark = at;
        } else if (!is_closing(point) && !combines(point)) {
            /* The mark of an East Asian script needs no blank behind it. */
            const char *behind = mark;
            const int is_end = mark && unicode_next(&behind) >= FIRST_EAST_ASIAN;
            if (is_end && (behind == at || !unicode_is_word_character(point))) return (Run){ at, cut_of(unicode_at(mark)) };
            if (at - from >= RUN_BYTES) return (Run){ at, CUT_INSIDE };
            mark = NULL;
        }
        unicode_next(&at);
    }
    return (Run){ end, CUT_SENTENCE };
}

size_t sentence_length(const Lexicon *lexicon, const char *line, size_t length)
{
    const char *end = line + length;
    Run run = { line, CUT_INSIDE };
    while (run.end < end && run.cut != CUT_SENTENCE)
        run = next_run(lexicon, line, run.end, end);
    return (size_t)(run.end - line);
}

/* ---- Chunks ---- */

size_t chunk_length(const Tokenizer *t, const Lexicon *lexicon, const char *line, size_t length, size_t most)
{
    const char *end = line + length, *cut_at = line;
    SCOPED(ids_free) Ids ids = { 0 };
    Cut best = CUT_INSIDE;
    size_t tokens = 0;
    for (const char *at = line; at < end;) {
        const Run run = next_run(lexicon, line, at, end);
        ids.count = 0;
        tokenizer_encode(t, at, (size_t)(run.end - at), &ids, NULL);
        tokens += ids.count;
        at = run.end;
        if (tokens > most && cut_at > line) break;
        if (run.cut >= best || at == end) cut_at = at;
        if (run.cut > best) best = run.cut;
    }
    return (size_t)(cut_at - line);
}

int ends_in_stop(const char *text, size_t length)
{
    enum { MOST_BYTES = 256 };      /* of what closes, and blanks */
    const char *end = text + length, *start = length > MOST_BYTES ? end - MOST_BYTES : text;
    while (end > start) {
        const int32_t point = unicode_before(text, end);
        if (unicode_is_final_mark(point)) return 1;
        if (!unicode_is_space(point) && !is_closing(point)) return 0;
        do end--; while ((*end & 0xC0) == 0x80);
    }
    return 0;
}

/* ---- Joints ---- */

Joint joint_at(const char *line, size_t at)
{
    const int32_t point = unicode_before(line, line + at);
    if (point == '\n') return at > 1 && line[at - 2] == ' ' ? JOINT_BLANK : JOINT_NONE;
    if (unicode_is_space(point)) return JOINT_BLANK;
    return point >= FIRST_EAST_ASIAN ? JOINT_SCRIPT : JOINT_NONE;
}

int joint_has_blank(Joint joint, const char *before, size_t length)
{
    if (!length) return 0;
    if (joint != JOINT_SCRIPT) return joint == JOINT_BLANK;
    return unicode_before(before, before + length) < FIRST_EAST_ASIAN;
}

void joint_add(Buf *out, Joint joint, const char *text)
{
    if (*text && joint_has_blank(joint, out->text, out->length)) buf_putc(out, ' ');
    buf_puts(out, text);
}

/* ---- Lines that go on ---- */

size_t wrapping_width(const char *line)
{
    size_t characters = 0;
    for (; *line; characters++)
        unicode_next(&line);
    return characters;
}

int wrapping_goes_on(const char *line, const char *next, size_t width)
{
    /* The least width that people wrap a text to; and how much earlier programs break a line to make all
     * about as long (fmt). */
    enum { NARROWEST = 60, EVEN = 8 };
    const char *end = next + strlen(next), *text = unicode_skip_blanks(next, end);
    const int begins_anew = *text == '|' || patterns_marks(next, (size_t)(end - next)) > (size_t)(text - next);
    size_t word = 0;                    /* characters of the first one */
    if (width < NARROWEST) width = NARROWEST;
    if (text == end || !unicode_shows(line) || begins_anew) return 0;
    for (; text < end && !unicode_is_space(unicode_at(text)); word++)
        unicode_next(&text);
    return wrapping_width(line) + 1 + word > width - width / EVEN;
}
