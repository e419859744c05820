/* numbers.c - see numbers.h. */
#include "text/locale/numbers.h"

#include "text/ascii.h"
#include "text/letter_case.h"
#include "text/locale/language.h"
#include "text/unicode.h"
#include "text/word_list.h"
#include "text/word_match.h"

#include <string.h>

enum { GROUP = 3 };

/* A number of a text: the digits up to `whole`, with `group` between groups (0: there are none), and those
 * of the fraction behind them up to `end`. */
typedef struct {
    const char *start, *whole, *end;
    char        group;
} Number;

static const char *digits_end(const char *at, const char *end)
{
    while (at < end && ascii_is_digit(*at))
        at++;
    return at;
}

/* Whether a mark at `at` has one digit behind it or more, or just the digits of a group. */
static int has_digits(const char *at, const char *end)
{
    return digits_end(at + 1, end) > at + 1;
}

static int has_group(const char *at, const char *end)
{
    return at < end && digits_end(at + 1, end) == at + 1 + GROUP;
}

/* Whether something goes on behind a number that makes it another thing: 1.2.3, 10:30. */
static int goes_on(const char *at, const char *end)
{
    return at < end && strchr(".,:", *at) && has_digits(at, end);
}

/* Whether what may be one group behind a point is rather a fraction. */
static int is_doubtful(const Number *n)
{
    return n->group == '.' && n->end == n->whole && n->end - n->start <= 2 * GROUP + 1
           && memcmp(n->end - GROUP, "000", GROUP) != 0;
}

/* The number that begins with the digit at `at`; its end is its start if there is none. */
static Number number_at(const NumberMarks *marks, const char *at, const char *end)
{
    Number n = { .start = at, .whole = digits_end(at, end), .end = at };
    const int may_have_groups = n.whole - at <= GROUP && *at != '0';
    if (may_have_groups && has_group(n.whole, end) && strchr(marks->groups, *n.whole)) n.group = *n.whole;
    while (n.group && has_group(n.whole, end) && *n.whole == n.group)
        n.whole += 1 + GROUP;
    const char *stop = n.whole;
    if (stop < end && *stop == marks->point && has_digits(stop, end)) stop = digits_end(stop + 1, end);
    if (goes_on(stop, end)) return n;
    n.end = stop;
    if (is_doubtful(&n)) n.end = at;
    return n;
}

static void write_number(const NumberMarks *marks, const Number *n, Buf *out)
{
    for (const char *at = n->start; at < n->whole; at++)
        buf_putc(out, ascii_is_digit(*at) ? *at : marks->groups[0]);
    if (n->end == n->whole) return;
    buf_putc(out, marks->point);
    buf_add(out, n->whole + 1, (size_t)(n->end - n->whole - 1));
}

/* Behind what no number may begin in. */
static const char *skip(const char *at, const char *end)
{
    while (at < end && (ascii_is_digit(*at) || goes_on(at, end)))
        at++;
    return at;
}

static void rewrite(const Locale *from, const Locale *into, const char *text, const char *end, Buf *out)
{
    for (const char *at = text, *rest; at < end; at = rest) {
        rest = at + 1;
        if (ascii_is_digit(*at)) {
            const Number n = number_at(&from->numbers, at, end);
            rest = n.end > at ? n.end : skip(at, end);
            if (n.end > at) {
                write_number(&into->numbers, &n, out);
                continue;
            }
        }
        buf_add(out, at, (size_t)(rest - at));
    }
}

/* ---- Money ---- */

/* An amount and the sign of its currency, which are parts of a text; and the number of the word between or
 * behind them in Locale.factors, from 1; 0: there is none. */
typedef struct {
    const char *amount, *amount_end, *sign;
    size_t      sign_length;
    int         factor, is_upper;       /* whether the factor is written in CAPITALS */
} Money;

int numbers_is_dollar_prefix(const char *at, const char *end)
{
    static const char *const prefixes[] = { "US", "CA", "C", "AU", "A", "NZ", "HK", "SG", "S", "R", NULL };
    return word_list_has(prefixes, at, end);
}

/* The bytes of the sign of a currency at `at`, with the letters before a dollar's; 0: it is none. */
static size_t sign_length(const char *at)
{
    const char *dollar = at;
    while (ascii_is_upper(*dollar))
        dollar++;
    const char *end = dollar;
    if (dollar > at && (*dollar != '$' || !numbers_is_dollar_prefix(at, dollar))) return 0;
    return *end && unicode_is_currency(unicode_next(&end)) ? (size_t)(end - at) : 0;
}

/* That of shorter words counts: 5 M, $5 TN. */
enum { FEWEST_WITHOUT_CASE = 4 };

/* Whether a text begins with a word of `length` bytes, whatever the case of ASCII letters. */
static int begins_with(const char *at, const char *word, size_t length)
{
    if (length < FEWEST_WITHOUT_CASE) return !strncmp(at, word, length);
    for (size_t i = 0; i < length; i++)
        if (ascii_lower(at[i]) != ascii_lower(word[i])) return 0;
    return 1;
}

/* Behind a word at `at`; NULL: another is there, or none. */
static const char *behind_word(const char *at, const char *word)
{
    const size_t length = strlen(word);
    if (!begins_with(at, word, length)) return NULL;
    const int32_t next = at[length] ? unicode_next(&(const char *){ at + length }) : 0;
    return unicode_is_letter(next) || unicode_is_number(next) ? NULL : at + length;
}

static int is_letter(const char *word)
{
    return !word[1];
}

static const char *behind_one_of(const char *const *words, const char *at, int has_letters)
{
    const char *end = NULL;
    for (; !end && *words; words++)
        if (has_letters || !is_letter(*words)) end = behind_word(at, *words);
    return end;
}

/* Behind a factor at `at`, of which a letter alone is one if `has_letters`. */
static const char *behind_factor(const Factor *factor, const char *at, int has_letters)
{
    const char *const words[] = { factor->many, factor->one, NULL };
    const char *end = behind_one_of(words, at, has_letters);
    return end ? end : behind_one_of(factor->others, at, has_letters);
}

/* Behind the factor of an amount that ends at `at`, perhaps after a blank; `at`: there is none. Behind a blank,
 * where the sign is before the amount, a letter is another thing: a $5 T shirt. */
static const char *read_factor(const Locale *locale, const char *at, int has_sign, int *number)
{
    const int is_apart = *at == ' ';
    for (*number = 1; *number <= FACTORS; ++*number) {
        const Factor *factor = &locale->factors[*number - 1];
        const char *end = behind_factor(factor, at + is_apart, !is_apart || !has_sign);
        if (end) return end;
    }
    *number = 0;
    return at;
}

static const char *currency_words(const Locale *locale, const char *sign, size_t length)
{
    const Currency *c = locale->currencies;
    while (c->sign && (strlen(c->sign) != length || memcmp(c->sign, sign, length) != 0))
        c++;
    return c->words;
}

/* Behind the words that say once more what the sign before the amount says, with its letters or without:
 * $5 million dollars, US$5 million dollars; `at`: there are none. */
static const char *behind_currency(const Locale *locale, const Money *m, const char *at)
{
    const char *end = NULL;
    for (size_t letters = 0; !end && m->factor && *at == ' ' && letters < m->sign_length; letters++) {
        const char *words = currency_words(locale, m->sign + letters, m->sign_length - letters);
        if (words) end = behind_word(at + 1, words);
    }
    return end ? end : at;
}

/* Whether at..end is a word of capitals, of which letters such as M say nothing. */
static int are_capitals(const char *at, const char *end)
{
    at += strspn(at, " ");
    return end - at >= FEWEST_WITHOUT_CASE && letter_case_shape(at, (size_t)(end - at)) == SHAPE_CAPITALS;
}

/* Whether all of a text is money. */
static int money_of(const Locale *locale, const char *text, Money *m)
{
    const char *end = text + strlen(text);
    m->sign = text;
    m->sign_length = sign_length(text);
    m->amount = text + m->sign_length;
    if (m->sign_length) m->amount += strspn(m->amount, " ");
    m->amount_end = number_at(&locale->numbers, m->amount, end).end;
    if (m->amount_end == m->amount) return 0;
    const char *rest = read_factor(locale, m->amount_end, m->sign_length > 0, &m->factor);
    m->is_upper = are_capitals(m->amount_end, rest);
    if (m->sign_length) return behind_currency(locale, m, rest) == end;
    m->sign = rest + strspn(rest, " ");
    m->sign_length = sign_length(m->sign);
    return m->sign_length && !m->sign[m->sign_length];
}

/* Whether an amount is less than two, to the word behind it: 1,9 million. */
static int is_one(const NumberMarks *marks, const Money *m)
{
    return (*m->amount == '0' || *m->amount == '1')
           && (m->amount + 1 == m->amount_end || m->amount[1] == marks->point);
}

/* In the case of the factor. */
static void write_words(const Money *m, const char *words, Buf *out)
{
    if (m->is_upper) letter_case_capitals(words, strlen(words), NULL, out);
    else buf_puts(out, words);
}

static void write_money(const Locale *from, const Locale *into, const Money *m, Buf *out)
{
    const Factor *factor = m->factor ? &into->factors[m->factor - 1] : NULL;
    const int has_letter = factor && is_letter(factor->one), sign_first = into->numbers.sign_first;
    const char *words = factor && !has_letter ? currency_words(into, m->sign, m->sign_length) : NULL;
    if (sign_first) buf_add(out, m->sign, m->sign_length);
    rewrite(from, into, m->amount, m->amount_end, out);
    if (factor) {
        buf_puts(out, has_letter && sign_first ? "" : " ");
        write_words(m, is_one(&from->numbers, m) ? factor->one : factor->many, out);
    }
    if (sign_first) return;
    buf_puts(out, has_letter ? "" : " ");
    if (words) write_words(m, words, out);
    else buf_add(out, m->sign, m->sign_length);
}

void numbers_rewrite(const Locale *from, const Locale *into, const char *text, Buf *out)
{
    Money m;
    if (money_of(from, text, &m)) write_money(from, into, &m, out);
    else rewrite(from, into, text, text + strlen(text), out);
}

/* The text of words [i, end). */
static void text_of(const Words *words, size_t i, size_t end, Buf *out)
{
    size_t last_length;
    const char *first = words_at(words, i, &last_length), *last = words_at(words, end - 1, &last_length);
    buf_clear(out);
    words_join(first, (size_t)(last + last_length - first), out);
}

/* Whether the sign behind an amount is rather that of a number written on to it: 2 million $10 tickets. */
static int begins_next(const Words *words, const Money *m, size_t end)
{
    return m->sign > m->amount && end < words->count && word_is_glued(words, end) && word_is_number(words, end);
}

size_t numbers_scaled_money_end(const Locale *locale, const Words *words, size_t i)
{
    enum { MOST_WORDS = 6 };
    const PlainWord first = words_plain(words, i);
    if (!first.length || !(ascii_is_digit(*first.text) || sign_length(first.text)
                           || numbers_is_dollar_prefix(first.text, first.text + first.length)))
        return i;
    size_t end = i + MOST_WORDS < words->count ? i + MOST_WORDS : words->count, found = i;
    Buf text = { 0 };
    for (; found == i && end > i + 1; end--) {
        Money m;
        text_of(words, i, end, &text);
        if (money_of(locale, text.text, &m) && m.factor && !begins_next(words, &m, end)) found = end;
    }
    buf_free(&text);
    return found;
}

int numbers_has_groups(const Locale *locale, PlainWord word)
{
    const Number n = number_at(&locale->numbers, word.text, word.text + word.length);
    return n.end > word.text && n.group;
}

int numbers_may_be_age(const Locale *locale, const Words *words, size_t i)
{
    return word_is_one_of(words, i - 1, locale->number_words.ages);
}

/* ---- Names ---- */

/* The first of the numbers that are joined up to word i, if they are not many: versions 2.0, 2.1 and 2.2. */
static size_t first_joined(const NumberWords *w, const Words *words, size_t i)
{
    enum { MOST_WORDS = 64 };
    const size_t least = i > MOST_WORDS ? i - MOST_WORDS : 2;
    while (i >= least && word_is_number(words, i - 2) && word_is_one_of(words, i - 1, w->joins))
        i -= 2;
    return i;
}

/* Whether word i is a time with a point: 9.30. */
static int is_time(const Words *words, size_t i)
{
    enum { HOURS = 2, MINUTES = 2 };
    const PlainWord word = words_plain(words, i);
    const char *end = word.text + word.length, *point = memchr(word.text, '.', word.length);
    return point && point - word.text <= HOURS && end - point == 1 + MINUTES && point[1] < '6';
}

int numbers_is_named(const Locale *locale, const Words *words, size_t i)
{
    const NumberWords *w = &locale->number_words;
    size_t first = first_joined(w, words, i);
    if (first && is_time(words, i) && word_is_one_of(words, first - 1, w->clock)) return 1;
    while (first && word_is_one_of(words, first - 1, w->between))
        first--;
    return first && word_is_one_of(words, first - 1, w->labels);
}
