/* code_block.c - what begins and ends a block, line by line. */
#include "text/markup/code_block.h"

#include "text/ascii.h"

#include <string.h>
#include <strings.h>

static const char *skip_white(const char *at)
{
    return at + strspn(at, " \t");
}

/* ---- Fences ---- */

enum { LEAST = 3 };     /* signs of a fence */

/* A fence that is made of one sign: how long it is, 0 for none, and what follows it. */
typedef struct { size_t length; const char *rest; } Fence;

/* Behind the mark of an item of a list at `at`, if one is there: - and 1. */
static const char *behind_item(const char *at)
{
    const char *mark = at + strspn(at, "0123456789");
    const int is_mark = mark > at ? *mark == '.' || *mark == ')' : *at && strchr("-*+", *at) != NULL;
    return is_mark && mark[1] == ' ' ? skip_white(mark + 1) : at;
}

static Fence fence_of(const char *line, char sign)
{
    const char *at = behind_item(line + strspn(line, " \t>")), signs[] = { sign, '\0' };
    const size_t length = strspn(at, signs);
    const char *rest = at + length;
    const int is_one = length >= LEAST && !strchr(rest, sign);
    return (Fence){ is_one ? length : 0, rest };
}

/* Whether a fence may begin a block: two words at most are behind it, as a language, or attributes, but no speech as
 * in LaTeX: ```Yes,'' he said. */
static int begins_block(const Fence *fence)
{
    const char *rest = skip_white(fence->rest);
    if (strpbrk(rest, "={")) return 1;
    for (int words = 0; words < 2; words++)
        rest = skip_white(rest + strcspn(rest, " \t'\","));
    return !*rest;
}

static int has_fence(const char *line, char sign)
{
    const Fence fence = fence_of(line, sign);
    return fence.length && begins_block(&fence);
}

int is_fence(const char *line)
{
    return has_fence(line, '`') || has_fence(line, '~');
}

/* Whether a line ends in a fence of `length` signs or more, as people write in messages. */
static int ends_in_fence(const char *line, size_t length)
{
    const char *end = line + strlen(line);
    while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    size_t signs = 0;
    while (end > line + signs && end[-1 - (ptrdiff_t)signs] == '`')
        signs++;
    return signs >= length;
}

/* A block in a quotation ends where that ends. */
static int fence_takes(CodeBlock *block, const char *line)
{
    const int is_quoted = *skip_white(line) == '>';
    if (block->fence && block->is_quoted && !is_quoted) block->fence = 0;
    if (block->fence) {
        if (ends_in_fence(line, block->fence)) block->fence = 0;
        return 1;
    }
    const Fence fence = fence_of(line, '`');
    if (!fence.length || !begins_block(&fence)) return 0;
    block->fence = fence.length;
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

/* What ends the element or comment that begins at `at`; NULL: none does. An element without content has its end in
 * itself: <style name="a"/>. */
static const char *closing_of(const char *at)
{
    static const char *const elements[][2] = { { "<script", "</script" }, { "<style", "</style" },
                                               { "<pre", "</pre" } };
    if (!strncmp(at, "<!--", 4)) return "-->";
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        const size_t length = strlen(elements[i][0]);
        if (strncasecmp(at, elements[i][0], length) != 0) continue;
        const char *stop = strchr(at, '>');
        const int is_empty = stop && stop[-1] == '/';
        return (!at[length] || strchr(" \t>", at[length])) && !is_empty ? elements[i][1] : NULL;
    }
    return NULL;
}

/* Sets what ends the element or comment that a line leaves open. Returns where that begins; NULL: it leaves none. */
static const char *find_open(const char *line, const char **closing)
{
    for (const char *at = line; (at = strchr(at, '<')); at++) {
        const char *end = NULL;
        *closing = closing_of(at);
        if (*closing && !(end = find_text(at, *closing))) return at;
        if (end) at = end;
    }
    *closing = NULL;
    return NULL;
}

/* Of an element that goes on: whether the line that ends it has nothing else behind that. */
static int end_takes(CodeBlock *block, const char *line, const char *end)
{
    const int begins = end == skip_white(line);
    const char *stop = strchr(end, '>');
    find_open(end + 1, &block->closing);
    return !begins || block->closing || !stop || !*skip_white(stop + 1);
}

static int element_takes(CodeBlock *block, const char *line)
{
    if (block->closing) {
        const char *end = find_text(line, block->closing);
        return end ? end_takes(block, line, end) : 1;
    }
    return *skip_white(line) == '<' && find_open(line, &block->closing) == skip_white(line);
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
