/* reading.c - pieces of the corpus, and the rounds that take them.
 *
 * A piece is some thousand lines that one worker judges, cuts into words and counts by itself. Its
 * words have numbers of their own; in the order of the pieces they get those of the whole corpus,
 * which are the same as if the lines were read one by one.
 */
#include "train/data/data.h"

#include "base/mem.h"
#include "base/system/pool.h"
#include "metrics/tokenize.h"
#include "text/string_table.h"
#include "text/unicode.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- Pieces ---- */

typedef struct {
    BitextLine text;
    uint64_t   source;              /* corpus_source_hash */
    int        part;                /* Part; PARTS: the line is left out */
    int        words[LANGUAGES];    /* how many; of a validation pair only the source's */
} PieceLine;

typedef struct {
    Buf         bytes;              /* of all lines */
    PieceLine  *line;               /* (count) */
    size_t      count, line_capacity;
    StringTable words;
    WordKinds   kinds;
    WordUses    train;              /* of the pairs of PART_TRAIN */
    Ids         numbers;            /* of the words of all pairs, sources and targets in turn */
    Words       split;              /* of one side */
    int        *number;             /* (words.count) of the piece's words in the corpus */
    size_t      number_capacity;
} Piece;

/* Copies up to `most` lines: 1; 0: there are no more; -1: an error behind them. */
static int read_piece(Piece *p, Bitext *bitext, long most, Err *e)
{
    int status = 1;
    buf_clear(&p->bytes);
    for (p->count = 0; (long)p->count < most; p->count++) {
        p->line = grow(p->line, &p->line_capacity, p->count + 1, sizeof *p->line);
        BitextLine *line = &p->line[p->count].text;
        if ((status = bitext_read(bitext, line, e)) <= 0) break;
        buf_add(&p->bytes, line->source.text, line->source.length);
        buf_add(&p->bytes, line->target.text, line->target.length);
    }
    const char *at = p->bytes.text;             /* the bytes have come to rest */
    for (size_t i = 0; i < p->count; i++) {
        BitextLine *line = &p->line[i].text;
        line->source.text = at;
        line->target.text = at += line->source.length;
        at += line->target.length;
    }
    return status;
}

static void judge_piece(Piece *p, const DataOptions *options)
{
    for (size_t i = 0; i < p->count; i++) {
        PieceLine *line = &p->line[i];
        const Slice *source = &line->text.source;
        bitext_judge(&options->cleaning, &line->text);
        if (line->text.reason == SKIP_REASONS)
            line->source = corpus_source_hash(source->text, source->length);
    }
}

/* Appends the numbers of the words that a side was split into; returns how many. */
static int add_words(const Words *split, StringTable *words, Ids *numbers)
{
    for (size_t i = 0; i < split->count; i++)
        ids_add(numbers, string_table_add(words, words_at(split, i)));
    return (int)split->count;
}

/* The pair of a line, whose numbers begin here. */
static Record record_of(const PieceLine *line, const int *numbers)
{
    const int sources = line->words[LANGUAGE_SOURCE];
    return (Record){ numbers, numbers + sources, sources, line->words[LANGUAGE_TARGET] };
}

/* What cuts the lines of a side into words, before a vocabulary is learned. It borrows all that it has. */
static Tokenizer cutter_of(const DataOptions *options, int side)
{
    const Tokenizer *base = options->base[side].tokenizer;
    Tokenizer cutter = base ? *base : (Tokenizer){ 0 };
    cutter.options = options->text;
    return cutter;
}

static void count_piece(Piece *p, const DataOptions *options)
{
    const Tokenizer from = cutter_of(options, LANGUAGE_SOURCE), to = cutter_of(options, LANGUAGE_TARGET);
    string_table_clear(&p->words);
    word_kinds_free(&p->kinds);
    word_uses_free(&p->train);
    p->numbers.count = 0;
    for (size_t i = 0; i < p->count; i++) {
        PieceLine *line = &p->line[i];
        const Slice source = line->text.source, target = line->text.target;
        line->words[LANGUAGE_SOURCE] = line->words[LANGUAGE_TARGET] = 0;
        if (line->part == PARTS) continue;
        tokenizer_split_source(&from, source.text, source.length, NULL, NULL, 0, &p->split);
        line->words[LANGUAGE_SOURCE] = add_words(&p->split, &p->words, &p->numbers);
        if (line->part == PART_VALID) continue;
        tokenizer_split(&to, target.text, target.length, &p->split);
        line->words[LANGUAGE_TARGET] = add_words(&p->split, &p->words, &p->numbers);
    }
    word_kinds_extend(&p->kinds, &p->words);
    word_uses_reserve(&p->train, p->words.count);
    const int *numbers = p->numbers.id;
    for (size_t i = 0; i < p->count; i++) {
        const Record pair = record_of(&p->line[i], numbers);
        if (p->line[i].part == PART_TRAIN) word_uses_add(&p->train, &p->kinds, &pair);
        numbers += pair.source_count + pair.target_count;
    }
}

/* Gives the words of a piece their numbers in the corpus, and adds their counts. */
static void number_piece(Piece *p, Reading *r)
{
    p->number = grow(p->number, &p->number_capacity, p->words.count, sizeof *p->number);
    for (int word = 0; word < (int)p->words.count; word++)
        p->number[word] = string_table_add(&r->words, string_table_at(&p->words, word));
    word_kinds_extend(&r->kinds, &r->words);
    word_uses_reserve(&r->train, r->words.count);
    word_uses_merge(&r->train, &p->train, p->number, p->words.count);
    for (size_t i = 0; i < p->numbers.count; i++)
        p->numbers.id[i] = p->number[p->numbers.id[i]];
}

static void free_piece(Piece *p)
{
    buf_free(&p->bytes);
    free(p->line);
    string_table_free(&p->words);
    word_kinds_free(&p->kinds);
    word_uses_free(&p->train);
    ids_free(&p->numbers);
    words_free(&p->split);
    free(p->number);
}

/* ---- What the first lines are ---- */

enum { LEAST_LINES = 1000, LINES_A_KIND = 20 };

/* The words of one side. */
typedef struct {
    StringTable words;
    ScriptCount scripts;
    long        lines, running;
} Side;

static void count_word(Side *side, const char *from, const char *to)
{
    if (from == to) return;
    side->running++;
    string_table_count(&side->words, slice_between(from, to), 1);
}

static void count_line(Side *side, Slice line)
{
    const char *word = line.text, *end = line.text + line.length;
    SCOPED(buf_free) Buf text = { 0 };
    buf_add(&text, line.text, line.length);
    script_count_add(&side->scripts, text.text);
    for (const char *at = word; at < end;) {
        const char *blank = at;
        if (!unicode_is_space(unicode_next(&at))) continue;
        count_word(side, word, blank);
        word = at;
    }
    count_word(side, word, end);
    side->lines++;
}

static int is_sequence(const Side *side)
{
    long once = 0;
    for (size_t i = 0; i < side->words.count; i++)
        once += side->words.tally[i] == 1;
    if (side->lines < LEAST_LINES || script_count_lacks_blanks(&side->scripts)) return 0;
    return 2 * once > side->running || (long)side->words.count * LINES_A_KIND < side->lines;
}

static int is_text(Slice side)
{
    return unicode_valid(side.text, side.length) && unicode_trimmed(side.text, side.length);
}

/* Whether the pair is none of those that were seen. */
static int is_new(StringTable *seen, const BitextLine *line)
{
    const size_t before = seen->count;
    SCOPED(buf_free) Buf pair = { 0 };
    buf_add(&pair, line->source.text, line->source.length);
    buf_putc(&pair, '\t');
    buf_add(&pair, line->target.text, line->target.length);
    string_table_add(seen, buf_slice(&pair));
    return seen->count > before;
}

int sequences_are(const BitextLine *line, size_t count)
{
    Side source = { 0 }, target = { 0 };
    SCOPED(string_table_free) StringTable seen = { 0 };
    for (; count--; line++) {
        if (line->reason != SKIP_REASONS || !is_text(line->source) || !is_text(line->target)
            || !is_new(&seen, line))
            continue;
        count_line(&source, line->source);
        count_line(&target, line->target);
    }
    const int found = is_sequence(&source) || is_sequence(&target);
    string_table_free(&source.words);
    string_table_free(&target.words);
    return found;
}

/* ---- Rounds ---- */

/* A piece has few words that are not among its other lines. Several for each worker, as they differ
 * in length. */
enum { PIECE_LINES = 4096, PIECES_A_WORKER = 4 };

/* Which sources of a file to replay are taken: `wanted` of its `total`, evenly spread. */
typedef struct {
    size_t  wanted, total, found;
    HashSet sources;                /* with DataOptions.first_only */
} Replay;

typedef void Work(Piece *piece, const DataOptions *options);

/* The pieces that are read, then worked on, then taken. */
typedef struct {
    Reading *reading;
    Replay  *replay;                /* NULL: it is the corpus that is read */
    Bitext  *bitext;
    Pool    *pool;
    Piece   *piece;                 /* (most) */
    size_t   count, most;
    int      has_begun;             /* the first lines have been looked at */
    Work    *work;
    atomic_size_t next;             /* piece for a worker */
} Round;

static void work_on_pieces(void *context, int worker)
{
    Round *round = context;
    (void)worker;
    for (size_t i; (i = atomic_fetch_add(&round->next, 1)) < round->count;)
        round->work(&round->piece[i], round->reading->options);
}

/* All workers do this to each piece. */
static void share(Round *round, Work *work)
{
    round->work = work;
    atomic_store(&round->next, 0);
    pool_run(round->pool, work_on_pieces, round);
}

/* Whether the source has been seen before, where only its first translation is learned. */
static int has_translation(const Reading *r, HashSet *sources, uint64_t source)
{
    const size_t most = r->options->first_only;
    return most && hash_set_add(sources, source, most);
}

/* Whether a source is taken, of those that no corpus of this file would hold out. */
static int is_replayed(const Reading *r, Replay *replay, uint64_t source)
{
    if (corpus_part(source) != PART_TRAIN || has_translation(r, &replay->sources, source)) return 0;
    const size_t i = replay->found++;
    return replay->wanted * i / replay->total != replay->wanted * (i + 1) / replay->total;
}

/* Sets the part of a line, in the order of the lines. */
static int decide(Round *round, PieceLine *line, Err *e)
{
    Reading *r = round->reading;
    line->part = PARTS;
    const int kept = bitext_take(round->bitext, &line->text, e);
    if (kept <= 0) return kept;
    if (round->replay && !is_replayed(r, round->replay, line->source)) return 0;
    const Part by_hash = corpus_part(line->source);
    const int is_trained = !r->options->holdout || (by_hash == PART_VALID && r->options->valid);
    const Part part = is_trained ? PART_TRAIN : by_hash;
    if (part == PART_TRAIN && has_translation(r, &r->sources, line->source)) {
        r->data->further++;
        return 0;
    }
    r->data->part[part]++;
    if (part == PART_TRAIN) r->data->trained[by_hash]++;
    line->part = (int)part;
    return 0;
}

/* Takes a line, whose words' numbers begin here. */
static int take_line(Reading *r, const PieceLine *line, const int *numbers, Err *e)
{
    const Record pair = record_of(line, numbers);
    Corpus *valid = &r->data->valid_corpus;
    switch (line->part) {
    case PART_TRAIN: if (r->options->sample)
                         pair_sample_add(&r->sample, &pair, r->options->sample);
                     return store_add(r->store, &pair, e);
    case PART_TEST:  word_uses_add(&r->test, &r->kinds, &pair); break;
    case PART_VALID: if (valid->count < MOST_VALID)
                         corpus_add(valid, line->text.source, line->text.target);
                     break;
    default:         return 0;
    }
    hash_set_add(&r->held_out, source_hash(pair.source, pair.source_count), SIZE_MAX);
    return 0;
}

static int take_piece(Reading *r, Piece *piece, Err *e)
{
    number_piece(piece, r);
    const int *numbers = piece->numbers.id;
    for (size_t i = 0; i < piece->count; i++) {
        const PieceLine *line = &piece->line[i];
        if (take_line(r, line, numbers, e)) return -1;
        numbers += line->words[LANGUAGE_SOURCE] + line->words[LANGUAGE_TARGET];
    }
    return 0;
}

/* Never more lines than pairs are wanted. Returns as read_piece. */
static int read_pieces(Round *round, Err *e)
{
    long wanted = bitext_wanted(round->bitext);
    int status = 1;
    for (round->count = 0; round->count < round->most && status > 0 && wanted > 0;) {
        Piece *piece = &round->piece[round->count++];
        status = read_piece(piece, round->bitext, wanted < PIECE_LINES ? wanted : PIECE_LINES, e);
        wanted -= (long)piece->count;
    }
    return status;
}

/* The first lines of the corpus say what it is, however many workers there are. */
static void begin(const Round *round)
{
    enum { LOOKED_AT = PIECES_A_WORKER * PIECE_LINES };
    const DataOptions *o = round->reading->options;
    if (round->replay || !o->begin || round->has_begun) return;
    SCOPED(xfree_at) BitextLine *line = xmalloc(LOOKED_AT, sizeof *line);
    size_t lines = 0;
    for (size_t i = 0; i < round->count && i < PIECES_A_WORKER; i++)
        for (size_t k = 0; k < round->piece[i].count; k++)
            line[lines++] = round->piece[i].line[k].text;
    o->begin(o->context, o->text.tokens == FIELD_AUTO && sequences_are(line, lines));
}

/* 1: there may be more lines; 0: there are none; -1. An error of reading comes behind those of the
 * lines before it. */
static int read_round(Round *round, Err *e)
{
    Err later;
    const int status = read_pieces(round, &later);
    begin(round);
    round->has_begun = 1;
    share(round, judge_piece);
    for (size_t i = 0; i < round->count; i++)
        for (size_t k = 0; k < round->piece[i].count; k++)
            if (decide(round, &round->piece[i].line[k], e)) return -1;
    share(round, count_piece);
    for (size_t i = 0; i < round->count; i++)
        if (take_piece(round->reading, &round->piece[i], e)) return -1;
    if (status < 0) *e = later;
    return status;
}

/* Reads these files, with a round that says what for; *report: what they hold. */
static int read_files(Round *round, const BitextFiles *files, const BitextOptions *cleaning,
                      BitextReport *report, Err *e)
{
    int status = 1;
    round->bitext = bitext_open(files, cleaning, e);
    if (!round->bitext) return -1;
    round->pool = pool_new(round->reading->options->workers);
    round->most = (size_t)pool_workers(round->pool) * PIECES_A_WORKER;
    round->piece = xcalloc(round->most, sizeof *round->piece);
    while (status > 0 && bitext_wanted(round->bitext) > 0)
        status = read_round(round, e);
    if (status >= 0) status = bitext_end(round->bitext, e);
    *report = *bitext_report(round->bitext);
    for (size_t i = 0; i < round->most; i++)
        free_piece(&round->piece[i]);
    free(round->piece);
    pool_free(round->pool);
    bitext_close(round->bitext);
    return status;
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
    enum { REPLAYED = 3 };      /* for each new pair; data/results/quality.md measures it */
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

static int read_valid(Reading *r, Err *e)
{
    const DataOptions *o = r->options;
    if (!o->valid) return 0;
    const BitextFiles files = { .name = &o->valid, .count = 1, .columns = o->files.columns };
    const Tokenizer cutter = cutter_of(o, LANGUAGE_SOURCE);
    const BitextOptions cleaning = { .max_bytes = o->cleaning.max_bytes,
                                     .strict = o->cleaning.strict };
    Corpus *valid = &r->data->valid_corpus;
    SCOPED(words_free) Words words = { 0 };
    SCOPED(ids_free) Ids numbers = { 0 };
    if (corpus_read(valid, &files, &cleaning, -1, &r->data->valid_report, e)) return -1;
    r->data->part[PART_VALID] = valid->count;
    for (size_t i = 0; i < valid->count; i++) {
        const char *source = valid->source[i];
        tokenizer_split_source(&cutter, source, strlen(source), NULL, NULL, 0, &words);
        numbers.count = 0;
        const int count = add_words(&words, &r->words, &numbers);
        hash_set_add(&r->validated, source_hash(numbers.id, count), SIZE_MAX);
    }
    return 0;
}

/* ---- All ---- */

int reading_read(Reading *r, Err *e)
{
    const DataOptions *o = r->options;
    Round round = { .reading = r };
    if (read_files(&round, &o->files, &o->cleaning, &r->data->report, e)) return -1;
    if (read_replay(r, e) || read_valid(r, e)) return -1;
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
    hash_set_free(&r->held_out);
    hash_set_free(&r->sources);
    hash_set_free(&r->validated);
}
