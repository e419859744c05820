/* field.c - text to typed values and back, one kind of value after another; JSON is read as the text
 * of the same value. */
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

#define LARGEST_SEED 1e15       /* all of its digits are in JSON, where cJSON writes 15 of others */

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
                   fields->kind == FIELD_PAIR ? 2 * sizeof(int)
                   : is_whole(fields) ? sizeof(int) : sizeof(double));
}

const Field *fields_unsettled(const Field *fields, const void *object)
{
    for (; fields->name; fields++)
        if (is_automatic(fields, object)) return fields;
    return NULL;
}

/* ---- What a field accepts, in words for a message ---- */

static void describe_range(const Field *field, const char *what, const char *unit, Buf *out)
{
    if (field->high < (field->kind == FIELD_INT ? INT_MAX : HUGE_VAL))
        buf_printf(out, "%s from %.10g to %.10g%s", what, field->low, field->high, unit);
    else buf_printf(out, "%s of at least %.10g%s", what, field->low, unit);
}

void field_accepts(const Field *field, int in_json, Buf *out)
{
    const char *pair = in_json ? "" : ", such as 2,4";
    const char *seconds = in_json ? " seconds" : " seconds, such as 90, 6m, 1.5h, 2d";
    switch (field->kind) {
    case FIELD_INT:    describe_range(field, "a whole number", "", out); break;
    case FIELD_PAIR:   describe_range(field, "two whole numbers", pair, out); break;
    case FIELD_SEED:   buf_printf(out, "a whole number from 0 to %.0f", LARGEST_SEED); break;
    case FIELD_REAL:   describe_range(field, "a number", "", out); break;
    case FIELD_TIME:   describe_range(field, "a time", seconds, out); break;
    case FIELD_FLAG:   buf_puts(out, in_json ? "true or false" : "on or off"); break;
    case FIELD_CHOICE:
        for (int i = 0; field->choices[i]; i++)
            buf_printf(out, "%s%s", i ? ", " : "one of ", field->choices[i]);
        break;
    case FIELD_TEXT:   buf_puts(out, "a text"); break;
    case FIELD_TEXTS:  buf_printf(out, "one of at most %d texts", TEXT_LIST_MOST); break;
    case FIELD_WORD:   buf_printf(out, "a text of at most %d bytes", FIELD_WORD_BYTES - 1); break;
    }
    if (field->automatic) buf_printf(out, in_json ? ", or \"%s\"" : ", or %s", automatic);
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

static int refuse(const Field *field, int in_json, const char *found, Err *e)
{
    const char *dashes = in_json ? "" : "--", *quote = in_json ? "" : "'";
    const char *near = nearest_word(field, found), mark = in_json ? '"' : '\'';
    SCOPED(buf_free) Buf accepted = { 0 };
    field_accepts(field, in_json, &accepted);
    if (near) buf_printf(&accepted, "; did you mean %c%s%c?", mark, near, mark);
    return err(e, "%s%s: %s%.60s%s is not %s", dashes, field->name, quote, found, quote,
               accepted.text);
}

/* ---- Text: 0, or -1 if the field doesn't accept it, and then nothing is changed ---- */

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

static int set_whole(const Field *field, int *at, int count, const char *text)
{
    int found[2];
    for (int i = 0; i < count; i++) {
        const char *end;
        const double number = read_number(text, &end);
        if (end == text || *end != (i < count - 1 ? ',' : '\0') || number != floor(number)
            || !(number >= field->low && number <= field->high)
            || number < INT_MIN || number > INT_MAX)
            return -1;
        found[i] = (int)number;
        text = end + 1;
    }
    memcpy(at, found, (size_t)count * sizeof *at);
    return 0;
}

/* A number; of a time, of seconds or with the letter of a unit. */
static int set_real(const Field *field, double *at, const char *text)
{
    static const char units[] = "smhd";
    static const double seconds[] = { 1, 60, 3600, 86400 };
    const char *end;
    double number = read_number(text, &end);
    const char *unit = field->kind == FIELD_TIME && *end ? strchr(units, *end) : NULL;
    if (unit) number *= seconds[unit - units];
    if (end == text || end[unit != NULL] || !isfinite(number) || number < field->low
        || number > field->high)
        return -1;
    *at = number;
    return 0;
}

static int set_seed(uint64_t *at, const char *text)
{
    const char *end;
    const double number = read_number(text, &end);
    if (end == text || *end || number != floor(number) || !(number >= 0 && number <= LARGEST_SEED))
        return -1;
    *at = (uint64_t)number;
    return 0;
}

static int set_choice(const char *const *choices, int *at, const char *text)
{
    for (int i = 0; choices[i]; i++) {
        if (strcmp(choices[i], text)) continue;
        *at = i;
        return 0;
    }
    return -1;
}

static int add_text(TextList *list, const char *text)
{
    if (list->is_default) *list = (TextList){ .count = 0 };
    if (list->count == TEXT_LIST_MOST) return -1;
    list->text[list->count++] = text;
    return 0;
}

static int set(const Field *field, void *object, const char *text)
{
    static const char *const off_on[] = { "off", "on", NULL };
    void *at = place(field, object);
    if (field->automatic && !strcmp(text, automatic)) {
        set_automatic(field, object);
        return 0;
    }
    switch (field->kind) {
    case FIELD_INT:    return set_whole(field, at, 1, text);
    case FIELD_PAIR:   return set_whole(field, at, 2, text);
    case FIELD_SEED:   return set_seed(at, text);
    case FIELD_REAL:
    case FIELD_TIME:   return set_real(field, at, text);
    case FIELD_FLAG:   return set_choice(off_on, at, text);
    case FIELD_CHOICE: return set_choice(field->choices, at, text);
    case FIELD_TEXT:   *(const char **)at = text; return 0;
    case FIELD_TEXTS:  return add_text(at, text);
    case FIELD_WORD:
        if (strlen(text) >= FIELD_WORD_BYTES) return -1;
        strncpy(at, text, FIELD_WORD_BYTES);
        return 0;
    }
    return -1;
}

int field_set(const Field *field, void *object, const char *text, Err *e)
{
    return set(field, object, text) ? refuse(field, 0, text, e) : 0;
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

void field_print(const Field *field, const void *object, Buf *out)
{
    const void *at = const_place(field, object);
    const TextList *list = at;
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
    case FIELD_TEXTS:
        for (int i = 0; i < list->count; i++) buf_printf(out, "%s%s", i ? " " : "", list->text[i]);
        break;
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

static cJSON *text_to_json(const char *text)
{
    return text ? cJSON_CreateString(text) : cJSON_CreateNull();
}

static cJSON *field_to_json(const Field *field, const void *object)
{
    const void *at = const_place(field, object);
    const TextList *list = at;
    if (is_automatic(field, object)) return cJSON_CreateString(automatic);
    switch (field->kind) {
    case FIELD_INT:    return cJSON_CreateNumber(*(const int *)at);
    case FIELD_PAIR:   return cJSON_CreateIntArray(at, 2);
    case FIELD_SEED:   return cJSON_CreateNumber((double)*(const uint64_t *)at);
    case FIELD_REAL:
    case FIELD_TIME:   return cJSON_CreateNumber(*(const double *)at);
    case FIELD_FLAG:   return cJSON_CreateBool(*(const int *)at);
    case FIELD_CHOICE: return cJSON_CreateString(field->choices[*(const int *)at]);
    case FIELD_TEXT:   return text_to_json(*(const char *const *)at);
    case FIELD_TEXTS:  return cJSON_CreateStringArray(list->text, list->count);
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

/* The text from which `set` reads the value of the item, which may be in room[]; NULL: the item is of
 * another type. Numbers have the 17 digits that give the same double back. */
static const char *text_of(const Field *field, const cJSON *item, char room[64])
{
    const cJSON *second = item;
    const char *string = cJSON_GetStringValue(item);
    if (string && field->automatic && !strcmp(string, automatic)) return string;
    switch (field->kind) {
    case FIELD_PAIR:
        if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != 2) return NULL;
        item = item->child;
        second = item->next;
        break;
    case FIELD_FLAG:   return !cJSON_IsBool(item) ? NULL : cJSON_IsTrue(item) ? "on" : "off";
    case FIELD_WORD:   return cJSON_IsNull(item) ? "" : string;
    case FIELD_CHOICE:
    case FIELD_TEXT:
    case FIELD_TEXTS:  return string;
    case FIELD_INT:
    case FIELD_SEED:
    case FIELD_REAL:
    case FIELD_TIME:   break;
    }
    if (!cJSON_IsNumber(item) || !cJSON_IsNumber(second)) return NULL;
    const int length = snprintf(room, 64, "%.17g", item->valuedouble);
    if (second != item) snprintf(room + length, 64 - (size_t)length, ",%.17g", second->valuedouble);
    return room;
}

static int texts_from_json(TextList *list, const cJSON *array)
{
    TextList found = { .count = 0 };
    const cJSON *item;
    if (!cJSON_IsArray(array)) return -1;
    cJSON_ArrayForEach(item, array)
        if (!cJSON_IsString(item) || add_text(&found, item->valuestring)) return -1;
    *list = found;
    return 0;
}

static int field_from_json(const Field *field, void *object, const cJSON *item, Err *e)
{
    char room[64];
    int rc = 0;
    void *at = place(field, object);
    if (field->kind == FIELD_TEXTS) rc = texts_from_json(at, item);
    else if (field->kind == FIELD_TEXT && cJSON_IsNull(item)) *(const char **)at = NULL;
    else {
        const char *text = text_of(field, item, room);
        rc = text ? set(field, object, text) : -1;
    }
    if (!rc) return 0;
    SCOPED(xfree_at) char *found = json_text(item, 0);
    return refuse(field, 1, found, e);
}

int fields_from_json(const Field *fields, void *object, const cJSON *json, Err *e)
{
    if (!cJSON_IsObject(json)) return err(e, "the settings are not a JSON object");
    for (const cJSON *item = json->child; item; item = item->next) {
        const Field *field = fields_find(fields, item->string, strlen(item->string));
        if (field && field_from_json(field, object, item, e)) return -1;
        if (field) continue;
        Suggestion near = { .word = item->string };
        for (; fields->name; fields++)
            suggestion_offer(&near, fields->name);
        return err(e, "\"%.60s\" is not a known setting%s%s%s", item->string,
                   near.best ? "; did you mean \"" : "", near.best ? near.best : "",
                   near.best ? "\"?" : "");
    }
    return 0;
}
