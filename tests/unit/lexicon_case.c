/* lexicon_case.c - JSON to lexicons. */
#include "lexicon_case.h"

#include "scratch.h"
#include "text/lexicon.h"
#include "text/unicode.h"

/* A list of words is a lexicon whose corpus copied names, numbers, spans and signs, but no small words. */
static char *lexicon_text(const char *text)
{
    Buf whole = { 0 };
    if (*text != '[') return strdup(text);
    buf_printf(&whole, "{'words':%s,'copied':[[0,400,400],[0,%d,400,400],[0,%d,%d,400,0]]}", text, UNICODE_LATIN, UNICODE_LATIN,
               SHAPE_SMALL);
    return whole.text;
}

static Lexicon *from_text(const char *text, Err *e)
{
    char *copy = lexicon_text(text);
    for (char *at = copy; (at = strchr(at, '\'')); at++)
        *at = '"';
    cJSON *json = json_parse(copy, strlen(copy), e);
    if (!json) fail_msg("%s: %s", copy, e->text);
    Lexicon *lexicon = lexicon_from_json(json, NULL, e);
    cJSON_Delete(json);
    free(copy);
    return lexicon;
}

Lexicon *lexicon_of(const char *text)
{
    Err e = { "" };
    Lexicon *lexicon = from_text(text, &e);
    if (!lexicon) fail_msg("%s: %s", text, e.text);
    return lexicon;
}

void lexicon_refused(const char *text, Err *e)
{
    *e = (Err){ "" };
    Lexicon *lexicon = from_text(text, e);
    if (lexicon) fail_msg("%s is accepted", text);
    assert_true(*e->text);
}
