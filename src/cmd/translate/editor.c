/* editor.c - libedit with the keys that people expect. Only this file and history.c use libedit. */
#include "cmd/translate/editor.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/system/terminal.h"
#include "cmd/translate/history.h"

#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Editor {
    EditLine   *line;
    LineHistory typed;
    const char *prompt;
    Complete   *complete;
    Buf         text;           /* the line handed out */
};

/* ---- The line ---- */

static Editor *editor_of(EditLine *line)
{
    Editor *editor;
    el_get(line, EL_CLIENTDATA, &editor);
    return editor;
}

static char *show_prompt(EditLine *line)
{
    return (char *)editor_of(line)->prompt;
}

/* Ctrl-Z: libedit's handler restores the terminal, and redraws the line afterwards. */
static unsigned char suspend(EditLine *line, int key)
{
    (void)line;
    (void)key;
    raise(SIGTSTP);
    return CC_REDISPLAY;
}

/* Inserts the part that all words share; without one the words are listed. */
static unsigned char finish_word(EditLine *line, const Completion *c)
{
    Buf text = { 0 };
    unsigned char done = CC_REFRESH;
    completion_rest(c, &text);
    if (text.length) {
        el_insertstr(line, text.text);
    } else {
        completion_list(c, terminal_columns(stdout), &text);
        printf("\n%s", text.text);
        done = CC_REDISPLAY;
    }
    buf_free(&text);
    return done;
}

static unsigned char press_tab(EditLine *line, int key)
{
    const LineInfo *info = el_line(line);
    Buf text = { 0 };
    Completion c = { 0 };
    unsigned char done;                 /* CC_ERROR: a beep */
    (void)key;
    buf_add(&text, info->buffer, (size_t)(info->cursor - info->buffer));
    if (editor_of(line)->complete(text.text, &c)) done = c.count ? finish_word(line, &c) : CC_ERROR;
    else done = el_insertstr(line, " ") ? CC_ERROR : CC_REFRESH;
    completion_free(&c);
    buf_free(&text);
    return done;
}

/* libedit must take bytes above 127 for UTF-8, also where the user's locale does not say so. */
static void choose_locale(void)
{
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8")) setlocale(LC_CTYPE, "C.UTF-8");
}

/* xterm's modifiers are 3 for Alt, 5 for Ctrl, and 9 for Alt of a Mac; rxvt has lower case for Ctrl
 * and one more Escape for Alt; older terminals leave out the first parameter. */
static const struct { const char *command, *sequences[9]; } bindings[] = {
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

static void bind_keys(EditLine *line)
{
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++)
        for (const char *const *key = bindings[i].sequences; *key; key++)
            el_set(line, EL_BIND, *key, bindings[i].command, NULL);
}

static void choose_keys(EditLine *line)
{
    el_set(line, EL_EDITOR, "emacs");
    el_set(line, EL_BIND, "^C", "em-kill-line", NULL);
    /* el_set would leak copies of the words */
    el_wset(line, EL_ADDFN, L"suspend", L"stop until fg", suspend);
    el_set(line, EL_BIND, "^Z", "suspend", NULL);
    el_wset(line, EL_ADDFN, L"complete", L"finish the word", press_tab);
    el_set(line, EL_BIND, "^I", "complete", NULL);
    el_set(line, EL_BIND, "^R", "em-inc-search-prev", NULL);
    bind_keys(line);
    /* while a line is edited, these are keys and not signals */
    el_set(line, EL_SETTY, "-d", "-isig", NULL);
    el_source(line, NULL);
}

Editor *editor_new(const char *prompt, Complete *complete)
{
    choose_locale();
    Editor *editor = xcalloc(1, sizeof *editor);
    editor->prompt = prompt;
    editor->complete = complete;
    editor->line = el_init("attn", stdin, stdout, stderr);
    if (!editor->line) die("cannot prepare the terminal for editing");
    line_history_open(&editor->typed);

    el_set(editor->line, EL_CLIENTDATA, editor);
    el_set(editor->line, EL_PROMPT, show_prompt);
    el_set(editor->line, EL_HIST, history, editor->typed.lines);
    /* redraw the line after a resize, or Ctrl-Z and back */
    el_set(editor->line, EL_SIGNAL, 1);
    choose_keys(editor->line);
    return editor;
}

void editor_free(Editor *editor)
{
    line_history_close(&editor->typed);
    el_end(editor->line);
    buf_free(&editor->text);
    free(editor);
}

const char *editor_line(Editor *editor)
{
    int length;
    const char *typed = el_gets(editor->line, &length);
    if (!typed || length <= 0) return NULL;
    while (length > 0 && strchr(" \t\r\n", typed[length - 1]))
        length--;
    buf_clear(&editor->text);
    buf_add(&editor->text, typed, (size_t)length);
    if (length) line_history_add(&editor->typed, editor->text.text);
    return editor->text.text;
}
