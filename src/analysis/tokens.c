/* tokens.c - a scan from left to right; rules look ahead from the start of a token. */
#include "analysis/tokens.h"

#include "text/unicode.h"

#include <string.h>
#include <strings.h>

enum { GROUP = 3, ELLIPSIS = 0x2026, RIGHT_QUOTE = 0x2019 };

static size_t digits_at(const char *at)
{
    return strspn(at, "0123456789");
}

/* The end of a number: digits, and if these are at most three, all groups of three after a
 * separator. */
static const char *number_end(const char *at)
{
    const char *end = at + digits_at(at);
    if (end - at > GROUP) return end;
    while (*end && strchr(",. ", *end) && digits_at(end + 1) == GROUP) end += 1 + GROUP;
    return end;
}

static int is_letter_at(const char *at)
{
    return *at && unicode_is_letter(unicode_next(&at));
}

static const char *word_end(const char *at)
{
    for (const char *next = at; *at; at = next) {
        int32_t point = unicode_next(&next);
        if (!unicode_is_letter(point) && !unicode_is_mark(point)) break;
    }
    return at;
}

static int ends_sentence(int32_t point)
{
    return point == '.' || point == '!' || point == '?' || point == ELLIPSIS;
}

Tokens tokens_of(const char *line)
{
    return (Tokens){ .at = line, .new_sentence = 1 };
}

int tokens_next(Tokens *tokens, Token *token)
{
    while (*tokens->at && !digits_at(tokens->at) && !is_letter_at(tokens->at))
        if (ends_sentence(unicode_next(&tokens->at))) tokens->new_sentence = 1;
    if (!*tokens->at) return 0;
    int number = digits_at(tokens->at) > 0;
    const char *end = number ? number_end(tokens->at) : word_end(tokens->at);
    *token = (Token){ .kind = number ? TOKEN_NUMBER : TOKEN_WORD, .text = tokens->at,
                      .length = (size_t)(end - tokens->at),
                      .starts_sentence = tokens->new_sentence };
    *tokens = (Tokens){ .at = end };
    return 1;
}

size_t number_group(const Token *number, const char **at, const char **group)
{
    const char *end = number->text + number->length;
    while (*at < end && !digits_at(*at)) ++*at;
    *group = *at;
    if (*at < end) *at += digits_at(*at);
    return (size_t)(*at - *group);
}

void number_digits(const Token *number, Buf *out)
{
    const char *at = number->text, *group;
    buf_clear(out);
    for (size_t length; (length = number_group(number, &at, &group));) buf_add(out, group, length);
}

/* ---- Negations ---- */

static int is_apostrophe(int32_t point)
{
    return point == '\'' || point == RIGHT_QUOTE;
}

/* The length in bytes of the negation that begins with a word: of "don't" for "don", of "n'" before
 * a word, of "not"; 0: it is no negation. */
static size_t negation_length(const Token *word)
{
    static const char *const words[] = { "not", "cannot", "never", "no", "nobody", "nothing",
                                         "ne", "pas", "jamais", "rien", "personne" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == word->length && !strncasecmp(words[i], word->text, word->length))
            return word->length;
    const char *at = word->text + word->length;
    if (!*at || strncasecmp(at - 1, "n", 1) || !is_apostrophe(unicode_next(&at))) return 0;
    size_t whole = (size_t)(at - word->text);
    if (word->length == 1) return is_letter_at(at) ? whole : 0;
    return !strncasecmp(at, "t", 1) && !is_letter_at(at + 1) ? whole + 1 : 0;
}

int negation_find(const char *line, Token *found)
{
    for (Tokens tokens = tokens_of(line); tokens_next(&tokens, found);) {
        size_t length = found->kind == TOKEN_WORD ? negation_length(found) : 0;
        if (!length) continue;
        found->length = length;
        return 1;
    }
    return 0;
}
