/* chunks.c - where lines are cut. */
#include "translate/chunks.h"

#include "base/mem.h"
#include "text/markup/code_block.h"
#include "text/markup/json_member.h"
#include "text/markup/markup.h"
#include "text/sentences/parts.h"
#include "text/sentences/scan.h"
#include "text/unicode.h"
#include "translate/part_chunks.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Whether line[at .. end) ends in an ellipsis that the network hardly knows. */
static int trails_off(const Cutting *c, size_t at, size_t end)
{
    const char *text = c->line + at;
    return c->chunker->split && (c->marks & part_set(PART_ELLIPSIS))
           && ends_in_ellipsis(text, end - at);
}

/* Whether a part of a text up to `end` is translated as a sentence, though it ends in none: inside
 * one, between two words; as the last without a stop; in an ellipsis. */
static int is_unfinished(const Cutting *c, const Part *part, size_t end)
{
    if (!c->chunker->split) return 0;
    if (trails_off(c, part->text, part->end)) return 1;
    if (part->end == end) return part_lacks_stop(c, part);
    const char *line = c->line, *stop = line + part->end;
    const int is_joined = joint_at(line, part->end) == JOINT_NONE
                          && tight_dash_end(line, stop, line + end) == stop;
    return !is_joined && !ends_in_stop(line + part->text, part->end - part->text);
}

/* What line[at .. end) begins with that is to be translated by itself. */
static SentencePart first_part(const Cutting *c, size_t at, size_t end)
{
    const SentencePart whole = { end - at, 0, 0 };
    return c->chunker->split ? part_first(c->line + at, end - at, c->marks) : whole;
}

/* Sets the end of a part of a sentence that ends at `end`, about `most` tokens from its start. cuts_asides: an aside is
 * cut like other text. */
static void find_end(const Cutting *c, Part *part, size_t end, size_t most, int cuts_asides)
{
    const ChunkTokens limits = { c->chunker->split && most > CLAUSE_TOKENS ? CLAUSE_TOKENS : most, most };
    part->inside = part->unfinished;
    if (part->inside) part->text += part_mark_length(c->line, part->at, end);
    SentencePart first = first_part(c, part->text, end);
    if (cuts_asides) first.end = 0;
    const char *text = c->line + part->text;
    const size_t length = first.end ? first.length
                                    : chunk_length(c->chunker->source.tokenizer, text, first.length,
                                                   limits);
    part->close = first.end ? part->text + first.end : 0;
    part->end = part->text + length;
    part->unfinished = first.end || is_unfinished(c, part, end);
    part->text += first.begin;
}

/* Makes the beginning of what is left of a sentence a chunk of about `most` tokens, or of fewer where there are too
 * many copies among them. Returns how many were not too many. */
static size_t cut_part(Cutting *c, Part *part, size_t end, size_t most)
{
    const Part rest = *part;
    for (int is_again = 0;; is_again = 1, most /= 2) {
        *part = rest;
        find_end(c, part, end, most, is_again);
        const size_t copies = most <= FEWEST_TOKENS ? SIZE_MAX : part->close ? COPIES_MOST - 1 : CHUNK_COPIES;
        const int is_clause = part->inside || part->unfinished;
        if (is_clause ? clause_to_chunk(c, part, copies) : part_to_chunk(c, part, SIZE_MAX, copies)) return most;
    }
}

/* Makes line[at .. end), a sentence or a whole line, one chunk or several. */
static void cut(Cutting *c, size_t at, size_t end)
{
    const int split = c->chunker->split;
    Part part = { .at = at, .text = at, .end = end, .unfinished = c->is_aside && !at };
    if (split && !part.unfinished)
        part.text += sentence_mark_length(c->line + at, end - at, at == 0);
    const SentencePart first = first_part(c, part.text, end);
    const int is_whole = part.text + first.length == end && !first.end && !c->is_aside
                         && !trails_off(c, part.text, end);
    if (is_whole && part_to_chunk(c, &part, split ? CLAUSE_TOKENS : CHUNK_TOKENS, CHUNK_COPIES)) return;
    for (size_t most = CHUNK_TOKENS; part.text < end; part.at = part.text = part.end) {
        most = cut_part(c, &part, end, most);
        if (most < CHUNK_TOKENS) most *= 2;
    }
}

/* Cuts the line up to `end`, where a block of it ends. */
static void cut_block(Cutting *c, size_t at, size_t block)
{
    for (size_t end; at < block; at = end) {
        const int split = c->chunker->split;
        end = split ? at + sentence_length(c->line + at, block - at) : block;
        cut(c, at, end);
    }
}

Translation chunk_copied(const Chunker *chunker, const char *line)
{
    Translation t = { 0 };
    if (!*line) return t;
    t.chunk = xmalloc(1, sizeof *t.chunk);
    t.chunk[t.chunks++] = chunk_of_copy(chunker, line);
    return t;
}

/* The chunks of a line, or of an aside of one. */
static Translation cut_line(const Chunker *chunker, const char *line, int is_aside)
{
    Markup plain = { 0 };
    markup_take_out(&plain, chunker->split ? chunker->source.lexicon : NULL, line);
    Cutting c = { .chunker = chunker, .line = plain.text.text,
                  .left = { plain.tag, plain.count }, .is_aside = is_aside,
                  .marks = part_rare(chunker->source.lexicon) };
    const int is_copied = plain.is_bare && !is_aside;
    const size_t length = unicode_shows(c.line) && !is_copied ? plain.text.length : 0;
    for (size_t at = 0, end; at < length; at = end) {
        const char *block = strchr(c.line + at, '\n');
        end = block ? (size_t)(block + 1 - c.line) : length;
        cut_block(&c, at, end);
    }
    if (c.out.chunks) tags_to_end(&c.left, chunker->target, &c.out.chunk[c.out.chunks - 1]);
    markup_free(&plain);
    if (is_copied) return chunk_copied(chunker, line);
    return c.out;
}

/* The list of a line's chunks with those of its asides. */
typedef struct { Chunk *chunk; size_t chunks, capacity; } ChunkList;

static void add_to_list(ChunkList *list, const Chunk *chunk, size_t count)
{
    list->chunk = grow(list->chunk, &list->capacity, list->chunks + count, sizeof *list->chunk);
    for (size_t i = 0; i < count; i++)
        list->chunk[list->chunks++] = chunk[i];
}

/* Adds a chunk and the asides that it encloses, which have none themselves. */
static void add_with_asides(const Chunker *chunker, const Chunk *chunk, ChunkList *list)
{
    const size_t outer = list->chunks;
    add_to_list(list, chunk, 1);
    for (int k = 0; k < chunk->tags; k++) {
        ChunkTag *tag = &chunk->tag[k];
        if (!tag->enclosed) continue;
        const Translation aside = cut_line(chunker, tag->enclosed, 1);
        tag->chunk = (int)(list->chunks - outer);
        tag->chunks = (int)aside.chunks;
        for (size_t i = 0; i < aside.chunks; i++)
            aside.chunk[i].is_aside = 1;
        add_to_list(list, aside.chunk, aside.chunks);
        free(aside.chunk);
    }
}

/* Whether a line only says where a link leads: [help]: https://a.b/c "Title", [here]: #there */
static int is_link_definition(const char *line)
{
    const char *name = line + strspn(line, " "), *end = name + strcspn(name, "]");
    if (*name != '[' || strncmp(end, "]: ", 3) != 0) return 0;
    const char *address = end + 3 + strspn(end + 3, " "), *scheme = strstr(address, "://");
    return strchr("/.#<", *address) || (scheme && scheme < address + strcspn(address, " \t"));
}

/* The chunks of a line and of its asides. */
static Translation cut_with_asides(const Chunker *chunker, const char *line)
{
    const Translation cut = cut_line(chunker, line, 0);
    ChunkList list = { 0 };
    for (size_t i = 0; i < cut.chunks; i++)
        add_with_asides(chunker, &cut.chunk[i], &list);
    free(cut.chunk);
    return (Translation){ .chunk = list.chunk, .chunks = list.chunks };
}

/* The chunks of a line of JSON, whose name stays; without any if its text is none. */
static Translation chunk_member(const Chunker *chunker, const char *line, const JsonMember *member)
{
    size_t end = member->end;
    while (end > member->begin && line[end - 1] == ' ')
        end--;
    char *text = json_string_decode(line + member->begin, end - member->begin);
    Translation t = { 0 };
    if (text) t = cut_with_asides(chunker, text);
    free(text);
    if (!t.chunks) return t;
    t.before = xstrndup(line, member->begin);
    t.behind = xstrdup(line + end);
    return t;
}

/* What a line of JSON is, for a model that can put the ends of lines in a text back (text/markup/markup.h). */
static JsonMember member_of(const Chunker *chunker, const char *line)
{
    const JsonMember none = { JSON_NO_MEMBER, 0, 0 };
    return chunker->source.lexicon ? json_member_of(line) : none;
}

Translation chunk_line(const Chunker *chunker, const char *line)
{
    if (!chunker->split) return cut_with_asides(chunker, line);
    const JsonMember member = member_of(chunker, line);
    Translation t = { 0 };
    if (member.kind == JSON_TEXT) t = chunk_member(chunker, line, &member);
    if (t.chunks) return t;
    const int is_copied = is_fence(line) || is_link_definition(line) || member.kind != JSON_NO_MEMBER;
    return is_copied && unicode_shows(line) ? chunk_copied(chunker, line) : cut_with_asides(chunker, line);
}

Translation chunk_whole(const Chunker *chunker, const char *line)
{
    Cutting c = { .chunker = chunker, .line = line };
    line_to_chunk(&c);
    return c.out;
}

/* The text behind the mark of the chunk, if it begins with that. */
static const char *without_mark(const Chunk *chunk, const char *text)
{
    const char *opening = chunk_opening(chunk);
    const size_t length = strlen(opening);
    return strncmp(text, opening, length) == 0 ? text + length : text;
}

void chunk_set_prefix(const Chunker *chunker, Chunk *chunk, const char *text, int complete)
{
    text = without_mark(chunk, text);
    const size_t length = strlen(text);
    if (unmarked_length(text, length) < length) {       /* it ends as the caller wants it to */
        free(chunk->tail);
        chunk->tail = NULL;
    }
    chunk_begin_with(chunker, chunk, text, length, complete);
}
