/* fuzz_text.c - any bytes as a line of text: repaired, normalised, split, joined, encoded, decoded,
 * and without its tags.
 *
 * The first byte chooses the options (bit 0: lower case; the rest: the kind of tokenizer). The
 * other bytes are the line.
 */
#include "fuzz.h"

#include "base/mem.h"
#include "text/markup.h"
#include "text/patterns.h"
#include "text/tokenizer/tokenizer.h"
#include "text/unicode.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

static const char *const lines[] = {
    "Il est calme.", "J'ai dit « non » à l'homme.", "Peut-être qu'elle est là, aujourd'hui !",
    "I don't know, do you?",
    "It's 9:30 a.m. on 1,000 clocks.", "Ну, привет 你好 😀",
};
enum { LINES = sizeof lines / sizeof *lines, KINDS = TOKENS_KINDS };

static Tokenizer *learn(const TextOptions *options)
{
    StringTable seen = { 0 };
    Words words = { 0 };
    for (int line = 0; line < LINES; line++) {
        tokenizer_split(&(Tokenizer){ .options = *options }, lines[line], strlen(lines[line]), &words);
        for (size_t i = 0; i < words.count; i++) {
            string_table_count(&seen, words_at(&words, i), 1);
        }
    }
    Tokenizer *t = tokenizer_learn(options, &(WordCounts){ &seen, seen.tally }, 1);
    words_free(&words);
    string_table_free(&seen);
    return t;
}

/* Learned once for each choice, and kept to the end. */
static const Tokenizer *tokenizer_of(int kind, int lowercase)
{
    static Tokenizer *learned[KINDS][2];
    Tokenizer **t = &learned[kind][lowercase];
    TextOptions options = text_defaults();
    options.tokens = kind;
    options.lowercase = lowercase;
    options.vocabulary = 120;
    if (!*t) *t = learn(&options);
    return *t;
}

static int equal(const Buf *a, const Buf *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

static void repair(const uint8_t *bytes, size_t length, Buf *line)
{
    int sound = unicode_valid((const char *)bytes, length);
    int repaired = unicode_repair((const char *)bytes, length, line);
    require(unicode_valid(line->text, line->length));
    require(sound == (repaired == 0));
    require(!sound || (line->length == length && memcmp(line->text, bytes, length) == 0));
}

static void check_normal(const Buf *normal, int lowercase)
{
    Buf again = { 0 };
    buf_clear(&again);
    words_normalise(normal->text, normal->length, lowercase, &again);
    require(unicode_valid(normal->text, normal->length));
    require(equal(&again, normal));
    require(!strstr(normal->text, WORD_MARK) && !strstr(normal->text, "  "));
    buf_free(&again);
}

static void check_words(const Buf *line, int spans)
{
    const size_t longest = spans ? PATTERN_BYTES : WORD_BYTES;
    Words words = { 0 };
    Buf back = { 0 };
    buf_clear(&back);
    words_split(line->text, line->length, spans, NULL, NULL, 0, &words);
    for (size_t i = 0; i < words.count; i++) {
        const Slice word = words_at(&words, i);
        require(word.length > 0 && word.length <= longest + WORD_MARK_LENGTH + JOINER_LENGTH);
        require(unicode_valid(word.text, word.length) && (spans || !memchr(word.text, ' ', word.length)));
    }
    words_join_pieces((const char *const[]){ words.text.text }, 1, 0, NULL, &back);
    require(equal(&back, line));
    words_free(&words);
    buf_free(&back);
}

/* Encodes a line; `unknown` gets the text of each unknown token. */
static void encode_checked(const Tokenizer *t, const Buf *line, Ids *ids, Words *unknown)
{
    size_t unknowns = 0;
    tokenizer_encode(t, line->text, line->length, ids, unknown);
    for (size_t i = 0; i < ids->count; i++) {
        require(ids->id[i] == ID_UNK
                || (ids->id[i] >= ID_SPECIALS && ids->id[i] < tokenizer_size(t)));
        unknowns += ids->id[i] == ID_UNK;
    }
    require(unknowns == unknown->count);
}

/* Decoding the ids, with the unknown tokens' text, gives the line again. */
static void check_copies(const Tokenizer *t, const Ids *ids, const Words *unknown,
                         const Buf *normal)
{
    Buf back = { 0 };
    char **copies = xcalloc(ids->count + 1, sizeof *copies);
    for (size_t i = 0, k = 0; i < ids->count; i++) {
        if (ids->id[i] != ID_UNK) continue;
        const Slice text = words_at(unknown, k++);
        copies[i] = xstrndup(text.text, text.length);
    }
    buf_clear(&back);
    tokenizer_decode(t, ids->id, ids->count, (const char *const *)copies, NULL, &back);
    require(equal(&back, normal));
    for (size_t i = 0; i < ids->count; i++)
        free(copies[i]);
    free(copies);
    buf_free(&back);
}

/* The textbook's words lose their blanks, but encode to the same ids again. */
static void check_words_again(const Tokenizer *t, const Ids *ids)
{
    Ids again = { 0 };
    Buf back = { 0 };
    buf_clear(&back);
    tokenizer_decode(t, ids->id, ids->count, NULL, NULL, &back);
    require(unicode_valid(back.text, back.length));
    tokenizer_encode(t, back.text, back.length, &again, NULL);
    require(again.count == ids->count
            && (!ids->count || !memcmp(again.id, ids->id, ids->count * sizeof *ids->id)));
    ids_free(&again);
    buf_free(&back);
}

static void check_ids(const Tokenizer *t, const Buf *line, const Buf *normal)
{
    Ids ids = { 0 };
    Words unknown = { 0 };
    encode_checked(t, line, &ids, &unknown);
    if (t->options.tokens == TOKENS_WORD) check_words_again(t, &ids);
    else check_copies(t, &ids, &unknown, normal);
    words_free(&unknown);
    ids_free(&ids);
}

/* What is decoded of a text is encoded again where it could not be told from signs that stand for themselves. */
static void check_entities(const Buf *line)
{
    Buf text = { 0 }, back = { 0 };
    buf_clear(&text);
    const unsigned bare = entities_bare(line->text, line->length);
    const unsigned signs = entities_decode(line->text, line->length, bare, &text);
    require(!(signs & bare) && unicode_valid(text.text, text.length));
    buf_clear(&back);
    entities_encode(text.text, text.length, signs, &back);
    require(!(entities_bare(back.text, back.length) & signs));
    buf_free(&back);
    buf_free(&text);
}

/* Tags are taken out of a line in their order, and pairs enclose each other. */
static void check_markup(const Buf *line)
{
    Markup m = { 0 };
    size_t from = 0;
    const char *first = line->text;
    markup_take_out(&m, line->text);
    require(unicode_valid(m.text.text, m.text.length));
    for (size_t i = 0; i < m.count; i++) {
        const Tag *tag = &m.tag[i];
        const size_t partner = i + (size_t)(long)tag->to_partner;
        require(tag->at >= from && tag->at <= m.text.length);
        require(unicode_valid(m.text.text, tag->at) && unicode_valid(tag->text, tag->length));
        require(tag->text >= first && tag->text + tag->length <= line->text + line->length);
        require(partner < m.count && m.tag[partner].to_partner == -tag->to_partner);
        for (size_t k = i; k < partner; k++)
            require(k + (size_t)(long)m.tag[k].to_partner <= partner);
        from = tag->at;
        first = tag->text;
    }
    markup_free(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length == 0) return 0;
    int lowercase = bytes[0] & 1, kind = (bytes[0] >> 1) % KINDS;
    Buf line = { 0 }, normal = { 0 };
    buf_clear(&line);
    buf_clear(&normal);
    repair(bytes + 1, length - 1, &line);
    words_normalise(line.text, line.length, lowercase, &normal);
    check_normal(&normal, lowercase);
    for (int spans = 0; spans < 2; spans++)
        check_words(&normal, spans);
    check_ids(tokenizer_of(kind, lowercase), &line, &normal);
    check_entities(&line);
    check_markup(&line);
    buf_free(&line);
    buf_free(&normal);
    return 0;
}
