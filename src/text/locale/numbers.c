/* numbers.c - see numbers.h. */
#include "text/locale/numbers.h"

#include "text/ascii.h"
#include "text/locale/language.h"
#include "text/unicode.h"

#include <string.h>

enum { GROUP = 3 };

/* A number of a text: the digits up to `whole`, with `group` between groups (0: there are none), and those
 * of the fraction behind them up to `end`. */
typedef struct {
    const char *start, *whole, *end;
    char        group;
} Number;

static const char *digits_end(const char *at)
{
    while (ascii_is_digit(*at))
        at++;
    return at;
}

static int is_group(const char *at)
{
    return digits_end(at) == at + GROUP;
}

/* Whether something goes on behind a number that makes it another thing: 1.2.3, 10:30. */
static int goes_on(const char *end)
{
    return *end && strchr(".,:", *end) && ascii_is_digit(end[1]);
}

/* The number that begins with the digit at `at`; its end is its start if there is none. */
static Number number_at(const NumberMarks *marks, const char *at)
{
    Number n = { .start = at, .whole = digits_end(at), .end = at };
    const int may_have_groups = n.whole - at <= GROUP && *at != '0';
    if (may_have_groups && *n.whole && strchr(marks->groups, *n.whole) && is_group(n.whole + 1))
        n.group = *n.whole;
    while (n.group && *n.whole == n.group && is_group(n.whole + 1))
        n.whole += 1 + GROUP;
    const char *end = n.whole;
    if (*end == marks->point && ascii_is_digit(end[1])) end = digits_end(end + 1);
    if (!goes_on(end)) n.end = end;
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
static const char *skip(const char *at)
{
    while (ascii_is_digit(*at) || goes_on(at))
        at++;
    return at;
}

static void rewrite(const Locale *from, const Locale *into, const char *text, const char *end, Buf *out)
{
    for (const char *at = text, *rest; at < end; at = rest) {
        rest = at + 1;
        if (ascii_is_digit(*at)) {
            const Number n = number_at(&from->numbers, at);
            rest = n.end > at ? n.end : skip(at);
            if (n.end > at) {
                write_number(&into->numbers, &n, out);
                continue;
            }
        }
        buf_add(out, at, (size_t)(rest - at));
    }
}

/* ---- Money ---- */

/* An amount and the sign of its currency, which are parts of a text. */
typedef struct {
    const char *amount, *sign;
    size_t      amount_length, sign_length;
} Money;

/* The bytes of the sign of a currency at `at`; 0: it is none. */
static size_t sign_length(const char *at)
{
    const char *end = at;
    return *at && unicode_is_currency(unicode_next(&end)) ? (size_t)(end - at) : 0;
}

/* Whether all of a text is money. */
static int money_of(const char *text, Money *m)
{
    m->sign = text;
    m->sign_length = sign_length(text);
    m->amount = text + m->sign_length;
    if (m->sign_length) m->amount += strspn(m->amount, " ");
    m->amount_length = strspn(m->amount, "0123456789., ");
    const char *behind = m->amount + m->amount_length;
    if (!m->sign_length) {
        m->sign = behind;
        m->sign_length = sign_length(behind);
        behind += m->sign_length;
    }
    while (m->amount_length && m->amount[m->amount_length - 1] == ' ')
        m->amount_length--;
    return m->sign_length && m->amount_length && !*behind;
}

void numbers_rewrite(const Locale *from, const Locale *into, const char *text, Buf *out)
{
    Money m;
    if (!money_of(text, &m)) {
        rewrite(from, into, text, text + strlen(text), out);
        return;
    }
    if (into->numbers.sign_first) buf_add(out, m.sign, m.sign_length);
    rewrite(from, into, m.amount, m.amount + m.amount_length, out);
    if (into->numbers.sign_first) return;
    buf_putc(out, ' ');
    buf_add(out, m.sign, m.sign_length);
}

int numbers_has_groups(const Locale *locale, const char *text)
{
    const Number n = number_at(&locale->numbers, text);
    return n.end > text && n.group;
}
