/* prompt.c - a conversation: the model and the last translation that a person asks about, and the
 * commands with which to ask. */
#include "cmd/translate/translate.h"

#include "base/mem.h"
#include "base/strings.h"
#include "cmd/command_files.h"
#include "cmd/signals.h"
#include "cmd/translate/editor.h"
#include "linalg/precision.h"
#include "text/unicode.h"
#include "translate/translation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tokens kept for each position, with the chosen one; columns of a token, and between columns. */
enum { ALTERNATIVES = 5, TOKEN_COLUMNS = 12, GAP = 2 };

typedef struct {
    const Models *models;
    SearchOptions search;
    Pool         *pool;             /* one thread: there is one sentence at a time */
    Translator   *translator;       /* for the search as it is now */
    Buf           prefix;           /* of each translation; empty: any beginning */
    Buf           source;           /* of the last translation */
    Translations  last;             /* count = 0 before the first */
    OutputFormat  format;           /* heatmap: draw the attention of each translation */
    UnfamiliarWalks unfamiliar;     /* of the lines so far */
    atomic_int   *interrupted;      /* not 0: Ctrl-C interrupts this line */
    int           done;
} Prompt;

static void print_error(const Err *e)
{
    printable_line(stdout, "%s", e->text);
}

static Translator *new_translator(const Prompt *p, const SearchOptions *search)
{
    return translator_new(p->models->model, p->models->count, search, p->pool);
}

static void renew_translator(Prompt *p)
{
    translator_free(p->translator);
    p->translator = new_translator(p, &p->search);
}

/* The file of the model, and its origin. */
static void print_banner(const Models *models)
{
    SCOPED(buf_free) Buf origin = { 0 };
    model_origin(models->model->training, &origin);
    printable_line(stdout, "%s: %s", *models->path,
                   origin.length ? origin.text : "of unknown origin");
}

/* ---- Sentences ---- */

/* Whether there is such a translation; else a message says why, in a new line after the ^C that the
 * terminal shows. */
static int is_there(const Prompt *p, const Translations *t)
{
    const int is_stopped = atomic_load(p->interrupted);
    const char *why = !t->count ? "a side of more tokens than can be scored"
                    : is_stopped && !t->line->count ? "given up"
                    : translation_is_void(t->line) ? "what the model computes of this is no "
                                                     "number: its weights are too large" : NULL;
    if (why) printf("%s%s\n", is_stopped ? "\n" : "", why);
    return !why;
}

static int has_last(const Prompt *p)
{
    if (!p->last.count) puts("Nothing is translated yet.");
    return p->last.count > 0;
}

static int has_attention(const Prompt *p)
{
    const int has = models_have_attention(p->models);
    if (!has) puts("There is no attention to show: the model was trained with --attention none.");
    return has;
}

static void print_attention(Prompt *p)
{
    Buf picture = { 0 };
    if (!has_attention(p)) return;
    OutputFormat format = p->format;
    format.heatmap = 1;
    format.columns = terminal_columns(stdout);
    format_pictures(p->source.text, p->last.line, &format, p->models->model, &picture);
    print_text(&picture);
}

static void warn_of(Prompt *p, const Translation *t)
{
    const Unfamiliar found =
        unfamiliar_add(&p->unfamiliar, t, model_source(p->models->model),
                       model_target(p->models->model));
    SCOPED(buf_free) Buf texts = { 0 };
    if (found != UNFAMILIAR_NOT) warn("%s", unfamiliar_text(found));
    for (Untranslated kind = 0; kind < UNTRANSLATED_KINDS; kind++) {
        buf_clear(&texts);
        if (untranslated_add(t, kind, &texts)) warn("%s: %s", untranslated_text[kind], texts.text);
    }
}

static void run_sentence(Prompt *p, const char *line)
{
    const char *const prefix = p->prefix.text;
    Translations translated = translator_run(p->translator, &line, &prefix, 1);
    if (!is_there(p, &translated)) {
        translations_free(&translated);
        return;
    }
    translations_free(&p->last);
    p->last = translated;
    buf_clear(&p->source);
    buf_puts(&p->source, line);
    const Translation *t = translated.line;
    for (int i = 0; i < t->count; i++)
        if (t->count == 1) printf("%s\n", t->hypothesis[0].text);
        else printf("%9.4f  %s\n", t->hypothesis[i].score, t->hypothesis[i].text);
    warn_of(p, t);
    if (p->format.heatmap) print_attention(p);
}

/* ---- Commands: the full name, and the text after it ---- */

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

/* :beam and :nbest; without a number they print the present values. The other one follows where
 * nbest would be larger than beam. */
static void run_search(Prompt *p, const char *name, const char *argument)
{
    Err e;
    SearchOptions search = p->search;
    const Field *field = fields_find(search_fields, name, strlen(name));
    if (*argument && field_set(field, &search, argument, &e)) {
        print_error(&e);
        return;
    }
    if (search.nbest > search.beam && !search.sample) {
        if (!strcmp(name, "nbest")) search.beam = search.nbest;
        else search.nbest = search.beam;
    }
    p->search = search;
    if (*argument) renew_translator(p);
    printf("beam %d, nbest %d\n", p->search.beam, p->search.nbest);
}

static void run_prefix(Prompt *p, const char *name, const char *argument)
{
    Err e;
    if (prefix_check(argument, strlen(argument), &e)) {
        printable_line(stdout, ":%s: %s", name, e.text);
        return;
    }
    buf_clear(&p->prefix);
    buf_puts(&p->prefix, argument);
    if (*argument) printf("Translations begin with: %s\n", argument);
    else puts("Translations begin with what the model chooses.");
}

/* A token as in the pictures, with a dot before it where no blank is, in a column of its own. */
static void add_token(const Tokenizer *target, int id, Buf *out)
{
    const char *piece = tokenizer_piece(target, id);
    const int marked = !strncmp(piece, WORD_MARK, WORD_MARK_LENGTH);
    const int continues = !marked && id >= ID_SPECIALS
                          && !text_has_words(&target->options);
    char *label = heatmap_label(marked ? piece + WORD_MARK_LENGTH : piece, continues);
    const size_t start = out->length;
    heatmap_cut(label, TOKEN_COLUMNS, out);
    buf_printf(out, "%*s", TOKEN_COLUMNS - unicode_columns(out->text + start), "");
    free(label);
}

/* The natural log-probability and the probability of each token, given those before it. */
static void add_scores(const Translation *t, const Tokenizer *target, Buf *out)
{
    const Hypothesis *h = chunk_hypothesis(t->chunk, 0);
    for (int at = 0; at < h->length; at++) {
        const double log_probability = h->log_probabilities[at];
        add_token(target, h->ids[at], out);
        buf_printf(out, "%*s%8.4f  %6.2f %%\n", GAP, "", log_probability,
                   100 * exp(log_probability));
    }
    buf_printf(out, "%*s%8.4f  log-probability, %.4f a token\n", TOKEN_COLUMNS + GAP, "",
               h->log_probability, h->log_probability / h->length);
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
    Buf source = { 0 }, table = { 0 };
    buf_add(&source, argument, unicode_trimmed(argument, (size_t)(at - argument)));
    const char *const texts[] = { source.text, at + strlen(between)
                                               + strspn(at + strlen(between), " \t") };
    SearchOptions options = p->search;
    options.sample = 0;
    options.beam = options.nbest = 1;
    if (options.precision == FIELD_AUTO) options.precision = PRECISION_FLOAT;
    SCOPED(translations_free) Translations scored = { 0 };
    Translator *scorer = new_translator(p, &options);
    scored = translator_score(scorer, &texts[0], &texts[1], 1);
    translator_free(scorer);
    if (is_there(p, &scored)) add_scores(scored.line, p->models->model->target, &table);
    print_text(&table);
    buf_free(&source);
}

static void add_choice(const Tokenizer *target, int id, double log_probability, Buf *out)
{
    buf_printf(out, "%6.2f %% ", 100 * exp(log_probability));
    add_token(target, id, out);
}

/* Each token, and behind it the most probable others at its position, as many as fit. */
static void run_alternatives(Prompt *p, const char *name, const char *argument)
{
    const Tokenizer *target = p->models->model->target;
    const int kept = tokenizer_size(target) < ALTERNATIVES ? tokenizer_size(target) : ALTERNATIVES;
    const int each = GAP + 9 + TOKEN_COLUMNS, page = terminal_columns(stdout);
    Buf table = { 0 };
    (void)name;
    (void)argument;
    if (!has_last(p)) return;
    for (size_t i = 0; i < p->last.line->chunks; i++) {
        const Hypothesis *h = chunk_hypothesis(&p->last.line->chunk[i], 0);
        for (int at = 0; at < h->length; at++) {
            const Alternative *others = h->alternatives + (size_t)at * (size_t)kept;
            int columns = page + GAP - each;
            add_choice(target, h->ids[at], h->log_probabilities[at], &table);
            for (int k = 0; k < kept && columns >= each; k++) {
                if (others[k].id == h->ids[at]) continue;
                buf_printf(&table, "%*s", GAP, "");
                add_choice(target, others[k].id, others[k].log_probability, &table);
                columns -= each;
            }
            while (table.text[table.length - 1] == ' ') table.text[--table.length] = '\0';
            buf_putc(&table, '\n');
        }
    }
    print_text(&table);
}

static void run_save(Prompt *p, const char *name, const char *path)
{
    static const char flag[] = "--force ";
    Err e;
    const int force = !strncmp(path, flag, strlen(flag));
    OutputFormat format = { .map = p->format.map };
    if (force) path += strlen(flag) + strspn(path + strlen(flag), " ");
    if (!*path) {
        printf("The name of the picture is missing, as in :%s attention.svg\n", name);
        return;
    }
    if (!has_last(p) || !has_attention(p)) return;
    if (!force && output_exists(path))
        err(&e, "%s: is there already; :save --force %s replaces it", path, path);
    else format.gallery = gallery_open(path, &e);
    if (format.gallery)
        format_pictures(p->source.text, p->last.line, &format, p->models->model, NULL);
    if (!format.gallery || gallery_finish(format.gallery, &e)) print_error(&e);
    else printf("The picture is in %s\n", path);
}

static void run_quit(Prompt *p, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    p->done = 1;
}

static void run_help(Prompt *p, const char *name, const char *argument);

typedef struct {
    const char *name, *value, *help;
    void      (*run)(Prompt *p, const char *name, const char *argument);
} Verb;

static const Verb verbs[] = {
    { "attention", "", "draw the attention of the last translation; on, off: of every one",
      run_attention },
    { "alternatives", "", "print the most probable other tokens at each of its positions",
      run_alternatives },
    { "save", "FILE", "draw its attention into FILE.svg, .png, .html or .txt",
      run_save },
    { "score", "S ||| T", "print how probable T is as the translation of S, word by word",
      run_score },
    { "prefix", "TEXT", "begin each translation with TEXT; without TEXT: with anything",
      run_prefix },
    { "beam", "N", "keep N hypotheses at every word; 1: greedy search",
      run_search },
    { "nbest", "N", "print the N best translations", run_search },
    { "help", "", "print this list", run_help },
    { "quit", "", "end the program, like Ctrl-D, quit and exit", run_quit },
    { .name = NULL }
};

static void run_help(Prompt *p, const char *name, const char *argument)
{
    enum { HELP_COLUMN = 25 };
    const int columns = terminal_columns(stdout);
    Buf text = { 0 };
    (void)p;
    (void)name;
    (void)argument;
    buf_puts(&text, "A line is a sentence to translate, or a command:\n");
    for (const Verb *verb = verbs; verb->name; verb++) {
        buf_printf(&text, "  :%-13s%-9s", verb->name, verb->value);
        wrap_words(verb->help, HELP_COLUMN, HELP_COLUMN, columns, &text);
        buf_putc(&text, '\n');
    }
    wrap_words("A command may be cut short: :s is the first that begins so. Tab completes it. Up "
               "and Down recall lines, PgUp those that contain what is typed, Ctrl-R "
               "searches them. Ctrl-C gives up the line or its translation.", 0, 0, columns, &text);
    buf_putc(&text, '\n');
    print_text(&text);
}

/* ---- Lines ---- */

/* The first verb that begins as the command does, or NULL; *argument: what follows its name. */
static const Verb *find_verb(const char *command, const char **argument)
{
    const size_t length = strcspn(command, " \t");
    *argument = command + length + strspn(command + length, " \t");
    for (const Verb *verb = verbs; verb->name && length; verb++)
        if (!strncmp(verb->name, command, length)) return verb;
    return NULL;
}

static void run_command(Prompt *p, const char *command)
{
    const char *argument;
    const Verb *verb = find_verb(command, &argument);
    if (verb) {
        verb->run(p, verb->name, argument);
        return;
    }
    SCOPED(buf_free) Buf name = { 0 };
    buf_add(&name, command, strcspn(command, " \t"));
    Suggestion near = { .word = name.text };
    for (verb = verbs; verb->name; verb++) suggestion_offer(&near, verb->name);
    if (near.best) printf("There is no command :%s. Did you mean :%s?\n", name.text, near.best);
    else printf("There is no command :%s. Type :help for the list.\n", name.text);
}

/* The rest of a command's name; a blank in a sentence. */
static void complete(const char *text, Buf *rest)
{
    const char *argument;
    const Verb *verb = *text == ':' ? find_verb(text + 1, &argument) : NULL;
    if (*text != ':') buf_putc(rest, ' ');
    else if (verb && !strpbrk(text, " \t"))
        buf_printf(rest, "%s%s", verb->name + strlen(text + 1), *verb->value ? " " : "");
}

/* Makes the line valid UTF-8 without control characters. */
static void clean_line(const char *typed, Buf *line)
{
    SCOPED(buf_free) Buf repaired = { 0 };
    buf_clear(&repaired);
    buf_clear(line);
    unicode_repair(typed, strlen(typed), &repaired);
    for (const char *at = repaired.text; *at;) {
        int32_t point = unicode_next(&at);
        unicode_append(line, unicode_is_control(point) ? ' ' : point);
    }
}

static void run_line(Prompt *p, const char *line)
{
    line += strspn(line, " ");
    const char *word = line + (*line == ':');
    /* other prompts end with these words; "Quit." is a sentence */
    if (!strcmp(word, "quit") || !strcmp(word, "exit")) p->done = 1;
    else if (*line == ':') run_command(p, word);
    else if (*line) run_sentence(p, line);
    stdout_flush();
}

void prompt_run(const Request *r, const Models *models)
{
    Prompt p = { .models = models, .search = r->search,
                 .pool = start_workers(1), .interrupted = signals_interrupts(),
                 .format = r->format };
    p.format.colours = terminal_colours(stdout, (ColourWish)r->colour);
    p.search.beam = translator_options(models->model, models->count, &r->search).beam;
    p.search.stop = p.interrupted;
    p.search.attention = 1;
    p.search.alternatives = ALTERNATIVES;
    buf_puts(&p.prefix, r->prefix ? r->prefix : "");
    buf_clear(&p.source);
    renew_translator(&p);
    Editor *editor = editor_new("> ", complete);
    if (!r->quiet) {
        print_banner(models);
        if (!*r->search.to) warn_without_target(models->model, *models->path);
        puts("Type a sentence, :help for help, Ctrl-D to leave.");
    }
    SCOPED(buf_free) Buf line = { 0 };
    while (!p.done) {
        atomic_store(p.interrupted, 0);
        const char *typed = editor_line(editor);
        if (!typed) putchar('\n');
        if (!typed && !atomic_load(p.interrupted)) break;       /* the end */
        if (!typed) continue;
        clean_line(typed, &line);
        run_line(&p, line.text);
    }
    editor_free(editor);
    translations_free(&p.last);
    translator_free(p.translator);
    pool_free(p.pool);
    buf_free(&p.prefix);
    buf_free(&p.source);
}
