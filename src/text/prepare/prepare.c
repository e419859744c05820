/* prepare.c - see prepare.h. */
#include "text/prepare/prepare.h"

#include "base/mem.h"
#include "text/prepare/copied_spans.h"
#include "text/unicode.h"
#include "text/word_match.h"

#include <stdlib.h>
#include <string.h>

void prepared_free(Prepared *p)
{
    words_free(&p->words);
    copies_free(&p->copies);
}

/* ---- Source ---- */

/* A line of the source on its way to the network. */
typedef struct {
    LineWords      line;
    size_t        *place;           /* (places) words before each tag that was taken out, rising */
    size_t         places;
    unsigned char *is_cut;          /* (words.count) whether one stood before each */
    CopiedSpans    copied;
} Source;

/* Appends words; glued: the first one is written on to the word before it. */
static void append(Words *words, const Words *more, int glued)
{
    for (size_t i = 0, length; i < more->count; i++) {
        const char *word = words_at(more, i, &length);
        const size_t mark = !i && glued && words->count ? words_mark_length(word, length) : 0;
        words_add(words, word + mark, length - mark);
    }
}

/* Appends the words of a part of a line, which is at..end; returns whether a part behind it would be
 * glued to it. glued: it is glued itself if it begins without a blank. */
static int append_part(Words *words, const TextOptions *o, const char *at, const char *end, int glued)
{
    Words part = { 0 };
    if (at == end) return glued;
    const char *next = at;
    tokenizer_split(o, at, (size_t)(end - at), &part);
    append(words, &part, glued && !unicode_is_space(unicode_next(&next)));
    words_free(&part);
    return !unicode_is_space(unicode_before(at, end));
}

/* Places in a line: bytes before each. */
typedef struct { const size_t *at; size_t count; } Places;

static void split_around(Source *s, const char *text, size_t length, Places places)
{
    Words *words = &s->line.words;
    const TextOptions *o = tokenizer_options(s->line.language.tokenizer);
    size_t from = 0;
    int glued = 0;
    for (size_t k = 0; k < places.count; from = places.at[k++]) {
        glued = append_part(words, o, text + from, text + places.at[k], glued);
        s->place[k] = words->count;
    }
    append_part(words, o, text + from, text + length, glued);
}

/* Copies end where a tag was taken out. */
static void find_cuts(Source *s)
{
    s->is_cut = xcalloc(s->line.words.count, 1);
    for (size_t k = 0; k < s->places; k++)
        if (s->place[k] < s->line.words.count) s->is_cut[s->place[k]] = 1;
}

/* word: (places.count) becomes its places. */
static Source source_of(Language language, const char *text, size_t length, Places places,
                        size_t *word)
{
    Source s = { .line = { .language = language }, .place = word, .places = places.count };
    if (places.count) split_around(&s, text, length, places);
    else line_words_split(&s.line, language, text, length);
    find_cuts(&s);
    line_words_settle(&s.line);
    copied_spans_find(&s.copied, &s.line, s.is_cut);
    return s;
}

static void source_free(Source *s)
{
    line_words_free(&s->line);
    free(s->is_cut);
    free(s->copied.span);
}

/* Appends the text of words [i, end) without the mark of the first; returns that mark's length. */
static size_t join(const Words *words, size_t i, size_t end, Buf *text)
{
    size_t length, last;
    const char *first = words_at(words, i, &length);
    const char *stop = words_at(words, end - 1, &last) + last;
    const size_t mark = words_mark_length(first, length);
    buf_clear(text);
    words_join(first + mark, (size_t)(stop - first) - mark, text);
    return mark;
}

static void add_placeholder(Words *words, size_t mark, int number, CopyKind kind)
{
    Buf word = { 0 };
    buf_add(&word, BLANK_MARK, mark);
    buf_puts(&word, placeholder_piece(placeholder_number(number, kind)));
    words_add(words, word.text, word.length);
    buf_free(&word);
}

/* Adds the placeholder of the words that are copied together. */
static void add_copy(Prepared *p, const LineWords *line, const CopiedSpan *span)
{
    Buf text = { 0 };
    const size_t mark = join(&line->words, span->first, span->end, &text);
    add_placeholder(&p->words, mark, (int)p->copies.text.count, span->kind);
    copies_add(&p->copies, text.text, text.length, span->kind);
    buf_free(&text);
}

/* The letters of an ordinal say nothing: 1st, wash your hands. */
OutputCase prepare_case_of(const char *line, size_t length)
{
    int is_behind_number = 0;
    for (const char *at = line; at < line + length;) {
        const int32_t point = unicode_next(&at);
        if (is_behind_number && unicode_is_letter(point)) break;
        is_behind_number = unicode_is_number(point);
        if (unicode_is_lower(point)) return CASE_AS_WRITTEN;
        if (unicode_lower(point) != point) break;
    }
    return CASE_FIRST_CAPITAL;
}

/* Whether word i of the line is usually written in another case. */
static int has_other_case(LineWords *line, size_t i)
{
    size_t length;
    const char *word = words_at(&line->words, i, &length);
    const Buf *form = line_words_form(line, i);
    return form->length != length || memcmp(form->text, word, length) != 0;
}

/* A sentence in capitals whose words are all usual so (NATO!) is no such sentence. */
static int is_in_capitals(Source *s)
{
    if (s->line.whole != CASE_CAPITALS) return 0;
    for (size_t i = 0; i < s->line.words.count; i++)
        if (has_other_case(&s->line, i)) return 1;
    return 0;
}

/* The span that begins at word i, or NULL; k: the first that is not passed. */
static const CopiedSpan *span_at(const Source *s, size_t k, size_t i)
{
    return k < s->copied.count && s->copied.span[k].first == i ? &s->copied.span[k] : NULL;
}

/* Adds word i, or the copy that begins there; returns the next word. */
static size_t add_word(Prepared *p, Source *s, const CopiedSpan *span, size_t i)
{
    if (span && p->copies.text.count < COPIES_MOST) {
        add_copy(p, &s->line, span);
        return span->end;
    }
    const Buf *form = line_words_form(&s->line, i);
    words_add(&p->words, form->text, form->length);
    return i + 1;
}

/* Adds the words of a line; its places become those among them. */
static void add_words(Prepared *p, Source *s)
{
    size_t k = 0, span = 0;
    for (size_t i = 0; i < s->line.words.count;) {
        for (; k < s->places && s->place[k] == i; k++)
            s->place[k] = p->words.count;
        const CopiedSpan *copied = span_at(s, span, i);
        span += copied != NULL;
        i = add_word(p, s, copied, i);
    }
    for (; k < s->places; k++)
        s->place[k] = p->words.count;
}

void prepare_source_around(Prepared *p, Language language, const char *text, size_t length,
                           const size_t *at, size_t *word, size_t count)
{
    Source source = source_of(language, text, length, (Places){ at, count }, word);
    copies_clear(&p->copies);
    words_clear(&p->words);
    add_words(p, &source);
    const int is_cased = tokenizer_options(language.tokenizer)->truecase;
    p->output = CASE_AS_WRITTEN;
    if (is_cased && is_in_capitals(&source)) p->output = CASE_ALL_CAPITALS;
    else if (is_cased) p->output = prepare_case_of(text, length);
    source_free(&source);
}

void prepare_source(Prepared *p, Language language, const char *text, size_t length)
{
    if (language.lexicon) {
        prepare_source_around(p, language, text, length, NULL, NULL, 0);
        return;
    }
    copies_clear(&p->copies);
    p->output = CASE_AS_WRITTEN;
    tokenizer_split(tokenizer_options(language.tokenizer), text, length, &p->words);
}

/* ---- Target ---- */

/* The end of the words from i on that are this text, or i. */
static size_t matched_end(const Words *words, size_t i, const char *copy, Buf *text)
{
    for (size_t end = i; end < words->count; end++) {
        const int has_blank = end > i && !word_is_glued(words, end);
        join(words, end, end + 1, text);
        if ((has_blank && *copy++ != ' ') || strncmp(copy, text->text, text->length) != 0) return i;
        copy += text->length;
        if (!*copy) return end + 1;
    }
    return i;
}

/* The copy that begins at word i and is not used yet (a bit of `used` each), or -1; *end: where it ends. */
static int copy_at(const Copies *copies, unsigned used, const Words *words, size_t i, size_t *end, Buf *text)
{
    for (int k = 0; k < (int)copies->text.count; k++) {
        if (used >> k & 1) continue;
        *end = matched_end(words, i, copies_at(copies, k), text);
        if (*end > i) return k;
    }
    return -1;
}

void prepare_target(Words *words, Language language, const char *text, size_t length,
                    const Copies *copies)
{
    if (!language.lexicon) {
        tokenizer_split(tokenizer_options(language.tokenizer), text, length, words);
        return;
    }
    LineWords line;
    Buf text_of_copy = { 0 };
    unsigned used = 0;
    line_words_split(&line, language, text, length);
    line_words_settle(&line);
    words_clear(words);
    for (size_t i = 0, end = 0; i < line.words.count; i = end) {
        const int copy = copy_at(copies, used, &line.words, i, &end, &text_of_copy);
        if (copy >= 0) {
            size_t bytes;
            const char *word = words_at(&line.words, i, &bytes);
            add_placeholder(words, words_mark_length(word, bytes), copy,
                            (CopyKind)copies->kind[copy]);
            used |= 1u << copy;
        } else {
            const Buf *form = line_words_form(&line, i);
            words_add(words, form->text, form->length);
            end = i + 1;
        }
    }
    buf_free(&text_of_copy);
    line_words_free(&line);
}

/* ---- Output ---- */

static void add_in_case(const char *text, size_t length, OutputCase output, Buf *out)
{
    if (output == CASE_ALL_CAPITALS) letter_case_capitals(text, length, out);
    else if (output == CASE_FIRST_CAPITAL) letter_case_capitalised(text, length, out);
    else buf_add(out, text, length);
}

void prepare_output(const char *text, OutputCase output, const char *const *copies, size_t count,
                    Buf *out)
{
    size_t copy = 0;
    for (;;) {
        const char *sign = strchr(text, COPY_SIGN);
        const size_t length = sign ? (size_t)(sign - text) : strlen(text);
        add_in_case(text, length, output, out);
        if (!sign || copy == count) return;
        buf_puts(out, copies[copy++]);
        if (output == CASE_FIRST_CAPITAL) output = CASE_AS_WRITTEN;
        text = sign + 1;
    }
}
