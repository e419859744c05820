/* plain.c - see plain.h; and tokenizers for networks that were made elsewhere. */
#include "text/tokenizer/plain.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <stdio.h>
#include <string.h>

/* ---- Tokens that ask for a language: >>fra<< ---- */

enum { LANGUAGE_MARK = 2 };         /* bytes of >> and << */

size_t language_length(Slice text)
{
    size_t i = LANGUAGE_MARK;
    if (text.length < LANGUAGE_MARK || strncmp(text.text, ">>", LANGUAGE_MARK)) return 0;
    while (i < text.length && i < LANGUAGE_MARK + LANGUAGE_BYTES && !strchr(" \t<>", text.text[i]))
        i++;
    if (i == LANGUAGE_MARK || i + LANGUAGE_MARK > text.length
        || strncmp(text.text + i, "<<", LANGUAGE_MARK))
        return 0;
    return i + LANGUAGE_MARK;
}

/* The language of a token; empty: it asks for none. */
static Slice language_of(const Tokenizer *t, int id)
{
    const Slice piece = string_table_at(&t->vocabulary, id);
    const size_t length = language_length(piece);
    if (!length || length < piece.length) return (Slice){ "", 0 };
    return (Slice){ piece.text + LANGUAGE_MARK, length - 2 * LANGUAGE_MARK };
}

/* The usual form of a tag, or the tag where it has none. */
static void usual_tag(Slice language, char usual[LANGUAGE_BYTES + 1])
{
    char tag[LANGUAGE_BYTES + 1];
    snprintf(tag, sizeof tag, "%.*s", (int)language.length, language.text);
    if (unicode_language(tag, usual)) memcpy(usual, tag, sizeof tag);
}

int tokenizer_language(const Tokenizer *t, Slice language)
{
    char wanted[LANGUAGE_BYTES + 1], usual[LANGUAGE_BYTES + 1];
    int found = 0;
    usual_tag(language, wanted);
    for (int id = ID_SPECIALS; id < tokenizer_size(t); id++) {
        const Slice known = language_of(t, id);
        if (!known.length) continue;
        if (slices_equal(known, language)) return id;
        usual_tag(known, usual);
        if (!found && !strcmp(usual, wanted)) found = id;
    }
    return found;
}

void tokenizer_languages(const Tokenizer *t, Buf *out)
{
    for (int id = ID_SPECIALS; id < tokenizer_size(t); id++) {
        const Slice language = language_of(t, id);
        if (!language.length) continue;
        if (out->length) buf_putc(out, ' ');
        buf_add(out, language.text, language.length);
    }
}

/* ---- Lines to words ---- */

/* Moses' replace-unicode-punctuation.perl. The digit one becomes a quotation mark there, and so it
 * was in the texts that the models learned. */
static const char *const opus_marks[][2] = {
    { "，", "," }, { "。", ". " }, { "、", "," },  { "”", "\"" },  { "“", "\"" },  { "∶", ":" },
    { "：", ":" }, { "？", "?" },  { "《", "\"" }, { "》", "\"" }, { "）", ")" },  { "！", "!" },
    { "（", "(" }, { "；", ";" },  { "１", "\"" }, { "」", "\"" }, { "「", "\"" }, { "０", "0" },
    { "３", "3" }, { "２", "2" },  { "５", "5" },  { "６", "6" },  { "９", "9" },  { "７", "7" },
    { "８", "8" }, { "４", "4" },  { "．", ". " }, { "～", "~" },  { "’", "'" },   { "…", "..." },
    { "━", "-" },  { "〈", "<" },  { "〉", ">" },  { "【", "[" },  { "】", "]" },  { "％", "%" },
};

static const char *opus_mark(Slice character)
{
    for (size_t i = 0; i < sizeof opus_marks / sizeof *opus_marks; i++)
        if (slices_equal(character, slice_of(opus_marks[i][0]))) return opus_marks[i][1];
    return NULL;
}

void plain_prepare_opus(const char *line, size_t length, Buf *out)
{
    const size_t start = out->length;
    for (const char *at = line, *end = line + length; at < end;) {
        const int32_t point = unicode_at(at);
        const Slice character = unicode_character(&at);
        const char *mark = point < 0x80 ? NULL : opus_mark(character);
        const Slice text = mark ? slice_of(mark)
                         : unicode_is_other(point) ? slice_of(" ") : character;
        const int is_behind_blank = out->length == start || out->text[out->length - 1] == ' ';
        if (*text.text != ' ' || !is_behind_blank) buf_add(out, text.text, text.length);
    }
    if (out->length > start && out->text[out->length - 1] == ' ') out->text[--out->length] = '\0';
}

static void split_blanks(const char *line, size_t length, Words *words)
{
    for (const char *at = line, *end = line + length; at < end; at++) {
        const char *word = at;
        while (at < end && *at != ' ' && *at != '\t') at++;
        if (at > word) words_add(words, slice_between(word, at));
    }
}

void plain_split(const Tokenizer *t, const char *line, size_t length, Words *words)
{
    words_clear(words);
    if (t->options.tokens == TOKENS_WHITESPACE) {
        split_blanks(line, length, words);
        return;
    }
    const Slice language = { line, language_length((Slice){ line, length }) };
    SCOPED(buf_free) Buf text = { 0 };
    if (language.length && string_table_find(&t->vocabulary, language) >= ID_SPECIALS) {
        words_add(words, language);
        line += language.length;
        length -= language.length;
    }
    buf_clear(&text);
    if (t->preparation == PREPARATION_OPUS) plain_prepare_opus(line, length, &text);
    else buf_add(&text, line, length);
    sentencepiece_encode(t->segmenter, text.text, text.length, NULL, words);
}

/* ---- Ids to lines ---- */

void plain_join(const Tokenizer *t, const int *ids, const char *const *piece, size_t count,
                PieceText *text, Buf *out)
{
    SCOPED(xfree_at) int *own = xmalloc(count, sizeof *own);
    SCOPED(xfree_at) const char **written = xmalloc(count, sizeof *written);
    const size_t start = out->length;
    for (size_t i = 0; i < count; i++) {
        const int is_own = piece[i] == tokenizer_piece(t, ids[i]);
        own[i] = is_own ? t->piece[ids[i]] : -1;
        written[i] = is_own && ids[i] == ID_UNK ? NULL : piece[i];
    }
    sentencepiece_decode(t->segmenter, own, written, count, text, out);
    while (out->length > start && out->text[out->length - 1] == ' ')
        out->text[--out->length] = '\0';
    for (size_t i = count; text && i-- && text[i].end > out->length;)
        text[i].end = out->length;
}

/* ---- Tokenizers ---- */

/* Takes a segmenter over, and finds its pieces in the vocabulary. */
static void take_segmenter(Tokenizer *t, SentencePiece *s)
{
    t->segmenter = s;
    t->piece = xmalloc(t->vocabulary.count, sizeof *t->piece);
    for (int id = 0; id < tokenizer_size(t); id++)
        t->piece[id] = -1;
    for (int k = 0; k < sentencepiece_size(s); k++) {
        const PieceKind kind = sentencepiece_kind(s, k);
        const int id = string_table_find(&t->vocabulary, slice_of(sentencepiece_piece(s, k)));
        if (kind == PIECE_UNKNOWN) t->piece[ID_UNK] = k;
        else if (id >= ID_SPECIALS) t->piece[id] = k;
    }
}

int tokenizer_set_segmenter(Tokenizer *t, const void *bytes, size_t size, Err *e)
{
    SentencePiece *s = sentencepiece_new(bytes, size, e);
    if (!s) return -1;
    take_segmenter(t, s);
    return 0;
}

static int add_pieces(StringTable *vocabulary, const char *const *piece, size_t count, Err *e)
{
    if (count > VOCABULARY_MOST - ID_SPECIALS)
        return err(e, "a vocabulary of %zu tokens is too large", count);
    for (int id = 0; id < ID_SPECIALS; id++)
        string_table_add(vocabulary, slice_of(special_pieces[id]));
    for (size_t i = 0; i < count; i++) {
        const Slice text = slice_of(piece[i]);
        if (!text.length || !unicode_valid(text.text, text.length))
            return err(e, "token %zu of the vocabulary is empty or not valid UTF-8", i);
        if (string_table_add(vocabulary, text) != (int)i + ID_SPECIALS)
            return err(e, "token %zu of the vocabulary, '%.60s', occurs twice", i, piece[i]);
    }
    return 0;
}

Tokenizer *tokenizer_of_pieces(const TextOptions *options, SentencePiece *segmenter,
                               const char *const *piece, size_t count, Err *e)
{
    Tokenizer *t = xcalloc(1, sizeof *t);
    t->options = *options;
    if (add_pieces(&t->vocabulary, piece, count, e)) {
        sentencepiece_free(segmenter);
        tokenizer_free(t);
        return NULL;
    }
    if (segmenter) take_segmenter(t, segmenter);
    return t;
}

Tokenizer *tokenizer_of_segmenter(const TextOptions *options, SentencePiece *segmenter, Err *e)
{
    const int size = sentencepiece_size(segmenter);
    SCOPED(xfree_at) const char **piece = xmalloc((size_t)size, sizeof *piece);
    size_t count = 0;
    for (int k = 0; k < size; k++) {
        const PieceKind kind = sentencepiece_kind(segmenter, k);
        if (kind == PIECE_NORMAL || kind == PIECE_USER_DEFINED || kind == PIECE_BYTE)
            piece[count++] = sentencepiece_piece(segmenter, k);
    }
    return tokenizer_of_pieces(options, segmenter, piece, count, e);
}

static int same_strings(const StringTable *a, const StringTable *b)
{
    return slices_equal(buf_slice(&a->bytes), buf_slice(&b->bytes));
}

static Slice segmenter_bytes(const Tokenizer *t)
{
    return t->segmenter ? sentencepiece_bytes(t->segmenter) : (Slice){ "", 0 };
}

int vocabularies_are_same(const Tokenizer *a, const Tokenizer *b)
{
    return same_strings(&a->vocabulary, &b->vocabulary);
}

int tokenizers_are_same(const Tokenizer *a, const Tokenizer *b)
{
    return text_is_same(&a->options, &b->options) && vocabularies_are_same(a, b)
        && same_strings(&a->merges.symbols, &b->merges.symbols)
        && same_strings(&a->merges.pairs, &b->merges.pairs) && a->preparation == b->preparation
        && slices_equal(segmenter_bytes(a), segmenter_bytes(b));
}
