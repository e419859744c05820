/* markup.c - finds the tags of a line, pairs them, and takes them out. */
#include "text/markup/markup.h"

#include "base/mem.h"
#include "text/ascii.h"
#include "text/markup/shapes.h"
#include "text/sentences/parts.h"
#include "text/sentences/scan.h"
#include "text/sentences/sentences.h"
#include "text/verbatim/verbatim.h"

#include <stdlib.h>
#include <string.h>

/* ---- Finding ---- */

/* A tag in the line. ALONE: it has no partner; STAYS: it is left in the line. */
enum { ALONE = -1, STAYS = -2 };
typedef struct { TagShape shape; int partner; } Found;

typedef struct {
    const char    *line, *end;
    const Lexicon *lexicon;
    unsigned       marks;               /* that part its sentences */
    Found         *found;               /* (count) in the order of the line */
    size_t         count, capacity;
} Search;

static int is_word(int32_t point)
{
    return unicode_is_letter(point) || unicode_is_number(point);
}

/* Behind the code or address at `at`, if a word may start there; or NULL. */
static const char *verbatim_behind(const Search *s, const char *at)
{
    VerbatimKind kind;
    if (is_word(unicode_before(s->line, at))) return NULL;
    return verbatim_end(s->line, at, s->end, &kind);
}

/* Whether a tag is to be taken out: of emphasis and quotes one that training has seldom seen. U+201C
 * is read as ". */
static int is_wanted(const Search *s, const TagShape *shape)
{
    const int is_curly = *shape->name == '\xE2';
    if (shape->kind == TAG_ELEMENT) return 1;
    return lexicon_is_rare(s->lexicon, is_curly ? "\"" : shape->name,
                           is_curly ? 1 : shape->name_length);
}

static void find(Search *s)
{
    for (const char *at = s->line, *behind; at < s->end;) {
        TagShape shape;
        if (tag_shape(&shape, s->line, at, s->end) && is_wanted(s, &shape)
            && (shape.kind == TAG_ELEMENT || !verbatim_behind(s, at))) {
            s->found = grow(s->found, &s->capacity, s->count + 1, sizeof *s->found);
            s->found[s->count++] =
                (Found){ shape, shape.kind == TAG_ELEMENT ? ALONE : STAYS };
            at = shape.end;
        } else if ((behind = verbatim_behind(s, at))) {
            while (behind > at + 1 && behind[-1] == '_') behind--;      /* of _such words_ */
            at = behind;
        } else {
            unicode_next(&at);
        }
    }
}

/* ---- Pairing ---- */

/* How deep tags are nested at most; deeper ones have no partner. */
enum { DEPTH = 32 };

/* Whether a tag has letters on both sides. */
static int is_inside_word(const Search *s, const TagShape *shape)
{
    return is_word(unicode_before(s->line, shape->at)) && shape->end < s->end
           && is_word(peek(shape->end));
}

/* Whether the quotation between two marks is speech, or an aside: it begins a sentence, or follows a
 * comma or a colon, and ends in a mark, or before a comma. */
static int is_speech(const Search *s, const TagShape *open, const TagShape *close)
{
    const int32_t before = last_before(s->line, open->at);
    const char *inner = open->end;
    const size_t length = (size_t)(close->at - inner);
    if (part_is_aside(s->line, open->at, s->end, s->marks)) return 1;
    if (open->at != s->line && before != ',' && before != ':' && !ends_in_stop(s->line,
        (size_t)(open->at - s->line))) return 0;
    return unmarked_length(inner, length) < length || (close->end < s->end && *close->end == ',');
}

/* Whether an element encloses code: <ref>dst='x'</ref>. */
static int encloses_code(const TagShape *open, const TagShape *close)
{
    const char *at = open->end;
    while (at < close->at && ascii_is_alphanumeric(*at))
        at++;
    return at > open->end && *at == '=';
}

/* Whether the words between two shapes of one name are what they enclose. */
static int is_pair(const Search *s, const TagShape *open, const TagShape *close)
{
    if (open->end >= close->at) return open->kind == TAG_ELEMENT && open->end == close->at;
    if (open->kind == TAG_ELEMENT && encloses_code(open, close)) return 0;
    if (open->kind != TAG_QUOTE)
        return !is_inside_word(s, open) && !is_inside_word(s, close);
    return close->at - open->end <= PART_BYTES && !is_speech(s, open, close);
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
        Found *close = &s->found[i];
        const int place = opening_of(s, &open, i);
        if (place >= 0) {
            const int first = open.tag[place], is_tag = is_pair(s, &s->found[first].shape,
                                                               &close->shape);
            s->found[first].partner = is_tag ? i : STAYS;
            close->partner = is_tag ? first : STAYS;
            open.count = place;
        } else if (close->shape.opens && open.count < DEPTH) {
            open.tag[open.count++] = i;
        }
    }
}

/* ---- Taking out ---- */

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

/* The words with the one that begins behind the text, if no blank follows. */
static int words_with_next(const WordCount *count, int is_blank_next)
{
    return count->words + (!is_blank_next && !count->inside);
}

/* Both texts on the way. */
typedef struct {
    Markup    *m;
    WordCount  line, plain;
    int        extra;           /* words of the line so far that the plain line lacks */
} Building;

/* Appends a text to the plain line; behind a tag without a second blank. */
static void add_plain(Building *b, const char *at, const char *end)
{
    if (b->m->count && !b->plain.inside && at < end && *at == ' ') at++;
    count_words(&b->plain, at, end);
    buf_add(&b->m->text, at, (size_t)(end - at));
}

static void add_blank(Building *b)
{
    const char *blank = " ";
    add_plain(b, blank, blank + 1);
}

/* The side of a tag without a partner, and the blank beside it where it stands by itself: see <br/>
 * here. */
static void set_side(const Search *s, const TagShape *shape, Tag *tag)
{
    const int is_first = shape->at == s->line, is_last = shape->end == s->end;
    const int before = !is_first && shape->at[-1] == ' ', behind = is_last || *shape->end == ' ';
    tag->is_behind = !is_first && (behind || (!before && !shape->opens));
    if (before && behind) tag->text--;
    if (behind && (before || (is_first && !is_last))) tag->length++;
}

/* Whether the plain line needs a blank in place of a tag, behind which the line has a word: a<br/>b,
 * <p>A.</p><p>B.</p>. */
static int needs_blank(const Building *b, const Search *s, const Found *found)
{
    const TagShape *shape = &found->shape;
    const Buf *plain = &b->m->text;
    if (shape->end == s->end || !is_word(peek(shape->end)) || shape->kind != TAG_ELEMENT) return 0;
    return (found->partner == ALONE && is_inside_word(s, shape))
           || (b->plain.inside && ends_in_stop(plain->text, plain->length));
}

/* number: of each tag among those that are taken out. */
static void add_tag(Building *b, const Search *s, const Found *found, const int *number)
{
    const TagShape *shape = &found->shape;
    Tag *tag = &b->m->tag[b->m->count++];
    const int gets_blank = needs_blank(b, s, found);
    *tag = (Tag){ .text = shape->at, .length = (size_t)(shape->end - shape->at),
                  .at = b->m->text.length, .is_behind = 1 };
    if (found->partner != ALONE) {
        tag->partner = number[found->partner] - number[found - s->found];
        tag->is_behind = tag->partner < 0;
    } else {
        set_side(s, shape, tag);
    }
    count_words(&b->line, shape->at, shape->end);
    if (gets_blank) add_blank(b);
    if (!tag->is_behind) tag->at = b->m->text.length;
    const int is_blank_next = shape->end == s->end || unicode_is_space(peek(shape->end));
    const int extra = words_with_next(&b->line, is_blank_next)
                      - words_with_next(&b->plain, is_blank_next);
    tag->words = extra - b->extra;
    b->extra = extra;
}

/* The number of each tag among those that are taken out. The caller frees the array. */
static int *number_tags(const Search *s, size_t *count)
{
    int *number = xmalloc(s->count, sizeof *number);
    *count = 0;
    for (size_t i = 0; i < s->count; i++) {
        number[i] = (int)*count;
        *count += s->found[i].partner != STAYS;
    }
    return number;
}

static void take_out(Markup *m, const Search *s)
{
    size_t count;
    int *number = number_tags(s, &count);
    Building b = { .m = m };
    const char *at = s->line;
    m->tag = xmalloc(count, sizeof *m->tag);
    for (const Found *found = s->found; found < s->found + s->count; found++) {
        if (found->partner == STAYS) continue;
        count_words(&b.line, at, found->shape.at);
        add_plain(&b, at, found->shape.at);
        add_tag(&b, s, found, number);
        at = found->shape.end;
    }
    add_plain(&b, at, s->end);
    free(number);
}

/* Whether a line has a character that a tag begins with. */
static int may_have_tags(const char *line)
{
    return strpbrk(line, "<*_~\"") || strstr(line, "\u00AB") || strstr(line, "\u201C");
}

static int is_blank(const char *text)
{
    while (*text)
        if (!unicode_is_space(unicode_next(&text))) return 0;
    return 1;
}

void markup_take_out(Markup *m, const Lexicon *lexicon, const char *line)
{
    Search s = { .line = line, .end = line + strlen(line), .lexicon = lexicon,
                 .marks = part_rare(lexicon) };
    buf_clear(&m->text);
    m->count = 0;
    free(m->tag);
    m->tag = NULL;
    if (lexicon && may_have_tags(line)) find(&s);
    pair(&s);
    take_out(m, &s);
    free(s.found);
    if (!m->count || !is_blank(m->text.text)) return;
    m->count = 0;
    buf_clear(&m->text);
    buf_puts(&m->text, line);
}

void markup_free(Markup *m)
{
    buf_free(&m->text);
    free(m->tag);
    *m = (Markup){ 0 };
}
