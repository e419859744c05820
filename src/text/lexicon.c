/* lexicon.c - looking words up, and the JSON of a lexicon. */
#include "text/lexicon.h"

#include "base/mem.h"
#include "text/tokenizer/bpe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Lexicon *lexicon_new(const char *language)
{
    Lexicon *lexicon = xcalloc(1, sizeof *lexicon);
    snprintf(lexicon->language, sizeof lexicon->language, "%s", language ? language : "");
    return lexicon;
}

void lexicon_free(Lexicon *lexicon)
{
    if (!lexicon) return;
    string_table_free(&lexicon->form);
    string_table_free(&lexicon->other);
    copy_prior_free(&lexicon->prior);
    string_table_free(&lexicon->abbreviation);
    xfree(lexicon);
}

const char *lexicon_language(const Lexicon *lexicon)
{
    return lexicon ? lexicon->language : "";
}

/* Whether the small form of a word is the word itself. */
static int is_small(const char *word, size_t length)
{
    for (const char *at = word, *end = word + length; at < end;) {
        const int32_t point = unicode_next(&at);
        if (point < 0x80 ? point >= 'A' && point <= 'Z' : unicode_lower(point) != point) return 0;
    }
    return 1;
}

int lexicon_add(Lexicon *lexicon, Slice word, long count)
{
    const size_t before = lexicon->form.count;
    const int id = string_table_count(&lexicon->form, word.text, word.length, count);
    if (lexicon->form.count == before) return -1;
    if (is_small(word.text, word.length)) return 0;
    Buf small = { 0 };
    const size_t others = lexicon->other.count;
    unicode_case(UNICODE_LOWER, word.text, word.length, lexicon->language, &small);
    const int folded = string_table_add(&lexicon->other, small.text, small.length);
    long *best = &lexicon->other.tally[folded];
    if (lexicon->other.count > others || lexicon->form.tally[id] > lexicon->form.tally[*best]) *best = id;
    buf_free(&small);
    return 0;
}

/* ---- Looking up ---- */

long lexicon_count(const Lexicon *lexicon, const char *word, size_t length)
{
    const int id = string_table_find(&lexicon->form, word, length);
    return id < 0 ? 0 : lexicon->form.tally[id];
}

int lexicon_knows(const Lexicon *lexicon, const char *word, size_t length)
{
    if (lexicon_count(lexicon, word, length)) return 1;
    if (letter_case_shape(word, length) != SHAPE_NONE) return 0;
    for (const char *at = word, *end = word + length; at < end;) {
        const char *character = at;
        unicode_next(&at);
        if (!lexicon_count(lexicon, character, (size_t)(at - character))) return 0;
    }
    return length > 0;
}

int lexicon_is_abbreviation(const Lexicon *lexicon, const char *word, size_t length)
{
    return lexicon && string_table_find(&lexicon->abbreviation, word, length) >= 0;
}

CopyKind lexicon_copied_as(const Lexicon *lexicon, const char *word, size_t length, int is_first)
{
    const CopyClass class = copy_class(word, length, is_first);
    return class.kind != COPY_NEVER && copy_prior_of(&lexicon->prior, &class) > COPY_THRESHOLD ? class.kind : COPY_NEVER;
}

/* The numbers of the small form and of the usual one; -1: never seen. */
typedef struct { int small, usual; } Forms;

static Forms forms_of(const Lexicon *lexicon, const char *word, size_t length)
{
    const long *count = lexicon->form.tally;
    Buf small = { 0 };
    if (!is_small(word, length)) {
        unicode_case(UNICODE_LOWER, word, length, lexicon->language, &small);
        word = small.text;
        length = small.length;
    }
    const int found = string_table_find(&lexicon->form, word, length);
    const int folded = string_table_find(&lexicon->other, word, length);
    const int other = folded < 0 ? -1 : (int)lexicon->other.tally[folded];
    buf_free(&small);
    return (Forms){ found, other >= 0 && (found < 0 || count[other] > count[found]) ? other : found };
}

const char *lexicon_usual(const Lexicon *lexicon, const char *word, size_t length)
{
    const int id = forms_of(lexicon, word, length).usual;
    return id < 0 ? NULL : string_table_text(&lexicon->form, id);
}

const char *lexicon_form(const Lexicon *lexicon, const char *word, size_t length, WordPlace place)
{
    enum { TIMES = 4 };
    const int is_usual = place == PLACE_FIRST || place == PLACE_INSIDE;
    const Shape shape = is_usual ? letter_case_shape(word, length) : SHAPE_NONE;
    const int is_capitalised = shape == SHAPE_CAPITAL || shape == SHAPE_CAPITALISED;
    const int is_first = place == PLACE_FIRST && is_capitalised;
    if (is_usual && !is_first && (is_capitalised || lexicon_count(lexicon, word, length))) return NULL;
    const Forms forms = forms_of(lexicon, word, length);
    const int id = is_first ? forms.small : forms.usual;
    if (id < 0) return NULL;
    const long count = lexicon->form.tally[id];
    if (is_first && count < lexicon_count(lexicon, word, length)) return NULL;
    if (place == PLACE_SMALL && TIMES * lexicon_count(lexicon, word, length) > count) return NULL;
    return string_table_text(&lexicon->form, id);
}

/* ---- JSON ---- */

enum { CLASSES = 62 };      /* powers of two of a long */

static int class_of(long count)
{
    int class = 0;
    while (1L << class < count)
        class++;
    return class;
}

cJSON *lexicon_to_json(const Lexicon *lexicon)
{
    const StringTable *form = &lexicon->form;
    Buf text[CLASSES] = { 0 }, abbreviations = { 0 };
    int classes = 0;
    for (int id = 0; id < (int)form->count; id++) {
        const int class = class_of(form->tally[id]);
        const Slice word = string_table_at(form, id);
        if (text[class].length) buf_putc(&text[class], ' ');
        buf_add(&text[class], word.text, word.length);
        if (class >= classes) classes = class + 1;
    }
    cJSON *json = cJSON_CreateObject(), *words = cJSON_AddArrayToObject(json, "words");
    for (int class = 0; class < classes; class++) {
        cJSON_AddItemToArray(words, cJSON_CreateString(text[class].text ? text[class].text : ""));
        buf_free(&text[class]);
    }
    cJSON_AddItemToObject(json, "copied", copy_prior_to_json(&lexicon->prior));
    buf_clear(&abbreviations);
    for (int id = 0; id < (int)lexicon->abbreviation.count; id++)
        buf_printf(&abbreviations, "%s%s", id ? " " : "", string_table_text(&lexicon->abbreviation, id));
    cJSON_AddStringToObject(json, "abbreviations", abbreviations.text);
    buf_free(&abbreviations);
    return json;
}

/* Adds the words of an entry, which have that count. */
static int add_words(Lexicon *lexicon, const char *words, int entry, Err *e)
{
    if (!words || entry >= CLASSES) return err(e, "entry %d is no list of words", entry);
    for (size_t length; *words; words += length) {
        length = strcspn(words, " ");
        if (!symbol_valid(words, length))
            return err(e, "entry %d is no list of words with one blank between two", entry);
        if (lexicon_add(lexicon, (Slice){ words, length }, 1L << entry))
            return err(e, "entry %d: '%.*s' occurs twice", entry, length < 60 ? (int)length : 60, words);
        if (lexicon->form.count > LEXICON_MOST) return err(e, "more than %d words", LEXICON_MOST);
        if (words[length] && words[length + 1]) length++;
    }
    return 0;
}

static int add_abbreviations(Lexicon *lexicon, const char *words, Err *e)
{
    for (size_t length; words && *words; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        if (!symbol_valid(words, length) || lexicon->abbreviation.count == ABBREVIATIONS_MOST)
            return err(e, "abbreviations: no list of at most %d words", ABBREVIATIONS_MOST);
        string_table_add(&lexicon->abbreviation, words, length);
    }
    return 0;
}

static int load(Lexicon *lexicon, const cJSON *json, Err *e)
{
    const cJSON *words, *copied, *item;
    int entry = 0;
    if (json_get_array(json, "words", &words, e) || json_get_array(json, "copied", &copied, e)) return -1;
    cJSON_ArrayForEach(item, words)
        if (add_words(lexicon, cJSON_GetStringValue(item), entry++, e)) return -1;
    if (copy_prior_from_json(&lexicon->prior, copied, e)) return -1;
    return add_abbreviations(lexicon, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "abbreviations")), e);
}

Lexicon *lexicon_from_json(const cJSON *json, const char *language, Err *e)
{
    Lexicon *lexicon = lexicon_new(language);
    if (!load(lexicon, json, e)) return lexicon;
    lexicon_free(lexicon);
    return NULL;
}
