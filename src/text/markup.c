/* markup.c - finds the tags of a line, pairs them, and builds the line without them. */
#include "text/markup.h"

#include "base/mem.h"
#include "text/entities.h"
#include "text/patterns.h"
#include "text/sentences.h"
#include "text/unicode.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

/* ---- Elements ---- */

/* What an element encloses: a paragraph or the like, where a sentence ends; words; code. Names that
 * HTML lacks, and comments: ELEMENT_XML. */
typedef enum { ELEMENT_XML, ELEMENT_BLOCK, ELEMENT_LINE, ELEMENT_CODE } ElementKind;

/* A tag, borrowed from its line. It and its partner have the same name; a comment has none. */
typedef struct {
    ElementKind kind;
    const char *at, *end;
    const char *name;               /* (name_length) */
    size_t      name_length;
    int         opens, closes;      /* neither: <br/> and comments */
} Element;

enum { MOST = 2000 };               /* bytes of an element or a comment */

static const char *name_end(const char *at, const char *end)
{
    while (at < end && *at && (is_alphanumeric(*at) || strchr("-_:.", *at)))
        at++;
    return at;
}

/* Whether at..end is one of `words` (NULL-terminated), byte for byte. */
static int is_among(const char *const *words, const char *at, const char *end)
{
    const size_t length = (size_t)(end - at);
    for (; *words; words++)
        if (strlen(*words) == length && !memcmp(*words, at, length)) return 1;
    return 0;
}

/* Behind the value at `at`: in quotes, or without blanks. NULL: there is none. */
static const char *value_end(const char *at, const char *end)
{
    const char quote = at < end ? *at : ' ', *stop = at;
    if (quote == '"' || quote == '\'') {
        stop = memchr(at + 1, quote, (size_t)(end - at - 1));
        return stop ? stop + 1 : NULL;
    }
    while (stop < end && (unsigned char)*stop > ' ' && !strchr("<>\"'=&", *stop))
        stop++;
    return stop > at ? stop : NULL;
}

/* Behind the attributes at `at`, each with a value or a flag, and the blanks around them. NULL:
 * something else is there. */
static const char *attributes_end(const char *at, const char *end)
{
    /* What an attribute without a value may be called; others are words between < and >. */
    static const char *const flags[] = { "selected", "checked", "disabled", "readonly", "required",
                                         "multiple", "hidden", "open", "autofocus", "controls",
                                         "async", "defer", NULL };
    while ((at = unicode_skip_blanks(at, end)) < end && *at != '>' && *at != '/') {
        const char *stop = name_end(at, end);
        if (stop == at) return NULL;
        if (stop < end && *stop == '=') stop = value_end(stop + 1, end);
        else if (!is_among(flags, at, stop)) return NULL;
        if (!stop) return NULL;
        at = stop;
    }
    return at;
}

/* What an element is, by its name; other elements are of XML. */
static ElementKind kind_of(const char *at, const char *end)
{
    static const char *const block[] = { "p", "div", "li", "ul", "ol", "dl", "dt", "dd", "table", "tr",
                                         "td", "th", "thead", "tbody", "caption", "h1", "h2", "h3",
                                         "h4", "h5", "h6", "br", "hr", "section", "article",
                                         "header", "footer", "nav", "main", "aside", "blockquote",
                                         "figure", "figcaption", "form", "option", "title", NULL };
    static const char *const line[] = { "a", "b", "i", "u", "s", "em", "strong", "span", "small",
                                        "big", "sub", "sup", "font", "mark", "del", "ins", "q",
                                        "cite", "label", "img", "input", "button", "wbr", NULL };
    static const char *const code[] = { "code", "pre", "kbd", "samp", "var", "tt", "script",
                                        "style", NULL };
    if (is_among(block, at, end)) return ELEMENT_BLOCK;
    if (is_among(line, at, end)) return ELEMENT_LINE;
    return is_among(code, at, end) ? ELEMENT_CODE : ELEMENT_XML;
}

/* <b> </b> <br/> <br /> <a href="x"> */
static int is_tag(Element *element, const char *at, const char *end)
{
    const int closes = at + 1 < end && at[1] == '/';
    const char *limit = end - at > MOST ? at + MOST : end, *name = at + 1 + closes;
    if (name >= limit || !is_alphanumeric(*name) || *name <= '9') return 0;
    const char *stop = name_end(name, limit), *rest = attributes_end(stop, limit);
    if (!rest || rest == limit || (closes && rest > unicode_skip_blanks(stop, limit))) return 0;
    const int is_empty = *rest == '/';
    if (rest + is_empty >= limit || rest[is_empty] != '>') return 0;
    *element = (Element){ .kind = kind_of(name, stop), .at = at, .end = rest + is_empty + 1, .name = name,
                          .name_length = (size_t)(stop - name), .opens = !closes && !is_empty,
                          .closes = closes };
    return 1;
}

/* <!-- --> */
static int is_comment(Element *element, const char *at, const char *end)
{
    if (end - at < 4 || memcmp(at, "<!--", 4) != 0) return 0;
    if (end - at > MOST) end = at + MOST;
    for (const char *close = at + 4; (close = memchr(close, '-', (size_t)(end - close))); close++) {
        if (end - close < 3 || memcmp(close, "-->", 3) != 0) continue;
        *element = (Element){ .at = at, .end = close + 3 };
        return 1;
    }
    return 0;
}

/* ---- Finding and pairing ---- */

/* partner: the number of the other one of its pair, or one of these: it stands alone; it is left in
 * the line. */
enum { TAG_ALONE = -1, TAG_STAYS = -2 };
typedef struct { Element element; int partner; } FoundTag;

typedef struct {
    const char *line, *end;
    FoundTag   *found;          /* (count) in the order of the line */
    size_t      count, capacity;
} Search;

/* A tag without a partner is taken out if it is known to be one. */
static void find(Search *s)
{
    Element element;
    for (const char *at = s->line; (at = strchr(at, '<'));) {
        if (!is_tag(&element, at, s->end) && !is_comment(&element, at, s->end)) {
            at++;
            continue;
        }
        const int is_known = element.kind != ELEMENT_XML || !element.opens;
        s->found = grow(s->found, &s->capacity, s->count + 1, sizeof *s->found);
        s->found[s->count++] = (FoundTag){ element, is_known ? TAG_ALONE : TAG_STAYS };
        at = element.end;
    }
}

/* How deep tags are nested at most; deeper ones have no partner. */
enum { DEPTH = 32 };

/* The tags that are open, the innermost last. */
typedef struct { int tag[DEPTH], count; } Open;

static void pair(Search *s)
{
    Open open = { .count = 0 };
    for (int i = 0; i < (int)s->count; i++) {
        FoundTag *close = &s->found[i];
        const Element *element = &close->element;
        int place = element->closes ? open.count - 1 : -1;      /* of the innermost open tag that it closes */
        for (; place >= 0; place--) {
            const Element *other = &s->found[open.tag[place]].element;
            if (other->name_length == element->name_length && !memcmp(other->name, element->name, element->name_length)) break;
        }
        if (place >= 0) {
            const int first = open.tag[place], is_code = element->kind == ELEMENT_CODE;
            s->found[first].partner = is_code ? TAG_STAYS : i;
            close->partner = is_code ? TAG_STAYS : first;
            open.count = place;
        } else if (element->opens && open.count < DEPTH) {
            open.tag[open.count++] = i;
        }
    }
}

/* ---- The plain line ---- */

/* The words that a text has so far. */
typedef struct { int words, inside; } WordCount;

static void count_words(WordCount *count, const char *at, const char *end)
{
    while (at < end) {
        const int is_blank = unicode_is_space(unicode_next(&at));
        count->words += !is_blank && !count->inside;
        count->inside = !is_blank;
    }
}

/* Both lines on the way. */
typedef struct {
    Markup     *m;
    const char *line, *end;
    Buf         decoded;        /* scratch */
    unsigned    bare;           /* signs that the line has outside of the tags that are taken out, not as entities: no
                                 * entity of one of them may be decoded, since it could not be told from them */
    WordCount   in_line, in_plain;
    int         extra;          /* words of the line so far that the plain line lacks */
    char        gap;            /* what the plain line gets before the next word; 0: nothing */
} Building;

static void add(Building *b, const char *at, const char *end)
{
    count_words(&b->in_plain, at, end);
    buf_add(&b->m->text, at, (size_t)(end - at));
}

/* The last byte of a text; 0: it has none. */
static char last_byte(const Buf *text)
{
    return text->length ? text->text[text->length - 1] : 0;
}

/* Appends the gap, unless no word, or a line end is before it. */
static void add_gap(Building *b)
{
    if (b->gap && b->in_plain.words && last_byte(&b->m->text) != '\n') add(b, &b->gap, &b->gap + 1);
    b->gap = 0;
}

/* A line end in a line is a blank. */
static void blank_line_ends(Buf *text)
{
    for (char *at = text->text; (at = strchr(at, '\n'));)
        *at = ' ';
}

/* Appends a part of the line to the plain line; behind a tag without a second blank. */
static void add_plain(Building *b, const char *from, const char *stop)
{
    Buf *decoded = &b->decoded;
    buf_clear(decoded);
    b->m->signs |= entities_decode(from, (size_t)(stop - from), b->bare, decoded);
    blank_line_ends(decoded);
    const char *at = decoded->text, *end = at + decoded->length;
    count_words(&b->in_line, at, end);
    if (at == end) return;
    const char last = last_byte(&b->m->text);
    if (b->gap == '\n' && *at == ' ' && last && last != ' ' && last != '\n') add(b, at, at + 1);  /* before the block's end */
    add_gap(b);
    if (b->m->count && !b->in_plain.inside && *at == ' ') at++;
    add(b, at, end);
}

/* The side of a tag without a partner, which begins a line or a block of it (<br>Tom) or not, and the blank beside it where it
 * stands by itself: see <br/> here. The tag before may have that blank already. */
static void set_side(const Building *b, const Element *element, Tag *tag)
{
    const Tag *last = b->m->count > 1 ? tag - 1 : NULL;
    const int is_inner = element->kind == ELEMENT_BLOCK && !element->closes && element->end < b->end;
    const int is_first = element->at == b->line || !b->in_plain.words || is_inner, is_last = element->end == b->end;
    const int is_taken = last && last->text + last->length > element->at - 1;
    const int before = !is_first && element->at[-1] == ' ' && !is_taken;
    const int behind = is_last || *element->end == ' ';
    const int has_blank_before = before && behind, has_blank_behind = is_first && behind && !is_last;
    tag->is_behind = !is_first && (behind || (!before && !element->opens));
    tag->text = element->at - has_blank_before;
    tag->length = (size_t)(element->end + has_blank_behind - tag->text);
}

/* What the plain line has in place of a tag: a line end at a block, a blank behind the end of a
 * sentence or, of a tag alone, behind a word: a<wbr>b. */
static char gap_of(const Building *b, const FoundTag *found)
{
    const Element *element = &found->element;
    const Buf *plain = &b->m->text;
    if (element->end == b->end) return b->gap;
    if (element->kind == ELEMENT_BLOCK) return '\n';
    if (b->gap || !unicode_is_word_character(unicode_at(element->end))) return b->gap;
    const int is_between = found->partner == TAG_ALONE
                           && unicode_is_word_character(unicode_before(b->line, element->at));
    return is_between || (b->in_plain.inside && ends_in_stop(plain->text, plain->length)) ? ' ' : 0;
}

/* The words of the line so far, and of the plain line, each with the one that begins next. */
static int extra_words(const Building *b, const char *next)
{
    const int is_blank = next == b->end || unicode_is_space(unicode_at(next));
    const int begun = b->in_line.words + (!is_blank && !b->in_line.inside);
    return begun - b->in_plain.words - (!is_blank && (!b->in_plain.inside || b->gap));
}

/* to_partner: how many tags behind it. */
static void add_tag(Building *b, const FoundTag *found, int to_partner)
{
    const Element *element = &found->element;
    Tag *tag = &b->m->tag[b->m->count++];
    *tag = (Tag){ .text = element->at, .length = (size_t)(element->end - element->at),
                  .to_partner = to_partner, .is_behind = to_partner < 0 };
    if (!to_partner) set_side(b, element, tag);
    tag->at = b->m->text.length - (!to_partner && tag->is_behind && last_byte(&b->m->text) == ' ');
    b->gap = gap_of(b, found);
    if (!tag->is_behind) {
        add_gap(b);
        tag->at = b->m->text.length;
    }
    count_words(&b->in_line, element->at, element->end);
    const int extra = extra_words(b, element->end);
    tag->words = extra - b->extra;
    b->extra = extra;
}

/* Sets *m to the line without the tags that do not stay. */
static void build(Markup *m, const Search *s)
{
    Building b = { .m = m, .line = s->line, .end = s->end };
    int *number = xmalloc(s->count, sizeof *number), taken = 0;     /* of each tag among those that are taken out */
    const char *at = s->line;
    for (size_t i = 0; i < s->count; i++) {
        number[i] = taken;
        if (s->found[i].partner == TAG_STAYS) continue;
        taken++;
        b.bare |= entities_bare(at, (size_t)(s->found[i].element.at - at));
        at = s->found[i].element.end;
    }
    b.bare |= entities_bare(at, (size_t)(s->end - at));
    buf_clear(&m->text);
    xfree(m->tag);
    m->signs = 0;
    m->tag = xmalloc((size_t)taken, sizeof *m->tag);
    m->count = 0;
    at = s->line;
    for (size_t i = 0; i < s->count; i++) {
        const int partner = s->found[i].partner;
        if (partner == TAG_STAYS) continue;
        add_plain(&b, at, s->found[i].element.at);
        add_tag(&b, &s->found[i], partner == TAG_ALONE ? 0 : number[partner] - number[i]);
        at = s->found[i].element.end;
    }
    add_plain(&b, at, b.end);
    buf_free(&b.decoded);
    xfree(number);
}

/* ---- Tags inside words ---- */

/* A word of the plain line. */
typedef struct { const char *at, *end; int is_span; } Word;

/* The word, span or blank at `at` of a text; k: the first span that does not end before. */
static Word word_at(const char *text, const char *at, const char *end, const PatternSpans *spans, size_t *k)
{
    const size_t from = (size_t)(at - text);
    while (*k < spans->count && spans->span[*k].end <= from)
        ++*k;
    if (*k < spans->count && spans->span[*k].start == from) return (Word){ at, text + spans->span[*k].end, 1 };
    if (*k < spans->count && text + spans->span[*k].start < end) end = text + spans->span[*k].start;
    const char *behind = *at == ' ' ? at : words_end(text, at, end);
    if (behind == at) unicode_next(&behind);
    return (Word){ at, behind, 0 };
}

/* Moves the tags inside words to their ends. Sets for each tag of *m whether it cuts what no
 * translation may alter; returns whether one does. */
static int settle_in_words(Markup *m, unsigned char *cuts)
{
    const char *text = m->text.text, *end = text + m->text.length;
    PatternSpans spans = { 0 };
    Word word = { text, text, 0 };
    size_t passed = 0;
    int any = 0;
    if (!m->count) return 0;
    patterns_find(text, m->text.length, &spans);
    for (size_t k = 0; k < m->count; k++) {
        Tag *tag = &m->tag[k];
        const char *place = text + tag->at;
        while (word.end < end && word.end <= place)
            word = word_at(text, word.end, end, &spans, &passed);
        const int is_inside = place > word.at && place < word.end;
        any |= cuts[k] = (unsigned char)(is_inside && word.is_span);
        if (is_inside) tag->at = (size_t)((tag->is_behind ? word.end : word.at) - text);
        if (k && tag->at < tag[-1].at) tag->at = tag[-1].at;
    }
    xfree(spans.span);
    return any;
}

/* Leaves tags in the line, with their partners. cuts: of those of *m. */
static void leave(Search *s, const Markup *m, const unsigned char *cuts)
{
    size_t i = 0;
    for (size_t k = 0; k < m->count; k++, i++) {
        while (s->found[i].partner == TAG_STAYS) i++;
        if (cuts[k] || cuts[k + (size_t)(long)m->tag[k].to_partner])
            s->found[i].partner = TAG_STAYS;
    }
}

/* ---- The line ---- */

/* Whether a line has tags, of whatever name, and shows nothing beside them. */
static int is_bare(const Search *s)
{
    Buf rest = { 0 };
    const char *at = s->line;
    if (!s->count) return 0;
    for (size_t i = 0; i < s->count; i++) {
        entities_decode(at, (size_t)(s->found[i].element.at - at), 0, &rest);
        at = s->found[i].element.end;
    }
    entities_decode(at, (size_t)(s->end - at), 0, &rest);
    const int shows = rest.length && unicode_shows(rest.text);
    buf_free(&rest);
    return !shows;
}

void markup_take_out(Markup *m, const char *line)
{
    Search s = { .line = line, .end = line + strlen(line) };
    find(&s);
    pair(&s);
    m->is_bare = is_bare(&s);
    build(m, &s);
    unsigned char *cuts = xcalloc(m->count, 1);
    if (settle_in_words(m, cuts)) {
        leave(&s, m, cuts);
        build(m, &s);
        settle_in_words(m, cuts);
    }
    xfree(cuts);
    xfree(s.found);
}

void markup_keep(Markup *m, const char *line)
{
    markup_free(m);
    buf_puts(&m->text, line);
    blank_line_ends(&m->text);
}

void markup_free(Markup *m)
{
    buf_free(&m->text);
    xfree(m->tag);
    *m = (Markup){ 0 };
}
