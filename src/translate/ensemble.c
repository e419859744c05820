/* ensemble.c - comparing tokenizers, and what they were learned from. */
#include "translate/ensemble.h"

#include <string.h>

static int same_options(const TextOptions *a, const TextOptions *b)
{
    return a->tokens == b->tokens && a->lowercase == b->lowercase && a->truecase == b->truecase
           && a->placeholders == b->placeholders;
}

static int same_pieces(const Tokenizer *a, const Tokenizer *b)
{
    int same = tokenizer_size(a) == tokenizer_size(b);
    for (int id = 0; same && id < tokenizer_size(a); id++)
        same = !strcmp(tokenizer_piece(a, id), tokenizer_piece(b, id));
    return same;
}

static int same_merges(const Merges *a, const Merges *b)
{
    int same = a->pairs.count == b->pairs.count && a->end == b->end;
    Buf one = { 0 }, other = { 0 };
    for (size_t rank = 0; same && rank < a->pairs.count; rank++) {
        buf_clear(&one);
        buf_clear(&other);
        merges_line(a, rank, &one);
        merges_line(b, rank, &other);
        same = !strcmp(one.text, other.text);
    }
    buf_free(&one);
    buf_free(&other);
    return same;
}

static int cut_alike(const Tokenizer *a, const Tokenizer *b)
{
    return same_options(tokenizer_options(a), tokenizer_options(b)) && same_pieces(a, b)
           && same_merges(tokenizer_merges(a), tokenizer_merges(b));
}

/* Whether the records of both trainings have this value, and not the same. */
static int records_differ(const Model *a, const Model *b, const char *key)
{
    const cJSON *one = cJSON_GetObjectItemCaseSensitive(a->training, key);
    const cJSON *other = cJSON_GetObjectItemCaseSensitive(b->training, key);
    return one && other && !cJSON_Compare(one, other, 1);
}

/* Why they have other vocabularies: the usual size of one follows from the pairs. */
static void find_cause(const Model *a, const Model *b, Err *cause)
{
    Buf one = { 0 }, other = { 0 };
    const Field *option = fields_difference(text_fields, &a->text, &b->text, &one, &other);
    const int is_size = option && !strcmp(option->name, "vocabulary");
    const int have_other_pairs = records_differ(a, b, "corpus_hash")
                                 || records_differ(a, b, "training_pairs");
    if (have_other_pairs && (!option || is_size)) err(cause, "they have learned from different pairs");
    else if (option)
        err(cause, "--%s is %s in one, %s in the other", option->name, one.text, other.text);
    else err(cause, "one of them has other --merges, or extends those of --init");
    buf_free(&one);
    buf_free(&other);
}

int ensemble_check(const Model *model, const char *const *name, int count, Err *e)
{
    Err cause;
    for (int i = 1; i < count; i++) {
        const int differs_in_source = !cut_alike(model[0].source, model[i].source);
        if (!differs_in_source && cut_alike(model[0].target, model[i].target)) continue;
        find_cause(&model[0], &model[i], &cause);
        return err(e, "%s and %s can't translate together: their %s vocabularies differ: %s; train them "
                      "with the same corpus and the same options of its text", name[0], name[i],
                   differs_in_source ? "source" : "target", cause.text);
    }
    return 0;
}
