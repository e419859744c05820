/* prompt.c - the loop of a conversation and its commands. */
#include "cmd/translate/prompt.h"

#include "base/error.h"
#include "base/suggest.h"
#include "base/printable.h"
#include "cmd/translate/output_format.h"
#include "cmd/cmd.h"
#include "cmd/translate/editor.h"
#include "cmd/translate/prefix.h"
#include "cmd/translate/banner.h"
#include "cmd/translate/untranslated.h"
#include "cmd/models.h"
#include "cmd/outputs.h"
#include "cmd/translate/token_scores.h"
#include "cmd/translate/session.h"
#include "cmd/signals.h"
#include "cmd/wrap.h"
#include "text/unicode.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    Session     session;
    OutputFormat style;              /* heatmap: draw each translation's */
    atomic_int *interrupted;        /* not 0: Ctrl-C came, and this line is to be given up */
    int         over;
} Prompt;

/* Prints what was gathered, and releases it. */
static void print(Buf *text)
{
    if (text->length) fputs(text->text, stdout);
    buf_free(text);
}

/* Behind the ^C that the terminal shows where a line was given up. */
static void print_failure(const Prompt *p, const Err *e)
{
    if (atomic_load(p->interrupted)) putchar('\n');
    printable_line(stdout, "%s", e->text);
}

/* ---- Sentences ---- */

static void print_answer(const Translation *t)
{
    if (t->count == 1) printf("%s\n", t->hypothesis[0].text);
    for (int i = 0; t->count > 1 && i < t->count; i++)
        printf("%9.4f  %s\n", t->hypothesis[i].score, t->hypothesis[i].text);
}

static int has_attention(const Prompt *p)
{
    const int looks = models_look(p->session.models, p->session.count);
    if (!looks) puts("There is no attention to show: the model was trained with --attention none.");
    return looks;
}

static void print_attention(Prompt *p)
{
    Buf picture = { 0 };
    if (!has_attention(p)) return;
    p->style.columns = terminal_columns(stdout);
    format_heatmap(&p->session.last, &p->style, &p->session.models[0], &picture);
    print(&picture);
}

static void warn_lacking(const Translation *t)
{
    Buf texts = { 0 };
    if (untranslated_add(t, &texts)) warn(LACKING_TEXT ": %s", texts.text);
    buf_free(&texts);
}

static void run_sentence(Prompt *p, const char *line)
{
    Err e;
    if (session_translate(&p->session, line, &e)) {
        print_failure(p, &e);
        return;
    }
    print_answer(&p->session.last);
    warn_lacking(&p->session.last);
    if (p->style.heatmap) print_attention(p);
}

/* ---- Commands ---- */

/* A command gets its own name and what stands behind it. */
typedef void Run(Prompt *p, const char *name, const char *argument);

static int has_last(const Prompt *p)
{
    if (!p->session.last.count) puts("Nothing is translated yet.");
    return p->session.last.count;
}

static void run_attention(Prompt *p, const char *name, const char *argument)
{
    int on = !strcmp(argument, "on"), off = !strcmp(argument, "off");
    if (on || off) {
        p->style.heatmap = on;
        printf("Attention is %s\n", on ? "drawn below each translation." : "drawn on request.");
    } else if (*argument) {
        printf(":%s is followed by on, off or nothing.\n", name);
    } else if (has_last(p)) {
        print_attention(p);
    }
}

/* :beam and :nbest; without a number they tell the one that holds. */
static void run_search(Prompt *p, const char *name, const char *argument)
{
    Err e;
    SearchOptions search = p->session.search;
    if (*argument && field_set(fields_find(search_fields, name, strlen(name)), &search, argument, &e)) {
        printable_line(stdout, "%s", e.text);
        return;
    }
    if (*argument) session_search(&p->session, &search, name);
    printf("beam %d, nbest %d\n", p->session.search.beam, p->session.search.nbest);
}

static void run_prefix(Prompt *p, const char *name, const char *argument)
{
    Err e;
    Buf *prefix = &p->session.prefix;
    if (prefix_check(argument, strlen(argument), &e)) {
        printable_line(stdout, ":%s: %s", name, e.text);
        return;
    }
    buf_clear(prefix);
    buf_puts(prefix, argument);
    if (prefix->length) printf("Translations begin with: %s\n", prefix->text);
    else puts("Translations begin with what the model chooses.");
}

static void print_score(Prompt *p, const char *source, const char *target)
{
    Err e;
    Buf table = { 0 };
    Translation scored;
    if (session_score(&p->session, source, target, &scored, &e)) {
        print_failure(p, &e);
        return;
    }
    token_scores_probabilities(&scored, p->session.models[0].target, &table);
    print(&table);
    translation_free(&scored);
}

static void run_score(Prompt *p, const char *name, const char *argument)
{
    static const char between[] = "|||";
    const char *at = strstr(argument, between);
    if (!at) {
        printf("A source and its translation stand around %s, as in :%s I am calm. %s Je suis calme.\n", between, name,
               between);
        return;
    }
    Buf source = { 0 };
    buf_add(&source, argument, unicode_trimmed(argument, (size_t)(at - argument)));
    at += strlen(between);
    print_score(p, source.text, at + strspn(at, " \t"));
    buf_free(&source);
}

static void run_alternatives(Prompt *p, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    Buf table = { 0 };
    const Session *s = &p->session;
    if (!has_last(p)) return;
    token_scores_alternatives(&s->last, s->models[0].target, session_alternatives(s),
                           terminal_columns(stdout), &table);
    print(&table);
}

/* What stands behind --force may be replaced. */
static int save_picture(const Session *s, const char *path, int force, Err *e)
{
    if (!force && output_is_there(path))
        return err(e, "%s: is there already; :save --force %s replaces it", path, path);
    Gallery *gallery = gallery_open(path, e);
    if (!gallery) return -1;
    format_picture(s->source.text, &s->last, &s->models[0], gallery);
    return gallery_finish(gallery, e);
}

static void run_save(Prompt *p, const char *name, const char *argument)
{
    static const char flag[] = "--force ";
    Err e;
    const int force = !strncmp(argument, flag, strlen(flag));
    if (force) argument += strlen(flag) + strspn(argument + strlen(flag), " ");
    if (!*argument) printf("The name of the picture is missing, as in :%s attention.svg\n", name);
    else if (!has_last(p) || !has_attention(p)) return;
    else if (save_picture(&p->session, argument, force, &e)) printable_line(stdout, "%s", e.text);
    else printf("The picture is in %s\n", argument);
}

static void run_model(Prompt *p, const char *name, const char *argument)
{
    Err e;
    if (!*argument) printf("The name of the model is missing, as in :%s models/attn.safetensors\n", name);
    else if (session_load(&p->session, argument, &e)) printable_line(stdout, "%s", e.text);
    else banner_print(&p->session.models[0], argument);
}

static void run_quit(Prompt *p, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    p->over = 1;
}

static Run run_help;

typedef struct {
    const char *name, *value, *help;
    Run        *run;
    void      (*offer)(Completion *c);      /* what its argument may be; NULL: anything */
} Verb;

static void offer_switch(Completion *c)
{
    completion_offer(c, "on", "");
    completion_offer(c, "off", "");
}

static const Verb verbs[] = {
    { "attention", "", "show what the last translation looked at; on, off: of each",
      run_attention, offer_switch },
    { "alternatives", "", "show what else stood at each of its positions",
      run_alternatives, NULL },
    { "save", "FILE", "draw its attention into FILE.svg, .png, .html or .txt",
      run_save, completion_offer_files },
    { "score", "S ||| T", "how probable T is as the translation of S, word by word",
      run_score, NULL },
    { "prefix", "TEXT", "let each translation begin with TEXT; alone: no longer",
      run_prefix, NULL },
    { "beam", "N", "keep N translations in mind at every word; 1: greedy",
      run_search, NULL },
    { "nbest", "N", "show the N best translations", run_search, NULL },
    { "model", "FILE", "go on with another model", run_model, completion_offer_files },
    { "help", "", "this list", run_help, NULL },
    { "quit", "", "leave, as Ctrl-D, quit and exit do", run_quit, NULL },
    { .name = NULL }
};

static void run_help(Prompt *p, const char *name, const char *argument)
{
    (void)p;
    (void)name;
    (void)argument;
    enum { HELP_COLUMN = 25 };
    const int columns = terminal_columns(stdout);
    Buf text = { 0 };
    buf_puts(&text, "A line is a sentence to translate, or a command:\n");
    for (const Verb *verb = verbs; verb->name; verb++) {
        buf_printf(&text, "  :%-13s%-9s", verb->name, verb->value);
        wrap_words(verb->help, HELP_COLUMN, HELP_COLUMN, columns, &text);
        buf_putc(&text, '\n');
    }
    wrap_words("A command may be cut short, as :q is; Tab completes commands and files. Up and Down "
               "recall lines, PgUp those that hold what is typed, Ctrl-R searches them. Ctrl-C gives "
               "up the line or its translation.", 0, 0, columns, &text);
    buf_putc(&text, '\n');
    print(&text);
}

/* ---- Commands by name ---- */

static size_t name_length(const char *command)
{
    return strcspn(command, " \t");
}

static const char *argument_of(const char *command)
{
    command += name_length(command);
    return command + strspn(command, " \t");
}

/* The verb of this name, or the only one whose name begins so; NULL where *meant is not 1. */
static const Verb *find_verb(const char *name, size_t length, int *meant)
{
    const Verb *found = NULL;
    *meant = 0;
    for (const Verb *verb = verbs; verb->name && length; verb++) {
        if (strncmp(verb->name, name, length)) continue;
        if (!verb->name[length]) return verb;
        found = verb;
        ++*meant;
    }
    return *meant == 1 ? found : NULL;
}

static void tell_unknown(const char *name, int meant)
{
    Suggestion n = { .word = name };
    Buf names = { 0 };
    for (const Verb *verb = verbs; verb->name; verb++) {
        suggestion_offer(&n, verb->name);
        if (!strncmp(verb->name, name, strlen(name)))
            buf_printf(&names, "%s:%s", names.length ? " or " : "", verb->name);
    }
    if (meant) printf(":%s may be %s.\n", name, names.text);
    else if (n.best) printf("There is no command :%s. Did you mean :%s?\n", name, n.best);
    else printf("There is no command :%s. Type :help for those there are.\n", name);
    buf_free(&names);
}

static void run_command(Prompt *p, const char *line)
{
    const size_t length = name_length(line);
    int meant;
    const Verb *verb = find_verb(line, length, &meant);
    if (verb) {
        verb->run(p, verb->name, argument_of(line));
        return;
    }
    Buf name = { 0 };
    buf_add(&name, line, length);
    tell_unknown(name.text, meant);
    buf_free(&name);
}

static void offer_verbs(Completion *c)
{
    for (const Verb *verb = verbs; verb->name; verb++)
        completion_offer(c, verb->name, *verb->value ? " " : "");
}

/* The name of a command, or the argument of one. */
static int complete(const char *text, Completion *out)
{
    int meant;
    text += strspn(text, " ");
    if (*text != ':') return 0;
    const size_t length = name_length(++text);
    const Verb *verb = find_verb(text, length, &meant);
    out->begun = text[length] ? argument_of(text) : text;
    if (!text[length]) offer_verbs(out);
    else if (verb && verb->offer) verb->offer(out);
    return 1;
}

/* ---- The conversation ---- */

/* The line as it may be processed and shown: valid UTF-8 without control characters. */
static void take_line(const char *typed, Buf *line)
{
    Buf repaired = { 0 };
    buf_clear(&repaired);
    buf_clear(line);
    unicode_repair(typed, strlen(typed), &repaired);
    for (const char *at = repaired.text; *at;) {
        int32_t point = unicode_next(&at);
        unicode_append(line, unicode_is_control(point) ? ' ' : point);
    }
    buf_free(&repaired);
}

/* What people type who know other prompts; "Quit." is a sentence. */
static int is_farewell(const char *line)
{
    line += *line == ':';
    return !strcmp(line, "quit") || !strcmp(line, "exit");
}

static void run_line(Prompt *p, const char *line)
{
    line += strspn(line, " ");
    if (is_farewell(line)) p->over = 1;
    else if (*line == ':') run_command(p, line + 1);
    else if (*line) run_sentence(p, line);
    stdout_flush();
}

/* The next line; one that was interrupted is followed by another. NULL: the end. */
static const char *next_line(Prompt *p, Editor *editor)
{
    const char *typed;
    do {
        atomic_store(p->interrupted, 0);
        typed = editor_line(editor);
        if (!typed) putchar('\n');
    } while (!typed && atomic_load(p->interrupted));
    return typed;
}

static void converse(Prompt *p, Editor *editor)
{
    Buf line = { 0 };
    const char *typed;
    while (!p->over && (typed = next_line(p, editor))) {
        take_line(typed, &line);
        run_line(p, line.text);
    }
    buf_free(&line);
}

void prompt_run(const Conversation *c)
{
    Prompt p = { .style = { .heatmap = c->attention, .colours = c->colours }, .interrupted = signals_interrupts() };
    SearchOptions search = c->search;
    search.stop = p.interrupted;
    session_begin(&p.session, c->models, c->count, &search);
    if (c->prefix) buf_puts(&p.session.prefix, c->prefix);
    Editor *editor = editor_new("> ", complete);
    if (!c->quiet) {
        banner_print(&c->models[0], c->path);
        puts("Type a sentence, :help for help, Ctrl-D to leave.");
    }
    converse(&p, editor);
    editor_free(editor);
    session_end(&p.session);
}
