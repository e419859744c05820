/* corpus_words.c - counts the tokens of each side. */
#include "analysis/corpus_words.h"

#include "analysis/tokens.h"
#include "text/unicode.h"
#include "text/words.h"

#include <string.h>

enum { CAPITALS_FOR_A_SMALL_ONE = 9 };

/* ---- Counting ---- */

static void count_groups(CorpusWords *words, const Token *number)
{
    const char *end = number->text + strspn(number->text, "0123456789");
    if (end >= number->text + number->length) return;
    words->commas += *end == ',';
    words->dots += *end == '.';
    words->blanks += *end == ' ';
}

/* groups: whose numbers are counted, or NULL. */
static void count_side(StringTable *table, CorpusWords *groups, const char *line, size_t length)
{
    Buf normal = { 0 };
    Token token;
    buf_clear(&normal);
    words_normalise(line, length, 0, &normal);
    for (Tokens at = tokens_of(normal.text); tokens_next(&at, &token);)
        if (token.kind == TOKEN_WORD)
            string_table_count(table, token.text, token.length, !token.starts_sentence);
        else if (groups)
            count_groups(groups, &token);
    buf_free(&normal);
}

void corpus_words_add(CorpusWords *words, const char *source, size_t source_length,
                      const char *target, size_t target_length)
{
    count_side(&words->source, words, source, source_length);
    count_side(&words->target, NULL, target, target_length);
}

void corpus_words_free(CorpusWords *words)
{
    string_table_free(&words->source);
    string_table_free(&words->target);
    *words = (CorpusWords){ 0 };
}

/* ---- Asking ---- */

static int has(const StringTable *table, const char *word, size_t length)
{
    return string_table_find(table, word, length) >= 0;
}

int corpus_words_has(const CorpusWords *words, const char *word, size_t length)
{
    return has(&words->source, word, length) || has(&words->target, word, length);
}

static long times_inside(const StringTable *table, const char *word, size_t length)
{
    const int id = string_table_find(table, word, length);
    return id < 0 ? 0 : table->tally[id];
}

/* A capital, and a small letter somewhere behind it: no abbreviation such as TV. */
static int looks_like_name(const char *word, size_t length)
{
    const char *at = word, *end = word + length;
    const int32_t first = unicode_next(&at);
    if (unicode_lower(first) == first) return 0;
    while (at < end)
        if (unicode_is_lower(unicode_next(&at))) return 1;
    return 0;
}

static int has_its_capital(const StringTable *table, const char *word, size_t length,
                           const Buf *small)
{
    return times_inside(table, small->text, small->length) * CAPITALS_FOR_A_SMALL_ONE
        <= times_inside(table, word, length);
}

int corpus_words_is_name(const CorpusWords *words, const char *word, size_t length)
{
    if (!looks_like_name(word, length) || !times_inside(&words->source, word, length)) return 0;
    Buf small = { 0 };
    words_normalise(word, length, 1, &small);
    const int is_name = has_its_capital(&words->source, word, length, &small)
        && has_its_capital(&words->target, word, length, &small);
    buf_free(&small);
    return is_name;
}

NumberSeparators corpus_words_separators(const CorpusWords *words)
{
    static const char no_break_space[] = "\xC2\xA0";
    if (words->blanks > words->commas && words->blanks > words->dots)
        return (NumberSeparators){ no_break_space, "," };
    return words->dots > words->commas ? (NumberSeparators){ ".", "," }
                                       : (NumberSeparators){ ",", "." };
}
