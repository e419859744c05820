/* omissions.c - the translation and the references become sets of tokens; each token of the source is one look-up. Time
 * is linear in the text. */
#include "analysis/omissions.h"

#include "base/mem.h"
#include "base/printable.h"
#include "analysis/tokens.h"
#include "text/string_table.h"
#include "text/unicode.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

/* ---- A line of the translation or of a reference ---- */

typedef struct {
    StringTable tokens;                 /* words, numbers without separators, and the groups of these */
    int     negates;
} Side;

static void add_number(StringTable *tokens, const Token *number, Buf *digits)
{
    const char *at = number->text, *group;
    for (size_t length; (length = number_group(number, &at, &group));) string_table_add(tokens, group, length);
    number_digits(number, digits);
    string_table_add(tokens, digits->text, digits->length);
}

/* Replaces what `normal` holds by the normal form of a line: NFC, and every blank a plain one. */
static void normalise(const char *line, Buf *normal)
{
    buf_clear(normal);
    words_normalise(line, strlen(line), 0, normal);
}

static Side side_read(const char *line)
{
    Side side = { 0 };
    Buf normal = { 0 }, digits = { 0 };
    Token token;
    normalise(line, &normal);
    for (Tokens at = tokens_start(normal.text); tokens_next(&at, &token);) {
        if (token.kind == TOKEN_NUMBER) add_number(&side.tokens, &token, &digits);
        else string_table_add(&side.tokens, token.text, token.length);
    }
    side.negates = negation_find(normal.text, &token);
    buf_free(&digits);
    buf_free(&normal);
    return side;
}

static int side_has(const Side *side, const char *text, size_t length)
{
    return string_table_find(&side->tokens, text, length) >= 0;
}

static int side_has_number(const Side *side, const Token *number, Buf *digits)
{
    const char *at = number->text, *group;
    number_digits(number, digits);
    if (side_has(side, digits->text, digits->length)) return 1;
    for (size_t length; (length = number_group(number, &at, &group));)
        if (!side_has(side, group, length)) return 0;
    return 1;
}

/* ---- A segment ---- */

typedef struct {
    size_t number;
    Buf    source;                  /* normalised */
    Side   translation;
    Side  *reference;               /* (references) without those that are missing */
    int    references;
} Segment;

static Segment segment_read(const SystemOutput *t, size_t i)
{
    const Segments *all = t->segments;
    Segment segment = { .number = i, .translation = side_read(t->translation[i]) };
    segment.reference = xcalloc((size_t)all->references[i], sizeof *segment.reference);
    for (int r = 0; r < all->references[i]; r++)
        if (all->reference[i][r]) segment.reference[segment.references++] = side_read(all->reference[i][r]);
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

/* What a line may hold of the source. */
typedef struct {
    int   kind;
    Token token;
} Item;

static int holds(const Side *side, const Item *item, Buf *digits)
{
    switch (item->kind) {
    case OMIT_NUMBER: return side_has_number(side, &item->token, digits);
    case OMIT_NAME:   return side_has(side, item->token.text, item->token.length);
    default:          return side->negates;
    }
}

/* Counts what every reference holds, and whether the translation does. */
static void count(Omissions *all, const Segment *segment, const Item *item, Buf *digits)
{
    OmissionCount *omissions = &all->kind[item->kind];
    for (int r = 0; r < segment->references; r++)
        if (!holds(&segment->reference[r], item, digits)) return;
    if (!segment->references) return;
    omissions->all++;
    if (holds(&segment->translation, item, digits)) return;
    if (omissions->lost < OMIT_EXAMPLES)
        omissions->example[omissions->lost] =
            (Omission){ segment->number, xstrndup(item->token.text, item->token.length) };
    omissions->lost++;
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
    for (Tokens at = tokens_start(segment->source.text); tokens_next(&at, &item.token);) {
        item.kind = item.token.kind == TOKEN_NUMBER ? OMIT_NUMBER : OMIT_NAME;
        if (item.kind == OMIT_NUMBER || (!item.token.starts_sentence && is_capitalised(&item.token)))
            count(omissions, segment, &item, digits);
    }
    item.kind = OMIT_NEGATION;
    if (negation_find(segment->source.text, &item.token)) count(omissions, segment, &item, digits);
}

void omissions_count(Omissions *omissions, const SystemOutput *t)
{
    Buf digits = { 0 };
    *omissions = (Omissions){ 0 };
    for (size_t i = 0; i < t->segments->count; i++) {
        Segment segment = segment_read(t, i);
        count_segment(omissions, &segment, &digits);
        segment_free(&segment);
    }
    buf_free(&digits);
}

void omissions_free(Omissions *omissions)
{
    for (int kind = 0; kind < OMIT_KINDS; kind++)
        for (int k = 0; k < OMIT_EXAMPLES; k++) free(omissions->kind[kind].example[k].what);
    *omissions = (Omissions){ 0 };
}

/* ---- Showing ---- */

static const char *const kind_names[OMIT_KINDS] = { "numbers", "names", "negations" };

static int examples_of(const OmissionCount *omissions)
{
    return omissions->lost < OMIT_EXAMPLES ? (int)omissions->lost : OMIT_EXAMPLES;
}

void omissions_print(FILE *out, const Omissions *omissions, const SystemOutput *t)
{
    for (int kind = 0; kind < OMIT_KINDS; kind++) {
        const OmissionCount *one = &omissions->kind[kind];
        fprintf(out, "%s: %ld of %ld missing\n", kind_names[kind], one->lost, one->all);
        for (int k = 0; k < examples_of(one); k++) {
            const Omission *example = &one->example[k];
            fputc('\n', out);
            printable_line(out, "segment %zu, %s", example->segment + 1, example->what);
            system_output_print(out, t, example->segment);
        }
        if (one->lost && kind + 1 < OMIT_KINDS) fputc('\n', out);
    }
}

static cJSON *kind_to_json(const OmissionCount *omissions, const SystemOutput *t)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "missing", (double)omissions->lost);
    cJSON_AddNumberToObject(object, "of", (double)omissions->all);
    cJSON *examples = cJSON_AddArrayToObject(object, "examples");
    for (int k = 0; k < examples_of(omissions); k++) {
        cJSON *example = system_output_to_json(t, omissions->example[k].segment);
        cJSON_AddStringToObject(example, "missing", omissions->example[k].what);
        cJSON_AddItemToArray(examples, example);
    }
    return object;
}

cJSON *omissions_to_json(const Omissions *omissions, const SystemOutput *t)
{
    cJSON *object = cJSON_CreateObject();
    for (int kind = 0; kind < OMIT_KINDS; kind++)
        cJSON_AddItemToObject(object, kind_names[kind], kind_to_json(&omissions->kind[kind], t));
    return object;
}
