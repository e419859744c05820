/* data.c - see data.h. */
#include "train/data/data.h"

#include "base/mem.h"
#include "base/strings.h"
#include "base/system/environment.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Tokens per side to which validation pairs are cut, so that a file of documents does not need all
 * memory. */
enum { LONGEST_VALID = 1000 };

/* ---- Learning: each process for itself, from the same counts ---- */

/* The lexicon of one side: of the text, and of the base where there is one. */
static Lexicon *learn_lexicon(const Reading *r, int side)
{
    const TextOptions *text = &r->options->text;
    const Lexicon *base = r->options->base[side].lexicon;
    WordUse use = word_uses_of(&r->train, &r->words, side);
    use.language = side == LANGUAGE_SOURCE ? text->from : text->to;
    Lexicon *learned = lexicon_learn(&use);
    if (!base) return learned;
    Lexicon *both = lexicon_sum(base, learned);
    lexicon_free(learned);
    return both;
}

/* The tokenizer of `sides` counts from `side` on. */
static Tokenizer *learn_tokenizer(const Reading *r, int side, const WordCounts *counts,
                                  size_t sides)
{
    const DataOptions *o = r->options;
    if (o->base[side].tokenizer)
        return tokenizer_extend(o->base[side].tokenizer, counts + side, sides);
    return tokenizer_learn(&r->data->learned, counts + side, sides);
}

/* The lexicons, and from the words in their usual case the vocabularies. */
static void learn(Reading *r)
{
    Data *d = r->data;
    TextOptions *text = &d->learned;
    const int is_one = r->options->text.shared
                       && r->options->base[LANGUAGE_SOURCE].tokenizer == r->options->base[LANGUAGE_TARGET].tokenizer;
    WordCounts sides[LANGUAGES];
    long *times[LANGUAGES];
    for (int side = 0; side < LANGUAGES && text_needs_lexicon(&r->options->text); side++)
        d->lexicon[side] = learn_lexicon(r, side);
    *text = r->options->text;
    text->vocabulary = text_vocabulary(text, (double)d->part[PART_TRAIN]);
    word_forms_init(&r->forms, &r->words, &r->kinds, text, (const Lexicon *const *)d->lexicon);
    for (int side = 0; side < LANGUAGES; side++) {
        times[side] = word_forms_count(&r->forms, side, &r->train);
        sides[side] = (WordCounts){ &r->forms.words, times[side] };
    }
    d->source = learn_tokenizer(r, LANGUAGE_SOURCE, sides, is_one ? 2 : 1);
    d->target = is_one ? d->source : learn_tokenizer(r, LANGUAGE_TARGET, sides, 1);
    for (int side = 0; side < LANGUAGES; side++)
        free(times[side]);
}

/* ---- Encoding ---- */

/* The tokens of one side of a part; adds those that are unknown. */
static double count_tokens(const Examples *x, int side, const WordUses *uses, double *unknown)
{
    const WordPieces *s = &x->pieces[side];
    SCOPED(xfree_at) long *times = word_forms_count(&x->words, side, uses);
    double tokens = 0;
    for (int word = 0; word < (int)s->words->count; word++) {
        const int length = word_pieces_length(s, word);
        const int *ids = s->ids.id + s->end[word] - length;
        tokens += (double)times[word] * length;
        for (int i = 0; i < length; i++)
            if (ids[i] == ID_UNK) *unknown += (double)times[word];
    }
    return tokens;
}

static int refuse_nothing(const Data *d, const DataOptions *options, Err *e)
{
    const char *name = options->files.name[0];
    const int most = options->examples.max_length;
    if (d->part[PART_TRAIN] == (size_t)d->train.held_out)
        return err(e, "%s: nothing to train on: %ld pair%s, all of the held-out parts; add pairs, "
                      "or use --no-holdout",
                   name, d->report.pairs, plural((double)d->report.pairs));
    return err(e, "%s: nothing to train on: %zu pair%s, all longer than %d token%s; raise "
                  "--max-length",
               name, d->part[PART_TRAIN], plural((double)d->part[PART_TRAIN]), most, plural(most));
}

static int encode(Reading *r, Err *e)
{
    Data *d = r->data;
    PairStore *store = r->store;
    ExampleOptions options = r->options->examples;
    r->store = NULL;
    options.held_out = &r->held_out;
    options.validated = &r->validated;
    options.sample = &r->sample.pairs;
    options.workers = r->options->workers;
    options.processes = r->options->processes;
    if (examples_init(&d->train, store, &r->forms, d->source, d->target, &options, e)) return -1;
    double unknown = 0, ignored = 0, tokens = 0;
    d->source_tokens = count_tokens(&d->train, LANGUAGE_SOURCE, &r->train, &ignored);
    d->target_tokens = count_tokens(&d->train, LANGUAGE_TARGET, &r->train, &ignored);
    for (int side = 0; side < LANGUAGES; side++)
        tokens += count_tokens(&d->train, side, &r->test, &unknown);
    d->unknown = tokens > 0 ? unknown / tokens : 0;
    const Language source = { .tokenizer = d->source, .lexicon = d->lexicon[LANGUAGE_SOURCE] };
    const Language target = { .tokenizer = d->target, .lexicon = d->lexicon[LANGUAGE_TARGET] };
    pairs_encode(&d->valid, &d->valid_corpus, source, target, LONGEST_VALID);
    segments_init(&d->text, &d->valid_corpus);
    segments_thin(&d->text, (size_t)r->options->valid_segments);
    segments_init(&d->length_text, &d->valid_corpus);
    segments_thin(&d->length_text, (size_t)r->options->length_segments);
    return d->train.count ? 0 : refuse_nothing(d, r->options, e);
}

/* ---- All ---- */

static int compare_files(const Reading *r, const char *what, const BitextReport *report, Err *e)
{
    char text[64];
    snprintf(text, sizeof text, "%ld pairs, hash %016" PRIx64, report->pairs, report->hash);
    return processes_compare(r->options->processes, what, text,
                             "copy the same files to all machines", e);
}

static double sum(const long *times, size_t count)
{
    double total = 0;
    for (size_t i = 0; i < count; i++)
        total += (double)times[i];
    return total;
}

static int settle(const Reading *r, Err *e)
{
    const size_t words = r->words.count;
    const CorpusSize size = { .pairs = (double)r->data->part[PART_TRAIN],
                              .source_words = sum(r->train.times[LANGUAGE_SOURCE][USED], words),
                              .target_words = sum(r->train.times[LANGUAGE_TARGET][USED], words) };
    return r->options->settle ? r->options->settle(r->options->context, &size, e) : 0;
}

static int prepare(Reading *r, Err *e)
{
    Data *d = r->data;
    const double begun = clock_seconds();
    if (processes_agree(r->options->processes, reading_read(r, e), e)
        || compare_files(r, "the corpus", &d->report, e)
        || compare_files(r, "the validation corpus", &d->valid_report, e)
        || compare_files(r, "the corpus to replay", &d->replay_report, e))
        return -1;
    const double read = clock_seconds();
    if (processes_agree(r->options->processes, settle(r, e), e)) return -1;
    learn(r);
    const double learned = clock_seconds();
    if (encode(r, e)) return -1;
    d->read_seconds = read - begun;
    d->learn_seconds = learned - read;
    d->encode_seconds = clock_seconds() - learned;
    return 0;
}

int data_prepare(Data *data, const DataOptions *options, Err *e)
{
    *data = (Data){ 0 };
    const Portion share = { processes_rank(options->processes),
                            processes_count(options->processes) };
    Reading r = { .data = data, .options = options,
                  .store = store_new(options->memory, options->folder, share) };
    int rc = prepare(&r, e);
    reading_free(&r);
    return rc;
}

void data_free(Data *data)
{
    if (data->target != data->source) tokenizer_free(data->target);
    tokenizer_free(data->source);
    for (int side = 0; side < LANGUAGES; side++)
        lexicon_free(data->lexicon[side]);
    examples_free(&data->train);
    corpus_free(&data->valid_corpus);
    pairs_free(&data->valid);
    segments_free(&data->text);
    segments_free(&data->length_text);
}
