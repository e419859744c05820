/* chunks.c - where lines are cut, and the ids of the chunks. */
#include "translate/chunks.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <stdint.h>
#include <string.h>

/* Each word as a string of its own. */
static char **strings_of(const Words *words)
{
    char **list = xmalloc(words->count, sizeof *list);
    for (size_t i = 0, length; i < words->count; i++) {
        const char *word = words_at(words, i, &length);
        list[i] = xstrndup(word, length);
    }
    return list;
}

/* A line that is being cut. */
typedef struct {
    const Chunker *chunker;
    const char    *line;
    Translation    out;
    size_t         capacity;    /* of its chunks */
} Cutting;

/* A part of a line as ids. */
typedef struct {
    Prepared prepared;
    Ids      ids;
    Words    unknown;
} Encoded;

static Encoded encode(const Chunker *chunker, const char *text, size_t length)
{
    Encoded e = { 0 };
    prepare_source(&e.prepared, chunker->source, text, length);
    tokenizer_encode_words(chunker->source.tokenizer, &e.prepared.words, &e.ids,
                           chunker->copy ? &e.unknown : NULL);
    return e;
}

static void encoded_free(Encoded *e)
{
    prepared_free(&e->prepared);
    ids_free(&e->ids);
    words_free(&e->unknown);
}

/* Appends the chunk that begins at byte `at`, with what it needs of `e`. */
static void add_chunk(Cutting *c, size_t at, Encoded *e)
{
    Translation *out = &c->out;
    ids_add(&e->ids, ID_EOS);
    out->chunk = grow(out->chunk, &c->capacity, out->chunks + 1, sizeof *out->chunk);
    out->chunk[out->chunks++] =
        (Chunk){ .source_ids = e->ids.id, .source_length = (int)e->ids.count,
                 .joint = at ? joint_at(c->line, at) : JOINT_NONE, .copy = c->chunker->copy,
                 .unknown = strings_of(&e->unknown), .unknowns = (int)e->unknown.count,
                 .copies = e->prepared.copies, .output = e->prepared.output };
    e->ids = (Ids){ 0 };
    e->prepared.copies = (Copies){ 0 };
}

/* Makes line[at .. end) a chunk, or nothing if it has no tokens. Returns 0, and makes nothing, if
 * it has more than `most` tokens. */
static int add_if_fits(Cutting *c, size_t at, size_t end, size_t most)
{
    Encoded e = encode(c->chunker, c->line + at, end - at);
    const int fits = e.ids.count <= most;
    if (fits && e.ids.count) add_chunk(c, at, &e);
    encoded_free(&e);
    return fits;
}

/* Makes line[at .. end), a sentence or a whole line, one chunk or several. */
static void cut(Cutting *c, size_t at, size_t end)
{
    if (add_if_fits(c, at, end, CHUNK_TOKENS)) return;
    for (size_t length; at < end; at += length) {
        length = chunk_length(c->chunker->source.tokenizer, c->line + at, end - at, CHUNK_TOKENS);
        add_if_fits(c, at, at + length, SIZE_MAX);
    }
}

/* Whether a reader would see anything: words of a word vocabulary can be made of invisible
 * characters. */
static int shows_something(const char *line)
{
    while (*line) {
        int32_t point = unicode_next(&line);
        if (unicode_is_space(point) || unicode_is_control(point)) continue;
        if (!unicode_is_ignorable(point)) return 1;
    }
    return 0;
}

Translation chunk_line(const Chunker *chunker, const char *line)
{
    Cutting c = { .chunker = chunker, .line = line };
    size_t length = shows_something(line) ? strlen(line) : 0;
    for (size_t at = 0, end; at < length; at = end) {
        end = chunker->split ? at + sentence_length(line + at, length - at) : length;
        cut(&c, at, end);
    }
    return c.out;
}

Translation chunk_whole(const Chunker *chunker, const char *line)
{
    Cutting c = { .chunker = chunker, .line = line };
    Encoded e = encode(chunker, line, strlen(line));
    add_chunk(&c, 0, &e);
    encoded_free(&e);
    return c.out;
}

void chunk_set_prefix(const Chunker *chunker, Chunk *chunk, const char *text, int complete)
{
    Words words = { 0 }, unknown = { 0 };
    Ids ids = { 0 };
    prepare_target(&words, chunker->target, text, strlen(text), &chunk->copies);
    tokenizer_encode_words(chunker->target.tokenizer, &words, &ids, &unknown);
    words_free(&words);
    if (complete) ids_add(&ids, ID_EOS);
    chunk->prefix_ids = ids.id;
    chunk->prefix_length = (int)ids.count;
    chunk->prefix_unknown = strings_of(&unknown);
    chunk->prefix_unknowns = (int)unknown.count;
    words_free(&unknown);
}
