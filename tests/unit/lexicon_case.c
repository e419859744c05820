/* lexicon_case.c - JSON to lexicons. */
#include "lexicon_case.h"

#include "scratch.h"

static Lexicon *from_text(const char *text, Err *e)
{
    char *copy = strdup(text);
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

void show_words(const Words *words, Buf *out)
{
    buf_clear(out);
    for (size_t i = 0, length; i < words->count; i++) {
        const char *word = words_at(words, i, &length);
        const size_t mark = words_mark_length(word, length);
        if (i) buf_putc(out, mark ? ' ' : '|');
        buf_add(out, word + mark, length - mark);
    }
}
