/* lexicon.c - the case of words and sentences, looking words up, learning them, and the JSON of a
 * lexicon. */
#include "text/lexicon.h"

#include "base/mem.h"
#include "text/tokenizer/bpe.h"
#include "text/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Small letters and capitals ---- */

Shape letter_case_shape(Slice word)
{
    int capitals = 0, small = 0, is_first = 0, is_uncased = 0;
    for (const char *at = word.text, *end = at + word.length; at < end;) {
        const int32_t point = unicode_next(&at);
        const int capital = unicode_lower(point) != point;
        if (!capital && !unicode_is_lower(point)) {
            is_uncased |= unicode_is_letter(point) || unicode_is_number(point);
            continue;
        }
        if (capital && !capitals && !small) is_first = 1;
        capitals += capital;
        small += !capital;
    }
    if (!capitals) return small ? SHAPE_SMALL : is_uncased ? SHAPE_UNCASED : SHAPE_NONE;
    if (!small) return capitals == 1 ? SHAPE_CAPITAL : SHAPE_CAPITALS;
    return capitals == 1 && is_first ? SHAPE_CAPITALISED : SHAPE_MIXED;
}

static SentenceCase case_of(const unsigned char *shape, size_t count)
{
    enum { LEAST = 3 };
    size_t words[SHAPE_MIXED + 1] = { 0 }, first = 0;
    for (size_t i = 0; i < count; i++)
        words[shape[i]]++;
    while (first < count && shape[first] <= SHAPE_UNCASED)
        first++;
    if (first == count) return CASE_USUAL;
    const size_t others = count - words[SHAPE_NONE] - words[SHAPE_UNCASED] - 1;
    const size_t capitals = words[SHAPE_CAPITAL] + words[SHAPE_CAPITALS];
    if (words[SHAPE_SMALL] == others + 1) return CASE_SMALL;
    if (words[SHAPE_CAPITALS] && capitals == others + 1) return CASE_CAPITALS;
    const size_t capitalised = words[SHAPE_CAPITALISED] - (shape[first] == SHAPE_CAPITALISED);
    return capitalised >= LEAST && 2 * capitalised > others ? CASE_TITLE : CASE_USUAL;
}

SentenceCase sentence_case(const unsigned char *shape, size_t count, unsigned char *place)
{
    static const WordPlace inside[] = { [CASE_USUAL] = PLACE_INSIDE, [CASE_SMALL] = PLACE_SMALL,
                                        [CASE_CAPITALS] = PLACE_CAPITALS, [CASE_TITLE] = PLACE_FIRST };
    const SentenceCase whole = case_of(shape, count);
    size_t first = 0;
    memset(place, (int)inside[whole], count);
    while (first < count && shape[first] == SHAPE_NONE)
        first++;
    if (first < count && whole == CASE_USUAL) place[first] = PLACE_FIRST;
    return whole;
}

/* ---- The lexicon ---- */

static Lexicon *lexicon_new(const char *language)
{
    Lexicon *lexicon = xcalloc(1, sizeof *lexicon);
    snprintf(lexicon->language, sizeof lexicon->language, "%s", language ? language : "");
    return lexicon;
}

void lexicon_free(Lexicon *lexicon)
{
    if (!lexicon) return;
    string_table_free(&lexicon->form);
    string_table_free(&lexicon->other);
    copy_prior_free(&lexicon->prior);
    string_table_free(&lexicon->abbreviation);
    xfree(lexicon);
}

const char *lexicon_language(const Lexicon *lexicon)
{
    return lexicon ? lexicon->language : "";
}

/* Whether the small form of a word is the word itself. */
static int is_small(Slice word)
{
    for (const char *at = word.text, *end = at + word.length; at < end;) {
        const int32_t point = unicode_next(&at);
        if (point < 0x80 ? point >= 'A' && point <= 'Z' : unicode_lower(point) != point) return 0;
    }
    return 1;
}

/* Adds a word with its count; -1: it is there. */
static int add_word(Lexicon *lexicon, Slice word, long count)
{
    const size_t before = lexicon->form.count;
    const int id = string_table_count(&lexicon->form, word, count);
    if (lexicon->form.count == before) return -1;
    if (is_small(word)) return 0;
    SCOPED(buf_free) Buf small = { 0 };
    const size_t others = lexicon->other.count;
    unicode_case(UNICODE_LOWER, word, lexicon->language, &small);
    const int folded = string_table_add(&lexicon->other, buf_slice(&small));
    long *best = &lexicon->other.tally[folded];
    if (lexicon->other.count > others || lexicon->form.tally[id] > lexicon->form.tally[*best]) *best = id;
    return 0;
}

/* ---- Looking up ---- */

long lexicon_count(const Lexicon *lexicon, Slice word)
{
    const int id = string_table_find(&lexicon->form, word);
    return id < 0 ? 0 : lexicon->form.tally[id];
}

int lexicon_knows(const Lexicon *lexicon, Slice word)
{
    if (lexicon_count(lexicon, word)) return 1;
    if (letter_case_shape(word) != SHAPE_NONE) return 0;
    for (const char *at = word.text, *end = at + word.length; at < end;)
        if (!lexicon_count(lexicon, unicode_character(&at))) return 0;
    return word.length > 0;
}

int lexicon_is_abbreviation(const Lexicon *lexicon, Slice word)
{
    return lexicon && string_table_find(&lexicon->abbreviation, word) >= 0;
}

CopyKind lexicon_copied_as(const Lexicon *lexicon, Slice word, int is_first)
{
    const CopyClass class = copy_class(word, is_first);
    return class.kind != COPY_NEVER && copy_prior_of(&lexicon->prior, &class) > COPY_THRESHOLD ? class.kind : COPY_NEVER;
}

/* The numbers of the small form and of the usual one; -1: never seen. */
typedef struct { int small, usual; } Forms;

static Forms forms_of(const Lexicon *lexicon, Slice word)
{
    const long *count = lexicon->form.tally;
    SCOPED(buf_free) Buf small = { 0 };
    if (!is_small(word)) {
        unicode_case(UNICODE_LOWER, word, lexicon->language, &small);
        word = buf_slice(&small);
    }
    const int found = string_table_find(&lexicon->form, word);
    const int folded = string_table_find(&lexicon->other, word);
    const int other = folded < 0 ? -1 : (int)lexicon->other.tally[folded];
    return (Forms){ found, other >= 0 && (found < 0 || count[other] > count[found]) ? other : found };
}

const char *lexicon_usual(const Lexicon *lexicon, Slice word)
{
    const int id = forms_of(lexicon, word).usual;
    return id < 0 ? NULL : string_table_text(&lexicon->form, id);
}

const char *lexicon_form(const Lexicon *lexicon, Slice word, WordPlace place)
{
    enum { TIMES = 4 };
    const int is_usual = place == PLACE_FIRST || place == PLACE_INSIDE;
    const Shape shape = is_usual ? letter_case_shape(word) : SHAPE_NONE;
    const int is_capitalised = shape == SHAPE_CAPITAL || shape == SHAPE_CAPITALISED;
    const int is_first = place == PLACE_FIRST && is_capitalised;
    if (is_usual && !is_first && (is_capitalised || lexicon_count(lexicon, word))) return NULL;
    const Forms forms = forms_of(lexicon, word);
    const int id = is_first ? forms.small : forms.usual;
    if (id < 0) return NULL;
    const long count = lexicon->form.tally[id];
    if (is_first && count < lexicon_count(lexicon, word)) return NULL;
    if (place == PLACE_SMALL && TIMES * lexicon_count(lexicon, word) > count) return NULL;
    return string_table_text(&lexicon->form, id);
}

/* ---- Learning ---- */

/* The uses of a word without its mark. */
typedef struct {
    long  times, first, shared, stopped, ended;
    Shape shape;
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

/* Code with a blank is no word. */
static Uses uses_of(const WordUse *from)
{
    Uses uses = { .language = from->language };
    for (int word = 0; word < (int)from->words->count; word++) {
        const Slice core = words_core(string_table_at(from->words, word));
        if (!from->times[word] || !symbol_valid(core)) continue;
        const size_t before = uses.form.count;
        const int id = string_table_add(&uses.form, core);
        uses.use = grow(uses.use, &uses.capacity, uses.form.count, sizeof *uses.use);
        Use *use = &uses.use[id];
        if (uses.form.count > before) *use = (Use){ .shape = letter_case_shape(core) };
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
static CopyClass copy_class_of(const Uses *uses, int id)
{
    return copy_class(string_table_at(&uses->form, id), 2 * uses->use[id].first > uses->use[id].times);
}

/* The uses of the form in small letters, or NULL. */
static const Use *small_form(const Uses *uses, int id)
{
    SCOPED(buf_free) Buf small = { 0 };
    unicode_case(UNICODE_LOWER, string_table_at(&uses->form, id), uses->language, &small);
    const int found = string_table_find(&uses->form, buf_slice(&small));
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
        const CopyClass class = copy_class_of(uses, id);
        if (class.kind != COPY_NEVER) copy_prior_add(&uses->prior, &class, is_mostly_shared(use));
    }
}

/* Whether a word is so rare, and so often the same on both sides, that it is copied as words of its class are. */
static int is_copied(const Uses *uses, int id)
{
    enum { RARE = 10, RARE_NUMBER = 300 };
    const Use *use = &uses->use[id];
    const CopyClass class = copy_class_of(uses, id);
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

/* Counts each form. A word that is capitalised at the beginning of sentences only and is no name counts as its small form,
 * which may be new. */
static void count_forms(const Uses *uses, StringTable *counted)
{
    SCOPED(buf_free) Buf small = { 0 };
    for (int id = 0; id < (int)uses->form.count; id++) {
        const Use *use = &uses->use[id];
        const Slice word = string_table_at(&uses->form, id);
        if (is_copied(uses, id)) continue;
        const long count = count_of(uses, id);
        if (count) {
            string_table_count(counted, word, count);
        } else if ((use->shape == SHAPE_CAPITAL || use->shape == SHAPE_CAPITALISED) && use->first == use->times) {
            buf_clear(&small);
            unicode_case(UNICODE_LOWER, word, uses->language, &small);
            string_table_count(counted, buf_slice(&small), use->times);
        }
    }
}

/* The most frequent of the counted forms, with the largest powers of two that are no larger than their counts. */
static Lexicon *lexicon_of(const StringTable *counted, const char *language)
{
    Lexicon *lexicon = lexicon_new(language);
    SCOPED(xfree_at) int *order = string_table_most_common(counted);
    for (size_t i = 0; i < counted->count && i < LEXICON_MOST; i++) {
        long power = 1;
        while (power <= counted->tally[order[i]] / 2)
            power *= 2;
        add_word(lexicon, string_table_at(counted, order[i]), power);
    }
    return lexicon;
}

/* The most frequent words that mostly have a full stop inside a line. */
static void find_abbreviations(const Uses *uses, StringTable *abbreviation)
{
    enum { LEAST = 2, SHARE = 4 };
    SCOPED(string_table_free) StringTable counted = { 0 };
    for (int id = 0; id < (int)uses->form.count; id++) {
        const Use *use = &uses->use[id];
        const long with = use->stopped + use->ended;
        if (use->shape != SHAPE_NONE && use->stopped >= LEAST && use->stopped > use->ended && SHARE * with > use->times - with)
            string_table_count(&counted, string_table_at(&uses->form, id), use->stopped);
    }
    SCOPED(xfree_at) int *order = string_table_most_common(&counted);
    for (size_t i = 0; i < counted.count && i < ABBREVIATIONS_MOST; i++)
        string_table_add(abbreviation, string_table_at(&counted, order[i]));
}

Lexicon *lexicon_learn(const WordUse *use)
{
    SCOPED(string_table_free) StringTable counted = { 0 };
    Uses uses = uses_of(use);
    learn_prior(&uses);
    count_forms(&uses, &counted);
    Lexicon *lexicon = lexicon_of(&counted, use->language);
    lexicon->prior = uses.prior;
    find_abbreviations(&uses, &lexicon->abbreviation);
    string_table_free(&uses.form);
    xfree(uses.use);
    return lexicon;
}

Lexicon *lexicon_sum(const Lexicon *one, const Lexicon *other)
{
    const Lexicon *const both[] = { one, other };
    SCOPED(string_table_free) StringTable counted = { 0 };
    for (int k = 0; k < 2; k++)
        for (int id = 0; id < (int)both[k]->form.count; id++)
            string_table_count(&counted, string_table_at(&both[k]->form, id), both[k]->form.tally[id]);
    Lexicon *lexicon = lexicon_of(&counted, other->language);
    for (int k = 0; k < 2; k++) {
        copy_prior_merge(&lexicon->prior, &both[k]->prior);
        for (int id = 0; id < (int)both[k]->abbreviation.count && lexicon->abbreviation.count < ABBREVIATIONS_MOST; id++)
            string_table_add(&lexicon->abbreviation, string_table_at(&both[k]->abbreviation, id));
    }
    return lexicon;
}

/* ---- JSON ---- */

enum { CLASSES = 62 };      /* powers of two of a long */

static int class_of(long count)
{
    int class = 0;
    while (1L << class < count)
        class++;
    return class;
}

cJSON *lexicon_to_json(const Lexicon *lexicon)
{
    const StringTable *form = &lexicon->form;
    Buf text[CLASSES] = { 0 };
    SCOPED(buf_free) Buf abbreviations = { 0 };
    int classes = 0;
    for (int id = 0; id < (int)form->count; id++) {
        const int class = class_of(form->tally[id]);
        const Slice word = string_table_at(form, id);
        if (text[class].length) buf_putc(&text[class], ' ');
        buf_add(&text[class], word.text, word.length);
        if (class >= classes) classes = class + 1;
    }
    cJSON *json = cJSON_CreateObject(), *words = cJSON_AddArrayToObject(json, "words");
    for (int class = 0; class < classes; class++) {
        cJSON_AddItemToArray(words, cJSON_CreateString(text[class].text ? text[class].text : ""));
        buf_free(&text[class]);
    }
    cJSON_AddItemToObject(json, "copied", copy_prior_to_json(&lexicon->prior));
    buf_clear(&abbreviations);
    for (int id = 0; id < (int)lexicon->abbreviation.count; id++)
        buf_printf(&abbreviations, "%s%s", id ? " " : "", string_table_text(&lexicon->abbreviation, id));
    cJSON_AddStringToObject(json, "abbreviations", abbreviations.text);
    return json;
}

/* Adds the words of an entry, which have that count. */
static int add_words(Lexicon *lexicon, const char *words, int entry, Err *e)
{
    if (!words || entry >= CLASSES) return err(e, "entry %d is no list of words", entry);
    for (size_t length; *words; words += length) {
        length = strcspn(words, " ");
        if (!symbol_valid((Slice){ words, length }))
            return err(e, "entry %d is no list of words with one blank between two", entry);
        if (add_word(lexicon, (Slice){ words, length }, 1L << entry))
            return err(e, "entry %d: '%.*s' occurs twice", entry, length < 60 ? (int)length : 60, words);
        if (lexicon->form.count > LEXICON_MOST) return err(e, "more than %d words", LEXICON_MOST);
        if (words[length] && words[length + 1]) length++;
    }
    return 0;
}

static int add_abbreviations(Lexicon *lexicon, const char *words, Err *e)
{
    for (size_t length; words && *words; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        if (!symbol_valid((Slice){ words, length }) || lexicon->abbreviation.count == ABBREVIATIONS_MOST)
            return err(e, "abbreviations: no list of at most %d words", ABBREVIATIONS_MOST);
        string_table_add(&lexicon->abbreviation, (Slice){ words, length });
    }
    return 0;
}

static int load(Lexicon *lexicon, const cJSON *json, Err *e)
{
    const cJSON *words, *copied, *item;
    int entry = 0;
    if (json_get_array(json, "words", &words, e) || json_get_array(json, "copied", &copied, e)) return -1;
    cJSON_ArrayForEach(item, words)
        if (add_words(lexicon, cJSON_GetStringValue(item), entry++, e)) return -1;
    if (copy_prior_from_json(&lexicon->prior, copied, e)) return -1;
    return add_abbreviations(lexicon, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "abbreviations")), e);
}

Lexicon *lexicon_from_json(const cJSON *json, const char *language, Err *e)
{
    Lexicon *lexicon = lexicon_new(language);
    if (!load(lexicon, json, e)) return lexicon;
    lexicon_free(lexicon);
    return NULL;
}
