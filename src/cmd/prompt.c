/* prompt.c - the loop of a conversation and its few commands. */
#include "cmd/prompt.h"

#include "base/error.h"
#include "base/nearest.h"
#include "cmd/cmd.h"
#include "cmd/editor.h"
#include "cmd/lacking.h"
#include "cmd/progress.h"
#include "text/unicode.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const Model  *model;
    SearchOptions search;
    AnswerStyle   style;
    Pool         *pool;             /* of one: there is one sentence at a time */
    Translator   *translator;       /* for `search` as it is now */
    Translation   last;             /* count = 0 before the first */
    int           over;
} Session;

/* ---- Sentences ---- */

static void print_answer(const Session *s)
{
    const Translation *t = &s->last;
    if (t->count == 1) printf("%s\n", t->hypothesis[0].text);
    for (int i = 0; t->count > 1 && i < t->count; i++)
        printf("%9.4f  %s\n", t->hypothesis[i].score, t->hypothesis[i].text);
}

static void print_attention(const Session *s)
{
    Buf picture = { 0 };
    AnswerStyle style = s->style;
    style.columns = terminal_columns(stdout);
    answer_heatmap(&s->last, &style, s->model, &picture);
    if (picture.length) fputs(picture.text, stdout);
    buf_free(&picture);
}

static void warn_lacking(const Session *s)
{
    Buf texts = { 0 };
    if (lacking_add(&s->last, &texts)) warn(LACKING_TEXT ": %s", texts.text);
    buf_free(&texts);
}

static void translate_sentence(Session *s, const char *line)
{
    Buf sentence = { 0 };
    const char *text = line;
    if (!unicode_valid(line, strlen(line))) {
        unicode_repair(line, strlen(line), &sentence);
        text = sentence.text;
    }
    translation_free(&s->last);
    translator_run(s->translator, &text, 1, &s->last);
    print_answer(s);
    warn_lacking(s);
    if (s->style.heatmap) print_attention(s);
    buf_free(&sentence);
}

/* ---- Commands ---- */

/* A command gets its own name and what stands behind it. */
typedef void Run(Session *s, const char *name, const char *argument);

static void run_attention(Session *s, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    if (s->last.count) print_attention(s);
    else puts("Nothing is translated yet.");
}

/* :beam and :nbest. Both numbers fit together afterwards: the one that was not named gives way. */
static void run_search(Session *s, const char *name, const char *argument)
{
    Err e;
    if (field_set(fields_find(search_fields, name, strlen(name)), &s->search, argument, &e)) {
        printf("%s\n", e.text);
        return;
    }
    if (s->search.nbest > s->search.beam) {
        if (!strcmp(name, "nbest")) s->search.beam = s->search.nbest;
        else s->search.nbest = s->search.beam;
    }
    translator_free(s->translator);
    s->translator = translator_new(s->model, &s->search, s->pool);
    printf("beam %d, nbest %d\n", s->search.beam, s->search.nbest);
}

static void run_quit(Session *s, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    s->over = 1;
}

static Run run_help;

typedef struct {
    const char *name, *value, *help;
    Run *run;
} Verb;

static const Verb verbs[] = {
    { "attention", "",  "show what the last translation looked at",        run_attention },
    { "beam",      "N", "keep N hypotheses while translating; 1: greedy",  run_search },
    { "nbest",     "N", "show the N best translations",                    run_search },
    { "help",      "",  "this list",                                       run_help },
    { "quit",      "",  "leave, as Ctrl-D does",                           run_quit },
    { NULL, NULL, NULL, NULL }
};

static void run_help(Session *s, const char *name, const char *argument)
{
    (void)s;
    (void)name;
    (void)argument;
    puts("A line is a sentence to translate, or a command:");
    for (const Verb *verb = verbs; verb->name; verb++)
        printf("  :%-10s%-2s %s\n", verb->name, verb->value, verb->help);
    puts("Up and Down recall lines, Ctrl-R searches them, Ctrl-C clears the line.");
}

static void run_command(Session *s, const char *line)
{
    size_t length = strcspn(line, " \t");
    const char *argument = line + length + strspn(line + length, " \t");
    Buf name = { 0 };
    buf_add(&name, line, length);
    Nearest n = { .word = name.text };
    const Verb *verb = verbs;
    for (; verb->name && strcmp(verb->name, name.text); verb++)
        nearest_offer(&n, verb->name);

    if (verb->name) verb->run(s, verb->name, argument);
    else if (n.best) printf("There is no command :%s. Did you mean :%s?\n", name.text, n.best);
    else printf("There is no command :%s. Type :help for those there are.\n", name.text);
    buf_free(&name);
}

/* ---- The conversation ---- */

static void greet(const Model *model, const char *path)
{
    char parameters[COUNT_TEXT], source[COUNT_TEXT], target[COUNT_TEXT];
    progress_count(parameters, (double)model->table->values);
    progress_count(source, tokenizer_size(model->source));
    progress_count(target, tokenizer_size(model->target));
    printf("%s: %s parameters, vocabularies of %s and %s\n", path, parameters, source, target);
    puts("Type a sentence, :help for help, Ctrl-D to leave.");
}

void prompt_run(const Model *model, const char *path, const SearchOptions *search, const AnswerStyle *style, int quiet)
{
    Session s = { .model = model, .search = *search, .style = *style, .pool = start_workers(1) };
    s.translator = translator_new(model, &s.search, s.pool);
    Editor *editor = editor_new("> ");
    if (!quiet) greet(model, path);
    while (!s.over) {
        const char *line = editor_line(editor);
        if (!line) putchar('\n');
        if (!line) break;
        line += strspn(line, " \t");
        if (*line == ':') run_command(&s, line + 1);
        else if (*line) translate_sentence(&s, line);
        stdout_flush();
    }
    editor_free(editor);
    translation_free(&s.last);
    translator_free(s.translator);
    pool_free(s.pool);
}
