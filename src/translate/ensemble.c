/* ensemble.c - comparing tokenizers. */
#include "translate/ensemble.h"

#include <string.h>

static int compare_options(const TextOptions *a, const TextOptions *b, Err *why)
{
    if (a->tokens != b->tokens) return err(why, "one has --tokens that the other has not");
    if (a->lowercase != b->lowercase) return err(why, "only one is in lower case");
    if (a->truecase != b->truecase) return err(why, "only one is truecased");
    if (a->placeholders != b->placeholders) return err(why, "only one has placeholders");
    return 0;
}

static int compare_pieces(const Tokenizer *a, const Tokenizer *b, Err *why)
{
    if (tokenizer_size(a) != tokenizer_size(b))
        return err(why, "one has %d entries, the other %d", tokenizer_size(a), tokenizer_size(b));
    for (int id = 0; id < tokenizer_size(a); id++)
        if (strcmp(tokenizer_piece(a, id), tokenizer_piece(b, id)))
            return err(why, "entry %d is '%s' in one, '%s' in the other", id,
                       tokenizer_piece(a, id), tokenizer_piece(b, id));
    return 0;
}

static int compare_merges(const Merges *a, const Merges *b, Err *why)
{
    int equal = a->pairs.count == b->pairs.count && a->end == b->end;
    Buf one = { 0 }, other = { 0 };
    for (size_t rank = 0; equal && rank < a->pairs.count; rank++) {
        buf_clear(&one);
        buf_clear(&other);
        merges_line(a, rank, &one);
        merges_line(b, rank, &other);
        equal = !strcmp(one.text, other.text);
    }
    buf_free(&one);
    buf_free(&other);
    return equal ? 0 : err(why, "their merges are not the same");
}

static int compare(const Tokenizer *a, const Tokenizer *b, Err *why)
{
    if (compare_options(tokenizer_options(a), tokenizer_options(b), why)) return -1;
    if (compare_pieces(a, b, why)) return -1;
    return compare_merges(tokenizer_merges(a), tokenizer_merges(b), why);
}

int ensemble_check(const Model *model, const char *const *name, int count, Err *e)
{
    Err why;
    for (int i = 1; i < count; i++) {
        const char *side = NULL;
        if (compare(model[0].source, model[i].source, &why)) side = "source";
        else if (compare(model[0].target, model[i].target, &why)) side = "target";
        if (side)
            return err(e, "%s and %s can't translate together: their %s vocabularies differ: %s; "
                       "train them with the same corpus and text options",
                       name[0], name[i], side, why.text);
    }
    return 0;
}
