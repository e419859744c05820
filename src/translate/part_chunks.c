/* part_chunks.c - a part of a line as ids, with its tags, marks and what it is copied from. */
#include "translate/part_chunks.h"

#include "base/mem.h"
#include "text/letter_case.h"
#include "text/sentences/parts.h"
#include "text/sentences/scan.h"
#include "text/unicode.h"
#include "translate/part_marks.h"

#include <stdint.h>
#include <stdlib.h>
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

void chunk_begin_with(const Chunker *chunker, Chunk *chunk, const char *text, size_t length,
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

/* The source of a chunk: byte k of the line is byte k - origin here. */
typedef struct { const char *text; size_t length; long origin; } Source;

static Source source_of(const Cutting *c, const Part *part)
{
    return (Source){ c->line + part->text, part->end - part->text, (long)part->text };
}

/* A source as ids. */
typedef struct {
    Prepared prepared;
    Ids      ids;
    Words    unknown;
    size_t   mark_tags;     /* of the part, those in the mark before it */
    size_t  *place;         /* (tags) of the others: ids before each */
    size_t   tags;
} Encoded;

/* How many of the tags that are left belong to a part. */
static size_t count_tags(const Cutting *c, const Part *part)
{
    return c->line[part->end] ? tags_up_to(&c->left, part->end) : c->left.count;
}

/* How many of these stand in the mark before it. */
static size_t count_mark_tags(const Cutting *c, const Part *part)
{
    return part->text > part->at ? tags_up_to(&c->left, part->text) : 0;
}

/* Sets where tags stand in the source. */
static void locate_tags(const Tag *tag, const Source *source, size_t *at, size_t count)
{
    const size_t length = source->length;
    for (size_t i = 0; i < count; i++) {
        const long place = (long)tag[i].at - source->origin;
        at[i] = place < 0 ? 0 : (size_t)place < length ? (size_t)place : length;
    }
}

/* The words up to each place, and those behind the last, to ids. */
static void encode_words(const Tokenizer *t, Encoded *e, Words *unknown)
{
    const Words *words = &e->prepared.words;
    size_t from = 0;
    for (size_t k = 0; k < e->tags; k++) {
        const size_t to = e->place[k];
        tokenizer_encode_range(t, words, from, to, &e->ids, unknown);
        e->place[k] = e->ids.count;
        from = to;
    }
    tokenizer_encode_range(t, words, from, words->count, &e->ids, unknown);
}

static Encoded encode(const Cutting *c, const Part *part, const Source *source)
{
    const Language language = c->chunker->source;
    Encoded e = { .mark_tags = count_mark_tags(c, part) };
    e.tags = count_tags(c, part) - e.mark_tags;
    if (e.tags) {
        size_t *at = xmalloc(e.tags, sizeof *at);
        locate_tags(c->left.tag + e.mark_tags, source, at, e.tags);
        e.place = xmalloc(e.tags, sizeof *e.place);
        prepare_source_around(&e.prepared, language, source->text, source->length, at, e.place,
                              e.tags);
        free(at);
    } else {
        prepare_source(&e.prepared, language, source->text, source->length);
    }
    encode_words(language.tokenizer, &e, c->chunker->copy ? &e.unknown : NULL);
    return e;
}

static void encoded_free(Encoded *e)
{
    prepared_free(&e->prepared);
    ids_free(&e->ids);
    words_free(&e->unknown);
    free(e->place);
}

/* Whether a text is nothing but copies and marks, which need no translation. */
static int is_all_copied(const Prepared *p)
{
    for (size_t i = 0; i < p->words.count; i++) {
        const PlainWord word = words_plain(&p->words, i);
        const int is_copy = placeholder_is(word.text, word.length);
        if (!is_copy && letter_case_shape(word.text, word.length) != SHAPE_NONE) return 0;
    }
    return p->words.count > 0;
}

/* The first of the tags of a part, behind those of its mark, that stand behind all of it. */
static size_t first_last_tag(const Cutting *c, const Part *part, size_t tags)
{
    const char *end = c->line + part->end;
    while (tags && skip_blanks(c->line + c->left.tag[tags - 1].at, end) >= end)
        tags--;
    return tags;
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
                 .copies = e->prepared.copies, .output = e->prepared.output,
                 .language = lexicon_language(c->chunker->target.lexicon) };
    Chunk *chunk = &out->chunk[out->chunks++];
    chunk->mark = tags_to_mark(&c->left, e->mark_tags, c->line, part->at, part->text);
    const size_t first_last = first_last_tag(c, part, e->tags);
    tags_to_chunk(&c->left, e->tags, e->place, c->chunker->target, chunk);
    for (size_t i = first_last; i < e->tags; i++)
        chunk->tag[i].is_last = 1;
    e->ids = (Ids){ 0 };
    e->prepared.copies = (Copies){ 0 };
    return chunk;
}

/* The bytes of a part without the mark that closes an aside, and what follows that. */
static size_t inner_length(const Part *part)
{
    return (part->close ? part->close : part->end) - part->text;
}

static void set_tail(const Cutting *c, const Part *part, size_t body, Chunk *chunk)
{
    const PartText text = { .text = c->line + part->text, .body = body,
                            .close = inner_length(part), .length = part->end - part->text };
    const size_t written = part_has_stop(c, text.text, text.close) ? text.close : body;
    chunk->tail = part_tail(&text, c->chunker->source, c->chunker->target);
    chunk->tail_words = words_begun(text.text + written, text.text + text.length);
}

int part_has_stop(const Cutting *c, const char *text, size_t length)
{
    return ends_in_stop(text, length)
           && !((c->marks & part_set(PART_ELLIPSIS)) && ends_in_ellipsis(text, length));
}

int part_lacks_stop(const Cutting *c, const Part *part)
{
    const char *text = c->line + part->text, *end = c->line + part->end;
    const int is_last = !*end || end[-1] == '\n';
    return c->chunker->split && is_last && !ends_in_stop(text, (size_t)(end - text))
           && (c->is_aside || ends_alike(c->chunker->source, c->chunker->target));
}

/* Makes the copies and marks of a part its translation. */
static void copy_all(const Cutting *c, Chunk *chunk, const char *text, size_t length)
{
    const OutputCase output = chunk->output;
    chunk_begin_with(c->chunker, chunk, text, length, 1);
    if (output == CASE_ALL_CAPITALS) chunk->output = output;
    chunk->is_all_copied = 1;
}

/* Whether text[0 .. body) of a part is one letter, before a colon (A: yes. B: no.) or seldom a word: x, but
 * not I. */
static int is_letter(const Lexicon *lexicon, const char *text, size_t body, size_t length)
{
    enum { OFTEN = 1000 };
    const char *end = text + length, *letter = skip_blanks(text, end), *at = letter;
    if (!body || !unicode_is_letter(unicode_next(&at)) || at != text + body) return 0;
    const size_t bytes = (size_t)(at - letter);
    at = skip_blanks(at, end);
    if (at < end && *at == ':') return 1;
    return at == end && lexicon && lexicon_count(lexicon, letter, bytes) < OFTEN
           && letter_case_shape(letter, bytes) >= SHAPE_SMALL;
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

/* The same for a text without the blanks around it. */
static void copy_text(Chunk *chunk, const char *text, size_t length)
{
    const char *end = text + length, *start = skip_blanks(text, end);
    while (end > start && unicode_is_space(unicode_before(start, end)))
        do end--; while ((*end & 0xC0) == 0x80);
    give(chunk, start, (size_t)(end - start));
}

/* Makes a chunk that is a letter, or nothing but copies and marks, its translation; returns whether it is such a
 * one. */
static int give_itself(const Cutting *c, const Part *part, int is_copied, Chunk *chunk)
{
    const char *text = c->line + part->text;
    const size_t length = part->end - part->text, body = unmarked_length(text, length);
    const int is_one = is_letter(c->chunker->source.lexicon, text, body, length);
    if (is_one) {
        copy_text(chunk, text, body);
        if (body < length) set_tail(c, part, body, chunk);
    } else if (is_copied && chunk->copies.text.count) {
        copy_all(c, chunk, text, length);
    } else if (is_copied) {
        copy_text(chunk, text, length);
    }
    return is_one || is_copied;
}

/* Whether the network sees all copies of a part, or none. */
static int has_few_copies(const Encoded *e, size_t most, int is_copied)
{
    return is_copied || e->prepared.copies.text.count <= most;
}

int part_to_chunk(Cutting *c, const Part *part, size_t tokens, size_t copies)
{
    const Source source = source_of(c, part);
    Encoded e = encode(c, part, &source);
    const int is_copied = is_all_copied(&e.prepared);
    const int fits = e.ids.count <= tokens && has_few_copies(&e, copies, is_copied);
    if (fits && e.ids.count) {
        Chunk *chunk = add_chunk(c, part, &e);
        const size_t body = unmarked_length(source.text, source.length);
        if (!give_itself(c, part, is_copied, chunk) && body && part_lacks_stop(c, part))
            set_tail(c, part, body, chunk);
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

/* A text as a sentence, perhaps with a capital, and with this stop. */
static void sentence_of(const char *text, size_t length, int capital, const char *stop, Buf *out)
{
    const char *rest = text;
    if (capital) unicode_append(out, unicode_upper(unicode_next(&rest)));
    buf_add(out, rest, length - (size_t)(rest - text));
    buf_puts(out, stop);
}

/* Whether a part begins inside a sentence, not as speech behind a colon, with a word that has its
 * capital anywhere: I. */
static int has_usual_capital(const Cutting *c, const Part *part, const Prepared *prepared)
{
    size_t length;
    if (!part->inside || !prepared->words.count) return 0;
    if (last_before(c->line, c->line + part->at) == ':') return 0;
    const char *word = words_at(&prepared->words, 0, &length);
    const char *first = word + words_mark_length(word, length);
    const int32_t point = unicode_next(&first);
    return unicode_lower(point) != point;
}

/* A part of a sentence as ids. */
static Encoded encode_clause(const Cutting *c, const Part *part, const Buf *sentence)
{
    const char *first = sentence->text, *was = c->line + part->text;
    unicode_next(&first);
    unicode_next(&was);
    const long grown = (first - sentence->text) - (was - (c->line + part->text));
    const Source source = { sentence->text, sentence->length, (long)part->text - grown };
    Encoded e = encode(c, part, &source);
    if (e.prepared.output == CASE_FIRST_CAPITAL && has_usual_capital(c, part, &e.prepared))
        e.prepared.output = CASE_AS_WRITTEN;
    return e;
}

int clause_to_chunk(Cutting *c, const Part *part, size_t copies)
{
    const char *text = c->line + part->text;
    const size_t length = part->end - part->text, inner = inner_length(part);
    const size_t body = part->unfinished ? unmarked_length(text, inner) : length;
    const int has_stop = !part->unfinished || part_has_stop(c, text, inner);
    const int32_t before = body ? unicode_before(text, text + body) : ' ';
    const char *full_stop = before < FIRST_EAST_ASIAN ? "." : "\u3002";
    if (!body || !is_known(c->chunker->source.tokenizer, full_stop))
        return part_to_chunk(c, part, SIZE_MAX, copies);
    Buf sentence = { 0 };
    const int capital = part->inside && needs_capital(c->chunker->source.tokenizer, text);
    sentence_of(text, has_stop ? inner : body, capital, has_stop ? "" : full_stop, &sentence);
    Encoded e = encode_clause(c, part, &sentence);
    const int is_copied = is_all_copied(&e.prepared), fits = has_few_copies(&e, copies, is_copied);
    if (fits) {
        Chunk *chunk = add_chunk(c, part, &e);
        if (part->unfinished) set_tail(c, part, body, chunk);
        if (part->close) chunk->opening = part_opening(chunk->mark, c->chunker->target);
        chunk->small = capital;
        if (is_letter(c->chunker->source.lexicon, text, body, length)) copy_text(chunk, text, body);
        else if (is_copied) copy_all(c, chunk, text, body);
    }
    encoded_free(&e);
    buf_free(&sentence);
    return fits;
}

Chunk chunk_of_copy(const Chunker *chunker, const char *line)
{
    const char *end = line + strlen(line), *text = skip_blanks(line, end);
    const size_t length = (size_t)(end - text);
    Chunk chunk = { .source_ids = whole_text_ids(), .source_length = WHOLE_TEXT, .joint = JOINT_NONE,
                    .mark = text > line ? xstrndup(line, (size_t)(text - line)) : NULL,
                    .copy = chunker->copy };
    if (chunker->copy) {
        chunk.unknown = one_string(text, length);
        chunk.unknowns = 1;
    }
    give(&chunk, text, length);
    return chunk;
}

void line_to_chunk(Cutting *c)
{
    const Part whole = { .end = strlen(c->line) };
    const Source source = source_of(c, &whole);
    Encoded e = encode(c, &whole, &source);
    add_chunk(c, &whole, &e);
    encoded_free(&e);
}
