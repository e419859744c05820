/* mask.c - see mask.h. */
#include "text/mask.h"

#include "base/mem.h"
#include "text/sentences.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

void masked_line_free(MaskedLine *m)
{
    words_free(&m->words);
    copies_free(&m->copies);
}

/* ---- One word ---- */

CopyKind mask_word(const TextOptions *o, const Lexicon *lexicon, Slice word, WordPlace place, Buf *form,
                   int *is_known)
{
    const Slice core = words_core(word);
    const size_t mark = (size_t)(core.text - word.text), joiner = word.length - mark - core.length;
    const char *cased = lexicon && o->truecase ? lexicon_form(lexicon, core, place) : NULL;
    buf_clear(form);
    buf_add(form, word.text, mark);
    if (cased) buf_puts(form, cased);
    else buf_add(form, core.text, core.length);
    buf_add(form, core.text + core.length, joiner);
    const Slice usual = { form->text + mark, form->length - mark - joiner };
    *is_known = !mark || !lexicon || lexicon_knows(lexicon, usual);
    return lexicon && o->placeholders ? lexicon_copied_as(lexicon, usual, place == PLACE_FIRST) : COPY_NEVER;
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
    SCOPED(xfree_at) unsigned char *shape = xmalloc(count, 1);
    line->place = xmalloc(count, 1);
    for (size_t i = 0; i < count; i++)
        shape[i] = (unsigned char)letter_case_shape(words_core_at(&line->words, i));
    line->whole = sentence_case(shape, count, line->place);
}

/* Whether a word has characters that the vocabulary lacks. A run of a script without blanks is no word: it has none as long as
 * one of them is there. */
static int is_unwritten(const Tokenizer *t, Slice core)
{
    const char *at = core.text, *end = core.text + core.length;
    if (unicode_script_has_blanks(unicode_script(unicode_at(at)))) return !tokenizer_writes(t, core);
    while (at < end)
        if (tokenizer_writes(t, unicode_character(&at))) return 0;
    return 1;
}

/* Makes line->form that of word i; returns what the word is proposed to be copied as: a word that the vocabulary cannot write,
 * which no word of training is, whatever its class. */
static CopyKind find_form(Line *line, size_t i)
{
    int is_known;
    const Tokenizer *t = line->language.tokenizer;
    const CopyKind kind = mask_word(&t->options, line->language.lexicon, words_at(&line->words, i),
                                    (WordPlace)line->place[i], &line->form, &is_known);
    if (!is_known && kind != COPY_NEVER) return kind;
    if (!t->options.placeholders || !line->language.lexicon) return COPY_NEVER;
    const Slice core = words_core(buf_slice(&line->form));
    if (core.text == line->form.text || !core.length || !is_unwritten(t, core)) return COPY_NEVER;
    return copy_class(core, 0).kind;
}

static void propose(Line *line)
{
    line->kind = xmalloc(line->words.count, 1);
    for (size_t i = 0; i < line->words.count; i++) {
        line->kind[i] = (unsigned char)find_form(line, i);
        line->has_other_case |= !slices_equal(buf_slice(&line->form), words_at(&line->words, i));
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
static void add_placeholder(Words *words, Slice word, int placeholder)
{
    const size_t joiner = words_joiner_length(word);
    buf_puts(&words->text, WORD_MARK);
    buf_puts(&words->text, placeholder_piece(placeholder));
    words_add(words, (Slice){ word.text + word.length - joiner, joiner });
}

/* ---- Sources ---- */

static Line source_of(Language language, const char *text, size_t length, const size_t *at, size_t *word, size_t count)
{
    Line line = { .language = language };
    tokenizer_split_source(language.tokenizer, text, length, at, word, count, &line.words);
    find_places(&line);
    propose(&line);
    return line;
}

/* Each word, or its placeholder if one is left. A sentence in capitals whose words are all usual so (NATO!) is no such
 * sentence. */
static void write_source(MaskedLine *m, Line *line, const char *text, size_t length)
{
    words_clear(&m->words);
    copies_clear(&m->copies);
    for (size_t i = 0; i < line->words.count; i++) {
        const Slice word = words_at(&line->words, i);
        const CopyKind kind = (CopyKind)line->kind[i];
        const int placeholder = kind == COPY_NEVER ? -1 : copies_next(&m->copies, kind);
        if (placeholder < 0) {
            find_form(line, i);
            words_add(&m->words, buf_slice(&line->form));
        } else {
            add_placeholder(&m->words, word, placeholder);
            copies_add(&m->copies, words_core(word), kind);
        }
    }
    m->output = !line->language.tokenizer->options.truecase ? CASE_AS_WRITTEN
              : line->whole == CASE_CAPITALS && line->has_other_case ? CASE_ALL_CAPITALS : mask_case_of((Slice){ text, length });
}

void mask_line(MaskedLine *m, Language language, const char *text, size_t length, const size_t *at, size_t *word,
                      size_t count)
{
    SCOPED(line_free) Line line = source_of(language, text, length, at, word, count);
    write_source(m, &line, text, length);
}

/* ---- Targets ---- */

static Line target_of(Language language, const char *text, size_t length)
{
    Line line = { .language = language };
    tokenizer_split(language.tokenizer, text, length, &line.words);
    find_places(&line);
    return line;
}

/* Whether word i begins behind a mark, and is this text. */
static int is_word(const Words *words, size_t i, Slice text)
{
    const Slice word = words_at(words, i), core = words_core(word);
    return core.text > word.text && slices_equal(core, text);
}

/* Each word, or the placeholder of the copy that it is and that no word before it was. */
static void write_target(Words *words, Line *line, const Copies *copies)
{
    uint32_t used = 0;
    words_clear(words);
    for (size_t i = 0; i < line->words.count; i++) {
        int k = 0;
        while (k < (int)copies->text.count
               && (used >> k & 1 || !is_word(&line->words, i, slice_of(copies_at(copies, k)))))
            k++;
        if (k < (int)copies->text.count) {
            add_placeholder(words, words_at(&line->words, i), copies->placeholder[k]);
            used |= UINT32_C(1) << k;
        } else {
            find_form(line, i);
            words_add(words, buf_slice(&line->form));
        }
    }
}

void mask_target(Words *words, Language language, const char *text, size_t length, const Copies *copies)
{
    SCOPED(line_free) Line line = target_of(language, text, length);
    write_target(words, &line, copies);
}

/* ---- Pairs ---- */

/* Takes the proposals back that the target lacks: each of its words serves one. */
static void keep_shared(Line *source, const Line *target)
{
    SCOPED(xfree_at) unsigned char *used = xcalloc(target->words.count, 1);
    for (size_t i = 0; i < source->words.count; i++) {
        if (source->kind[i] == COPY_NEVER) continue;
        const Slice core = words_core_at(&source->words, i);
        size_t k = 0;
        while (k < target->words.count && (used[k] || !is_word(&target->words, k, core)))
            k++;
        if (k == target->words.count) source->kind[i] = COPY_NEVER;
        else used[k] = 1;
    }
}

void mask_pair(MaskedLine *m, Words *words, Language source, Language target, const char *text, const char *translation)
{
    const size_t length = strlen(text);
    SCOPED(line_free) Line one = source_of(source, text, length, NULL, NULL, 0), other = target_of(target, translation, strlen(translation));
    keep_shared(&one, &other);
    write_source(m, &one, text, length);
    write_target(words, &other, &m->copies);
}

/* ---- Output ---- */

/* The letters of an ordinal say nothing: 1st, wash your hands. */
OutputCase mask_case_of(Slice line)
{
    int is_behind_number = 0;
    for (const char *at = line.text, *end = at + line.length; at < end;) {
        const int32_t point = unicode_next(&at);
        if (is_behind_number && unicode_is_letter(point)) break;
        is_behind_number = unicode_is_number(point);
        if (unicode_is_lower(point)) return CASE_AS_WRITTEN;
        if (unicode_lower(point) != point) break;
    }
    return CASE_FIRST_CAPITAL;
}

/* Appends a text in that case. Its first letter is no capital behind a number: 3 chats. */
static void add_in_case(const char *text, const char *end, OutputCase output, const char *language, Buf *out)
{
    const char *letter = output == CASE_AS_WRITTEN ? end : text;
    while (output == CASE_FIRST_CAPITAL && letter < end && !unicode_is_letter(unicode_at(letter))) {
        if (unicode_is_number(unicode_at(letter))) letter = end;
        else unicode_next(&letter);
    }
    buf_add(out, text, (size_t)(letter - text));
    const UnicodeCase kind = output == CASE_ALL_CAPITALS ? UNICODE_UPPER : UNICODE_TITLE;
    if (letter < end) unicode_case(kind, slice_between(letter, end), language, out);
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
    const char *at = text;
    for (size_t k = 0; k < count && copied[k].end <= length; k++) {
        const char *start = text + copied[k].start, *end = text + copied[k].end;
        add_in_case(at, start, output, language, out);
        buf_add(out, start, (size_t)(end - start));
        if (output == CASE_FIRST_CAPITAL && has_letter(at, end)) output = CASE_AS_WRITTEN;
        at = end;
    }
    add_in_case(at, text + length, output, language, out);
}

unsigned char *word_breaks(const Tokenizer *t)
{
    const int size = tokenizer_size(t);
    unsigned char *breaks = xmalloc((size_t)size, 1);
    for (int id = 0; id < size; id++) {
        const Slice core = words_core(slice_of(tokenizer_piece(t, id)));
        const int32_t last = unicode_before(core.text, core.text + core.length);
        breaks[id] = id < ID_SPECIALS || !unicode_is_final_mark(last);
    }
    return breaks;
}
