/* chunks.c - cuts a line where the model needs it, and makes each part ids, with its marks, its tags
 * and what it is copied from. */
#include "translate/chunks.h"

#include "base/mem.h"
#include "text/markup/entities.h"
#include "text/letter_case.h"
#include "text/markup/markup.h"
#include "text/sentences/sentences.h"
#include "text/unicode.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A line that is being cut. */
typedef struct {
    const Chunker *chunker;
    const char    *line;        /* without its tags */
    unsigned       signs;       /* Markup.signs */
    const Tag     *tag;         /* (tags) those that no chunk has yet */
    size_t         tags;
    Translation    out;
    size_t         capacity;    /* of its chunks */
} Cutting;

/* A part of the line that becomes a chunk: line[text .. end), and the mark before it. */
typedef struct { size_t at, text, end; } Part;

/* ---- What the translation is, or begins with ---- */

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

/* Sets what the translation of a chunk begins with, in place of what was set before. */
static void begin_with(const Chunker *chunker, Chunk *chunk, const char *text, size_t length, int complete)
{
    Words words = { 0 }, unknown = { 0 };
    Ids ids = { 0 };
    chunk_free_prefix(chunk);
    if (length && chunk->output != CASE_AS_WRITTEN) chunk->output = mask_case_of(text, length);
    mask_target(&words, chunker->target, text, length, &chunk->copies);
    tokenizer_encode_words(chunker->target.tokenizer, &words, &ids, &unknown);
    if (complete) ids_add(&ids, ID_EOS);
    chunk->prefix_ids = ids.id;
    chunk->prefix_length = (int)ids.count;
    chunk->prefix_unknown = strings_of(&unknown);
    chunk->prefix_unknowns = (int)unknown.count;
    words_free(&words);
    words_free(&unknown);
}

void chunk_set_prefix(const Chunker *chunker, Chunk *chunk, const char *text, int complete)
{
    const size_t mark = chunk->mark ? strlen(chunk->mark) : 0;
    Buf plain = { 0 };
    if (mark && !strncmp(text, chunk->mark, mark)) text += mark;
    if (chunk->signs) entities_decode(text, strlen(text), ~chunk->signs, &plain);
    else buf_puts(&plain, text);
    begin_with(chunker, chunk, plain.text, plain.length, complete);
    buf_free(&plain);
}

/* One word that stands for any text, and the end. */
static const int whole_text[] = { ID_UNK, ID_EOS };
enum { WHOLE_TEXT = sizeof whole_text / sizeof *whole_text };

static int *whole_text_ids(void)
{
    return memcpy(xmalloc(WHOLE_TEXT, sizeof *whole_text), whole_text, sizeof whole_text);
}

static char **one_string(const char *text, size_t length)
{
    char **list = xmalloc(1, sizeof *list);
    *list = xstrndup(text, length);
    return list;
}

/* Makes a text the translation of a chunk, with its case. */
static void give(Chunk *chunk, const char *text, size_t length)
{
    chunk->prefix_ids = whole_text_ids();
    chunk->prefix_length = WHOLE_TEXT;
    chunk->prefix_unknown = one_string(text, length);
    chunk->prefix_unknowns = 1;
    chunk->output = CASE_AS_WRITTEN;
}

/* The same without the blanks at its end. */
static void give_trimmed(Chunk *chunk, const char *text, size_t length)
{
    give(chunk, text, unicode_trimmed(text, length));
}

/* Makes the copies and marks of a part its translation. */
static void give_copies(const Chunker *chunker, Chunk *chunk, const char *text, size_t length)
{
    const OutputCase output = chunk->output;
    begin_with(chunker, chunk, text, length, 1);
    if (output == CASE_ALL_CAPITALS) chunk->output = output;
    chunk->is_all_copied = 1;
}

/* ---- Tags ---- */

/* How many of the tags that are left stand before byte `at` of the line, or there and belong to what
 * is before them; all at the end of the line. */
static size_t tags_up_to(const Cutting *c, size_t at)
{
    size_t count = 0;
    if (!c->line[at]) return c->tags;
    while (count < c->tags && (c->tag[count].at < at || (c->tag[count].at == at && c->tag[count].is_behind)))
        count++;
    return count;
}

static const Tag *take_tag(Cutting *c)
{
    c->tags--;
    return c->tag++;
}

/* Adds `count` tags to a chunk. source: (count) ids of the chunk before each. Those stand alone whose
 * partners are elsewhere. */
static void add_tags(Cutting *c, Chunk *chunk, const size_t *source, size_t count)
{
    if (!count) return;
    const int first = chunk->tags;
    chunk->tags += (int)count;
    chunk->tag = xrealloc(chunk->tag, (size_t)chunk->tags, sizeof *chunk->tag);
    for (int i = first; i < chunk->tags; i++) {
        const Tag *tag = take_tag(c);
        const int partner = i + tag->to_partner, has_partner = partner >= first && partner < chunk->tags;
        chunk->tag[i] = (ChunkTag){ .written = xstrndup(tag->text, tag->length), .source = (int)source[i - first],
                                    .to_partner = has_partner ? tag->to_partner : 0,
                                    .is_behind = tag->is_behind, .words = tag->words };
    }
}

/* Adds all tags that are left behind the last chunk. */
static void add_last_tags(Cutting *c)
{
    Chunk *chunk = &c->out.chunk[c->out.chunks - 1];
    while (c->tags) {
        const size_t end = (size_t)chunk->source_length - 1;
        add_tags(c, chunk, &end, 1);
        chunk->tag[chunk->tags - 1].is_behind = 1;
    }
}

/* The mark of a part with the first `count` tags, as the line has it; NULL: it is empty. */
static char *mark_with_tags(Cutting *c, const Part *part, size_t count)
{
    Buf mark = { 0 };
    size_t at = part->at;
    for (; count; count--) {
        const Tag *tag = take_tag(c);
        const size_t place = tag->at > at ? tag->at : at;
        entities_encode(c->line + at, place - at, c->signs, &mark);
        buf_add(&mark, tag->text, tag->length);
        at = place;
    }
    entities_encode(c->line + at, part->text - at, c->signs, &mark);
    return mark.text;
}

/* ---- Ids ---- */

/* A part as ids. */
typedef struct {
    MaskedLine prepared;
    Ids      ids;
    Words    unknown;
    size_t   mark_tags;     /* those in the mark before it */
    size_t  *place;         /* (tags) of the others: ids before each */
    size_t   tags;
} Encoded;

/* The words of a part, and how many are before each tag. */
static void prepare_part(const Cutting *c, const Part *part, Encoded *e)
{
    const char *text = c->line + part->text;
    const size_t length = part->end - part->text;
    const Tag *tag = c->tag + e->mark_tags;
    if (!e->tags) {
        mask_line(&e->prepared, c->chunker->source, text, length);
        return;
    }
    size_t *at = xmalloc(e->tags, sizeof *at);
    for (size_t i = 0; i < e->tags; i++) {
        const size_t place = tag[i].at > part->text ? tag[i].at - part->text : 0;
        at[i] = place < length ? place : length;
    }
    e->place = xmalloc(e->tags, sizeof *e->place);
    mask_line_around(&e->prepared, c->chunker->source, text, length, at, e->place, e->tags);
    xfree(at);
}

static Encoded encode(const Cutting *c, const Part *part)
{
    Encoded e = { .mark_tags = part->text > part->at ? tags_up_to(c, part->text) : 0 };
    Words *unknown = c->chunker->copy ? &e.unknown : NULL;
    const Tokenizer *t = c->chunker->source.tokenizer;
    size_t from = 0;
    e.tags = tags_up_to(c, part->end) - e.mark_tags;
    prepare_part(c, part, &e);
    for (size_t k = 0; k < e.tags; k++) {
        const size_t to = e.place[k];
        tokenizer_encode_range(t, &e.prepared.words, from, to, &e.ids, unknown);
        e.place[k] = e.ids.count;
        from = to;
    }
    tokenizer_encode_range(t, &e.prepared.words, from, e.prepared.words.count, &e.ids, unknown);
    return e;
}

static void encoded_free(Encoded *e)
{
    masked_line_free(&e->prepared);
    ids_free(&e->ids);
    words_free(&e->unknown);
    xfree(e->place);
}

static int has_symbols(const Cutting *c)
{
    return tokenizer_options(c->chunker->source.tokenizer)->tokens == TOKENS_SYMBOL;
}

/* Whether a text is nothing but copies and marks, which need no translation. */
static int is_all_copied(const Cutting *c, const MaskedLine *p)
{
    if (has_symbols(c)) return 0;
    for (size_t i = 0; i < p->words.count; i++) {
        const WordCore word = words_core_at(&p->words, i);
        if (!placeholder_is(word.text, word.length) && letter_case_shape(word.text, word.length) != SHAPE_NONE)
            return 0;
    }
    return p->words.count > 0;
}

/* Appends the chunk of a part, with what it needs of `e`. */
static Chunk *add_chunk(Cutting *c, const Part *part, Encoded *e)
{
    Translation *out = &c->out;
    ids_add(&e->ids, ID_EOS);
    out->chunk = grow(out->chunk, &c->capacity, out->chunks + 1, sizeof *out->chunk);
    Chunk *chunk = &out->chunk[out->chunks++];
    *chunk = (Chunk){ .source_ids = e->ids.id, .source_length = (int)e->ids.count,
                      .joint = part->at ? joint_at(c->line, part->at) : JOINT_NONE,
                      .signs = c->signs, .copy = c->chunker->copy,
                      .unknown = strings_of(&e->unknown), .unknowns = (int)e->unknown.count,
                      .copies = e->prepared.copies, .output = e->prepared.output,
                 .language = lexicon_language(c->chunker->target.lexicon) };
    chunk->mark = mark_with_tags(c, part, e->mark_tags);
    add_tags(c, chunk, e->place, e->tags);
    e->ids = (Ids){ 0 };
    e->prepared.copies = (Copies){ 0 };
    return chunk;
}

/* Makes a part a chunk, or nothing if it has no tokens. Returns 0; or how many tokens it has, and makes
 * nothing, if it has more than so many copies beside words. */
static size_t part_to_chunk(Cutting *c, const Part *part, size_t copies)
{
    Encoded e = encode(c, part);
    const int is_copied = is_all_copied(c, &e.prepared);
    const size_t tokens = is_copied || e.prepared.copies.text.count <= copies ? 0 : e.ids.count;
    if (!tokens && e.ids.count) {
        Chunk *chunk = add_chunk(c, part, &e);
        const char *text = c->line + part->text;
        const size_t length = part->end - part->text;
        if (is_copied && chunk->copies.text.count) give_copies(c->chunker, chunk, text, length);
        else if (is_copied) give_trimmed(chunk, text, length);
    }
    encoded_free(&e);
    return tokens;
}

/* ---- Where a line is cut ---- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The most tokens of a chunk. */
static size_t most_tokens(const Chunker *c)
{
    if (!c->longest) return CHUNK_TOKENS;
    const int least = c->split ? LEAST_TOKENS : CHUNK_TOKENS;
    return (size_t)(c->longest > least ? c->longest : least);
}

/* Makes the beginning of line[at .. end) a chunk, as much as the model can take. Returns its bytes. */
static size_t cut_first(Cutting *c, size_t at, size_t end)
{
    const Chunker *chunker = c->chunker;
    for (size_t most = most_tokens(chunker);;) {
        const size_t length = chunk_length(chunker->source.tokenizer, chunker->source.lexicon, c->line + at, end - at, most);
        const size_t mark = chunker->split ? sentence_mark_length(c->line + at, length) : 0;
        const Part part = { at, at + mark, at + length };
        const int takes_all = most <= FEWEST_TOKENS;
        const size_t tokens = part_to_chunk(c, &part, takes_all ? SIZE_MAX : CHUNK_COPIES);
        if (!tokens) return length;
        most = least(tokens, most) / 2;
    }
}

/* Cuts the line up to `end`, where a block of it ends. */
static void cut_block(Cutting *c, size_t at, size_t block)
{
    const int by_sentences = c->chunker->split;
    for (size_t end; at < block; at = end) {
        end = by_sentences ? at + sentence_length(c->chunker->source.lexicon, c->line + at, block - at) : block;
        for (size_t from = at; from < end;)
            from += cut_first(c, from, end);
    }
}

static void cut(Cutting *c, size_t length)
{
    for (size_t at = 0, end; at < length; at = end) {
        const char *block = strchr(c->line + at, '\n');
        end = block ? (size_t)(block + 1 - c->line) : length;
        cut_block(c, at, end);
    }
    if (c->out.chunks) add_last_tags(c);
}

/* Appends a chunk of the whole line, in one word, whose translation is the line. */
static void copy_line(Cutting *c, const char *line)
{
    const char *end = line + strlen(line), *text = unicode_skip_blanks(line, end);
    const size_t length = (size_t)(end - text);
    Chunk chunk = { .source_ids = whole_text_ids(), .source_length = WHOLE_TEXT, .joint = JOINT_NONE,
                    .mark = text > line ? xstrndup(line, (size_t)(text - line)) : NULL,
                    .copy = c->chunker->copy };
    if (chunk.copy) {
        chunk.unknown = one_string(text, length);
        chunk.unknowns = 1;
    }
    give(&chunk, text, length);
    c->out.chunk = xmalloc(1, sizeof chunk);
    c->out.chunk[c->out.chunks++] = chunk;
}

Translation chunk_line(const Chunker *chunker, const char *line)
{
    Markup plain = { 0 };
    if (chunker->split && chunker->source.lexicon) markup_take_out(&plain, line);
    else markup_keep(&plain, line);
    Cutting c = { .chunker = chunker, .line = plain.text.text, .signs = plain.signs,
                  .tag = plain.tag, .tags = plain.count,
                  .out.source_words = unicode_words(line, strlen(line)) };
    if (plain.is_bare) copy_line(&c, line);
    else if (unicode_shows(c.line)) cut(&c, plain.text.length);
    markup_free(&plain);
    return c.out;
}

Translation chunk_whole(const Chunker *chunker, const char *line)
{
    Cutting c = { .chunker = chunker, .line = line, .out.source_words = unicode_words(line, strlen(line)) };
    const Part whole = { .end = strlen(line) };
    Encoded e = encode(&c, &whole);
    add_chunk(&c, &whole, &e);
    encoded_free(&e);
    return c.out;
}
