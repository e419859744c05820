/* lexicon.c - learning a lexicon from a text, and looking words up. */
#include "text/lexicon.h"

#include "base/mem.h"
#include "text/letter_case.h"
#include "text/tokenizer/merges.h"
#include "text/unicode.h"
#include "text/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Lexicon {
    StringTable form;           /* words as they are written; tally: count */
    StringTable other;          /* in small letters: the words that have another form; tally: the
                                   most frequent of those, a number in `form` */
    char        language[LANGUAGE_BYTES];
    CopyPrior   prior;
    StringTable abbreviation;
};

const CopyPrior *lexicon_prior(const Lexicon *lexicon)
{
    return &lexicon->prior;
}

const char *lexicon_language(const Lexicon *lexicon)
{
    return lexicon ? lexicon->language : "";
}

/* ---- Looking up ---- */

long lexicon_count(const Lexicon *lexicon, const char *word, size_t length)
{
    const int id = string_table_find(&lexicon->form, word, length);
    return id < 0 ? 0 : lexicon->form.tally[id];
}

int lexicon_knows(const Lexicon *lexicon, const char *word, size_t length)
{
    if (lexicon_count(lexicon, word, length)) return 1;
    if (letter_case_shape(word, length) != SHAPE_NONE) return 0;
    for (const char *at = word, *end = word + length; at < end;) {
        const char *character = at;
        unicode_next(&at);
        if (!lexicon_count(lexicon, character, (size_t)(at - character))) return 0;
    }
    return length > 0;
}

int lexicon_is_abbreviation(const Lexicon *lexicon, const char *word, size_t length)
{
    return lexicon && string_table_find(&lexicon->abbreviation, word, length) >= 0;
}

CopyKind lexicon_copied_as(const Lexicon *lexicon, const char *word, size_t length, int is_first)
{
    const CopyClass class = copy_class(word, length, is_first);
    return class.kind != COPY_NEVER && copy_prior_of(&lexicon->prior, &class) > COPY_THRESHOLD ? class.kind : COPY_NEVER;
}

/* The word in small letters: itself, or in `scratch`. */
typedef struct { const char *text; size_t length; } SmallForm;

static SmallForm small_of(const char *word, size_t length, const char *language, Buf *scratch)
{
    if (letter_case_is_small(word, length)) return (SmallForm){ word, length };
    buf_clear(scratch);
    letter_case_small(word, length, language, scratch);
    return (SmallForm){ scratch->text, scratch->length };
}

/* The numbers of the small form and of the most frequent other one; -1: never seen. */
typedef struct { int small, other; } Forms;

static Forms forms_of(const Lexicon *lexicon, const char *word, size_t length)
{
    Buf scratch = { 0 };
    const SmallForm small = small_of(word, length, lexicon->language, &scratch);
    const int folded = string_table_find(&lexicon->other, small.text, small.length);
    const Forms forms = { string_table_find(&lexicon->form, small.text, small.length),
                          folded < 0 ? -1 : (int)lexicon->other.tally[folded] };
    buf_free(&scratch);
    return forms;
}

static const char *text_of(const Lexicon *lexicon, int id)
{
    return id < 0 ? NULL : string_table_text(&lexicon->form, id);
}

const char *lexicon_small(const Lexicon *lexicon, const char *word, size_t length)
{
    return text_of(lexicon, forms_of(lexicon, word, length).small);
}

const char *lexicon_usual(const Lexicon *lexicon, const char *word, size_t length)
{
    const Forms forms = forms_of(lexicon, word, length);
    const long *count = lexicon->form.tally;
    const int is_other = forms.other >= 0
                         && (forms.small < 0 || count[forms.other] > count[forms.small]);
    return text_of(lexicon, is_other ? forms.other : forms.small);
}

/* ---- Building ---- */

/* Makes `form` number id, which has capitals, one of the forms of its word in small letters. */
static void index_form(Lexicon *lexicon, int id, SmallForm small)
{
    const long *count = lexicon->form.tally;
    const size_t before = lexicon->other.count;
    const int folded = string_table_add(&lexicon->other, small.text, small.length);
    long *best = &lexicon->other.tally[folded];
    if (lexicon->other.count > before || count[id] > count[*best]) *best = id;
}

/* -1: the word is there. */
static int add(Lexicon *lexicon, const char *word, size_t length, long count, Buf *scratch)
{
    const size_t before = lexicon->form.count;
    const int id = string_table_count(&lexicon->form, word, length, count);
    if (lexicon->form.count == before) return -1;
    const SmallForm small = small_of(word, length, lexicon->language, scratch);
    if (small.text != word) index_form(lexicon, id, small);
    return 0;
}

enum { CLASSES = 62 };      /* powers of two of a long */

static int class_of(long count)
{
    int class = 0;
    while (1L << class < count)
        class++;
    return class;
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

/* ---- Learning ---- */

/* The uses of a word without its mark. */
typedef struct { long times, first, shared, stopped, ended; } Use;

typedef struct {
    StringTable form;
    Use        *use;            /* (form.count) */
    size_t      capacity;
    Shape      *shape;          /* (form.count) */
    long       *count;          /* (form.count) what the lexicon gets; 0: nothing */
    long        repeats;        /* how often the text is repeated */
    const char *language;
    CopyPrior   prior;
} Uses;

static void find_shapes(Uses *uses)
{
    uses->shape = xmalloc(uses->form.count, sizeof *uses->shape);
    for (int id = 0; id < (int)uses->form.count; id++)
        uses->shape[id] = letter_case_shape(string_table_text(&uses->form, id),
                                            string_table_length(&uses->form, id));
}

/* How often the rarest words in small letters occur, which are at least a fourth of all (Zipf's
 * law): more than once where all pairs are repeated, as pairs and translations of their sources
 * are. Fewer than ENOUGH words are no such text. */
static long find_repeats(const Uses *uses)
{
    enum { MOST = 16, SHARE = 4, ENOUGH = 1000 };
    size_t words[MOST] = { 0 }, all = 0;
    for (size_t id = 0; id < uses->form.count; id++) {
        const long times = uses->use[id].times;
        if (uses->shape[id] != SHAPE_SMALL) continue;
        all++;
        if (times < MOST) words[times]++;
    }
    for (long times = 1; times < MOST && all >= ENOUGH; times++)
        if (SHARE * words[times] >= all) return times;
    return 1;
}

static int is_mostly_shared(const Use *use)
{
    return 2 * use->shared >= use->times;
}

/* The class of a word, by where it mostly stands. */
static CopyClass class_of_use(const Uses *uses, int id)
{
    const Use *use = &uses->use[id];
    return copy_class(string_table_text(&uses->form, id), string_table_length(&uses->form, id),
                      2 * use->first > use->times);
}

static Uses uses_of(const WordUse *from)
{
    Uses uses = { .language = from->language };
    for (int word = 0; word < (int)from->words->count; word++) {
        if (!from->times[word]) continue;
        const char *text = string_table_text(from->words, word);
        const size_t length = string_table_length(from->words, word);
        const WordCore core = words_core(text, length);
        if (!core.length) continue;
        const int id = string_table_add(&uses.form, core.text, core.length);
        const size_t before = uses.capacity;
        uses.use = grow(uses.use, &uses.capacity, uses.form.count, sizeof *uses.use);
        memset(uses.use + before, 0, (uses.capacity - before) * sizeof *uses.use);
        uses.use[id].times += from->times[word];
        uses.use[id].first += from->first[word];
        uses.use[id].shared += from->shared[word];
        if (from->stopped) uses.use[id].stopped += from->stopped[word];
        if (from->ended) uses.use[id].ended += from->ended[word];
    }
    find_shapes(&uses);
    uses.repeats = find_repeats(&uses);
    uses.count = xcalloc(uses.form.count, sizeof *uses.count);
    return uses;
}

static void uses_free(Uses *uses)
{
    string_table_free(&uses->form);
    xfree(uses->use);
    xfree(uses->shape);
    xfree(uses->count);
}

/* The number of the form in small letters, or -1. */
static int small_form(const Uses *uses, int id)
{
    Buf scratch = { 0 };
    const SmallForm small = small_of(string_table_text(&uses->form, id),
                                string_table_length(&uses->form, id), uses->language, &scratch);
    const int found = string_table_find(&uses->form, small.text, small.length);
    buf_free(&scratch);
    return found;
}

/* Counts the rare words. One with a capital whose small form was seen too is no new word in translation, but that form
 * (text/truecase.h). */
static void learn_prior(Uses *uses)
{
    enum { SELDOM = 2 };
    for (int id = 0; id < (int)uses->form.count; id++) {
        if (uses->use[id].times > SELDOM * uses->repeats) continue;
        if (uses->shape[id] > SHAPE_SMALL && small_form(uses, id) >= 0) continue;
        const CopyClass class = class_of_use(uses, id);
        if (class.kind != COPY_NEVER) copy_prior_add(&uses->prior, &class, is_mostly_shared(&uses->use[id]));
    }
}

/* How often a word with capitals was seen as it is written. Where a sentence begins, that counts
 * only if the form is the usual one inside sentences, or is a name, which both sides have. */
static void count_capitals(Uses *uses, int id)
{
    const Use *use = &uses->use[id];
    const long inside = use->times - use->first;
    const int small = small_form(uses, id);
    const Use *other = small < 0 ? NULL : &uses->use[small];
    const long small_inside = other ? other->times - other->first : 0;
    if (inside > small_inside || (!small_inside && is_mostly_shared(use)))
        uses->count[id] = use->times;
    else
        uses->count[id] = inside;
}

/* A word that is capitalised at the beginning of sentences only, and is no name. Its small form may
 * be new. */
static int is_small_word(const Uses *uses, int id)
{
    const Use *use = &uses->use[id];
    return use->first == use->times && !uses->count[id];
}

/* Whether a word is so rare, and so often the same on both sides, that it is copied as words of its class are. */
static int is_copied(const Uses *uses, int id)
{
    enum { RARE = 10, RARE_NUMBER = 300 };
    const CopyClass class = class_of_use(uses, id);
    const long times = uses->use[id].times / uses->repeats;
    return class.kind != COPY_NEVER && times < (class.kind == COPY_NUMBER ? RARE_NUMBER : RARE)
           && is_mostly_shared(&uses->use[id]) && copy_prior_of(&uses->prior, &class) > COPY_THRESHOLD;
}

/* Decides what form number `id` counts. */
static void count_form(Uses *uses, int id)
{
    if (is_copied(uses, id)) return;
    if (uses->shape[id] <= SHAPE_SMALL) uses->count[id] = uses->use[id].times;
    else count_capitals(uses, id);
}

/* The small forms of words that only begin sentences. */
static void add_small_words(const Uses *uses, StringTable *counted)
{
    Buf small = { 0 };
    for (int id = 0; id < (int)uses->form.count; id++) {
        const Shape shape = uses->shape[id];
        if (shape != SHAPE_CAPITAL && shape != SHAPE_CAPITALISED) continue;
        if (!is_small_word(uses, id) || is_copied(uses, id)) continue;
        buf_clear(&small);
        letter_case_small(string_table_text(&uses->form, id),
                          string_table_length(&uses->form, id), uses->language, &small);
        string_table_count(counted, small.text, small.length, uses->use[id].times);
    }
    buf_free(&small);
}

/* The largest power of two that is no larger. */
static long power_of_two(long count)
{
    long power = 1;
    while (power <= count / 2)
        power *= 2;
    return power;
}

static Lexicon *lexicon_new(const char *language)
{
    Lexicon *lexicon = xcalloc(1, sizeof *lexicon);
    snprintf(lexicon->language, sizeof lexicon->language, "%s", language ? language : "");
    return lexicon;
}

/* The most frequent of the counted forms. */
static Lexicon *lexicon_of(const StringTable *counted, const char *language)
{
    Lexicon *lexicon = lexicon_new(language);
    Buf scratch = { 0 };
    int *order = string_table_most_common(counted);
    for (size_t i = 0; i < counted->count && i < LEXICON_MOST; i++)
        add(lexicon, string_table_text(counted, order[i]),
            string_table_length(counted, order[i]), power_of_two(counted->tally[order[i]]),
            &scratch);
    xfree(order);
    buf_free(&scratch);
    return lexicon;
}

static int is_abbreviation(const Use *use)
{
    enum { LEAST = 2, SHARE = 4 };
    const long with = use->stopped + use->ended;
    return use->stopped >= LEAST && use->stopped > use->ended && SHARE * with > use->times - with;
}

/* The most frequent ones. */
static void add_abbreviations(const Uses *uses, StringTable *abbreviation)
{
    StringTable counted = { 0 };
    for (int id = 0; id < (int)uses->form.count; id++)
        if (uses->shape[id] != SHAPE_NONE && is_abbreviation(&uses->use[id]))
            string_table_count(&counted, string_table_text(&uses->form, id), string_table_length(&uses->form, id),
                               uses->use[id].stopped);
    int *order = string_table_most_common(&counted);
    for (size_t i = 0; i < counted.count && i < ABBREVIATIONS_MOST; i++)
        string_table_add(abbreviation, string_table_text(&counted, order[i]), string_table_length(&counted, order[i]));
    xfree(order);
    string_table_free(&counted);
}

Lexicon *lexicon_learn(const WordUse *use)
{
    StringTable counted = { 0 };
    Uses uses = uses_of(use);
    learn_prior(&uses);
    for (int id = 0; id < (int)uses.form.count; id++) {
        count_form(&uses, id);
        if (uses.count[id])
            string_table_count(&counted, string_table_text(&uses.form, id),
                               string_table_length(&uses.form, id), uses.count[id]);
    }
    add_small_words(&uses, &counted);
    Lexicon *lexicon = lexicon_of(&counted, use->language);
    lexicon->prior = uses.prior;
    add_abbreviations(&uses, &lexicon->abbreviation);
    string_table_free(&counted);
    uses_free(&uses);
    return lexicon;
}

static void add_all_of(const StringTable *from, StringTable *to, size_t most)
{
    for (int id = 0; id < (int)from->count && to->count < most; id++)
        string_table_add(to, string_table_text(from, id), string_table_length(from, id));
}

static void count_forms(StringTable *counted, const StringTable *form)
{
    for (int id = 0; id < (int)form->count; id++)
        string_table_count(counted, string_table_text(form, id), string_table_length(form, id),
                           form->tally[id]);
}

Lexicon *lexicon_sum(const Lexicon *one, const Lexicon *other)
{
    StringTable counted = { 0 };
    count_forms(&counted, &one->form);
    count_forms(&counted, &other->form);
    Lexicon *lexicon = lexicon_of(&counted, other->language);
    copy_prior_merge(&lexicon->prior, &one->prior);
    copy_prior_merge(&lexicon->prior, &other->prior);
    add_all_of(&one->abbreviation, &lexicon->abbreviation, ABBREVIATIONS_MOST);
    add_all_of(&other->abbreviation, &lexicon->abbreviation, ABBREVIATIONS_MOST);
    string_table_free(&counted);
    return lexicon;
}

/* ---- JSON ---- */

cJSON *lexicon_to_json(const Lexicon *lexicon)
{
    const StringTable *form = &lexicon->form;
    Buf text[CLASSES] = { 0 };
    int classes = 0;
    for (int id = 0; id < (int)form->count; id++) {
        const int class = class_of(form->tally[id]);
        if (text[class].length) buf_putc(&text[class], ' ');
        buf_add(&text[class], string_table_text(form, id), string_table_length(form, id));
        if (class >= classes) classes = class + 1;
    }
    cJSON *json = cJSON_CreateObject(), *words = cJSON_AddArrayToObject(json, "words");
    for (int class = 0; class < classes; class++) {
        cJSON_AddItemToArray(words, cJSON_CreateString(text[class].text ? text[class].text : ""));
        buf_free(&text[class]);
    }
    cJSON_AddItemToObject(json, "copied", copy_prior_to_json(&lexicon->prior));
    Buf abbreviations = { 0 };
    buf_clear(&abbreviations);
    for (int id = 0; id < (int)lexicon->abbreviation.count; id++)
        buf_printf(&abbreviations, "%s%s", id ? " " : "", string_table_text(&lexicon->abbreviation, id));
    cJSON_AddStringToObject(json, "abbreviations", abbreviations.text);
    buf_free(&abbreviations);
    return json;
}

/* Adds the words of an entry, which have that count. */
static int add_words(Lexicon *lexicon, const char *words, int entry, Buf *scratch, Err *e)
{
    if (!words || entry >= CLASSES) return err(e, "entry %d is no list of words", entry);
    for (size_t length; *words; words += length) {
        length = strcspn(words, " ");
        if (!symbol_valid(words, length))
            return err(e, "entry %d is no list of words with one blank between two", entry);
        if (add(lexicon, words, length, 1L << entry, scratch))
            return err(e, "entry %d: '%.*s' occurs twice", entry, length < 60 ? (int)length : 60,
                       words);
        if (lexicon->form.count > LEXICON_MOST)
            return err(e, "more than %d words", LEXICON_MOST);
        if (words[length] && words[length + 1]) length++;
    }
    return 0;
}

static int add_all(Lexicon *lexicon, const cJSON *json, Err *e)
{
    int entry = 0, failed = 0;
    const cJSON *item;
    Buf scratch = { 0 };
    cJSON_ArrayForEach(item, json) {
        const char *words = cJSON_GetStringValue(item);
        if ((failed = add_words(lexicon, words, entry++, &scratch, e))) break;
    }
    buf_free(&scratch);
    return failed;
}

static int add_json_abbreviations(Lexicon *lexicon, const cJSON *json, Err *e)
{
    const char *words = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "abbreviations"));
    for (size_t length; words && *words; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        if (!symbol_valid(words, length) || lexicon->abbreviation.count == ABBREVIATIONS_MOST)
            return err(e, "abbreviations: no list of at most %d words", ABBREVIATIONS_MOST);
        string_table_add(&lexicon->abbreviation, words, length);
    }
    return 0;
}

Lexicon *lexicon_from_json(const cJSON *json, const char *language, Err *e)
{
    Lexicon *lexicon = lexicon_new(language);
    const cJSON *words, *copied;
    if (json_get_array(json, "words", &words, e) || json_get_array(json, "copied", &copied, e)
        || add_all(lexicon, words, e) || copy_prior_from_json(&lexicon->prior, copied, e)
        || add_json_abbreviations(lexicon, json, e)) {
        lexicon_free(lexicon);
        return NULL;
    }
    return lexicon;
}
