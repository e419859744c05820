/* mask.c - see mask.h. */
#include "text/mask.h"

#include "base/mem.h"
#include "text/letter_case.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

void masked_line_free(MaskedLine *m)
{
    words_free(&m->words);
    copies_free(&m->copies);
}

/* ---- One word ---- */

CopyKind mask_word(const TextOptions *o, const Lexicon *lexicon, const char *word, size_t length, WordPlace place, Buf *form,
                   int *is_known)
{
    const WordCore core = words_core(word, length);
    const size_t mark = (size_t)(core.text - word), joiner = length - mark - core.length;
    const char *cased = lexicon && o->truecase ? truecase_form(lexicon, core.text, core.length, place) : NULL;
    buf_clear(form);
    buf_add(form, word, mark);
    if (cased) buf_puts(form, cased);
    else buf_add(form, core.text, core.length);
    const size_t bytes = form->length - mark;
    buf_add(form, word + length - joiner, joiner);
    *is_known = !mark || !lexicon || lexicon_knows(lexicon, form->text + mark, bytes);
    return lexicon && o->placeholders ? lexicon_copied_as(lexicon, form->text + mark, bytes, place == PLACE_FIRST)
                                      : COPY_NEVER;
}

/* ---- The words of a line ---- */

/* A line on its way to the network. */
typedef struct {
    Language       language;
    Words          words;               /* as they stand */
    unsigned char *place, *kind;        /* (words.count) WordPlace; CopyKind as which each is proposed */
    SentenceCase   whole;
    Buf            form;                /* scratch */
    int            has_other_case;      /* a word is usually written in another case */
} Line;

static void find_places(Line *line)
{
    const size_t count = line->words.count;
    unsigned char *shape = xmalloc(count, 1);
    line->place = xmalloc(count, 1);
    for (size_t i = 0; i < count; i++) {
        const WordCore core = words_core_at(&line->words, i);
        shape[i] = (unsigned char)letter_case_shape(core.text, core.length);
    }
    line->whole = sentence_case(shape, count);
    truecase_places(line->whole, shape, count, line->place);
    xfree(shape);
}

/* Whether a word has characters that the vocabulary lacks. A run of a script without blanks is no word: it has none as long as
 * one of them is there. */
static int is_unwritten(const Tokenizer *t, WordCore core)
{
    const char *at = core.text, *end = core.text + core.length;
    const int script = unicode_script(unicode_next(&at));
    if (unicode_script_has_blanks(script)) return !tokenizer_writes(t, core.text, core.length);
    at = core.text;
    for (const char *character; at < end;) {
        character = at;
        unicode_next(&at);
        if (tokenizer_writes(t, character, (size_t)(at - character))) return 0;
    }
    return 1;
}

/* What a word is copied as that the vocabulary cannot write, which no word of training is. */
static CopyKind kind_of_unwritten(const Tokenizer *t, const Buf *form)
{
    const WordCore core = words_core(form->text, form->length);
    if (core.text == form->text || !core.length || !is_unwritten(t, core)) return COPY_NEVER;
    return copy_class(core.text, core.length, 0).kind;
}

/* Makes line->form that of word i; returns what the word is proposed to be copied as. */
static CopyKind find_form(Line *line, size_t i)
{
    size_t length;
    int is_known;
    const Language l = line->language;
    const char *word = words_at(&line->words, i, &length);
    const CopyKind kind = mask_word(tokenizer_options(l.tokenizer), l.lexicon, word, length, (WordPlace)line->place[i],
                                    &line->form, &is_known);
    if (!is_known && kind != COPY_NEVER) return kind;
    return tokenizer_options(l.tokenizer)->placeholders && l.lexicon ? kind_of_unwritten(l.tokenizer, &line->form) : COPY_NEVER;
}

static void propose(Line *line)
{
    line->kind = xmalloc(line->words.count, 1);
    for (size_t i = 0; i < line->words.count; i++) {
        size_t length;
        const char *word = words_at(&line->words, i, &length);
        line->kind[i] = (unsigned char)find_form(line, i);
        line->has_other_case |= line->form.length != length || memcmp(line->form.text, word, length) != 0;
    }
}

static void line_free(Line *line)
{
    words_free(&line->words);
    buf_free(&line->form);
    xfree(line->place);
    xfree(line->kind);
}

/* Adds a placeholder in place of a word, with the word's joiner. */
static void add_placeholder(Words *words, const char *word, size_t length, int placeholder)
{
    const size_t joiner = words_joiner_length(word, length);
    buf_puts(&words->text, WORD_MARK);
    buf_puts(&words->text, placeholder_piece(placeholder));
    words_add(words, word + length - joiner, joiner);
}

/* Adds word i of the source, or its placeholder if one is left. */
static void add_source_word(MaskedLine *m, Line *line, size_t i)
{
    size_t length;
    const char *word = words_at(&line->words, i, &length);
    const CopyKind kind = (CopyKind)line->kind[i];
    const int placeholder = kind == COPY_NEVER ? -1 : copies_next(&m->copies, kind);
    if (placeholder < 0) {
        find_form(line, i);
        words_add(&m->words, line->form.text, line->form.length);
        return;
    }
    const WordCore core = words_core(word, length);
    add_placeholder(&m->words, word, length, placeholder);
    copies_add(&m->copies, core.text, core.length, kind);
}

/* A sentence in capitals whose words are all usual so (NATO!) is no such sentence. */
static OutputCase case_of(const Line *line, const char *text, size_t length)
{
    if (!tokenizer_options(line->language.tokenizer)->truecase) return CASE_AS_WRITTEN;
    return line->whole == CASE_CAPITALS && line->has_other_case ? CASE_ALL_CAPITALS : mask_case_of(text, length);
}

static void write_source(MaskedLine *m, Line *line, const char *text, size_t length)
{
    words_clear(&m->words);
    copies_clear(&m->copies);
    for (size_t i = 0; i < line->words.count; i++)
        add_source_word(m, line, i);
    m->output = case_of(line, text, length);
}

/* ---- Lines ---- */

void mask_line_around(MaskedLine *m, Language language, const char *text, size_t length, const size_t *at, size_t *word,
                      size_t count)
{
    Line line = { .language = language };
    tokenizer_split_source(tokenizer_options(language.tokenizer), text, length, at, word, count, &line.words);
    find_places(&line);
    propose(&line);
    write_source(m, &line, text, length);
    line_free(&line);
}

void mask_line(MaskedLine *m, Language language, const char *text, size_t length)
{
    mask_line_around(m, language, text, length, NULL, NULL, 0);
}

/* ---- Targets ---- */

/* Whether word i begins behind a mark, and is this text. */
static int is_word(const Words *words, size_t i, const char *text, size_t length)
{
    size_t bytes;
    const char *word = words_at(words, i, &bytes);
    const WordCore core = words_core(word, bytes);
    return core.text > word && core.length == length && !memcmp(core.text, text, length);
}

/* The copy that word i is, and that no word before it was, or -1. */
static int copy_at(const Words *words, size_t i, const Copies *copies, uint32_t used)
{
    for (int k = 0; k < (int)copies->text.count; k++) {
        const char *text = copies_at(copies, k);
        if (!(used >> k & 1) && is_word(words, i, text, strlen(text))) return k;
    }
    return -1;
}

static void write_target(Words *words, Line *line, const Copies *copies)
{
    uint32_t used = 0;
    words_clear(words);
    for (size_t i = 0; i < line->words.count; i++) {
        const int copy = copy_at(&line->words, i, copies, used);
        if (copy < 0) {
            find_form(line, i);
            words_add(words, line->form.text, line->form.length);
            continue;
        }
        size_t length;
        const char *word = words_at(&line->words, i, &length);
        add_placeholder(words, word, length, copies->placeholder[copy]);
        used |= UINT32_C(1) << copy;
    }
}

static Line target_of(Language language, const char *text, size_t length)
{
    Line line = { .language = language };
    tokenizer_split(tokenizer_options(language.tokenizer), text, length, &line.words);
    find_places(&line);
    return line;
}

void mask_target(Words *words, Language language, const char *text, size_t length, const Copies *copies)
{
    Line line = target_of(language, text, length);
    write_target(words, &line, copies);
    line_free(&line);
}

/* ---- Pairs ---- */

/* Takes the proposals back that the target lacks: each of its words serves one. */
static void keep_shared(Line *source, const Line *target)
{
    unsigned char *used = xcalloc(target->words.count, 1);
    for (size_t i = 0; i < source->words.count; i++) {
        if (source->kind[i] == COPY_NEVER) continue;
        const WordCore core = words_core_at(&source->words, i);
        size_t k = 0;
        while (k < target->words.count && (used[k] || !is_word(&target->words, k, core.text, core.length)))
            k++;
        if (k == target->words.count) source->kind[i] = COPY_NEVER;
        else used[k] = 1;
    }
    xfree(used);
}

void mask_pair(MaskedLine *m, Words *words, Language source, Language target, const char *text, const char *translation)
{
    const size_t length = strlen(text);
    Line one = { .language = source }, other = target_of(target, translation, strlen(translation));
    tokenizer_split_source(tokenizer_options(source.tokenizer), text, length, NULL, NULL, 0, &one.words);
    find_places(&one);
    propose(&one);
    keep_shared(&one, &other);
    write_source(m, &one, text, length);
    write_target(words, &other, &m->copies);
    line_free(&one);
    line_free(&other);
}

/* ---- Output ---- */

/* The letters of an ordinal say nothing: 1st, wash your hands. */
OutputCase mask_case_of(const char *line, size_t length)
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

static void add_in_case(const char *text, size_t length, OutputCase output, const char *language, Buf *out)
{
    if (output == CASE_ALL_CAPITALS) letter_case_capitals(text, length, language, out);
    else if (output == CASE_FIRST_CAPITAL) letter_case_capitalised(text, length, language, out);
    else buf_add(out, text, length);
}

static int has_letter(const char *at, const char *end)
{
    while (at < end)
        if (unicode_is_letter(unicode_next(&at))) return 1;
    return 0;
}

void mask_output(const char *text, size_t length, OutputCase output, const char *language, const CopiedBytes *copied,
                 size_t count, Buf *out)
{
    size_t at = 0;
    for (size_t k = 0; k < count && copied[k].end <= length; k++) {
        add_in_case(text + at, copied[k].start - at, output, language, out);
        buf_add(out, text + copied[k].start, copied[k].end - copied[k].start);
        if (output == CASE_FIRST_CAPITAL && has_letter(text + at, text + copied[k].end)) output = CASE_AS_WRITTEN;
        at = copied[k].end;
    }
    add_in_case(text + at, length - at, output, language, out);
}
