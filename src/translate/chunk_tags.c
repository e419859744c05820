/* chunk_tags.c - takes tags from the front of what a line has left. */
#include "translate/chunk_tags.h"

#include "base/mem.h"
#include "text/unicode.h"
#include "translate/part_marks.h"

size_t tags_up_to(const TagsLeft *left, size_t at)
{
    size_t count = 0;
    while (count < left->count && (left->tag[count].at < at
                                   || (left->tag[count].at == at && left->tag[count].is_behind)))
        count++;
    return count;
}

static const Tag *take(TagsLeft *left)
{
    left->count--;
    return left->tag++;
}

/* Whether an aside has no blanks around it; its translation has. */
static int is_tight(const Tag *tag)
{
    return !unicode_is_space(unicode_next(&(const char *){ tag->text }));
}

static char *with_blanks(const char *text, size_t length, int behind)
{
    Buf out = { 0 };
    buf_putc(&out, ' ');
    buf_add(&out, text, length);
    if (behind) buf_putc(&out, ' ');
    return out.text;
}

/* The tag as the translation has it, or what is before an aside. */
static char *written_tag(const Tag *tag, Language target)
{
    if (tag->kind == TAG_ASIDE && is_tight(tag)) return with_blanks(tag->text, tag->begin, 1);
    if (tag->kind == TAG_ASIDE) return xstrndup(tag->text, tag->begin);
    if (tag->kind != TAG_QUOTE) return xstrndup(tag->text, tag->length);
    return part_quote(tag->text, tag->length, tag->is_behind, target);
}

static ChunkTag chunk_tag(const Tag *tag, size_t source, Language target)
{
    ChunkTag t = { .kind = tag->kind, .written = written_tag(tag, target), .source = (int)source,
                   .to_partner = tag->to_partner, .is_behind = tag->is_behind,
                   .words = tag->words,
                   .is_tight = tag->kind == TAG_ASIDE && is_tight(tag) };
    if (tag->kind != TAG_ASIDE) return t;
    t.enclosed = xstrndup(tag->text + tag->begin, tag->end - tag->begin);
    const char *closing = tag->text + tag->end;
    const size_t length = tag->length - tag->end;
    t.closing = t.is_tight ? with_blanks(closing, length, 0) : xstrndup(closing, length);
    return t;
}

void tags_to_chunk(TagsLeft *left, size_t count, const size_t *source, Language target,
                   Chunk *chunk)
{
    if (!count) return;
    chunk->tag = xmalloc(count, sizeof *chunk->tag);
    chunk->tags = (int)count;
    for (int i = 0; i < chunk->tags; i++) {
        ChunkTag *tag = &chunk->tag[i];
        *tag = chunk_tag(take(left), source[i], target);
        const int partner = i + tag->to_partner;
        if (partner < 0 || partner >= chunk->tags) tag->to_partner = 0;
    }
}

void tags_to_end(TagsLeft *left, Language target, Chunk *chunk)
{
    if (!left->count) return;
    chunk->tag = xrealloc(chunk->tag, (size_t)chunk->tags + left->count, sizeof *chunk->tag);
    while (left->count) {
        ChunkTag *tag = &chunk->tag[chunk->tags++];
        *tag = chunk_tag(take(left), (size_t)chunk->source_length - 1, target);
        tag->to_partner = 0;
        tag->is_behind = tag->is_last = 1;
    }
}

char *tags_to_mark(TagsLeft *left, size_t count, const char *line, size_t at, size_t end)
{
    Buf mark = { 0 };
    for (; count; count--) {
        const Tag *tag = take(left);
        const size_t place = tag->at > at ? tag->at : at;
        buf_add(&mark, line + at, place - at);
        buf_add(&mark, tag->text, tag->length);
        at = place;
    }
    if (end > at) buf_add(&mark, line + at, end - at);
    return mark.text;
}
