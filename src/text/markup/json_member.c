/* json_member.c - see json_member.h. */
#include "text/markup/json_member.h"

#include "base/json.h"
#include "base/mem.h"
#include "text/ascii.h"

#include <stdlib.h>
#include <string.h>

/* The quote that ends the string whose first quote is at `at`; NULL: there is none. */
static const char *closing_quote(const char *at)
{
    if (*at != '"') return NULL;
    for (at++; *at && *at != '"'; at++)
        at += *at == '\\' && at[1];
    return *at ? at : NULL;
}

/* Behind the last bracket of a line, if nothing but a comma follows it: of an object or a list, or where one begins. */
static const char *behind_bracket(const char *line)
{
    const char *end = line + strlen(line);
    while (end > line && strchr(" \t,", end[-1]))
        end--;
    return end > line && strchr("{}[]", end[-1]) ? end : NULL;
}

/* Behind a value at `at` that is no string; NULL: there is none. */
static const char *other_end(const char *at)
{
    static const char *const words[] = { "true", "false", "null" };
    if (*at == '{' || *at == '[') return behind_bracket(at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(at, words[i], strlen(words[i]))) return at + strlen(words[i]);
    return ascii_is_digit(at[*at == '-']) ? at + strspn(at, "+-.0123456789eE") : NULL;
}

/* Whether nothing but the mark behind a member is at `at`: a comma, which the last one lacks; in strings of an
 * application, where the sign of a member is =, a semicolon. */
static int is_end(const char *at, char sign)
{
    const char mark = sign == '=' ? ';' : ',';
    at = ascii_skip_white(at);
    return sign == '=' && *at != mark ? 0 : !*ascii_skip_white(at + (*at == mark));
}

/* Whether a line is an object, or begins one: {"name": "Tom", "age": 3}, */
static int is_object(const char *line)
{
    const char *at = ascii_skip_white(line);
    return *at == '{' && *ascii_skip_white(at + 1) == '"' && behind_bracket(at);
}

JsonMember json_member_of(const char *line)
{
    const JsonMember none = { JSON_NO_MEMBER, 0, 0 }, object = { .kind = JSON_OTHER };
    if (is_object(line)) return object;
    const char *name = ascii_skip_white(line), *behind = closing_quote(name);
    if (!behind) return none;
    const char *sign = ascii_skip_white(behind + 1), *value = ascii_skip_white(sign + (*sign != 0));
    const char *quote = closing_quote(value), *other = *sign == ':' ? other_end(value) : NULL;
    if (*sign != ':' && *sign != '=') return none;
    if (other && is_end(other, *sign)) return object;
    if (!quote || !is_end(quote + 1, *sign)) return none;
    const int is_empty = quote == value + 1;
    return (JsonMember){ is_empty ? JSON_OTHER : JSON_TEXT, (size_t)(value + 1 - line), (size_t)(quote - line) };
}

/* Whether all escapes are those of JSON, and none is NUL. */
static int has_sound_escapes(const char *text, size_t length)
{
    enum { DIGITS = 4 };
    for (const char *at = text, *end = text + length; at < end; at++) {
        if (*at != '\\') continue;
        if (++at == end || !strchr("\"\\/bfnrtu", *at)) return 0;
        if (*at == 'u' && !strncmp(at + 1, "0000", DIGITS)) return 0;
        for (int i = 1; *at == 'u' && i <= DIGITS; i++)
            if (!ascii_is_hex(at[i])) return 0;
    }
    return 1;
}

char *json_string_decode(const char *text, size_t length)
{
    Err e;
    Buf quoted = { 0 };
    if (!has_sound_escapes(text, length)) return NULL;
    buf_putc(&quoted, '"');
    buf_add(&quoted, text, length);
    buf_putc(&quoted, '"');
    cJSON *string = json_parse(quoted.text, quoted.length, &e);
    char *decoded = cJSON_IsString(string) ? xstrdup(string->valuestring) : NULL;
    cJSON_Delete(string);
    buf_free(&quoted);
    return decoded;
}

void json_string_add(const char *text, Buf *out)
{
    cJSON *string = cJSON_CreateString(text);
    char *quoted = json_text(string, 0);
    buf_add(out, quoted + 1, strlen(quoted) - 2);
    free(quoted);
    cJSON_Delete(string);
}
