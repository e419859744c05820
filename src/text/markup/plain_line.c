/* plain_line.c - takes tags out of a line, and counts the words that they make in it. */
#include "text/markup/plain_line.h"

#include "base/mem.h"
#include "text/sentences/scan.h"
#include "text/sentences/sentences.h"

#include <stdlib.h>
#include <string.h>

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

/* Appends a part of the line to the plain line; behind a tag without a second blank. */
static void add_plain(Building *b, const char *at, const char *end)
{
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

/* Whether a tag without a partner begins a line or a block of it: | Tom. */
static int begins_block(const Building *b, const TagShape *shape)
{
    const int is_inner = shape->kind == TAG_ELEMENT && shape->element == ELEMENT_BLOCK
                         && !shape->closes && shape->end < b->end;
    return shape->at == b->line || !b->in_plain.words || is_inner;
}

/* The side of a tag without a partner, and the blank beside it where it stands by itself: see <br/>
 * here. */
static void set_side(const Building *b, const TagShape *shape, Tag *tag)
{
    const int is_first = begins_block(b, shape), is_last = shape->end == b->end;
    const int before = !is_first && shape->at[-1] == ' ' && !is_taken(b, shape->at - 1);
    const int behind = is_last || *shape->end == ' ';
    const int has_blank_before = before && behind, has_blank_behind = is_first && behind && !is_last;
    tag->is_behind = !is_first && (behind || (!before && !shape->opens));
    tag->text = shape->at - has_blank_before;
    tag->length = (size_t)(shape->end + has_blank_behind - tag->text);
}

/* What the plain line has in place of a tag: a line end at a block, a blank for an aside without
 * blanks, behind the end of a sentence or, of a tag alone, behind a word: a<wbr>b. */
static char gap_of(const Building *b, const FoundTag *found)
{
    const TagShape *shape = &found->shape;
    const Buf *plain = &b->m->text;
    if (shape->kind == TAG_ASIDE && !unicode_is_space(peek(shape->at))) return ' ';
    if (shape->kind != TAG_ELEMENT || shape->end == b->end) return b->gap;
    if (shape->element == ELEMENT_BLOCK) return '\n';
    if (b->gap || !is_word_character(peek(shape->end))) return b->gap;
    const int is_between = found->partner == TAG_ALONE
                           && is_word_character(unicode_before(b->line, shape->at));
    return is_between || (b->in_plain.inside && ends_in_stop(plain->text, plain->length)) ? ' ' : 0;
}

/* The words of the line so far, and of the plain line, each with the one that begins next. */
static int extra_words(const Building *b, const char *next)
{
    const int is_blank = next == b->end || unicode_is_space(peek(next));
    const int begun = b->in_line.words + (!is_blank && !b->in_line.inside);
    return begun - b->in_plain.words - (!is_blank && (!b->in_plain.inside || b->gap));
}

/* to_partner: how many tags behind it. */
static void add_tag(Building *b, const FoundTag *found, int to_partner)
{
    const TagShape *shape = &found->shape;
    Tag *tag = &b->m->tag[b->m->count++];
    *tag = (Tag){ .kind = shape->kind, .text = shape->at,
                  .length = (size_t)(shape->end - shape->at), .to_partner = to_partner,
                  .is_behind = to_partner < 0 };
    if (!to_partner) set_side(b, shape, tag);
    tag->at = b->m->text.length - (!to_partner && tag->is_behind
                                        && last_byte(&b->m->text) == ' ');
    b->gap = gap_of(b, found);
    if (!tag->is_behind) {
        add_gap(b);
        tag->at = b->m->text.length;
    }
    if (shape->kind == TAG_ASIDE) {
        tag->begin = shape->begin;
        tag->end = shape->stop;
    }
    count_words(&b->in_line, shape->at, shape->end);
    const int extra = extra_words(b, shape->end);
    tag->words = extra - b->extra;
    b->extra = extra;
}

/* The number of each tag among those that are taken out, and how many these are. The caller frees
 * the array. */
static int *number_tags(const FoundTag *found, size_t count, size_t *taken)
{
    int *number = xmalloc(count, sizeof *number);
    *taken = 0;
    for (size_t i = 0; i < count; i++) {
        number[i] = (int)*taken;
        *taken += found[i].partner != TAG_STAYS;
    }
    return number;
}

void plain_line(Markup *m, const char *line, const FoundTag *found, size_t count)
{
    size_t taken;
    int *number = number_tags(found, count, &taken);
    Building b = { .m = m, .line = line, .end = line + strlen(line) };
    const char *at = line;
    buf_clear(&m->text);
    free(m->tag);
    m->tag = xmalloc(taken, sizeof *m->tag);
    m->count = 0;
    for (size_t i = 0; i < count; i++) {
        const int partner = found[i].partner;
        if (partner == TAG_STAYS) continue;
        add_plain(&b, at, found[i].shape.at);
        add_tag(&b, &found[i], partner == TAG_ALONE ? 0 : number[partner] - number[i]);
        at = found[i].shape.end;
    }
    add_plain(&b, at, b.end);
    free(number);
}
