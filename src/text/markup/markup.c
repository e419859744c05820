/* markup.c - finds the tags of a line, pairs them, and builds the line without them. */
#include "text/markup/markup.h"

#include "base/mem.h"
#include "text/markup/elements.h"
#include "text/markup/entities.h"
#include "text/unicode.h"
#include "text/sentences.h"
#include "text/patterns.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

/* partner: the number of the other one of its pair, or one of these: it stands alone; it is left in
 * the line. */
enum { TAG_ALONE = -1, TAG_STAYS = -2 };
typedef struct { Element element; int partner; } FoundTag;

typedef struct {
    const char *line, *end;
    FoundTag   *found;          /* (count) in the order of the line */
    size_t      count, capacity;
} Search;

/* ---- Finding and pairing ---- */

/* A tag without a partner is taken out if it is known to be one. */
static void find(Search *s)
{
    Element element;
    for (const char *at = s->line; (at = strchr(at, '<'));) {
        if (!element_at(&element, at, s->end)) {
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

static int have_one_name(const Element *open, const Element *close)
{
    return open->name_length == close->name_length && !memcmp(open->name, close->name, open->name_length);
}

/* The place of the innermost open tag that tag i closes; -1: it closes none. */
static int opening_of(const Search *s, const Open *open, int i)
{
    int place = s->found[i].element.closes ? open->count - 1 : -1;
    while (place >= 0 && !have_one_name(&s->found[open->tag[place]].element, &s->found[i].element))
        place--;
    return place;
}

static void pair(Search *s)
{
    Open open = { .count = 0 };
    for (int i = 0; i < (int)s->count; i++) {
        FoundTag *close = &s->found[i];
        const int place = opening_of(s, &open, i);
        if (place >= 0) {
            const int first = open.tag[place], is_code = close->element.kind == ELEMENT_CODE;
            s->found[first].partner = is_code ? TAG_STAYS : i;
            close->partner = is_code ? TAG_STAYS : first;
            open.count = place;
        } else if (close->element.opens && open.count < DEPTH) {
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
    unsigned    bare;           /* signs that the line has outside of its tags */
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
    const char *gap = &b->gap, last = last_byte(&b->m->text);
    if (b->gap && b->in_plain.words && last != '\n') add(b, gap, gap + 1);
    b->gap = 0;
}

/* A blank behind the end of a block stays before that. */
static void add_blank(Building *b, const char *blank)
{
    const char last = last_byte(&b->m->text);
    if (last && last != ' ' && last != '\n') add(b, blank, blank + 1);
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
    if (b->gap == '\n' && *at == ' ') add_blank(b, at);
    add_gap(b);
    if (b->m->count && !b->in_plain.inside && *at == ' ') at++;
    add(b, at, end);
}

/* Whether the tag before this one has the blank between them. */
static int is_taken(const Building *b, const char *blank)
{
    const Tag *last = b->m->count > 1 ? &b->m->tag[b->m->count - 2] : NULL;
    return last && last->text + last->length > blank;
}

/* Whether a tag without a partner begins a line or a block of it: <br>Tom. */
static int begins_block(const Building *b, const Element *element)
{
    const int is_inner = element->kind == ELEMENT_BLOCK && !element->closes && element->end < b->end;
    return element->at == b->line || !b->in_plain.words || is_inner;
}

/* The side of a tag without a partner, and the blank beside it where it stands by itself: see <br/>
 * here. */
static void set_side(const Building *b, const Element *element, Tag *tag)
{
    const int is_first = begins_block(b, element), is_last = element->end == b->end;
    const int before = !is_first && element->at[-1] == ' ' && !is_taken(b, element->at - 1);
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

/* The number of each tag among those that are taken out, and how many these are. The caller frees
 * the array. */
static int *number_tags(const Search *s, size_t *taken)
{
    int *number = xmalloc(s->count, sizeof *number);
    *taken = 0;
    for (size_t i = 0; i < s->count; i++) {
        number[i] = (int)*taken;
        *taken += s->found[i].partner != TAG_STAYS;
    }
    return number;
}

/* The signs that the line has outside of the tags that are taken out, not as entities: no entity of
 * one of them may be decoded, since it could not be told from them. */
static unsigned bare_signs(const Search *s)
{
    const char *at = s->line;
    unsigned signs = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->found[i].partner == TAG_STAYS) continue;
        signs |= entities_bare(at, (size_t)(s->found[i].element.at - at));
        at = s->found[i].element.end;
    }
    return signs | entities_bare(at, (size_t)(s->end - at));
}

/* Sets *m to the line without the tags that do not stay. */
static void build(Markup *m, const Search *s)
{
    size_t taken;
    int *number = number_tags(s, &taken);
    Building b = { .m = m, .line = s->line, .end = s->end, .bare = bare_signs(s) };
    const char *at = s->line;
    buf_clear(&m->text);
    xfree(m->tag);
    m->signs = 0;
    m->tag = xmalloc(taken, sizeof *m->tag);
    m->count = 0;
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
