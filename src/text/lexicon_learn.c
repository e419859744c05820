/* lexicon_learn.c - from the uses of words in a text to its lexicon. */
#include "text/lexicon.h"

#include "base/mem.h"
#include "text/words.h"

#include <string.h>

/* The uses of a word without its mark. */
typedef struct {
    long  times, first, shared, stopped, ended;
    Shape shape;
    long  count;                /* what the lexicon gets; 0: nothing */
} Use;

typedef struct {
    StringTable form;
    Use        *use;            /* (form.count) */
    size_t      capacity;
    long        repeats;        /* how often the text is repeated */
    const char *language;
    CopyPrior   prior;
} Uses;

/* How often the rarest words in small letters occur, which are at least a fourth of all (Zipf's
 * law): more than once where all pairs are repeated, as pairs and translations of their sources
 * are. Fewer than ENOUGH words are no such text. */
static long find_repeats(const Uses *uses)
{
    enum { MOST = 16, SHARE = 4, ENOUGH = 1000 };
    size_t words[MOST] = { 0 }, all = 0;
    for (size_t id = 0; id < uses->form.count; id++) {
        const Use *use = &uses->use[id];
        if (use->shape != SHAPE_SMALL) continue;
        all++;
        if (use->times < MOST) words[use->times]++;
    }
    for (long times = 1; times < MOST && all >= ENOUGH; times++)
        if (SHARE * words[times] >= all) return times;
    return 1;
}

static Uses uses_of(const WordUse *from)
{
    Uses uses = { .language = from->language };
    for (int word = 0; word < (int)from->words->count; word++) {
        const Slice core = words_core(string_table_at(from->words, word));
        if (!from->times[word] || !core.length) continue;
        const size_t before = uses.form.count;
        const int id = string_table_add(&uses.form, core.text, core.length);
        uses.use = grow(uses.use, &uses.capacity, uses.form.count, sizeof *uses.use);
        Use *use = &uses.use[id];
        if (uses.form.count > before) *use = (Use){ .shape = letter_case_shape(core.text, core.length) };
        use->times += from->times[word];
        use->first += from->first[word];
        use->shared += from->shared[word];
        if (from->stopped) use->stopped += from->stopped[word];
        if (from->ended) use->ended += from->ended[word];
    }
    uses.repeats = find_repeats(&uses);
    return uses;
}

static int is_mostly_shared(const Use *use)
{
    return 2 * use->shared >= use->times;
}

/* The class of a word, by where it mostly stands. */
static CopyClass class_of(const Uses *uses, int id)
{
    const Slice word = string_table_at(&uses->form, id);
    return copy_class(word.text, word.length, 2 * uses->use[id].first > uses->use[id].times);
}

/* The uses of the form in small letters, or NULL. */
static const Use *small_form(const Uses *uses, int id)
{
    const Slice word = string_table_at(&uses->form, id);
    Buf small = { 0 };
    unicode_case(UNICODE_LOWER, word.text, word.length, uses->language, &small);
    const int found = string_table_find(&uses->form, small.text, small.length);
    buf_free(&small);
    return found < 0 ? NULL : &uses->use[found];
}

/* Counts the rare words. One with a capital whose small form was seen too is no new word in translation, but that form
 * (lexicon_form). */
static void learn_prior(Uses *uses)
{
    enum { SELDOM = 2 };
    for (int id = 0; id < (int)uses->form.count; id++) {
        const Use *use = &uses->use[id];
        if (use->times > SELDOM * uses->repeats) continue;
        if (use->shape > SHAPE_SMALL && small_form(uses, id)) continue;
        const CopyClass class = class_of(uses, id);
        if (class.kind != COPY_NEVER) copy_prior_add(&uses->prior, &class, is_mostly_shared(use));
    }
}

/* Whether a word is so rare, and so often the same on both sides, that it is copied as words of its class are. */
static int is_copied(const Uses *uses, int id)
{
    enum { RARE = 10, RARE_NUMBER = 300 };
    const Use *use = &uses->use[id];
    const CopyClass class = class_of(uses, id);
    return class.kind != COPY_NEVER && use->times / uses->repeats < (class.kind == COPY_NUMBER ? RARE_NUMBER : RARE)
           && is_mostly_shared(use) && copy_prior_of(&uses->prior, &class) > COPY_THRESHOLD;
}

/* How often a form was seen as it is written. Where a sentence begins, a form with capitals counts
 * only if it is the usual one inside sentences, or is a name, which both sides have. */
static long count_of(const Uses *uses, int id)
{
    const Use *use = &uses->use[id];
    if (use->shape <= SHAPE_SMALL) return use->times;
    const Use *small = small_form(uses, id);
    const long inside = use->times - use->first, small_inside = small ? small->times - small->first : 0;
    return inside > small_inside || (!small_inside && is_mostly_shared(use)) ? use->times : inside;
}

/* Counts each form, and the small forms of words that are capitalised at the beginning of sentences only and are no names:
 * these may be new. */
static void count_forms(Uses *uses, StringTable *counted)
{
    Buf small = { 0 };
    for (int id = 0; id < (int)uses->form.count; id++) {
        if (is_copied(uses, id)) continue;
        const Slice word = string_table_at(&uses->form, id);
        uses->use[id].count = count_of(uses, id);
        if (uses->use[id].count) string_table_count(counted, word.text, word.length, uses->use[id].count);
    }
    for (int id = 0; id < (int)uses->form.count; id++) {
        const Use *use = &uses->use[id];
        if (use->shape != SHAPE_CAPITAL && use->shape != SHAPE_CAPITALISED) continue;
        if (use->first != use->times || use->count || is_copied(uses, id)) continue;
        const Slice word = string_table_at(&uses->form, id);
        buf_clear(&small);
        unicode_case(UNICODE_LOWER, word.text, word.length, uses->language, &small);
        string_table_count(counted, small.text, small.length, use->times);
    }
    buf_free(&small);
}

/* The most frequent of the counted forms, with the largest powers of two that are no larger than their counts. */
static Lexicon *lexicon_of(const StringTable *counted, const char *language)
{
    Lexicon *lexicon = lexicon_new(language);
    int *order = string_table_most_common(counted);
    for (size_t i = 0; i < counted->count && i < LEXICON_MOST; i++) {
        long power = 1;
        while (power <= counted->tally[order[i]] / 2)
            power *= 2;
        lexicon_add(lexicon, string_table_at(counted, order[i]), power);
    }
    xfree(order);
    return lexicon;
}

/* The most frequent words that mostly have a full stop inside a line. */
static void add_abbreviations(const Uses *uses, StringTable *abbreviation)
{
    enum { LEAST = 2, SHARE = 4 };
    StringTable counted = { 0 };
    for (int id = 0; id < (int)uses->form.count; id++) {
        const Use *use = &uses->use[id];
        const Slice word = string_table_at(&uses->form, id);
        const long with = use->stopped + use->ended;
        if (use->shape != SHAPE_NONE && use->stopped >= LEAST && use->stopped > use->ended && SHARE * with > use->times - with)
            string_table_count(&counted, word.text, word.length, use->stopped);
    }
    int *order = string_table_most_common(&counted);
    for (size_t i = 0; i < counted.count && i < ABBREVIATIONS_MOST; i++) {
        const Slice word = string_table_at(&counted, order[i]);
        string_table_add(abbreviation, word.text, word.length);
    }
    xfree(order);
    string_table_free(&counted);
}

Lexicon *lexicon_learn(const WordUse *use)
{
    StringTable counted = { 0 };
    Uses uses = uses_of(use);
    learn_prior(&uses);
    count_forms(&uses, &counted);
    Lexicon *lexicon = lexicon_of(&counted, use->language);
    lexicon->prior = uses.prior;
    add_abbreviations(&uses, &lexicon->abbreviation);
    string_table_free(&counted);
    string_table_free(&uses.form);
    xfree(uses.use);
    return lexicon;
}

Lexicon *lexicon_sum(const Lexicon *one, const Lexicon *other)
{
    const Lexicon *const both[] = { one, other };
    StringTable counted = { 0 };
    for (int k = 0; k < 2; k++)
        for (int id = 0; id < (int)both[k]->form.count; id++) {
            const Slice word = string_table_at(&both[k]->form, id);
            string_table_count(&counted, word.text, word.length, both[k]->form.tally[id]);
        }
    Lexicon *lexicon = lexicon_of(&counted, other->language);
    for (int k = 0; k < 2; k++) {
        copy_prior_merge(&lexicon->prior, &both[k]->prior);
        for (int id = 0; id < (int)both[k]->abbreviation.count && lexicon->abbreviation.count < ABBREVIATIONS_MOST; id++) {
            const Slice word = string_table_at(&both[k]->abbreviation, id);
            string_table_add(&lexicon->abbreviation, word.text, word.length);
        }
    }
    string_table_free(&counted);
    return lexicon;
}
