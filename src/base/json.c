/* json.c - parsing what is not trusted, and getters that check. */
#include "base/json.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/strings.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t bytes)
{
    return xmalloc(bytes, 1);
}

void json_setup(void)
{
    cJSON_InitHooks(&(cJSON_Hooks){ .malloc_fn = allocate, .free_fn = xfree });
}

static void release(void *tree)
{
    cJSON_Delete(tree);
}

void json_free(cJSON *tree)
{
    mem_forget(tree);
    cJSON_Delete(tree);
}

static cJSON *parse_fail(const char *text, const char *at, const char *what, Err *e)
{
    long line = 1;
    for (const char *c = text; c < at; c++)
        line += *c == '\n';
    err(e, "line %ld: %s", line, what);
    return NULL;
}

/* Where the value with so many before it begins, or NULL: each but the first follows a comma
 * or a bracket. */
static const char *value_after(const char *text, size_t length, size_t before)
{
    int quoted = 0;
    for (const char *c = text; c < text + length; c++) {
        if (*c == '"') quoted = !quoted;
        else if (*c == '\\') c += quoted;
        else if (!quoted && (*c == ',' || *c == '[' || *c == '{') && !--before) return c;
    }
    return NULL;
}

cJSON *json_parse(const char *text, size_t length, Err *e)
{
    const char *nul = memchr(text, '\0', length);
    const char *beyond = length > JSON_VALUES ? value_after(text, length, JSON_VALUES) : NULL;
    if (nul) return parse_fail(text, nul, "a NUL byte, which JSON may not hold", e);
    if (beyond) return parse_fail(text, beyond, "more than five million values", e);
    /* With a NUL: cJSON before 1.7.18 reads the byte behind some texts that are cut off. */
    SCOPED(xfree_at) char *copy = xstrndup(text, length);
    const char *end = copy;
    cJSON *value = cJSON_ParseWithLengthOpts(copy, length, &end, 0);
    if (!value) return parse_fail(copy, end, "not valid JSON", e);
    mem_keep(value, release);
    end += strspn(end, " \t\r\n");
    if (end == copy + length) return value;
    json_free(value);
    return parse_fail(copy, end, "more text after the end of the JSON value", e);
}

/* As JSON writes any character; two halves beyond U+FFFF. */
static void add_escaped(const char *at, Buf *out)
{
    int32_t point = 0;
    utf8_decode(at, SIZE_MAX, &point);
    if (point > 0xFFFF) {
        buf_printf(out, "\\u%04x", 0xD800 + (unsigned)(point - 0x10000) / 0x400);
        point = 0xDC00 + point % 0x400;
    }
    buf_printf(out, "\\u%04x", (unsigned)point);
}

/* Takes over a JSON text and returns it with the unprintable characters escaped that cJSON leaves as
 * they are, which occur in strings only. */
static char *escaped(char *json)
{
    static const char beginnings[] = "\x7F\xC2\xD8\xE1\xE2\xEF\xF0\xF3";
    Buf out = { 0 };
    for (const char *at = json; *at;) {
        const size_t plain = strcspn(at, beginnings);
        buf_add(&out, at, plain);
        at += plain;
        const size_t length = unprintable(at);
        if (length) add_escaped(at, &out);
        else buf_add(&out, at, *at != '\0');
        at += length ? length : *at != '\0';
    }
    mem_forget(json);
    cJSON_free(json);
    return out.text;
}

char *json_text(const cJSON *value, int indented)
{
    char *text = indented ? cJSON_Print(value) : cJSON_PrintUnformatted(value);
    if (!text) die("a JSON text of more than %d bytes cannot be written", INT_MAX);
    mem_keep(text, cJSON_free);
    return escaped(text);
}

/* ---- Bytes of the system ---- */

/* The byte that \xHH at `at` stands for, one that is no UTF-8 or a backslash; -1: none stands there. */
static int byte_at(const char *at)
{
    static const char digits[] = "0123456789ABCDEF";
    if (at[0] != '\\' || at[1] != 'x' || !at[2] || !at[3]) return -1;
    const char *high = strchr(digits, at[2]), *low = strchr(digits, at[3]);
    const int byte = high && low ? (int)(16 * (high - digits) + (low - digits)) : -1;
    return byte >= 0x80 || byte == '\\' ? byte : -1;
}

cJSON *json_bytes(const char *bytes)
{
    SCOPED(buf_free) Buf text = { 0 };
    int32_t point;
    buf_clear(&text);
    while (*bytes) {
        const size_t length = byte_at(bytes) < 0 ? utf8_decode(bytes, SIZE_MAX, &point) : 0;
        if (length) buf_add(&text, bytes, length);
        else buf_printf(&text, "\\x%02X", (unsigned char)*bytes);
        bytes += length ? length : 1;
    }
    return cJSON_CreateString(text.text);
}

void json_add_bytes(cJSON *object, const char *key, const char *bytes)
{
    cJSON_AddItemToObject(object, key, json_bytes(bytes));
}

static void restore(char *text)
{
    char *to = text;
    for (const char *at = text; *at;) {
        const int byte = byte_at(at);
        *to++ = byte < 0 ? *at : (char)byte;
        at += byte < 0 ? 1 : strlen("\\xHH");
    }
    *to = '\0';
}

void json_restore_bytes(cJSON *value)
{
    if (cJSON_IsString(value)) restore(value->valuestring);
    for (cJSON *item = value->child; item; item = item->next)
        json_restore_bytes(item);
}

void json_add_as_text(cJSON *object, const char *key, cJSON *value)
{
    SCOPED(xfree_at) char *text = json_text(value, 0);
    cJSON_AddStringToObject(object, key, text);
    cJSON_Delete(value);
}

void json_add_exact(cJSON *object, const char *key, double number)
{
    char text[32];
    assert(isfinite(number));
    snprintf(text, sizeof text, "%.17g", number);
    cJSON_AddRawToObject(object, key, text);
}

cJSON *json_rounded(double number, int digits)
{
    char text[512];     /* the largest double has 309 digits before the point */
    snprintf(text, sizeof text, "%.*f", digits, number);
    return cJSON_CreateNumber(strtod(text, NULL));
}

cJSON *json_significant(double number, int digits)
{
    char text[64];
    snprintf(text, sizeof text, "%.*g", digits, number);
    return cJSON_CreateNumber(strtod(text, NULL));
}

/* ---- Members of an object ---- */

/* *out: the member `key`, if `is` accepts it. */
static int get(const cJSON *object, const char *key, cJSON_bool (*is)(const cJSON *),
               const char *expected, const cJSON **out, Err *e)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item) return err(e, "\"%s\" is missing; it should be %s", key, expected);
    if (!is(item)) return err(e, "\"%s\" is not %s", key, expected);
    *out = item;
    return 0;
}

int json_get_number(const cJSON *object, const char *key, double *out, Err *e)
{
    const cJSON *item = NULL;
    if (get(object, key, cJSON_IsNumber, "a number", &item, e)) return -1;
    if (!isfinite(item->valuedouble)) return err(e, "\"%s\" is beyond the range of numbers", key);
    *out = item->valuedouble;
    return 0;
}

int json_get_int(const cJSON *object, const char *key, double low, double high, int *out, Err *e)
{
    double number = 0;
    if (json_get_number(object, key, &number, e)) return -1;
    low = fmax(low, INT_MIN);
    high = fmin(high, INT_MAX);
    if (number != floor(number) || number < low || number > high)
        return err(e, "\"%s\" is %g, not a whole number from %.0f to %.0f", key, number, low, high);
    *out = (int)number;
    return 0;
}

int json_get_string(const cJSON *object, const char *key, const char **out, Err *e)
{
    const cJSON *item = NULL;
    if (get(object, key, cJSON_IsString, "a string", &item, e)) return -1;
    *out = item->valuestring;
    return 0;
}

int json_get_object(const cJSON *object, const char *key, const cJSON **out, Err *e)
{
    return get(object, key, cJSON_IsObject, "an object", out, e);
}

int json_get_array(const cJSON *object, const char *key, const cJSON **out, Err *e)
{
    return get(object, key, cJSON_IsArray, "an array", out, e);
}
