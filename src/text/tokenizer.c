/* tokenizer.c - lines to ids and back, for each kind; learning; and the JSON that a model file holds.
 *
 * All kinds share one vocabulary type and differ in two places: how a line is split (split), and what becomes of one
 * word (encode_word). The kind char is bpe without merges.
 */
#include "text/tokenizer.h"

#include "base/mem.h"
#include "text/bpe.h"
#include "text/lexicon.h"
#include "text/unicode.h"
#include "text/words.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENTRIES = 10000000 };

struct Tokenizer {
    TextOptions options;
    Lexicon     vocabulary;     /* its ids are the tokens; the first ID_SPECIALS are special */
    Bpe         bpe;
};

static const char *const specials[ID_SPECIALS] = { "<unk>", "<pad>", "<bos>", "<eos>" };
static const char *const kinds[] = { "bpe", "word", "char", NULL };

const Field text_fields[] = {
    { .group = "Text", .name = "tokens", .kind = FIELD_CHOICE, .offset = offsetof(TextOptions, tokens),
      .choices = kinds, .value = "KIND",
      .help = "what a token is: a subword (bpe), a word as in the textbook, a character (char)" },
    { .name = "vocabulary", .kind = FIELD_INT, .offset = offsetof(TextOptions, vocabulary),
      .low = 0, .high = MOST_ENTRIES, .value = "N",
      .help = "most entries of a vocabulary, special tokens included; 0: no limit" },
    { .name = "min-frequency", .kind = FIELD_INT, .offset = offsetof(TextOptions, min_frequency),
      .low = 1, .high = INT_MAX, .value = "N", .help = "with --tokens word: words seen less often become <unk>" },
    { .name = "lowercase", .kind = FIELD_FLAG, .offset = offsetof(TextOptions, lowercase),
      .help = "lower-case all text" },
    { .name = NULL }
};

TextOptions text_defaults(void)
{
    return (TextOptions){ .tokens = TOKENS_BPE, .vocabulary = 8000, .min_frequency = 1 };
}

void ids_add(Ids *ids, int id)
{
    ids->id = grow(ids->id, &ids->capacity, ids->count + 1, sizeof *ids->id);
    ids->id[ids->count++] = id;
}

void ids_free(Ids *ids)
{
    free(ids->id);
    *ids = (Ids){ 0 };
}

/* ---- Lines to words, words to tokens ---- */

/* Splits one line; `normal` is scratch. */
static void split(const TextOptions *options, const char *line, size_t length, Buf *normal, Words *words)
{
    if (options->tokens == TOKENS_WORD) {
        words_split_textbook(line, length, options->lowercase, words);
        return;
    }
    buf_clear(normal);
    words_normalise(line, length, options->lowercase, normal);
    words_split(normal->text, normal->length, words);
}

/* The id of a piece of text, or -1; "<eos>" in a text is no <eos>. */
static int find(const Lexicon *vocabulary, const char *text, size_t length)
{
    int id = lexicon_find(vocabulary, text, length);
    return id < ID_SPECIALS ? -1 : id;
}

/* Appends a word as the ids of its characters, -1 for those that are unknown; returns how many. */
static int add_characters(const Lexicon *vocabulary, const char *word, size_t length, Ids *ids)
{
    size_t before = ids->count;
    for (const char *at = word; at < word + length;) {
        const char *character = at;
        unicode_next(&at);
        ids_add(ids, find(vocabulary, character, (size_t)(at - character)));
    }
    return (int)(ids->count - before);
}

/* Appends the ids of a word, -1 for what is unknown. */
static void encode_word(const Tokenizer *t, const char *word, size_t length, Ids *ids)
{
    if (t->options.tokens == TOKENS_WORD) {
        ids_add(ids, find(&t->vocabulary, word, length));
        return;
    }
    int count = add_characters(&t->vocabulary, word, length, ids);
    size_t start = ids->count - (size_t)count;
    ids->count = start + (size_t)bpe_apply(&t->bpe, ids->id + start, count);
}

void tokenizer_encode(const Tokenizer *t, const char *line, size_t length, Ids *ids)
{
    Buf normal = { 0 };
    Words words = { 0 };
    split(&t->options, line, length, &normal, &words);
    size_t start = ids->count, word_length;
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words_at(&words, i, &word_length);
        encode_word(t, word, word_length, ids);
    }
    for (size_t i = start; i < ids->count; i++)
        if (ids->id[i] < 0) ids->id[i] = ID_UNKNOWN;
    words_free(&words);
    buf_free(&normal);
}

void tokenizer_decode(const Tokenizer *t, const int *ids, size_t count, Buf *out)
{
    int whole_words = t->options.tokens == TOKENS_WORD;
    Buf pieces = { 0 };
    buf_clear(&pieces);
    for (size_t i = 0; i < count; i++) {
        if (ids[i] == ID_PAD || ids[i] == ID_BEGIN || ids[i] == ID_END) continue;
        if (whole_words && pieces.length) buf_putc(&pieces, ' ');
        buf_puts(&pieces, tokenizer_piece(t, ids[i]));
    }
    if (whole_words) buf_add(out, pieces.text, pieces.length);
    else words_join(pieces.text, pieces.length, out);
    buf_free(&pieces);
}

const TextOptions *tokenizer_options(const Tokenizer *t)
{
    return &t->options;
}

int tokenizer_size(const Tokenizer *t)
{
    return (int)t->vocabulary.count;
}

const char *tokenizer_piece(const Tokenizer *t, int id)
{
    return lexicon_text(&t->vocabulary, id);
}

void tokenizer_free(Tokenizer *t)
{
    if (!t) return;
    lexicon_free(&t->vocabulary);
    bpe_free(&t->bpe);
    free(t);
}

/* ---- Learning ---- */

static void count_words(const TextOptions *options, const char *const *lines, size_t count, Lexicon *seen)
{
    Buf normal = { 0 };
    Words words = { 0 };
    for (size_t line = 0; line < count; line++) {
        split(options, lines[line], strlen(lines[line]), &normal, &words);
        for (size_t i = 0, length; i < words.count; i++) {
            const char *word = words_at(&words, i, &length);
            lexicon_count(seen, word, length, 1);
        }
    }
    words_free(&words);
    buf_free(&normal);
}

static void count_characters(const Lexicon *words, Lexicon *seen)
{
    for (int word = 0; word < (int)words->count; word++) {
        const char *at = lexicon_text(words, word);
        for (const char *end = at + lexicon_length(words, word); at < end;) {
            const char *character = at;
            unicode_next(&at);
            lexicon_count(seen, character, (size_t)(at - character), words->tally[word]);
        }
    }
}

static size_t entry_limit(const TextOptions *options)
{
    return options->vocabulary ? (size_t)options->vocabulary : MOST_ENTRIES;
}

/* Fills the vocabulary with the most frequent of what was seen. */
static void add_most_common(Tokenizer *t, const Lexicon *seen, long least)
{
    int *order = lexicon_most_common(seen);
    for (size_t i = 0; i < seen->count && seen->tally[order[i]] >= least; i++) {
        if (t->vocabulary.count >= entry_limit(&t->options)) break;
        lexicon_add(&t->vocabulary, lexicon_text(seen, order[i]), lexicon_length(seen, order[i]));
    }
    free(order);
}

static void learn_merges(Tokenizer *t, const Lexicon *words)
{
    Ids ids = { 0 };
    size_t *start = xmalloc(words->count, sizeof *start);
    int *length = xmalloc(words->count, sizeof *length);
    for (int i = 0; i < (int)words->count; i++) {
        start[i] = ids.count;
        length[i] = add_characters(&t->vocabulary, lexicon_text(words, i), lexicon_length(words, i), &ids);
    }
    BpeText text = { ids.id, start, length, words->tally, words->count };
    bpe_learn(&t->bpe, &t->vocabulary, entry_limit(&t->options), &text);
    free(length);
    free(start);
    ids_free(&ids);
}

static Tokenizer *tokenizer_new(const TextOptions *options)
{
    Tokenizer *t = xcalloc(1, sizeof *t);
    t->options = *options;
    for (int id = 0; id < ID_SPECIALS; id++)
        lexicon_add(&t->vocabulary, specials[id], strlen(specials[id]));
    return t;
}

Tokenizer *tokenizer_learn(const TextOptions *options, const char *const *lines, size_t count)
{
    Tokenizer *t = tokenizer_new(options);
    Lexicon words = { 0 }, characters = { 0 };
    count_words(options, lines, count, &words);
    if (options->tokens == TOKENS_WORD) {
        add_most_common(t, &words, options->min_frequency);
    } else {
        count_characters(&words, &characters);
        add_most_common(t, &characters, 1);
    }
    if (options->tokens == TOKENS_BPE) learn_merges(t, &words);
    lexicon_free(&characters);
    lexicon_free(&words);
    return t;
}

/* ---- JSON: { "options": {...}, "pieces": ["<unk>", ...], "merges": ["left right", ...] } ---- */

cJSON *tokenizer_to_json(const Tokenizer *t)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddItemToObject(json, "options", fields_to_json(text_fields, &t->options));
    cJSON *pieces = cJSON_AddArrayToObject(json, "pieces"), *merges = cJSON_AddArrayToObject(json, "merges");
    for (int id = 0; id < tokenizer_size(t); id++)
        cJSON_AddItemToArray(pieces, cJSON_CreateString(tokenizer_piece(t, id)));
    Buf merge = { 0 };
    for (size_t rank = 0; rank < bpe_count(&t->bpe); rank++) {
        Pair pair = bpe_pair(&t->bpe, rank);
        buf_clear(&merge);
        buf_printf(&merge, "%s %s", tokenizer_piece(t, pair.left), tokenizer_piece(t, pair.right));
        cJSON_AddItemToArray(merges, cJSON_CreateString(merge.text));
    }
    buf_free(&merge);
    return json;
}

/* Whether a piece may stand in a vocabulary: text that can be written into a line and found there again. (The textbook
 * cuts at U+0020 only, so its words may hold other blanks.) */
static int is_printable(const char *piece)
{
    if (!*piece || !unicode_valid(piece, strlen(piece))) return 0;
    while (*piece) {
        int32_t point = unicode_next(&piece);
        if (point == ' ' || unicode_is_control(point)) return 0;
    }
    return 1;
}

static int load_piece(Tokenizer *t, int id, const char *piece, Err *e)
{
    if (id >= MOST_ENTRIES) return err(e, "pieces: more than %d entries", MOST_ENTRIES);
    if (!piece || !is_printable(piece)) return err(e, "pieces: entry %d is not a word or a part of one", id);
    if (lexicon_add(&t->vocabulary, piece, strlen(piece)) == id) return 0;
    return id < ID_SPECIALS ? err(e, "pieces: entry %d is '%.60s', not the special token '%s'", id, piece, specials[id])
                            : err(e, "pieces: entry %d, '%.60s', occurs twice", id, piece);
}

static int load_pieces(Tokenizer *t, const cJSON *pieces, Err *e)
{
    int id = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, pieces)
        if (load_piece(t, id++, cJSON_GetStringValue(item), e)) return -1;
    return id < ID_SPECIALS ? err(e, "pieces: only %d entries; the first %d are special tokens", id, ID_SPECIALS) : 0;
}

static int load_merge(Tokenizer *t, const char *merge, Err *e)
{
    const char *blank = merge ? strchr(merge, ' ') : NULL;
    if (!blank) return err(e, "merges: entry %zu is not of the form 'left right'", bpe_count(&t->bpe));
    const char *right = blank + 1;
    size_t left_length = (size_t)(blank - merge), right_length = strlen(right);
    Buf whole = { 0 };
    buf_add(&whole, merge, left_length);
    buf_add(&whole, right, right_length);
    Pair pair = { find(&t->vocabulary, merge, left_length), find(&t->vocabulary, right, right_length) };
    int product = find(&t->vocabulary, whole.text, whole.length);
    buf_free(&whole);
    if (pair.left < 0 || pair.right < 0 || product < 0)
        return err(e, "merges: '%.60s' has a part that is not among the pieces", merge);
    return bpe_add(&t->bpe, pair, product) ? err(e, "merges: '%.60s' occurs twice", merge) : 0;
}

static int load(Tokenizer *t, const cJSON *json, Err *e)
{
    const cJSON *options, *pieces, *merges, *item;
    if (json_get_object(json, "options", &options, e) || json_get_array(json, "pieces", &pieces, e) ||
        json_get_array(json, "merges", &merges, e) || fields_from_json(text_fields, &t->options, options, e) ||
        load_pieces(t, pieces, e)) return -1;
    cJSON_ArrayForEach(item, merges)
        if (load_merge(t, cJSON_GetStringValue(item), e)) return -1;
    return 0;
}

Tokenizer *tokenizer_from_json(const cJSON *json, Err *e)
{
    TextOptions options = text_defaults();
    Tokenizer *t = tokenizer_new(&options);
    if (load(t, json, e) == 0) return t;
    tokenizer_free(t);
    return NULL;
}
