/* field.c - text and JSON to typed values and back, one kind of value after another. */
#include "base/field.h"

#include "base/mem.h"
#include "base/strings.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_IN_DOUBLE 0x1p53      /* every whole number up to here is a double */
#define EXACT_IN_JSON   1e15        /* cJSON writes 15 digits if the rest is within rounding */

static void *place(const Field *field, void *object)
{
    return (char *)object + field->offset;
}

static const void *const_place(const Field *field, const void *object)
{
    return (const char *)object + field->offset;
}

/* ---- Automatic values: a number that no range holds ---- */

static const char automatic[] = "auto";

/* Whether the value is an int, or begins with one. */
static int is_whole(const Field *field)
{
    return field->kind == FIELD_INT || field->kind == FIELD_PAIR || field->kind == FIELD_CHOICE
           || field->kind == FIELD_FLAG;
}

static size_t size_of(const Field *field)
{
    return field->kind == FIELD_PAIR ? 2 * sizeof(int) : is_whole(field) ? sizeof(int)
                                                                         : sizeof(double);
}

static void set_automatic(const Field *field, void *object)
{
    if (is_whole(field)) *(int *)place(field, object) = FIELD_AUTO;
    else *(double *)place(field, object) = -HUGE_VAL;
}

static int is_automatic(const Field *field, const void *object)
{
    const void *at = const_place(field, object);
    if (!field->automatic) return 0;
    return is_whole(field) ? *(const int *)at == FIELD_AUTO : *(const double *)at == -HUGE_VAL;
}

void fields_automate(const Field *fields, void *object)
{
    for (; fields->name; fields++)
        if (fields->automatic) set_automatic(fields, object);
}

void fields_settle(const Field *fields, void *object, const void *values)
{
    for (; fields->name; fields++)
        if (is_automatic(fields, object))
            memcpy(place(fields, object), const_place(fields, values),
                   size_of(fields));
}

const Field *fields_unsettled(const Field *fields, const void *object)
{
    for (; fields->name; fields++)
        if (is_automatic(fields, object)) return fields;
    return NULL;
}

/* ---- What a field accepts, in words for a message ---- */

static int bounded(const Field *field)
{
    return field->high < (field->kind == FIELD_INT ? INT_MAX : HUGE_VAL);
}

static void describe_range(const Field *field, const char *what, const char *unit, Buf *out)
{
    if (bounded(field))
        buf_printf(out, "%s from %.10g to %.10g%s", what, field->low, field->high, unit);
    else buf_printf(out, "%s of at least %.10g%s", what, field->low, unit);
}

static void describe_choices(const Field *field, Buf *out)
{
    buf_puts(out, "one of ");
    for (int i = 0; field->choices[i]; i++)
        buf_printf(out, "%s%s", i ? ", " : "", field->choices[i]);
}

typedef enum { FROM_TEXT, FROM_JSON } Origin;

static void describe(const Field *field, Origin origin, Buf *out)
{
    int text = origin == FROM_TEXT;
    const char *pair = text ? ", such as 2,4" : "";
    const char *seconds = text ? " seconds, such as 90, 6m, 1h30m, 1.5h, 2d" : " seconds";
    switch (field->kind) {
    case FIELD_INT:    describe_range(field, "a whole number", "", out); break;
    case FIELD_PAIR:   describe_range(field, "two whole numbers", pair, out); break;
    case FIELD_SEED:   buf_printf(out, "a whole number from 0 to %" PRIu64, UINT64_MAX); break;
    case FIELD_REAL:   describe_range(field, "a number", "", out); break;
    case FIELD_TIME:   describe_range(field, "a time", seconds, out); break;
    case FIELD_FLAG:   buf_puts(out, text ? "on or off" : "true or false"); break;
    case FIELD_CHOICE: describe_choices(field, out); break;
    case FIELD_TEXT:   buf_puts(out, "a text"); break;
    case FIELD_TEXTS:  buf_printf(out, "one of at most %d texts", TEXT_LIST_MOST); break;
    case FIELD_WORD:   buf_printf(out, "a text of at most %d bytes", FIELD_WORD_BYTES - 1); break;
    }
    if (field->automatic) buf_printf(out, text ? ", or %s" : ", or \"%s\"", automatic);
}

void field_accepts(const Field *field, Buf *out)
{
    describe(field, FROM_TEXT, out);
}

void field_accepts_in_json(const Field *field, Buf *out)
{
    describe(field, FROM_JSON, out);
}

/* The accepted word that is nearest to what was found, a text or a JSON string; or NULL. */
static const char *nearest_word(const Field *field, const char *found)
{
    char word[64];
    found += *found == '"';
    snprintf(word, sizeof word, "%.*s", (int)strcspn(found, "\""), found);
    Suggestion nearest = { .word = word };
    if (field->automatic) suggestion_offer(&nearest, automatic);
    for (int i = 0; field->kind == FIELD_CHOICE && field->choices[i]; i++)
        suggestion_offer(&nearest, field->choices[i]);
    return nearest.best;
}

static int refuse(const Field *field, Origin origin, const char *found, Err *e)
{
    const char *dashes = origin == FROM_TEXT ? "--" : "", *quote = origin == FROM_TEXT ? "'" : "";
    const char *near = nearest_word(field, found), mark = origin == FROM_TEXT ? '\'' : '"';
    Buf accepted = { 0 };
    describe(field, origin, &accepted);
    if (near) buf_printf(&accepted, "; did you mean %c%s%c?", mark, near, mark);
    err(e, "%s%s: %s%.60s%s is not %s", dashes, field->name, quote, found, quote, accepted.text);
    buf_free(&accepted);
    return -1;
}

/* ---- Storing a value that has been read; 0, or -1 if the field doesn't accept it ---- */

static int store_whole(const Field *field, int *at, double number)
{
    if (!(number >= field->low && number <= field->high) || number != floor(number)
        || number < INT_MIN || number > INT_MAX)
        return -1;
    *at = (int)number;
    return 0;
}

static int store_number(const Field *field, void *object, double number)
{
    if (field->kind == FIELD_INT) return store_whole(field, place(field, object), number);
    if (!isfinite(number) || number < field->low || number > field->high) return -1;
    *(double *)place(field, object) = number;
    return 0;
}

static int store_pair(const Field *field, void *object, double first, double second)
{
    int pair[2];
    if (store_whole(field, &pair[0], first) || store_whole(field, &pair[1], second)) return -1;
    memcpy(place(field, object), pair, sizeof pair);
    return 0;
}

static int store_choice(const Field *field, void *object, const char *word)
{
    for (int i = 0; field->choices[i]; i++) {
        if (strcmp(field->choices[i], word)) continue;
        *(int *)place(field, object) = i;
        return 0;
    }
    return -1;
}

/* Digits alone: strtoull would take blanks and a minus sign too. The value is stored only if it
 * fits. */
static int store_seed(const Field *field, void *object, const char *text)
{
    uint64_t seed = 0;
    if (!*text) return -1;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return -1;
        if (__builtin_mul_overflow(seed, (uint64_t)10, &seed)) return -1;
        if (__builtin_add_overflow(seed, (uint64_t)(*text - '0'), &seed)) return -1;
    }
    *(uint64_t *)place(field, object) = seed;
    return 0;
}

/* ---- Text ---- */

/* A decimal number at the start of the text; *end is behind it, or the text itself if there is
 * none. */
static double read_number(const char *text, const char **end)
{
    size_t decimal = strspn(text, "+-.0123456789eE");   /* strtod also reads blanks, hexadecimal,
                                                           "inf" and "nan" */
    char *stop;
    double number = strtod(text, &stop);
    *end = (size_t)(stop - text) <= decimal ? stop : text;
    return number;
}

static int set_number(const Field *field, void *object, const char *text)
{
    const char *end;
    double number = read_number(text, &end);
    return end == text || *end ? -1 : store_number(field, object, number);
}

static int set_pair(const Field *field, void *object, const char *text)
{
    const char *end, *behind;
    const double first = read_number(text, &end);
    if (end == text || *end != ',') return -1;
    const double second = read_number(end + 1, &behind);
    return behind == end + 1 || *behind ? -1 : store_pair(field, object, first, second);
}

/* A number of seconds, or numbers with a unit each, the larger units first. */
static int set_time(const Field *field, void *object, const char *text)
{
    static const struct { char letter; double seconds; } unit[] = {
        { 'd', 86400 }, { 'h', 3600 }, { 'm', 60 }, { 's', 1 }
    };
    enum { UNITS = sizeof unit / sizeof *unit };
    double sum = 0;
    if (!set_number(field, object, text)) return 0;
    if (!*text) return -1;
    for (size_t k = 0; *text; k++) {
        const char *end;
        const double number = read_number(text, &end);
        if (!strchr("0123456789.", *text) || end == text) return -1;
        while (k < UNITS && unit[k].letter != *end)
            k++;
        if (k == UNITS) return -1;
        sum += number * unit[k].seconds;
        text = end + 1;
    }
    return store_number(field, object, sum);
}

static int set_flag(const Field *field, void *object, const char *text)
{
    int on = !strcmp(text, "on");
    if (!on && strcmp(text, "off")) return -1;
    *(int *)place(field, object) = on;
    return 0;
}

static int set_text(const Field *field, void *object, const char *text)
{
    *(const char **)place(field, object) = text;
    return 0;
}

static int add_text(const Field *field, void *object, const char *text)
{
    TextList *list = place(field, object);
    if (list->is_default) *list = (TextList){ .count = 0 };
    if (list->count == TEXT_LIST_MOST) return -1;
    list->text[list->count++] = text;
    return 0;
}

static int set_word(const Field *field, void *object, const char *text)
{
    if (strlen(text) >= FIELD_WORD_BYTES) return -1;
    strncpy(place(field, object), text, FIELD_WORD_BYTES);
    return 0;
}

int field_set(const Field *field, void *object, const char *text, Err *e)
{
    int rc = -1;
    if (field->automatic && !strcmp(text, automatic)) {
        set_automatic(field, object);
        return 0;
    }
    switch (field->kind) {
    case FIELD_INT:
    case FIELD_REAL:   rc = set_number(field, object, text); break;
    case FIELD_PAIR:   rc = set_pair(field, object, text); break;
    case FIELD_SEED:   rc = store_seed(field, object, text); break;
    case FIELD_TIME:   rc = set_time(field, object, text); break;
    case FIELD_FLAG:   rc = set_flag(field, object, text); break;
    case FIELD_CHOICE: rc = store_choice(field, object, text); break;
    case FIELD_TEXT:   rc = set_text(field, object, text); break;
    case FIELD_TEXTS:  rc = add_text(field, object, text); break;
    case FIELD_WORD:   rc = set_word(field, object, text); break;
    }
    return rc ? refuse(field, FROM_TEXT, text, e) : 0;
}

/* As %g, with as many digits as it takes to read back the same double. */
static void print_real(double number, Buf *out)
{
    char text[32];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number) break;
    }
    buf_puts(out, text);
}

static void print_texts(const TextList *list, Buf *out)
{
    for (int i = 0; i < list->count; i++) buf_printf(out, "%s%s", i ? " " : "", list->text[i]);
}

void field_print(const Field *field, const void *object, Buf *out)
{
    const void *at = const_place(field, object);
    if (is_automatic(field, object)) {
        buf_puts(out, automatic);
        return;
    }
    switch (field->kind) {
    case FIELD_INT:    buf_printf(out, "%d", *(const int *)at); break;
    case FIELD_PAIR:   buf_printf(out, "%d,%d", *(const int *)at, ((const int *)at)[1]); break;
    case FIELD_SEED:   buf_printf(out, "%" PRIu64, *(const uint64_t *)at); break;
    case FIELD_REAL:
    case FIELD_TIME:   print_real(*(const double *)at, out); break;
    case FIELD_FLAG:   buf_puts(out, *(const int *)at ? "on" : "off"); break;
    case FIELD_CHOICE: buf_puts(out, field->choices[*(const int *)at]); break;
    case FIELD_TEXT:   if (*(const char *const *)at) buf_puts(out, *(const char *const *)at); break;
    case FIELD_TEXTS:  print_texts(at, out); break;
    case FIELD_WORD:   buf_puts(out, at); break;
    }
}

const Field *fields_find(const Field *fields, const char *name, size_t length)
{
    for (; fields->name; fields++)
        if (strlen(fields->name) == length && !memcmp(fields->name, name, length)) return fields;
    return NULL;
}

const Field *fields_difference(const Field *fields, const void *a, const void *b, Buf *one,
                               Buf *other)
{
    for (; fields->name; fields++) {
        buf_clear(one);
        buf_clear(other);
        field_print(fields, a, one);
        field_print(fields, b, other);
        if (strcmp(one->text, other->text)) return fields;
    }
    return NULL;
}

/* ---- JSON ---- */

static cJSON *seed_to_json(uint64_t seed)
{
    char text[24];
    if ((double)seed <= EXACT_IN_JSON) return cJSON_CreateNumber((double)seed);
    snprintf(text, sizeof text, "%" PRIu64, seed);
    return cJSON_CreateString(text);
}

static cJSON *text_to_json(const char *text)
{
    return text ? cJSON_CreateString(text) : cJSON_CreateNull();
}

static cJSON *texts_to_json(const TextList *list)
{
    return cJSON_CreateStringArray(list->text, list->count);
}

static cJSON *field_to_json(const Field *field, const void *object)
{
    const void *at = const_place(field, object);
    if (is_automatic(field, object)) return cJSON_CreateString(automatic);
    switch (field->kind) {
    case FIELD_INT:    return cJSON_CreateNumber(*(const int *)at);
    case FIELD_PAIR:   return cJSON_CreateIntArray(at, 2);
    case FIELD_SEED:   return seed_to_json(*(const uint64_t *)at);
    case FIELD_REAL:
    case FIELD_TIME:   return cJSON_CreateNumber(*(const double *)at);
    case FIELD_FLAG:   return cJSON_CreateBool(*(const int *)at);
    case FIELD_CHOICE: return cJSON_CreateString(field->choices[*(const int *)at]);
    case FIELD_TEXT:   return text_to_json(*(const char *const *)at);
    case FIELD_TEXTS:  return texts_to_json(at);
    case FIELD_WORD:   return text_to_json(*(const char *)at ? at : NULL);
    }
    return NULL;
}

cJSON *fields_to_json(const Field *fields, const void *object)
{
    cJSON *json = cJSON_CreateObject();
    for (; fields->name; fields++)
        cJSON_AddItemToObject(json, fields->name, field_to_json(fields, object));
    return json;
}

static int seed_from_json(const Field *field, void *object, const cJSON *item)
{
    if (cJSON_IsString(item)) return store_seed(field, object, item->valuestring);
    double number = item->valuedouble;
    if (!cJSON_IsNumber(item) || number != floor(number) || number < 0 || number > EXACT_IN_DOUBLE)
        return -1;
    *(uint64_t *)place(field, object) = (uint64_t)number;
    return 0;
}

static int number_from_json(const Field *field, void *object, const cJSON *item)
{
    return cJSON_IsNumber(item) ? store_number(field, object, item->valuedouble) : -1;
}

static int pair_from_json(const Field *field, void *object, const cJSON *array)
{
    const cJSON *first = array->child;
    if (!cJSON_IsArray(array) || cJSON_GetArraySize(array) != 2 || !cJSON_IsNumber(first)
        || !cJSON_IsNumber(first->next))
        return -1;
    return store_pair(field, object, first->valuedouble, first->next->valuedouble);
}

static int choice_from_json(const Field *field, void *object, const cJSON *item)
{
    return cJSON_IsString(item) ? store_choice(field, object, item->valuestring) : -1;
}

static int flag_from_json(const Field *field, void *object, const cJSON *item)
{
    if (!cJSON_IsBool(item)) return -1;
    *(int *)place(field, object) = cJSON_IsTrue(item) != 0;
    return 0;
}

static int text_from_json(const Field *field, void *object, const cJSON *item)
{
    if (!cJSON_IsString(item) && !cJSON_IsNull(item)) return -1;
    if (field->kind == FIELD_TEXT) return set_text(field, object, item->valuestring);
    return set_word(field, object, item->valuestring ? item->valuestring : "");
}

static int texts_from_json(const Field *field, void *object, const cJSON *array)
{
    TextList list = { .count = 0 };
    const cJSON *item;
    if (!cJSON_IsArray(array) || cJSON_GetArraySize(array) > TEXT_LIST_MOST) return -1;
    cJSON_ArrayForEach(item, array) {
        if (!cJSON_IsString(item)) return -1;
        list.text[list.count++] = item->valuestring;
    }
    *(TextList *)place(field, object) = list;
    return 0;
}

static int field_from_json(const Field *field, void *object, const cJSON *item, Err *e)
{
    int rc = -1;
    if (field->automatic && cJSON_IsString(item) && !strcmp(item->valuestring, automatic)) {
        set_automatic(field, object);
        return 0;
    }
    switch (field->kind) {
    case FIELD_INT:
    case FIELD_REAL:
    case FIELD_TIME:   rc = number_from_json(field, object, item); break;
    case FIELD_PAIR:   rc = pair_from_json(field, object, item); break;
    case FIELD_SEED:   rc = seed_from_json(field, object, item); break;
    case FIELD_FLAG:   rc = flag_from_json(field, object, item); break;
    case FIELD_CHOICE: rc = choice_from_json(field, object, item); break;
    case FIELD_TEXT:
    case FIELD_WORD:   rc = text_from_json(field, object, item); break;
    case FIELD_TEXTS:  rc = texts_from_json(field, object, item); break;
    }
    if (!rc) return 0;
    char *found = json_text(item, 0);
    refuse(field, FROM_JSON, found, e);
    xfree(found);
    return -1;
}

static int unknown_key(const Field *fields, const char *key, Err *e)
{
    Suggestion n = { .word = key };
    for (; fields->name; fields++)
        suggestion_offer(&n, fields->name);
    if (n.best)
        return err(e, "\"%.60s\" is not a known setting; did you mean \"%s\"?", key, n.best);
    return err(e, "\"%.60s\" is not a known setting", key);
}

int fields_from_json(const Field *fields, void *object, const cJSON *json, Err *e)
{
    if (!cJSON_IsObject(json)) return err(e, "the settings are not a JSON object");
    for (const cJSON *item = json->child; item; item = item->next) {
        const Field *field = fields_find(fields, item->string, strlen(item->string));
        if (!field) return unknown_key(fields, item->string, e);
        if (field_from_json(field, object, item, e)) return -1;
    }
    return 0;
}
