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
#include "text/unicode.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    Session     session;
    OutputFormat format;            /* heatmap: draw the attention of each translation */
    UnfamiliarWalks unfamiliar;     /* of the lines for this model */
    atomic_int *interrupted;        /* not 0: Ctrl-C interrupts this line */
    int         done;
} Prompt;

/* Prints the text and releases it. */
static void print(Buf *text)
{
    if (text->length) fputs(text->text, stdout);
    buf_free(text);
}

/* Begins a new line after the ^C that the terminal shows. */
static void print_failure(const Prompt *p, const Err *e)
{
    if (atomic_load(p->interrupted)) putchar('\n');
    printable_line(stdout, "%s", e->text);
}

/* ---- Sentences ---- */

static void print_translation(const Translation *t)
{
    if (t->count == 1) printf("%s\n", t->hypothesis[0].text);
    for (int i = 0; t->count > 1 && i < t->count; i++)
        printf("%9.4f  %s\n", t->hypothesis[i].score, t->hypothesis[i].text);
}

static int has_attention(const Prompt *p)
{
    const int has = models_have_attention(p->session.models, p->session.count);
    if (!has) puts("There is no attention to show: the model was trained with --attention none.");
    return has;
}

static void print_attention(Prompt *p)
{
    Buf picture = { 0 };
    if (!has_attention(p)) return;
    p->format.columns = terminal_columns(stdout);
    format_heatmap(p->session.last.line, &p->format, &p->session.models[0], &picture);
    print(&picture);
}

static void warn_of_last(Prompt *p)
{
    const Model *model = &p->session.models[0];
    const Translation *t = p->session.last.line;
    const Unfamiliar found = unfamiliar_add(&p->unfamiliar, t, model_source(model), model_target(model));
    Buf texts = { 0 };
    if (found != UNFAMILIAR_NOT) warn("%s", unfamiliar_text(found));
    for (Untranslated kind = 0; kind < UNTRANSLATED_KINDS; kind++) {
        buf_clear(&texts);
        if (untranslated_add(t, kind, &texts)) warn("%s: %s", untranslated_text[kind], texts.text);
    }
    buf_free(&texts);
}

static void run_sentence(Prompt *p, const char *line)
{
    Err e;
    if (session_translate(&p->session, line, &e)) {
        print_failure(p, &e);
        return;
    }
    print_translation(p->session.last.line);
    warn_of_last(p);
    if (p->format.heatmap) print_attention(p);
}

/* The heads that pictures show may be missing from a model that :model loads. */
static void check_map(Prompt *p)
{
    Err e;
    if (!attention_map_check(&p->session.models[0].network, p->format.map, &e)) return;
    printable_line(stdout, "%s", e.text);
    p->format.map = (MapChoice){ MAP_CROSS, { 0, 0 } };
}

/* ---- Commands ---- */

/* Runs a command: its full name, and the text after it. */
typedef void Run(Prompt *p, const char *name, const char *argument);

static int has_last(const Prompt *p)
{
    const int has = p->session.last.count && p->session.last.line->count;
    if (!has) puts("Nothing is translated yet.");
    return has;
}

static void run_attention(Prompt *p, const char *name, const char *argument)
{
    int on = !strcmp(argument, "on"), off = !strcmp(argument, "off");
    if (on || off) {
        p->format.heatmap = on;
        printf("Attention is %s\n", on ? "drawn below each translation." : "drawn on request.");
    } else if (*argument) {
        printf(":%s is followed by on, off or nothing.\n", name);
    } else if (has_last(p)) {
        print_attention(p);
    }
}

/* :beam and :nbest; without a number they print the present values. */
static void run_search(Prompt *p, const char *name, const char *argument)
{
    Err e;
    SearchOptions search = p->session.search;
    const Field *field = fields_find(search_fields, name, strlen(name));
    if (*argument && field_set(field, &search, argument, &e)) {
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
    Translations scored;
    if (session_score(&p->session, source, target, &scored, &e)) {
        print_failure(p, &e);
        return;
    }
    token_scores_probabilities(scored.line, p->session.models[0].target, &table);
    print(&table);
    translations_free(&scored);
}

static void run_score(Prompt *p, const char *name, const char *argument)
{
    static const char between[] = "|||";
    const char *at = strstr(argument, between);
    if (!at) {
        printf("Write a source, %s and its translation, as in :%s I am calm. %s Je suis calme.\n",
               between, name, between);
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
    token_scores_alternatives(s->last.line, s->models[0].target, session_alternatives(s),
                           terminal_columns(stdout), &table);
    print(&table);
}

/* force: the file may exist. */
static int save_picture(const Prompt *p, const char *path, int force, Err *e)
{
    const Session *s = &p->session;
    if (!force && output_exists(path))
        return err(e, "%s: is there already; :save --force %s replaces it", path, path);
    Gallery *gallery = gallery_open(path, e);
    if (!gallery) return -1;
    format_picture(s->source.text, s->last.line, &p->format, &s->models[0], gallery);
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
    else if (save_picture(p, argument, force, &e)) printable_line(stdout, "%s", e.text);
    else printf("The picture is in %s\n", argument);
}

static void run_model(Prompt *p, const char *name, const char *argument)
{
    Err e;
    Buf path = { 0 };
    if (!*argument) {
        printf("The name of the model is missing, as in :%s models/attn.safetensors\n", name);
    } else if (model_path(argument, &path, &e) || session_load(&p->session, path.text, &e)) {
        printable_line(stdout, "%s", e.text);
    } else {
        banner_print(&p->session.models[0], path.text);
        p->unfamiliar = (UnfamiliarWalks){ 0 };
        check_map(p);
    }
    buf_free(&path);
}

static void run_quit(Prompt *p, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    p->done = 1;
}

static Run run_help;

typedef struct {
    const char *name, *value, *help;
    Run        *run;
    void      (*offer)(Completion *c);      /* offers its arguments; NULL: no completion */
} Verb;

static void offer_switch(Completion *c)
{
    completion_offer(c, "on", "");
    completion_offer(c, "off", "");
}

static const Verb verbs[] = {
    { "attention", "", "draw the attention of the last translation; on, off: of every one",
      run_attention, offer_switch },
    { "alternatives", "", "print the most probable other tokens at each of its positions",
      run_alternatives, NULL },
    { "save", "FILE", "draw its attention into FILE.svg, .png, .html or .txt",
      run_save, completion_offer_files },
    { "score", "S ||| T", "print how probable T is as the translation of S, word by word",
      run_score, NULL },
    { "prefix", "TEXT", "begin each translation with TEXT; without TEXT: with anything",
      run_prefix, NULL },
    { "beam", "N", "keep N hypotheses at every word; 1: greedy search",
      run_search, NULL },
    { "nbest", "N", "print the N best translations", run_search, NULL },
    { "model", "FILE", "continue with another model", run_model, completion_offer_files },
    { "help", "", "print this list", run_help, NULL },
    { "quit", "", "end the program, like Ctrl-D, quit and exit", run_quit, NULL },
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
    wrap_words("A command may be abbreviated, as :q; Tab completes commands and files. Up and Down "
               "recall lines, PgUp those that contain what is typed, Ctrl-R searches them. Ctrl-C "
               "gives up the line or its translation.", 0, 0, columns, &text);
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

/* The verb of this name, or the only one whose name begins with it. *matches: how many do; NULL
 * where not 1. */
static const Verb *find_verb(const char *name, size_t length, int *matches)
{
    const Verb *found = NULL;
    *matches = 0;
    for (const Verb *verb = verbs; verb->name && length; verb++) {
        if (strncmp(verb->name, name, length)) continue;
        if (!verb->name[length]) return verb;
        found = verb;
        ++*matches;
    }
    return *matches == 1 ? found : NULL;
}

static void print_unknown(const char *name, int matches)
{
    Suggestion n = { .word = name };
    Buf names = { 0 };
    if (!strcmp(name, "heatmap")) n.best = "attention";     /* as the option is called */
    for (const Verb *verb = verbs; verb->name; verb++) {
        suggestion_offer(&n, verb->name);
        if (!strncmp(verb->name, name, strlen(name)))
            buf_printf(&names, "%s:%s", names.length ? " or " : "", verb->name);
    }
    if (matches) printf(":%s may be %s.\n", name, names.text);
    else if (n.best) printf("There is no command :%s. Did you mean :%s?\n", name, n.best);
    else printf("There is no command :%s. Type :help for the list.\n", name);
    buf_free(&names);
}

static void run_command(Prompt *p, const char *line)
{
    const size_t length = name_length(line);
    int matches;
    const Verb *verb = find_verb(line, length, &matches);
    if (verb) {
        verb->run(p, verb->name, argument_of(line));
        return;
    }
    Buf name = { 0 };
    buf_add(&name, line, length);
    print_unknown(name.text, matches);
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
    int matches;
    text += strspn(text, " ");
    if (*text != ':') return 0;
    const size_t length = name_length(++text);
    const Verb *verb = find_verb(text, length, &matches);
    out->begun = text[length] ? argument_of(text) : text;
    if (!text[length]) offer_verbs(out);
    else if (verb && verb->offer) verb->offer(out);
    return 1;
}

/* ---- The conversation ---- */

/* Makes the line valid UTF-8 without control characters. */
static void clean_line(const char *typed, Buf *line)
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

/* Other prompts end with these words; "Quit." is a sentence. */
static int is_quit(const char *line)
{
    line += *line == ':';
    return !strcmp(line, "quit") || !strcmp(line, "exit");
}

static void run_line(Prompt *p, const char *line)
{
    line += strspn(line, " ");
    if (is_quit(line)) p->done = 1;
    else if (*line == ':') run_command(p, line + 1);
    else if (*line) run_sentence(p, line);
    stdout_flush();
}

/* The next line that is not interrupted. NULL: the end. */
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
    while (!p->done && (typed = next_line(p, editor))) {
        clean_line(typed, &line);
        run_line(p, line.text);
    }
    buf_free(&line);
}

void prompt_run(const Conversation *c)
{
    Prompt p = { .format = { .heatmap = c->attention, .map = c->map, .colours = c->colours },
                 .interrupted = signals_interrupts() };
    SearchOptions search = c->search;
    search.stop = p.interrupted;
    session_init(&p.session, c->models, c->count, &search);
    if (c->prefix) buf_puts(&p.session.prefix, c->prefix);
    Editor *editor = editor_new("> ", complete);
    if (!c->quiet) {
        banner_print(&c->models[0], c->path);
        puts("Type a sentence, :help for help, Ctrl-D to leave.");
    }
    converse(&p, editor);
    editor_free(editor);
    session_free(&p.session);
}
