/* random_text.c - pools of the characters and of the chunks that matter, and a die. */
#include "random_text.h"

#include "base/random/rng.h"
#include "text/unicode.h"

/* random_point - number `counter` of the stream `key`. Never U+0000, a surrogate, or beyond
 * U+10FFFF. */
static int32_t random_point(uint64_t key, uint64_t counter)
{
    static const int32_t pool[] = {
        'a', 'e', 'n', 's', 't', 'o', 'u', 'A', 'I', 'S', 'T', '0', '1', '9', ' ', ' ', ' ', '\'',
        '.', ',',
        ':', '-', '!', '_', '@', '<', '>', '\t', '\r', 0x01, 0x1C, 0x7F, 0x85, 0xA0, 0xAB, 0xAD,
        0xE9, 0x130,
        0x17F, 0x1C5, 0x300, 0x301, 0x307, 0x323, 0x327, 0x345, 0x391, 0x3A3, 0x3C2, 0x410, 0x438,
        0x306, 0x5D0,
        0x5B0, 0x600, 0x627, 0x64E, 0x915, 0x94D, 0xE01, 0xE31, 0x1100, 0x1161, 0x11A8, 0xAC00,
        0x1E9E, 0x1FBC,
        0x1FFD, 0x2000, 0x2009, 0x200B, 0x200C, 0x200D, 0x200E, 0x2019, 0x2026, 0x2028, 0x202F,
        0x2060, 0x2126,
        0x212A, 0x212B, 0x2329, 0x2603, 0x3000, 0x3007, 0x3042, 0x3099, 0x30AB, 0x4E2D, 0x6587,
        0xF900, 0xFE0F,
        0xFEFF, 0xFFFD, 0x1F468, 0x1F3FD, 0x1D15E, 0x20000, 0xE0001,
    };
    enum { POOL = sizeof pool / sizeof *pool };
    uint64_t choice = rng_below(key, 2 * counter, POOL + 5);
    if (choice < POOL) return pool[choice];
    int32_t any = (int32_t)rng_below(key, 2 * counter + 1, 0x10FFFF) + 1;
    return any >= 0xD800 && any <= 0xDFFF ? 'x' : any;
}

/* random_stretch - text that random single characters hardly ever form. */
static const char *random_stretch(uint64_t key, uint64_t counter)
{
    static const char *const pool[] = {
        "http://", "www.", "jo@b.com", ".fr/a_(b)", "U.S.", "etc.", "M. R", "9h30", "1,000.5",
        "-t-il", "aujourd'hui",
        "n't", "...", "\u202F»", "👩\u200D👧", "👍🏽", "🇫🇷", "❤\uFE0F",
        "1\uFE0F\u20E3", "🏴\U000E0067\U000E007F", "צה״ל",
        "п'ять",
    };
    return pool[rng_below(key, counter, sizeof pool / sizeof *pool)];
}

void random_line(uint64_t number, Buf *out)
{
    enum { STRETCHES = 8 };                     /* one of so many characters is a chunk instead */
    uint64_t key = rng_key(number, 0, RNG_INIT), other = rng_key(number, 1, RNG_INIT),
        length = rng_below(key, 0, 41);
    buf_clear(out);
    for (uint64_t i = 1; i <= length; i++)
        if (rng_below(other, 2 * i, STRETCHES)) unicode_append(out, random_point(key, i));
        else buf_puts(out, random_stretch(other, 2 * i + 1));
}
