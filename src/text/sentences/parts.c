/* parts.c - looks at each character for a mark that parts the sentence. */
#include "text/sentences/parts.h"

#include "text/ascii.h"
#include "text/sentences/clauses.h"
#include "text/sentences/scan.h"
#include "text/sentences/sentences.h"
#include "text/verbatim/verbatim.h"
#include "text/word_list.h"

#include <string.h>

const char *part_mark(PartMark mark)
{
    static const char *const marks[PART_MARKS] = {
        [PART_SEMICOLON] = ";", [PART_COLON] = ":", [PART_ELLIPSIS] = "...", [PART_DASH] = "-",
        [PART_PARENTHESES] = "(", [PART_BRACKETS] = "[", [PART_QUOTES] = "\"",
        [PART_GUILLEMETS] = "\u00AB"
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

/* Whether the word before `at` asks for another one, and what is quoted there is its name: on "Save as". */
static int wants_name(const char *text, const char *at)
{
    static const char *const before[] = {
        "on", "in", "the", "a", "an", "of", "and", "or", "by", "with", "for", "sur", "dans", "le", "la",
        "les", "un", "une", "de", "du", "des", "et", "ou", "par", "avec", "pour", NULL
    };
    while (at > text && at[-1] == ' ') at--;
    const char *end = at;
    while (at > text && ascii_is_lower(at[-1])) at--;
    return word_list_has(before, at, end);
}

/* Whether an aside may begin at `at`, behind the start: quotes only as speech. */
static int may_begin(const char *text, const char *at, const char *end)
{
    const int32_t before = last_before(text, at);
    return unicode_is_space(unicode_before(text, at))
           && (*at == '(' || *at == '[' || before == ',' || before == ':'
               || (quotes_sentence(at, end) && !wants_name(text, at)));
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

/* Behind the address, code or the like that begins before `at` and reaches it; NULL: none does. */
static const char *verbatim_behind(const char *text, const char *at, const char *end)
{
    const char *limit = at - text > PART_BYTES ? at - PART_BYTES : text, *start = at;
    VerbatimKind kind;
    while (start > limit && !unicode_is_space(unicode_before(text, start)))
        do start--; while ((*start & 0xC0) == 0x80);
    while (start < at) {
        const char *behind = verbatim_end(text, start, end, &kind);
        if (behind >= at) return behind;
        if (behind) start = behind;
        else unicode_next(&start);
    }
    return NULL;
}

/* Where the part behind the ; or : at `mark` begins; NULL: it parts nothing. */
static const char *behind_separator(const char *text, const char *mark, const char *end,
                                    unsigned marks)
{
    if (mark + 1 == end || !unicode_is_space(peek(mark + 1))) return NULL;
    if (verbatim_behind(text, mark, end) > mark) return NULL;
    const char *next = skip_blanks(mark + 1, end);
    const int parts = has(marks, *mark == ';' ? PART_SEMICOLON : PART_COLON)
                      || (*mark == ':' && begins_speech(next, end));
    return parts && next < end && unmarked_length(text, (size_t)(mark - text)) ? next : NULL;
}

/* Where the part behind the ellipsis at `at` begins; NULL: it parts nothing. */
static const char *behind_ellipsis(const char *text, const char *at, const char *end)
{
    if (!is_word_character(unicode_before(text, at))) return NULL;
    const char *stop = ellipsis_end(at, end), *next = skip_blanks(stop, end);
    return stop > at && next > stop && next < end ? next : NULL;
}

/* Whether a dash (or two: --) with a blank behind it is at `at`, before a word. */
static int is_free_dash(const char *at, const char *end)
{
    const char *behind = dashes_end(at, end);
    if (behind == at || behind == end || !unicode_is_space(peek(behind))) return 0;
    return unicode_is_letter(first_of_word(skip_blanks(behind, end), end));
}

/* tight_dash_end where the dash may part a sentence. */
static const char *parting_dash_end(const char *text, const char *at, const char *end)
{
    const char *stop = tight_dash_end(text, at, end);
    return stop > at && *at == '-' && verbatim_behind(text, at, end) ? at : stop;
}

/* Where a part begins if the character at `at`, behind the start, decides that; else NULL. */
static const char *next_part(const char *text, const char *at, const char *end, unsigned marks)
{
    if (*at == ';' || *at == ':') return behind_separator(text, at, end, marks);
    if (has(marks, PART_ELLIPSIS) && is_dot(peek(at))) return behind_ellipsis(text, at, end);
    if (part_is_aside(text, at, end, marks)) return at;
    if (!has(marks, PART_DASH)) return NULL;
    const int is_free = unicode_is_space(unicode_before(text, at)) && is_free_dash(at, end);
    return is_free || parting_dash_end(text, at, end) > at ? at : NULL;
}

/* ---- Asides inside a clause ---- */

static const SentencePart none = { 0, 0, 0 };

static int has_word(const char *at, const char *end)
{
    while (at < end)
        if (is_word_character(unicode_next(&at))) return 1;
    return 0;
}

/* The blanks from `at` on that a dash follows; `limit`: there are none before it. */
static const char *next_dash(const char *at, const char *limit)
{
    while (at < limit && !(unicode_is_space(peek(at)) && is_dash(peek(skip_blanks(at, limit)))))
        unicode_next(&at);
    return at;
}

/* Whether a text may be taken out of a line: it has no aside, and no half of a pair of marks. */
static int is_closed(const char *at, const char *end)
{
    size_t stars = 0, quotes = 0;
    for (const char *c = at; c < end; c++) {
        if (strchr("()[]", *c)) return 0;
        stars += *c == '*';
        quotes += *c == '"';
    }
    return stars % 2 == 0 && quotes % 2 == 0 && next_dash(at, end) == end;
}

/* The aside in brackets at `at`. */
static SentencePart in_brackets(const char *at, const char *end, unsigned marks)
{
    const unsigned brackets = part_set(PART_PARENTHESES) | part_set(PART_BRACKETS);
    const int32_t closing = closing_of(peek(at), marks & brackets);
    if (!closing) return none;
    const char *begin = skip_blanks(at + 1, end), *close = begin;
    while (close < end && close - at < PART_BYTES && peek(close) != closing)
        unicode_next(&close);
    if (close == end || peek(close) != closing) return none;
    if (!has_word(begin, close) || !is_closed(begin, close)) return none;
    const size_t length = (size_t)(close + 1 - at);
    while (close[-1] == ' ') close--;
    return (SentencePart){ length, (size_t)(begin - at), (size_t)(close - at) };
}

/* Whether a sentence ends inside a text. */
static int has_sentences(const char *at, const char *end)
{
    return at < end && sentence_length(at, (size_t)(end - at)) < (size_t)(end - at);
}

/* The aside between the dash at `at` and the next one in its sentence. */
static SentencePart in_dashes(const char *at, const char *end, unsigned marks)
{
    if (!has(marks, PART_DASH) || !is_free_dash(at, end)) return none;
    const char *limit = end - at > PART_BYTES ? at + PART_BYTES : end;
    const char *begin = skip_blanks(dashes_end(at, end), end), *stop = next_dash(begin, limit);
    if (stop >= limit || !is_closed(begin, stop) || has_sentences(begin, stop)) return none;
    const char *behind = dashes_end(skip_blanks(stop, end), end);
    return (SentencePart){ (size_t)(behind - at), (size_t)(begin - at), (size_t)(stop - at) };
}

/* Whether the text before `at` ends in two words, or that at `at` begins with two, so that they are
 * no item of a list (red - green - blue). */
static int has_words_before(const char *text, const char *at)
{
    const char *limit = at - text > PART_BYTES ? at - PART_BYTES : text;
    while (at > limit && !unicode_is_space(unicode_before(text, at)))
        at--;
    return at > text && is_word_character(last_before(text, at));
}

static int has_words_behind(const char *at, const char *end)
{
    at = skip_blanks(at, end);
    const char *limit = end - at > PART_BYTES ? at + PART_BYTES : end;
    while (at < limit && !unicode_is_space(peek(at)))
        unicode_next(&at);
    at = skip_blanks(at, end);
    return at < end && is_word_character(peek(at));
}

/* Whether words of the clause follow at `at`, perhaps behind a comma or in a tag. */
static int goes_on(const char *at, const char *end)
{
    if (at < end && *at == ',') at++;
    const char *next = skip_blanks(at, end);
    return next > at && next < end && (is_word_character(peek(next)) || strchr("<*\"", *next));
}

/* Whether dashes at `at` enclose an aside, and do not part the items of a list: what goes on behind
 * them at `behind` has a small letter, and is more than a word, or what is before them is. */
static int part_a_clause(const char *text, const char *at, const char *behind, const char *end)
{
    return unicode_is_lower(peek(skip_blanks(behind, end)))
           && (has_words_before(text, at) || has_words_behind(behind, end));
}

static int ends_word_or_tag(int32_t point)
{
    return is_word_character(point) || point == '>' || point == '*' || point == '"';
}

/* The aside between the dash at `at` and the next one, both without blanks. */
static SentencePart in_tight_dashes(const char *text, const char *at, const char *end,
                                    unsigned marks)
{
    const char *limit = end - at > PART_BYTES ? at + PART_BYTES : end;
    const char *begin = has(marks, PART_DASH) ? parting_dash_end(text, at, end) : at,
               *stop = begin;
    if (begin == at) return none;
    while (stop < limit && tight_dash_end(text, stop, end) == stop)
        unicode_next(&stop);
    if (stop >= limit || !is_closed(begin, stop) || has_sentences(begin, stop)) return none;
    const char *behind = tight_dash_end(text, stop, end);
    if (!part_a_clause(text, at, behind, end)) return none;
    return (SentencePart){ (size_t)(behind - at), (size_t)(begin - at), (size_t)(stop - at) };
}

SentencePart part_enclosed(const char *text, const char *at, const char *end, unsigned marks)
{
    const SentencePart tight = in_tight_dashes(text, at, end, marks);
    if (tight.length) return tight;
    if (!unicode_is_space(peek(at)) || !ends_word_or_tag(unicode_before(text, at))) return none;
    const char *open = skip_blanks(at, end);
    const size_t blanks = (size_t)(open - at);
    if (open == end) return none;
    const int is_dashed = is_dash(peek(open));
    const SentencePart aside = is_dashed ? in_dashes(open, end, marks)
                                         : in_brackets(open, end, marks);
    const char *behind = open + aside.length;
    if (!aside.length || !goes_on(behind, end)) return none;
    if (is_dashed && !part_a_clause(text, at, behind, end)) return none;
    return (SentencePart){ blanks + aside.length, blanks + aside.begin, blanks + aside.end };
}

/* ---- The first part ---- */

/* Behind the character at `at`, or the code that begins there. */
static const char *behind_character(const char *at, const char *end)
{
    const char *behind = code_end(at, end);
    if (!behind) unicode_next(&at);
    return behind ? behind : at;
}

SentencePart part_first(const char *text, size_t length, unsigned marks)
{
    const char *end = text + length, *at = text;
    const SentencePart aside = aside_of(text, end, marks), whole = { length, 0, 0 };
    if (aside.length || !length) return aside.length ? aside : whole;
    for (at = behind_character(at, end); at < end && at - text < PART_BYTES;
         at = behind_character(at, end)) {
        const char *next = next_part(text, at, end, marks);
        if (next) return (SentencePart){ (size_t)(next - text), 0, 0 };
    }
    return whole;
}
