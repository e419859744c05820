/* fuzz_text.c - any bytes as a line of text: repaired, normalised, split, joined, encoded and decoded.
 *
 * The first byte chooses (bit 0: lower case; the rest: the kind of tokenizer), the others are the line.
 */
#include "fuzz.h"

#include "text/tokenizer.h"
#include "text/unicode.h"
#include "text/words.h"

#include <string.h>

static const char *const lines[] = {
    "Il est calme.", "J'ai dit « non » à l'homme.", "Peut-être qu'elle est là, aujourd'hui !", "I don't know, do you?",
    "It's 9:30 a.m. on 1,000 clocks.", "Ну, привет 你好 😀",
};
enum { LINES = sizeof lines / sizeof *lines, KINDS = 3 };

/* The three calls of the tokenizer. */

static Tokenizer *learn(const TextOptions *options)
{
    return tokenizer_learn(options, lines, LINES);
}

static void encode(const Tokenizer *t, const Buf *line, Ids *ids)
{
    tokenizer_encode(t, line->text, line->length, ids);
}

static void decode(const Tokenizer *t, const Ids *ids, Buf *out)
{
    tokenizer_decode(t, ids->id, ids->count, out);
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
    require(!strstr(normal->text, BLANK_MARK) && !strstr(normal->text, "  "));
    buf_free(&again);
}

static void check_words(const Buf *line)
{
    Words words = { 0 };
    Buf back = { 0 };
    buf_clear(&back);
    words_split(line->text, line->length, &words);
    for (size_t i = 0, length; i < words.count; i++) {
        const char *word = words_at(&words, i, &length);
        require(length > 0 && length <= WORD_BYTES + BLANK_MARK_LENGTH);
        require(unicode_valid(word, length) && !memchr(word, ' ', length));
    }
    words_join(words.text.text, words.text.length, &back);
    require(equal(&back, line));
    words_free(&words);
    buf_free(&back);
}

/* Encodes a line; whether it holds something unknown. */
static int encode_checked(const Tokenizer *t, const Buf *line, Ids *ids)
{
    int unknown = 0;
    encode(t, line, ids);
    for (size_t i = 0; i < ids->count; i++) {
        require(ids->id[i] == ID_UNKNOWN || (ids->id[i] >= ID_SPECIALS && ids->id[i] < tokenizer_size(t)));
        unknown |= ids->id[i] == ID_UNKNOWN;
    }
    return unknown;
}

/* What is known comes back: the line, or of the textbook's words, which forget the blanks, the words. */
static void check_ids(const Tokenizer *t, const Buf *line, const Buf *normal)
{
    Ids ids = { 0 }, again = { 0 };
    Buf back = { 0 };
    buf_clear(&back);
    int unknown = encode_checked(t, line, &ids);
    decode(t, &ids, &back);
    require(unicode_valid(back.text, back.length));
    if (tokenizer_options(t)->tokens == TOKENS_WORD) {
        encode(t, &back, &again);
        require(again.count == ids.count && (!ids.count || !memcmp(again.id, ids.id, ids.count * sizeof *ids.id)));
    } else {
        require(unknown || equal(&back, normal));
    }
    ids_free(&ids);
    ids_free(&again);
    buf_free(&back);
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
    check_words(&normal);
    if (!strstr(line.text, BLANK_MARK)) check_words(&line);
    check_ids(tokenizer_of(kind, lowercase), &line, &normal);
    buf_free(&line);
    buf_free(&normal);
    return 0;
}
