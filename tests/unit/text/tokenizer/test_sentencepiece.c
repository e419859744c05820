/* test_sentencepiece.c - pieces and lines as SentencePiece has them, and files that are none. The models and their answers are
 * those of scripts/make-sentencepiece. */
#include "text/tokenizer/sentencepiece.h"

#include "base/mem.h"
#include "plain_case.h"
#include "read_table.h"
#include "test.h"
#include "text/unicode.h"

#include <string.h>

/* Appends the line of some pieces; unknown ones have no text of their own. */
static void decode(const SentencePiece *s, const Ids *ids, PieceText *text, Buf *line)
{
    SCOPED(xfree_at) const char **piece = xmalloc(ids->count, sizeof *piece);
    for (size_t i = 0; i < ids->count; i++)
        piece[i] = sentencepiece_kind(s, ids->id[i]) == PIECE_UNKNOWN ? NULL : sentencepiece_piece(s, ids->id[i]);
    buf_clear(line);
    sentencepiece_decode(s, ids->id, piece, ids->count, text, line);
}

/* Model, line, pieces, their ids, the line of these. */
static void check_case(char *const cell[CELLS_MOST], int cells)
{
    SentencePiece *s = segmenter_case(cell[0]);
    SCOPED(ids_free) Ids ids = { 0 };
    SCOPED(words_free) Words words = { 0 };
    SCOPED(buf_free) Buf pieces = { 0 }, numbers = { 0 }, line = { 0 };
    assert_int_equal(cells, 5);
    sentencepiece_encode(s, cell[1], strlen(cell[1]), &ids, &words);
    assert_int_equal(ids.count, words.count);
    buf_clear(&pieces);
    buf_clear(&numbers);
    for (size_t i = 0; i < ids.count; i++) {
        const Slice word = words_at(&words, i);
        if (i) buf_putc(&pieces, ' ');
        buf_add(&pieces, word.text, word.length);
        buf_printf(&numbers, i ? " %d" : "%d", ids.id[i]);
    }
    decode(s, &ids, NULL, &line);
    if (strcmp(pieces.text, cell[2]) || strcmp(numbers.text, cell[3]) || strcmp(line.text, cell[4]))
        fail_msg("%s: '%s' is '%s' (%s), '%s'; not '%s' (%s), '%s'", cell[0], cell[1], pieces.text, numbers.text, line.text,
                 cell[2], cell[3], cell[4]);
    sentencepiece_free(s);
}

UNIT_TEST(lines_should_be_the_pieces_that_sentencepiece_finds)
{
    each_case("tests/data/sentencepiece/cases.tsv", check_case);
}

/* Bytes that no line gives. */
UNIT_TEST(bytes_that_are_no_character_should_be_replaced)
{
    SentencePiece *s = segmenter_case("bytes");
    SCOPED(buf_free) Buf line = { 0 };
    int id[] = { 2 + 0xE2, 2 + 0x82, 2 + 'a', 2 + 0xAC, 2 + 0xE2, 2 + 0x82, 2 + 0xAC, 0, 2 + 0xF0 };
    PieceText text[9];
    decode(s, &(Ids){ id, 9, 9 }, text, &line);
    assert_string_equal(line.text, "\xEF\xBF\xBD\xEF\xBF\xBD" "a\xEF\xBF\xBD\xE2\x82\xAC\xEF\xBF\xBD");
    const size_t ends[] = { 3, 6, 7, 10, 10, 10, 13, 13, 16 };
    for (int i = 0; i < 9; i++)
        assert_int_equal(text[i].end, ends[i]);
    sentencepiece_free(s);
}

UNIT_TEST(each_word_should_begin_with_one_piece)
{
    SentencePiece *s = segmenter_case("bytes");
    SCOPED(buf_free) Buf line = { 0 };
    SCOPED(ids_free) Ids ids = { 0 };
    const char *const text = "the z \xC3\xA9 ring";      /* ▁the ▁ z ▁ <0xC3> <0xA9> ▁ r ing */
    const int begins[] = { 1, 1, 0, 1, 0, 0, 1, 0, 0 };
    PieceText found[9];
    sentencepiece_encode(s, text, strlen(text), &ids, NULL);
    assert_int_equal(ids.count, 9);
    decode(s, &ids, found, &line);
    assert_string_equal(line.text, text);
    for (int i = 0; i < 9; i++)
        assert_int_equal(found[i].begins, begins[i]);
    assert_int_equal(found[8].end, line.length);
    sentencepiece_free(s);
}

UNIT_TEST(pieces_that_the_model_lacks_should_be_text)
{
    SentencePiece *s = segmenter_case("unigram");
    SCOPED(buf_free) Buf line = { 0 };
    sentencepiece_decode(s, (const int[]){ -1, 0, 0, 4 },
                         (const char *const[]){ "\xE2\x96\x81never\xE2\x96\x81", "\xE4\xB8\xAD", NULL, "a" }, 4, NULL, &line);
    assert_string_equal(line.text, "never \xE4\xB8\xAD \xE2\x81\x87 a");
    sentencepiece_free(s);
}

/* ---- Files that are none ---- */

static const char *refusal(const char *bytes, size_t size, Err *e)
{
    SentencePiece *s = sentencepiece_new(bytes, size, e);
    sentencepiece_free(s);
    return s ? NULL : e->text;
}

UNIT_TEST(a_file_that_is_cut_short_should_be_refused)
{
    Err e;
    size_t taken = 0;
    Content file = segmenter_file("unigram");
    for (size_t size = 0; size < file.size; size++)
        if (refusal(file.data, size, &e)) assert_non_null(strstr(e.text, "it "));
        else taken++;
    assert_in_range(taken, 1, 30);      /* between two pieces */
    content_free(&file);
}

/* A piece: its text, and its kind; all of one byte. */
#define PIECE(text, kind) "\x0A\x05\x0A\x01" text "\x18" kind
#define MAP(bytes, size) "\x1A" size "\x12" bytes

typedef struct { const char *bytes; size_t size; const char *why; } Refused;
#define REFUSED(bytes, why) { bytes, sizeof bytes - 1, why }

UNIT_TEST(files_should_be_refused_with_the_reason)
{
    static const Refused refused[] = {
        REFUSED("", "no piece is the unknown one"),
        REFUSED("PK\3\4", "cut short, or no SentencePiece model"),
        REFUSED(PIECE("a", "\1"), "no piece is the unknown one"),
        REFUSED(PIECE("?", "\2") PIECE("!", "\2"), "two of its pieces"),
        REFUSED(PIECE("?", "\2") PIECE("a", "\1") PIECE("a", "\4"), "'a' occurs twice"),
        REFUSED(PIECE("?", "\2") PIECE("a", "\7"), "piece 1 has a kind that is not known"),
        REFUSED(PIECE("?", "\2") PIECE("a", "\0"), "piece 1 has a kind that is not known"),
        REFUSED(PIECE("?", "\2") PIECE("a", "\6"), "is to be a byte"),
        REFUSED(PIECE("?", "\2") PIECE("\xFF", "\1"), "not valid UTF-8"),
        REFUSED(PIECE("?", "\2") "\x0A\x02\x18\x01", "is empty"),
        REFUSED(PIECE("?", "\2") "\x0A\x08\x0A\x01" "a\x15\x00\x00\xC0\x7F", "is not finite"),
        REFUSED(PIECE("?", "\2") "\x12\x02\x18\x03", "whole words"),
        REFUSED(PIECE("?", "\2") "\x12\x02\x18\x04", "characters"),
        REFUSED(PIECE("?", "\2") "\x12\x03\x98\x02\x01", "no piece for the byte 0x00"),
        REFUSED(PIECE("?", "\2") "\x12\x04\xE2\x02\x01\xFF", "unknown pieces is not valid UTF-8"),
        REFUSED(PIECE("?", "\2") "\x1A\x02\x38\x01", "case of letters"),
        REFUSED(PIECE("?", "\2") MAP("\x04\x08\0\0\0", "\x06"), "more bytes than are there"),
        REFUSED(PIECE("?", "\2") MAP("\x04\xFF\xFF\xFF\xFF", "\x06"), "more bytes than are there"),
        REFUSED(PIECE("?", "\2") MAP("\x08\4\0\0\0\0\0\0\0", "\x0A"), "has no end"),
        REFUSED(PIECE("?", "\2") MAP("\x0A\4\0\0\0\0\0\0\0\xFF\0", "\x0C"), "not valid UTF-8"),
        REFUSED(PIECE("?", "\2") "\x2A\x0D\x12\x0B\4\0\0\0\0\0\0\0 \0\0", "denormalises"),
        REFUSED("\x0B\x0C", "cut short"),
        REFUSED("\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", "cut short"),
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        Err e;
        const char *why = refusal(refused[i].bytes, refused[i].size, &e);
        if (!why || !strstr(why, refused[i].why)) fail_msg("%s: %s", refused[i].why, why ? why : "taken");
    }
}

/* Double arrays whose steps lead far out of it; just behind its end, where the replacements would be a unit for "a"; to a
 * replacement that begins inside a character; to one behind them all. Each would make another text of "a". */
UNIT_TEST(a_map_that_leads_nowhere_should_replace_nothing)
{
    static const Refused maps[] = {
        REFUSED(MAP("\x0A\4\0\0\0\0\xFC\xFF\xFF" "b\0", "\x0C"), "far"),
        REFUSED(MAP("\x12\x08\0\0\0\0\x8C\1\0\4\0\0\0" "a\x0D\0\0" "b\0", "\x14"), "behind"),
        REFUSED(MAP("\x13\x0C\0\0\0\0\x80\1\0" "a\x0D\0\0" "\1\0\0\x80" "\xC3\xA9\0", "\x15"), "inside"),
        REFUSED(MAP("\x13\x0C\0\0\0\0\x80\1\0" "a\x0D\0\0" "\3\0\0\x80" "\xC3\xA9\0", "\x15"), "beyond"),
    };
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        Err e;
        SCOPED(buf_free) Buf file = { 0 };
        SCOPED(ids_free) Ids ids = { 0 };
        buf_add(&file, PIECE("?", "\2") PIECE("a", "\1"), 2 * 7);
        buf_add(&file, maps[i].bytes, maps[i].size);
        SentencePiece *s = sentencepiece_new(file.text, file.length, &e);
        if (!s) fail_msg("%s: %s", maps[i].why, e.text);
        sentencepiece_encode(s, "a", 1, &ids, NULL);
        if (ids.count != 2 || ids.id[1] != 1) fail_msg("%s: a has become another text", maps[i].why);
        sentencepiece_free(s);
    }
}

int main(void)
{
    return run_unit_tests();
}
