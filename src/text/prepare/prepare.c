/* prepare.c - the words of a line and their usual forms, which of them are copied, and the way back. */
#include "text/prepare/prepare.h"

#include "base/mem.h"
#include "text/prepare/truecase.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

void prepared_free(Prepared *p)
{
    words_free(&p->words);
    copies_free(&p->copies);
}

/* ---- Words ---- */

/* What is written for a typographic variant; 0: the character stays. */
static char plain_mark(int32_t point)
{
    switch (point) {
    case 0x2018: case 0x2019: case 0x201B: case 0x02BC: case 0x2032: return '\'';
    case 0x201C: case 0x201D: case 0x201E: case 0x201F: case 0x2033: return '"';
    case 0x2010: case 0x2011: case 0x2012: case 0x2013: case 0x2014: case 0x2015: case 0x2212: return '-';
    default: return 0;
    }
}

void plain_marks(const char *text, size_t length, Buf *out)
{
    for (const char *at = text, *end = text + length, *character; (character = at) < end;) {
        const char plain = plain_mark(unicode_next(&at));
        if (plain) buf_putc(out, plain);
        else buf_add(out, character, (size_t)(at - character));
    }
}

/* The length of a word's mark; 0: it is written on to the word before it. */
static size_t mark_at(const Words *words, size_t i)
{
    size_t length;
    const char *word = words_at(words, i, &length);
    return words_mark_length(word, length);
}

static Shape shape_at(const Words *words, size_t i)
{
    const PlainWord word = words_plain(words, i);
    return letter_case_shape(word.text, word.length);
}

/* A line on its way to the network. */
typedef struct {
    Language       language;
    Words          words;               /* as they stand */
    unsigned char *where;               /* (words.count) WordPlace of each */
    SentenceCase   whole;
    Buf            form;                /* of the last word asked for */
} Line;

/* Whether most capitalised words behind the first are no usual words in small letters: such a line is no
 * title but has many names (My friend Nguyen Van Minh is from Hanoi). */
static int has_many_names(const Line *line, const unsigned char *shape)
{
    size_t capitalised = 0, small = 0, first = 0;
    while (first < line->words.count && shape[first] <= SHAPE_UNCASED)
        first++;
    for (size_t i = first + 1; i < line->words.count; i++) {
        const PlainWord word = words_plain(&line->words, i);
        const char *usual = lexicon_usual(line->language.lexicon, word.text, word.length);
        capitalised += shape[i] == SHAPE_CAPITALISED;
        small += shape[i] == SHAPE_CAPITALISED && usual && letter_case_is_small(usual, strlen(usual));
    }
    return 2 * small < capitalised;
}

/* Finds where each word stands. */
static void find_places(Line *line)
{
    unsigned char *shape = xmalloc(line->words.count, 1);
    line->where = xmalloc(line->words.count, 1);
    for (size_t i = 0; i < line->words.count; i++)
        shape[i] = (unsigned char)shape_at(&line->words, i);
    line->whole = sentence_case(shape, line->words.count);
    if (line->whole == CASE_TITLE && has_many_names(line, shape)) line->whole = CASE_USUAL;
    truecase_places(line->whole, shape, line->words.count, line->where);
    free(shape);
}

static void line_free(Line *line)
{
    words_free(&line->words);
    buf_free(&line->form);
    free(line->where);
}

/* Word i as the network sees it, were it not copied, with its mark; valid until the next call. */
static const Buf *form_of(Line *line, size_t i)
{
    size_t length;
    const char *word = words_at(&line->words, i, &length), *cased = NULL;
    const size_t mark = words_mark_length(word, length);
    const Language *l = &line->language;
    Buf *form = &line->form;
    buf_clear(form);
    plain_marks(word, length, form);
    if (tokenizer_options(l->tokenizer)->truecase)
        cased = truecase_form(l->lexicon, form->text + mark, form->length - mark, (WordPlace)line->where[i]);
    if (!cased) return form;
    buf_clear(form);
    buf_add(form, word, mark);
    buf_puts(form, cased);
    return form;
}

static void add_form(Words *words, Line *line, size_t i)
{
    const Buf *form = form_of(line, i);
    words_add(words, form->text, form->length);
}

/* ---- Tags ---- */

/* Appends the words of a part of a line, which is at..end; returns whether a part behind it would be
 * glued to it. glued: it is glued itself if it begins without a blank. */
static int append_part(Words *words, const TextOptions *o, const char *at, const char *end, int glued)
{
    Words part = { 0 };
    if (at == end) return glued;
    const int is_glued = glued && words->count && !unicode_is_space(unicode_next(&(const char *){ at }));
    tokenizer_split(o, at, (size_t)(end - at), &part);
    for (size_t i = 0, length; i < part.count; i++) {
        const char *word = words_at(&part, i, &length);
        const size_t mark = !i && is_glued ? words_mark_length(word, length) : 0;
        words_add(words, word + mark, length - mark);
    }
    words_free(&part);
    return !unicode_is_space(unicode_before(at, end));
}

/* Cuts a line into its words, around tags that were taken out. word: (count) becomes the words before each. */
static void split_around(Line *line, const char *text, size_t length, const size_t *at, size_t *word,
                         size_t count)
{
    const TextOptions *o = tokenizer_options(line->language.tokenizer);
    size_t from = 0;
    int glued = 0;
    for (size_t k = 0; k < count; from = at[k++]) {
        glued = append_part(&line->words, o, text + from, text + at[k], glued);
        word[k] = line->words.count;
    }
    append_part(&line->words, o, text + from, text + length, glued);
}

/* ---- Copies ---- */

/* Whether the vocabulary has all letters of word i. */
static int is_spelled(Line *line, size_t i)
{
    const Buf *form = form_of(line, i);
    return tokenizer_knows_letters(line->language.tokenizer, form->text, form->length);
}

/* How word i is copied: as its form would be in training (train/data/examples.c), or as what no piece spells. */
static CopyKind copied_as(Line *line, size_t i)
{
    if (!tokenizer_options(line->language.tokenizer)->placeholders) return COPY_NEVER;
    if (!is_spelled(line, i)) return COPY_OTHER;
    const size_t mark = mark_at(&line->words, i), length = line->form.length - mark;
    const char *word = line->form.text + mark;
    return lexicon_knows(line->language.lexicon, word, length) ? COPY_NEVER : copy_kind(word, length);
}

/* Whether word i is copied with the word before it, which is copied: both are names, or nothing spells either and
 * no blank parts them. */
static int continues_copy(Line *line, size_t i)
{
    const Words *words = &line->words;
    if (!mark_at(words, i) && !is_spelled(line, i) && !is_spelled(line, i - 1)) return 1;
    return shape_at(words, i) > SHAPE_SMALL && shape_at(words, i - 1) > SHAPE_SMALL && copied_as(line, i) != COPY_NEVER;
}

static void add_placeholder(Words *words, size_t mark, int number, CopyKind kind)
{
    Buf word = { 0 };
    buf_add(&word, BLANK_MARK, mark);
    buf_puts(&word, placeholder_piece(placeholder_number(number, kind)));
    words_add(words, word.text, word.length);
    buf_free(&word);
}

/* Adds the placeholder of words [i, end), which are copied together. */
static void add_copy(Prepared *p, const Words *words, size_t i, size_t end, CopyKind kind)
{
    Buf text = { 0 };
    const char *first = words_plain(words, i).text, *stop = words->text.text + words->end[end - 1];
    words_join(first, (size_t)(stop - first), &text);
    add_placeholder(&p->words, mark_at(words, i), (int)p->copies.text.count, kind);
    copies_add(&p->copies, text.text, text.length, kind);
    buf_free(&text);
}

/* Adds word i, or the copy that begins there and ends at `stop` at the latest; returns the next word. */
static size_t add_word(Prepared *p, Line *line, size_t i, size_t stop)
{
    const CopyKind kind = p->copies.text.count < COPIES_MOST ? copied_as(line, i) : COPY_NEVER;
    size_t end = i + 1;
    while (kind != COPY_NEVER && end < stop && continues_copy(line, end))
        end++;
    if (kind == COPY_NEVER) add_form(&p->words, line, i);
    else add_copy(p, &line->words, i, end, kind);
    return end;
}

/* Adds the words of a line; the places of tags become those among them. */
static void add_words(Prepared *p, Line *line, size_t *place, size_t places)
{
    const size_t count = line->words.count;
    for (size_t i = 0, k = 0; i < count || k < places;) {
        if (k < places && place[k] == i) place[k++] = p->words.count;
        else i = add_word(p, line, i, k < places ? place[k] : count);
    }
}

/* ---- Source ---- */

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

/* A sentence in capitals whose words are all usual so (NATO!) is no such sentence. */
static int is_in_capitals(Line *line)
{
    for (size_t i = 0, length; i < line->words.count && line->whole == CASE_CAPITALS; i++) {
        const char *word = words_at(&line->words, i, &length);
        const Buf *form = form_of(line, i);
        if (form->length != length || memcmp(form->text, word, length) != 0) return 1;
    }
    return 0;
}

void prepare_source_around(Prepared *p, Language language, const char *text, size_t length,
                           const size_t *at, size_t *word, size_t count)
{
    const TextOptions *o = tokenizer_options(language.tokenizer);
    Line line = { .language = language };
    if (count) split_around(&line, text, length, at, word, count);
    else tokenizer_split(o, text, length, &line.words);
    find_places(&line);
    copies_clear(&p->copies);
    words_clear(&p->words);
    add_words(p, &line, word, count);
    p->output = CASE_AS_WRITTEN;
    if (o->truecase) p->output = is_in_capitals(&line) ? CASE_ALL_CAPITALS : prepare_case_of(text, length);
    line_free(&line);
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
static size_t matched_end(const Words *words, size_t i, const char *copy)
{
    for (size_t end = i; end < words->count; end++) {
        const PlainWord word = words_plain(words, end);
        if (end > i && mark_at(words, end) && *copy++ != ' ') return i;
        if (strncmp(copy, word.text, word.length) != 0) return i;
        copy += word.length;
        if (!*copy) return end + 1;
    }
    return i;
}

/* The copy that begins at word i and is not used yet (a bit of `used` each), or -1; *end: where it ends. */
static int copy_at(const Copies *copies, unsigned used, const Words *words, size_t i, size_t *end)
{
    for (int k = 0; k < (int)copies->text.count; k++) {
        if (used >> k & 1) continue;
        *end = matched_end(words, i, copies_at(copies, k));
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
    Line line = { .language = language };
    unsigned used = 0;
    tokenizer_split(tokenizer_options(language.tokenizer), text, length, &line.words);
    find_places(&line);
    words_clear(words);
    for (size_t i = 0, end = 0; i < line.words.count; i = end) {
        const int copy = copy_at(copies, used, &line.words, i, &end);
        if (copy < 0) {
            add_form(words, &line, i);
            end = i + 1;
            continue;
        }
        add_placeholder(words, mark_at(&line.words, i), copy, (CopyKind)copies->kind[copy]);
        used |= 1u << copy;
    }
    line_free(&line);
}

/* ---- Output ---- */

static void add_in_case(const char *text, size_t length, OutputCase output, const char *language, Buf *out)
{
    if (output == CASE_ALL_CAPITALS) letter_case_capitals(text, length, language, out);
    else if (output == CASE_FIRST_CAPITAL) letter_case_capitalised(text, length, language, out);
    else buf_add(out, text, length);
}

void prepare_output(const char *text, OutputCase output, const char *language, const char *const *copies,
                    size_t count, Buf *out)
{
    size_t copy = 0;
    for (;;) {
        const char *sign = strchr(text, COPY_SIGN);
        const size_t length = sign ? (size_t)(sign - text) : strlen(text);
        add_in_case(text, length, output, language, out);
        if (!sign || copy == count) return;
        buf_puts(out, copies[copy++]);
        if (output == CASE_FIRST_CAPITAL) output = CASE_AS_WRITTEN;
        text = sign + 1;
    }
}
