/* tokenizer.c - vocabularies from the words of a text; lines to ids and back.
 *
 * The kinds differ in two places: how a line is split (tokenizer_split), and what becomes of one
 * word (encode_word). A word's pieces are chunks of the word itself, so nothing of it is ever lost
 * on the way to the vocabulary.
 */
#include "text/tokenizer/tokenizer.h"

#include "base/mem.h"
#include "text/copies.h"
#include "text/tokenizer/plain.h"
#include "text/words.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

void ids_reverse(int *id, size_t count)
{
    const size_t words = count && id[count - 1] == ID_EOS ? count - 1 : count;
    for (size_t i = 0; i < words / 2; i++) {
        const int other = id[words - 1 - i];
        id[words - 1 - i] = id[i];
        id[i] = other;
    }
}

/* ---- The tokenizer ---- */

unsigned placeholder_bit(int id)
{
    const int k = id - ID_SPECIALS;
    return k >= 0 && k < PLACEHOLDERS ? 1u << k : 0;
}

int tokenizer_size(const Tokenizer *t)
{
    return (int)t->vocabulary.count;
}

const char *tokenizer_piece(const Tokenizer *t, int id)
{
    return string_table_text(&t->vocabulary, id);
}

void tokenizer_free(Tokenizer *t)
{
    if (!t) return;
    string_table_free(&t->vocabulary);
    merges_free(&t->merges);
    sentencepiece_free(t->segmenter);
    xfree(t->piece);
    xfree(t);
}

/* ---- Vocabularies ---- */

/* The words of all sides, each with its tally. */
static StringTable sum(const WordCounts *counts, size_t sides)
{
    StringTable words = { 0 };
    for (size_t side = 0; side < sides; side++) {
        const StringTable *from = counts[side].words;
        for (int i = 0; i < (int)from->count; i++)
            if (counts[side].times[i]) string_table_count(&words, string_table_at(from, i), counts[side].times[i]);
    }
    return words;
}

/* Fills the vocabulary with the most frequent of what was seen. */
static void add_most_common(StringTable *vocabulary, size_t limit, const StringTable *seen, long least)
{
    SCOPED(xfree_at) int *order = string_table_most_common(seen);
    for (size_t i = 0; i < seen->count && seen->tally[order[i]] >= least && vocabulary->count < limit; i++)
        string_table_add(vocabulary, string_table_at(seen, order[i]));
}

/* Learns merges; what they make are new entries. Characters that are not in the vocabulary are no symbols. */
static void learn_merges(Merges *merges, StringTable *vocabulary, size_t limit, const StringTable *words)
{
    SCOPED(ids_free) Ids ids = { 0 };
    SCOPED(xfree_at) size_t *start = xmalloc(words->count, sizeof *start);
    SCOPED(xfree_at) int *length = xmalloc(words->count, sizeof *length);
    for (int i = 0; i < (int)words->count; i++) {
        const Slice word = string_table_at(words, i);
        start[i] = ids.count;
        for (const char *at = word.text, *end = at + word.length; at < end;) {
            const Slice character = unicode_character(&at);
            const int known = string_table_find(vocabulary, character) >= 0;
            ids_add(&ids, known ? string_table_add(&merges->symbols, character) : -1);
        }
        length[i] = (int)(ids.count - start[i]);
    }
    BpeText text = { ids.id, start, length, words->tally, words->count };
    bpe_learn(merges, limit > vocabulary->count ? limit - vocabulary->count : 0, &text);
    for (size_t rank = 0; rank < merges->pairs.count; rank++)
        string_table_add(vocabulary, string_table_at(&merges->symbols, merges->product[rank]));
}

/* The characters of the words, without the blanks of code. The mark and the joiner first: a vocabulary without them could
 * not tell where words begin. */
static void add_alphabet(StringTable *vocabulary, size_t limit, const StringTable *words)
{
    SCOPED(string_table_free) StringTable characters = { 0 };
    for (int word = 0; word < (int)words->count; word++) {
        const Slice text = string_table_at(words, word);
        for (const char *at = text.text, *end = at + text.length; at < end;) {
            const Slice character = unicode_character(&at);
            if (symbol_valid(character)) string_table_count(&characters, character, words->tally[word]);
        }
    }
    string_table_add(vocabulary, slice_of(WORD_MARK));
    string_table_add(vocabulary, slice_of(JOINER));
    add_most_common(vocabulary, limit, &characters, 1);
}

/* The frequent words of kind symbol. */
static void add_symbol_words(StringTable *vocabulary, size_t limit, const StringTable *words)
{
    long running = 0;
    for (size_t word = 0; word < words->count; word++)
        running += words->tally[word];
    const long least = running / SYMBOL_RUNNING_WORDS;
    add_most_common(vocabulary, limit, words, least > SYMBOL_TIMES ? least : SYMBOL_TIMES);
}

static Tokenizer *tokenizer_of(const TextOptions *options)
{
    Tokenizer *t = xcalloc(1, sizeof *t);
    t->options = *options;
    return t;
}

/* Adds the words of kinds word and whitespace, of others the characters. */
static void add_words(Tokenizer *t, size_t limit, const StringTable *words)
{
    if (text_has_words(&t->options)) add_most_common(&t->vocabulary, limit, words, t->options.min_frequency);
    else add_alphabet(&t->vocabulary, limit, words);
}

Tokenizer *tokenizer_learn(const TextOptions *options, const WordCounts *counts, size_t sides)
{
    Tokenizer *t = tokenizer_of(options);
    SCOPED(string_table_free) StringTable words = sum(counts, sides);
    const size_t limit = options->vocabulary ? (size_t)options->vocabulary : VOCABULARY_MOST;
    for (int id = 0; id < ID_SPECIALS; id++)
        string_table_add(&t->vocabulary, slice_of(special_pieces[id]));
    for (int k = 0; options->placeholders && k < PLACEHOLDERS; k++)
        string_table_add(&t->vocabulary, slice_of(placeholder_piece(k)));
    add_words(t, limit, &words);
    if (options->tokens == TOKENS_SYMBOL) add_symbol_words(&t->vocabulary, limit, &words);
    if (options->tokens == TOKENS_BPE) learn_merges(&t->merges, &t->vocabulary, limit, &words);
    return t;
}

/* From bytes that have been read before. */
static void copy_segmenter(Tokenizer *t, const Tokenizer *base)
{
    Err e;
    const Slice bytes = sentencepiece_bytes(base->segmenter);
    if (tokenizer_set_segmenter(t, bytes.text, bytes.length, &e)) die("%s", e.text);
}

Tokenizer *tokenizer_extend(const Tokenizer *base, const WordCounts *counts, size_t sides)
{
    Tokenizer *t = tokenizer_of(&base->options);
    SCOPED(string_table_free) StringTable words = sum(counts, sides);
    t->preparation = base->preparation;
    for (int id = 0; id < tokenizer_size(base); id++)
        string_table_add(&t->vocabulary, slice_of(tokenizer_piece(base, id)));
    merges_copy(&t->merges, &base->merges);
    if (base->segmenter) copy_segmenter(t, base);
    else add_words(t, VOCABULARY_MOST, &words);
    return t;
}

/* ---- Lines to words to ids ---- */

void tokenizer_split(const Tokenizer *t, const char *line, size_t length, Words *words)
{
    const TextOptions *options = &t->options;
    if (text_is_plain(options)) {
        plain_split(t, line, length, words);
        return;
    }
    if (options->tokens == TOKENS_WORD) {
        words_split_textbook(line, length, options->lowercase, words);
        return;
    }
    SCOPED(buf_free) Buf normal = { 0 };
    buf_clear(&normal);         /* a text even where nothing is left of the line */
    words_normalise(line, length, options->lowercase, &normal);
    if (options->tokens == TOKENS_SYMBOL) symbols_split(normal.text, normal.length, words);
    else words_split(normal.text, normal.length, options->placeholders, NULL, NULL, 0, words);
}

/* Appends a part of a line folded, behind a blank if one parts it from what is before it; *blank: whether one parts what
 * is behind it. */
static void fold_part(const TextOptions *o, const char *part, size_t length, int *blank, Buf *line)
{
    const char *first = part, *end = part + length;
    SCOPED(buf_free) Buf folded = { 0 };
    words_fold(part, length, o->lowercase, &folded);
    const int begins = length && unicode_is_space(unicode_next(&first));
    if (folded.length && line->length && (*blank || begins)) buf_putc(line, ' ');
    if (folded.length) buf_add(line, folded.text, folded.length);
    if (length) *blank = folded.length ? unicode_is_space(unicode_before(part, end)) : *blank || begins;
}

void tokenizer_split_source(const Tokenizer *t, const char *line, size_t length, const size_t *at, size_t *before,
                            size_t count, Words *words)
{
    const TextOptions *options = &t->options;
    if (options->tokens == TOKENS_WORD || options->tokens == TOKENS_SYMBOL || text_is_plain(options)) {
        tokenizer_split(t, line, length, words);
        for (size_t k = 0; k < count; k++)
            before[k] = words->count;
        return;
    }
    SCOPED(buf_free) Buf folded = { 0 };
    size_t from = 0;
    int blank = 0;
    buf_clear(&folded);
    for (size_t k = 0; k < count; from = at[k++]) {
        fold_part(options, line + from, at[k] - from, &blank, &folded);
        before[k] = folded.length;
    }
    fold_part(options, line + from, length - from, &blank, &folded);
    words_split(folded.text, folded.length, options->placeholders, before, before, count, words);
}

/* Words on their way to ids. They lie back to back, so that unknown text can reach over several of
 * them: two unknown ideographs are one <unk>. */
typedef struct {
    const StringTable *vocabulary;
    Ids           *ids;
    Words         *unknown;     /* or NULL */
    const char    *run, *end;   /* unknown text that has no id yet */
} Encoding;

/* The id of a piece of text, or -1; "<eos>" in a text is no <eos>. */
static int find(const StringTable *vocabulary, Slice text)
{
    const int id = string_table_find(vocabulary, text);
    return id < ID_SPECIALS ? -1 : id;
}

static void end_unknown(Encoding *e)
{
    if (e->run == e->end) return;
    ids_add(e->ids, ID_UNK);
    if (e->unknown) words_add(e->unknown, slice_between(e->run, e->end));
    e->run = e->end;
}

/* Adds the piece if the vocabulary holds it. */
static int add_known(Encoding *e, const char *piece, const char *end)
{
    int id = find(e->vocabulary, slice_between(piece, end));
    if (id < 0) return 0;
    end_unknown(e);
    ids_add(e->ids, id);
    return 1;
}

static void add_characters(Encoding *e, const char *at, const char *end)
{
    while (at < end) {
        const char *character = at;
        unicode_next(&at);
        if (add_known(e, character, at)) continue;
        if (e->run == e->end) e->run = character;
        e->end = at;
    }
}

/* Whether the vocabulary has each character of a word, or each letter and mark of it. */
static int knows(const Tokenizer *t, Slice word, int letters)
{
    for (const char *at = word.text, *end = at + word.length; at < end;) {
        const int32_t point = unicode_at(at);
        const Slice character = unicode_character(&at);
        if (letters && !unicode_is_letter(point) && !unicode_is_mark(point)) continue;
        if (find(&t->vocabulary, character) < 0) return 0;
    }
    return 1;
}

int tokenizer_writes(const Tokenizer *t, Slice word)
{
    return knows(t, word, 0);
}

/* A word with an unknown letter is copied as a whole, as the words are that training hides
 * (train/data/examples.h): its other pieces mean nothing without it. Long runs, of scripts without
 * blanks, are not. */
static int is_copied(const Tokenizer *t, Slice word)
{
    enum { COPIED_BYTES = 64 };
    return word.length <= COPIED_BYTES && !knows(t, word, 1);
}

/* The mark at the head of a copied word is known; the rest is unknown text. */
static void encode_copied(Encoding *e, Slice word)
{
    const Slice core = words_core(word);
    add_characters(e, word.text, core.text);
    if (e->run == e->end) e->run = core.text;
    e->end = core.text + core.length;
    add_characters(e, e->end, word.text + word.length);
}

/* A placeholder is one entry, with its mark. Returns 0 for other words. */
static int add_placeholder(Encoding *e, Slice word)
{
    const Slice core = words_core(word);
    const char *end = core.text + core.length;
    if (!placeholder_is(core)) return 0;
    add_known(e, core.text, end);
    add_characters(e, end, word.text + word.length);
    return 1;
}

/* Appends the ids of a word; unknown text at its end is left open. `parts` is scratch. */
static void encode_word(const Tokenizer *t, Slice word, const BpeNoise *noise, BpeWord *parts, Encoding *e)
{
    const char *piece = word.text, *end = piece + word.length;
    if (t->options.placeholders && add_placeholder(e, word)) return;
    if (t->options.tokens == TOKENS_WORD || text_is_plain(&t->options)) {
        if (add_known(e, piece, end)) return;
        e->run = piece;                 /* unknown as a whole */
        e->end = end;
        end_unknown(e);
    } else if (t->options.tokens == TOKENS_SYMBOL) {
        if (!add_known(e, piece, end)) add_characters(e, piece, end);
    } else if (is_copied(t, word)) {
        encode_copied(e, word);
    } else if (t->options.tokens == TOKENS_CHAR) {
        add_characters(e, piece, end);
    } else {
        bpe_segment(&t->merges, word, noise, parts);
        for (size_t i = 0; i < parts->count; i++, piece = end) {
            end = word.text + parts->part[i].end;
            if (!add_known(e, piece, end)) add_characters(e, piece, end);
        }
    }
}

void tokenizer_encode_word(const Tokenizer *t, Slice word, const BpeNoise *noise, Ids *ids)
{
    SCOPED(bpe_word_free) BpeWord parts = { 0 };
    Encoding e = { &t->vocabulary, ids, NULL, word.text, word.text };
    encode_word(t, word, noise, &parts, &e);
    end_unknown(&e);
}

void tokenizer_encode_range(const Tokenizer *t, const Words *words, size_t first, size_t end, Ids *ids, Words *unknown)
{
    SCOPED(bpe_word_free) BpeWord parts = { 0 };
    Encoding e = { &t->vocabulary, ids, unknown, words->text.text, words->text.text };
    for (size_t i = first; i < end; i++)
        encode_word(t, words_at(words, i), NULL, &parts, &e);
    end_unknown(&e);
}

void tokenizer_encode(const Tokenizer *t, const char *line, size_t length, Ids *ids, Words *unknown)
{
    SCOPED(words_free) Words words = { 0 };
    tokenizer_split(t, line, length, &words);
    tokenizer_encode_range(t, &words, 0, words.count, ids, unknown);
}

/* ---- The words of a table ---- */

void word_pieces_init(WordPieces *pieces, const Tokenizer *tokenizer, const StringTable *words)
{
    *pieces = (WordPieces){ .tokenizer = tokenizer, .words = words };
    pieces->end = xmalloc(words->count, sizeof *pieces->end);
    for (int id = 0; id < (int)words->count; id++) {
        tokenizer_encode_word(tokenizer, string_table_at(words, id), NULL, &pieces->ids);
        pieces->end[id] = pieces->ids.count;
    }
}

void word_pieces_free(WordPieces *pieces)
{
    ids_free(&pieces->ids);
    xfree(pieces->end);
    *pieces = (WordPieces){ 0 };
}

int word_pieces_length(const WordPieces *pieces, int word)
{
    return (int)(pieces->end[word] - (word ? pieces->end[word - 1] : 0));
}

void word_pieces_add(const WordPieces *pieces, int word, const BpeNoise *noise, Ids *ids)
{
    if (noise) tokenizer_encode_word(pieces->tokenizer, string_table_at(pieces->words, word), noise, ids);
    else for (size_t i = word ? pieces->end[word - 1] : 0; i < pieces->end[word]; i++)
        ids_add(ids, pieces->ids.id[i]);
}

/* ---- Ids to lines ---- */

/* Behind `start`: one blank at most between words, whatever blanks these hold (words of the
 * textbook may end in U+2009), and none at the ends. */
static void squeeze_blanks(Buf *out, size_t start)
{
    char *const begin = out->text + start, *to = begin;
    for (const char *at = begin, *next = at; *at; at = next) {
        if (!unicode_is_space(unicode_next(&next)))
            while (at < next) *to++ = *at++;
        else if (to > begin && to[-1] != ' ') *to++ = ' ';
    }
    if (to > begin && to[-1] == ' ') to--;
    *to = '\0';
    out->length = start + (size_t)(to - begin);
}

static void join_textbook(const char *const *piece, size_t count, PieceText *text, Buf *out)
{
    const size_t start = out->length;
    for (size_t i = 0; i < count; i++) {
        if (*piece[i] && out->length > start) buf_putc(out, ' ');
        buf_puts(out, piece[i]);
        if (text) text[i] = (PieceText){ out->length, *piece[i] != '\0' };
    }
}

void tokenizer_decode(const Tokenizer *t, const int *ids, size_t count,
                      const char *const *replacements, PieceText *text, Buf *out)
{
    SCOPED(xfree_at) const char **piece = xmalloc(count, sizeof *piece);
    const size_t start = out->length;
    buf_puts(out, "");
    for (size_t i = 0; i < count; i++) {
        const int has_text = ids[i] != ID_PAD && ids[i] != ID_BOS && ids[i] != ID_EOS;
        const char *replacement = replacements ? replacements[i] : NULL;
        piece[i] = !has_text ? "" : replacement ? replacement : tokenizer_piece(t, ids[i]);
    }
    if (t->segmenter) {
        plain_join(t, ids, piece, count, text, out);
        return;
    }
    if (text_has_words(&t->options)) join_textbook(piece, count, text, out);
    else words_join_pieces(piece, count, t->options.tokens == TOKENS_SYMBOL, text, out);
    squeeze_blanks(out, start);
}
