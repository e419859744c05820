/* made_up.c - syllables, and what is built from them. */
#include "text/verbatim/made_up.h"

#include "base/random/rng.h"

#include <string.h>

/* The numbers of one stream, in order. */
typedef struct { uint64_t key, counter; } Draws;

static int draw(Draws *draws, size_t bound)
{
    return (int)rng_below(draws->key, draws->counter++, bound);
}

#define COUNT(array) (sizeof (array) / sizeof *(array))
#define PICK(draws, array) (array)[draw(draws, COUNT(array))]

/* ---- Words ---- */

static void add_word(Draws *draws, Buf *out)
{
    static const char *const onsets[] = { "b", "br", "d", "dr", "f", "fr", "g", "gr", "h", "j",
                                          "k", "kl", "l", "m", "n", "p", "pr", "r", "s", "sk",
                                          "st", "t", "tr", "v", "w", "z" };
    static const char *const vowels[] = { "a", "a", "e", "e", "i", "o", "o", "u", "ai", "ei" };
    static const char *const inner[] = { "", "", "", "", "l", "n", "r" };
    static const char *const last[] = { "", "", "l", "ll", "n", "nd", "r", "rk", "s", "x" };
    for (int left = 2 + !draw(draws, 3); left; left--) {
        buf_puts(out, PICK(draws, onsets));
        buf_puts(out, PICK(draws, vowels));
        buf_puts(out, left > 1 ? PICK(draws, inner) : PICK(draws, last));
    }
}

static void add_capitalised(Draws *draws, Buf *out)
{
    const size_t at = out->length;
    add_word(draws, out);
    out->text[at] = (char)(out->text[at] & ~0x20);
}

static void add_capitals(Draws *draws, Buf *out)
{
    size_t at = out->length;
    for (add_word(draws, out); at < out->length; at++)
        out->text[at] = (char)(out->text[at] & ~0x20);
}

/* ---- Names ---- */

/* A letter beyond ASCII in the place of a vowel, or NULL. */
static const char *foreign_vowel(char vowel, Draws *draws)
{
    static const char *const a[] = { "á", "å", "ä", "ã" }, *const e[] = { "é", "ë", "ê", "ę" },
                      *const i[] = { "í", "ï" }, *const o[] = { "ø", "ö", "ó", "ő" },
                      *const u[] = { "ü", "ú", "ů" };
    switch (vowel) {
    case 'a': return PICK(draws, a);
    case 'e': return PICK(draws, e);
    case 'i': return PICK(draws, i);
    case 'o': return PICK(draws, o);
    case 'u': return PICK(draws, u);
    default:  return NULL;
    }
}

/* A name whose first vowel is a letter beyond ASCII, or whose first letter is one. */
static void add_foreign_name(Draws *draws, Buf *out)
{
    static const char *const capitals[] = { "Ł", "Ž", "Š", "Č", "Ø", "Ç", "É", "Đ" };
    Buf name = { 0 };
    const char *letter = NULL;
    if (!draw(draws, 3)) {
        buf_puts(out, PICK(draws, capitals));
        buf_puts(out, "a");
        add_word(draws, out);
        return;
    }
    add_capitalised(draws, &name);
    for (const char *at = name.text; *at; at++) {
        const char *foreign = letter ? NULL : foreign_vowel(*at, draws);
        if (foreign) buf_puts(out, letter = foreign);
        else buf_putc(out, *at);
    }
    buf_free(&name);
}

static void add_name(Draws *draws, Buf *out)
{
    enum { MC = 10, O = 20, HYPHEN = 30, TWO_WORDS = 40, FOREIGN = 55, ALL = 100 };
    const int form = draw(draws, ALL);
    if (form >= TWO_WORDS && form < FOREIGN) {
        add_foreign_name(draws, out);
        return;
    }
    if (form < MC) buf_puts(out, "Mc");
    else if (form < O) buf_puts(out, "O'");
    add_capitalised(draws, out);
    if (form < O || form >= TWO_WORDS) return;
    buf_putc(out, form < HYPHEN ? '-' : ' ');
    add_capitalised(draws, out);
}

/* ---- What no translation may alter ---- */

static void add_host(Draws *draws, Buf *out)
{
    static const char *const domains[] = { "com", "org", "net", "io", "fr", "de", "co.uk" };
    add_word(draws, out);
    buf_printf(out, ".%s", PICK(draws, domains));
}

static void add_address(Draws *draws, Buf *out)
{
    static const char *const schemes[] = { "https://", "http://", "https://www.", "www." };
    buf_puts(out, PICK(draws, schemes));
    add_host(draws, out);
    for (int left = draw(draws, 3); left; left--) {
        buf_putc(out, '/');
        add_word(draws, out);
    }
    if (!draw(draws, 3)) buf_printf(out, "/?id=%d", draw(draws, 1000));
}

static void add_mail(Draws *draws, Buf *out)
{
    add_word(draws, out);
    if (draw(draws, 2)) {
        buf_putc(out, "._+"[draw(draws, 3)]);
        add_word(draws, out);
    }
    buf_putc(out, '@');
    add_host(draws, out);
}

static void add_path(Draws *draws, Buf *out)
{
    static const char *const roots[] = { "/usr/lib/", "/home/", "~/", "../", "C:\\" };
    static const char *const endings[] = { ".txt", ".log", ".py", ".tar.gz", ".json" };
    const char *root = PICK(draws, roots);
    buf_puts(out, root);
    for (int left = draw(draws, 2); left; left--) {
        add_word(draws, out);
        buf_putc(out, root[strlen(root) - 1]);
    }
    add_word(draws, out);
    buf_puts(out, PICK(draws, endings));
}

/* One draw a statement: the order in which arguments are evaluated is the compiler's choice. */
static void add_serial(Draws *draws, Buf *out)
{
    for (int left = 2; left; left--) buf_putc(out, (char)('A' + draw(draws, 26)));
    buf_printf(out, "-%04d", draw(draws, 10000));
    buf_putc(out, (char)('A' + draw(draws, 26)));
}

static void add_code(Draws *draws, Buf *out)
{
    switch (draw(draws, 6)) {
    case 0: add_word(draws, out); buf_putc(out, '_'); add_word(draws, out); buf_puts(out, "()");
            break;
    case 1: add_word(draws, out); add_capitalised(draws, out); break;
    case 2: add_capitals(draws, out); buf_putc(out, '_'); add_capitals(draws, out); break;
    case 3: buf_puts(out, "--"); add_word(draws, out); buf_putc(out, '-'); add_word(draws, out);
            break;
    case 4: add_word(draws, out); buf_printf(out, "[%d]", draw(draws, 100)); break;
    default: add_serial(draws, out);
    }
}

static void add_handle(Draws *draws, Buf *out)
{
    buf_putc(out, draw(draws, 3) ? '@' : '#');
    add_word(draws, out);
    if (draw(draws, 2)) return;
    buf_putc(out, '_');
    add_word(draws, out);
    buf_printf(out, "%d", draw(draws, 100));
}

static void add_version(Draws *draws, Buf *out)
{
    if (draw(draws, 2)) buf_putc(out, 'v');
    buf_printf(out, "%d", draw(draws, 20));
    for (int left = 2; left; left--) buf_printf(out, ".%d", draw(draws, 30));
    if (!draw(draws, 4)) buf_printf(out, "-rc%d", 1 + draw(draws, 9));
}

static void add_placeholder(Draws *draws, Buf *out)
{
    static const char *const formats[] = { "%s", "%d", "%1$s", "%2$d", "%.2f", "%(name)s", "{0}",
                                           "{name}" };
    static const char *const open[] = { "{", "${", "{{", "$", "%" };
    static const char *const close[] = { "}", "}", "}}", "", "%" };
    if (draw(draws, 2)) {
        buf_puts(out, PICK(draws, formats));
        return;
    }
    const int form = draw(draws, COUNT(open));
    buf_puts(out, open[form]);
    (*close[form] == '}' ? add_word : add_capitals)(draws, out);
    buf_puts(out, close[form]);
}

static void add_emoji(Draws *draws, Buf *out)
{
    static const char *const emoji[] = { "🙂", "😂", "🎉", "🚀", "🐍", "❤️", "👍🏽", "👩‍💻", "🇫🇷", "🏳️‍🌈" };
    buf_puts(out, PICK(draws, emoji));
}

void made_up_add(MadeUp kind, uint64_t key, Buf *out)
{
    static void (*const add[MADE_UPS])(Draws *, Buf *) = {
        [MADE_UP_NAME] = add_name, [MADE_UP_ADDRESS] = add_address, [MADE_UP_MAIL] = add_mail,
        [MADE_UP_PATH] = add_path, [MADE_UP_CODE] = add_code, [MADE_UP_HANDLE] = add_handle,
        [MADE_UP_VERSION] = add_version, [MADE_UP_PLACEHOLDER] = add_placeholder,
        [MADE_UP_EMOJI] = add_emoji
    };
    Draws draws = { key, 0 };
    add[kind](&draws, out);
}

/* ---- Numbers ---- */

enum { THOUSAND = 1000 };

MadeUpNumber made_up_number(uint64_t key)
{
    static const int least[] = { 2, 10, 100, THOUSAND, 10 * THOUSAND, 100 * THOUSAND };
    Draws draws = { key, 0 };
    const int digits = draw(&draws, 5);                     /* but one */
    MadeUpNumber number = { .whole = least[digits]
                                + draw(&draws, (size_t)(least[digits + 1] - least[digits])) };
    number.grouped = number.whole >= THOUSAND && draw(&draws, 5) < 2;
    if (draw(&draws, 10)) return number;
    number.fraction_digits = 1 + draw(&draws, 2);
    number.fraction = draw(&draws, number.fraction_digits == 1 ? 10 : 100);
    return number;
}

void made_up_number_add(const MadeUpNumber *number, const char *group, const char *point, Buf *out)
{
    if (number->grouped)
        buf_printf(out, "%d%s%03d", number->whole / THOUSAND, group, number->whole % THOUSAND);
    else
        buf_printf(out, "%d", number->whole);
    if (number->fraction_digits)
        buf_printf(out, "%s%0*d", point, number->fraction_digits, number->fraction);
}
