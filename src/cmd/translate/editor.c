/* editor.c - libedit with a history file, Tab, and the keys that people expect. */
#include "cmd/translate/editor.h"

#include "base/error.h"
#include "base/files/replace.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/system/environment.h"
#include "text/unicode.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEPT_LINES = 1000, GAP = 2 };

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
    FILE *stream = fd >= 0 && !fstat(fd, &status) && S_ISREG(status.st_mode) ? fdopen(fd, "a") : NULL;
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
    Err ignored;
    Replace file;
    FILE *stream = editor->path ? open_history(editor->path) : NULL;
    const int is_empty = stream && !ftell(stream);
    if (stream) fclose(stream);
    const int count = stream && !is_empty ? history(editor->lines, &event, H_LOAD, editor->path) : 0;
    if (count < 0) warn("%s: is no history of libedit; lines are not kept", editor->path);
    if (!stream || count < 0) forget_path(editor);
    /* after a failure the file is as before, and the next program tries again */
    if (count <= 2 * KEPT_LINES || replace_open(&file, editor->path, &ignored)) return;
    history(editor->lines, &event, H_SAVE_FP, file.stream);
    replace_commit(&file, &ignored);
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

void editor_history(Editor *editor, Buf *out)
{
    HistEvent event;
    for (int rc = history(editor->lines, &event, H_FIRST); rc >= 0;
         rc = history(editor->lines, &event, H_NEXT))
        buf_printf(out, "%s\n", event.str);
}

/* ---- What a beginning may become ---- */

void completion_free(Completion *c)
{
    for (size_t i = 0; i < c->count; i++) free(c->word[i]);
    free(c->word);
    *c = (Completion){ 0 };
}

void completion_offer(Completion *c, const char *word, const char *behind)
{
    Buf whole = { 0 };
    if (strncmp(word, c->begun, strlen(c->begun))) return;
    buf_printf(&whole, "%s%s", word, behind);
    c->word = grow(c->word, &c->capacity, c->count + 1, sizeof *c->word);
    c->word[c->count++] = whole.text;
}

static int is_showable(const char *name)
{
    if (!unicode_valid(name, strlen(name))) return 0;
    while (*name && !unprintable(name)) name++;
    return !*name;
}

void completion_offer_files(Completion *c)
{
    Buf pattern = { 0 };
    glob_t found = { 0 };
    for (const char *at = c->begun; *at; at++)
        buf_printf(&pattern, "%s%c", strchr("*?[\\", *at) ? "\\" : "", *at);
    buf_puts(&pattern, "*");
    if (!glob(pattern.text, GLOB_MARK, NULL, &found))
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (is_showable(found.gl_pathv[i])) completion_offer(c, found.gl_pathv[i], "");
    globfree(&found);
    buf_free(&pattern);
}

void completion_rest(const Completion *c, Buf *out)
{
    const size_t typed = strlen(c->begun);
    if (!c->count) return;
    const char *first = c->word[0];
    size_t shared = strlen(first);
    for (size_t i = 1, same; i < c->count; i++, shared = same)
        for (same = 0; same < shared && first[same] == c->word[i][same];) same++;
    while (((unsigned char)first[shared] & 0xC0) == 0x80) shared--;      /* inside a character */
    buf_add(out, first + typed, shared - typed);
}

/* The part after the last '/' that is not at the end. */
static const char *last_name(const char *path)
{
    const char *name = path;
    for (; *path; path++)
        if (*path == '/' && path[1]) name = path + 1;
    return name;
}

void completion_list(const Completion *c, int columns, Buf *out)
{
    int used = 0;
    for (size_t i = 0; i < c->count; i++) {
        Buf name = { 0 };
        buf_puts(&name, last_name(c->word[i]));
        name.text[unicode_trimmed(name.text, name.length)] = '\0';
        const int width = unicode_columns(name.text), fits = i && used + GAP + width <= columns;
        if (fits) buf_printf(out, "%*s", GAP, "");
        else if (i) buf_putc(out, '\n');
        used = fits ? used + GAP + width : width;
        buf_puts(out, name.text);
        buf_free(&name);
    }
    buf_putc(out, '\n');
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

/* Inserts the part that all words share; without one the words are listed. */
static unsigned char press_tab(EditLine *line, int key)
{
    const LineInfo *info = el_line(line);
    Buf text = { 0 };
    Completion c = { 0 };
    unsigned char done = CC_ERROR;      /* a beep */
    (void)key;
    buf_add(&text, info->buffer, (size_t)(info->cursor - info->buffer));
    if (!editor_of(line)->complete(text.text, &c)) {
        if (!el_insertstr(line, " ")) done = CC_REFRESH;
    } else if (c.count) {
        Buf rest = { 0 };
        completion_rest(&c, &rest);
        if (rest.length) {
            el_insertstr(line, rest.text);
            done = CC_REFRESH;
        } else {
            completion_list(&c, terminal_columns(stdout), &rest);
            printf("\n%s", rest.text);
            done = CC_REDISPLAY;
        }
        buf_free(&rest);
    }
    completion_free(&c);
    buf_free(&text);
    return done;
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
