/* omissions.c - the translation and the references become sets of tokens, and each token of the
 * source is one look-up. Time is linear in the text. */
#include "analysis/omissions.h"

#include "analysis/tokens.h"
#include "base/mem.h"
#include "text/string_table.h"
#include "text/unicode.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

/* ---- The tokens of a translation or of a reference ---- */

typedef struct {
    StringTable tokens;  /* words, numbers without separators, and the groups of numbers */
    int         has_negation;
} TokenSet;

static void add_number(StringTable *tokens, const Token *number, Buf *digits)
{
    const char *at = number->text, *group;
    for (size_t length; (length = number_group(number, &at, &group));)
        string_table_add(tokens, group, length);
    number_digits(number, digits);
    string_table_add(tokens, digits->text, digits->length);
}

/* Replaces `normal` by the normal form of a line: NFC, and U+0020 for every blank. */
static void normalise(const char *line, Buf *normal)
{
    buf_clear(normal);
    words_normalise(line, strlen(line), 0, normal);
}

static TokenSet token_set_of(const char *line)
{
    TokenSet set = { 0 };
    Buf normal = { 0 }, digits = { 0 };
    Token token;
    normalise(line, &normal);
    for (Tokens at = tokens_of(normal.text); tokens_next(&at, &token);) {
        if (token.kind == TOKEN_NUMBER) add_number(&set.tokens, &token, &digits);
        else string_table_add(&set.tokens, token.text, token.length);
    }
    set.has_negation = negation_find(normal.text, &token);
    buf_free(&digits);
    buf_free(&normal);
    return set;
}

static int has_token(const TokenSet *set, const char *text, size_t length)
{
    return string_table_find(&set->tokens, text, length) >= 0;
}

static int has_number(const TokenSet *set, const Token *number, Buf *digits)
{
    const char *at = number->text, *group;
    number_digits(number, digits);
    if (has_token(set, digits->text, digits->length)) return 1;
    for (size_t length; (length = number_group(number, &at, &group));)
        if (!has_token(set, group, length)) return 0;
    return 1;
}

/* ---- A segment ---- */

typedef struct {
    size_t    number;
    Buf       source;               /* normalised */
    TokenSet  translation;
    TokenSet *reference;            /* (references) those that are present; owned */
    int       references;
} Segment;

static Segment segment_of(const SystemOutputs *outputs, size_t i)
{
    const Segments *all = outputs->segments;
    Segment segment = { .number = i, .translation = token_set_of(outputs->output[0][i]) };
    segment.reference = xcalloc((size_t)all->references[i], sizeof *segment.reference);
    for (int r = 0; r < all->references[i]; r++)
        if (all->reference[i][r])
            segment.reference[segment.references++] = token_set_of(all->reference[i][r]);
    normalise(all->source[i], &segment.source);
    return segment;
}

static void segment_free(Segment *segment)
{
    for (int r = 0; r < segment->references; r++) string_table_free(&segment->reference[r].tokens);
    string_table_free(&segment->translation.tokens);
    free(segment->reference);
    buf_free(&segment->source);
}

/* A number, name or negation of the source. */
typedef struct {
    int   kind;                     /* OMIT_... */
    Token token;
} Item;

static int has_item(const TokenSet *set, const Item *item, Buf *digits)
{
    switch (item->kind) {
    case OMIT_NUMBER: return has_number(set, &item->token, digits);
    case OMIT_NAME:   return has_token(set, item->token.text, item->token.length);
    default:          return set->has_negation;
    }
}

/* Counts an item that every reference has, and whether the translation lacks it. */
static void count_item(Omissions *omissions, const Segment *segment, const Item *item, Buf *digits)
{
    OmissionCount *count = &omissions->kind[item->kind];
    for (int r = 0; r < segment->references; r++)
        if (!has_item(&segment->reference[r], item, digits)) return;
    if (!segment->references) return;
    count->all++;
    if (has_item(&segment->translation, item, digits)) return;
    count->lost++;
    fault_examples_add(&count->examples, segment->number, item->token.text, item->token.length);
}

static int is_capitalised(const Token *word)
{
    const char *at = word->text;
    int32_t first = unicode_next(&at);
    return unicode_lower(first) != first;
}

static void count_segment(Omissions *omissions, const Segment *segment, Buf *digits)
{
    Item item;
    for (Tokens at = tokens_of(segment->source.text); tokens_next(&at, &item.token);) {
        item.kind = item.token.kind == TOKEN_NUMBER ? OMIT_NUMBER : OMIT_NAME;
        if (item.kind == OMIT_NUMBER
            || (!item.token.starts_sentence && is_capitalised(&item.token)))
            count_item(omissions, segment, &item, digits);
    }
    item.kind = OMIT_NEGATION;
    if (negation_find(segment->source.text, &item.token))
        count_item(omissions, segment, &item, digits);
}

void omissions_init(Omissions *omissions, const SystemOutputs *outputs)
{
    Buf digits = { 0 };
    *omissions = (Omissions){ 0 };
    for (size_t i = 0; i < outputs->segments->count; i++) {
        Segment segment = segment_of(outputs, i);
        count_segment(omissions, &segment, &digits);
        segment_free(&segment);
    }
    buf_free(&digits);
}

void omissions_free(Omissions *omissions)
{
    for (int kind = 0; kind < OMIT_KINDS; kind++)
        fault_examples_free(&omissions->kind[kind].examples);
    *omissions = (Omissions){ 0 };
}

/* ---- Printing ---- */

static const char *const kind_names[OMIT_KINDS] = { "numbers", "names", "negations" };

void omissions_print(FILE *out, const Omissions *omissions, const SystemOutputs *outputs)
{
    for (int kind = 0; kind < OMIT_KINDS; kind++) {
        const OmissionCount *count = &omissions->kind[kind];
        fprintf(out, "%s: %ld of %ld missing\n", kind_names[kind], count->lost, count->all);
        fault_examples_print(out, &count->examples, outputs);
        if (count->lost && kind + 1 < OMIT_KINDS) fputc('\n', out);
    }
}

static cJSON *count_to_json(const OmissionCount *count, const SystemOutputs *outputs)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "missing", (double)count->lost);
    cJSON_AddNumberToObject(object, "of", (double)count->all);
    cJSON_AddItemToObject(object, "examples",
                          fault_examples_to_json(&count->examples, outputs, "missing"));
    return object;
}

cJSON *omissions_to_json(const Omissions *omissions, const SystemOutputs *outputs)
{
    cJSON *object = cJSON_CreateObject();
    for (int kind = 0; kind < OMIT_KINDS; kind++)
        cJSON_AddItemToObject(object, kind_names[kind],
                              count_to_json(&omissions->kind[kind], outputs));
    return object;
}
