/* parts.c - looks at each character for a mark that parts the sentence. */
#include "text/sentences/parts.h"

#include "text/sentences/clauses.h"
#include "text/sentences/scan.h"
#include "text/sentences/sentences.h"

#include <string.h>

const char *part_mark(PartMark mark)
{
    static const char *const marks[PART_MARKS] = {
        [PART_SEMICOLON] = ";", [PART_COLON] = ":", [PART_DASH] = "-", [PART_PARENTHESES] = "(",
        [PART_BRACKETS] = "[", [PART_QUOTES] = "\"", [PART_GUILLEMETS] = "\u00AB"
    };
    return marks[mark];
}

unsigned part_set(PartMark mark)
{
    return 1U << mark;
}

unsigned part_rare(const Lexicon *lexicon)
{
    unsigned marks = 0;
    for (PartMark mark = 0; mark < PART_MARKS && lexicon; mark++)
        if (lexicon_is_rare(lexicon, part_mark(mark), strlen(part_mark(mark))))
            marks |= part_set(mark);
    return marks;
}

static int has(unsigned marks, PartMark mark)
{
    return (marks & part_set(mark)) != 0;
}

/* ---- Asides ---- */

/* What closes an aside that `point` opens; 0: it opens none. */
static int32_t closing_of(int32_t point, unsigned marks)
{
    switch (point) {
    case '(':    return has(marks, PART_PARENTHESES) ? ')' : 0;
    case '[':    return has(marks, PART_BRACKETS) ? ']' : 0;
    case '"':    return has(marks, PART_QUOTES) ? '"' : 0;
    case 0x201C: return has(marks, PART_QUOTES) ? 0x201D : 0;
    case 0xAB:   return has(marks, PART_GUILLEMETS) ? 0xBB : 0;
    default:     return 0;
    }
}

/* Whether a mark behind an aside belongs to it in spite of a blank, as French has it: (ce soir) ? */
static int belongs_before(int32_t point)
{
    return point == '?' || point == '!' || point == ';' || point == ':' || point == 0xBB;
}

/* Behind the marks at `at`, and the blanks there; NULL: something else follows at once. */
static const char *behind_marks(const char *at, const char *end)
{
    while (at < end) {
        const char *next = skip_blanks(at, end);
        const int is_glued = next == at;
        if (next == end) return next;
        if (!unicode_is_punctuation(peek(next))) return is_glued ? NULL : next;
        if (!is_glued && !belongs_before(peek(next))) return next;
        at = next;
        unicode_next(&at);
    }
    return at;
}

/* Whether words are at `at`, which are more than one letter: no (a). */
static int begins_words(const char *at, const char *end, int32_t closing)
{
    if (at == end || !unicode_is_letter(unicode_next(&at))) return 0;
    return at < end && peek(at) != closing;
}

static int is_quote(int32_t closing)
{
    return closing != ')' && closing != ']';
}

/* The aside that a text begins with; length 0: there is none. A verb behind a quotation (dit-il,
 * asked Tom) is not translated well by itself. */
static SentencePart aside_of(const char *text, const char *end, unsigned marks)
{
    const SentencePart none = { 0, 0, 0 };
    const char *begin = text;
    const int32_t closing = text < end ? closing_of(unicode_next(&begin), marks) : 0;
    if (!closing) return none;
    begin = skip_blanks(begin, end);
    if (!begins_words(begin, end, closing)) return none;
    const char *close = begin;
    while (close < end && close - text < PART_BYTES && peek(close) != closing)
        unicode_next(&close);
    if (close == end || peek(close) != closing) return none;
    const char *behind = close;
    unicode_next(&behind);
    behind = behind_marks(behind, end);
    const int is_before_verb = behind && behind < end && !subject_begins(behind, end);
    if (!behind || (is_quote(closing) && is_before_verb)) return none;
    return (SentencePart){ .length = (size_t)(behind - text), .begin = (size_t)(begin - text),
                           .end = (size_t)(close - text) };
}

/* Whether what is quoted at `at` reads as a sentence: its first word has a capital, the second none.
 * "I love you", no "Harry Potter". */
static int quotes_sentence(const char *at, const char *end)
{
    unicode_next(&at);
    at = skip_blanks(at, end);
    const int32_t first = at < end ? peek(at) : ' ';
    while (at < end && !unicode_is_space(peek(at)))
        unicode_next(&at);
    at = skip_blanks(at, end);
    return unicode_is_letter(first) && unicode_lower(first) != first && at < end
           && unicode_is_lower(peek(at));
}

/* Whether an aside may begin at `at`, behind the start: quotes only as speech. */
static int may_begin(const char *text, const char *at, const char *end)
{
    const int32_t before = last_before(text, at);
    return unicode_is_space(unicode_before(text, at))
           && (*at == '(' || *at == '[' || before == ',' || before == ':'
               || quotes_sentence(at, end));
}

int part_is_aside(const char *text, const char *at, const char *end, unsigned marks)
{
    return aside_of(at, end, marks).length && (at == text || may_begin(text, at, end));
}

/* ---- Parts ---- */

/* Whether a new sentence may begin at `at`: with a capital letter, or a quotation mark. */
static int begins_speech(const char *at, const char *end)
{
    const int32_t point = at < end ? peek(at) : ' ';
    switch (point) {
    case '"': case 0xAB: case 0x201C: case 0x201E: case 0x2018: case 0x201A: case 0x2014:
        return 1;
    default:
        return unicode_is_letter(point) && unicode_lower(point) != point;
    }
}

/* Where the part behind the ; or : at `mark` begins; NULL: it parts nothing. */
static const char *behind_separator(const char *text, const char *mark, const char *end,
                                    unsigned marks)
{
    if (mark + 1 == end || !unicode_is_space(peek(mark + 1))) return NULL;
    const char *next = skip_blanks(mark + 1, end);
    const int parts = has(marks, *mark == ';' ? PART_SEMICOLON : PART_COLON)
                      || (*mark == ':' && begins_speech(next, end));
    return parts && next < end && unmarked_length(text, (size_t)(mark - text)) ? next : NULL;
}

/* Whether a dash (or two: --) with a blank behind it is at `at`, before a word. */
static int is_free_dash(const char *at, const char *end)
{
    const char *behind = dashes_end(at, end);
    if (behind == at || behind == end || !unicode_is_space(peek(behind))) return 0;
    return unicode_is_letter(first_of_word(skip_blanks(behind, end), end));
}

/* Where a part begins if the character at `at`, behind the start, decides that; else NULL. */
static const char *next_part(const char *text, const char *at, const char *end, unsigned marks)
{
    if (*at == ';' || *at == ':') return behind_separator(text, at, end, marks);
    if (part_is_aside(text, at, end, marks)) return at;
    const int is_free = unicode_is_space(unicode_before(text, at));
    return is_free && has(marks, PART_DASH) && is_free_dash(at, end) ? at : NULL;
}

/* ---- Asides inside a clause ---- */

static int has_word(const char *at, const char *end)
{
    while (at < end)
        if (is_word_character(unicode_next(&at))) return 1;
    return 0;
}

/* Whether no aside can be in a text. */
static int is_flat(const char *at, const char *end)
{
    for (; at < end; unicode_next(&at)) {
        if (strchr("()[]", *at)) return 0;
        if (unicode_is_space(peek(at)) && is_dash(peek(skip_blanks(at, end)))) return 0;
    }
    return 1;
}

/* The aside in brackets at `at`. */
static SentencePart in_brackets(const char *at, const char *end, unsigned marks)
{
    const unsigned brackets = part_set(PART_PARENTHESES) | part_set(PART_BRACKETS);
    const int32_t closing = closing_of(peek(at), marks & brackets);
    const char *begin = skip_blanks(at + 1, end), *close = begin;
    while (closing && close < end && close - at < PART_BYTES && peek(close) != closing)
        unicode_next(&close);
    if (close == end || peek(close) != closing) return (SentencePart){ 0, 0, 0 };
    if (!has_word(begin, close) || !is_flat(begin, close)) return (SentencePart){ 0, 0, 0 };
    const size_t length = (size_t)(close + 1 - at);
    while (close[-1] == ' ') close--;
    return (SentencePart){ length, (size_t)(begin - at), (size_t)(close - at) };
}

/* Whether no sentence ends before the blank at `at`, and no dash stands behind that. */
static int is_between_dashes(const char *text, const char *at, const char *end)
{
    return !ends_in_stop(text, (size_t)(at - text)) && !is_dash(peek(skip_blanks(at, end)));
}

/* The aside between the dash at `at` and the next one in its sentence. */
static SentencePart in_dashes(const char *at, const char *end, unsigned marks)
{
    const SentencePart none = { 0, 0, 0 };
    if (!has(marks, PART_DASH) || !is_free_dash(at, end)) return none;
    const char *begin = skip_blanks(dashes_end(at, end), end), *stop = begin;
    const char *limit = end - at > PART_BYTES ? at + PART_BYTES : end;
    while (stop < limit && !(unicode_is_space(peek(stop)) && !is_between_dashes(begin, stop, end)))
        unicode_next(&stop);
    const char *close = skip_blanks(stop, end), *behind = dashes_end(close, end);
    if (stop >= limit || behind == close || !is_flat(begin, stop)) return none;
    return (SentencePart){ (size_t)(behind - at), (size_t)(begin - at), (size_t)(stop - at) };
}

/* Whether words of the clause follow at `at`, perhaps behind a comma. */
static int goes_on(const char *at, const char *end)
{
    if (at < end && *at == ',') at++;
    const char *next = skip_blanks(at, end);
    return next > at && next < end && is_word_character(peek(next));
}

SentencePart part_enclosed(const char *text, const char *at, const char *end, unsigned marks)
{
    const char *open = skip_blanks(at, end);
    const size_t blanks = (size_t)(open - at);
    if (!blanks || open == end || !is_word_character(unicode_before(text, at)))
        return (SentencePart){ 0, 0, 0 };
    const SentencePart aside = is_dash(peek(open)) ? in_dashes(open, end, marks)
                                                   : in_brackets(open, end, marks);
    if (!aside.length || !goes_on(open + aside.length, end)) return (SentencePart){ 0, 0, 0 };
    return (SentencePart){ blanks + aside.length, blanks + aside.begin, blanks + aside.end };
}

/* ---- The first part ---- */

SentencePart part_first(const char *text, size_t length, unsigned marks)
{
    const char *end = text + length, *at = text;
    const SentencePart aside = aside_of(text, end, marks), whole = { length, 0, 0 };
    if (aside.length || !length) return aside.length ? aside : whole;
    for (unicode_next(&at); at < end && at - text < PART_BYTES; unicode_next(&at)) {
        const char *next = next_part(text, at, end, marks);
        if (next) return (SentencePart){ (size_t)(next - text), 0, 0 };
    }
    return whole;
}
