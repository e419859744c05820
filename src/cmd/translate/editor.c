/* editor.c - libedit with a history file, Tab, and the keys that people expect. */
#include "cmd/translate/editor.h"

#include "base/error.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEPT_LINES = 1000 };

struct Editor {
    EditLine   *line;
    History    *lines;
    char       *path;           /* of the history; NULL: no file, lines are lost at the end */
    const char *prompt;
    Complete   *complete;
    Buf         text;           /* the line handed out */
};

/* ---- The history ---- */

/* Its path, whose folders are there now, unless that fails: then it can't be opened. NULL: there is
 * no place for it. */
static char *history_path(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    Buf path = { 0 };
    if (state && *state == '/') buf_printf(&path, "%s/attn/history", state);
    else if (home && *home) buf_printf(&path, "%s/.local/state/attn/history", home);
    else return NULL;
    for (char *slash = strchr(path.text + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path.text, 0700);
        *slash = '/';
    }
    return path.text;
}

/* The file at its end, which is created where there is none; NULL where it can't be opened or is no
 * regular file: some people link it to /dev/null, whose mode libedit would change. */
static FILE *open_history(const char *path)
{
    struct stat status;
    const int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    FILE *stream = fd >= 0 && !fstat(fd, &status) && S_ISREG(status.st_mode) ? fdopen(fd, "a")
                                                                               : NULL;
    if (stream) fseek(stream, 0, SEEK_END);     /* libedit writes a heading where this is 0 */
    else if (fd >= 0) close(fd);
    return stream;
}

static void forget_path(Editor *editor)
{
    free(editor->path);
    editor->path = NULL;
}

static void load_history(Editor *editor)
{
    HistEvent event;
    FILE *stream = editor->path ? open_history(editor->path) : NULL;
    const int is_empty = stream && !ftell(stream);
    if (stream) fclose(stream);
    const int count = !stream ? -1
                    : is_empty ? 0 : history(editor->lines, &event, H_LOAD, editor->path);
    if (count > 2 * KEPT_LINES) history(editor->lines, &event, H_SAVE, editor->path);
    if (count < 0 && stream)
        warn("%s: is no history of libedit; lines are not kept", editor->path);
    if (count < 0) forget_path(editor);
}

/* Only libedit knows the format of a line: a history with this line alone is saved. */
static int append(const char *path, const char *line)
{
    HistEvent event;
    FILE *stream = open_history(path);
    History *one = stream ? history_init() : NULL;
    if (!one) return -1;
    history(one, &event, H_SETSIZE, 1);
    history(one, &event, H_ENTER, line);
    history(one, &event, H_SAVE_FP, stream);
    history_end(one);
    return fclose(stream);
}

void editor_add(Editor *editor, const char *line)
{
    HistEvent event;
    const int is_first = history(editor->lines, &event, H_FIRST) < 0;
    if (!is_first && !strcmp(event.str, line)) return;
    history(editor->lines, &event, H_ENTER, line);
    if (!editor->path || !append(editor->path, line)) return;
    warn("%s: cannot be written: %s; lines are no longer kept", editor->path, strerror(errno));
    forget_path(editor);
}

/* ---- Keys ---- */

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

static unsigned char press_tab(EditLine *line, int key)
{
    const LineInfo *info = el_line(line);
    SCOPED(buf_free) Buf text = { 0 }, rest = { 0 };
    (void)key;
    buf_add(&text, info->buffer, (size_t)(info->cursor - info->buffer));
    editor_of(line)->complete(text.text, &rest);
    const int is_done = rest.length && !el_insertstr(line, rest.text);
    return is_done ? CC_REFRESH : CC_ERROR;     /* a beep */
}

/* What libedit leaves out, as xterm has it: the arrows with Ctrl (5) and Alt (3), Home, End, PgUp,
 * PgDn. */
static const char *const bindings[][2] = {
    { "\\e[1;5D", "ed-prev-word" },          { "\\e[1;5C", "em-next-word" },
    { "\\e[1;3D", "ed-prev-word" },          { "\\e[1;3C", "em-next-word" },
    { "\\e[1~", "ed-move-to-beg" },          { "\\e[4~", "ed-move-to-end" },
    { "\\e[5~", "ed-search-prev-history" },  { "\\e[6~", "ed-search-next-history" },
    { "^C", "em-kill-line" },                { "^R", "em-inc-search-prev" },
    { "^Z", "suspend" },                     { "^I", "complete" },
};

Editor *editor_new(const char *prompt, Complete *complete)
{
    HistEvent event;
    /* libedit must take bytes above 127 for UTF-8, also where the user's locale does not say so */
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8")) setlocale(LC_CTYPE, "C.UTF-8");
    Editor *editor = xcalloc(1, sizeof *editor);
    EditLine *line = el_init("attn", stdin, stdout, stderr);
    *editor = (Editor){ .line = line, .lines = history_init(), .path = history_path(),
                        .prompt = prompt, .complete = complete };
    if (!line || !editor->lines) die("cannot prepare the terminal for editing");
    history(editor->lines, &event, H_SETSIZE, KEPT_LINES);
    history(editor->lines, &event, H_SETUNIQUE, 1);
    load_history(editor);

    el_set(line, EL_CLIENTDATA, editor);
    el_set(line, EL_PROMPT, show_prompt);
    el_set(line, EL_HIST, history, editor->lines);
    /* redraw the line after a resize, or Ctrl-Z and back */
    el_set(line, EL_SIGNAL, 1);
    el_set(line, EL_EDITOR, "emacs");
    /* el_set would leak copies of the words */
    el_wset(line, EL_ADDFN, L"suspend", L"stop until fg", suspend);
    el_wset(line, EL_ADDFN, L"complete", L"finish the word", press_tab);
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++)
        el_set(line, EL_BIND, bindings[i][0], bindings[i][1], NULL);
    /* while a line is edited, these are keys and not signals */
    el_set(line, EL_SETTY, "-d", "-isig", NULL);
    el_source(line, NULL);
    return editor;
}

void editor_free(Editor *editor)
{
    history_end(editor->lines);
    el_end(editor->line);
    forget_path(editor);
    buf_free(&editor->text);
    free(editor);
}

const char *editor_line(Editor *editor)
{
    int length;
    const char *typed = el_gets(editor->line, &length);
    if (!typed || length <= 0) return NULL;
    while (length > 0 && strchr(" \t\r\n", typed[length - 1])) length--;
    buf_clear(&editor->text);
    buf_add(&editor->text, typed, (size_t)length);
    if (length) editor_add(editor, editor->text.text);
    return editor->text.text;
}
