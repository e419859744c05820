/* session.c - a new translator for each change of model or options. */
#include "cmd/translate/session.h"

#include "cmd/cmd.h"
#include "linalg/precision.h"

#include <string.h>

#define INTERRUPTED "given up"
#define NO_NUMBER "what the model computes of this is no number: its weights are too large"

static SearchOptions with_details(const SearchOptions *search)
{
    SearchOptions options = *search;
    options.attention = 1;
    options.alternatives = SESSION_ALTERNATIVES;
    return options;
}

static void renew_translator(Session *s)
{
    translator_free(s->translator);
    s->translator = translator_new_ensemble(s->models, s->count, &s->search, s->pool);
}

static void forget_last(Session *s)
{
    translations_free(&s->last);
    buf_clear(&s->source);
}

void session_init(Session *s, const Model *models, int count, const SearchOptions *search)
{
    *s = (Session){ .models = models, .count = count, .search = with_details(search),
                    .pool = start_workers(1) };
    buf_clear(&s->prefix);
    buf_clear(&s->source);
    renew_translator(s);
}

void session_free(Session *s)
{
    translations_free(&s->last);
    translator_free(s->translator);
    pool_free(s->pool);
    model_free(&s->loaded);
    buf_free(&s->prefix);
    buf_free(&s->source);
}

void session_search(Session *s, const SearchOptions *search, const char *named)
{
    s->search = *search;
    if (s->search.nbest > s->search.beam && !s->search.sample) {
        if (!strcmp(named, "nbest")) s->search.beam = s->search.nbest;
        else s->search.nbest = s->search.beam;
    }
    renew_translator(s);
}

int session_load(Session *s, const char *path, Err *e)
{
    Model model;
    if (model_load(&model, path, e)) return -1;
    forget_last(s);
    model_free(&s->loaded);
    s->loaded = model;
    s->models = &s->loaded;
    s->count = 1;
    renew_translator(s);
    return 0;
}

static int is_stopped(const Session *s)
{
    return s->search.stop && atomic_load(s->search.stop);
}

int session_translate(Session *s, const char *line, Err *e)
{
    const SourceLine source = { .text = line, .prefix = s->prefix.text };
    Translations translation = translator_translate(s->translator, &source, 1);
    const int is_interrupted = !translation.line->count && is_stopped(s);
    if (is_interrupted || translation_is_void(translation.line)) {
        translations_free(&translation);
        return err(e, is_interrupted ? INTERRUPTED : NO_NUMBER);
    }
    forget_last(s);
    buf_puts(&s->source, line);
    s->last = translation;
    return 0;
}

int session_score(Session *s, const char *source, const char *target, Translations *out, Err *e)
{
    SearchOptions options = s->search;
    options.sample = 0;
    options.beam = options.nbest = 1;
    if (options.precision == FIELD_AUTO) options.precision = PRECISION_FLOAT;
    Translator *scorer = translator_new_ensemble(s->models, s->count, &options, s->pool);
    *out = translator_score(scorer, &source, &target, 1);
    translator_free(scorer);
    if (!out->count) err(e, "more than %d tokens on a side cannot be scored", SCORE_TOKENS);
    else if (!out->line->count) err(e, INTERRUPTED);
    else if (translation_is_void(out->line)) err(e, NO_NUMBER);
    else return 0;
    translations_free(out);
    return -1;
}

int session_alternatives(const Session *s)
{
    int vocabulary = tokenizer_size(s->models[0].target);
    return vocabulary < SESSION_ALTERNATIVES ? vocabulary : SESSION_ALTERNATIVES;
}
