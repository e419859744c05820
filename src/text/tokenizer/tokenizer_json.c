/* tokenizer_json.c - the JSON of a tokenizer, which a model file holds:
 *
 *     { "options": {...}, "pieces": ["<unk>", ...], "merges": ["left right", ...],
 *       "word_end": "none" }
 *
 * "word_end" is the WordEnd of merges.h; without it, "none".
 */
#include "text/tokenizer/tokenizer.h"

#include "text/copies.h"

#include <string.h>

static const char *const word_ends[WORD_END_KINDS] = { "none", "separate", "attached" };

cJSON *tokenizer_to_json(const Tokenizer *t)
{
    const Merges *m = tokenizer_merges(t);
    cJSON *json = cJSON_CreateObject();
    cJSON_AddItemToObject(json, "options", fields_to_json(text_fields, tokenizer_options(t)));
    cJSON *pieces = cJSON_AddArrayToObject(json, "pieces");
    cJSON *merges = cJSON_AddArrayToObject(json, "merges");
    for (int id = 0; id < tokenizer_size(t); id++)
        cJSON_AddItemToArray(pieces, cJSON_CreateString(tokenizer_piece(t, id)));
    Buf merge = { 0 };
    for (size_t rank = 0; rank < m->pairs.count; rank++) {
        buf_clear(&merge);
        merges_line(m, rank, &merge);
        cJSON_AddItemToArray(merges, cJSON_CreateString(merge.text));
    }
    buf_free(&merge);
    cJSON_AddStringToObject(json, "word_end", word_ends[m->end]);
    return json;
}

/* ---- Loading ---- */

static int load_piece(StringTable *vocabulary, int id, const char *piece, Err *e)
{
    if (id >= VOCABULARY_MOST) return err(e, "pieces: more than %d entries", VOCABULARY_MOST);
    if (!piece || !symbol_valid(piece, strlen(piece)))
        return err(e, "pieces: entry %d is not a word or a part of one", id);
    if (id < ID_SPECIALS && strcmp(piece, special_pieces[id]))
        return err(e, "pieces: entry %d is '%.60s', not the special token '%s'", id, piece,
                   special_pieces[id]);
    if (string_table_add(vocabulary, piece, strlen(piece)) == id) return 0;
    return err(e, "pieces: entry %d, '%.60s', occurs twice", id, piece);
}

static int load_pieces(StringTable *vocabulary, const cJSON *pieces, Err *e)
{
    int id = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, pieces)
        if (load_piece(vocabulary, id++, cJSON_GetStringValue(item), e)) return -1;
    if (id >= ID_SPECIALS) return 0;
    return err(e, "pieces: only %d of them; the first %d are special tokens", id, ID_SPECIALS);
}

static int check_placeholders(const StringTable *vocabulary, Err *e)
{
    for (int k = 0; k < PLACEHOLDERS; k++) {
        const char *piece = placeholder_piece(k);
        if (string_table_find(vocabulary, piece, strlen(piece)) != ID_SPECIALS + k)
            return err(e, "pieces: entry %d is not the placeholder '%s'", ID_SPECIALS + k, piece);
    }
    return 0;
}

static int load_word_end(Merges *merges, const cJSON *json, Err *e)
{
    const char *text;
    if (!cJSON_HasObjectItem(json, "word_end")) return 0;
    if (json_get_string(json, "word_end", &text, e)) return -1;
    for (WordEnd end = WORD_END_NONE; end < WORD_END_KINDS; end++)
        if (!strcmp(text, word_ends[end])) {
            merges->end = end;
            return 0;
        }
    return err(e, "word_end: '%.60s' is none of none, separate, attached", text);
}

static int is_piece(const StringTable *vocabulary, const StringTable *symbols, int symbol)
{
    return string_table_find(vocabulary, string_table_text(symbols, symbol),
                             string_table_length(symbols, symbol)) >= ID_SPECIALS;
}

/* Symbols of learned merges are in the vocabulary; those of imported merges need not be. */
static int check_parts(const Merges *merges, const StringTable *vocabulary, const char *merge,
                       Err *e)
{
    size_t rank = merges->pairs.count - 1;
    Pair pair = merges_pair(merges, rank);
    if (merges->end != WORD_END_NONE) return 0;
    if (is_piece(vocabulary, &merges->symbols, pair.left)
        && is_piece(vocabulary, &merges->symbols, pair.right)
        && is_piece(vocabulary, &merges->symbols, merges->product[rank]))
        return 0;
    return err(e, "merges: '%.60s' has a part that is not among the pieces", merge);
}

static int load_merge(Merges *merges, const StringTable *vocabulary, const char *merge, Err *e)
{
    const char *blank = merge ? strchr(merge, ' ') : NULL, *right = blank ? blank + 1 : NULL;
    if (!blank || !symbol_valid(merge, (size_t)(blank - merge))
        || !symbol_valid(right, strlen(right)))
        return err(e, "merges: entry %zu is not of the form 'left right'", merges->pairs.count);
    if (merges_add_text(merges, merge, (size_t)(blank - merge), right, strlen(right)))
        return err(e, "merges: '%.60s' occurs twice", merge);
    return check_parts(merges, vocabulary, merge, e);
}

static int load(TextOptions *options, StringTable *vocabulary, Merges *merges, const cJSON *json,
                Err *e)
{
    const cJSON *fields, *pieces, *pairs, *item;
    if (json_get_object(json, "options", &fields, e) || json_get_array(json, "pieces", &pieces, e)
        || json_get_array(json, "merges", &pairs, e)
        || fields_from_json(text_fields, options, fields, e) || load_pieces(vocabulary, pieces, e)
        || (options->placeholders && check_placeholders(vocabulary, e))
        || load_word_end(merges, json, e))
        return -1;
    if (cJSON_GetArraySize(pairs) && options->tokens != TOKENS_BPE)
        return err(e, "merges: only a tokenizer of kind bpe has some");
    cJSON_ArrayForEach(item, pairs)
        if (load_merge(merges, vocabulary, cJSON_GetStringValue(item), e)) return -1;
    return 0;
}

Tokenizer *tokenizer_from_json(const cJSON *json, Err *e)
{
    TextOptions options = text_defaults();
    StringTable vocabulary = { 0 };
    Merges merges = { 0 };
    if (load(&options, &vocabulary, &merges, json, e) == 0)
        return tokenizer_new(&options, &vocabulary, &merges);
    string_table_free(&vocabulary);
    merges_free(&merges);
    return NULL;
}
