/* code_block.c - what begins and ends a block, line by line. */
#include "text/markup/code_block.h"

#include "text/ascii.h"

#include <string.h>
#include <strings.h>

/* ---- Fences ---- */

enum { LEAST = 3 };     /* signs of a fence */

/* A fence: which sign it is made of, how long it is, 0 for none, and what follows it. */
typedef struct { char sign; size_t length; const char *rest; } Fence;

/* Behind the mark of an item of a list at `at`, if one is there: - and 1. */
static const char *behind_item(const char *at)
{
    const char *mark = at + strspn(at, "0123456789");
    const int is_mark = mark > at ? *mark == '.' || *mark == ')' : *at && strchr("-*+", *at) != NULL;
    return is_mark && mark[1] == ' ' ? ascii_skip_white(mark + 1) : at;
}

static int names_language(const char *text)
{
    enum { MOST_WORDS = 2 };
    if (strpbrk(text, "={")) return 1;
    text = ascii_skip_white(text);
    for (int words = 0; words < MOST_WORDS; words++)
        text = ascii_skip_white(text + strcspn(text, " \t'\","));
    return !*text;
}

/* The fence that a line is. Two words at most are behind it, as a language, or attributes, but no speech as in LaTeX:
 * ```Yes,'' he said. */
static Fence fence_of(const char *line)
{
    const char *at = behind_item(line + strspn(line, " \t>")), signs[] = { *at, '\0' };
    const size_t length = *at == '`' || *at == '~' ? strspn(at, signs) : 0;
    const char *rest = at + length;
    const int is_one = length >= LEAST && !strchr(rest, *at) && names_language(rest);
    return (Fence){ *at, is_one ? length : 0, rest };
}

int is_fence(const char *line)
{
    return fence_of(line).length > 0;
}

/* Whether a line ends in a fence like that which began the block, as people write in messages. */
static int ends_fence(const CodeBlock *block, const char *line)
{
    const char *end = line + strlen(line);
    while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    size_t signs = 0;
    while (end > line && *--end == block->sign)
        signs++;
    return signs >= block->fence;
}

/* Not ~~~ alone, nor with words: it may part a text or underline a heading. */
static int begins_block(const Fence *fence)
{
    const char *word = ascii_skip_white(fence->rest);
    const int is_word = *word && !*ascii_skip_white(word + strcspn(word, " \t"));
    return fence->length && (fence->sign == '`' || is_word);
}

/* A block in a quotation ends where that ends. */
static int fence_takes(CodeBlock *block, const char *line)
{
    const int is_quoted = *ascii_skip_white(line) == '>';
    if (block->is_quoted && !is_quoted) block->fence = 0;
    if (block->fence) {
        if (ends_fence(block, line)) block->fence = 0;
        return 1;
    }
    const Fence fence = fence_of(line);
    if (!begins_block(&fence)) return 0;
    block->fence = fence.length;
    block->sign = fence.sign;
    block->is_quoted = is_quoted;
    return 1;
}

/* ---- Elements and comments ---- */

/* The small text in a line, in whatever case; NULL: it is nowhere. */
static const char *find_text(const char *line, const char *text)
{
    while (*line && strncasecmp(line, text, strlen(text)) != 0)
        line++;
    return *line ? line : NULL;
}

/* Where a line has > and = for the last time; NULL: nowhere. */
typedef struct { const char *end, *equals; } LastSigns;

/* Whether a tag at `at` goes on in the next line: <img src="a.jpg" */
static int is_broken(const char *at, const LastSigns *last)
{
    const char *name = at + 1, *end = name;
    if (!ascii_is_letter(*name) || (last->end && last->end > at)) return 0;
    while (ascii_is_alphanumeric(*end) || *end == '-')
        end++;
    const char *rest = ascii_skip_white(end);
    return !*rest || (rest > end && last->equals && last->equals > rest);
}

/* What ends the element, comment or tag that begins at `at`; NULL: none does. An element without content has its end in
 * itself: <style name="a"/>. */
static const char *closing_of(const char *at, const LastSigns *last)
{
    static const char *const elements[][2] = { { "<script", "</script" }, { "<style", "</style" },
                                               { "<pre", "</pre" } };
    if (!strncmp(at, "<!--", 4)) return "-->";
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        const size_t length = strlen(elements[i][0]);
        if (strncasecmp(at, elements[i][0], length) != 0 || !strchr(" \t>", at[length])) continue;
        const char *stop = strchr(at, '>');
        return stop && stop[-1] == '/' ? NULL : elements[i][1];
    }
    return is_broken(at, last) ? ">" : NULL;
}

/* Sets what ends the element or comment that a line leaves open. Returns where that begins; NULL: it leaves none. */
static const char *find_open(const char *line, const char **closing)
{
    const LastSigns last = { strrchr(line, '>'), strrchr(line, '=') };
    for (const char *at = line; (at = strchr(at, '<')); at++) {
        const char *end = NULL;
        *closing = closing_of(at, &last);
        if (*closing && !(end = find_text(at, *closing))) return at;
        if (end) at = end;
    }
    *closing = NULL;
    return NULL;
}

/* Of an element that goes on: whether the line that ends it has nothing else behind that. */
static int end_takes(CodeBlock *block, const char *line, const char *end)
{
    const int begins = end == ascii_skip_white(line);
    const char *stop = strchr(end, '>');
    find_open(end + 1, &block->closing);
    return !begins || block->closing || !stop || !*ascii_skip_white(stop + 1);
}

/* Whether nothing but blanks is between `at` and the tag before it, in a line of HTML: <p>Text</p> <pre>; but
 * <anna> look at <pre> */
static int is_behind_tag(const char *line, const char *at)
{
    while (at > line && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at > line && at[-1] == '>';
}

static int element_takes(CodeBlock *block, const char *line)
{
    if (block->closing) {
        const char *end = find_text(line, block->closing);
        return end ? end_takes(block, line, end) : 1;
    }
    const char *first = ascii_skip_white(line), *open = *first == '<' ? find_open(first, &block->closing) : NULL;
    if (open && open > first && !is_behind_tag(first, open)) block->closing = NULL;
    return open == first && block->closing;
}

int code_block_takes(CodeBlock *block, const char *line)
{
    if (!block->closing && fence_takes(block, line)) return 1;
    return element_takes(block, line);
}

int code_block_is_open(const CodeBlock *block)
{
    return block->fence || block->closing;
}
