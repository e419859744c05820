/* copies.c - placeholders, the copied texts of a line, and how often words of a class are copied. */
#include "text/copies.h"

#include "base/mem.h"
#include "text/lexicon.h"
#include "text/patterns.h"
#include "text/unicode.h"

#include <string.h>

/* ---- Placeholders ---- */

#define PIECE(kind, k) "<" kind WORD_MARK #k ">"
#define PIECES(kind) PIECE(kind, 1), PIECE(kind, 2), PIECE(kind, 3), PIECE(kind, 4), \
                     PIECE(kind, 5), PIECE(kind, 6), PIECE(kind, 7), PIECE(kind, 8)
static const char *const pieces[PLACEHOLDERS] = { PIECES("number"), PIECES("name"), PIECES("vowel"), PIECES("copy") };

int placeholder_of(CopyKind kind, int number)
{
    return ((int)kind - 1) * COPIES_MOST + number;
}

const char *placeholder_piece(int placeholder)
{
    return pieces[placeholder];
}

int placeholder_is(Slice word)
{
    if (!word.length || *word.text != '<') return 0;
    for (int k = 0; k < PLACEHOLDERS; k++)
        if (slices_equal(slice_of(pieces[k]), word)) return 1;
    return 0;
}

/* ---- The texts of a line ---- */

void copies_clear(Copies *copies)
{
    words_clear(&copies->text);
    memset(copies->number, 0, sizeof copies->number);
}

int copies_next(const Copies *copies, CopyKind kind)
{
    const int number = copies->number[kind];
    return number < COPIES_MOST ? placeholder_of(kind, number) : -1;
}

void copies_add(Copies *copies, Slice text, CopyKind kind)
{
    copies->placeholder[copies->text.count] = (unsigned char)copies_next(copies, kind);
    copies->number[kind]++;
    buf_puts(&copies->text.text, WORD_MARK);
    buf_add(&copies->text.text, text.text, text.length);
    words_add(&copies->text, (Slice){ "", 1 });
}

const char *copies_word(const Copies *copies, int k)
{
    return words_at(&copies->text, (size_t)k).text;
}

const char *copies_at(const Copies *copies, int k)
{
    return copies_word(copies, k) + WORD_MARK_LENGTH;
}

int copies_find(const Copies *copies, int placeholder)
{
    for (int k = 0; k < (int)copies->text.count; k++)
        if (copies->placeholder[k] == placeholder) return k;
    return -1;
}

void copies_free(Copies *copies)
{
    words_free(&copies->text);
}

/* ---- Classes ---- */

/* The script of the first letter; COPY_DIGITS: there are digits alone; COPY_SIGN: neither letters nor digits. */
static int script_of(Slice word)
{
    int found = COPY_SIGN;
    for (const char *at = word.text, *end = at + word.length; at < end;) {
        const int32_t point = unicode_next(&at);
        if (unicode_is_letter(point)) return unicode_script(point);
        if (unicode_digit(point) >= 0) found = COPY_DIGITS;
    }
    return found;
}

/* 0 for one letter, 1 for two, 2 for three or four, 3 for five to eight, 4 for more. */
static int length_class(Slice word)
{
    int letters = 0, class = 0;
    for (const char *at = word.text, *end = at + word.length; at < end; unicode_next(&at))
        letters++;
    while (class < 4 && letters > 1 << class)
        class++;
    return class;
}

CopyClass copy_class(Slice word, int is_first)
{
    if (!word.length) return (CopyClass){ .kind = COPY_NEVER };
    const int script = patterns_match(word) ? COPY_SPAN : script_of(word), has_letters = script >= 0;
    const int32_t base = unicode_lower(unicode_base(unicode_at(word.text)));
    const int has_vowel = base > 0 && base < 0x80 && strchr("aeiou", base);
    return (CopyClass){
        { (short)(has_letters ? COPY_LETTERS : script), (short)script, has_letters ? (short)letter_case_shape(word) : 0,
          is_first != 0, (short)length_class(word) },
        script == COPY_DIGITS ? COPY_NUMBER : !has_letters ? COPY_OTHER : has_vowel ? COPY_VOWEL_NAME : COPY_NAME
    };
}

/* ---- Counts ---- */

static Slice as_bytes(const short *level, int depth)
{
    return (Slice){ (const char *)level, (size_t)depth * sizeof *level };
}

static int find(const CopyPrior *prior, const short *level, int depth)
{
    return string_table_find(&prior->class, as_bytes(level, depth));
}

/* Adds to a class, which is new or not. A class beyond COPY_CLASSES_MOST is left to its parent. */
static void add(CopyPrior *prior, const short *level, int depth, long words, long same)
{
    if (prior->class.count == COPY_CLASSES_MOST && find(prior, level, depth) < 0) return;
    const size_t before = prior->class.count;
    const int id = string_table_count(&prior->class, as_bytes(level, depth), words);
    prior->same = grow(prior->same, &prior->capacity, prior->class.count, sizeof *prior->same);
    if (prior->class.count > before) prior->same[id] = 0;
    prior->same[id] += same;
}

void copy_prior_add(CopyPrior *prior, const CopyClass *class, int is_same)
{
    for (int depth = 1; depth <= COPY_LEVELS; depth++)
        add(prior, class->level, depth, 1, is_same != 0);
}

/* The levels of a class; returns how many it has. */
static int levels_of(const CopyPrior *prior, int id, short level[COPY_LEVELS])
{
    const Slice levels = string_table_at(&prior->class, id);
    memcpy(level, levels.text, levels.length);
    return (int)(levels.length / sizeof *level);
}

void copy_prior_merge(CopyPrior *prior, const CopyPrior *other)
{
    for (int id = 0; id < (int)other->class.count; id++) {
        short level[COPY_LEVELS];
        const int depth = levels_of(other, id, level);
        add(prior, level, depth, other->class.tally[id], other->same[id]);
    }
}

double copy_prior_of(const CopyPrior *prior, const CopyClass *class)
{
    enum { WEIGHT = 5 };
    double p = class->kind == COPY_NAME || class->kind == COPY_VOWEL_NAME ? 0.5 : 0.75;
    long above = 0;
    for (int depth = 1; depth <= COPY_LEVELS; depth++) {
        const int id = find(prior, class->level, depth);
        if (id < 0) break;
        const long words = prior->class.tally[id];
        if (words != above) p = ((double)prior->same[id] + WEIGHT * p) / ((double)words + WEIGHT);
        above = words;
    }
    return p;
}

void copy_prior_free(CopyPrior *prior)
{
    string_table_free(&prior->class);
    xfree(prior->same);
    *prior = (CopyPrior){ 0 };
}

/* ---- JSON ---- */

cJSON *copy_prior_to_json(const CopyPrior *prior)
{
    cJSON *json = cJSON_CreateArray();
    for (int id = 0; id < (int)prior->class.count; id++) {
        short level[COPY_LEVELS];
        const int depth = levels_of(prior, id, level);
        cJSON *row = cJSON_CreateArray();
        for (int k = 0; k < depth; k++)
            cJSON_AddItemToArray(row, cJSON_CreateNumber(level[k]));
        cJSON_AddItemToArray(row, cJSON_CreateNumber((double)prior->class.tally[id]));
        cJSON_AddItemToArray(row, cJSON_CreateNumber((double)prior->same[id]));
        cJSON_AddItemToArray(json, row);
    }
    return json;
}

static int add_row(CopyPrior *prior, const cJSON *row, Err *e)
{
    double value[COPY_LEVELS + 2];
    short level[COPY_LEVELS];
    const int size = cJSON_GetArraySize(row), depth = size - 2;
    if (depth < 1 || depth > COPY_LEVELS) return err(e, "a class of copied words has %d numbers", size);
    memset(level, 0, sizeof level);
    for (int k = 0; k < size; k++) {
        const cJSON *item = cJSON_GetArrayItem(row, k);
        value[k] = cJSON_IsNumber(item) ? item->valuedouble : -1e9;
        if (!(value[k] >= -3 && value[k] < 1e15) || (k < depth && value[k] > 32767))
            return err(e, "a class of copied words has another number than attn writes");
        if (k < depth) level[k] = (short)value[k];
    }
    if (value[depth] < value[depth + 1] || value[depth + 1] < 0)
        return err(e, "a class of copied words has more words that are the same than words");
    if (find(prior, level, depth) >= 0) return err(e, "a class of copied words occurs twice");
    add(prior, level, depth, (long)value[depth], (long)value[depth + 1]);
    return 0;
}

int copy_prior_from_json(CopyPrior *prior, const cJSON *json, Err *e)
{
    const cJSON *row;
    if (!cJSON_IsArray(json)) return err(e, "the classes of copied words are no array");
    cJSON_ArrayForEach(row, json)
        if (add_row(prior, row, e)) return -1;
    return 0;
}
