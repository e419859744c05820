/* markup.c - finds the tags of a line, pairs them, and builds the line without them; characters by their names. */
#include "text/markup.h"

#include "base/mem.h"
#include "text/patterns.h"
#include "text/sentences.h"
#include "text/unicode.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

/* ---- Entities (HTML 5, section 13.5) ---- */

typedef struct { const char *name; int32_t point; } Entity;

/* The names that texts have most often. Those of a letter and its mark are made from both: &eacute; */
static const Entity entities[] = {
    { "amp", '&' }, { "lt", '<' }, { "gt", '>' }, { "nbsp", 0xA0 }, { "quot", '"' }, { "apos", '\'' }, { "lsquo", 0x2018 },
    { "rsquo", 0x2019 }, { "ldquo", 0x201C }, { "rdquo", 0x201D }, { "sbquo", 0x201A }, { "bdquo", 0x201E }, { "laquo", 0xAB },
    { "raquo", 0xBB }, { "lsaquo", 0x2039 }, { "rsaquo", 0x203A }, { "hellip", 0x2026 }, { "ndash", 0x2013 },
    { "mdash", 0x2014 }, { "middot", 0xB7 }, { "bull", 0x2022 }, { "shy", 0xAD }, { "euro", 0x20AC }, { "pound", 0xA3 },
    { "yen", 0xA5 }, { "cent", 0xA2 }, { "sect", 0xA7 }, { "copy", 0xA9 }, { "reg", 0xAE }, { "trade", 0x2122 },
    { "deg", 0xB0 }, { "plusmn", 0xB1 }, { "times", 0xD7 }, { "divide", 0xF7 }, { "frac12", 0xBD }, { "frac14", 0xBC },
    { "frac34", 0xBE }, { "sup2", 0xB2 }, { "sup3", 0xB3 }, { "iexcl", 0xA1 }, { "iquest", 0xBF }, { "ordf", 0xAA },
    { "ordm", 0xBA }, { "szlig", 0xDF }, { "aelig", 0xE6 }, { "AElig", 0xC6 }, { "oelig", 0x153 }, { "OElig", 0x152 },
    { "oslash", 0xF8 }, { "Oslash", 0xD8 }, { "thinsp", 0x2009 }, { "ensp", 0x2002 }, { "emsp", 0x2003 }, { "micro", 0xB5 },
    { "para", 0xB6 }, { "larr", 0x2190 }, { "rarr", 0x2192 }, { "le", 0x2264 }, { "ge", 0x2265 }, { "permil", 0x2030 },
};
static const Entity marks[] = { { "grave", 0x300 }, { "acute", 0x301 }, { "circ", 0x302 }, { "tilde", 0x303 }, { "uml", 0x308 },
                                { "ring", 0x30A }, { "cedil", 0x327 }, { "caron", 0x30C } };
enum { ENTITIES = sizeof entities / sizeof *entities, MARKS = sizeof marks / sizeof *marks, LONGEST = 8 };

static int32_t find_entity(const Entity *table, size_t count, Slice name)
{
    for (size_t i = 0; i < count; i++)
        if (slices_equal(slice_of(table[i].name), name)) return table[i].point;
    return 0;
}

/* The character of a name of two bytes or more; 0: there is none. */
static int32_t named(Slice name)
{
    const int32_t point = find_entity(entities, ENTITIES, name);
    const int32_t mark = point ? 0 : find_entity(marks, MARKS, (Slice){ name.text + 1, name.length - 1 });
    if (!mark) return point;
    SCOPED(buf_free) Buf apart = { 0 }, letter = { 0 };
    buf_putc(&apart, *name.text);
    unicode_append(&apart, mark);
    unicode_nfc(buf_slice(&apart), &letter);
    const char *behind = letter.text;
    const int32_t composed = unicode_next(&behind);
    const int is_one = !*behind;
    return is_one ? composed : 0;
}

/* The character of #39 or #x27, of letters and digits alone; 0: there is none, or it is no text. */
static int32_t numbered(Slice number)
{
    const char *text = number.text;
    const int is_hex = text[1] == 'x' || text[1] == 'X';
    char *end;
    const long point = strtol(text + 1 + is_hex, &end, is_hex ? 16 : 10);
    const int is_point = point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
    return end == text + number.length && is_point && !unicode_is_control((int32_t)point) ? (int32_t)point : 0;
}

/* Whether a byte is a letter or a digit of ASCII, whatever the locale. */
static int is_alphanumeric(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* The character that is written at `at`, a &, and behind it; 0: there is none. */
static int32_t entity_at(const char *at, const char *end, const char **behind)
{
    const char *name = at + 1, *stop = name;
    if (stop < end && *stop == '#') stop++;
    while (stop < end && is_alphanumeric(*stop) && stop - name <= LONGEST)
        stop++;
    if (stop == end || *stop != ';' || stop - name < 2 || stop - name > LONGEST) return 0;
    *behind = stop + 1;
    return (*name == '#' ? numbered : named)(slice_between(name, stop));
}

/* The signs of HTML itself. */
static const Entity signs[] = { { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' } };
enum { SIGNS = sizeof signs / sizeof *signs };

/* The set of this sign alone; 0: it is none. */
static unsigned sign_set(int32_t point)
{
    for (int i = 0; i < SIGNS; i++)
        if (signs[i].point == point) return 1U << i;
    return 0;
}

unsigned entities_bare(const char *text, size_t length)
{
    const char *end = text + length, *behind;
    unsigned set = 0;
    for (const char *at = text; at < end; at++)
        if (*at != '&' || !entity_at(at, end, &behind)) set |= sign_set(*at);
    return set;
}

unsigned entities_decode(const char *text, size_t length, unsigned kept, Buf *out)
{
    const char *end = text + length, *rest = text, *behind;
    unsigned set = 0;
    for (const char *at = text; (at = memchr(at, '&', (size_t)(end - at)));) {
        const int32_t point = entity_at(at, end, &behind);
        const unsigned sign = sign_set(point);
        if (point && !(sign & kept)) {
            buf_add(out, rest, (size_t)(at - rest));
            unicode_append(out, point);
            set |= sign;
            rest = behind;
        }
        at = point ? behind : at + 1;
    }
    buf_add(out, rest, (size_t)(end - rest));
    return set;
}

void entities_encode(const char *text, size_t length, unsigned set, Buf *out)
{
    for (const char *at = text; at < text + length; at++) {
        int i = 0;
        while (i < SIGNS && !(*at == signs[i].point && set & 1U << i))
            i++;
        if (i < SIGNS) buf_puts(out, signs[i].name);
        else buf_putc(out, *at);
    }
}

/* ---- Elements ---- */

/* What an element encloses: a paragraph or the like, where a sentence ends; words; code. Names that
 * HTML lacks, and comments: ELEMENT_XML. */
typedef enum { ELEMENT_XML, ELEMENT_BLOCK, ELEMENT_LINE, ELEMENT_CODE, ELEMENT_KINDS } ElementKind;

static const char *const html[ELEMENT_KINDS] = {
    [ELEMENT_BLOCK] = " p div li ul ol dl dt dd table tr td th thead tbody caption h1 h2 h3 h4 h5 h6 br hr section article header "
                      "footer nav main aside blockquote figure figcaption form option title ",
    [ELEMENT_LINE] = " a b i u s em strong span small big sub sup font mark del ins q cite label img input button wbr ",
    [ELEMENT_CODE] = " code pre kbd samp var tt script style ",
};

static ElementKind kind_of(Slice name)
{
    ElementKind kind = ELEMENT_KINDS;
    while (--kind > ELEMENT_XML && name.length)
        for (const char *at = html[kind] + 1; *at; at += strcspn(at, " ") + 1)
            if (slices_equal((Slice){ at, strcspn(at, " ") }, name)) return kind;
    return ELEMENT_XML;
}

/* ---- Finding and pairing ---- */

/* partner: the number of the other one of its pair, or one of these: it stands alone; it is left in
 * the line. */
enum { TAG_ALONE = -1, TAG_STAYS = -2 };
typedef struct { XmlTag tag; ElementKind kind; int partner; } FoundTag;

typedef struct {
    const char *line, *end;
    FoundTag   *found;          /* (count + 1) in the order of the line; the last is its end */
    size_t      count, capacity;
} Search;

static void add_found(Search *s, FoundTag found)
{
    s->found = grow(s->found, &s->capacity, s->count + 1, sizeof *s->found);
    s->found[s->count++] = found;
}

/* A tag without a partner is taken out if it is known to be one. */
static void find(Search *s)
{
    XmlTag tag;
    for (const char *at = s->line; (at = strchr(at, '<'));) {
        const int is_found = patterns_tag(at, s->end, &tag);
        const ElementKind kind = is_found ? kind_of(tag.name) : ELEMENT_XML;
        if (is_found) add_found(s, (FoundTag){ tag, kind, kind != ELEMENT_XML || !tag.opens ? TAG_ALONE : TAG_STAYS });
        at = is_found ? tag.end : at + 1;
    }
    add_found(s, (FoundTag){ { .at = s->end, .end = s->end }, ELEMENT_XML, TAG_ALONE });
    s->count--;
}

/* How deep tags are nested at most; deeper ones have no partner. */
enum { DEPTH = 32 };

static void pair(Search *s)
{
    int open[DEPTH], count = 0;         /* the tags that are open, the innermost last */
    for (int i = 0; i < (int)s->count; i++) {
        FoundTag *close = &s->found[i];
        int place = close->tag.closes ? count - 1 : -1;     /* of the innermost open tag that it closes */
        while (place >= 0 && !slices_equal(s->found[open[place]].tag.name, close->tag.name))
            place--;
        if (place >= 0) {
            const int is_code = close->kind == ELEMENT_CODE;
            s->found[open[place]].partner = is_code ? TAG_STAYS : i;
            close->partner = is_code ? TAG_STAYS : open[place];
            count = place;
        } else if (close->tag.opens && count < DEPTH) {
            open[count++] = i;
        }
    }
}

/* ---- The plain line ---- */

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
    unicode_count_words(&b->in_plain, at, end);
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
    unicode_count_words(&b->in_line, at, end);
    if (at == end) return;
    const char last = last_byte(&b->m->text);
    if (b->gap == '\n' && *at == ' ' && last && last != ' ' && last != '\n') add(b, at, at + 1);  /* before the block's end */
    add_gap(b);
    if (b->m->count && !b->in_plain.inside && *at == ' ') at++;
    add(b, at, end);
}

/* The side of a tag without a partner, which begins a line or a block of it (<br>Tom) or not, and the blank beside it where it
 * stands by itself: see <br/> here. The tag before may have that blank already. */
static void set_side(const Building *b, const FoundTag *found, Tag *tag)
{
    const XmlTag *element = &found->tag;
    const Tag *last = b->m->count > 1 ? tag - 1 : NULL;
    const int is_inner = found->kind == ELEMENT_BLOCK && !element->closes && element->end < b->end;
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
    const XmlTag *element = &found->tag;
    const Buf *plain = &b->m->text;
    if (element->end == b->end) return b->gap;
    if (found->kind == ELEMENT_BLOCK) return '\n';
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
    const XmlTag *element = &found->tag;
    Tag *tag = &b->m->tag[b->m->count++];
    *tag = (Tag){ .text = element->at, .length = (size_t)(element->end - element->at),
                  .to_partner = to_partner, .is_behind = to_partner < 0 };
    if (!to_partner) set_side(b, found, tag);
    tag->at = b->m->text.length - (!to_partner && tag->is_behind && last_byte(&b->m->text) == ' ');
    b->gap = gap_of(b, found);
    if (!tag->is_behind) {
        add_gap(b);
        tag->at = b->m->text.length;
    }
    unicode_count_words(&b->in_line, element->at, element->end);
    const int extra = extra_words(b, element->end);
    tag->words = extra - b->extra;
    b->extra = extra;
}

/* Sets *m to the line without the tags that do not stay. */
static void build(Markup *m, const Search *s)
{
    Building b = { .m = m, .line = s->line, .end = s->end };
    int taken = 0;
    SCOPED(xfree_at) int *number = xmalloc(s->count + 1, sizeof *number);   /* of each tag among those that are taken out */
    const char *at = s->line;
    for (size_t i = 0; i <= s->count; i++) {
        number[i] = taken;
        if (s->found[i].partner == TAG_STAYS) continue;
        taken++;
        b.bare |= entities_bare(at, (size_t)(s->found[i].tag.at - at));
        at = s->found[i].tag.end;
    }
    buf_clear(&m->text);
    xfree(m->tag);
    m->signs = 0;
    m->tag = xmalloc((size_t)taken, sizeof *m->tag);
    m->count = 0;
    at = s->line;
    for (size_t i = 0; i <= s->count; i++) {
        const int partner = s->found[i].partner;
        if (partner == TAG_STAYS) continue;
        add_plain(&b, at, s->found[i].tag.at);
        if (i < s->count) add_tag(&b, &s->found[i], partner == TAG_ALONE ? 0 : number[partner] - number[i]);
        at = s->found[i].tag.end;
    }
    buf_free(&b.decoded);
}

/* ---- Tags inside words ---- */

/* A word of the plain line. */
typedef struct { const char *at, *end; int is_span; } Word;

/* The word, span or blank at `at` of a text; k: the first span that does not end before. */
static Word word_at(const char *text, const char *at, const char *end, const PatternSpans *spans, size_t *k)
{
    const PatternSpan span = spans_next(spans, k, (size_t)(at - text));
    if (span.start == (size_t)(at - text)) return (Word){ at, text + span.end, 1 };
    if (span.start < (size_t)(end - text)) end = text + span.start;
    const char *behind = *at == ' ' ? at : words_end(text, at, end);
    if (behind == at) unicode_next(&behind);
    return (Word){ at, behind, 0 };
}

/* Moves the tags inside words to their ends. Sets for each tag of *m whether it cuts what no
 * translation may alter; returns whether one does. */
static int settle_in_words(Markup *m, unsigned char *cuts)
{
    const char *text = m->text.text, *end = text + m->text.length;
    SCOPED(spans_free) PatternSpans spans = { 0 };
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
    SCOPED(buf_free) Buf rest = { 0 };
    const char *at = s->line;
    buf_clear(&rest);
    for (size_t i = 0; i <= s->count; at = s->found[i++].tag.end)
        entities_decode(at, (size_t)(s->found[i].tag.at - at), 0, &rest);
    const int shows = unicode_shows(rest.text);
    return s->count && !shows;
}

void markup_take_out(Markup *m, const char *line)
{
    Search s = { .line = line, .end = line + strlen(line) };
    find(&s);
    pair(&s);
    m->is_bare = is_bare(&s);
    build(m, &s);
    SCOPED(xfree_at) unsigned char *cuts = xcalloc(m->count, 1);
    if (settle_in_words(m, cuts)) {
        leave(&s, m, cuts);
        build(m, &s);
        settle_in_words(m, cuts);
    }
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
