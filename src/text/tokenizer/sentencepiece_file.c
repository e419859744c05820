/* sentencepiece_file.c - from the bytes of a .spm file to a model, which trusts none of them. */
#include "text/tokenizer/sentencepiece_file.h"

#include "base/bytes.h"
#include "base/mem.h"
#include "text/unicode.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

int sentencepiece_size(const SentencePiece *s)
{
    return (int)s->count;
}

const char *sentencepiece_piece(const SentencePiece *s, int id)
{
    return s->texts.text + s->piece[id].text;
}

PieceKind sentencepiece_kind(const SentencePiece *s, int id)
{
    return s->piece[id].kind;
}

Slice sentencepiece_bytes(const SentencePiece *s)
{
    return buf_slice(&s->bytes);
}

void sentencepiece_free(SentencePiece *s)
{
    if (!s) return;
    buf_free(&s->bytes);
    buf_free(&s->texts);
    xfree(s->piece);
    prefixes_free(&s->prefixes);
    prefixes_free(&s->normaliser.symbols);
    xfree(s);
}

/* ---- The file: fields, each with a number and a kind (protobuf.dev, "Encoding") ---- */

enum { WIRE_NUMBER, WIRE_EIGHT_BYTES, WIRE_BYTES, WIRE_FOUR_BYTES = 5 };

typedef struct {
    int      number, wire;
    uint64_t value;                 /* of a number, or four bytes */
    Slice    bytes;
} WireField;

static int read_number(Slice *rest, uint64_t *value)
{
    *value = 0;
    for (int bits = 0; rest->length && bits < 64; bits += 7) {
        const unsigned char byte = (unsigned char)*rest->text++;
        rest->length--;
        *value |= (uint64_t)(byte & 0x7F) << bits;
        if (byte < 0x80) return 0;
    }
    return -1;
}

/* Takes the next field: 1; 0: there is none; -1 with a message. */
static int next_field(Slice *rest, WireField *f, Err *e)
{
    uint64_t key = 0, length = 0;
    *f = (WireField){ 0 };
    if (!rest->length) return 0;
    int failed = read_number(rest, &key);
    f->wire = (int)(key & 7);
    f->number = failed || key >> 3 > INT_MAX ? 0 : (int)(key >> 3);
    switch (f->wire) {
    case WIRE_NUMBER:      failed |= read_number(rest, &f->value); break;
    case WIRE_EIGHT_BYTES: failed |= bytes_take(rest, 8, &f->bytes); break;
    case WIRE_BYTES:       failed |= read_number(rest, &length)
                                     || bytes_take(rest, length, &f->bytes); break;
    case WIRE_FOUR_BYTES:  failed |= bytes_take(rest, 4, &f->bytes); break;
    default:               failed = 1;
    }
    if (failed || !f->number) return err(e, "it is cut short, or no SentencePiece model");
    if (f->wire == WIRE_FOUR_BYTES) f->value = bytes_at(f->bytes, 0, 4);
    return 1;
}

static int is_field(const WireField *f, int number, int wire)
{
    return f->number == number && f->wire == wire;
}

enum { PIECE_BYTES = 8000 };            /* the longest that SentencePiece takes */

static int read_piece(SentencePiece *s, Slice message, Err *e)
{
    Piece piece = { .kind = PIECE_NORMAL };
    Slice text = { "", 0 };
    WireField f;
    int status;
    while ((status = next_field(&message, &f, e)) > 0) {
        const uint32_t bits = (uint32_t)f.value;
        if (is_field(&f, 1, WIRE_BYTES)) text = f.bytes;
        else if (is_field(&f, 2, WIRE_FOUR_BYTES)) memcpy(&piece.score, &bits, sizeof piece.score);
        else if (is_field(&f, 3, WIRE_NUMBER))
            piece.kind = f.value <= PIECE_BYTE ? (PieceKind)f.value : 0;
    }
    if (status < 0) return -1;
    if (!text.length || text.length > PIECE_BYTES || !unicode_valid(text.text, text.length))
        return err(e, "its piece %zu is empty, not valid UTF-8, or longer than %d bytes", s->count,
                   PIECE_BYTES);
    if (!isfinite(piece.score)) return err(e, "the score of its piece %zu is not finite", s->count);
    if (!piece.kind) return err(e, "its piece %zu has a kind that is not known", s->count);
    if (s->count == INT_MAX) return err(e, "it has too many pieces");
    piece.text = s->texts.length;
    piece.length = text.length;
    buf_add(&s->texts, text.text, text.length);
    buf_putc(&s->texts, '\0');
    s->piece = grow(s->piece, &s->capacity, s->count + 1, sizeof *s->piece);
    s->piece[s->count++] = piece;
    return 0;
}

static int read_trainer(SentencePiece *s, Slice message, Err *e)
{
    WireField f;
    int status;
    while ((status = next_field(&message, &f, e)) > 0)
        if (is_field(&f, 3, WIRE_NUMBER))
            s->model = f.value < MODEL_CHAR ? (int)f.value : MODEL_CHAR;
        else if (is_field(&f, 24, WIRE_NUMBER)) s->normaliser.blank_is_behind = f.value != 0;
        else if (is_field(&f, 35, WIRE_NUMBER)) s->has_bytes = f.value != 0;
        else if (is_field(&f, 44, WIRE_BYTES)) s->unknown_text = f.bytes;
    if (status < 0) return -1;
    if (s->unknown_text.length > REPLACEMENT_BYTES
        || !unicode_valid(s->unknown_text.text, s->unknown_text.length))
        return err(e, "its text for unknown pieces is not valid UTF-8, or longer than %d bytes",
                   REPLACEMENT_BYTES);
    if (s->model == MODEL_UNIGRAM || s->model == MODEL_BPE) return 0;
    return err(e, "it is a model of %s, and attn reads those of subwords (unigram, bpe)",
               s->model == MODEL_WORD ? "whole words" : "characters");
}

static int read_normaliser(Normaliser *n, Slice message, Err *e)
{
    WireField f;
    Slice map = { "", 0 };
    int status, encodes_case = 0;
    while ((status = next_field(&message, &f, e)) > 0) {
        const int is_set = f.value != 0;
        if (is_field(&f, 2, WIRE_BYTES)) map = f.bytes;
        else if (is_field(&f, 3, WIRE_NUMBER)) n->adds_blank = is_set;
        else if (is_field(&f, 4, WIRE_NUMBER)) n->removes_blanks = is_set;
        else if (is_field(&f, 5, WIRE_NUMBER)) n->escapes_blanks = is_set;
        else if (is_field(&f, 7, WIRE_NUMBER) || is_field(&f, 8, WIRE_NUMBER))
            encodes_case |= is_set;
    }
    if (status < 0) return -1;
    if (encodes_case) return err(e, "it encodes the case of letters, which attn doesn't read");
    return normaliser_set_map(n, map, e);
}

static int read_file(SentencePiece *s, Err *e)
{
    Slice rest = buf_slice(&s->bytes);
    Normaliser denormaliser = { 0 };
    WireField f;
    int status;
    while ((status = next_field(&rest, &f, e)) > 0)
        if ((is_field(&f, 1, WIRE_BYTES) && read_piece(s, f.bytes, e))
            || (is_field(&f, 2, WIRE_BYTES) && read_trainer(s, f.bytes, e))
            || (is_field(&f, 3, WIRE_BYTES) && read_normaliser(&s->normaliser, f.bytes, e))
            || (is_field(&f, 5, WIRE_BYTES) && read_normaliser(&denormaliser, f.bytes, e)))
            return -1;
    if (status < 0) return -1;
    return denormaliser.units.length ? err(e, "it denormalises text, which attn doesn't do") : 0;
}

/* ---- What follows from the pieces ---- */

/* <0xE2>: 0xE2; else -1. */
static int byte_of(const char *piece)
{
    static const char digits[] = "0123456789ABCDEF";
    if (strlen(piece) != 6 || strncmp(piece, "<0x", 3) || piece[5] != '>') return -1;
    const char *high = strchr(digits, piece[3]), *low = strchr(digits, piece[4]);
    return high && low ? (int)(16 * (high - digits) + (low - digits)) : -1;
}

static int find_special(SentencePiece *s, Err *e)
{
    s->unknown = -1;
    for (int i = 0; i < 256; i++)
        s->of_byte[i] = -1;
    for (int id = 0; id < (int)s->count; id++) {
        const PieceKind kind = s->piece[id].kind;
        const char *text = sentencepiece_piece(s, id);
        const int byte = s->piece[id].byte = kind == PIECE_BYTE ? byte_of(text) : 0;
        if (byte < 0) return err(e, "its piece %d is to be a byte, and is '%.20s'", id, text);
        if (kind == PIECE_BYTE) s->of_byte[byte] = id;
        if (kind == PIECE_UNKNOWN && s->unknown >= 0)
            return err(e, "two of its pieces are the unknown one");
        if (kind == PIECE_UNKNOWN) s->unknown = id;
    }
    if (s->unknown < 0) return err(e, "it is no SentencePiece model: no piece is the unknown one");
    for (int i = 0; s->has_bytes && i < 256; i++)
        if (s->of_byte[i] < 0) return err(e, "it has no piece for the byte 0x%02X", (unsigned)i);
    return 0;
}

/* The largest score is above 0, so that a symbol of the user's beats any pieces in its place. */
static void read_scores(SentencePiece *s)
{
    s->least = FLT_MAX;
    s->most = FLT_MIN;
    for (size_t i = 0; i < s->count; i++) {
        if (s->piece[i].kind != PIECE_NORMAL) continue;
        s->least = fminf(s->least, s->piece[i].score);
        s->most = fmaxf(s->most, s->piece[i].score);
    }
}

/* Builds the set of all pieces of some kinds, a set of bits. */
static int build_prefixes(const SentencePiece *s, Prefixes *prefixes, unsigned kinds, Err *e)
{
    SCOPED(xfree_at) PrefixString *string = xmalloc(s->count, sizeof *string);
    size_t count = 0;
    int twice;
    for (int id = 0; id < (int)s->count; id++)
        if (kinds >> s->piece[id].kind & 1)
            string[count++] = (PrefixString){ piece_text(s, id), id };
    if (!prefixes_build(prefixes, string, count, &twice)) return 0;
    return err(e, "its piece '%.60s' occurs twice", sentencepiece_piece(s, twice));
}

SentencePiece *sentencepiece_new(const void *bytes, size_t size, Err *e)
{
    enum { MOST_BYTES = 256 << 20 };        /* so that nodes of prefixes have numbers */
    SentencePiece *s = xcalloc(1, sizeof *s);
    s->model = MODEL_UNIGRAM;
    s->normaliser = (Normaliser){ .adds_blank = 1, .removes_blanks = 1, .escapes_blanks = 1 };
    s->unknown_text = slice_of(" \xE2\x81\x87 ");
    buf_clear(&s->bytes);
    if (size <= MOST_BYTES) buf_add(&s->bytes, bytes, size);
    if ((size > MOST_BYTES && err(e, "it is too large for a SentencePiece model"))
        || read_file(s, e) || find_special(s, e)
        || build_prefixes(s, &s->prefixes,
                          1u << PIECE_NORMAL | 1u << PIECE_USER_DEFINED | 1u << PIECE_UNUSED, e)
        || build_prefixes(s, &s->normaliser.symbols, 1u << PIECE_USER_DEFINED, e)) {
        sentencepiece_free(s);
        return NULL;
    }
    read_scores(s);
    return s;
}
