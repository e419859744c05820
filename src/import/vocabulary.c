/* vocabulary.c - reads the tokens of a foreign network, and orders them as attn does. */
#include "import/vocabulary.h"

#include "base/mem.h"
#include "base/strings.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* ---- The tokens of a file ---- */

static void add(Vocabulary *v, Slice text, int id)
{
    v->token = grow(v->token, &v->capacity, v->count + 1, sizeof *v->token);
    v->token[v->count++] = (Token){ region_strndup(&v->memory, text.text, text.length), id };
}

static int refuse_id(const char *token, Err *e)
{
    return err(e, "the number of the token '%.60s' is none from 0 to %d", token,
               VOCABULARY_MOST - 1);
}

static int read_yaml(Vocabulary *v, const YamlMap *yaml, Err *e)
{
    for (size_t i = 0; i < yaml->count; i++) {
        const YamlEntry *entry = &yaml->entry[i];
        char *end;
        const unsigned long id = strtoul(entry->value.text, &end, 10);
        if (!isdigit((unsigned char)*entry->value.text) || *end || id >= VOCABULARY_MOST
            || entry->item >= 0)
            return refuse_id(entry->key.text, e);
        add(v, entry->key, (int)id);
    }
    return 0;
}

static int read_json(Vocabulary *v, const cJSON *json, Err *e)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, json) {
        const double id = item->valuedouble;
        if (cJSON_IsArray(json) && cJSON_IsString(item) && v->count < VOCABULARY_MOST)
            add(v, slice_of(item->valuestring), (int)v->count);
        else if (cJSON_IsObject(json) && cJSON_IsNumber(item) && id >= 0 && id < VOCABULARY_MOST
                 && id == floor(id))
            add(v, slice_of(item->string), (int)id);
        else return refuse_id(item->string ? item->string : "", e);
    }
    return 0;
}

static int read_lines(Vocabulary *v, Slice text, Err *e)
{
    const char *at = text.text, *end = at + text.length;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const char *next = stop ? stop + 1 : end;
        if (!stop) stop = end;
        if (stop > at && stop[-1] == '\r') stop--;
        if (v->count == VOCABULARY_MOST) return err(e, "has more than %d lines", VOCABULARY_MOST);
        if (memchr(at, '\0', (size_t)(stop - at)))
            return err(e, "line %zu has a NUL byte", v->count + 1);
        add(v, slice_between(at, stop), (int)v->count);
        at = next;
    }
    return 0;
}

static int read_sentencepiece(Vocabulary *v, Slice bytes, Err *e)
{
    SentencePiece *s = sentencepiece_new(bytes.text, bytes.length, e);
    if (!s) return -1;
    for (int id = 0; id < sentencepiece_size(s); id++)
        add(v, slice_of(sentencepiece_piece(s, id)), id);
    sentencepiece_free(s);
    return 0;
}

int vocabulary_is(const PackageFile *file)
{
    if (cJSON_IsArray(file->json)) return cJSON_IsString(file->json->child);
    return cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(file->json, "</s>"))
           || yamlmap_text(&file->yaml, "</s>") || yamlmap_text(&file->yaml, "eos");
}

/* ---- Special tokens ---- */

static int find_token(const Vocabulary *v, const char *text)
{
    for (size_t i = 0; i < v->count; i++)
        if (!strcmp(v->token[i].text, text)) return v->token[i].id;
    return -1;
}

static void find_special(Vocabulary *v)
{
    static const char *const names[ID_SPECIALS][2] = {
        { "<unk>", "UNK" }, { "<pad>", "<blank>" }, { "<s>", "<s>" }, { "</s>", "eos" }
    };
    for (int k = 0; k < ID_SPECIALS; k++) {
        v->special[k] = find_token(v, names[k][0]);
        if (v->special[k] < 0) v->special[k] = find_token(v, names[k][1]);
    }
}

void vocabulary_name(Vocabulary *v, int special, const char *text)
{
    const int id = text ? find_token(v, text) : -1;
    if (id >= 0) v->special[special] = id;
}

void vocabulary_start(Vocabulary *v, const char *text)
{
    const int id = text ? find_token(v, text) : -1;
    if (id >= 0 && id == v->special[ID_EOS]) v->rows.start = id;
    else if (id >= 0) v->special[ID_BOS] = id;
}

static int compare_ids(const void *a, const void *b)
{
    const int x = ((const Token *)a)->id, y = ((const Token *)b)->id;
    return (x > y) - (x < y);
}

static int check_ids(Vocabulary *v, Err *e)
{
    if (!v->count) return err(e, "has no tokens");
    qsort(v->token, v->count, sizeof *v->token, compare_ids);
    for (size_t i = 1; i < v->count; i++)
        if (v->token[i].id == v->token[i - 1].id)
            return err(e, "the tokens '%.60s' and '%.60s' have one number, %d",
                       v->token[i - 1].text, v->token[i].text, v->token[i].id);
    return 0;
}

/* Reads a file, and finds the special tokens by their usual names. */
static int read_file(Vocabulary *v, const PackageFile *file, Err *e)
{
    Err why;
    v->file = file;
    v->rows.start = -1;
    if ((file->json ? read_json(v, file->json, &why)
         : file->yaml.count ? read_yaml(v, &file->yaml, &why)
         : file->kind == FILE_VOCABULARY ? read_lines(v, file->bytes, &why)
         : read_sentencepiece(v, file->bytes, &why))
        || check_ids(v, &why))
        return err(e, "%s: %s", file->path, why.text);
    find_special(v);
    if (v->special[ID_EOS] >= 0) return 0;
    return err(e, "%s: the token </s>, which ends a sentence, is not among its %zu tokens",
               file->path, v->count);
}

/* ---- The order of attn ---- */

static int is_special(const Vocabulary *v, int id)
{
    for (int k = 0; k < ID_SPECIALS; k++)
        if (v->special[k] == id) return 1;
    return 0;
}

/* Sets the order of attn for a network whose matrices have so many rows. What has a token and no
 * row is refused, but <pad>: some files have it though the network has not. Rows without a token
 * are left out. */
static int order(Vocabulary *v, size_t rows, Err *e)
{
    enum { PADDING = 8 };               /* rows are a multiple of it in some networks */
    VocabularyRows *r = &v->rows;
    if (v->file->kind == FILE_SENTENCEPIECE && rows >= v->count + PADDING)
        return err(e, "%s: has %zu pieces, and the network %zu rows: its vocabulary is another "
                      "file, such as vocab.yml; name it, too", v->file->path, v->count, rows);
    v->piece = region_take(&v->memory, v->count, sizeof *v->piece);
    r->row = region_take(&v->memory, v->count + ID_SPECIALS, sizeof *r->row);
    /* CTranslate2 has a row for <unk> behind those of its lists */
    if (v->special[ID_UNK] < 0 && (size_t)v->token[v->count - 1].id + 2 == rows)
        v->special[ID_UNK] = (int)rows - 1;
    if (v->special[ID_PAD] >= 0 && (size_t)v->special[ID_PAD] >= rows) v->special[ID_PAD] = -1;
    for (r->count = 0; r->count < ID_SPECIALS; r->count++)
        r->row[r->count] = v->special[r->count];
    if (r->start >= 0) r->row[ID_BOS] = -1;
    for (size_t i = 0; i < v->count; i++) {
        const Token *t = &v->token[i];
        if (is_special(v, t->id) || !strcmp(t->text, "<pad>")) continue;
        if ((size_t)t->id >= rows)
            return err(e, "%s: has a token with the number %d, and the network only %zu rows: it "
                          "is another model's vocabulary", v->file->path, t->id, rows);
        v->piece[r->count - ID_SPECIALS] = t->text;
        r->row[r->count++] = t->id;
    }
    return 0;
}

/* ---- Both sides ---- */

int vocabularies_read(Vocabularies *v, const Package *package, Err *e)
{
    const FileKind kind = package_side(package, FILE_VOCABULARY, 0) ? FILE_VOCABULARY
                                                                    : FILE_SENTENCEPIECE;
    const PackageFile *source = package_side(package, kind, 0);
    const PackageFile *target = package_side(package, kind, 1);
    if (!source)
        return err(e, "%s: its vocabularies are missing; name them, too: files .spm, .yml, .json "
                      "or .txt, the source's first", package->file[0].path);
    v->is_shared = source == target;
    v->side[SIDE_SOURCE] = &v->own[SIDE_SOURCE];
    v->side[SIDE_TARGET] = &v->own[v->is_shared ? SIDE_SOURCE : SIDE_TARGET];
    if (read_file(v->side[SIDE_SOURCE], source, e)) return -1;
    return v->is_shared ? 0 : read_file(v->side[SIDE_TARGET], target, e);
}

/* Whether pieces of SentencePiece are among the tokens. */
static int has_marks(const Vocabulary *v)
{
    size_t marks = 0;
    for (size_t i = 0; i < v->count; i++)
        marks += !strncmp(v->token[i].text, WORD_MARK, WORD_MARK_LENGTH);
    return marks > v->count / 20;
}

/* ---- Vocabularies of characters ---- */

static int are_characters(const Vocabulary *v)
{
    int32_t point;
    for (size_t i = 0; i < v->count; i++)
        if (!is_special(v, v->token[i].id)
            && utf8_decode(v->token[i].text, SIZE_MAX, &point) != strlen(v->token[i].text))
            return 0;
    return 1;
}

/* A SentencePiece model (sentencepiece_model.proto) of the characters, which changes no line: a
 * token is a piece without a score, and <unk> comes first. */
static SentencePiece *characters_of(const Vocabulary *v, Err *e)
{
    static const char unknown[] = "\x0A\x09\x0A\5<unk>\x18\2";
    static const char normaliser[] = "\x1A\x0C\x0A\x08identity\x18";      /* no dummy prefix */
    SCOPED(buf_free) Buf model = { 0 };
    buf_add(&model, unknown, sizeof unknown - 1);
    for (size_t i = 0; i < v->count; i++) {
        const char *text = v->token[i].text;
        const int length = (int)strlen(text);
        if (!is_special(v, v->token[i].id))
            buf_printf(&model, "\x0A%c\x0A%c%s", length + 2, length, text);
    }
    buf_add(&model, normaliser, sizeof normaliser);
    return sentencepiece_new(model.text, model.length, e);
}

/* ---- Tokenizers ---- */

static Tokenizer *tokenizer_of(const Vocabulary *v, const PackageFile *spm, int preparation,
                               const TextOptions *options, Err *e)
{
    Err why;
    SentencePiece *segmenter = NULL;
    const PackageFile *file = spm ? spm : v->file;
    if (spm) segmenter = sentencepiece_new(spm->bytes.text, spm->bytes.length, &why);
    else if (options->tokens == TOKENS_SENTENCEPIECE) segmenter = characters_of(v, &why);
    if (!segmenter && options->tokens == TOKENS_SENTENCEPIECE) {
        err(e, "%s: %s", file->path, why.text);
        return NULL;
    }
    if (!spm && has_marks(v)) {
        err(e, "%s: has pieces of SentencePiece; name the model that makes them, too: source.spm "
               "and target.spm, or sentencepiece.model", v->file->path);
        return NULL;
    }
    Tokenizer *t = tokenizer_of_pieces(options, segmenter, v->piece,
                                       (size_t)v->rows.count - ID_SPECIALS, &why);
    if (t) t->preparation = preparation;
    else err(e, "%s: %s", v->file->path, why.text);
    return t;
}

int vocabularies_tokenizers(Vocabularies *v, const size_t rows[2], const Package *package,
                            Model *model, Err *e)
{
    Tokenizer **tokenizer[] = { &model->source, &model->target };
    const PackageFile *spm[] = { package_side(package, FILE_SENTENCEPIECE, 0),
                                 package_side(package, FILE_SENTENCEPIECE, 1) };
    const int is_cut = spm[0] || (are_characters(v->side[0]) && are_characters(v->side[1]));
    model->text.tokens = is_cut ? TOKENS_SENTENCEPIECE : TOKENS_WHITESPACE;
    model->text.shared = v->is_shared;
    for (int side = 0; side < 2; side++) {
        if ((!side || !v->is_shared) && order(v->side[side], rows[side], e)) return -1;
        if (side && v->is_shared && spm[0] == spm[1]) model->target = model->source;
        else *tokenizer[side] = tokenizer_of(v->side[side], spm[side], v->preparation,
                                             &model->text, e);
        if (!*tokenizer[side]) return -1;
    }
    return 0;
}

void vocabularies_free(Vocabularies *v)
{
    for (int side = 0; side < 2; side++) {
        xfree(v->own[side].token);
        region_free(&v->own[side].memory);
    }
    *v = (Vocabularies){ 0 };
}
