/* line_words.c - see line_words.h. */
#include "text/prepare/line_words.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

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

void plain_marks(const char *text, size_t length, Buf *out)
{
    for (const char *at = text, *end = text + length; at < end;) {
        const char *character = at;
        const char plain = plain_mark(unicode_next(&at));
        if (plain) buf_putc(out, plain);
        else buf_add(out, character, (size_t)(at - character));
    }
}

void line_words_split(LineWords *line, Language language, const char *text, size_t length)
{
    *line = (LineWords){ .language = language };
    tokenizer_split(tokenizer_options(language.tokenizer), text, length, &line->words);
}

/* Whether most capitalised words behind the first are no usual words in small letters: such a line is no
 * title but has many names (My friend Nguyen Van Minh is from Hanoi). */
static int has_many_names(const LineWords *line, const unsigned char *shape)
{
    const Lexicon *lexicon = line->language.lexicon;
    size_t capitalised = 0, small = 0, first = 0;
    while (first < line->words.count && shape[first] <= SHAPE_UNCASED)
        first++;
    for (size_t i = first + 1; i < line->words.count && lexicon; i++) {
        const PlainWord word = words_plain(&line->words, i);
        const char *usual = lexicon_usual(lexicon, word.text, word.length);
        capitalised += shape[i] == SHAPE_CAPITALISED;
        small += shape[i] == SHAPE_CAPITALISED && usual && letter_case_is_small(usual, strlen(usual));
    }
    return 2 * small < capitalised;
}

void line_words_settle(LineWords *line)
{
    unsigned char *shape = xmalloc(line->words.count, 1);
    line->where = xmalloc(line->words.count, 1);
    for (size_t i = 0; i < line->words.count; i++) {
        const PlainWord word = words_plain(&line->words, i);
        shape[i] = (unsigned char)letter_case_shape(word.text, word.length);
    }
    line->whole = sentence_case(shape, line->words.count);
    if (line->whole == CASE_TITLE && has_many_names(line, shape)) line->whole = CASE_USUAL;
    truecase_places(line->whole, shape, line->words.count, line->where);
    free(shape);
}

void line_words_free(LineWords *line)
{
    words_free(&line->words);
    buf_free(&line->form);
    free(line->where);
}

Buf *line_words_form(LineWords *line, size_t i)
{
    size_t length;
    const char *word = words_at(&line->words, i, &length);
    const size_t mark = words_mark_length(word, length);
    const Language *l = &line->language;
    Buf *form = &line->form;
    buf_clear(form);
    plain_marks(word, length, form);
    if (!tokenizer_options(l->tokenizer)->truecase) return form;
    const char *cased = truecase_form(l->lexicon, form->text + mark, form->length - mark,
                                      (WordPlace)line->where[i]);
    if (!cased) return form;
    buf_clear(form);
    buf_add(form, word, mark);
    buf_puts(form, cased);
    return form;
}
