/* copied_spans.c - a kind for each word, from the last to the first; then what goes together. */
#include "text/prepare/copied_spans.h"

#include "base/mem.h"
#include "text/unicode.h"
#include "text/verbatim/verbatim.h"
#include "text/word_match.h"

#include <stdlib.h>
#include <string.h>

/* Whether a word is a number without other signs than a point or a comma. */
static int is_plain_number(const char *word, size_t length)
{
    for (const char *at = word; at < word + length;) {
        const int32_t point = unicode_next(&at);
        if (!unicode_is_number(point) && point != '.' && point != ',') return 0;
    }
    return length > 0;
}

/* Whether a word is a symbol that is seldom seen, such as the sign of a currency. */
static int is_rare_symbol(const Lexicon *lexicon, const char *word, size_t length)
{
    return unicode_is_symbol(unicode_next(&(const char *){ word }))
           && lexicon_count(lexicon, word, length) < LEXICON_SELDOM;
}

/* Whether a word is an emoticon, an emoji or another sign without a letter, which all languages write alike,
 * however often training saw it. */
static int is_common_symbol(PlainWord word)
{
    const char *end = word.text + word.length;
    VerbatimKind kind;
    for (const char *at = word.text; at < end;)
        if (unicode_is_letter(unicode_next(&at))) return 0;
    return word.length && verbatim_end(word.text, word.text, end, &kind) == end && kind == VERBATIM_OTHER;
}

/* How word i is copied. It stays a word if the network knows it in its usual case; but no number of
 * digits alone, of which it may make another (2 h 30, half past two). An unknown word
 * in small letters is left to subwords, unless what is written on to it, which is copied as `next`
 * says, is copied: name[3]. */
static CopyKind copied_as(LineWords *line, size_t i, CopyKind next)
{
    const PlainWord word = words_plain(&line->words, i);
    const CopyKind kind = copy_kind(word.text, word.length);
    if (kind == COPY_NUMBER && is_plain_number(word.text, word.length)) return kind;
    if (is_common_symbol(word)
        || lexicon_is_rare_name(line->language.lexicon, word.text, word.length))
        return COPY_OTHER;
    const Buf *form = line_words_form(line, i);
    if (!tokenizer_knows_letters(line->language.tokenizer, form->text, form->length))
        return COPY_OTHER;
    const size_t mark = words_mark_length(form->text, form->length);
    const char *text = form->text + mark;
    if (lexicon_knows(line->language.lexicon, text, form->length - mark))
        return is_rare_symbol(line->language.lexicon, text, form->length - mark) ? COPY_OTHER
                                                                                : COPY_NEVER;
    return kind == COPY_NEVER && word_is_glued(&line->words, i + 1) ? next : kind;
}

/* What is found of a line on the way: (words.count) of each. */
typedef struct {
    LineWords           *line;
    const unsigned char *is_cut;
    unsigned char       *kind;          /* CopyKind */
} Finder;

/* How each word is copied, from the last to the first. */
static void find_kinds(Finder *f)
{
    CopyKind next = COPY_NEVER;
    for (size_t i = f->line->words.count; i-- > 0;) {
        next = copied_as(f->line, i, next);
        f->kind[i] = (unsigned char)next;
    }
}

/* Whether word i has capitals, and not its first letter alone. */
static int is_code(const Words *words, size_t i)
{
    const Shape shape = word_shape_at(words, i);
    return shape > SHAPE_SMALL && shape != SHAPE_CAPITALISED;
}

/* Keys that are pressed together are copied with the first (Ctrl+C), and capitals with & between them
 * together: AT&T. */
static void find_joined(Finder *f)
{
    const Words *words = &f->line->words;
    for (size_t i = 2; i < words->count; i++) {
        if (!word_is_glued(words, i) || !word_is_glued(words, i - 1)) continue;
        const int is_key = word_is(words, i - 1, "+") && f->kind[i - 2] != COPY_NEVER;
        const int is_name = word_is(words, i - 1, "&") && is_code(words, i) && is_code(words, i - 2);
        if (is_key || is_name) f->kind[i - 1] = f->kind[i] = COPY_OTHER;
        if (is_name) f->kind[i - 2] = COPY_OTHER;
    }
}

static void add_span(CopiedSpans *spans, CopiedSpan span)
{
    spans->span = grow(spans->span, &spans->capacity, spans->count + 1, sizeof *spans->span);
    spans->span[spans->count++] = span;
}

static int has_capitals(const Words *words, size_t i)
{
    return word_shape_at(words, i) > SHAPE_SMALL;
}

/* Whether words i and i + 1 are parts of one number (10 000), or numbers one after another. */
static int are_numbers(const Words *words, size_t i)
{
    return word_is_number(words, i) && word_is_number(words, i + 1);
}

/* Whether word i + 1 is copied together with word i, which is copied: it is written on to it, or
 * both are names or numbers. */
static int continues_copy(const Finder *f, size_t i)
{
    const Words *words = &f->line->words;
    if (i + 1 == words->count || f->kind[i + 1] == COPY_NEVER || f->is_cut[i + 1]) return 0;
    return word_is_glued(words, i + 1) || are_numbers(words, i)
        || (has_capitals(words, i) && has_capitals(words, i + 1));
}

/* The words that are copied together from word i on, as far as a span may reach. */
static CopiedSpan span_from(const Finder *f, size_t i)
{
    const Words *words = &f->line->words;
    size_t end = i + 1;
    while (continues_copy(f, end - 1) && words->end[end] - words->end[i] <= SPAN_BYTES)
        end++;
    const int is_number = (end == i + 1 || are_numbers(words, i)) && word_is_number(words, end - 1);
    return (CopiedSpan){ .first = i, .end = end, .kind = is_number ? (CopyKind)f->kind[i] : COPY_OTHER };
}

static void add_spans(CopiedSpans *spans, const Finder *f)
{
    for (size_t i = 0; i < f->line->words.count; i++) {
        if (f->kind[i] == COPY_NEVER) continue;
        const CopiedSpan span = span_from(f, i);
        add_span(spans, span);
        i = span.end - 1;
    }
}

void copied_spans_find(CopiedSpans *spans, LineWords *line, const unsigned char *is_cut)
{
    if (!tokenizer_options(line->language.tokenizer)->placeholders) return;
    Finder f = { .line = line, .is_cut = is_cut, .kind = xcalloc(line->words.count, 1) };
    find_kinds(&f);
    find_joined(&f);
    add_spans(spans, &f);
    free(f.kind);
}
