/* sentencepiece.c - see sentencepiece.h: the two ways to cut a normalised line, and the line of
 * some pieces. */
#include "text/tokenizer/sentencepiece_file.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <limits.h>
#include <string.h>

/* ---- Pieces of a line that are found one after another ---- */

typedef struct {
    const SentencePiece *s;
    Ids                 *ids;       /* or NULL */
    Words               *words;     /* or NULL */
    Slice                unknown;   /* text that no piece has yet; empty: none */
} Found;

static void add_piece(Found *f, int id, Slice text)
{
    if (f->ids) ids_add(f->ids, id);
    if (f->words) words_add(f->words, text);
}

static void end_unknown(Found *f)
{
    if (f->unknown.length) add_piece(f, f->s->unknown, f->unknown);
    f->unknown.length = 0;
}

/* Adds a part of the line as a piece. Unknown ones in a row are one, or their bytes. */
static void add_part(Found *f, int id, Slice text)
{
    const SentencePiece *s = f->s;
    if (id != s->unknown) {
        end_unknown(f);
        add_piece(f, id, text);
    } else if (!s->has_bytes) {
        const char *end = text.text + text.length;
        f->unknown = f->unknown.length ? slice_between(f->unknown.text, end) : text;
    } else {
        for (size_t i = 0; i < text.length; i++) {
            const int byte = s->of_byte[(unsigned char)text.text[i]];
            add_piece(f, byte, piece_text(s, byte));
        }
    }
}

/* ---- Unigram: the pieces of the greatest probability ---- */

/* The best way to cut the text before a place. */
typedef struct {
    float score;                    /* its log-probability */
    int   id, from;                 /* its last piece; -1: no piece ends here */
    int   to;                       /* on the best path: where the piece that begins here ends */
} Place;

/* The sum is taken in double precision and kept in single, as SentencePiece does; of equals the
 * first stays. */
static void offer(Place *to, int from, int id, double score)
{
    if (to->from < 0 || score > to->score) *to = (Place){ (float)score, id, from, 0 };
}

static double unigram_score(const SentencePiece *s, int id)
{
    const Piece *p = &s->piece[id];
    return p->kind == PIECE_USER_DEFINED ? (double)((float)p->length * s->most) - 0.1
                                         : (double)p->score;
}

/* The bytes of the character at a place. */
static size_t character_length(const char *at)
{
    return unicode_character(&at).length;
}

/* Offers all pieces that begin at a place; returns the bytes of the character there. */
static size_t offer_pieces(const SentencePiece *s, Slice text, size_t at, Place *place)
{
    const float unknown = s->least - 10;        /* the score of a character that no piece is */
    const size_t one = character_length(text.text + at);
    int has_one = 0, node = 0;
    for (size_t to = at; s->prefixes.count && to < text.length;) {
        node = prefixes_step(&s->prefixes, node, (unsigned char)text.text[to++]);
        if (node < 0) break;
        const int id = s->prefixes.node[node].value;
        if (id < 0 || s->piece[id].kind == PIECE_UNUSED) continue;
        offer(&place[to], (int)at, id, unigram_score(s, id) + (double)place[at].score);
        has_one |= to - at == one;
    }
    if (!has_one) offer(&place[at + one], (int)at, s->unknown, (double)(unknown + place[at].score));
    return one;
}

static void cut_unigram(const SentencePiece *s, Slice text, Found *found)
{
    SCOPED(xfree_at) Place *place = xmalloc(text.length + 1, sizeof *place);
    for (size_t i = 0; i <= text.length; i++)
        place[i].from = -1;
    place[0].score = 0;
    for (size_t at = 0; at < text.length;)
        at += offer_pieces(s, text, at, place);
    for (int at = (int)text.length; at > 0; at = place[at].from)
        place[place[at].from].to = at;
    for (size_t at = 0, to; at < text.length; at = to) {
        to = (size_t)place[at].to;
        add_part(found, place[to].id, (Slice){ text.text + at, to - at });
    }
}

/* ---- BPE: the neighbours with the highest score are merged, again and again ---- */

/* A symbol of the line; one that was merged into its left neighbour has no bytes. */
typedef struct { size_t at, length; int before, behind, is_frozen; } Symbol;

/* Two neighbours that are a piece. They are no longer if their bytes are not `length`. */
typedef struct { float score; int left, right; size_t length; } Merge;

typedef struct {
    const SentencePiece *s;
    Slice   text;
    Symbol *symbol;
    size_t  symbols, symbol_capacity;
    Merge  *merge;                  /* a heap, the next one first */
    size_t  merges, merge_capacity;
    size_t *seam;                   /* (pieces) the left part of each that only merges may have, and
                                     * text may not, as it was put together last; NULL: there was
                                     * none */
} Merging;

static int is_sooner(const Merge *a, const Merge *b)
{
    return a->score > b->score || (a->score == b->score && a->left < b->left);
}

static void push(Merging *m, Merge merge)
{
    size_t i = m->merges++;
    m->merge = grow(m->merge, &m->merge_capacity, m->merges, sizeof *m->merge);
    for (; i && is_sooner(&merge, &m->merge[(i - 1) / 2]); i = (i - 1) / 2)
        m->merge[i] = m->merge[(i - 1) / 2];
    m->merge[i] = merge;
}

static Merge pop(Merging *m)
{
    const Merge first = m->merge[0], last = m->merge[--m->merges];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < m->merges; i = child) {
        if (child + 1 < m->merges && is_sooner(&m->merge[child + 1], &m->merge[child])) child++;
        if (!is_sooner(&m->merge[child], &last)) break;
        m->merge[i] = m->merge[child];
    }
    m->merge[i] = last;
    return first;
}

static void consider(Merging *m, int left, int right)
{
    if (left < 0 || right < 0 || m->symbol[left].is_frozen || m->symbol[right].is_frozen) return;
    const Slice text = { m->text.text + m->symbol[left].at,
                         m->symbol[left].length + m->symbol[right].length };
    const int id = prefixes_find(&m->s->prefixes, text);
    if (id < 0) return;
    push(m, (Merge){ m->s->piece[id].score, left, right, text.length });
    if (m->s->piece[id].kind != PIECE_UNUSED) return;
    if (!m->seam) m->seam = xcalloc(m->s->count, sizeof *m->seam);
    m->seam[id] = m->symbol[left].length;
}

static void take_symbols(Merging *m)
{
    for (size_t at = 0, length; at < m->text.length; at += length) {
        const Slice rest = { m->text.text + at, m->text.length - at };
        const size_t own = prefixes_longest(&m->s->normaliser.symbols, rest);
        const int number = (int)m->symbols++;
        length = own ? own : character_length(rest.text);
        m->symbol = grow(m->symbol, &m->symbol_capacity, m->symbols, sizeof *m->symbol);
        m->symbol[number] = (Symbol){ at, length, number - 1,
                                       at + length < m->text.length ? number + 1 : -1, own > 0 };
    }
}

static void merge_symbols(Merging *m)
{
    for (int i = 1; i < (int)m->symbols; i++)
        consider(m, i - 1, i);
    while (m->merges) {
        const Merge next = pop(m);
        Symbol *left = &m->symbol[next.left], *right = &m->symbol[next.right];
        if (!left->length || !right->length || left->length + right->length != next.length)
            continue;
        left->length = next.length;
        right->length = 0;
        left->behind = right->behind;
        if (left->behind >= 0) m->symbol[left->behind].before = next.left;
        consider(m, left->before, next.left);
        consider(m, next.left, left->behind);
    }
}

/* Adds a part of the line as its piece; one that is unused, as the two that it was made of. */
static void add_merged(const Merging *m, Slice text, Found *found)
{
    const int id = prefixes_find(&m->s->prefixes, text);
    const size_t left = m->seam && id >= 0 ? m->seam[id] : 0;
    if (left) {
        add_merged(m, (Slice){ text.text, left }, found);
        add_merged(m, (Slice){ text.text + left, text.length - left }, found);
    } else {
        add_part(found, id < 0 ? m->s->unknown : id, text);
    }
}

static void cut_bpe(const SentencePiece *s, Slice text, Found *found)
{
    Merging m = { .s = s, .text = text };
    take_symbols(&m);
    merge_symbols(&m);
    for (int i = 0; i >= 0; i = m.symbol[i].behind)
        add_merged(&m, (Slice){ text.text + m.symbol[i].at, m.symbol[i].length }, found);
    xfree(m.symbol);
    xfree(m.merge);
    xfree(m.seam);
}

void sentencepiece_encode(const SentencePiece *s, const char *line, size_t length, Ids *ids,
                          Words *words)
{
    SCOPED(buf_free) Buf text = { 0 };
    Found found = { .s = s, .ids = ids, .words = words };
    buf_clear(&text);
    normaliser_apply(&s->normaliser, (Slice){ line, length }, &text);
    if (text.length > INT_MAX / 2)
        die("a line is too long for SentencePiece: %zu bytes", text.length);
    if (text.length && s->model == MODEL_BPE) cut_bpe(s, buf_slice(&text), &found);
    else if (text.length) cut_unigram(s, buf_slice(&text), &found);
    end_unknown(&found);
}

/* ---- The line of some pieces ---- */

/* A line that is being written. */
typedef struct {
    const SentencePiece *s;
    PieceText           *text;      /* (count) or NULL */
    Buf                 *out;
    size_t               start;     /* of the line in it */
    int                  is_begun;  /* a piece without text has begun the word that follows */
} Line;

/* Ends the text of piece i, which began at byte `from`. is_marked: it has a blank before it. */
static void end_piece(Line *line, size_t i, size_t from, int is_marked)
{
    const Buf *out = line->out;
    const int is_behind_blank = is_marked || from == line->start || out->text[from - 1] == ' ';
    const int begins = is_behind_blank && !line->is_begun;
    if (line->text) line->text[i] = (PieceText){ out->length, begins };
    if (begins || out->length > from)
        line->is_begun = out->length == from || out->text[out->length - 1] == ' ';
}

/* Adds the characters that the bytes of pieces [first, end) are; a byte that begins none is U+FFFD.
 * The text of a character is that of the last of its bytes. */
static void add_bytes(Line *line, const int *id, size_t first, size_t end)
{
    SCOPED(buf_free) Buf bytes = { 0 };
    for (size_t i = first; i < end; i++)
        buf_putc(&bytes, (char)line->s->piece[id[i]].byte);
    for (size_t i = first; i < end; i++) {
        const Slice rest = { bytes.text + (i - first), end - i };
        const size_t length = valid_character(rest);
        for (size_t k = 1; k < length; k++)
            end_piece(line, i++, line->out->length, 0);
        const size_t from = line->out->length;
        if (length) buf_add(line->out, rest.text, length);
        else buf_puts(line->out, REPLACEMENT_CHARACTER);
        end_piece(line, i, from, 0);
    }
}

/* Appends a text with blanks for U+2581. */
static void add_text(const char *text, Buf *out)
{
    for (const char *mark; (mark = strstr(text, WORD_MARK)); text = mark + WORD_MARK_LENGTH) {
        buf_add(out, text, (size_t)(mark - text));
        buf_putc(out, ' ');
    }
    buf_puts(out, text);
}

void sentencepiece_decode(const SentencePiece *s, const int *id, const char *const *piece,
                          size_t count, PieceText *text, Buf *out)
{
    const Normaliser *n = &s->normaliser;
    Line line = { .s = s, .text = text, .out = out, .start = out->length };
    int takes_blank = n->adds_blank || n->removes_blanks;   /* that was put before the line */
    buf_puts(out, "");
    for (size_t i = 0; i < count; i++) {
        const PieceKind kind = id[i] < 0 ? PIECE_NORMAL : s->piece[id[i]].kind;
        const size_t from = out->length;
        size_t end = i;
        while (end < count && id[end] >= 0 && s->piece[id[end]].kind == PIECE_BYTE) end++;
        if (end > i) {
            add_bytes(&line, id, i, end);
            i = end - 1;
            continue;
        }
        takes_blank &= out->length == line.start;
        const int is_marked = kind != PIECE_UNKNOWN
                              && !strncmp(piece[i], WORD_MARK, WORD_MARK_LENGTH);
        if (kind == PIECE_UNKNOWN && piece[i]) buf_puts(out, piece[i]);
        else if (kind == PIECE_UNKNOWN) buf_add(out, s->unknown_text.text, s->unknown_text.length);
        else if (kind != PIECE_CONTROL)
            add_text(piece[i] + (is_marked && takes_blank ? WORD_MARK_LENGTH : 0), out);
        if (is_marked && kind != PIECE_CONTROL) takes_blank &= n->removes_blanks;
        end_piece(&line, i, from, is_marked);
    }
}
