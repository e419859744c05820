/* examples.c - see examples.h. */
#include "train/data/examples.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/random/rng.h"
#include "base/real.h"
#include "text/noise.h"
#include "text/sentences.h"
#include "text/unicode.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

uint64_t source_hash(const int *words, int count)
{
    return fnv1a64(FNV1A64_START, words, (size_t)count * sizeof *words);
}

/* ---- Forms ---- */

/* It grows with the longest pair. */
struct ExampleScratch {
    WordForm      *word[LANGUAGES];         /* of each word; a phrase's are its first */
    int           *form[LANGUAGES], *copy[LANGUAGES];
    unsigned char *place;
    size_t         word_capacity[LANGUAGES], form_capacity[LANGUAGES], copy_capacity[LANGUAGES];
    size_t         place_capacity;
    int            next[COPY_KINDS];        /* the number of the next placeholder of each kind */
};

/* The forms of the words of one side. */
static void find_side_forms(const Examples *x, int side, const int *words, int count)
{
    ExampleScratch *s = x->scratch;
    const size_t room = (size_t)count;
    s->word[side] = grow(s->word[side], &s->word_capacity[side], room, sizeof(WordForm));
    s->form[side] = grow(s->form[side], &s->form_capacity[side], room, sizeof(int));
    s->copy[side] = grow(s->copy[side], &s->copy_capacity[side], room, sizeof(int));
    s->place = grow(s->place, &s->place_capacity, 2 * room, 1);
    word_forms_line(&x->words, side, words, count, s->place, s->word[side]);
    for (int i = 0; i < count; i++)
        s->form[side][i] = s->word[side][i].form;
}

/* The forms of the words of a pair, or of a phrase of it. A source in small letters is taken for a
 * line that was typed so, as in translation; what is to be written has the case of the sentence. */
static void find_forms(const Examples *x, const Record *pair, const Record *phrase)
{
    find_side_forms(x, LANGUAGE_SOURCE, phrase->source, phrase->source_count);
    find_side_forms(x, LANGUAGE_TARGET, pair->target, pair->target_count);
    int *form = x->scratch->form[LANGUAGE_TARGET];
    memmove(form, form + (phrase->target - pair->target),
            (size_t)phrase->target_count * sizeof *form);
}

void examples_lengths(const Examples *x, const Record *pair, int *source, int *target)
{
    *source = *target = 1;
    find_forms(x, pair, pair);
    for (int i = 0; i < pair->source_count; i++)
        *source += word_pieces_length(&x->pieces[LANGUAGE_SOURCE],
                                      x->scratch->form[LANGUAGE_SOURCE][i]);
    for (int i = 0; i < pair->target_count; i++)
        *target += word_pieces_length(&x->pieces[LANGUAGE_TARGET],
                                      x->scratch->form[LANGUAGE_TARGET][i]);
}

/* ---- Copies ---- */

/* What ExampleScratch.copy says of a word that is no copy. */
enum { NO_COPY = -1 };

static int has_placeholders(const Examples *x)
{
    return x->pieces[LANGUAGE_TARGET].tokenizer->options.placeholders;
}

/* Whether the word occurs exactly once in `words`. */
static int occurs_once(const Examples *x, int word, const int *words, int count)
{
    int times = 0;
    for (int i = 0; i < count; i++)
        times += x->words.kinds.core[words[i]] == x->words.kinds.core[word];
    return times == 1;
}

/* Whether word i of the source is to be copied if the target has it. All <unk> are the same, so one
 * that would be ambiguous is none. */
static int is_chosen(const Examples *x, const Record *pair, int i, uint64_t key)
{
    const WordForm *word = &x->scratch->word[LANGUAGE_SOURCE][i];
    if (word->copied == COPY_NEVER || !word_forms_has_mark(&x->words, pair->source[i])) return 0;
    if (has_placeholders(x) && !word->is_known) return 1;
    if (rng_uniform(key, (uint64_t)i) >= x->options.copy_words) return 0;
    return has_placeholders(x)
        || (occurs_once(x, pair->source[i], pair->source, pair->source_count)
            && occurs_once(x, pair->source[i], pair->target, pair->target_count));
}

/* The first word of the target that is this one behind a mark and is no copy yet, or -1. */
static int same_word(const Examples *x, const Record *pair, int word)
{
    for (int i = 0; i < pair->target_count; i++)
        if (x->words.kinds.core[pair->target[i]] == x->words.kinds.core[word]
            && x->scratch->copy[LANGUAGE_TARGET][i] == NO_COPY
            && word_forms_has_mark(&x->words, pair->target[i]))
            return i;
    return -1;
}

/* The number of the first of `count` copies of a kind: half of the time 0, as in translation; else
 * any, so that all placeholders are learned. */
static int first_number(int count, uint64_t key)
{
    const uint64_t numbers = (uint64_t)(COPIES_MOST - count + 1);
    return rng_bits(key, 0) & 1 ? 0 : (int)rng_below(key, 1, numbers);
}

/* Words of both sides that are one copy. */
typedef struct { int source, target; CopyKind kind; } ChosenCopy;

/* Sets ExampleScratch.copy of both sides, of each kind in the order of the source and no more than
 * there are placeholders, and .next. Where no other words are copied than in translation, the
 * numbers are those of translation too. */
static void choose_copies(const Examples *x, const Record *pair, uint64_t key)
{
    ExampleScratch *s = x->scratch;
    int *source = s->copy[LANGUAGE_SOURCE], *target = s->copy[LANGUAGE_TARGET], count = 0;
    const int most = has_placeholders(x) ? COPIES_MOST : 1;
    ChosenCopy copy[PLACEHOLDERS];
    memset(s->next, 0, sizeof s->next);
    for (int i = 0; i < pair->source_count; i++)
        source[i] = NO_COPY;
    for (int i = 0; i < pair->target_count; i++)
        target[i] = NO_COPY;
    for (int i = 0; i < pair->source_count; i++) {
        const CopyKind kind = (CopyKind)s->word[LANGUAGE_SOURCE][i].copied;
        if (kind == COPY_NEVER || s->next[kind] == most || !is_chosen(x, pair, i, key)) continue;
        const int k = same_word(x, pair, pair->source[i]);
        if (k < 0) continue;
        source[i] = target[k] = ID_UNK;
        s->next[kind]++;
        copy[count++] = (ChosenCopy){ i, k, kind };
    }
    if (!has_placeholders(x)) return;
    for (int kind = 0; kind < COPY_KINDS; kind++) {
        const uint64_t own = rng_key(key, (uint64_t)kind, RNG_WORDS);
        s->next[kind] = x->options.copy_words > 0 ? first_number(s->next[kind], own) : 0;
    }
    for (int i = 0; i < count; i++)
        source[copy[i].source] = target[copy[i].target] =
            ID_SPECIALS + placeholder_of(copy[i].kind, s->next[copy[i].kind]++);
}

/* A placeholder that is added to both sides before their final marks, with a quarter of the
 * probability of a copied word; -1: none. Corpora of sentences lack what people write there:
 * addresses, code, emoji, numbers in brackets. */
static int draw_aside(const Examples *x, uint64_t key)
{
    const double share = x->options.copy_words / 4;
    const CopyKind kind = rng_below(key, 1, 4) ? COPY_OTHER : COPY_NUMBER;
    const int number = x->scratch->next[kind];
    if (!has_placeholders(x) || number == COPIES_MOST || rng_uniform(key, 0) >= share) return -1;
    return ID_SPECIALS + placeholder_of(kind, number);
}

/* ---- Noise ---- */

/* What is altered of one source. */
typedef struct {
    TextNoise error;            /* a typing error in one word; TEXT_NOISES: none */
    uint64_t  first;            /* the word that it is tried at first */
    uint64_t  key;
    int       has_accents, has_final_mark;
} SourceNoise;

static const SourceNoise no_noise = { TEXT_NOISES, .has_accents = 1, .has_final_mark = 1 };

static SourceNoise draw_noise(const Examples *x, uint64_t key)
{
    static const TextNoise errors[] = { NOISE_SWAP, NOISE_DROP, NOISE_DOUBLE, NOISE_NEIGHBOUR };
    const double p = x->options.noise;
    SourceNoise noise = no_noise;
    noise.key = key;
    if (p <= 0) return noise;
    if (rng_uniform(key, 0) < p) noise.error = errors[rng_below(key, 1, 4)];
    noise.first = rng_bits(key, 2);
    noise.has_final_mark = rng_uniform(key, 3) >= p;
    noise.has_accents = rng_uniform(key, 4) >= p;
    return noise;
}

/* Appends the ids of a word with that noise; returns 0, and appends nothing, where it has nothing
 * to alter. */
static int add_noisy_word(const WordPieces *side, int word, TextNoise kind, uint64_t key,
                          const BpeNoise *bpe, Ids *ids)
{
    const Slice text = string_table_at(side->words, word);
    const size_t mark = words_mark_length(text);
    SCOPED(buf_free) Buf altered = { 0 };
    buf_add(&altered, text.text, mark);
    const int is_altered = text.length > mark
                           && noise_add(kind, text.text + mark, text.length - mark, key, &altered);
    if (is_altered) tokenizer_encode_word(side->tokenizer, buf_slice(&altered), bpe, ids);
    return is_altered;
}

/* Whether a word is nothing but final marks, without which a sentence means the same. */
static int is_final(const Examples *x, int word)
{
    const Slice core = words_core(string_table_at(&x->words.words, word));
    for (const char *at = core.text; at < core.text + core.length;)
        if (!unicode_is_final_mark(unicode_next(&at))) return 0;
    return core.length > 0;
}

/* ---- Ids ---- */

typedef struct {
    const WordPieces *pieces;
    const int        *form, *copy;              /* (count) */
    int               joiner;                   /* its id */
    int               count;
    uint64_t          key;
    double            bpe_dropout;
    int               aside;                    /* a placeholder before the final mark; -1: none */
    SourceNoise       noise;
} Line;

/* Appends the placeholder of word i, with the word's joiner. */
static void add_copy(const Line *line, int i, Ids *ids)
{
    ids_add(ids, line->copy[i]);
    if (words_joiner_length(string_table_at(line->pieces->words, line->form[i])))
        ids_add(ids, line->joiner);
}

/* Appends word i. *has_error: whether the typing error is still to come. */
static void add_word(const Line *line, int i, int *has_error, Ids *ids)
{
    const BpeNoise dropped = { line->key, (uint64_t)i, line->bpe_dropout };
    const BpeNoise *bpe = dropped.p > 0 ? &dropped : NULL;
    const SourceNoise *noise = &line->noise;
    const int form = line->form[i];
    if (*has_error && (uint64_t)i >= noise->first % (uint64_t)line->count
        && add_noisy_word(line->pieces, form, noise->error, noise->key, bpe, ids))
        *has_error = 0;
    else if (noise->has_accents
             || !add_noisy_word(line->pieces, form, NOISE_ACCENTS, noise->key, bpe, ids))
        word_pieces_add(line->pieces, form, bpe, ids);
}

static void add_line(const Examples *x, const Line *line, Ids *ids)
{
    const size_t end = ids->count + (size_t)x->options.max_length;
    const int count = line->count;
    const int has_final_mark = count > 1 && is_final(x, line->form[count - 1]);
    int has_error = line->noise.error != TEXT_NOISES;
    for (int i = 0; i < count; i++) {
        const int is_last = has_final_mark && i == count - 1;
        if (is_last && line->aside >= 0) ids_add(ids, line->aside);
        if (is_last && !line->noise.has_final_mark) continue;
        if (line->copy[i] >= 0) add_copy(line, i, ids);
        else if (line->copy[i] == NO_COPY) add_word(line, i, &has_error, ids);
    }
    if (!has_final_mark && line->aside >= 0) ids_add(ids, line->aside);
    ids_add(ids, ID_EOS);
    if (x->options.truncate && ids->count > end) ids->count = end;
}

/* Appends the ids of a pair or a phrase whose forms are known. */
static void add_record(const Examples *x, const Record *pair, Visit visit, Ids *source, Ids *target)
{
    const ExampleScratch *s = x->scratch;
    const uint64_t key = visit.key;
    const int both = visit.both_directions && x->options.both_directions;
    const int swapped = both && rng_below(rng_key(key, 5, RNG_WORDS), 0, 2);
    const SourceNoise noise = draw_noise(x, rng_key(key, 3, RNG_WORDS));
    choose_copies(x, pair, rng_key(key, 0, RNG_WORDS));
    const int aside = draw_aside(x, rng_key(key, 4, RNG_WORDS));
    for (int side = 0; side < LANGUAGES; side++) {
        const Line line = { .pieces = &x->pieces[side], .form = s->form[side],
                            .copy = s->copy[side], .joiner = x->joiner[side],
                            .count = side == LANGUAGE_SOURCE ? pair->source_count
                                                             : pair->target_count,
                            .key = rng_key(key, 1 + (uint64_t)side, RNG_WORDS),
                            .bpe_dropout = x->options.bpe_dropout, .aside = aside,
                            .noise = side == swapped ? noise : no_noise };
        add_line(x, &line, side == swapped ? source : target);
    }
}

void examples_add(const Examples *x, const Record *pair, Visit visit, Ids *source, Ids *target)
{
    const uint64_t key = rng_key(visit.key, 6, RNG_WORDS);
    const size_t before = target->count;
    Record record = *pair;
    if (x->phrases && rng_uniform(key, 0) < x->options.phrases)
        phrase_extractor_draw(x->phrases, pair, rng_key(key, 1, RNG_WORDS), &record);
    find_forms(x, pair, &record);
    add_record(x, &record, visit, source, target);
    if (visit.right_left) ids_reverse(target->id + before, target->count - before);
}

/* ---- The whole ---- */

static int is_of(HashSet *sources, const Record *pair)
{
    return sources && sources->count
        && hash_set_add(sources, source_hash(pair->source, pair->source_count), 0);
}

typedef struct { Examples *examples; double *pair_lengths; } Keeping;

static int keep(void *context, const Record *pair)
{
    Keeping *keeping = context;
    Examples *x = keeping->examples;
    const int most = x->options.max_length;
    int source, target;
    if (is_of(x->options.held_out, pair)) {
        x->held_out++;
        return 0;
    }
    examples_lengths(x, pair, &source, &target);
    if (!x->options.truncate && (source > most || target > most)) return 0;
    source = min_int(source, most);
    target = min_int(target, most);
    lengths_add(&x->lengths[LANGUAGE_SOURCE], source);
    lengths_add(&x->lengths[LANGUAGE_TARGET], target);
    lengths_add(&x->longer_lengths, source > target ? source : target);
    pair_lengths_add(keeping->pair_lengths, source, target);
    x->validated += is_of(x->options.validated, pair) != 0;
    return 1;
}

/* Keeps the pairs that are to be learned, and counts those of all processes. */
static int keep_pairs(Examples *x, Err *e)
{
    Processes *processes = x->options.processes;
    SCOPED(xfree_at) double *pair_lengths = xcalloc(PAIR_LENGTHS_CELLS, sizeof *pair_lengths);
    const int rc = store_finish(x->store, keep, &(Keeping){ x, pair_lengths }, e);
    if (processes_agree(processes, rc, e)) return -1;
    double counts[] = { (double)store_count(x->store), (double)x->held_out, (double)x->validated };
    processes_sum(processes, counts, sizeof counts / sizeof *counts);
    x->count = (size_t)counts[0];
    x->held_out = (long)counts[1];
    x->validated = (size_t)counts[2];
    x->dropped = (long)(store_added(x->store) - x->count) - x->held_out;
    for (int side = 0; side < LANGUAGES; side++)
        lengths_sum(&x->lengths[side], processes);
    lengths_sum(&x->longer_lengths, processes);
    processes_sum(processes, pair_lengths, PAIR_LENGTHS_CELLS);
    x->length_limit = pair_lengths_limit(pair_lengths, &x->longest);
    return 0;
}

/* The id of the joiner; <unk> for words of the textbook, which have none. */
static int joiner_of(const Tokenizer *tokenizer)
{
    SCOPED(ids_free) Ids ids = { 0 };
    tokenizer_encode_word(tokenizer, slice_of(JOINER), NULL, &ids);
    return ids.id[0];
}

/* Learns to find phrases, if there are to be some. */
static void learn_phrases(Examples *x)
{
    Shard *sample = x->options.sample;
    size_t kept = 0;
    if (!sample || x->options.phrases <= 0) return;
    for (size_t i = 0; i < sample->count; i++) {
        const Record pair = shard_record(sample, i);
        if (!is_of(x->options.held_out, &pair)) sample->start[kept++] = sample->start[i];
    }
    sample->count = kept;
    x->phrases = phrase_extractor_new(&x->words, sample, x->options.workers);
}

int examples_init(Examples *x, PairStore *store, WordForms *words, const Tokenizer *source,
                  const Tokenizer *target, const ExampleOptions *options, Err *e)
{
    *x = (Examples){ .store = store, .words = *words, .options = *options };
    *words = (WordForms){ 0 };
    x->scratch = xcalloc(1, sizeof *x->scratch);
    for (int side = 0; side < LANGUAGES; side++) {
        const Tokenizer *tokenizer = side == LANGUAGE_SOURCE ? source : target;
        word_pieces_init(&x->pieces[side], tokenizer, &x->words.words);
        x->joiner[side] = joiner_of(tokenizer);
    }
    if (keep_pairs(x, e)) return -1;
    learn_phrases(x);
    x->options.held_out = x->options.validated = NULL;
    x->options.sample = NULL;
    return 0;
}

void examples_free(Examples *x)
{
    ExampleScratch *s = x->scratch;
    for (int side = 0; side < LANGUAGES; side++) {
        word_pieces_free(&x->pieces[side]);
        lengths_free(&x->lengths[side]);
        if (!s) continue;
        free(s->word[side]);
        free(s->form[side]);
        free(s->copy[side]);
    }
    if (s) free(s->place);
    free(s);
    store_free(x->store);
    word_forms_free(&x->words);
    phrase_extractor_free(x->phrases);
    lengths_free(&x->longer_lengths);
    *x = (Examples){ 0 };
}
