/* markup.c - finds the tags of a line, and pairs them. */
#include "text/markup/markup.h"

#include "base/mem.h"
#include "text/ascii.h"
#include "text/markup/entities.h"
#include "text/markup/plain_line.h"
#include "text/markup/quotation.h"
#include "text/markup/single_quotes.h"
#include "text/sentences/parts.h"
#include "text/sentences/scan.h"
#include "text/sentences/sentences.h"
#include "text/verbatim/verbatim.h"
#include "text/word_end.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const char    *line, *end;
    const Lexicon *lexicon;
    unsigned       marks;               /* that part its sentences */
    const char    *first, *last;        /* the line without the blanks around it */
    const char    *text;                /* behind the mark that the line begins with */
    const char    *cell, *cell_end;     /* the cell that is searched: where it begins, and the next tab or end of a
                                         * line, or the end */
    int            is_row;              /* it begins and ends with the border of a cell */
    int            depth;               /* brackets that are open */
    FoundTag      *found;               /* (count) in the order of the line */
    size_t         count, capacity;
} Search;

/* ---- Finding ---- */

/* Behind the code or address at `at` < `end`, if a word may start there; or NULL. */
static const char *verbatim_behind(const char *line, const char *at, const char *end)
{
    VerbatimKind kind;
    if (is_word_character(unicode_before(line, at))) return NULL;
    return verbatim_end(line, at, end, &kind);
}

/* Whether training has seldom seen the mark of emphasis or quotes. U+201C is read as ". */
static int is_rare(const Search *s, const TagShape *shape)
{
    const int is_curly = *shape->name == '\xE2';
    return is_curly ? lexicon_is_rare(s->lexicon, "\"", 1)
                    : lexicon_is_rare(s->lexicon, shape->name, shape->name_length);
}

/* Whether a tag may be taken out: of emphasis a rare one, and no code. Quotes that are not rare were
 * seen around speech. */
static int is_wanted(const Search *s, const TagShape *shape)
{
    if (shape->kind == TAG_ELEMENT || shape->kind == TAG_LINK) return 1;
    if (verbatim_behind(s->line, shape->at, s->end)) return 0;
    return shape->kind == TAG_QUOTE || is_rare(s, shape);
}

/* An aside is taken out, and an element without a partner if it is known to be one. */
static void add_found(Search *s, const TagShape *shape)
{
    const int is_known = shape->kind == TAG_ASIDE
                         || (shape->kind == TAG_ELEMENT
                             && (shape->element != ELEMENT_XML || !shape->opens));
    s->found = grow(s->found, &s->capacity, s->count + 1, sizeof *s->found);
    s->found[s->count++] = (FoundTag){ *shape, is_known ? TAG_ALONE : TAG_STAYS };
}

/* Behind what is no tag at `at`. */
static const char *behind_other(const Search *s, const char *at)
{
    const char *behind = code_end(at, s->end);
    if (behind) return behind;
    if ((behind = verbatim_behind(s->line, at, s->end))) {
        while (behind > at + 1 && behind[-1] == '_') behind--;          /* of _such words_ */
        return behind;
    }
    unicode_next(&at);
    return at;
}

/* Sets *shape to the aside at `at`, inside a cell; returns whether there is one. */
static int aside_shape(const Search *s, const char *at, TagShape *shape)
{
    const SentencePart aside = part_enclosed(s->cell, at, s->cell_end, s->marks);
    *shape = (TagShape){ .kind = TAG_ASIDE, .at = at, .end = at + aside.length,
                         .begin = aside.begin, .stop = aside.end };
    return aside.length > 0;
}

/* Behind the mark at `at` between the cells of a table or the items of a menu, or beside the first or the
 * last cell; NULL: there is none. In brackets it is something else: [file | dir]. */
static const char *mark_behind(const Search *s, const char *at)
{
    const int32_t point = peek(at);
    const char *behind = at;
    unicode_next(&behind);
    if ((point != '|' && point != 0xB7 && point != 0x2022) || s->depth) return NULL;
    const int is_between = at > s->line && unicode_is_space(unicode_before(s->line, at)) && behind < s->end
                           && unicode_is_space(peek(behind));
    const int is_inner = is_between && at > s->first && behind < s->last;
    return is_inner || (point == '|' && s->is_row) ? behind : NULL;
}

/* Behind the tabs at `at`, unless they indent the line or belong to its mark (1.<tab>item), or the ends of lines,
 * which a text of JSON may have; NULL: there are none. */
static const char *controls_behind(const Search *s, const char *at)
{
    const int is_indentation = *at == '\t' && (at <= s->first || at < s->text);
    const int is_alone = *at == '\r' && at[1] != '\n';
    const size_t length = is_indentation || is_alone ? 0 : strspn(at, "\t\r\n");
    return length ? at + length : NULL;
}

static const char *border_behind(const Search *s, const char *at)
{
    const char *controls = controls_behind(s, at);
    return controls ? controls : mark_behind(s, at);
}

/* Sets *shape to the border of a cell at `at`, with those of the empty cells behind it; returns whether there
 * is one. */
static int border_shape(const Search *s, const char *at, TagShape *shape)
{
    const char *behind = NULL, *next = border_behind(s, at);
    for (; next; next = border_behind(s, behind + strspn(behind, " ")))
        behind = next;
    if (!behind) return 0;
    *shape = (TagShape){ .kind = TAG_ELEMENT, .element = ELEMENT_BLOCK, .at = at, .end = behind,
                         .name = at, .name_length = (size_t)(behind - at) };
    return 1;
}

/* Sets *shape to what may be taken out at `at`; returns whether there is something. */
static int shape_at(const Search *s, const char *at, TagShape *shape)
{
    return border_shape(s, at, shape) || aside_shape(s, at, shape)
           || (tag_shape(shape, s->line, at, s->end) && is_wanted(s, shape));
}

static void find(Search *s)
{
    s->first = skip_blanks(s->line, s->end);
    s->last = s->end;
    while (s->last > s->first && (unsigned char)s->last[-1] <= ' ')
        s->last--;
    s->text = s->line + sentence_mark_length(s->line, (size_t)(s->end - s->line), 1);
    s->cell = s->line;
    s->cell_end = s->line + strcspn(s->line, "\t\n");
    s->is_row = s->last - s->first > 1 && *s->first == '|' && s->last[-1] == '|';
    for (const char *at = s->line; at < s->end;) {
        TagShape shape;
        if (at > s->cell_end) s->cell_end = at + strcspn(at, "\t\n");
        if (shape_at(s, at, &shape)) {
            add_found(s, &shape);
            at = shape.end;
            if (shape.element == ELEMENT_BLOCK) s->cell = at;
        } else {
            s->depth += (strchr("([{", *at) != NULL) - (s->depth && strchr(")]}", *at));
            at = behind_other(s, at);
        }
    }
}

/* ---- Pairing ---- */

/* How deep tags are nested at most; deeper ones have no partner. */
enum { DEPTH = 32 };

/* Whether the quotation between two marks is speech, or an aside: it begins a sentence, or follows a
 * comma or a colon, and ends in a mark, or before a comma. */
static int is_speech(const Search *s, const TagShape *open, const TagShape *close)
{
    const int32_t before = last_before(s->line, open->at);
    const size_t length = (size_t)(close->at - open->end);
    const int begins = open->at == s->line || before == ',' || before == ':'
                       || ends_in_stop(s->line, (size_t)(open->at - s->line));
    if (part_is_aside(s->line, open->at, s->end, s->marks)) return 1;
    if (!begins) return 0;
    return unmarked_length(open->end, length) < length || (close->end < s->end && *close->end == ',');
}

/* Whether an element encloses code: <code>x</code>, <ref>dst='x'</ref>. */
static int encloses_code(const TagShape *open, const TagShape *close)
{
    const char *at = open->end;
    while (at < close->at && ascii_is_alphanumeric(*at))
        at++;
    return open->element == ELEMENT_CODE || (at > open->end && at < close->at && *at == '=');
}

/* Whether the words between two shapes of one name are what they enclose. */
static int is_pair(const Search *s, const TagShape *open, const TagShape *close)
{
    if (open->kind == TAG_ELEMENT) return !encloses_code(open, close);
    if (open->end >= close->at) return 0;
    if (open->kind == TAG_EMPHASIS || open->kind == TAG_LINK) return 1;
    const Quotation quotation = { s->line, open->at, open->end, close->at, close->end, s->end };
    const int stays = quotation_is_name(&quotation)
                      || (!is_rare(s, open) && quotation_is_said(&quotation));
    return close->at - open->end <= PART_BYTES && !is_speech(s, open, close) && !stays;
}

static int are_alike(const TagShape *open, const TagShape *close)
{
    return open->opens && open->kind == close->kind && open->name_length == close->name_length
           && !memcmp(open->name, close->name, open->name_length);
}

/* The tags that are open, the innermost last. */
typedef struct { int tag[DEPTH], count; } Open;

/* The place of the innermost open tag that tag i closes; -1: it closes none. */
static int opening_of(const Search *s, const Open *open, int i)
{
    int place = s->found[i].shape.closes ? open->count - 1 : -1;
    while (place >= 0 && !are_alike(&s->found[open->tag[place]].shape, &s->found[i].shape))
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
            const int first = open.tag[place];
            const int is_tag = is_pair(s, &s->found[first].shape, &close->shape);
            s->found[first].partner = is_tag ? i : TAG_STAYS;
            close->partner = is_tag ? first : TAG_STAYS;
            open.count = place;
        } else if (close->shape.opens && open.count < DEPTH) {
            open.tag[open.count++] = i;
        }
    }
}

/* ---- Tags inside words ---- */

/* A word of the plain line. */
typedef struct { const char *at, *end; int is_verbatim; } Word;

/* The word, number, address or blank at `at` of a text. */
static Word word_at(const char *text, const char *at, const char *end)
{
    const char *behind = verbatim_behind(text, at, end), *limit = end;
    if (behind) return (Word){ at, behind, 1 };
    if (end - at > WORD_BYTES)
        for (limit = at + WORD_BYTES; (*limit & 0xC0) == 0x80;) limit--;
    behind = word_end(at, limit);
    if (behind == at) unicode_next(&behind);
    return (Word){ at, behind, 0 };
}

/* Moves the tags inside words to their ends. Sets for each tag of *m whether it cuts what no
 * translation may alter; returns whether one does. */
static int settle_in_words(Markup *m, unsigned char *cuts)
{
    const char *text = m->text.text, *end = text + m->text.length;
    Word word = { text, text, 0 };
    int any = 0;
    for (size_t k = 0; k < m->count; k++) {
        Tag *tag = &m->tag[k];
        const char *place = text + tag->at;
        while (word.end < end && word.end <= place)
            word = word_at(text, word.end, end);
        const int is_inside = place > word.at && place < word.end;
        any |= cuts[k] = (unsigned char)(is_inside && word.is_verbatim);
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

/* Whether a line has elements, of whatever name, and shows nothing beside them. */
static int is_bare(const Search *s)
{
    Buf rest = { 0 };
    const char *at = s->line;
    if (!s->count || *s->first != '<') return 0;
    buf_clear(&rest);
    for (size_t i = 0; i < s->count; i++) {
        const TagShape *shape = &s->found[i].shape;
        if (shape->kind != TAG_ELEMENT) continue;
        buf_add(&rest, at, (size_t)(shape->at - at));
        at = shape->end;
    }
    buf_puts(&rest, at);
    const int shows = unicode_shows(rest.text);
    buf_free(&rest);
    return !shows;
}

/* Whether a line may have a character that a tag begins with, or the border of a cell: a hyphen may be a dash; U+00AB and U+00B7
 * begin with C2, and U+2013, U+2014, U+201C and U+2022 with E2 80, as other marks do. */
static int may_have_tags(const char *line)
{
    return strpbrk(line, "<*_~\"([|-\t\n") || strchr(line, '\xC2') || strstr(line, "\xE2\x80");
}

void markup_take_out(Markup *m, const Lexicon *lexicon, const char *line)
{
    free(m->line);
    m->line = lexicon ? entities_decode(line) : xstrdup(line);
    if (lexicon) single_quotes_double(m->line);
    line = m->line;
    Search s = { .line = line, .end = line + strlen(line), .lexicon = lexicon,
                 .marks = part_rare(lexicon) };
    if (lexicon && may_have_tags(line)) find(&s);
    m->is_bare = is_bare(&s);
    pair(&s);
    plain_line(m, line, s.found, s.count);
    unsigned char *cuts = xcalloc(m->count, 1);
    if (settle_in_words(m, cuts)) {
        leave(&s, m, cuts);
        plain_line(m, line, s.found, s.count);
        settle_in_words(m, cuts);
    }
    free(cuts);
    if (m->count && !unicode_shows(m->text.text)) plain_line(m, line, NULL, 0);
    free(s.found);
}

void markup_free(Markup *m)
{
    buf_free(&m->text);
    free(m->line);
    free(m->tag);
    *m = (Markup){ 0 };
}
