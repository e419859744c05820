/* text_options.c - what a user may choose about text, and the JSON of a tokenizer, which a model file holds:
 *
 *     { "options": {...}, "pieces": ["<unk>", ...], "merges": ["left right", ...], "preparation": "opus-mt" }
 *
 * The last is left out where there is none. The SentencePiece model of a segmenter is no JSON: model/file/model_load.c has it.
 */
#include "text/tokenizer/tokenizer.h"

#include "base/mem.h"
#include "text/copies.h"
#include "text/unicode.h"

#include <limits.h>
#include <math.h>
#include <string.h>

const char *const special_pieces[ID_SPECIALS] = { "<unk>", "<pad>", "<bos>", "<eos>" };
static const char *const kinds[] = { "bpe", "word", "char", "symbol", "sentencepiece", "whitespace", NULL };
static const char *const preparations[PREPARATIONS] = { "none", "opus-mt" };

const Field text_fields[] = {
    { .group = "Text", .name = "tokens", .kind = FIELD_CHOICE,
      .offset = offsetof(TextOptions, tokens), .choices = kinds, .value = "KIND",
      .automatic = 1,
      .help = "subwords (bpe), word, char, frequent words whole and others as characters (symbol), "
              "all between blanks (whitespace), sentencepiece; auto: symbol for sequences that are no "
              "sentences, else bpe",
      .common = 1 },
    { .name = "vocabulary", .kind = FIELD_INT, .offset = offsetof(TextOptions, vocabulary),
      .low = 0, .high = VOCABULARY_MOST, .value = "N",
      .help = "largest vocabulary; 0: by the number of pairs (bpe), or no limit" },
    { .name = "min-frequency", .kind = FIELD_INT, .offset = offsetof(TextOptions, min_frequency),
      .low = 1, .high = INT_MAX, .value = "N",
      .help = "with --tokens word: rarer words become <unk>" },
    { .name = "lowercase", .kind = FIELD_FLAG, .offset = offsetof(TextOptions, lowercase),
      .help = "lower-case all text, also the output; --truecase brings capitals back" },
    { .name = "shared-vocabulary", .kind = FIELD_FLAG, .offset = offsetof(TextOptions, shared),
      .automatic = 1,
      .help = "one vocabulary for both languages; auto: for subwords, and with --tie all" },
    { .name = "truecase", .kind = FIELD_FLAG, .offset = offsetof(TextOptions, truecase),
      .automatic = 1,
      .help = "learn each word in its usual case and give the output the case of the input; auto: "
              "for subwords and characters without --lowercase" },
    { .name = "placeholders", .kind = FIELD_FLAG, .offset = offsetof(TextOptions, placeholders),
      .automatic = 1,
      .help = "copy numbers, unknown names, addresses and code from the source; auto: for subwords "
              "and characters" },
    { .name = "from", .alias = "source-lang", .kind = FIELD_WORD, .offset = offsetof(TextOptions, from),
      .value = "LANG",
      .help = "language of the source, a tag of BCP 47: en, pt-BR, zh-Hant; capitals and small "
              "letters are those of the language" },
    { .name = "to", .alias = "target-lang", .kind = FIELD_WORD, .offset = offsetof(TextOptions, to),
      .value = "LANG",
      .help = "language of the target" },
    { .name = NULL }
};

TextOptions text_defaults(void)
{
    return (TextOptions){ .tokens = TOKENS_BPE, .min_frequency = 1 };
}

int text_language(const char *option, char tag[FIELD_WORD_BYTES], Err *e)
{
    char usual[LANGUAGE_BYTES];
    if (!*tag) return 0;
    if (unicode_language(tag, usual))
        return err(e, "--%s: '%s' is no language tag; write its code in ISO 639, as in en, pt-BR, zh-Hant", option, tag);
    strncpy(tag, usual, FIELD_WORD_BYTES);
    return 0;
}

int text_languages(TextOptions *options, Err *e)
{
    return text_language("from", options->from, e) || text_language("to", options->to, e) ? -1 : 0;
}

int text_is_same(const TextOptions *one, const TextOptions *other)
{
    return one->tokens == other->tokens && one->lowercase == other->lowercase
        && one->truecase == other->truecase && one->placeholders == other->placeholders;
}

int text_needs_lexicon(const TextOptions *options)
{
    return options->truecase || options->placeholders;
}

int text_is_plain(const TextOptions *options)
{
    return options->tokens == TOKENS_SENTENCEPIECE || options->tokens == TOKENS_WHITESPACE;
}

int text_has_words(const TextOptions *options)
{
    return options->tokens == TOKENS_WORD || options->tokens == TOKENS_WHITESPACE;
}

int text_vocabulary(const TextOptions *options, double pairs)
{
    enum { STEP = 500, LEAST = 8000, LARGEST = 16000 };
    if (options->vocabulary || options->tokens != TOKENS_BPE) return options->vocabulary;
    double entries = round(35 * sqrt(pairs) / STEP) * STEP;
    return (int)fmin(fmax(entries, LEAST), LARGEST);
}

/* ---- JSON ---- */

cJSON *tokenizer_to_json(const Tokenizer *t)
{
    const Merges *m = &t->merges;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddItemToObject(json, "options", fields_to_json(text_fields, &t->options));
    cJSON *pieces = cJSON_AddArrayToObject(json, "pieces");
    cJSON *merges = cJSON_AddArrayToObject(json, "merges");
    for (int id = 0; id < tokenizer_size(t); id++)
        cJSON_AddItemToArray(pieces, cJSON_CreateString(tokenizer_piece(t, id)));
    SCOPED(buf_free) Buf merge = { 0 };
    for (size_t rank = 0; rank < m->pairs.count; rank++) {
        const Pair pair = merges_pair(m, rank);
        buf_clear(&merge);
        buf_printf(&merge, "%s %s", string_table_text(&m->symbols, pair.left), string_table_text(&m->symbols, pair.right));
        cJSON_AddItemToArray(merges, cJSON_CreateString(merge.text));
    }
    if (t->preparation) cJSON_AddStringToObject(json, "preparation", preparations[t->preparation]);
    return json;
}

/* ---- Loading ---- */

static int is_piece_text(const char *piece, int is_plain)
{
    return piece && *piece && (is_plain ? unicode_valid(piece, strlen(piece)) : symbol_valid(slice_of(piece)));
}

static int load_pieces(StringTable *vocabulary, int is_plain, const cJSON *pieces, Err *e)
{
    int id = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, pieces) {
        const char *piece = cJSON_GetStringValue(item);
        if (id >= VOCABULARY_MOST) return err(e, "pieces: more than %d entries", VOCABULARY_MOST);
        if (!is_piece_text(piece, is_plain))
            return err(e, "pieces: entry %d is not a word or a part of one", id);
        if (id < ID_SPECIALS && strcmp(piece, special_pieces[id]))
            return err(e, "pieces: entry %d is '%.60s', not the special token '%s'", id, piece, special_pieces[id]);
        if (string_table_add(vocabulary, slice_of(piece)) != id)
            return err(e, "pieces: entry %d, '%.60s', occurs twice", id, piece);
        id++;
    }
    if (id >= ID_SPECIALS) return 0;
    return err(e, "pieces: only %d of them; the first %d are special tokens", id, ID_SPECIALS);
}

static int check_placeholders(const StringTable *vocabulary, Err *e)
{
    for (int k = 0; k < PLACEHOLDERS; k++) {
        const char *piece = placeholder_piece(k);
        if (string_table_find(vocabulary, slice_of(piece)) != ID_SPECIALS + k)
            return err(e, "pieces: entry %d is not the placeholder '%s'", ID_SPECIALS + k, piece);
    }
    return 0;
}

static int is_piece(const StringTable *vocabulary, const StringTable *symbols, int symbol)
{
    return string_table_find(vocabulary, string_table_at(symbols, symbol)) >= ID_SPECIALS;
}

static int load_preparation(Tokenizer *t, const cJSON *json, Err *e)
{
    const char *name;
    if (!cJSON_GetObjectItemCaseSensitive(json, "preparation")) return 0;
    if (json_get_string(json, "preparation", &name, e)) return -1;
    while (t->preparation < PREPARATIONS && strcmp(name, preparations[t->preparation]))
        t->preparation++;
    return t->preparation < PREPARATIONS ? 0 : err(e, "preparation: '%.60s' is not known", name);
}

/* Symbols of merges are in the vocabulary. */
static int load_merge(Merges *merges, const StringTable *vocabulary, const char *merge, Err *e)
{
    const char *blank = merge ? strchr(merge, ' ') : NULL;
    const size_t rank = merges->pairs.count;
    if (!blank || !symbol_valid(slice_between(merge, blank)) || !symbol_valid(slice_of(blank + 1)))
        return err(e, "merges: entry %zu is not of the form 'left right'", rank);
    if (merges_add_text(merges, slice_between(merge, blank), slice_of(blank + 1)))
        return err(e, "merges: '%.60s' occurs twice", merge);
    const Pair pair = merges_pair(merges, rank);
    if (is_piece(vocabulary, &merges->symbols, pair.left) && is_piece(vocabulary, &merges->symbols, pair.right)
        && is_piece(vocabulary, &merges->symbols, merges->product[rank]))
        return 0;
    return err(e, "merges: '%.60s' has a part that is not among the pieces", merge);
}

static int load(Tokenizer *t, const cJSON *json, Err *e)
{
    const cJSON *fields, *pieces, *pairs, *item;
    if (json_get_object(json, "options", &fields, e) || json_get_array(json, "pieces", &pieces, e)
        || json_get_array(json, "merges", &pairs, e)
        || fields_from_json(text_fields, &t->options, fields, e) || load_pieces(&t->vocabulary, text_is_plain(&t->options), pieces, e)
        || load_preparation(t, json, e)
        || (t->options.placeholders && check_placeholders(&t->vocabulary, e)))
        return -1;
    if (cJSON_GetArraySize(pairs) && t->options.tokens != TOKENS_BPE)
        return err(e, "merges: only a tokenizer of kind bpe has some");
    cJSON_ArrayForEach(item, pairs)
        if (load_merge(&t->merges, &t->vocabulary, cJSON_GetStringValue(item), e)) return -1;
    return 0;
}

Tokenizer *tokenizer_from_json(const cJSON *json, Err *e)
{
    Tokenizer *t = xcalloc(1, sizeof *t);
    t->options = text_defaults();
    if (!load(t, json, e)) return t;
    tokenizer_free(t);
    return NULL;
}
