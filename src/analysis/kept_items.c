/* kept_items.c - finds the places, puts in what is made up, and counts it again. */
#include "analysis/kept_items.h"

#include "analysis/tokens.h"
#include "base/mem.h"
#include "base/random/rng.h"
#include "text/noise.h"
#include "text/unicode.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

enum { THOUSAND = 1000 };

/* ---- Items ---- */

static KeptItem *add_item(KeptItems *items, const KeptItem *item)
{
    items->item = grow(items->item, &items->capacity, items->count + 1, sizeof *items->item);
    items->item[items->count] = *item;
    return &items->item[items->count++];
}

void kept_items_move(KeptItems *items, KeptItems *from, size_t line)
{
    for (size_t i = 0; i < from->count; i++) add_item(items, &from->item[i])->line = line;
    from->count = 0;
    kept_items_free(from);
}

void kept_items_free(KeptItems *items)
{
    for (size_t i = 0; i < items->count; i++) free(items->item[i].text);
    free(items->item);
    *items = (KeptItems){ 0 };
}

static uint64_t key_of(const KeptCase *c, uint64_t number)
{
    return rng_key(c->key, number, RNG_NOISE);
}

/* Counts each item in its line; returns how many items these are. */
static int finish(KeptItems *items, const Buf *line)
{
    for (size_t i = 0; i < items->count; i++)
        items->item[i].times = kept_item_times(&items->item[i], line->text);
    return (int)items->count;
}

static void add(Buf *out, const char *at, const char *end)
{
    buf_add(out, at, (size_t)(end - at));
}

/* ---- Names ---- */

static int is_same(const Token *token, const Token *other)
{
    return token->length == other->length && !memcmp(token->text, other->text, token->length);
}

static int count_token(const char *normal, const Token *wanted)
{
    Token token;
    int count = 0;
    for (Tokens at = tokens_of(normal); tokens_next(&at, &token);)
        count += is_same(&token, wanted);
    return count;
}

static int count_in_reference(const char *reference, const Token *wanted)
{
    Buf normal = { 0 };
    buf_clear(&normal);
    words_normalise(reference, strlen(reference), 0, &normal);
    const int count = count_token(normal.text, wanted);
    buf_free(&normal);
    return count;
}

/* Whether a word of the source is a name that every reference has as often. A dot inside the line
 * makes it an abbreviation (Dr.). */
static int is_shared_name(const KeptCase *c, const Token *word)
{
    const char *end = word->text + word->length;
    if (word->kind != TOKEN_WORD || (end[0] == '.' && end[1])) return 0;
    if (!corpus_words_is_name(c->words, word->text, word->length)) return 0;
    const int times = count_token(c->source, word);
    for (int r = 0; r < c->references; r++)
        if (count_in_reference(c->reference[r], word) != times) return 0;
    return 1;
}

/* Whether the corpus holds a word of the name; the O of O'Sallar doesn't count. */
static int is_known(const CorpusWords *words, const char *name)
{
    Token token;
    for (Tokens at = tokens_of(name); tokens_next(&at, &token);)
        if (token.length > 1 && corpus_words_has(words, token.text, token.length)) return 1;
    return 0;
}

/* Adds a name of words that are new to the corpus. */
static const KeptItem *add_name(const KeptCase *c, KeptItems *items)
{
    enum { ATTEMPTS = 100 };
    Buf name = { 0 };
    for (uint64_t i = 0; i < ATTEMPTS; i++) {
        buf_clear(&name);
        made_up_add(MADE_UP_NAME, rng_key(key_of(c, items->count), i, RNG_NOISE), &name);
        if (!is_known(c->words, name.text)) break;
    }
    return add_item(items, &(KeptItem){ .text = name.text });
}

int kept_names(const KeptCase *c, KeptItems *items, Buf *out)
{
    enum { MOST_NAMES = 8 };                            /* of a line; further ones stay */
    Token replaced[MOST_NAMES], token;
    const char *rest = c->source;
    int names = 0, i;
    for (Tokens at = tokens_of(c->source); tokens_next(&at, &token);) {
        if (!is_shared_name(c, &token)) continue;
        for (i = 0; i < names && !is_same(&replaced[i], &token);) i++;
        if (i == MOST_NAMES) continue;
        if (i == names) {
            replaced[names++] = token;
            add_name(c, items);
        }
        add(out, rest, token.text);
        buf_puts(out, items->item[i].text);
        rest = token.text + token.length;
    }
    buf_puts(out, rest);
    return finish(items, out);
}

/* ---- Numbers ---- */

static size_t digits_at(const char *at)
{
    return strspn(at, "0123456789");
}

/* The end of the number in digits at `at`: with groups, and with fractions. */
static const char *number_end(const char *at)
{
    const char *end = at + digits_at(at);
    int group = end - at <= 3;
    while (*end && strchr("., ", *end) && digits_at(end + 1)) {
        const size_t digits = digits_at(end + 1);
        group = group && digits == 3;
        if (*end == ' ' && !group) break;
        end += 1 + digits;
    }
    return end;
}

/* Whether nothing joins the number to what is before and behind it, which makes it a time, a date,
 * an ordinal or a part of a code. 0: an end of the line. */
static int stands_alone(int32_t before, int32_t after)
{
    static const char opening[] = " (\"[", closing[] = " .,;!?)\"]%";
    const int opens = !before || unicode_is_currency(before) || before == 0xAB || before == 0x201C
        || (before < 0x80 && strchr(opening, before));
    return opens && (!after || unicode_is_currency(after) || after == 0xBB || after == 0x201D
                     || after == 0x2026 || (after < 0x80 && strchr(closing, after)));
}

/* Adds a number that differs from the one at..end. */
static const KeptItem *add_number(const KeptCase *c, const char *at, const char *end,
                                  KeptItems *items)
{
    const NumberSeparators separators = corpus_words_separators(c->words);
    KeptItem item = { .is_number = 1 };
    Buf text = { 0 };
    for (uint64_t i = 0; !i || (text.length == (size_t)(end - at)
                                && !memcmp(text.text, at, text.length)); i++) {
        buf_clear(&text);
        item.number = made_up_number(rng_key(key_of(c, items->count), i, RNG_NOISE));
        made_up_number_add(&item.number, separators.group, separators.point, &text);
    }
    item.text = text.text;
    return add_item(items, &item);
}

int kept_numbers(const KeptCase *c, KeptItems *items, Buf *out)
{
    const char *rest = c->source;
    int32_t before = 0;
    for (const char *at = rest; *at;) {
        if (!digits_at(at)) {
            before = unicode_next(&at);
            continue;
        }
        const char *end = number_end(at), *behind = end;
        if (stands_alone(before, *end ? unicode_next(&behind) : 0)) {
            add(out, rest, at);
            buf_puts(out, add_number(c, at, end, items)->text);
            rest = end;
        }
        before = '0';
        at = end;
    }
    buf_puts(out, rest);
    return finish(items, out);
}

/* ---- Verbatim ---- */

static MadeUp verbatim_kind(const KeptCase *c, const KeptItems *items)
{
    enum { KINDS = MADE_UP_PLACEHOLDER - MADE_UP_ADDRESS + 1 };
    return (MadeUp)(MADE_UP_ADDRESS + rng_below(c->key, items->count, KINDS));
}

static const KeptItem *add_verbatim(const KeptCase *c, KeptItems *items)
{
    Buf text = { 0 };
    made_up_add(verbatim_kind(c, items), key_of(c, items->count), &text);
    return add_item(items, &(KeptItem){ .text = text.text });
}

static int has_apostrophe_behind(const Token *token)
{
    const char *at = token->text + token->length;
    const int32_t point = *at ? unicode_next(&at) : 0;
    return point == '\'' || point == 0x2019;
}

int kept_verbatim_name(const KeptCase *c, KeptItems *items, Buf *out)
{
    Token token;
    for (Tokens at = tokens_of(c->source); tokens_next(&at, &token);) {
        if (has_apostrophe_behind(&token) || !is_shared_name(c, &token)
            || count_token(c->source, &token) > 1) continue;
        add(out, c->source, token.text);
        buf_puts(out, add_verbatim(c, items)->text);
        buf_puts(out, token.text + token.length);
        return finish(items, out);
    }
    return 0;
}

int kept_verbatim_end(const KeptCase *c, KeptItems *items, Buf *out)
{
    const size_t start = out->length;
    const int two = !rng_below(key_of(c, 0), 0, 3);
    noise_add(NOISE_FINAL, c->source, strlen(c->source), 0, out);
    const char *mark = c->source + (out->length - start);
    buf_printf(out, " (%s", add_verbatim(c, items)->text);
    if (two) buf_printf(out, ", %s", add_verbatim(c, items)->text);
    buf_printf(out, ")%s", mark);
    return finish(items, out);
}

/* ---- Counting ---- */

static int32_t point_before(const char *text, const char *at)
{
    if (at == text) return ' ';
    do at--; while (at > text && (*at & 0xC0) == 0x80);
    return unicode_next(&at);
}

static int32_t point_at(const char *at)
{
    return *at ? unicode_next(&at) : ' ';
}

static int is_word_character(int32_t point)
{
    return unicode_is_letter(point) || unicode_is_mark(point) || unicode_is_number(point);
}

/* Whether what the text has at..end goes on as a word on either side. */
static int is_part_of_word(const char *text, const char *at, const char *end)
{
    return (is_word_character(point_before(text, at)) && is_word_character(point_at(at)))
        || (is_word_character(point_before(text, end)) && is_word_character(point_at(end)));
}

static int is_separator(char c)
{
    return c == '.' || c == ',';
}

/* Whether what the text has at..end goes on as a number on either side. */
static int is_part_of_number(const char *text, const char *at, const char *end)
{
    const int before = at > text && (digits_at(at - 1) || (at > text + 1 && is_separator(at[-1])
                                                          && digits_at(at - 2)));
    return before || digits_at(end) || (is_separator(*end) && digits_at(end + 1));
}

static int count_exact(const char *wanted, const char *text,
                       int (*is_part)(const char *, const char *, const char *))
{
    const size_t length = strlen(wanted);
    int count = 0;
    for (const char *at = text; (at = strstr(at, wanted)); at += length)
        count += !is_part(text, at, at + length);
    return count;
}

/* Counts all spellings of a number. */
static int count_number(const MadeUpNumber *number, const char *text)
{
    static const char *const groups[] = { "", ",", ".", " ", "\xC2\xA0", "\xE2\x80\xAF",
                                          "\xE2\x80\x89", "'", "\xE2\x80\x99", NULL };
    static const char *const points[] = { ".", ",", NULL };
    Buf spelling = { 0 };
    int count = 0;
    MadeUpNumber other = *number;
    other.grouped = number->whole >= THOUSAND;
    for (const char *const *group = groups; *group; group++) {
        for (const char *const *point = points; *point; point++) {
            if (!strcmp(*group, *point)) continue;
            buf_clear(&spelling);
            made_up_number_add(&other, *group, *point, &spelling);
            count += count_exact(spelling.text, text, is_part_of_number);
            if (!other.fraction_digits) break;
        }
        if (!other.grouped) break;
    }
    buf_free(&spelling);
    return count;
}

int kept_item_times(const KeptItem *item, const char *text)
{
    return item->is_number ? count_number(&item->number, text)
                           : count_exact(item->text, text, is_part_of_word);
}
