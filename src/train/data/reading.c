/* reading.c - see reading.h. */
#include "train/data/reading.h"

#include "base/mem.h"
#include "base/system/pool.h"
#include "train/data/aligner.h"
#include "train/data/pair_sample.h"
#include "train/data/piece.h"
#include "train/data/sequences.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A piece has few words that are not among its other lines. Several for each worker, as they differ
 * in length. */
enum { PIECE_LINES = 4096, PIECES_A_WORKER = 4 };

/* Which sources of a file to replay are taken: `wanted` of its `total`, evenly spread. */
typedef struct {
    size_t  wanted, total, found;
    HashSet sources;                /* with DataOptions.first_only */
} Replay;

/* The pieces that are read, then worked on, then taken. */
typedef struct {
    Reading   *reading;
    Replay    *replay;              /* NULL: it is the corpus that is read */
    Bitext    *bitext;
    Pool      *pool;
    Piece     *piece;               /* (most) */
    size_t     count, most;
    int        has_begun;           /* the first lines have been looked at */
    void     (*task)(const DataOptions *options, Piece *piece);
    atomic_size_t next;             /* piece for a worker */
} Round;

/* ---- Workers ---- */

static void judge(const DataOptions *options, Piece *piece)
{
    piece_judge(piece, &options->cleaning);
}

static void count(const DataOptions *options, Piece *piece)
{
    piece_count(piece, &options->text);
}

static void work(void *context, int worker)
{
    Round *round = context;
    (void)worker;
    for (size_t i; (i = atomic_fetch_add(&round->next, 1)) < round->count;)
        round->task(round->reading->options, &round->piece[i]);
}

/* Does the task to each piece. */
static void share(Round *round, void (*task)(const DataOptions *, Piece *))
{
    round->task = task;
    atomic_store(&round->next, 0);
    pool_run(round->pool, work, round);
}

/* ---- In the order of the lines ---- */

/* The part of a source of the corpus, by its hash. */
static Part part_of(const DataOptions *options, uint64_t source)
{
    if (!options->holdout) return PART_TRAIN;
    Part part = corpus_part(source);
    return part == PART_VALID && options->valid ? PART_TRAIN : part;
}

static int has_translation(Reading *r, uint64_t source)
{
    const size_t most = r->options->first_only;
    return most && hash_set_add(&r->sources, source, most);
}

/* Sources that a corpus of this file would hold out are never taken. */
static int is_replayed(const Reading *r, Replay *replay, uint64_t source)
{
    const size_t most = r->options->first_only;
    if (corpus_part(source) != PART_TRAIN) return 0;
    if (most && hash_set_add(&replay->sources, source, most)) return 0;
    const size_t i = replay->found++;
    return replay->wanted * i / replay->total != replay->wanted * (i + 1) / replay->total;
}

/* Sets the part of a line. */
static int decide(Round *round, PieceLine *line, Err *e)
{
    Reading *r = round->reading;
    line->part = PARTS;
    const int kept = bitext_take(round->bitext, &line->text, e);
    if (kept <= 0) return kept;
    if (round->replay && !is_replayed(r, round->replay, line->source)) return 0;
    const Part part = part_of(r->options, line->source);
    if (part == PART_TRAIN && has_translation(r, line->source)) {
        r->data->further++;
        return 0;
    }
    r->data->part[part]++;
    if (part == PART_TRAIN) r->data->trained[corpus_part(line->source)]++;
    line->part = (int)part;
    return 0;
}

static int decide_all(Round *round, Err *e)
{
    for (size_t i = 0; i < round->count; i++)
        for (size_t k = 0; k < round->piece[i].count; k++)
            if (decide(round, &round->piece[i].line[k], e)) return -1;
    return 0;
}

static int take_train(Reading *r, const Record *pair, Err *e)
{
    const size_t most = r->options->sample;
    if (most && aligner_takes(pair)) pair_sample_add(&r->sample, pair, most);
    return store_add(r->store, pair, e);
}

static int take_line(Reading *r, const PieceLine *line, const int *numbers, Err *e)
{
    const int sources = line->words[LANGUAGE_SOURCE], targets = line->words[LANGUAGE_TARGET];
    const Record pair = { numbers, numbers + sources, sources, targets };
    Corpus *valid = &r->data->valid_corpus;
    switch (line->part) {
    case PART_TRAIN: return take_train(r, &pair, e);
    case PART_TEST:  word_uses_add(&r->test, &r->kinds, &pair); break;
    case PART_VALID: if (valid->count < MOST_VALID)
                         corpus_add(valid, line->text.source, line->text.target);
                     break;
    default:         return 0;
    }
    sources_add(&r->held_out, numbers, sources);
    return 0;
}

static int take_piece(Reading *r, Piece *piece, Err *e)
{
    piece_number(piece, &r->words, &r->kinds, &r->train);
    const int *numbers = piece->numbers.id;
    for (size_t i = 0; i < piece->count; i++) {
        const PieceLine *line = &piece->line[i];
        if (take_line(r, line, numbers, e)) return -1;
        numbers += line->words[LANGUAGE_SOURCE] + line->words[LANGUAGE_TARGET];
    }
    return 0;
}

/* ---- Rounds ---- */

/* Never more lines than pairs are wanted. Returns as piece_read. */
static int read_pieces(Round *round, Err *e)
{
    long wanted = bitext_wanted(round->bitext);
    int status = 1;
    for (round->count = 0; round->count < round->most && status > 0 && wanted > 0;) {
        Piece *piece = &round->piece[round->count++];
        status = piece_read(piece, round->bitext, wanted < PIECE_LINES ? wanted : PIECE_LINES, e);
        wanted -= (long)piece->count;
    }
    return status;
}

/* The first lines of the corpus say what it is, however many workers there are. */
static void begin(const Round *round)
{
    const DataOptions *o = round->reading->options;
    const size_t looked_at = round->count < PIECES_A_WORKER ? round->count : PIECES_A_WORKER;
    if (round->replay || !o->begin || round->has_begun) return;
    o->begin(o->context, o->text.tokens == FIELD_AUTO && sequences_are(round->piece, looked_at));
}

/* 1: there may be more lines; 0: there are none; -1. An error of reading comes behind those of the
 * lines before it. */
static int read_round(Round *round, Err *e)
{
    Err later;
    const int status = read_pieces(round, &later);
    begin(round);
    round->has_begun = 1;
    share(round, judge);
    if (decide_all(round, e)) return -1;
    share(round, count);
    for (size_t i = 0; i < round->count; i++)
        if (take_piece(round->reading, &round->piece[i], e)) return -1;
    if (status < 0) *e = later;
    return status;
}

static int read_rounds(Round *round, Err *e)
{
    int status = 1;
    while (status > 0 && bitext_wanted(round->bitext) > 0)
        status = read_round(round, e);
    return status < 0 ? -1 : bitext_end(round->bitext, e);
}

/* Reads these files, with a round that says what for; *report: what they hold. */
static int read_files(Round *round, const BitextFiles *files, const BitextOptions *cleaning,
                      BitextReport *report, Err *e)
{
    round->bitext = bitext_open(files, cleaning, e);
    if (!round->bitext) return -1;
    round->pool = pool_new(round->reading->options->workers);
    round->most = (size_t)pool_workers(round->pool) * PIECES_A_WORKER;
    round->piece = xcalloc(round->most, sizeof *round->piece);
    const int status = read_rounds(round, e);
    *report = *bitext_report(round->bitext);
    for (size_t i = 0; i < round->most; i++)
        piece_free(&round->piece[i]);
    free(round->piece);
    pool_free(round->pool);
    bitext_close(round->bitext);
    return status;
}

static int read_corpus(Reading *r, Err *e)
{
    const DataOptions *o = r->options;
    Round round = { .reading = r };
    return read_files(&round, &o->files, &o->cleaning, &r->data->report, e);
}

/* ---- The file to replay ---- */

static int read_replayed(Reading *r, Replay *replay, Err *e)
{
    const BitextFiles files = { .name = &r->options->replay, .count = 1,
                                .columns = r->options->files.columns };
    BitextOptions cleaning = r->options->cleaning;
    cleaning.max_pairs = 0;
    Round round = { .reading = r, .replay = replay };
    const int status = read_files(&round, &files, &cleaning, &r->data->replay_report, e);
    hash_set_free(&replay->sources);
    return status;
}

/* First counts, then takes. */
static int read_replay(Reading *r, Err *e)
{
    enum { REPLAYED = 3 };      /* for each new pair; data/results/quality.md has the measurements */
    size_t *train = &r->data->part[PART_TRAIN];
    const size_t before = *train;
    Replay all = { .total = 1 };
    if (!r->options->replay) return 0;
    if (read_replayed(r, &all, e)) return -1;
    Replay some = { .wanted = REPLAYED * before, .total = all.found };
    if (all.found && read_replayed(r, &some, e)) return -1;
    r->data->replayed = *train - before;
    return 0;
}

/* ---- The validation file ---- */

static void add_validated(Reading *r, const char *source, Words *words, Ids *numbers)
{
    tokenizer_split_source(&r->options->text, source, strlen(source), NULL, NULL, 0, words);
    numbers->count = 0;
    for (size_t i = 0, length; i < words->count; i++) {
        const char *word = words_at(words, i, &length);
        ids_add(numbers, string_table_add(&r->words, word, length));
    }
    sources_add(&r->validated, numbers->id, (int)words->count);
}

static int read_valid(Reading *r, Err *e)
{
    const DataOptions *o = r->options;
    if (!o->valid) return 0;
    const BitextFiles files = { .name = &o->valid, .count = 1, .columns = o->files.columns };
    const BitextOptions cleaning = { .max_bytes = o->cleaning.max_bytes,
                                     .strict = o->cleaning.strict };
    Corpus *valid = &r->data->valid_corpus;
    Words words = { 0 };
    Ids numbers = { 0 };
    if (corpus_read(valid, &files, &cleaning, -1, &r->data->valid_report, e)) return -1;
    r->data->part[PART_VALID] = valid->count;
    for (size_t i = 0; i < valid->count; i++)
        add_validated(r, valid->source[i], &words, &numbers);
    words_free(&words);
    ids_free(&numbers);
    return 0;
}

/* ---- All ---- */

int reading_read(Reading *r, Err *e)
{
    if (read_corpus(r, e) || read_replay(r, e) || read_valid(r, e)) return -1;
    word_kinds_extend(&r->kinds, &r->words);
    word_uses_reserve(&r->train, r->words.count);
    word_uses_reserve(&r->test, r->words.count);
    return 0;
}

void reading_free(Reading *r)
{
    store_free(r->store);
    string_table_free(&r->words);
    word_kinds_free(&r->kinds);
    word_forms_free(&r->forms);
    word_uses_free(&r->train);
    word_uses_free(&r->test);
    pair_sample_free(&r->sample);
    sources_free(&r->held_out);
    hash_set_free(&r->sources);
    sources_free(&r->validated);
}
