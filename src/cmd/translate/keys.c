/* keys.c - a reader of characters between the terminal and libedit. */
#include "cmd/translate/keys.h"

#include "base/buf.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

enum { ESCAPE = 0x1B, LONGEST = 32 };

/* Where the key Escape has a function of its own, a sequence must continue within this time. */
enum { WAIT_MILLISECONDS = 50 };

typedef struct {
    wchar_t key[LONGEST + 1];   /* ends in a NUL */
    size_t  length;             /* LONGEST: it may have been longer */
    int     introduced;         /* it has [ or O; otherwise it is Alt and another key */
} Sequence;

static int read_key(EditLine *line, wchar_t *key);

/* Reads like libedit itself: 1; 0 at the end; -1. */
static int read_character(EditLine *line, wchar_t *character)
{
    el_wset(line, EL_GETCFN, EL_BUILTIN_GETCFN);
    const int got = el_wgetc(line, character);
    el_wset(line, EL_GETCFN, read_key);
    return got;
}

static int read_next(EditLine *line, Sequence *s, wchar_t *character)
{
    const int got = read_character(line, character);
    if (got == 1 && s->length < LONGEST) s->key[s->length++] = *character;
    return got;
}

static int is_parameter(wchar_t c)
{
    return c >= 0x20 && c <= 0x3F;
}

static int is_final(wchar_t c)
{
    return c >= 0x40 && c <= 0x7E;
}

/* Reads the characters after an Escape, up to the final one or one that cannot belong to the
 * sequence. */
static int read_sequence(EditLine *line, Sequence *s, wchar_t *last)
{
    int got;
    *s = (Sequence){ .key = { ESCAPE }, .length = 1 };
    do got = read_next(line, s, last);
    while (got == 1 && *last == ESCAPE);                /* one more is Alt, in some terminals */
    s->introduced = got == 1 && (*last == L'[' || *last == L'O');
    if (!s->introduced) return got;
    do got = read_next(line, s, last);
    while (got == 1 && is_parameter(*last));
    if (got == 1 && *last == L'[') got = read_next(line, s, last);  /* ESC [ [ A: Linux's F1 */
    return got;
}

/* ---- Bindings of libedit ---- */

/* libedit can only print the binding of a key; there is no other way to ask for it. */
static int is_bound(EditLine *line, const Sequence *s)
{
    Buf key = { 0 };
    char *answer = NULL;
    size_t length;
    FILE *out = s->length < LONGEST ? open_memstream(&answer, &length) : NULL;
    if (!out) return 0;
    for (size_t i = 0; i < s->length; i++)
        buf_printf(&key, "\\%03o", (unsigned)s->key[i]);
    el_set(line, EL_SETFP, 1, out);
    el_set(line, EL_SETFP, 2, out);
    el_set(line, EL_BIND, key.text, NULL);
    el_set(line, EL_SETFP, 1, stdout);
    el_set(line, EL_SETFP, 2, stderr);
    fclose(out);
    const int bound = *answer == '"';       /* "^[[A" -> ed-prev-history; otherwise a complaint */
    buf_free(&key);
    free(answer);
    return bound;
}

/* Ctrl-R puts its pattern on a line of its own below the line. */
static int is_searching(EditLine *line)
{
    const LineInfoW *info = el_wline(line);
    return wmemchr(info->buffer, L'\n', (size_t)(info->lastchar - info->buffer)) != NULL;
}

/* Whether Escape is a key of its own: it ends a search, and in vi's mode it is a command. */
static int is_alone(EditLine *line)
{
    struct pollfd wanted = { .fd = STDIN_FILENO, .events = POLLIN };
    const char *mode = "";
    el_get(line, EL_EDITOR, &mode);
    return (is_searching(line) || !strcmp(mode, "vi")) && !poll(&wanted, 1, WAIT_MILLISECONDS);
}

/* The next key without sequences that nothing is bound to. In a search an Escape before the
 * sequence ends the search. */
static int read_key(EditLine *line, wchar_t *key)
{
    Sequence s;
    int got = read_character(line, key);
    while (got == 1 && *key == ESCAPE && !is_alone(line)) {
        got = read_sequence(line, &s, key);
        if (got != 1) return got;
        /* the character that broke it off is a key of its own */
        if (s.introduced && !is_final(*key)) continue;
        if (!s.introduced || is_bound(line, &s)) {
            el_wpush(line, is_searching(line) ? s.key : s.key + 1);
            *key = ESCAPE;
            return 1;
        }
        got = read_character(line, key);
    }
    return got;
}

/* ---- Our bindings ---- */

/* xterm's modifiers are 3 for Alt, 5 for Ctrl, and 9 for Alt of a Mac; rxvt has lower case for Ctrl
 * and one more Escape for Alt; older terminals leave out the first parameter. */
static const struct { const char *command, *sequences[11]; } bindings[] = {
    { "ed-prev-word", { "\\e[1;5D", "\\e[1;3D", "\\e[1;9D", "\\e[5D", "\\eO5D", "\\eOd", "\\e\\e[D",
                        "\\e\\eOD" } },
    { "em-next-word", { "\\e[1;5C", "\\e[1;3C", "\\e[1;9C", "\\e[5C", "\\eO5C", "\\eOc", "\\e\\e[C",
                        "\\e\\eOC" } },
    { "ed-prev-history", { "\\e[1;5A", "\\e[1;3A", "\\e[1;9A", "\\eOa", "\\e\\e[A", "\\e\\eOA" } },
    { "ed-next-history", { "\\e[1;5B", "\\e[1;3B", "\\e[1;9B", "\\eOb", "\\e\\e[B", "\\e\\eOB" } },
    { "ed-search-prev-history", { "\\e[5~" } },
    { "ed-search-next-history", { "\\e[6~" } },
    { "ed-move-to-beg", { "\\e[1~", "\\e[7~", "\\e[1;5H", "\\e[7\\^" } },
    { "ed-move-to-end", { "\\e[4~", "\\e[8~", "\\e[1;5F", "\\e[8\\^" } },
    { "em-delete-next-word", { "\\e[3;5~", "\\e[3;3~", "\\e[3\\^" } },
};

void keys_bind(EditLine *line)
{
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++)
        for (const char *const *key = bindings[i].sequences; *key; key++)
            el_set(line, EL_BIND, *key, bindings[i].command, NULL);
    el_wset(line, EL_GETCFN, read_key);
}
