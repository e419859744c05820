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

/* Sets what the translation of a chunk begins with, in place of what was set before. */
static void set_prefix(const Chunker *chunker, Chunk *chunk, const char *text, size_t length,
                       int complete)
{
    Words words = { 0 }, unknown = { 0 };
    Ids ids = { 0 };
    chunk_free_prefix(chunk);
    if (length && chunk->output != CASE_AS_WRITTEN) chunk->output = prepare_case_of(text, length);
    prepare_target(&words, chunker->target, text, length, &chunk->copies);
    tokenizer_encode_words(chunker->target.tokenizer, &words, &ids, &unknown);
    if (complete) ids_add(&ids, ID_EOS);
    chunk->prefix_ids = ids.id;
    chunk->prefix_length = (int)ids.count;
    chunk->prefix_unknown = strings_of(&unknown);
    chunk->prefix_unknowns = (int)unknown.count;
    words_free(&words);
    words_free(&unknown);
}

/* A line that is being cut. */
typedef struct {
    const Chunker *chunker;
    const char    *line;
    Translation    out;
    size_t         capacity;    /* of its chunks */
} Cutting;

/* A part of the line that becomes a chunk: line[text .. end), and the mark before it. */
typedef struct {
    size_t at, text, end;
    int    inside, unfinished;  /* a part of a sentence: begins, and ends, inside it */
} Part;

/* A text as ids. */
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

/* Whether a text is nothing but copies and punctuation, which need no translation. */
static int is_all_copied(const Prepared *p)
{
    for (size_t i = 0, length; i < p->words.count; i++) {
        const char *word = words_at(&p->words, i, &length);
        const size_t mark = words_mark_length(word, length);
        if (placeholder_is(word + mark, length - mark)) continue;
        if (letter_case_shape(word + mark, length - mark) != SHAPE_NONE) return 0;
    }
    return p->copies.text.count > 0;
}

/* Appends the chunk of a part, with what it needs of `e`. */
static Chunk *add_chunk(Cutting *c, const Part *part, Encoded *e)
{
    Translation *out = &c->out;
    ids_add(&e->ids, ID_EOS);
    out->chunk = grow(out->chunk, &c->capacity, out->chunks + 1, sizeof *out->chunk);
    out->chunk[out->chunks] =
        (Chunk){ .source_ids = e->ids.id, .source_length = (int)e->ids.count,
                 .joint = part->at ? joint_at(c->line, part->at) : JOINT_NONE,
                 .copy = c->chunker->copy,
                 .unknown = strings_of(&e->unknown), .unknowns = (int)e->unknown.count,
                 .copies = e->prepared.copies, .output = e->prepared.output };
    if (part->text > part->at)
        out->chunk[out->chunks].mark = xstrndup(c->line + part->at, part->text - part->at);
    e->ids = (Ids){ 0 };
    e->prepared.copies = (Copies){ 0 };
    return &out->chunk[out->chunks++];
}

/* Makes a part a chunk, or nothing if it has no tokens. Returns 0, and makes nothing, if it has
 * more than `most` tokens. */
static int add_if_fits(Cutting *c, const Part *part, size_t most)
{
    Encoded e = encode(c->chunker, c->line + part->text, part->end - part->text);
    const int fits = e.ids.count <= most, is_copied = is_all_copied(&e.prepared);
    if (fits && e.ids.count) {
        Chunk *chunk = add_chunk(c, part, &e);
        if (is_copied)
            set_prefix(c->chunker, chunk, c->line + part->text, part->end - part->text, 1);
    }
    encoded_free(&e);
    return fits;
}

/* ---- Parts of sentences ---- */

enum { FIRST_EAST_ASIAN = 0x3000 };     /* of the characters whose full stop is U+3002 */

static int is_known(const Tokenizer *t, const char *text)
{
    Ids ids = { 0 };
    int known = 1;
    tokenizer_encode(t, text, strlen(text), &ids, NULL);
    for (size_t i = 0; i < ids.count; i++)
        known &= ids.id[i] != ID_UNK;
    ids_free(&ids);
    return known;
}

/* Whether the language of the target writes a blank before ? ; and :. Where it does, a blank and
 * the question mark are one piece. */
static int has_blank_before_marks(const Tokenizer *target)
{
    Ids ids = { 0 };
    tokenizer_encode(target, "?", 1, &ids, NULL);
    const int one_piece = ids.count == 1 && ids.id[0] != ID_UNK;
    ids_free(&ids);
    return one_piece;
}

/* What ends the translation of text[0 .. length) in place of a full stop: the mark behind `body`,
 * with a blank if the target's language writes one, which is another than the text's. */
static char *tail_of(const Chunker *chunker, const char *text, size_t body, size_t length)
{
    const char *const end = text + length, *mark = text + body;
    Buf tail = { 0 };
    buf_clear(&tail);
    for (const char *next = mark; next < end && unicode_is_space(unicode_next(&next));)
        mark = next;
    if (mark < end) {
        const char *after = mark;
        unicode_next(&after);
        buf_add(&tail, mark, (size_t)(after - mark));
    }
    const int spaced = mark == text + body && mark < end && (*mark == ';' || *mark == ':');
    if (!spaced || !has_blank_before_marks(chunker->target.tokenizer)) return tail.text;
    Buf with_blank = { 0 };
    buf_printf(&with_blank, " %s", tail.text);
    buf_free(&tail);
    return with_blank.text;
}

/* Whether a sentence would begin with a capital where this text begins with a small letter: the
 * source's vocabulary has it, and words are not in their usual case anyway. */
static int needs_capital(const Tokenizer *source, const char *text)
{
    Buf capital = { 0 };
    if (tokenizer_options(source)->truecase) return 0;
    const int32_t first = unicode_next(&text), upper = unicode_upper(first);
    unicode_append(&capital, upper);
    const int has = upper != first && is_known(source, capital.text);
    buf_free(&capital);
    return has;
}

/* The part as a sentence: with a capital if it begins inside one, and a full stop instead of its
 * last mark. */
static void sentence_of(const Part *part, const char *text, size_t body, const char *full_stop,
                        int capital, Buf *out)
{
    const char *rest = text;
    if (capital) unicode_append(out, unicode_upper(unicode_next(&rest)));
    buf_add(out, rest, body - (size_t)(rest - text));
    if (part->unfinished) buf_puts(out, full_stop);
}

/* Makes a part of a sentence a chunk, or nothing if it has no tokens. */
static void add_clause(Cutting *c, const Part *part)
{
    const char *text = c->line + part->text;
    const size_t length = part->end - part->text;
    const size_t body = part->unfinished ? unmarked_length(text, length) : length;
    const int32_t before = body ? unicode_before(text, text + body) : ' ';
    const char *full_stop = before < FIRST_EAST_ASIAN ? "." : "\u3002";
    if (!body || !is_known(c->chunker->source.tokenizer, full_stop)) {
        add_if_fits(c, part, SIZE_MAX);
        return;
    }
    Buf sentence = { 0 };
    const int capital = part->inside && needs_capital(c->chunker->source.tokenizer, text);
    sentence_of(part, text, body, full_stop, capital, &sentence);
    Encoded e = encode(c->chunker, sentence.text, sentence.length);
    Chunk *chunk = add_chunk(c, part, &e);
    if (part->unfinished) chunk->tail = tail_of(c->chunker, text, body, length);
    chunk->small = capital;
    encoded_free(&e);
    buf_free(&sentence);
}

/* ---- Lines ---- */

/* Whether a part of a text up to `end` ends inside a sentence, and not inside a word. */
static int is_unfinished(const Cutting *c, const Part *part, size_t end)
{
    if (!c->chunker->split || part->end == end) return 0;
    return joint_at(c->line, part->end) != JOINT_NONE &&
           !ends_in_stop(c->line + part->text, part->end - part->text);
}

/* Where what introduces speech ends that begins with a part; `end` if nothing does. */
static size_t introduction_end(const Cutting *c, const Part *part, size_t end)
{
    const char *text = c->line + part->text;
    const size_t length = c->chunker->split ? introduction_length(text, end - part->text) : 0;
    return length ? part->text + length : end;
}

/* Makes line[at .. end), a sentence or a whole line, one chunk or several. */
static void cut(Cutting *c, size_t at, size_t end)
{
    const int split = c->chunker->split;
    const ChunkTokens limits = { split ? CLAUSE_TOKENS : CHUNK_TOKENS, CHUNK_TOKENS };
    Part part = { .at = at, .text = at, .end = end };
    if (split) part.text += sentence_mark_length(c->line + at, end - at, at == 0);
    if (introduction_end(c, &part, end) == end && add_if_fits(c, &part, limits.clause)) return;
    for (; part.text < end; part.at = part.text = part.end) {
        const size_t length = introduction_end(c, &part, end) - part.text;
        part.end = part.text +
                   chunk_length(c->chunker->source.tokenizer, c->line + part.text, length, limits);
        part.inside = part.unfinished;
        part.unfinished = is_unfinished(c, &part, end);
        if (part.inside || part.unfinished) add_clause(c, &part);
        else add_if_fits(c, &part, SIZE_MAX);
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
    add_chunk(&c, &(Part){ 0 }, &e);
    encoded_free(&e);
    return c.out;
}

/* The text behind the mark of the chunk, if it begins with that. */
static const char *without_mark(const Chunk *chunk, const char *text)
{
    const size_t length = chunk->mark ? strlen(chunk->mark) : 0;
    return length && strncmp(text, chunk->mark, length) == 0 ? text + length : text;
}

void chunk_set_prefix(const Chunker *chunker, Chunk *chunk, const char *text, int complete)
{
    text = without_mark(chunk, text);
    set_prefix(chunker, chunk, text, strlen(text), complete);
}
