/* code_block.c - what begins and ends a block, line by line. */
#include "text/markup/code_block.h"

#include "text/ascii.h"

#include <string.h>
#include <strings.h>

/* ---- Fences ---- */

enum { LEAST = 3 };     /* signs of a fence */

/* A fence that is made of one sign: how long it is, 0 for none, and what follows it. */
typedef struct { size_t length; const char *rest; } Fence;

static Fence fence_of(const char *line, char sign)
{
    const char *at = line + strspn(line, " \t>"), signs[] = { sign, '\0' };
    const size_t length = strspn(at, signs);
    const char *rest = at + length;
    const int is_one = length >= LEAST && !strchr(rest, sign);
    return (Fence){ is_one ? length : 0, rest };
}

int is_fence(const char *line)
{
    return fence_of(line, '`').length || fence_of(line, '~').length;
}

/* Whether a fence names no language. */
static int is_bare(const Fence *fence)
{
    return !fence->rest[strspn(fence->rest, " \t")];
}

static int fence_takes(CodeBlock *block, const char *line)
{
    const Fence fence = fence_of(line, '`');
    const size_t before = block->fence;
    if (!before) block->fence = fence.length;
    else if (fence.length >= before && is_bare(&fence)) block->fence = 0;
    return before || block->fence;
}

/* ---- Elements and comments ---- */

/* Where a text in small letters is in a line, in whatever case; NULL: nowhere. */
static const char *find(const char *line, const char *text)
{
    while (*line && strncasecmp(line, text, strlen(text)) != 0)
        line++;
    return *line ? line : NULL;
}

/* Behind the next `opening` of a line that is not the beginning of a longer name: <pre>, <pre id="x">, but not
 * <prefix>; NULL: there is none. */
static const char *behind_opening(const char *line, const char *opening)
{
    while (line && (line = find(line, opening))) {
        line += strlen(opening);
        if (!ascii_is_alphanumeric(*line)) break;
    }
    return line;
}

static int is_left_open(const char *line, const char *opening, const char *closing)
{
    while ((line = behind_opening(line, opening)))
        if (!(line = find(line, closing))) return 1;
    return 0;
}

/* What ends the element or comment that a line leaves open; NULL: it leaves none. */
static const char *left_open(const char *line)
{
    static const char *const blocks[][2] = { { "<script", "</script" }, { "<style", "</style" },
                                             { "<pre", "</pre" }, { "<!--", "-->" } };
    if (!strchr(line, '<')) return NULL;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (is_left_open(line, blocks[i][0], blocks[i][1])) return blocks[i][1];
    return NULL;
}

/* A line with words before what it leaves open is text. */
static int element_takes(CodeBlock *block, const char *line)
{
    const char *before = block->closing;
    if (!before) block->closing = left_open(line);
    else if (find(line, before)) block->closing = NULL;
    return before || (block->closing && line[strspn(line, " \t")] == '<');
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
