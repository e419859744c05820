/* chunks.c - cuts a line where the model needs it, and makes each part ids, with its marks, its
 * tags and what it is copied from. */
#include "translate/chunks.h"

#include "text/markup.h"
#include "text/patterns.h"
#include "text/sentences.h"
#include "text/unicode.h"

#include <stdint.h>
#include <string.h>

/* A line that is being cut. */
typedef struct {
    const Chunker *chunker;
    const char    *line;        /* without its tags */
    unsigned       signs;       /* Markup.signs */
    int            language;    /* the token that each chunk begins with; 0: none */
    const Tag     *tag;         /* (tags) those that no chunk has yet */
    size_t         tags;
    Region        *region;      /* of the chunks and all that they have */
    Translation    out;
    size_t         capacity;    /* of its chunks */
    MaskedLine     masked;      /* of the part that is being read: its words, */
    Ids            ids;         /* their ids, */
    Words          unknown;     /* and the texts of the <unk> among these */
} Cutting;

static void cutting_end(Cutting *c)
{
    masked_line_free(&c->masked);
    ids_free(&c->ids);
    words_free(&c->unknown);
}

/* A part of the line that becomes a chunk: line[text .. end), and the mark before it. */
typedef struct { size_t at, text, end; } Part;

/* ---- what a region keeps of lists that grow ---- */

static void *keep(Region *region, const void *list, size_t count, size_t size)
{
    void *kept = region_take(region, count, size);
    return count ? memcpy(kept, list, count * size) : kept;
}

/* Each word as a string of its own. */
static const char **keep_strings(Region *region, const Words *words)
{
    const char **list = region_take(region, words->count, sizeof *list);
    for (size_t i = 0; i < words->count; i++) {
        const Slice word = words_at(words, i);
        list[i] = region_strndup(region, word.text, word.length);
    }
    return list;
}

static Copies keep_copies(Region *region, const Copies *copies)
{
    Copies kept = *copies;
    Words *text = &kept.text;
    text->text.text = keep(region, text->text.text, text->text.length, 1);
    text->end = keep(region, text->end, text->count, sizeof *text->end);
    return kept;
}

/* ---- what the translation is, or begins with ---- */

/* Sets what the translation of a chunk begins with, in place of what was set before. */
static void begin_with(const Chunker *chunker, Chunk *chunk, const char *text, size_t length,
                       int complete, Region *region)
{
    SCOPED(words_free) Words words = { 0 }, unknown = { 0 };
    SCOPED(ids_free) Ids ids = { 0 };
    if (length && chunk->output != CASE_AS_WRITTEN)
        chunk->output = mask_case_of((Slice){ text, length });
    mask_target(&words, chunker->target, text, length, &chunk->copies);
    tokenizer_encode_range(chunker->target.tokenizer, &words, 0, words.count, &ids, &unknown);
    if (complete) ids_add(&ids, ID_EOS);
    chunk->prefix_ids = keep(region, ids.id, ids.count, sizeof *ids.id);
    chunk->prefix_length = (int)ids.count;
    chunk->prefix_unknown = keep_strings(region, &unknown);
    chunk->prefix_unknowns = (int)unknown.count;
}

void chunk_set_prefix(const Chunker *chunker, Chunk *chunk, const char *text, int complete,
                      Region *region)
{
    const size_t mark = chunk->mark ? strlen(chunk->mark) : 0;
    SCOPED(buf_free) Buf plain = { 0 };
    if (mark && !strncmp(text, chunk->mark, mark)) text += mark;
    if (chunk->signs) entities_decode(text, strlen(text), ~chunk->signs, &plain);
    else buf_puts(&plain, text);
    begin_with(chunker, chunk, plain.text, plain.length, complete, region);
}

/* One word that stands for any text, and the end. */
static const int whole_text[] = { ID_UNK, ID_EOS };
enum { WHOLE_TEXT = sizeof whole_text / sizeof *whole_text };

static const char **one_string(Region *region, const char *text, size_t length)
{
    const char **list = region_take(region, 1, sizeof *list);
    *list = region_strndup(region, text, length);
    return list;
}

/* Makes a text the translation of a chunk, with its case. */
static void give(Chunk *chunk, const char *text, size_t length, Region *region)
{
    chunk->prefix_ids = whole_text;
    chunk->prefix_length = WHOLE_TEXT;
    chunk->prefix_unknown = one_string(region, text, length);
    chunk->prefix_unknowns = 1;
    chunk->output = CASE_AS_WRITTEN;
}

/* ---- tags ---- */

/* How many of the tags that are left stand before byte `at` of the line, or there and belong to
 * what is before them; all at the end of the line. */
static size_t tags_up_to(const Cutting *c, size_t at)
{
    size_t count = 0;
    if (!c->line[at]) return c->tags;
    for (; count < c->tags; count++) {
        const Tag *tag = &c->tag[count];
        if (tag->at > at || (tag->at == at && !tag->is_behind)) break;
    }
    return count;
}

static const Tag *take_tag(Cutting *c)
{
    c->tags--;
    return c->tag++;
}

/* Adds `count` tags to a chunk that has none. source: (count) ids of the chunk before each. Those
 * stand alone whose partners are elsewhere. */
static void add_tags(Cutting *c, Chunk *chunk, const size_t *source, size_t count)
{
    chunk->tags = (int)count;
    chunk->tag = region_take(c->region, count, sizeof *chunk->tag);
    for (int i = 0; i < chunk->tags; i++) {
        const Tag *tag = take_tag(c);
        const int partner = i + tag->to_partner;
        const int has_partner = partner >= 0 && partner < chunk->tags;
        chunk->tag[i] = (ChunkTag){ .written = region_strndup(c->region, tag->text, tag->length),
                                    .source = (int)source[i],
                                    .to_partner = has_partner ? tag->to_partner : 0,
                                    .is_behind = tag->is_behind, .words = tag->words };
    }
}

/* Adds all tags that are left behind the last chunk, each alone. */
static void add_last_tags(Cutting *c)
{
    Chunk *chunk = &c->out.chunk[c->out.chunks - 1];
    ChunkTag *all = region_take(c->region, (size_t)chunk->tags + c->tags, sizeof *all);
    if (!c->tags) return;
    if (chunk->tags) memcpy(all, chunk->tag, (size_t)chunk->tags * sizeof *all);
    for (chunk->tag = all; c->tags; chunk->tags++) {
        const Tag *tag = take_tag(c);
        all[chunk->tags] = (ChunkTag){ .written = region_strndup(c->region, tag->text, tag->length),
                                       .source = chunk->source_length - 1, .words = tag->words };
    }
}

/* The mark of a part with the first `count` tags, as the line has it; NULL: it is empty. */
static const char *mark_with_tags(Cutting *c, const Part *part, size_t count)
{
    SCOPED(buf_free) Buf mark = { 0 };
    size_t at = part->at;
    for (; count; count--) {
        const Tag *tag = take_tag(c);
        const size_t place = tag->at > at ? tag->at : at;
        entities_encode(c->line + at, place - at, c->signs, &mark);
        buf_add(&mark, tag->text, tag->length);
        at = place;
    }
    entities_encode(c->line + at, part->text - at, c->signs, &mark);
    return mark.text ? region_strndup(c->region, mark.text, mark.length) : NULL;
}

/* ---- ids ---- */

/* The tags of a part. */
typedef struct {
    size_t  in_mark;        /* those in the mark before it */
    size_t  count;          /* the others */
    size_t *place;          /* (count) words, then ids, before each */
} PartTags;

/* Sets the words of a part, and how many are before each tag. */
static void mask_part(Cutting *c, const Part *part, const PartTags *tags)
{
    const char *text = c->line + part->text;
    const size_t length = part->end - part->text;
    const Tag *tag = c->tag + tags->in_mark;
    size_t *at = region_take(c->region, tags->count, sizeof *at);
    for (size_t i = 0; i < tags->count; i++) {
        const size_t place = tag[i].at > part->text ? tag[i].at - part->text : 0;
        at[i] = place < length ? place : length;
    }
    mask_line(&c->masked, c->chunker->source, text, length, at, tags->place, tags->count);
}

/* Sets the words of a part, and their ids. */
static PartTags encode(Cutting *c, const Part *part)
{
    PartTags tags = { .in_mark = part->text > part->at ? tags_up_to(c, part->text) : 0 };
    Words *unknown = c->chunker->copy ? &c->unknown : NULL;
    const Tokenizer *t = c->chunker->source.tokenizer;
    const Words *words = &c->masked.words;
    size_t from = 0;
    tags.count = tags_up_to(c, part->end) - tags.in_mark;
    tags.place = tags.count ? region_take(c->region, tags.count, sizeof *tags.place) : NULL;
    mask_part(c, part, &tags);
    c->ids.count = 0;
    words_clear(&c->unknown);
    if (c->language) ids_add(&c->ids, c->language);
    for (size_t k = 0; k < tags.count; k++) {
        const size_t to = tags.place[k];
        tokenizer_encode_range(t, words, from, to, &c->ids, unknown);
        tags.place[k] = c->ids.count;
        from = to;
    }
    tokenizer_encode_range(t, words, from, words->count, &c->ids, unknown);
    return tags;
}

/* Whether the part is nothing but copies and marks, which need no translation. */
static int is_all_copied(const Cutting *c)
{
    const Words *words = &c->masked.words;
    const TextOptions *text = &c->chunker->source.tokenizer->options;
    if (text->tokens == TOKENS_SYMBOL || text_is_plain(text)) return 0;
    for (size_t i = 0; i < words->count; i++) {
        const Slice word = words_core_at(words, i);
        if (!placeholder_is(word) && letter_case_shape(word) != SHAPE_NONE)
            return 0;
    }
    return words->count > 0;
}

/* Appends the chunk of a part that was encoded. */
static Chunk *add_chunk(Cutting *c, const Part *part, const PartTags *tags)
{
    Translation *out = &c->out;
    if (out->chunks == c->capacity) {
        c->capacity = 2 * c->capacity + 1;
        Chunk *larger = region_take(c->region, c->capacity, sizeof *larger);
        if (out->chunks) memcpy(larger, out->chunk, out->chunks * sizeof *larger);
        out->chunk = larger;
    }
    ids_add(&c->ids, ID_EOS);
    Chunk *chunk = &out->chunk[out->chunks++];
    *chunk = (Chunk){ .source_ids = keep(c->region, c->ids.id, c->ids.count, sizeof *c->ids.id),
                      .source_length = (int)c->ids.count,
                      .joint = part->at ? joint_at(c->line, part->at) : JOINT_NONE,
                      .mark = mark_with_tags(c, part, tags->in_mark),
                      .signs = c->signs, .copy = c->chunker->copy,
                      .unknown = keep_strings(c->region, &c->unknown),
                      .unknowns = (int)c->unknown.count,
                      .copies = keep_copies(c->region, &c->masked.copies),
                      .output = c->masked.output,
                      .language = lexicon_language(c->chunker->target.lexicon) };
    if (tags->count) add_tags(c, chunk, tags->place, tags->count);
    return chunk;
}

/* Makes a part a chunk, or nothing if it has no tokens. Returns 0; or how many tokens it has, and
 * makes nothing, if it has more than so many copies beside words. */
static size_t part_to_chunk(Cutting *c, const Part *part, size_t copies)
{
    const PartTags tags = encode(c, part);
    const int is_copied = is_all_copied(c);
    if (!is_copied && c->masked.copies.text.count > copies && c->ids.count) return c->ids.count;
    if (c->ids.count == (c->language != 0)) return 0;
    Chunk *chunk = add_chunk(c, part, &tags);
    const char *text = c->line + part->text;
    const size_t length = part->end - part->text;
    if (is_copied && chunk->copies.text.count) {
        begin_with(c->chunker, chunk, text, length, 1, c->region);
        chunk->is_all_copied = 1;
    } else if (is_copied) {
        give(chunk, text, unicode_trimmed(text, length), c->region);
    }
    return 0;
}

/* ---- where a line is cut ---- */

/* The most tokens of a chunk. */
static size_t most_tokens(const Chunker *c)
{
    if (!c->longest) return CHUNK_TOKENS;
    const int least = c->split ? LEAST_TOKENS : CHUNK_TOKENS;
    return (size_t)(c->longest > least ? c->longest : least);
}

/* The bytes that a part keeps before its text: list marks, and blanks. A line that goes to the
 * network as it is keeps blanks alone. */
static size_t mark_of(const Tokenizer *t, const char *part, size_t length)
{
    if (!text_is_plain(&t->options)) return patterns_marks(part, length);
    return (size_t)(unicode_skip_blanks(part, part + length) - part);
}

/* Makes the beginning of line[at .. end) a chunk, as much as the model can take. Returns its
 * bytes. */
static size_t cut_first(Cutting *c, size_t at, size_t end)
{
    const Chunker *chunker = c->chunker;
    const Language source = chunker->source;
    for (size_t most = most_tokens(chunker);;) {
        const size_t length = chunk_length(source.tokenizer, source.lexicon, c->line + at,
                                           end - at, most);
        const size_t mark = chunker->split ? mark_of(source.tokenizer, c->line + at, length) : 0;
        const Part part = { at, at + mark, at + length };
        const size_t copies = most <= FEWEST_TOKENS ? SIZE_MAX : CHUNK_COPIES;
        const size_t tokens = part_to_chunk(c, &part, copies);
        if (!tokens) return length;
        most = (tokens < most ? tokens : most) / 2;
    }
}

/* Whether a block goes to the network whole: of those that are read as they are, one no longer than
 * most that networks learn. From a paragraph, networks that learned sentences lose some. */
static int is_whole(const Chunker *chunker, const char *block, size_t length)
{
    const Language source = chunker->source;
    const size_t most = most_tokens(chunker) < CHUNK_TOKENS ? most_tokens(chunker) : CHUNK_TOKENS;
    return !chunker->split
           || (text_is_plain(&source.tokenizer->options)
               && chunk_length(source.tokenizer, source.lexicon, block, length, most) == length);
}

/* Cuts the line into blocks, these into sentences, and these into what the model can take. */
static void cut(Cutting *c, size_t length)
{
    const Chunker *chunker = c->chunker;
    for (size_t at = 0, block; at < length; at = block) {
        const char *last = strchr(c->line + at, '\n');
        block = last ? (size_t)(last + 1 - c->line) : length;
        const int whole = is_whole(chunker, c->line + at, block - at);
        for (size_t from = at, end; from < block; from = end) {
            const char *rest = c->line + from;
            end = block;
            if (!whole)
                end = from + sentence_length(chunker->source.lexicon, rest, block - from);
            for (size_t begin = from; begin < end;)
                begin += cut_first(c, begin, end);
        }
    }
    if (c->out.chunks) add_last_tags(c);
}

/* A chunk of the whole line, in one word, whose translation is the line. */
static void copy_line(Cutting *c, const char *line)
{
    const char *end = line + strlen(line), *text = unicode_skip_blanks(line, end);
    const size_t length = (size_t)(end - text);
    Chunk *chunk = c->out.chunk = region_take(c->region, 1, sizeof *chunk);
    *chunk = (Chunk){ .source_ids = whole_text, .source_length = WHOLE_TEXT, .joint = JOINT_NONE,
                      .copy = c->chunker->copy };
    if (text > line) chunk->mark = region_strndup(c->region, line, (size_t)(text - line));
    if (chunk->copy) {
        chunk->unknown = one_string(c->region, text, length);
        chunk->unknowns = 1;
    }
    give(chunk, text, length, c->region);
    c->out.chunks = 1;
}

/* The token of the language that the line asks for at its beginning, which goes, or else that of
 * the chunker. */
static void begin_language(Cutting *c)
{
    const Tokenizer *t = c->chunker->source.tokenizer;
    const Slice own = { c->line, language_length(slice_of(c->line)) };
    const int id = own.length && t->segmenter ? string_table_find(&t->vocabulary, own) : -1;
    c->language = id >= ID_SPECIALS ? id : c->chunker->language;
    if (id >= ID_SPECIALS) c->line += own.length;
}

Translation chunk_line(const Chunker *chunker, const char *line, Region *region)
{
    SCOPED(markup_free) Markup plain = { 0 };
    if (chunker->split && chunker->source.lexicon) markup_take_out(&plain, line);
    else markup_keep(&plain, line);
    SCOPED(cutting_end)
    Cutting c = { .chunker = chunker, .line = plain.text.text, .signs = plain.signs,
                  .tag = plain.tag, .tags = plain.count, .region = region,
                  .out.source_words = unicode_words(line, strlen(line)) };
    begin_language(&c);
    if (plain.is_bare) copy_line(&c, line);
    else if (unicode_shows(c.line)) cut(&c, strlen(c.line));
    return c.out;
}

Translation chunk_whole(const Chunker *chunker, const char *line, Region *region)
{
    SCOPED(cutting_end)
    Cutting c = { .chunker = chunker, .line = line, .region = region,
                  .out.source_words = unicode_words(line, strlen(line)) };
    begin_language(&c);
    const Part whole = { .end = strlen(c.line) };
    const PartTags none = encode(&c, &whole);
    add_chunk(&c, &whole, &none);
    return c.out;
}
