/* piece.c - see piece.h. */
#include "train/data/piece.h"

#include "base/mem.h"

#include <stdlib.h>

/* ---- Lines ---- */

/* Lets the spans point into the bytes, which have come to rest. */
static void point(Piece *p)
{
    const char *at = p->bytes.text;
    for (size_t i = 0; i < p->count; i++) {
        BitextLine *line = &p->line[i].text;
        line->source.text = at;
        line->target.text = at += line->source.length;
        at += line->target.length;
    }
}

int piece_read(Piece *p, Bitext *bitext, long most, Err *e)
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
    point(p);
    return status;
}

void piece_judge(Piece *p, const BitextOptions *cleaning)
{
    for (size_t i = 0; i < p->count; i++) {
        PieceLine *line = &p->line[i];
        bitext_judge(cleaning, &line->text);
        if (line->text.reason == SKIP_REASONS)
            line->source = corpus_source_hash(line->text.source.text, line->text.source.length);
    }
}

/* ---- Words ---- */

/* Appends the numbers of the words that a side was split into; returns how many. */
static int add_words(Piece *p)
{
    for (size_t i = 0, length; i < p->split.count; i++) {
        const char *word = words_at(&p->split, i, &length);
        ids_add(&p->numbers, string_table_add(&p->words, word, length));
    }
    return (int)p->split.count;
}

void piece_count(Piece *p, const TextOptions *text)
{
    string_table_clear(&p->words);
    word_kinds_clear(&p->kinds);
    p->numbers.count = 0;
    for (size_t i = 0; i < p->count; i++) {
        PieceLine *line = &p->line[i];
        line->words[LANGUAGE_SOURCE] = line->words[LANGUAGE_TARGET] = 0;
        if (line->part == PARTS) continue;
        const Span source = line->text.source, target = line->text.target;
        tokenizer_split_source(text, source.text, source.length, NULL, NULL, 0, &p->split);
        line->words[LANGUAGE_SOURCE] = add_words(p);
        if (line->part == PART_VALID) continue;
        tokenizer_split(text, target.text, target.length, &p->split);
        line->words[LANGUAGE_TARGET] = add_words(p);
    }
    word_kinds_extend(&p->kinds, &p->words);
    word_uses_clear(&p->train, p->words.count);
    const int *numbers = p->numbers.id;
    for (size_t i = 0; i < p->count; i++) {
        const int sources = p->line[i].words[LANGUAGE_SOURCE];
        const int targets = p->line[i].words[LANGUAGE_TARGET];
        const Record pair = { numbers, numbers + sources, sources, targets };
        if (p->line[i].part == PART_TRAIN) word_uses_add(&p->train, &p->kinds, &pair);
        numbers += sources + targets;
    }
}

void piece_number(Piece *p, StringTable *words, WordKinds *kinds, WordUses *train)
{
    p->number = grow(p->number, &p->number_capacity, p->words.count, sizeof *p->number);
    for (int word = 0; word < (int)p->words.count; word++)
        p->number[word] = string_table_add(words, string_table_text(&p->words, word),
                                           string_table_length(&p->words, word));
    word_kinds_extend(kinds, words);
    word_uses_reserve(train, words->count);
    word_uses_merge(train, &p->train, p->number, p->words.count);
    for (size_t i = 0; i < p->numbers.count; i++)
        p->numbers.id[i] = p->number[p->numbers.id[i]];
}

void piece_free(Piece *p)
{
    buf_free(&p->bytes);
    free(p->line);
    string_table_free(&p->words);
    word_kinds_free(&p->kinds);
    word_uses_free(&p->train);
    ids_free(&p->numbers);
    words_free(&p->split);
    free(p->number);
    *p = (Piece){ 0 };
}
