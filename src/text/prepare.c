/* prepare.c - see prepare.h. */
#include "text/prepare.h"

#include "base/mem.h"
#include "text/ascii.h"
#include "text/apostrophes.h"
#include "text/conjunctions.h"
#include "text/spelling.h"
#include "text/streets.h"
#include "text/titles.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

void prepared_free(Prepared *p)
{
    words_free(&p->words);
    copies_free(&p->copies);
    free(p->joined.number);
}

/* ---- Words ---- */

/* What is written for a typographic variant; 0: the character stays. */
static char plain_mark(int32_t point)
{
    switch (point) {
    case 0x2018: case 0x2019: case 0x201B: case 0x02BC: case 0x2032: return '\'';
    case 0x201C: case 0x201D: case 0x201E: case 0x201F: case 0x2033: return '"';
    case 0x2010: case 0x2011: case 0x2012: case 0x2013: case 0x2014: case 0x2015: case 0x2212:
        return '-';
    default: return 0;
    }
}

void prepare_plain(const char *text, size_t length, Buf *out)
{
    for (const char *at = text, *end = text + length; at < end;) {
        const char *character = at;
        const char plain = plain_mark(unicode_next(&at));
        if (plain) buf_putc(out, plain);
        else buf_add(out, character, (size_t)(at - character));
    }
}

/* The words of a line on their way to the network. */
typedef struct {
    Language       language;
    Words          words;           /* as they stand */
    unsigned char *where;           /* (words.count) WordPlace of each */
    unsigned char *kind;            /* (words.count) CopyKind of each; of sources only */
    SentenceCase   whole;
    Buf            form;            /* of the last word asked for */
    size_t        *place;           /* (places) words before each tag that was taken out, rising */
    size_t         places;
    unsigned char *is_cut;          /* (words.count) whether one stood before each; of sources only */
    unsigned char *goes_on;         /* (words.count) whether each goes on with the address of a house
                                     * or the couple of the word before it; of sources only */
    WordNumbers    joined;          /* as in Prepared; of sources only */
} Line;

static void find_word_places(Line *line)
{
    unsigned char *shape = xmalloc(line->words.count, 1);
    line->where = xmalloc(line->words.count, 1);
    for (size_t i = 0; i < line->words.count; i++) {
        const PlainWord word = words_plain(&line->words, i);
        shape[i] = (unsigned char)letter_case_shape(word.text, word.length);
    }
    line->whole = sentence_case(shape, line->words.count);
    truecase_places(shape, line->words.count, line->where);
    free(shape);
}

static Line line_of(Language language, const char *text, size_t length)
{
    Line line = { .language = language };
    tokenizer_split(tokenizer_options(language.tokenizer), text, length, &line.words);
    find_word_places(&line);
    return line;
}

static void line_free(Line *line)
{
    words_free(&line->words);
    buf_free(&line->form);
    free(line->where);
    free(line->kind);
    free(line->is_cut);
    free(line->goes_on);
    free(line->joined.number);
}

/* Word i as the network would see it, were it not copied. */
static Buf *form_at(Line *line, size_t i)
{
    size_t length;
    const char *word = words_at(&line->words, i, &length);
    const size_t mark = words_mark_length(word, length);
    const Language *l = &line->language;
    Buf *form = &line->form;
    buf_clear(form);
    prepare_plain(word, length, form);
    if (!tokenizer_options(l->tokenizer)->truecase) return form;
    const char *cased = truecase_form(l->lexicon, form->text + mark, form->length - mark,
                                      (WordPlace)line->where[i]);
    if (!cased) return form;
    buf_clear(form);
    buf_add(form, word, mark);
    buf_puts(form, cased);
    return form;
}

/* ---- Source ---- */

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

static void split_around(Line *line, const char *text, size_t length, Places places)
{
    const TextOptions *o = tokenizer_options(line->language.tokenizer);
    size_t from = 0;
    int glued = 0;
    for (size_t k = 0; k < places.count; from = places.at[k++]) {
        glued = append_part(&line->words, o, text + from, text + places.at[k], glued);
        line->place[k] = line->words.count;
    }
    append_part(&line->words, o, text + from, text + length, glued);
}

/* Copies end where a tag was taken out. */
static void find_cuts(Line *line)
{
    line->is_cut = xcalloc(line->words.count, 1);
    for (size_t k = 0; k < line->places; k++)
        if (line->place[k] < line->words.count) line->is_cut[line->place[k]] = 1;
}

/* A line of the source; word: (places.count) becomes its places. */
static Line source_line(Language language, const char *text, size_t length, Places places,
                        size_t *word)
{
    Line line = { .language = language, .place = word, .places = places.count };
    if (places.count) split_around(&line, text, length, places);
    else tokenizer_split(tokenizer_options(language.tokenizer), text, length, &line.words);
    apostrophes_restore(language.lexicon, &line.words, line.place, line.places);
    conjunctions_spell(language.lexicon, &line.words, line.place, line.places, &line.joined);
    find_cuts(&line);
    find_word_places(&line);
    return line;
}

/* The same without an obvious typing error. A capitalised word may be a name: only a frequent word
 * is likelier. */
static Buf *source_form_at(Line *line, size_t i)
{
    enum { FREQUENT = 64, SEEN_TWICE = 2 };
    const Lexicon *lexicon = line->language.lexicon;
    Buf *form = form_at(line, i), small = { 0 };
    const size_t mark = words_mark_length(form->text, form->length);
    const char *word = form->text + mark;
    const size_t length = form->length - mark;
    if (!length || lexicon_knows(lexicon, word, length)) return form;
    const Shape shape = letter_case_shape(word, length);
    if (shape <= SHAPE_UNCASED || (line->where[i] == PLACE_INSIDE && shape != SHAPE_SMALL))
        return form;
    letter_case_small(word, length, &small);
    form->length = mark;
    if (!spelling_correct(lexicon, small.text, small.length,
                          shape == SHAPE_SMALL ? SEEN_TWICE : FREQUENT, form))
        form_at(line, i);
    buf_free(&small);
    return form;
}

/* Whether word i is written on to the word before it. */
static int is_glued(const Line *line, size_t i)
{
    size_t length;
    if (i == 0 || i == line->words.count) return 0;
    const char *word = words_at(&line->words, i, &length);
    return !words_mark_length(word, length);
}

static int is_digits(const char *word, size_t length)
{
    for (const char *at = word; at < word + length;)
        if (!unicode_is_number(unicode_next(&at))) return 0;
    return length > 0;
}

enum { SELDOM = 8 };        /* what training saw so often, the network knows */

/* Whether word i is a unit of measure that is seldom seen: consonants behind a number (3 kg). */
static int is_rare_unit(const Line *line, size_t i)
{
    enum { LONGEST = 4 };
    const PlainWord word = words_plain(&line->words, i), number = words_plain(&line->words, i - 1);
    if (!i || !word.length || word.length > LONGEST) return 0;
    for (const char *at = word.text; at < word.text + word.length; at++)
        if (!ascii_is_lower(*at) || strchr("aeiouy", *at)) return 0;
    return copy_kind(number.text, number.length) == COPY_NUMBER
           && lexicon_count(line->language.lexicon, word.text, word.length) < SELDOM;
}

/* Whether words i and i + 1 are a scale of temperature: °C. */
static int is_scale(const Line *line, size_t i)
{
    const PlainWord degree = words_plain(&line->words, i), letter = words_plain(&line->words, i + 1);
    return degree.length == strlen("°") && !memcmp(degree.text, "°", degree.length)
           && is_glued(line, i + 1) && letter.length == 1 && strchr("CFK", *letter.text);
}

/* Whether a word is a symbol that is seldom seen, such as the sign of a currency. */
static int is_rare_symbol(const Lexicon *lexicon, const char *word, size_t length)
{
    return unicode_is_symbol(unicode_next(&(const char *){ word }))
           && lexicon_count(lexicon, word, length) < SELDOM;
}

/* Whether word i is a title that is copied, or a name behind one. */
static int is_titled(const Line *line, size_t i)
{
    const Lexicon *lexicon = line->language.lexicon;
    const PlainWord word = words_plain(&line->words, i);
    return title_is_copied(lexicon, word, words_plain(&line->words, i + 1))
           || (i && title_makes_name(lexicon, words_plain(&line->words, i - 1), word));
}

/* How word i is copied. It stays a word if the network knows it in its usual case; but no number of
 * digits alone, which it may take for another (2 h 30, half past two). An unknown word
 * in small letters is left to subwords, unless what is written on to it, which is copied as `next`
 * says, is copied: name[3]. */
static CopyKind copied_as(Line *line, size_t i, CopyKind next)
{
    const PlainWord word = words_plain(&line->words, i);
    const CopyKind kind = copy_kind(word.text, word.length);
    if (!tokenizer_options(line->language.tokenizer)->placeholders) return COPY_NEVER;
    if (kind == COPY_NUMBER && is_digits(word.text, word.length)) return kind;
    if (is_rare_unit(line, i) || is_titled(line, i)) return COPY_OTHER;
    if (is_scale(line, i) || (i && is_scale(line, i - 1))) return COPY_OTHER;
    const Buf *form = source_form_at(line, i);
    if (!tokenizer_knows_letters(line->language.tokenizer, form->text, form->length))
        return COPY_OTHER;
    const size_t mark = words_mark_length(form->text, form->length);
    const char *text = form->text + mark;
    if (lexicon_knows(line->language.lexicon, text, form->length - mark))
        return is_rare_symbol(line->language.lexicon, text, form->length - mark) ? COPY_OTHER
                                                                                : COPY_NEVER;
    return kind == COPY_NEVER && is_glued(line, i + 1) ? next : kind;
}

/* How each word is copied, from the last to the first. */
static void find_kinds(Line *line)
{
    CopyKind next = COPY_NEVER;
    line->kind = xmalloc(line->words.count, 1);
    for (size_t i = line->words.count; i-- > 0;) {
        next = copied_as(line, i, next);
        line->kind[i] = (unsigned char)next;
    }
}

/* Behind the address of a house or the couple that begins at word i; i: none does. */
static size_t whole_end(const Line *line, size_t i)
{
    const size_t end = street_end(&line->words, i, line->whole);
    return end > i ? end : title_couple_end(line->language.lexicon, &line->words, i);
}

/* Addresses of houses, and couples, are copied as a whole. */
static void find_wholes(Line *line)
{
    line->goes_on = xcalloc(line->words.count, 1);
    if (!tokenizer_options(line->language.tokenizer)->placeholders) return;
    for (size_t i = 0, end; i < line->words.count; i = end > i ? end : i + 1) {
        end = whole_end(line, i);
        for (size_t k = i; k < end; k++) {
            line->kind[k] = COPY_OTHER;
            line->goes_on[k] = k > i;
        }
    }
}

/* Whether word i has capitals. */
static int has_capitals(const Line *line, size_t i)
{
    const PlainWord word = words_plain(&line->words, i);
    return letter_case_shape(word.text, word.length) > SHAPE_SMALL;
}

/* Whether words i and i + 1 are parts of one number (10 000), or numbers one after another. */
static int are_numbers(const Line *line, size_t i)
{
    const PlainWord one = words_plain(&line->words, i), other = words_plain(&line->words, i + 1);
    return copy_kind(one.text, one.length) == COPY_NUMBER
           && copy_kind(other.text, other.length) == COPY_NUMBER;
}

/* Whether word i + 1 is copied together with word i, which is copied: it is written on to it, or
 * both are names or numbers. */
static int continues_copy(const Line *line, size_t i)
{
    if (line->kind[i + 1] == COPY_NEVER || line->is_cut[i + 1]) return 0;
    return line->goes_on[i + 1] || is_glued(line, i + 1) || are_numbers(line, i)
        || (has_capitals(line, i) && has_capitals(line, i + 1));
}

/* Behind the words that are copied together from word i on. */
static size_t copy_end(const Line *line, size_t i)
{
    while (i + 1 < line->words.count && continues_copy(line, i))
        i++;
    return i + 1;
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

/* Adds word i, or the placeholder of the words that are copied from there on; returns the next
 * word. */
static size_t add_source(Prepared *p, Line *line, size_t i)
{
    const CopyKind kind = p->copies.text.count < COPIES_MOST ? line->kind[i] : COPY_NEVER;
    if (kind == COPY_NEVER) {
        const Buf *form = source_form_at(line, i);
        words_add(&p->words, form->text, form->length);
        return i + 1;
    }
    const size_t end = copy_end(line, i);
    Buf text = { 0 };
    const size_t mark = join(&line->words, i, end, &text);
    const int is_number = end == i + 1 || are_numbers(line, i);
    const CopyKind whole = is_number ? kind : COPY_OTHER;
    add_placeholder(&p->words, mark, (int)p->copies.text.count, whole);
    copies_add(&p->copies, text.text, text.length, whole);
    buf_free(&text);
    return end;
}

OutputCase prepare_case_of(const char *line, size_t length)
{
    for (const char *at = line; at < line + length;) {
        const int32_t point = unicode_next(&at);
        if (unicode_is_lower(point)) return CASE_AS_WRITTEN;
        if (unicode_lower(point) != point) break;
    }
    return CASE_FIRST_CAPITAL;
}

/* A sentence in capitals whose words are all usual so (NATO!) is no such sentence. */
static int is_in_capitals(Line *line)
{
    if (line->whole != CASE_CAPITALS) return 0;
    for (size_t i = 0, length; i < line->words.count; i++) {
        const char *word = words_at(&line->words, i, &length);
        const Buf *form = form_at(line, i);
        if (form->length != length || memcmp(form->text, word, length)) return 1;
    }
    return 0;
}

/* Adds the words of a line; its places become those among them. */
static void add_words(Prepared *p, Line *line)
{
    size_t k = 0, m = 0;
    p->joined.count = 0;
    for (size_t i = 0; i < line->words.count;) {
        for (; k < line->places && line->place[k] == i; k++)
            line->place[k] = p->words.count;
        for (; m < line->joined.count && line->joined.number[m] <= i; m++)
            if (line->joined.number[m] == i) word_numbers_add(&p->joined, p->words.count);
        i = add_source(p, line, i);
    }
    for (; k < line->places; k++)
        line->place[k] = p->words.count;
}

void prepare_source_around(Prepared *p, Language language, const char *text, size_t length,
                           const size_t *at, size_t *word, size_t count)
{
    Line line = source_line(language, text, length, (Places){ at, count }, word);
    copies_clear(&p->copies);
    words_clear(&p->words);
    find_kinds(&line);
    find_wholes(&line);
    add_words(p, &line);
    const int is_cased = tokenizer_options(language.tokenizer)->truecase;
    p->output = CASE_AS_WRITTEN;
    if (is_cased && is_in_capitals(&line)) p->output = CASE_ALL_CAPITALS;
    else if (is_cased) p->output = prepare_case_of(text, length);
    line_free(&line);
}

void prepare_source(Prepared *p, Language language, const char *text, size_t length)
{
    if (language.lexicon) {
        prepare_source_around(p, language, text, length, NULL, NULL, 0);
        return;
    }
    copies_clear(&p->copies);
    p->joined.count = 0;
    p->output = CASE_AS_WRITTEN;
    tokenizer_split(tokenizer_options(language.tokenizer), text, length, &p->words);
}

/* ---- Target ---- */

/* The end of the words from i on that are this text, or i. */
static size_t matched_end(const Words *words, size_t i, const char *copy, Buf *text)
{
    const size_t length = strlen(copy);
    for (size_t end = i + 1; end <= words->count; end++) {
        join(words, i, end, text);
        if (text->length < length) continue;
        return text->length == length && !memcmp(text->text, copy, length) ? end : i;
    }
    return i;
}

/* The copy that begins at word i and is not used yet, or -1; *end: where it ends. */
static int copy_at(const Copies *copies, unsigned used, const Words *words, size_t i, size_t *end)
{
    Buf text = { 0 };
    int found = -1;
    for (int k = 0; k < (int)copies->text.count && found < 0; k++) {
        if (used >> k & 1) continue;
        *end = matched_end(words, i, copies_at(copies, k), &text);
        if (*end > i) found = k;
    }
    buf_free(&text);
    return found;
}

void prepare_target(Words *words, Language language, const char *text, size_t length,
                    const Copies *copies)
{
    if (!language.lexicon) {
        tokenizer_split(tokenizer_options(language.tokenizer), text, length, words);
        return;
    }
    Line line = line_of(language, text, length);
    unsigned used = 0;
    words_clear(words);
    for (size_t i = 0, end = 0; i < line.words.count; i = end) {
        const int copy = copy_at(copies, used, &line.words, i, &end);
        if (copy >= 0) {
            size_t bytes;
            const char *word = words_at(&line.words, i, &bytes);
            add_placeholder(words, words_mark_length(word, bytes), copy,
                            (CopyKind)copies->kind[copy]);
            used |= 1u << copy;
        } else {
            const Buf *form = form_at(&line, i);
            words_add(words, form->text, form->length);
            end = i + 1;
        }
    }
    line_free(&line);
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
