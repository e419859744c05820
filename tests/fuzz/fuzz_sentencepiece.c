/* fuzz_sentencepiece.c - any bytes as a SentencePiece model, which cuts some lines. It is refused with a reason; or the pieces
 * of a line are valid text, in the order of their ids, and so is the line of these pieces.
 */
#include "fuzz.h"

#include "base/mem.h"
#include "text/tokenizer/sentencepiece.h"
#include "text/unicode.h"

#include <string.h>

static const char *const lines[] = {
    "", " ", "abcabc aaaaaaa <x>y\xE2\x96\x81<0x41>", "\xEF\xAC\x81 \xC2\xBD e\xCC\x81 \xE4\xB8\xAD\xE6\x96\x87 \xF0\x9F\x98\x80",
    "\xFF\xC3 the \xE2\x82",
};

static void check_line(const SentencePiece *s, const char *line)
{
    SCOPED(ids_free) Ids ids = { 0 };
    SCOPED(words_free) Words words = { 0 };
    SCOPED(buf_free) Buf back = { 0 };
    sentencepiece_encode(s, line, strlen(line), &ids, &words);
    require(ids.count == words.count);
    SCOPED(xfree_at) const char **piece = xmalloc(ids.count, sizeof *piece);
    SCOPED(xfree_at) PieceText *text = xmalloc(ids.count, sizeof *text);
    for (size_t i = 0; i < ids.count; i++) {
        const Slice word = words_at(&words, i);
        require(ids.id[i] >= 0 && ids.id[i] < sentencepiece_size(s));
        require(word.length && unicode_valid(word.text, word.length));
        piece[i] = sentencepiece_kind(s, ids.id[i]) == PIECE_UNKNOWN ? NULL : sentencepiece_piece(s, ids.id[i]);
        require(!piece[i] || slices_equal(slice_of(piece[i]), word));
    }
    sentencepiece_decode(s, ids.id, piece, ids.count, text, &back);
    require(unicode_valid(back.text, back.length));
    for (size_t i = 0; i < ids.count; i++)
        require(text[i].end >= (i ? text[i - 1].end : 0) && text[i].end <= back.length);
    require(!ids.count || text[ids.count - 1].end == back.length);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    Err e = { "" };
    SentencePiece *s = sentencepiece_new(bytes, length, &e);
    require(!s == !!e.text[0]);
    if (!s) return 0;
    require(sentencepiece_bytes(s).length == length);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check_line(s, lines[i]);
    sentencepiece_free(s);
    return 0;
}
