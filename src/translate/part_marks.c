/* part_marks.c - see part_marks.h. */
#include "translate/part_marks.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <string.h>

#define LEFT_GUILLEMET  "\u00AB"
#define RIGHT_GUILLEMET "\u00BB"

static long times_seen(Language l, const char *mark)
{
    return l.lexicon ? lexicon_count(l.lexicon, mark, strlen(mark)) : 0;
}

static long stops_seen(Language l)
{
    static const char *const stops[] = { ".", "!", "?", "\u3002", "\uFF01", "\uFF1F", "\u0964",
                                         "\u061F" };
    long times = 0;
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
        times += times_seen(l, stops[i]);
    return times;
}

int ends_alike(Language source, Language target)
{
    const long stops = stops_seen(source);
    return stops && 2 * stops >= stops_seen(target);
}

/* Whether the language quotes with guillemets, as far as its lexicon knows. */
static int has_guillemets(Language l)
{
    const long guillemets = times_seen(l, LEFT_GUILLEMET);
    return guillemets && guillemets >= times_seen(l, "\"");
}

/* Whether the target's language writes a blank before ? ! ; and :. Where one does, a blank and the
 * question mark are one piece; of two languages with one vocabulary it is that with guillemets. */
static int has_blank_before_marks(Language source, Language target)
{
    Ids ids = { 0 };
    tokenizer_encode(target.tokenizer, "?", 1, &ids, NULL);
    const int one_piece = ids.count == 1 && ids.id[0] != ID_UNK;
    ids_free(&ids);
    return one_piece && (has_guillemets(target) || !has_guillemets(source));
}

static int gets_blank(char mark)
{
    return mark && strchr("?!;:", mark);
}

/* Appends the characters of [at, end) but blanks; with_blanks: the first of ? ! ; : gets one. */
static void add_marks(Buf *out, const char *at, const char *end, int with_blanks)
{
    char before = ' ';
    for (const char *next = at; next < end; at = next) {
        if (unicode_is_space(unicode_next(&next))) continue;
        if (with_blanks && gets_blank(*at) && !gets_blank(before)) buf_putc(out, ' ');
        buf_add(out, at, (size_t)(next - at));
        before = *at;
    }
}

static int is_bracket(int32_t point)
{
    return point == '(' || point == ')' || point == '[' || point == ']';
}

/* Appends the mark [at, end) that closes an aside of the source, as the target has it. */
static void add_closing(Buf *out, const char *at, const char *end, Language target)
{
    const size_t length = (size_t)(end - at);
    if (is_bracket(*at)) buf_putc(out, *at);
    else if (has_guillemets(target)) buf_puts(out, " " RIGHT_GUILLEMET);
    else if (length == 2 && !memcmp(at, RIGHT_GUILLEMET, 2)) buf_putc(out, '"');
    else buf_add(out, at, length);
}

/* Moves the first character of `from` to the start of `to`. */
static void move_first(Buf *from, Buf *to)
{
    Buf rest = { 0 }, more = { 0 };
    buf_clear(&rest);
    buf_puts(&rest, from->text + 1);
    buf_putc(&more, *from->text);
    buf_puts(&more, to->text);
    buf_free(from);
    buf_free(to);
    *from = rest;
    *to = more;
}

/* Puts the comma of speech where the target has it: « Non », but "No,". inner, outer: the marks
 * before and behind the one that closes the quotation. */
static void place_comma(Buf *inner, Buf *outer, Language target)
{
    if (has_guillemets(target)) {
        if (!strcmp(inner->text, ",")) move_first(inner, outer);
    } else if (!inner->length && *outer->text == ',') {
        move_first(outer, inner);
    }
}

char *part_tail(const PartText *part, Language source, Language target)
{
    const char *close = part->text + part->close, *end = part->text + part->length, *behind = close;
    const int blanks = has_blank_before_marks(source, target), is_aside = close < end;
    Buf inner = { 0 }, outer = { 0 };
    if (is_aside) unicode_next(&behind);
    buf_clear(&inner);
    buf_clear(&outer);
    add_marks(&inner, part->text + part->body, close, blanks);
    add_marks(&outer, behind, end, blanks);
    if (is_aside && !is_bracket(*close)) place_comma(&inner, &outer, target);
    if (is_aside) add_closing(&inner, close, behind, target);
    buf_puts(&inner, outer.text);
    buf_free(&outer);
    return inner.text;
}

/* The mark of a quotation in this language; NULL: as it is. */
static const char *opening_for(int32_t point, Language target)
{
    if (is_bracket(point)) return NULL;
    if (has_guillemets(target)) return LEFT_GUILLEMET " ";
    return point == 0xAB ? "\"" : NULL;
}

char *part_opening(const char *mark, Language target)
{
    const char *last = mark;
    for (const char *at = mark, *here; (here = at, *at);)
        if (!unicode_is_space(unicode_next(&at))) last = here;
    const char *opening = opening_for(unicode_next(&(const char *){ last }), target);
    Buf out = { 0 };
    buf_clear(&out);
    buf_add(&out, mark, opening ? (size_t)(last - mark) : strlen(mark));
    if (opening) buf_puts(&out, opening);
    return out.text;
}

char *part_quote(const char *mark, size_t length, int closes, Language target)
{
    Buf out = { 0 }, plain = { 0 };
    add_marks(&plain, mark, mark + length, 0);
    if (!closes) {
        out.text = part_opening(plain.text, target);
    } else {
        buf_clear(&out);
        add_closing(&out, plain.text, plain.text + plain.length, target);
    }
    buf_free(&plain);
    return out.text;
}

int words_begun(const char *at, const char *end)
{
    int words = 0;
    for (int is_blank = 0; at < end;) {
        const int was_blank = is_blank;
        is_blank = unicode_is_space(unicode_next(&at));
        words += was_blank && !is_blank;
    }
    return words;
}
