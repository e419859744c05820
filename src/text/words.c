/* words.c - the normal form of a line, its words, and the line again.
 *
 * A word is always a chunk of the line as it is. Whether a blank stood between two words is told by their marks, and
 * where there are none by expect_blank, which the way back asks as well: so cutting at any place is reversible.
 */
#include "text/words.h"

#include "base/mem.h"
#include "text/patterns.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

enum { DELETE = 0x7F, NO_BREAK_SPACE = 0xA0, ACUTE = 0xB4, HYPHEN = 0x2010, NO_BREAK_HYPHEN = 0x2011, RIGHT_QUOTE = 0x2019,
       ELLIPSIS = 0x2026, NARROW_NO_BREAK_SPACE = 0x202F, LOWER_BLOCK = 0x2581, BLACK_SQUARE = 0x25A0,
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
    SCOPED(buf_free) Buf mapped = { 0 };
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
    if (length) unicode_nfc((Slice){ line, length }, out);
}

/* ---- Look-alikes ---- */

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
    SCOPED(buf_free) Buf folded = { 0 };
    SCOPED(spans_free) PatternSpans spans = { 0 };
    size_t k = 0;
    if (unicode_is_ascii(line, length) && !memchr(line, '`', length)) {
        words_normalise(line, length, lowercase, out);
        return;
    }
    patterns_find(line, length, &spans);
    for (const char *at = line, *here, *end = line + length; (here = at) < end;) {
        const PatternSpan span = spans_next(&spans, &k, (size_t)(here - line));
        const int32_t point = unicode_next(&at);
        if (span.start <= (size_t)(here - line)) buf_add(&folded, here, (size_t)(at - here));
        else if (point == '`' && is_between_letters(line, here, end)) buf_putc(&folded, '\'');
        else if (point < 0x80) buf_putc(&folded, (char)point);
        else fold(point, &folded);
    }
    words_normalise(folded.text, folded.length, lowercase, out);
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
    return at < end ? class_of(unicode_at(at)) : OTHER;
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
    return at < end && (*at == '\'' || unicode_at(at) == RIGHT_QUOTE);
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
    end = word_limit(at, end);
    switch (class_at(at, end)) {
    case LETTER:
    case MARK:  return letters_end(at, end);
    case DIGIT: return run_end(at, end, DIGIT);
    case OTHER: break;
    }
    const char *ending = ending_end(line, at, end);
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

void words_add(Words *words, Slice bytes)
{
    buf_add(&words->text, bytes.text, bytes.length);
    end_word(words);
}

/* A line that is being split. */
typedef struct {
    const char *line, *end;
    Words      *words;
    int         is_span;            /* the last word is a span, whose text stays */
} Splitting;

/* Adds the word at..after. One that is written on to the word before it is joined to that, one behind a blank is parted from
 * it where none is expected; marks that are written on have no mark of their own. */
static void add_word(Splitting *s, const char *at, const char *after, int is_span)
{
    const int32_t first = unicode_at(at);
    const int is_apart = at == s->line || at[-1] == ' ', is_word = is_span || class_of(first) != OTHER;
    const int32_t last = unicode_before(s->line, is_apart && at > s->line ? at - 1 : at);
    if (at > s->line && is_apart && !expect_blank(last, first)) {
        words_add(s->words, slice_of(WORD_MARK));
    } else if (!is_apart && is_word && class_of(last) == OTHER && !s->is_span) {
        buf_add(&s->words->text, JOINER, JOINER_LENGTH);
        s->words->end[s->words->count - 1] = s->words->text.length;
    } else if (!is_apart && is_word && expect_blank(last, first)) {
        words_add(s->words, slice_of(JOINER));
    }
    if (is_apart || is_word) buf_add(&s->words->text, WORD_MARK, WORD_MARK_LENGTH);
    words_add(s->words, slice_between(at, after));
    s->is_span = is_span;
}

void words_split(const char *line, size_t length, int has_spans, const size_t *at, size_t *before, size_t count,
                        Words *words)
{
    SCOPED(spans_free) PatternSpans spans = { 0 };
    Splitting s = { line, line + length, words, 0 };
    size_t cut = 0, k = 0;
    words_clear(words);
    if (has_spans) patterns_find(line, length, &spans);
    for (const char *from = line, *after; from < s.end; from = after + (after < s.end && *after == ' ')) {
        const size_t start = (size_t)(from - line);
        for (; cut < count && at[cut] <= start; cut++)
            before[cut] = words->count;
        const PatternSpan span = spans_next(&spans, &k, start);
        size_t end = cut < count ? at[cut] : length;
        const int is_span = span.start == start && span.end <= end;
        if (span.start > start && span.start < end) end = span.start;
        after = is_span ? line + span.end : words_end(line, from, line + end);
        add_word(&s, from, after, is_span);
    }
    for (; cut < count; cut++)
        before[cut] = words->count;
}

/* ---- Marks and joiners ---- */

size_t words_mark_length(Slice word)
{
    const size_t mark = WORD_MARK_LENGTH;
    return word.length >= mark && !memcmp(word.text, WORD_MARK, mark) ? mark : 0;
}

size_t words_joiner_length(Slice word)
{
    const size_t joiner = JOINER_LENGTH;
    return word.length >= joiner && !memcmp(word.text + word.length - joiner, JOINER, joiner) ? joiner : 0;
}

Slice words_core(Slice word)
{
    const size_t mark = words_mark_length(word);
    return (Slice){ word.text + mark, word.length - mark - words_joiner_length(word) };
}

/* Marks and joiners on the way back to a line. */
typedef struct {
    int     are_symbols;
    size_t  marks;                  /* since the last character */
    size_t  marked;                 /* the piece that has the last of them */
    int     is_joined;
    int32_t last;                   /* that character; 0: none */
} Joining;

/* Appends piece i. */
static void join_piece(Joining *j, size_t i, const char *piece, PieceText *text, Buf *out)
{
    for (const char *at = piece; *at;) {
        const char *character = at;
        const int32_t point = unicode_next(&at);
        if (point == LOWER_BLOCK) {
            j->marks++;
            j->marked = i;
        } else if (point == HALFWIDTH_SQUARE) {
            j->is_joined = 1;
        } else {
            const int is_apart = j->marks && j->last && !j->is_joined;
            const int blank = is_apart && (j->are_symbols || j->marks > 1 || expect_blank(j->last, point));
            if (blank) buf_putc(out, ' ');
            if (text && (blank || !j->last)) text[j->marks ? j->marked : i].begins = 1;
            buf_add(out, character, (size_t)(at - character));
            *j = (Joining){ .are_symbols = j->are_symbols, .last = point };
        }
    }
}

/* Composes what `out` has from `start` on. */
static void compose(Buf *out, size_t start)
{
    SCOPED(buf_free) Buf apart = { 0 };
    buf_puts(&apart, out->text + start);
    out->length = start;
    unicode_nfc(buf_slice(&apart), out);
}

void words_join_pieces(const char *const *piece, size_t count, int are_symbols, PieceText *text, Buf *out)
{
    Joining j = { .are_symbols = are_symbols };
    size_t word = out->length;      /* where the last one begins, or the blank before it */
    for (size_t i = 0; i < count; i++) {
        if (text) text[i] = (PieceText){ 0 };
        if (words_mark_length(slice_of(piece[i]))) word = out->length;
        join_piece(&j, i, piece[i], text, out);
        if (are_symbols && out->length > word) compose(out, word);
        if (text) text[i].end = out->length;
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

/* ---- The words of sequences that are no sentences ---- */

void symbols_split(const char *line, size_t length, Words *words)
{
    words_clear(words);
    for (const char *at = line, *end = line + length; at < end; at++) {
        const char *blank = memchr(at, ' ', (size_t)(end - at)), *stop = blank ? blank : end;
        buf_puts(&words->text, WORD_MARK);
        unicode_nfd(slice_between(at, stop), &words->text);
        end_word(words);
        at = stop;
    }
}

/* ---- Words by their numbers ---- */

Slice words_at(const Words *words, size_t i)
{
    const size_t start = i ? words->end[i - 1] : 0;
    return (Slice){ words->text.text + start, words->end[i] - start };
}

Slice words_core_at(const Words *words, size_t i)
{
    return i < words->count ? words_core(words_at(words, i)) : (Slice){ "", 0 };
}

void words_free(Words *words)
{
    buf_free(&words->text);
    xfree(words->end);
    *words = (Words){ 0 };
}
