/* sentences.c - runs of a line, each with the kind of place that it ends at; sentences and chunks
 * are runs. */
#include "text/sentences/sentences.h"

#include "text/ascii.h"
#include "text/sentences/abbreviations.h"
#include "text/sentences/clauses.h"
#include "text/sentences/scan.h"
#include "text/unicode.h"
#include "text/verbatim/shapes.h"
#include "text/verbatim/verbatim.h"

#include <math.h>
#include <string.h>

enum { RUN_BYTES = 48, MOST_RUN_BYTES = 96 };  /* a longer run may be cut between characters; must
                                                  be */
enum { FIRST_EAST_ASIAN = 0x3000 };             /* of the characters that no blank separates */

/* Places to cut, from the worst to the best. */
typedef enum {
    CUT_INSIDE, CUT_BLANK, CUT_COMMA,
    CUT_CONJUNCTION,            /* before "because", or "and I" */
    CUT_CLAUSE,                 /* behind ; and :, and behind a comma before a conjunction */
    CUT_SENTENCE
} Cut;

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

/* ---- Ends of sentences ---- */

/* Whether the mark at `mark` ends a sentence that begins at `line` before `next`. */
static int ends_sentence(const char *line, const char *mark, const char *next, const char *end)
{
    if (unicode_is_lower(first_of_word(next, end))) return 0;
    return *mark != '.' || full_stop_ends(line, mark, next, end);
}

/* ---- Runs ---- */

/* The run that ends with the blanks before `next`, in a sentence that begins at `line`; mark: the
 * last one, behind which only closing marks follow; or NULL. */
static Run run_to_blank(const char *line, const char *mark, const char *next, const char *end)
{
    Cut cut = mark ? cut_of(peek(mark)) : CUT_BLANK;
    if (next == end) return (Run){ next, cut };
    if (cut == CUT_SENTENCE && !ends_sentence(line, mark, next, end)) cut = CUT_BLANK;
    if (cut == CUT_COMMA && clause_begins(next, end, 1)) cut = CUT_CLAUSE;
    if (cut == CUT_BLANK && clause_begins(next, end, 0)) cut = CUT_CONJUNCTION;
    return (Run){ next, cut };
}

/* Behind the address, code or the like that a run begins with, perhaps behind a bracket, if it reaches beyond `at`;
 * else `at`. */
static const char *behind_span(const char *line, const char *start, const char *at, const char *end)
{
    for (const char *stop = NULL; start < at && !stop; unicode_next(&start)) {
        VerbatimKind kind;
        stop = verbatim_end(line, start, end, &kind);
        if (stop && stop > at) return stop;
        if (!unicode_is_punctuation(peek(start))) break;
    }
    return at;
}

/* The run that starts at `start`, with the blanks behind it, in a sentence that begins at
 * `line`. */
static Run next_run(const char *line, const char *start, const char *end)
{
    const char *mark = NULL, *from = start;     /* from: as far as it has no place to cut */
    int is_long = 0;
    for (const char *at = start; at < end;) {
        int32_t point = peek(at);
        if (unicode_is_space(point)) {
            const char *next = skip_blanks(at, end);
            if (next == end || !belongs_before(peek(next)))
                return run_to_blank(line, mark, next, end);
            at = next;
            continue;
        }
        if (!is_long && at - start >= RUN_BYTES) {
            is_long = 1;
            const char *stop = behind_span(line, start, at, end);
            if (stop > at) {
                at = from = stop;
                continue;
            }
        }
        if (at - from >= MOST_RUN_BYTES) return (Run){ at, CUT_INSIDE };
        if (cut_of(point)) {
            mark = at;
        } else if (!is_closing(point) && !combines(point)) {
            if (mark && peek(mark) >= FIRST_EAST_ASIAN) return (Run){ at, cut_of(peek(mark)) };
            if (at - from >= RUN_BYTES) return (Run){ at, CUT_INSIDE };
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
        run = next_run(line, run.end, end);
    return (size_t)(run.end - line);
}

/* ---- Chunks ---- */

/* A place to cut, with so many tokens before it. */
typedef struct { const char *at; size_t tokens; Cut cut; } Place;

/* A text in which a place to cut is looked for. */
typedef struct {
    const Tokenizer *tokenizer;
    const char      *start, *end;
    Ids              ids;               /* scratch */
} Search;

static Place next_place(Search *s, Place from)
{
    Run run = next_run(s->start, from.at, s->end);
    s->ids.count = 0;
    tokenizer_encode(s->tokenizer, from.at, (size_t)(run.end - from.at), &s->ids, NULL);
    return (Place){ run.end, from.tokens + s->ids.count, run.cut };
}

/* The tokens of the text, or more than `most` if it has more. */
static size_t count_tokens(Search *s, size_t most)
{
    Place place = { s->start, 0, CUT_INSIDE };
    while (place.at < s->end && place.tokens <= most)
        place = next_place(s, place);
    return place.tokens;
}

/* How many tokens a place is from where a text of `total` is best cut: into parts of one length. */
static double distance(const Place *place, size_t total, size_t most)
{
    enum { COMMA = 2 };                 /* tokens that a comma before a conjunction is worth */
    const double parts = ceil((double)total / (double)most);
    const double far = fabs((double)place->tokens - (double)total / parts);
    return place->cut == CUT_CONJUNCTION ? far + COMMA : far;
}

/* The best place between clauses that leaves no part too short for one, if `total` tokens are to be
 * cut into parts of `limits.clause`; the start of the text if there is none. */
static const char *clause_cut(Search *s, size_t total, ChunkTokens limits)
{
    enum { SHORTEST = 4 };
    const size_t last = total - SHORTEST < limits.most ? total - SHORTEST : limits.most;
    Place place = { s->start, 0, CUT_INSIDE };
    const char *best = s->start;
    double least = HUGE_VAL;
    while ((place = next_place(s, place)).tokens <= last && place.at < s->end) {
        if (place.cut < CUT_CONJUNCTION || place.tokens < SHORTEST) continue;
        const double far = distance(&place, total, limits.clause);
        if (far >= least) continue;
        least = far;
        best = place.at;
    }
    return best;
}

/* The last place of the best kind before `most` tokens, or the first place. */
static const char *last_cut(Search *s, size_t most)
{
    Place place = { s->start, 0, CUT_INSIDE };
    const char *cut_at = s->start;
    Cut best = CUT_INSIDE;
    while (place.at < s->end) {
        place = next_place(s, place);
        if (place.tokens > most && cut_at > s->start) break;
        if (place.cut >= best || place.at == s->end) cut_at = place.at;
        if (place.cut > best) best = place.cut;
    }
    return cut_at;
}

size_t chunk_length(const Tokenizer *t, const char *line, size_t length, ChunkTokens limits)
{
    Search s = { .tokenizer = t, .start = line, .end = line + length };
    const char *cut_at = line;
    if (limits.clause < limits.most) {
        const size_t total = count_tokens(&s, 2 * limits.most);
        if (total > limits.clause) cut_at = clause_cut(&s, total, limits);
    }
    if (cut_at == line) cut_at = last_cut(&s, limits.most);
    ids_free(&s.ids);
    return (size_t)(cut_at - line);
}

size_t unmarked_length(const char *text, size_t length)
{
    const char *end = text + length;
    while (end > text) {
        int32_t point = unicode_before(text, end);
        if (!unicode_is_space(point) && !cut_of(point)) break;
        do end--; while ((*end & 0xC0) == 0x80);
    }
    return (size_t)(end - text);
}

int ends_in_stop(const char *text, size_t length)
{
    enum { MOST_BYTES = 256 };      /* of what closes, and blanks */
    const char *end = text + length, *start = length > MOST_BYTES ? end - MOST_BYTES : text;
    while (end > start) {
        int32_t point = unicode_before(text, end);
        if (cut_of(point) == CUT_SENTENCE) return 1;
        if (!unicode_is_space(point) && !is_closing(point)) return 0;
        do end--; while ((*end & 0xC0) == 0x80);
    }
    return 0;
}

int ends_in_ellipsis(const char *text, size_t length)
{
    const char *end = text + length;
    while (end > text && unicode_is_space(unicode_before(text, end)))
        do end--; while ((*end & 0xC0) == 0x80);
    const char *start = end;
    while (start > text && is_dot(unicode_before(text, start)))
        do start--; while ((*start & 0xC0) == 0x80);
    return ellipsis_end(start, end) > start;
}

/* ---- Marks at the start ---- */

/* The end of the number, the letter or the small Roman number at `at`, or NULL. */
static const char *item_name_end(const char *at, const char *end)
{
    enum { DIGITS = 3 };
    const char *stop = at;
    while (stop < end && ascii_is_digit(*stop))
        stop++;
    if (stop > at) return stop - at <= DIGITS ? stop : NULL;
    if (end - at > 1 && ascii_is_letter(*at) && at[1] == ')') return at + 1;
    while (stop < end && (*stop == 'i' || *stop == 'v' || *stop == 'x'))
        stop++;
    return stop > at ? stop : NULL;
}

/* Behind the mark of an item of a list at `at`, or NULL: 1. 10) (a) iv) */
static const char *item_end(const char *at, const char *end)
{
    const char *name = at + (*at == '('), *stop = name < end ? item_name_end(name, end) : NULL;
    if (!stop || stop == end) return NULL;
    return *stop == ')' || (*stop == '.' && ascii_is_digit(*at)) ? stop + 1 : NULL;
}

/* Behind the box of a task or the name of a footnote at `at`, or NULL: [x] [^1]: */
static const char *box_end(const char *at, const char *end)
{
    enum { BOX = 3 };
    if (end - at < BOX || *at != '[') return NULL;
    if (at[2] == ']' && strchr(" xX", at[1])) return at + BOX;
    const char *close = at[1] == '^' ? memchr(at, ']', (size_t)(end - at)) : NULL;
    return close && close + 1 < end && close[1] == ':' ? close + 2 : NULL;
}

/* Bullets; arrows, geometric shapes, stars, boxes and checks, which are used as bullets. */
static int is_bullet(int32_t point)
{
    switch (point) {
    case '*': case '+': case 0xB7: case 0x2022: case 0x2023: case 0x2043:
    case 0x2605: case 0x2606: case 0x2610: case 0x2611: case 0x2612:
        return 1;
    default:
        return (point >= 0x2190 && point <= 0x21FF) || (point >= 0x25A0 && point <= 0x25FF) ||
               (point >= 0x2713 && point <= 0x2718) || (point >= 0x2794 && point <= 0x27BE);
    }
}

/* Behind a bullet, a dash, or the marks of a heading or a quotation; or NULL. */
static const char *bullet_end(const char *at, const char *end)
{
    const char *next = at;
    const int32_t point = unicode_next(&next);
    if (point == '#' || point == '>') {
        while (next < end && *next == *at)
            next++;
        return next;
    }
    return is_dash(point) ? dashes_end(at, end) : is_bullet(point) ? next : NULL;
}

/* Behind the blanks behind `mark`; `at` if there are none, or nothing else is behind them. */
static const char *text_behind(const char *at, const char *mark, const char *end)
{
    if (!mark || mark == end || !unicode_is_space(peek(mark))) return at;
    const char *text = skip_blanks(mark, end);
    return text < end ? text : at;
}

/* The end of emoji and other symbols at `at` that a sentence with a capital follows: elsewhere they
 * may stand for a word. */
static const char *symbols_end(const char *at, const char *end)
{
    const char *mark = shape_symbols(at, end);
    const char *text = text_behind(at, mark, end);
    if (text == at) return NULL;
    const int32_t point = peek(text);
    return unicode_lower(point) != point ? mark : NULL;
}

/* Behind the ellipsis at `at` and the blanks there, if a word follows; else `at`. */
static const char *behind_first_ellipsis(const char *at, const char *end)
{
    const char *text = skip_blanks(ellipsis_end(at, end), end);
    return text < end && is_word_character(peek(text)) ? text : at;
}

size_t sentence_mark_length(const char *line, size_t length, int first)
{
    const char *end = line + length, *start = skip_blanks(line, end), *at = start, *before = NULL;
    if (!first)
        return at < end && is_dash(peek(at))
                   ? (size_t)(text_behind(line, bullet_end(at, end), end) - line) : 0;
    while (at < end && at != before) {
        const char *mark = bullet_end(at, end);
        if (!mark) mark = item_end(at, end);
        if (!mark) mark = box_end(at, end);
        before = at;
        at = text_behind(at, mark ? mark : symbols_end(at, end), end);
    }
    at = behind_first_ellipsis(at, end);
    return at < end ? (size_t)(at - line) : 0;
}

size_t part_mark_length(const char *line, size_t at, size_t end)
{
    const char *start = line + at, *stop = tight_dash_end(line, start, line + end);
    return stop > start ? (size_t)(stop - start) : sentence_mark_length(start, end - at, 0);
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
