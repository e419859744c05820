/* translator_case.c - lines of the toy, and their translations. */
#include "translator_case.h"

#include "learn_lines.h"
#include "lexicon_case.h"
#include "text/copies.h"

#include <unistd.h>

static void make_lines(Buf *line, const char **lines)
{
    for (size_t i = 0; i < LINES; i++) {
        buf_clear(&line[i]);
        for (size_t k = 0; k < i % 4; k++)
            buf_printf(&line[i], "%s ", toy_sources[(3 * i + 5 * k) % TOY_PAIRS]);
        lines[i] = line[i].text;
    }
}

Case translator_case_new(Scratch *scratch)
{
    Case c = { .toy = toy_new(scratch, TOKENS_CHAR, 1) };
    make_lines(c.line, c.lines);
    return c;
}

Case translator_case_of_copies(Scratch *scratch, real bias)
{
    Case c = translator_case_new(scratch);
    Model *m = &c.toy->model;
    tokenizer_free(m->source);
    tokenizer_free(m->target);
    m->text.placeholders = 1;
    m->source = learn_lines(&m->text, toy_sources, TOY_PAIRS);
    m->target = learn_lines(&m->text, toy_targets, TOY_PAIRS);
    m->source_lexicon = lexicon_of("['','','','I am calm The cat is here . , and']");
    m->target_lexicon = lexicon_of("['','','','.']");
    toy_network(c.toy, &(NetworkOptions){ .embedding = 16, .hidden = 16, .layers = 1, .bidirectional = 1 });
    real *output = weights_at(m->table, m->weights).output_bias;
    output[ID_EOS] = 0.5F;
    for (int k = 0; k < PLACEHOLDERS; k++) output[ID_SPECIALS + k] = bias;
    return c;
}

void translator_case_free(Case *c)
{
    for (size_t i = 0; i < LINES; i++)
        buf_free(&c->line[i]);
    toy_free(c->toy);
}

Translations translate(const Case *c, const SearchOptions *options, int workers)
{
    Pool *pool = pool_new(workers);
    Translator *t = translator_new(&c->toy->model, 1, options, pool);
    Translations out = translator_run(t, c->lines, NULL, LINES);
    translator_free(t);
    pool_free(pool);
    return out;
}

SearchOptions beam_of(int beam, int nbest, int batch)
{
    SearchOptions options = search_defaults();
    options.beam = beam;
    options.nbest = nbest;
    options.batch = batch;
    return options;
}

Translations translate_one(const Case *c, const SearchOptions *options, const char *line)
{
    Translator *t = translator_new(&c->toy->model, 1, options, c->toy->training.pool);
    Translations out = translator_run(t, &line, NULL, 1);
    translator_free(t);
    return out;
}

void *stop_soon(void *context)
{
    Stopper *stopper = context;
    usleep((useconds_t)stopper->microseconds);
    atomic_store(&stopper->stop, 2);
    return NULL;
}
