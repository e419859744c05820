/* words.c - the normal form of a line, its words, and the line again.
 *
 * A word is always a chunk of the line as it is. Whether a blank stood between two words is told by their marks, and
 * where there are none by words_expect_blank, which the way back asks as well: so cutting at any place is reversible.
 */
#include "text/words.h"

#include "base/mem.h"
#include "text/patterns.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

enum { DELETE = 0x7F, NO_BREAK_SPACE = 0xA0, HYPHEN = 0x2010, NO_BREAK_HYPHEN = 0x2011, RIGHT_QUOTE = 0x2019,
       NARROW_NO_BREAK_SPACE = 0x202F, LOWER_BLOCK = 0x2581, BLACK_SQUARE = 0x25A0,
       HALFWIDTH_SQUARE = 0xFFED, BLACK_FLAG = 0x1F3F4, FIRST_TAG = 0xE0020, LAST_TAG = 0xE007F };

/* ---- Normal form ---- */

/* Tags spell the region of a flag behind a black flag (England's); elsewhere they hide text. */
static int is_tag(int32_t point)
{
    return point >= FIRST_TAG && point <= LAST_TAG;
}

static int is_removed(int32_t point, int32_t before)
{
    if (is_tag(point)) return before != BLACK_FLAG && !is_tag(before);
    return unicode_is_control(point) || (unicode_is_ignorable(point) && !unicode_is_joiner(point));
}

/* What becomes of a character behind `before`, a blank at the start of a line; 0: nothing. */
static int32_t normal_point(int32_t point, int32_t before, int lowercase)
{
    if (point > ' ' && point < DELETE) return lowercase ? unicode_lower(point) : point;
    if (unicode_is_space(point)) return before == ' ' ? 0 : ' ';
    if (is_removed(point, before)) return 0;
    if (point == LOWER_BLOCK) return '_';
    if (point == HALFWIDTH_SQUARE) return BLACK_SQUARE;
    return lowercase ? unicode_lower(point) : point;
}

void words_normalise(const char *line, size_t length, int lowercase, Buf *out)
{
    Buf mapped = { 0 };
    const char *kept = line;                    /* where the chunk began that stays as it is */
    int32_t before = ' ';
    for (const char *at = line, *here, *end = line + length; (here = at) < end;) {
        int32_t point = unicode_next(&at), normal = normal_point(point, before, lowercase);
        if (normal) before = normal;
        if (normal == point) continue;
        buf_add(&mapped, kept, (size_t)(here - kept));
        if (normal) unicode_append(&mapped, normal);
        kept = at;
    }
    if (kept > line) {
        buf_add(&mapped, kept, (size_t)(line + length - kept));
        line = mapped.text;
        length = mapped.length;
    }
    if (length && before == ' ') length--;
    if (length) unicode_nfc(line, length, out);
    buf_free(&mapped);
}

/* ---- Look-alikes ---- */

enum { ACUTE = 0xB4, ELLIPSIS = 0x2026 };

/* The characters that Unicode's confusables (Technical Standard 39) give the skeleton of the apostrophe, but for quotation
 * marks of ASCII and those of one script alone. */
static int is_apostrophe(int32_t point)
{
    return point == ACUTE || (point >= 0x2B9 && point <= 0x2BD) || point == 0x2C8 || point == 0x2CA || point == 0x2CB
        || (point >= 0x2018 && point <= 0x201B && point != 0x201A) || point == 0x2032 || point == 0x2035;
}

/* A double quotation mark of the shape of U+201C. */
static int is_double_quote(int32_t point)
{
    return (point >= 0x201C && point <= 0x201F) || point == 0x2033 || point == 0x2036;
}

static int is_between_letters(const char *line, const char *at, const char *end)
{
    const char *behind = at + 1;
    return behind < end && unicode_is_letter(unicode_before(line, at)) && unicode_is_letter(unicode_next(&behind));
}

/* Appends a character as what is typed for it. */
static void fold(int32_t point, Buf *out)
{
    if (is_apostrophe(point)) buf_putc(out, '\'');
    else if (is_double_quote(point)) buf_putc(out, '"');
    else if (unicode_is_dash(point)) buf_putc(out, '-');
    else if (point == ELLIPSIS) buf_puts(out, "...");
    else if (!unicode_append_compatible(out, point)) unicode_append(out, point);
}

void words_fold(const char *line, size_t length, int lowercase, Buf *out)
{
    Buf folded = { 0 };
    PatternSpans spans = { 0 };
    size_t k = 0;
    if (unicode_is_ascii(line, length) && !memchr(line, '`', length)) {
        words_normalise(line, length, lowercase, out);
        return;
    }
    patterns_find(line, length, &spans);
    for (const char *at = line, *here, *end = line + length; (here = at) < end;) {
        while (k < spans.count && line + spans.span[k].end <= here)
            k++;
        const int32_t point = unicode_next(&at);
        if (k < spans.count && line + spans.span[k].start <= here) buf_add(&folded, here, (size_t)(at - here));
        else if (point == '`' && is_between_letters(line, here, end)) buf_putc(&folded, '\'');
        else if (point < 0x80) buf_putc(&folded, (char)point);
        else fold(point, &folded);
    }
    words_normalise(folded.text, folded.length, lowercase, out);
    xfree(spans.span);
    buf_free(&folded);
}

/* ---- Characters of words ---- */

/* Joiners count as marks: both cling to the character before them. */
typedef enum { LETTER, MARK, DIGIT, OTHER } Class;

static Class class_of(int32_t point)
{
    if (point < 0x80) {
        if ((point | 32) >= 'a' && (point | 32) <= 'z') return LETTER;
        return point >= '0' && point <= '9' ? DIGIT : OTHER;
    }
    if (unicode_is_letter(point)) return LETTER;
    if (unicode_digit(point) >= 0 && unicode_is_number(point)) return DIGIT;
    return unicode_is_mark(point) || unicode_is_joiner(point) ? MARK : OTHER;
}

/* The class of the character at `at`; the end counts as a blank. */
static Class class_at(const char *at, const char *end)
{
    return at < end ? class_of(unicode_next(&at)) : OTHER;
}

static const char *skip_one(const char *at)
{
    unicode_next(&at);
    return at;
}

/* Whether a character is of a script without blanks, or a digit, which is written on to those. */
static int lacks_blanks(Class class, int32_t point)
{
    return class == DIGIT || (class != OTHER && !unicode_script_has_blanks(unicode_script(point)));
}

/* Whether words that end and begin in these characters have a blank between them, if no mark says otherwise. */
static int expect_blank(int32_t last, int32_t first)
{
    if (last < 0x80 && first < 0x80) return 1;
    const Class before = class_of(last), behind = class_of(first);
    return (before == DIGIT && behind == DIGIT) || !lacks_blanks(before, last) || !lacks_blanks(behind, first);
}

/* ---- Ends of words ---- */

/* The end of a run of characters of this class, and of the marks on them. */
static const char *run_end(const char *at, const char *end, Class class)
{
    for (const char *next = at; next < end; at = next) {
        const Class found = class_of(unicode_next(&next));
        if (found != class && found != MARK) break;
    }
    return at;
}

/* The same of letters of one script. A letter of several scripts goes with each of them. */
static const char *script_end(const char *at, const char *end)
{
    int script = 0;
    for (const char *next = at; next < end; at = next) {
        const int32_t point = unicode_next(&next);
        const Class class = class_of(point);
        if (class == MARK) continue;
        if (class != LETTER) break;
        if (script && !(point < 0x80 ? script == UNICODE_LATIN : unicode_has_script(point, script))) break;
        if (!script) script = unicode_script(point);
    }
    return at;
}

/* Whether start..at is one letter, marks not counted. */
static int is_one_letter(const char *start, const char *at)
{
    return start < at && class_at(start, at) == LETTER && run_end(skip_one(start), at, MARK) == at;
}

/* Whether the character at `at` binds the letters behind it to those before it, of which the last part began at
 * `part`. */
static int binds(const char *part, const char *at, const char *end)
{
    const char *behind = at;
    const int32_t point = unicode_next(&behind);
    if (class_at(behind, end) != LETTER) return 0;
    if (point == '.') return is_one_letter(part, at) && is_one_letter(behind, script_end(behind, end));
    if (point == '-' || point == HYPHEN || point == NO_BREAK_HYPHEN) return 1;
    return point >= 0x80 && point != RIGHT_QUOTE && unicode_is_mid_letter(point);
}

static int is_apostrophe_at(const char *at, const char *end)
{
    return at < end && (*at == '\'' || unicode_next(&at) == RIGHT_QUOTE);
}

static size_t count_characters(const char *at, const char *end)
{
    size_t characters = 0;
    while (at < end)
        characters += class_of(unicode_next(&at)) != MARK;
    return characters;
}

/* The end of a word of letters. */
static const char *letters_end(const char *start, const char *end)
{
    const char *part = start, *at = script_end(start, end);
    while (at < end && binds(part, at, end)) {
        part = skip_one(at);
        at = script_end(part, end);
    }
    if (!is_apostrophe_at(at, end)) return at;
    const char *behind = skip_one(at), *rest = script_end(behind, end);
    if (rest == behind) rest = run_end(behind, end, DIGIT);
    const size_t other = count_characters(behind, rest);
    return other && count_characters(part, at) <= other ? behind : at;
}

/* The end of a part that an apostrophe begins, behind a letter: 't; NULL: it begins none. */
static const char *ending_end(const char *line, const char *at, const char *end)
{
    if (!is_apostrophe_at(at, end) || at == line || class_of(unicode_before(line, at)) == OTHER) return NULL;
    const char *letters = skip_one(at), *after = script_end(letters, end);
    return after > letters ? after : NULL;
}

/* The end of the grapheme cluster at `at`, or of a run of it. */
static const char *cluster_end(const char *at, const char *end)
{
    const char *after = grapheme_end(at, end);
    const size_t length = (size_t)(after - at);
    while ((size_t)(end - after) >= length && memcmp(after, at, length) == 0
           && grapheme_end(after, end) == after + length)
        after += length;
    return after;
}

/* As far as a word that starts at `at` may reach: WORD_BYTES, down to the start of a character. */
static const char *word_limit(const char *at, const char *end)
{
    if (end - at <= WORD_BYTES) return end;
    for (end = at + WORD_BYTES; (*end & 0xC0) == 0x80;)
        end--;
    return end;
}

const char *words_end(const char *line, const char *at, const char *end)
{
    const char *ending;
    end = word_limit(at, end);
    switch (class_at(at, end)) {
    case LETTER:
    case MARK:  return letters_end(at, end);
    case DIGIT: return run_end(at, end, DIGIT);
    case OTHER: break;
    }
    ending = ending_end(line, at, end);
    return ending ? ending : run_end(cluster_end(at, end), end, MARK);
}

/* ---- Splitting ---- */

void words_clear(Words *words)
{
    buf_clear(&words->text);
    words->count = 0;
}

static void end_word(Words *words)
{
    words->end = grow(words->end, &words->capacity, words->count + 1, sizeof *words->end);
    words->end[words->count++] = words->text.length;
}

void words_add(Words *words, const char *bytes, size_t length)
{
    buf_add(&words->text, bytes, length);
    end_word(words);
}

/* A line that is being split. */
typedef struct {
    const char *line, *end;
    Words      *words;
    int         is_span;            /* the last word is a span, whose text stays */
} Splitting;

/* Joins the word that starts at `at` to the one before it, on which it is written; returns whether it has a mark. */
static int join_word(Splitting *s, const char *at, int is_span)
{
    const char *next = at;
    const int32_t last = unicode_before(s->line, at), first = unicode_next(&next);
    const int is_word = is_span || class_of(first) != OTHER;
    if (!is_word) return 0;
    if (class_of(last) == OTHER && !s->is_span) {
        buf_add(&s->words->text, JOINER, JOINER_LENGTH);
        s->words->end[s->words->count - 1] = s->words->text.length;
    } else if (expect_blank(last, first)) {
        words_add(s->words, JOINER, JOINER_LENGTH);
    }
    return 1;
}

/* Parts the word that starts at `at` from the one before the blank. */
static void part_word(Splitting *s, const char *at)
{
    const char *next = at;
    if (!expect_blank(unicode_before(s->line, at - 1), unicode_next(&next)))
        words_add(s->words, WORD_MARK, WORD_MARK_LENGTH);
}

/* Adds the word at..after, behind a blank or not. */
static void add_word(Splitting *s, const char *at, const char *after, int is_span)
{
    int has_mark = 1;
    if (at > s->line && at[-1] == ' ') part_word(s, at);
    else if (at > s->line) has_mark = join_word(s, at, is_span);
    if (has_mark) buf_add(&s->words->text, WORD_MARK, WORD_MARK_LENGTH);
    words_add(s->words, at, (size_t)(after - at));
    s->is_span = is_span;
}

/* Places of a line where a word ends in any case. */
typedef struct { const size_t *at; size_t *before, count, passed; } Cuts;

/* Passes the places up to `at`; returns the next one, or `end`. */
static const char *next_cut(Cuts *cuts, const Splitting *s, const char *at)
{
    for (; cuts->passed < cuts->count && s->line + cuts->at[cuts->passed] <= at; cuts->passed++)
        cuts->before[cuts->passed] = s->words->count;
    return cuts->passed < cuts->count ? s->line + cuts->at[cuts->passed] : s->end;
}

/* The next span from `at` on, whole, or none. */
static PatternSpan next_span(const PatternSpans *spans, size_t *k, const Splitting *s, const char *at)
{
    const size_t from = (size_t)(at - s->line), length = (size_t)(s->end - s->line);
    while (*k < spans->count && spans->span[*k].start < from)
        ++*k;
    return *k < spans->count ? spans->span[*k] : (PatternSpan){ length, length };
}

static void split(Splitting *s, Cuts *cuts, const PatternSpans *spans)
{
    size_t k = 0;
    for (const char *at = s->line, *after; at < s->end; at = after + (after < s->end && *after == ' ')) {
        const char *end = next_cut(cuts, s, at);
        const PatternSpan span = next_span(spans, &k, s, at);
        const char *start = s->line + span.start, *stop = s->line + span.end;
        const int is_span = start == at && stop <= end;
        if (start > at && start < end) end = start;
        after = is_span ? stop : words_end(s->line, at, end);
        add_word(s, at, after, is_span);
    }
    next_cut(cuts, s, s->end);
}

void words_split_around(const char *line, size_t length, int has_spans, const size_t *at, size_t *before, size_t count,
                        Words *words)
{
    PatternSpans spans = { 0 };
    Splitting s = { line, line + length, words, 0 };
    Cuts cuts = { at, before, count, 0 };
    words_clear(words);
    if (has_spans) patterns_find(line, length, &spans);
    split(&s, &cuts, &spans);
    xfree(spans.span);
}

void words_split(const char *line, size_t length, int has_spans, Words *words)
{
    words_split_around(line, length, has_spans, NULL, NULL, 0, words);
}

/* ---- Marks and joiners ---- */

size_t words_mark_length(const char *word, size_t length)
{
    const size_t mark = WORD_MARK_LENGTH;
    return length >= mark && !memcmp(word, WORD_MARK, mark) ? mark : 0;
}

size_t words_joiner_length(const char *word, size_t length)
{
    const size_t joiner = JOINER_LENGTH;
    return length >= joiner && !memcmp(word + length - joiner, JOINER, joiner) ? joiner : 0;
}

WordCore words_core(const char *word, size_t length)
{
    const size_t mark = words_mark_length(word, length);
    return (WordCore){ word + mark, length - mark - words_joiner_length(word, length) };
}

/* Marks and joiners on the way back to a line. */
typedef struct {
    size_t  marks;                  /* since the last character */
    size_t  marked;                 /* the piece that has the last of them */
    int     is_joined;
    int32_t last;                   /* that character; 0: none */
} Joining;

static int has_blank(const Joining *j, int32_t first)
{
    if (!j->marks || !j->last || j->is_joined) return 0;
    return j->marks > 1 || expect_blank(j->last, first);
}

/* Appends piece i. */
static void join_piece(Joining *j, size_t i, const char *piece, size_t length, PieceText *text, Buf *out)
{
    for (const char *at = piece, *end = piece + length; at < end;) {
        const char *character = at;
        const int32_t point = unicode_next(&at);
        if (point == LOWER_BLOCK) {
            j->marks++;
            j->marked = i;
        } else if (point == HALFWIDTH_SQUARE) {
            j->is_joined = 1;
        } else {
            const int blank = has_blank(j, point);
            if (blank) buf_putc(out, ' ');
            if (text && (blank || !j->last)) text[j->marks ? j->marked : i].begins = 1;
            buf_add(out, character, (size_t)(at - character));
            *j = (Joining){ .last = point };
        }
    }
    if (text) text[i].end = out->length;
}

void words_join(const char *marked, size_t length, Buf *out)
{
    Joining j = { 0 };
    join_piece(&j, 0, marked, length, NULL, out);
}

void words_join_pieces(const char *const *piece, size_t count, PieceText *text, Buf *out)
{
    Joining j = { 0 };
    for (size_t i = 0; i < count; i++) {
        if (text) text[i] = (PieceText){ 0 };
        join_piece(&j, i, piece[i], strlen(piece[i]), text, out);
    }
}

/* ---- The textbook's words ---- */

void words_split_textbook(const char *line, size_t length, int lowercase, Words *words)
{
    words_clear(words);
    size_t start = 0;
    for (const char *at = line, *end = line + length; at < end;) {
        int32_t point = unicode_next(&at);
        int blank = point == ' ' || point == NO_BREAK_SPACE || point == NARROW_NO_BREAK_SPACE ||
                    unicode_is_control(point);
        int mark = point == ',' || point == '.' || point == '!' || point == '?';
        if ((blank || mark) && words->text.length > start) {
            end_word(words);
            start = words->text.length;
        }
        if (!blank) unicode_append(&words->text, lowercase ? unicode_lower(point) : point);
    }
    if (words->text.length > start) end_word(words);
}

/* ---- Words by their numbers ---- */

const char *words_at(const Words *words, size_t i, size_t *length)
{
    size_t start = i ? words->end[i - 1] : 0;
    *length = words->end[i] - start;
    return words->text.text + start;
}

WordCore words_core_at(const Words *words, size_t i)
{
    size_t length;
    if (i >= words->count) return (WordCore){ "", 0 };
    const char *word = words_at(words, i, &length);
    return words_core(word, length);
}

void words_free(Words *words)
{
    buf_free(&words->text);
    xfree(words->end);
    *words = (Words){ 0 };
}
