/* quotations.c - see quotations.h. */
#include "text/prepare/quotations.h"

#include "text/speech_verbs.h"
#include "text/word_match.h"

#include <string.h>

static const char *const plain[] = { "\"", "“", "”", NULL };

/* ---- quotations ---- */

static int is_verb(const Words *words, size_t i)
{
    const PlainWord word = words_plain(words, i);
    return speech_verb_is(word.text, word.text + word.length);
}

/* Whether a quotation between words i and `end` is what someone says: behind a verb and perhaps another
 * word (told me), or behind a comma or a colon and at the end. */
static int is_speech(const Words *words, size_t i, size_t end)
{
    static const char *const marks[] = { ",", ":", NULL };
    return is_verb(words, i) || is_verb(words, i - 1)
        || (word_is_one_of(words, i, marks) && word_is_end(words, end));
}

/* Whether word i can stand in a name: no punctuation but within a word. */
static int is_in_name(const Words *words, size_t i)
{
    static const char *const joints[] = { "-", "'", "’", "&", "/", "+", NULL };
    return i < words->count
           && (word_shape_at(words, i) != SHAPE_NONE || word_is_one_of(words, i, joints));
}

/* Behind the words from i on that can be a name; i: they are none, or too many. */
static size_t name_end(const Words *words, size_t i)
{
    enum { MOST = 4 };
    size_t end = i;
    for (int count = 0; is_in_name(words, end); end++)
        if ((end == i || !word_is_glued(words, end)) && ++count > MOST) return i;
    return end;
}

/* Whether words [first, end) with their quotes name something in a sentence. */
static int is_mention(const Words *words, size_t first, size_t end)
{
    if (first) return !is_speech(words, first - 1, end);
    return !word_is_end(words, end);
}

/* Whether word i opens a quotation: blanks are outside of it, and may be inside of guillemets. */
static int opens(const Words *words, size_t i)
{
    if (i && word_is_glued(words, i)) return 0;
    return word_is(words, i, "«") || (word_is_one_of(words, i, plain) && word_is_glued(words, i + 1));
}

/* Whether word i closes the quotation that word `open` opens. */
static int closes(const Words *words, size_t open, size_t i)
{
    if (!word_is_end(words, i + 1) && word_is_glued(words, i + 1)) return 0;
    if (word_is(words, open, "«")) return word_is(words, i, "»");
    return word_is_one_of(words, i, plain) && word_is_glued(words, i);
}

/* Behind the few words with their quotes that word i begins; i: it begins none. */
static size_t quoted_end(const Words *words, size_t i)
{
    if (!opens(words, i)) return i;
    const size_t end = name_end(words, i + 1);
    return end > i + 1 && closes(words, i, end) ? end + 1 : i;
}

size_t quotation_end(const Words *words, size_t i)
{
    const size_t end = quoted_end(words, i);
    return end > i && is_mention(words, i, end) ? end : i;
}

/* Takes the blanks from the end of a text. */
static void trim(Buf *text)
{
    while (text->length && text->text[text->length - 1] == ' ')
        text->text[--text->length] = '\0';
}

void quotation_plain(Buf *text)
{
    static const char opening[] = "«", closing[] = "»";
    const size_t mark = sizeof opening - 1;
    if (text->length <= 2 * mark || memcmp(text->text, opening, mark) != 0) return;
    Buf plain_text = { 0 };
    for (const char *at = text->text; *at;) {
        const int opens_here = !strncmp(at, opening, mark), closes_here = !strncmp(at, closing, mark);
        if (closes_here) trim(&plain_text);
        if (opens_here || closes_here) buf_putc(&plain_text, '"');
        else buf_putc(&plain_text, *at);
        at += opens_here || closes_here ? mark : 1;
        while (opens_here && *at == ' ') at++;
    }
    buf_free(text);
    *text = plain_text;
}

/* ---- menus ---- */

/* Behind the words with capitals from i on, or a quotation; i: there are none. */
static size_t menu_end(const Words *words, size_t i)
{
    size_t end = quoted_end(words, i);
    while (end < words->count && word_shape_at(words, end) > SHAPE_SMALL)
        end++;
    return end;
}

size_t menu_path_end(const Words *words, size_t i)
{
    static const char *const arrows[] = { ">", "→", "›", NULL };
    const size_t first = quoted_end(words, i);
    size_t end = first > i ? first : i + 1, whole = i;
    if (first == i && word_shape_at(words, i) <= SHAPE_SMALL) return i;
    while (word_is_one_of(words, end, arrows)) {
        const size_t next = menu_end(words, end + 1);
        if (next == end + 1) break;
        whole = end = next;
    }
    return whole;
}
