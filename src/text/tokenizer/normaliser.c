/* normaliser.c - a line as the pieces of a SentencePiece model have it.
 *
 * A line is read step by step: a symbol of the user's is itself; what the model's character map has
 * is replaced, the longest first; another character is itself, and a byte that begins none U+FFFD.
 * Blanks in a row become one, those at the ends go, one is put before the line (or behind it), and
 * all are U+2581: each of these as the file says.
 *
 * The map is a double array of Darts-clone (Yata 2007, "Darts-clone"; Aoe 1989, "An Efficient
 * Digital Search Algorithm by Using a Double-Array Structure"): the unit behind another by a byte
 * is at offset XOR byte, if its label is the byte. It comes from a file, so every step is checked
 * against the units that are there.
 */
#include "text/tokenizer/sentencepiece_file.h"

#include "base/bytes.h"
#include "base/strings.h"
#include "text/unicode.h"
#include "text/words.h"

#include <stdint.h>
#include <string.h>

/* ---- The map ---- */

static uint32_t unit_at(Slice units, size_t i)
{
    return (uint32_t)bytes_at(units, 4 * i, 4);
}

int normaliser_set_map(Normaliser *n, Slice map, Err *e)
{
    if (!map.length) return 0;
    const size_t units = map.length >= 4 ? unit_at(map, 0) : SIZE_MAX;
    if (map.length < 4 || units > map.length - 4 || units % 4)
        return err(e, "its character map says that it has more bytes than are there (%zu)",
                   map.length);
    n->units = (Slice){ map.text + 4, units };
    n->replacements = (Slice){ n->units.text + units, map.length - 4 - units };
    const char *at = n->replacements.text, *end = at + n->replacements.length;
    if (units && (at == end || end[-1]))
        return err(e, "the last replacement of its character map has no end");
    for (; at < end; at += strlen(at) + 1)
        if (!unicode_valid(at, strlen(at)) || strlen(at) > REPLACEMENT_BYTES)
            return err(e, "a replacement of its character map is not valid UTF-8, or longer than "
                          "%d bytes", REPLACEMENT_BYTES);
    return 0;
}

static uint32_t unit_offset(uint32_t unit)
{
    return unit >> 10 << ((unit & 0x200) >> 6);
}

/* The bytes of the longest beginning of a text that the map has; 0: none. *to becomes its
 * replacement. A replacement that begins inside a character is none. */
static size_t find_replacement(const Normaliser *n, Slice text, Slice *to)
{
    const size_t units = n->units.length / 4;
    size_t longest = 0;
    uint32_t at = units ? unit_offset(unit_at(n->units, 0)) : 0;
    for (size_t i = 0; i < text.length; i++) {
        const unsigned char byte = (unsigned char)text.text[i];
        at ^= byte;
        if (at >= units) break;
        const uint32_t unit = unit_at(n->units, at);
        if ((unit & 0x800000FF) != byte) break;
        at ^= unit_offset(unit);
        if (!(unit >> 8 & 1)) continue;
        const uint32_t value = at < units ? unit_at(n->units, at) & 0x7FFFFFFF : UINT32_MAX;
        if (value >= n->replacements.length || (n->replacements.text[value] & 0xC0) == 0x80)
            continue;
        *to = slice_of(n->replacements.text + value);
        longest = i + 1;
    }
    return longest;
}

/* ---- A line ---- */

size_t valid_character(Slice text)
{
    int32_t point;
    const size_t length = utf8_decode(text.text, text.length, &point);
    return length && point ? length : 0;
}

/* Takes one step: returns the bytes of the line that it reads, and sets what they become. */
static size_t next_step(const Normaliser *n, Slice rest, Slice *to)
{
    size_t length = prefixes_longest(&n->symbols, rest);
    if (!length) {
        length = find_replacement(n, rest, to);
        if (length) return length;
        length = valid_character(rest);
    }
    *to = length ? (Slice){ rest.text, length } : slice_of(REPLACEMENT_CHARACTER);
    return length ? length : 1;
}

static Slice behind(Slice text, size_t bytes)
{
    return (Slice){ text.text + bytes, text.length - bytes };
}

static int is_blank(Slice text)
{
    return text.length == 1 && *text.text == ' ';
}

/* Appends what a step made, each blank as the model has it. */
static void add_step(Slice text, const char *blank, Buf *out)
{
    for (const char *at = text.text, *end = at + text.length; at < end;) {
        const char *next = memchr(at, ' ', (size_t)(end - at));
        buf_add(out, at, (size_t)((next ? next : end) - at));
        if (next) buf_puts(out, blank);
        at = next ? next + 1 : end;
    }
}

void normaliser_apply(const Normaliser *n, Slice line, Buf *out)
{
    const char *blank = n->escapes_blanks ? WORD_MARK : " ";
    const size_t start = out->length, width = strlen(blank);
    Slice rest = line, to;
    int is_behind_blank = n->removes_blanks;
    for (size_t read; is_behind_blank && rest.length; rest = behind(rest, read)) {
        read = next_step(n, rest, &to);
        if (!is_blank(to)) break;
    }
    if (!rest.length) return;
    if (n->adds_blank && !n->blank_is_behind) buf_puts(out, blank);
    while (rest.length) {
        rest = behind(rest, next_step(n, rest, &to));
        while (is_behind_blank && to.length && *to.text == ' ') to = behind(to, 1);
        if (!to.length) continue;
        add_step(to, blank, out);
        is_behind_blank = n->removes_blanks && to.text[to.length - 1] == ' ';
    }
    while (n->removes_blanks && out->length >= start + width
           && !memcmp(out->text + out->length - width, blank, width))
        out->text[out->length -= width] = '\0';
    if (n->adds_blank && n->blank_is_behind) buf_puts(out, blank);
}
